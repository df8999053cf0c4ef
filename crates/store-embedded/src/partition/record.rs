//! Record versions: labels and properties of a vertex, or properties of an edge, that changed
//! since the root.
//!
//! A version holds *every* key changed since the root's base (or overlay, or the columns of a new
//! edge's run), so a reader takes one version and then at most one place below it.

use millrace_model::{KeyId, Position, Value};
use millrace_store::Labels;

/// The versions of one record, oldest first; never empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    versions: Vec<RecordVersion>,
}

/// A record from one position on.
#[derive(Clone, Debug)]
pub(crate) struct RecordVersion {
    pub(crate) from: Position,
    /// Whether the element exists; a deleted one has nothing else.
    pub(crate) exists: bool,
    /// The labels; `None`: those below. Always `None` for an edge.
    pub(crate) labels: Option<Labels>,
    /// Changed properties by key number; `None` is removed.
    pub(crate) fields: Vec<(KeyId, Option<Value>)>,
}

impl Record {
    /// The version a reader at `at` takes; `None`: what is below.
    #[inline]
    pub(crate) fn at(&self, at: Position) -> Option<&RecordVersion> {
        match self.versions.last() {
            Some(newest) if newest.from <= at => Some(newest),
            _ => {
                let next = self.versions.partition_point(|version| version.from <= at);
                next.checked_sub(1).map(|place| &self.versions[place])
            }
        }
    }

    /// Whether a commit at `at` begins a version beside one that older readers take.
    pub(crate) fn retires(&self, at: Position) -> bool {
        self.versions.last().is_some_and(|newest| newest.from != at)
    }

    /// The version of the commit at `at`, begun as a copy of the one before; `exists` says whether
    /// the element does, where there is none before.
    pub(crate) fn version_mut(
        &mut self,
        at: Position,
        exists: impl FnOnce() -> bool,
    ) -> &mut RecordVersion {
        if self.versions.last().is_none_or(|newest| newest.from != at) {
            let version = match self.versions.last() {
                Some(before) => RecordVersion { from: at, ..before.clone() },
                None => {
                    let (labels, fields) = (None, Vec::new());
                    RecordVersion { from: at, exists: exists(), labels, fields }
                }
            };
            self.versions.push(version);
        }
        self.versions.last_mut().expect("one was pushed if there was none")
    }

    /// Frees versions that no reader at `oldest` or later takes.
    pub(crate) fn forget(&mut self, oldest: Position) {
        let live = self.versions.partition_point(|version| version.from <= oldest);
        self.versions.drain(..live.saturating_sub(1));
    }

    /// The same record on a root whose base has it as of `cut`: only what changed later.
    pub(crate) fn after(&self, cut: Position) -> Option<Record> {
        let later = self.versions.partition_point(|version| version.from <= cut);
        if later == self.versions.len() {
            return None;
        }
        let below = later.checked_sub(1).map(|place| &self.versions[place]);
        let versions = self.versions[later..].iter().map(|version| version.since(below));
        Some(Record { versions: versions.collect() })
    }

    pub(crate) fn byte_size(&self) -> usize {
        let version = |version: &RecordVersion| {
            size_of::<RecordVersion>() + version.fields.len() * size_of::<(KeyId, Option<Value>)>()
        };
        self.versions.iter().map(version).sum()
    }
}

impl RecordVersion {
    /// The changed property: `None` if it is as below, `Some(None)` if it was removed.
    #[inline]
    pub(crate) fn get(&self, key: KeyId) -> Option<Option<&Value>> {
        let place = self.fields.binary_search_by_key(&key, |(own, _)| *own).ok()?;
        Some(self.fields[place].1.as_ref())
    }

    pub(crate) fn set(&mut self, key: KeyId, value: Option<Value>) {
        match self.fields.binary_search_by_key(&key, |(own, _)| *own) {
            Ok(place) => self.fields[place].1 = value,
            Err(place) => self.fields.insert(place, (key, value)),
        }
    }

    pub(crate) fn delete(&mut self) {
        self.exists = false;
        self.labels = None;
        self.fields.clear();
    }

    /// This version without what `below` holds already. A value that was set back to what it was
    /// stays: it is right, and rare.
    fn since(&self, below: Option<&RecordVersion>) -> RecordVersion {
        let mut version = self.clone();
        if let Some(below) = below {
            version.fields.retain(|(key, value)| below.get(*key) != Some(value.as_ref()));
            if version.labels == below.labels {
                version.labels = None;
            }
        }
        version
    }
}
