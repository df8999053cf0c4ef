//! How an index of made keys answers a question: lists of ids that ascend, intersected and united as they are read.
//!
//! The answer is *candidates*: all elements that the question is true of, and perhaps others.

use millrace_model::{Error, ErrorKind, Result};
use millrace_terms::KeyQuestion;

use super::key_range::ByteRange;
use super::ordered_keys::KeyForm;

/// Gives the ids of entries with a key in the range that the test accepts, in any order.
pub type IdsOf<'a> = &'a mut dyn FnMut(&ByteRange, &dyn Fn(&[u8]) -> bool) -> Result<Vec<u64>>;

/// The ids that an index finds, ascending, each once. `prefix` bytes of each key say which property it is of.
pub fn answer(question: &KeyQuestion, form: KeyForm, ids_of: IdsOf<'_>) -> Result<Vec<u64>> {
    let mut ids = match question {
        KeyQuestion::Everything => {
            let detail = "an index of made keys is asked for everything";
            return Err(Error::new(ErrorKind::Unsupported, detail).with_help("scan instead"));
        }
        KeyQuestion::Nothing => Vec::new(),
        KeyQuestion::Key(key) => ids_of(&ByteRange::of_key(key), &|_| true)?,
        KeyQuestion::Keys { from, until, pattern } => {
            ids_of(&ByteRange::of_keys(from, until), &|key| pattern.accepts(form.word(key)))?
        }
        KeyQuestion::All(parts) => {
            let Some((first, others)) = parts.split_first() else { return Ok(Vec::new()) };
            let mut ids = answer(first, form, ids_of)?;
            for part in others {
                if ids.is_empty() {
                    break;
                }
                intersect(&mut ids, &answer(part, form, ids_of)?);
            }
            return Ok(ids);
        }
        KeyQuestion::Any(parts) => {
            let mut ids = Vec::new();
            for part in parts {
                ids.append(&mut answer(part, form, ids_of)?);
            }
            ids
        }
    };
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
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
        let mut of = |range: &ByteRange, _: &dyn Fn(&[u8]) -> bool| {
            Ok(match range.start.as_slice() {
                b"a" => vec![5, 1, 3, 3],
                b"b" => vec![3, 5, 9],
                b"c" => vec![2],
                _ => Vec::new(),
            })
        };
        let key = |key: &str| KeyQuestion::Key(key.as_bytes().to_vec());
        let both = KeyQuestion::All(vec![key("a"), key("b")]);
        assert_eq!(answer(&both, KeyForm::default(), &mut of).unwrap(), [3, 5]);
        let any = KeyQuestion::Any(vec![both.clone(), key("c"), key("none")]);
        assert_eq!(answer(&any, KeyForm::default(), &mut of).unwrap(), [2, 3, 5]);
        let none = KeyQuestion::All(vec![key("none"), any]);
        assert_eq!(answer(&none, KeyForm::default(), &mut of).unwrap(), [0; 0]);
    }
}
