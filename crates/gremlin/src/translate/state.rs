//! The state of a traverser, as columns: its object, tags, path, sack and loops.

use std::collections::BTreeMap;

use millrace_plan::{ColumnId, Name, Op, Pipeline, SideFold};

use super::kind::{At, Kind};

/// The state of a traverser at a place of the traversal.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Its object; `None` before the first step of a source.
    pub at: Option<At>,
    /// Its tags.
    pub tags: BTreeMap<Name, Tag>,
    /// Its path, where the traversal asks for paths.
    pub path: Option<ColumnId>,
    /// The vertex at the other end of the edge it is at, where it came along that edge.
    pub other: Option<ColumnId>,
    /// The parts of the property it is at, where it came to it by them.
    pub property: Option<Parts>,
    /// Its sack.
    pub sack: Option<At>,
    /// Where sacks are merged: which of the equal traversers of a bulk it is, from 1; null before
    /// that.
    pub bulk_ordinal: Option<ColumnId>,
    /// Its count of rounds in each enclosing `repeat`, innermost last.
    pub loops: Vec<(Option<Name>, ColumnId)>,
}

/// A property in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Its owner.
    pub owner: At,
    /// Its key.
    pub key: ColumnId,
    /// Its value.
    pub value: ColumnId,
    /// Of a vertex's property: the stored property, and the ordinal of this value.
    pub several: Option<(ColumnId, ColumnId)>,
}

/// The objects under a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The column.
    pub at: At,
    /// Whether it holds a list of all that the tag was set to.
    pub many: bool,
    /// Whether it is null in rows that came by where it is not set.
    pub may_miss: bool,
}

impl State {
    /// The columns it is made of, to carry or to unite them. The order is the same for states that
    /// have the same parts.
    pub(crate) fn columns(&mut self) -> Vec<&mut ColumnId> {
        let State { at, tags, path, other: _, property: _, sack, bulk_ordinal, loops } = self;
        at.iter_mut()
            .map(|at| &mut at.column)
            .chain(tags.values_mut().map(|tag| &mut tag.at.column))
            .chain(path)
            .chain(sack.iter_mut().map(|sack| &mut sack.column))
            .chain(bulk_ordinal)
            .chain(loops.iter_mut().map(|(_, column)| column))
            .collect()
    }

    /// The tag of a name.
    pub(crate) fn tag_named(&self, name: &str) -> Option<Tag> {
        self.tags.get(name).copied()
    }

    /// How objects are collected beside the traversal. In rounds equal ones stand together, as in TinkerPop's
    /// `BulkSet`: so equal traversers need no rows of their own, and many rounds stay cheap.
    pub(crate) fn side_fold(&self) -> SideFold {
        if self.loops.is_empty() { SideFold::List } else { SideFold::Bag }
    }

    /// Forgets all but the object, because a barrier has made one object of many.
    pub(crate) fn forget(&mut self) {
        *self = State { at: self.at, ..State::default() };
    }

    /// Widens the kinds to those that hold for both states. Returns whether a kind has changed.
    pub(crate) fn join_kinds(&mut self, other: &State) -> bool {
        let before = self.clone();
        let join = |mine: &mut At, other: &At| mine.kind = mine.kind.or(other.kind);
        if let (Some(mine), Some(other)) = (&mut self.at, &other.at) {
            join(mine, other);
        }
        for (name, tag) in &mut self.tags {
            match other.tags.get(name) {
                Some(other) => join(&mut tag.at, &other.at),
                None => tag.at.kind = Kind::Any,
            }
        }
        let kinds = |state: &State| -> Vec<Kind> {
            let tags = state.tags.values().map(|tag| tag.at.kind);
            state.at.iter().map(|at| at.kind).chain(tags).collect()
        };
        kinds(&before) != kinds(self)
    }
}

/// A traversal inside another, translated.
pub(crate) struct Sub {
    /// Its operators; they start from the rows outside.
    pub pipeline: Pipeline,
    /// The state of its traversers at its end.
    pub state: State,
}

impl Sub {
    /// Adds an operator at its end.
    pub(crate) fn push(&mut self, op: impl Into<Op>) {
        self.pipeline.ops.push(op.into());
    }
}
