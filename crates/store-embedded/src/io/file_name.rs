//! The names of the files of a data folder. The simulated disk counts by their kinds.

use std::fmt;

/// The purpose of a file in the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// A file of the log.
    Log,
    /// A segment of a partition or an index.
    Segment,
    /// A part of an out-of-line commit.
    Spill,
    /// A manifest.
    Manifest,
    /// A graph of neighbours over the vectors of an index.
    Neighbours,
}

impl FileKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 5] =
        [Self::Log, Self::Segment, Self::Spill, Self::Manifest, Self::Neighbours];

    fn affixes(self) -> (&'static str, &'static str) {
        match self {
            Self::Log => ("log-", ".mlog"),
            Self::Segment => ("seg-", ".mseg"),
            Self::Spill => ("spill-", ".mspill"),
            Self::Manifest => ("MANIFEST-", ""),
            Self::Neighbours => ("near-", ".mnear"),
        }
    }
}

/// The name of a file in the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileName {
    /// Its purpose.
    pub kind: FileKind,
    /// Its number, which no other file ever has.
    pub number: u64,
}

impl FileName {
    /// The name that `text` spells, if it is one of ours; a temporary name is not.
    pub fn parse(text: &str) -> Option<Self> {
        FileKind::ALL.into_iter().find_map(|kind| {
            let (prefix, suffix) = kind.affixes();
            let digits = text.strip_prefix(prefix)?.strip_suffix(suffix)?;
            let number = u64::from_str_radix(digits, 16).ok()?;
            let name = Self { kind, number };
            (name.to_string() == text).then_some(name)
        })
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, suffix) = self.kind.affixes();
        write!(f, "{prefix}{:016x}{suffix}", self.number)
    }
}
