//! The judge's knowledge of one graph: its content after every commit, and the kind of the commit.
//!
//! Positions are those of the whole folder. A graph has versions at some of them, and between two
//! versions it is as it was at the one before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::model::Model;
use super::overlap::Kind;
use super::schema::Names;

/// A version of a graph.
struct Version {
    position: u64,
    model: Arc<Model>,
    /// The kind of the commit that made it.
    kind: Option<Kind>,
    /// The key that a merge found missing and made.
    merged: Option<u64>,
}

/// A graph, from its making on.
pub(super) struct History {
    pub(super) names: Option<Names>,
    /// Other names that were given a number.
    pub(super) numbers: BTreeMap<String, u32>,
    /// Vertex ids below this were given.
    pub(super) leased: u64,
    /// Internal ids that clients chose, created or not.
    pub(super) chosen: BTreeSet<u64>,
    /// Internal ids that some accepted commit created vertices in.
    pub(super) known: BTreeSet<u64>,
    /// External ids that some accepted commit gave.
    pub(super) given: BTreeSet<u64>,
    versions: Vec<Version>,
}

impl History {
    /// An empty graph.
    pub(super) fn new() -> History {
        let empty = Version { position: 0, model: Arc::default(), kind: None, merged: None };
        History {
            names: None,
            numbers: BTreeMap::new(),
            leased: 0,
            chosen: BTreeSet::new(),
            known: BTreeSet::new(),
            given: BTreeSet::new(),
            versions: vec![empty],
        }
    }

    /// The newest version, whether or not it will last.
    pub(super) fn newest(&self) -> Arc<Model> {
        Arc::clone(&self.last().model)
    }

    /// The position of the newest version.
    pub(super) fn position(&self) -> u64 {
        self.last().position
    }

    /// The graph at a position.
    pub(super) fn at(&self, position: u64) -> Arc<Model> {
        let next = self.versions.partition_point(|version| version.position <= position);
        Arc::clone(&self.versions[next - 1].model)
    }

    /// The graph after each commit after a position.
    pub(super) fn models_after(&self, position: u64) -> impl Iterator<Item = &Model> + '_ {
        let after = self.versions.iter().filter(move |version| position < version.position);
        after.map(|version| &*version.model)
    }

    /// The kinds of the commits after a position.
    pub(super) fn kinds_after(&self, position: u64) -> impl Iterator<Item = Kind> + '_ {
        let after = self.versions.iter().filter(move |version| position < version.position);
        after.filter_map(|version| version.kind)
    }

    /// Whether a merge made this key after a position.
    pub(super) fn merged_after(&self, position: u64, key: u64) -> bool {
        let mut after = self.versions.iter().filter(|version| position < version.position);
        after.any(|version| version.merged == Some(key))
    }

    /// The kind of the commit after a position that made a vertex under an external id.
    pub(super) fn made_under(&self, external: u64, position: u64) -> Option<Option<Kind>> {
        let has = |version: &Version| version.model.with_external().any(|(_, own)| own == external);
        let made = |pair: &[Version]| !has(&pair[0]) && has(&pair[1]);
        let mut after = self.versions.windows(2).filter(|pair| position < pair[1].position);
        after.find(|pair| made(pair)).map(|pair| pair[1].kind)
    }

    /// A commit was accepted.
    pub(super) fn push(
        &mut self,
        position: u64,
        model: Model,
        kind: Option<Kind>,
        merged: Option<u64>,
    ) -> Result<(), String> {
        if position <= self.position() && position != 0 {
            return Err(format!("position {position} was given after {}", self.position()));
        }
        self.known.extend(model.vertices.keys());
        self.versions.push(Version { position, model: Arc::new(model), kind, merged });
        Ok(())
    }

    /// Recovery came back to a position: the positions above may be given to others.
    pub(super) fn truncate_after(&mut self, position: u64) {
        self.versions.retain(|version| version.position <= position);
    }

    /// Recovery brought back a change of unknown outcome: it is the version at `position` now.
    pub(super) fn replace(&mut self, position: u64, model: Model) {
        let model = Arc::new(model);
        self.versions.push(Version { position, model, kind: None, merged: None });
    }

    fn last(&self) -> &Version {
        self.versions.last().expect("the empty graph at position 0 stays")
    }
}
