//! Which kinds of work met: one was accepted after the other had begun and before it ended.

use std::fmt::{Display, Formatter};

/// The kinds of work of which every pair must overlap (docs/design/store.md, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    InsertEdge,
    DeleteVertex,
    Set,
    Merge,
    ChangeSchema,
    BulkLoad,
    Checkpoint,
}

const KINDS: [(Kind, &str); 7] = [
    (Kind::InsertEdge, "insert"),
    (Kind::DeleteVertex, "delete"),
    (Kind::Set, "set"),
    (Kind::Merge, "merge"),
    (Kind::ChangeSchema, "create index"),
    (Kind::BulkLoad, "load"),
    (Kind::Checkpoint, "checkpoint"),
];

/// How often each kind (a row) was overtaken by each other (a column).
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps {
    counts: [[u64; KINDS.len()]; KINDS.len()],
}

impl Overlaps {
    pub(super) fn note(&mut self, overtaken: Kind, by: Kind) {
        self.counts[overtaken as usize][by as usize] += 1;
    }

    pub(super) fn add(&mut self, other: &Overlaps) {
        let rows = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        rows.for_each(|(own, others)| *own += others);
    }

    /// The pairs that never met, in neither order. Checkpoints do not overlap one another: one
    /// waits.
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

impl Display for Overlaps {
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
