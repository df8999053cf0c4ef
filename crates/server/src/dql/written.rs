//! What a request wrote, as its client carries it to the commit: keys, and predicates.
//!
//! The server knows by itself what its transactions wrote. A client whose transaction is not known any more says by its
//! keys that it wrote, and is refused.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use millrace_db::languages::dql::changes::{Changes, NodeRef, Quads};
use millrace_wire::dql::GROUP;

use crate::limits::DQL_KEYS_MAX;

/// Names of what was written, each once and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) keys: Vec<String>,
    pub(crate) predicates: Vec<String>,
}

impl Written {
    /// What changes write under a number.
    pub(super) fn of(changes: &Changes, number: u64) -> Written {
        let (mut keys, mut predicates) = (BTreeSet::new(), BTreeSet::new());
        for mutation in &changes.mutations {
            for quads in [&mutation.set, &mutation.delete] {
                add(quads, number, (&mut keys, &mut predicates));
            }
        }
        Written {
            keys: keys.into_iter().map(base_36).collect(),
            predicates: predicates.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The predicates as those of a namespace.
    pub(super) fn predicates_in(&self, namespace: u64) -> Vec<String> {
        let named = |predicate| format!("{GROUP}-{namespace}-{predicate}");
        self.predicates.iter().map(named).collect()
    }
}

fn add<'c>(
    quads: &'c Quads,
    number: u64,
    (keys, predicates): (&mut BTreeSet<u64>, &mut BTreeSet<&'c str>),
) {
    // Of this process and of others the same.
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    for row in &quads.rows {
        let predicate = row.predicate.as_deref().unwrap_or_default();
        if !predicate.is_empty() && predicates.len() < DQL_KEYS_MAX {
            predicates.insert(predicate);
        }
        if DQL_KEYS_MAX <= keys.len() {
            continue;
        }
        keys.insert(match quads.nodes.get(row.subject.0 as usize) {
            Some(NodeRef::Uid(uid)) => hasher.hash_one((uid, predicate)),
            // Other names hold in their request alone.
            Some(NodeRef::Blank(name) | NodeRef::Variable(name)) => {
                hasher.hash_one((number, name, predicate))
            }
            None => continue,
        });
    }
}

fn base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = char::from_digit((number % 36) as u32, 36).unwrap_or('0');
        digits.push(digit);
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use millrace_db::languages::dql::language::of_text_noting;

    use super::*;

    fn written(text: &str, number: u64) -> Written {
        let mut found = None;
        of_text_noting(text, |changes| found = Some(Written::of(changes, number))).unwrap();
        found.expect("it has mutations")
    }

    #[test]
    fn keys_name_nodes_with_their_predicates_and_predicates_stand_once() {
        let text = "{ set { <0x1> <name> \"A\" .\n <0x1> <name> \"B\" .\n <0x1> <age> \"7\" .\n _:a <name> \"C\" . } }";
        let found = written(text, 5);
        assert_eq!(found.predicates_in(0), ["1-0-age", "1-0-name"]);
        assert_eq!(found.keys.len(), 3);
        assert_eq!(found, written(text, 5));
        let same = written("{ delete { <0x1> <age> * . } }", 6);
        assert!(found.keys.contains(&same.keys[0]), "it is the same value");
        let other = written("{ set { _:a <name> \"C\" . } }", 6);
        assert!(!found.keys.contains(&other.keys[0]), "it is another node");
        let all = written("{ delete { <0x1> * * . } }", 6);
        assert_eq!((all.keys.len(), all.predicates.len()), (1, 0));
    }

    #[test]
    fn of_very_many_keys_and_predicates_the_first_are_named() {
        let quads = (0..DQL_KEYS_MAX + 10).map(|number| format!("<0x1> <p{number}> \"A\" .\n"));
        let found = written(&format!("{{ set {{ {} }} }}", quads.collect::<String>()), 5);
        assert_eq!((found.keys.len(), found.predicates.len()), (DQL_KEYS_MAX, DQL_KEYS_MAX));
    }

    #[test]
    fn numbers_are_written_with_36_digits() {
        assert_eq!([0, 35, 36, 1_295].map(base_36), ["0", "z", "10", "zz"]);
        assert_eq!(u64::from_str_radix(&base_36(u64::MAX), 36), Ok(u64::MAX));
    }
}
