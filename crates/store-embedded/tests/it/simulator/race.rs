//! Which kinds of work met: one was accepted after the other had begun and before it ended.

use std::fmt::{Display, Formatter};

/// The kinds of work of which every pair must race (docs/design/store.md, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    InsertEdge,
    DeleteVertex,
    Set,
    Merge,
    DeclareIndex,
    BulkLoad,
    Checkpoint,
}

const KINDS: [(Kind, &str); 7] = [
    (Kind::InsertEdge, "insert"),
    (Kind::DeleteVertex, "delete"),
    (Kind::Set, "set"),
    (Kind::Merge, "merge"),
    (Kind::DeclareIndex, "declare"),
    (Kind::BulkLoad, "load"),
    (Kind::Checkpoint, "checkpoint"),
];

/// How often each kind (a row) was overtaken by each other (a column).
#[derive(Clone, Debug, Default)]
pub(super) struct Races {
    counts: [[u64; KINDS.len()]; KINDS.len()],
}

impl Races {
    pub(super) fn note(&mut self, overtaken: Kind, by: Kind) {
        self.counts[overtaken as usize][by as usize] += 1;
    }

    pub(super) fn add(&mut self, other: &Races) {
        let rows = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        rows.for_each(|(own, others)| *own += others);
    }

    /// The pairs that never met, in neither order. Checkpoints do not race one another: one waits.
    pub(super) fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (place, (left, left_name)) in KINDS.iter().enumerate() {
            for (right, right_name) in &KINDS[place..] {
                let (left, right) = (*left as usize, *right as usize);
                let met = self.counts[left][right] + self.counts[right][left];
                if met == 0 && left != Kind::Checkpoint as usize {
                    missing.push(format!("{left_name} against {right_name}"));
                }
            }
        }
        missing
    }
}

impl Display for Races {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "  {:14}", "overtaken by")?;
        KINDS.iter().try_for_each(|(_, name)| write!(f, "{name:>11}"))?;
        for ((_, name), row) in KINDS.iter().zip(&self.counts) {
            write!(f, "\n  {name:14}")?;
            row.iter().try_for_each(|count| write!(f, "{count:>11}"))?;
        }
        Ok(())
    }
}
