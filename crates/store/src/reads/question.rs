//! What an index of made keys is asked, and how its answer is put together.
//!
//! The answer of an index is *candidates*: all elements that a question is true of, and perhaps
//! others. Lists of ids ascend, so that they are intersected and united as they are read.

use millrace_model::Result;

use super::key_range::ByteRange;

/// Which elements: by the made keys that they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Those with a key of the range.
    Keys(ByteRange),
    /// Those of every part; without parts, none is asked for, so that no index serves.
    All(Vec<Question>),
    /// Those of any part.
    Any(Vec<Question>),
}

impl Question {
    /// The elements with this key.
    pub fn key(key: Vec<u8>) -> Question {
        // Of all byte strings this one alone is below the end.
        let end = [key.as_slice(), &[0]].concat();
        Question::Keys(ByteRange { start: key, end: Some(end) })
    }

    /// The ids that an index finds, ascending, each once. `ids_of` gives those with a key of a range, in any order.
    pub fn ids(&self, ids_of: &mut dyn FnMut(&ByteRange) -> Result<Vec<u64>>) -> Result<Vec<u64>> {
        match self {
            Question::Keys(range) => {
                let mut ids = ids_of(range)?;
                ids.sort_unstable();
                ids.dedup();
                Ok(ids)
            }
            Question::All(parts) => {
                let Some((first, others)) = parts.split_first() else { return Ok(Vec::new()) };
                let mut ids = first.ids(ids_of)?;
                for part in others {
                    if ids.is_empty() {
                        break;
                    }
                    let with = part.ids(ids_of)?;
                    intersect(&mut ids, &with);
                }
                Ok(ids)
            }
            Question::Any(parts) => {
                let mut ids = Vec::new();
                for part in parts {
                    ids.append(&mut part.ids(ids_of)?);
                }
                ids.sort_unstable();
                ids.dedup();
                Ok(ids)
            }
        }
    }
}

/// Keeps those that are among the others; both ascend.
fn intersect(ids: &mut Vec<u64>, others: &[u64]) {
    let mut rest = others;
    ids.retain(|id| {
        rest = &rest[rest.partition_point(|other| other < id)..];
        rest.first() == Some(id)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_intersected_and_united() {
        let mut of = |range: &ByteRange| {
            Ok(match range.start.as_slice() {
                b"a" => vec![5, 1, 3, 3],
                b"b" => vec![3, 5, 9],
                b"c" => vec![2],
                _ => Vec::new(),
            })
        };
        let key = |key: &str| Question::key(key.as_bytes().to_vec());
        let both = Question::All(vec![key("a"), key("b")]);
        assert_eq!(both.ids(&mut of).unwrap(), [3, 5]);
        let any = Question::Any(vec![both.clone(), key("c"), key("none")]);
        assert_eq!(any.ids(&mut of).unwrap(), [2, 3, 5]);
        assert_eq!(Question::All(vec![key("none"), any]).ids(&mut of).unwrap(), [0; 0]);
    }
}
