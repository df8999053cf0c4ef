//! Record versions: labels and properties of a vertex, or properties of an edge, that changed
//! since the root.
//!
//! A version holds *every* key changed since the root's base (or transaction layer, or the columns
//! of a new edge's run), so a reader takes one version and then at most one place below it. A
//! change of a record returns by how many bytes it grew.

use millrace_model::{KeyId, LogPosition, Value};
use millrace_store::Labels;

use crate::live::versions::pinned::PinnedSnapshots;

/// The versions of one record, oldest first; never empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    versions: Vec<RecordVersion>,
}

/// A record from one position on.
#[derive(Clone, Debug)]
pub(crate) struct RecordVersion {
    pub(crate) from: LogPosition,
    /// Whether the element exists. A deleted one has no labels, and every key it ever had as
    /// removed: an element that is made in its place has nothing of it, whatever a checkpoint puts
    /// below.
    pub(crate) exists: bool,
    /// The labels; `None`: those below. Always `None` for an edge.
    pub(crate) labels: Option<Labels>,
    /// Changed properties by key number; `None` is removed.
    pub(crate) fields: Vec<(KeyId, Option<Value>)>,
}

impl Record {
    /// The version that a reader at `at` takes; `None`: the state below the record.
    #[inline]
    pub(crate) fn at(&self, at: LogPosition) -> Option<&RecordVersion> {
        match self.versions.last() {
            Some(newest) if newest.from <= at => Some(newest),
            _ => {
                let next = self.versions.partition_point(|version| version.from <= at);
                next.checked_sub(1).map(|place| &self.versions[place])
            }
        }
    }

    /// Whether some version says of labels, or that the element is no more.
    pub(crate) fn says_more_than_properties(&self) -> bool {
        self.versions.iter().any(|version| !version.exists || version.labels.is_some())
    }

    /// Whether a commit at `at` begins a version beside one that older readers take.
    pub(crate) fn retires(&self, at: LogPosition) -> bool {
        self.versions.last().is_some_and(|newest| newest.from != at)
    }

    /// The version of the commit at `at`, begun as a copy of the one before, and how many bytes
    /// that took; `exists` says whether the element does, where there is none before.
    pub(crate) fn version_mut(
        &mut self,
        at: LogPosition,
        exists: impl FnOnce() -> bool,
    ) -> (&mut RecordVersion, usize) {
        let mut grown = 0;
        if self.versions.last().is_none_or(|newest| newest.from != at) {
            let version = match self.versions.last() {
                Some(before) => RecordVersion { from: at, ..before.clone() },
                None => {
                    let (labels, fields) = (None, Vec::new());
                    // Most records have one version.
                    self.versions.reserve_exact(1);
                    RecordVersion { from: at, exists: exists(), labels, fields }
                }
            };
            grown = version.byte_size();
            self.versions.push(version);
        }
        (self.versions.last_mut().expect("one was pushed if there was none"), grown)
    }

    /// Frees versions that no reader takes; says the size before and after, and whether there are
    /// some besides the newest.
    pub(crate) fn forget_counted(&mut self, pinned: &PinnedSnapshots) -> (usize, usize, bool) {
        let before = self.byte_size();
        let mut until = LogPosition(u64::MAX);
        let mut needed: Vec<bool> = Vec::with_capacity(self.versions.len());
        for version in self.versions.iter().rev() {
            needed.push(pinned.needs(version.from, until));
            until = version.from;
        }
        self.versions.retain(|_| needed.pop().expect("one for each version"));
        (before, self.byte_size(), 1 < self.versions.len())
    }

    /// The same record on a root with a base as of `checkpoint`: only the later versions.
    pub(crate) fn after(&self, checkpoint: LogPosition) -> Option<Record> {
        let later = self.versions.partition_point(|version| version.from <= checkpoint);
        if later == self.versions.len() {
            return None;
        }
        let below = later.checked_sub(1).map(|place| &self.versions[place]);
        let versions = self.versions[later..].iter().map(|version| version.since(below));
        Some(Record { versions: versions.collect() })
    }

    /// Bytes beyond the record itself.
    pub(crate) fn byte_size(&self) -> usize {
        self.versions.iter().map(RecordVersion::byte_size).sum()
    }
}

impl RecordVersion {
    /// The changed property: `None` if it is as below, `Some(None)` if it was removed.
    #[inline]
    pub(crate) fn get(&self, key: KeyId) -> Option<Option<&Value>> {
        let place = self.fields.binary_search_by_key(&key, |(own, _)| *own).ok()?;
        Some(self.fields[place].1.as_ref())
    }

    /// Makes room for fields that come now.
    pub(crate) fn reserve(&mut self, fields: usize) {
        self.fields.reserve_exact(fields);
    }

    /// Changes a property; says by how many bytes the version grew.
    pub(crate) fn set(&mut self, key: KeyId, value: Option<Value>) -> isize {
        let bytes = |value: &Option<Value>| value.as_ref().map_or(0, Value::heap_size) as isize;
        let new = bytes(&value);
        match self.fields.binary_search_by_key(&key, |(own, _)| *own) {
            Ok(place) => {
                let before = std::mem::replace(&mut self.fields[place].1, value);
                new - bytes(&before)
            }
            Err(place) => {
                self.fields.insert(place, (key, value));
                new + FIELD_BYTES as isize
            }
        }
    }

    /// Deletes the element; says by how many bytes the version shrank.
    pub(crate) fn delete(&mut self) -> usize {
        let before = self.byte_size();
        self.exists = false;
        self.labels = None;
        self.fields.iter_mut().for_each(|(_, value)| *value = None);
        before - self.byte_size()
    }

    fn byte_size(&self) -> usize {
        let behind = |field: &(KeyId, Option<Value>)| field.1.as_ref().map_or(0, Value::heap_size);
        let fields = self.fields.iter().map(behind).sum::<usize>();
        size_of::<RecordVersion>() + self.fields.len() * FIELD_BYTES + fields
    }

    /// This version without the changes that `below` holds already. A value that was set back to
    /// its old one stays: it is right, and rare.
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

const FIELD_BYTES: usize = size_of::<(KeyId, Option<Value>)>();
