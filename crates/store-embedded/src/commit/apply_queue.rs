//! Records that have a position and wait to be applied, in order.
//!
//! A small commit waits as the bytes that the log gets too, so nothing of it outlives its
//! committer's call, and many of them lie side by side; [`CommitGroup`] reads them in columns.
//! Any other record waits as its decoded effect. Such an effect keeps its place in the order by a
//! frame of its own, of a kind that no log has.

use std::collections::VecDeque;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, LogPosition, Result};
use millrace_store::Changes;

use crate::base::codec::Malformed;
use crate::base::commit_limits::APPLIED_HERE_BYTES_MAX;
use crate::commit::frame::{Effect, Record};
use crate::commit::physical::{Physical, append_edges};
use crate::graph::Graph;
use crate::live::{Commit, EdgeSpan};
use crate::log::{FrameBuffer, FrameRef};

/// The kind of a frame that stands for an effect.
const BY_EFFECT: u16 = 0;

/// Records that wait to be applied, positions ascending.
#[derive(Default)]
pub(crate) struct ApplyQueue {
    frames: FrameBuffer,
    effects: VecDeque<Box<(Arc<Graph>, Effect)>>,
}

/// One of them.
pub(crate) enum Waiting<'a> {
    /// A commit, as bytes.
    Bytes(FrameRef<'a>),
    /// Anything else.
    Effect(Box<(Arc<Graph>, Effect)>),
}

impl ApplyQueue {
    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Whether the waiting records are applied sooner than a thread is woken for them.
    pub(crate) fn is_small(&self) -> bool {
        self.effects.iter().all(|effect| effect.1.is_constant_cost())
            && self.frames.bytes() <= APPLIED_HERE_BYTES_MAX
    }

    /// Adds a record; `frame` is the one in the log.
    pub(crate) fn push(&mut self, record: &mut Record, frame: &FrameRef<'_>) {
        match record.effect.take() {
            None => self.frames.push(frame),
            Some(effect) => self.push_effect(frame.position, effect),
        }
    }

    /// Adds the effect of a record.
    pub(crate) fn push_effect(&mut self, position: u64, effect: Box<(Arc<Graph>, Effect)>) {
        let (graph, kind) = (effect.0.id.0, BY_EFFECT);
        self.effects.push_back(effect);
        self.frames.push(&FrameRef { position, graph, kind, checksum: 0, payload: &[] });
    }

    /// Adds a commit as the log has it.
    pub(crate) fn push_bytes(&mut self, frame: &FrameRef<'_>) {
        self.frames.push(frame);
    }

    /// Takes all out, in order, with their positions.
    pub(crate) fn drain(
        &mut self,
        mut take: impl FnMut(u64, Waiting<'_>) -> Result<()>,
    ) -> Result<()> {
        let ApplyQueue { frames, effects } = self;
        let outcome = frames.frames().try_for_each(|frame| {
            let waiting = match frame.kind {
                BY_EFFECT => Waiting::Effect(effects.pop_front().expect("each has its frame")),
                _ => Waiting::Bytes(frame),
            };
            take(frame.position, waiting)
        });
        frames.clear();
        effects.clear();
        outcome
    }
}

/// Commits of one graph that are applied together.
#[derive(Default)]
pub(crate) struct CommitGroup {
    commits: Vec<(u64, Content)>,
    /// The edges of many commits, a block for each type.
    edges: Changes,
    wholes: Vec<Physical>,
}

/// The changes of a commit.
#[derive(Clone, Copy)]
enum Content {
    Edges(EdgeSpan),
    /// By its place in `wholes`.
    Whole(u32),
}

impl CommitGroup {
    /// How many commits there are.
    pub(crate) fn len(&self) -> usize {
        self.commits.len()
    }

    /// Adds a commit as bytes.
    pub(crate) fn add_bytes(&mut self, frame: &FrameRef<'_>) -> Result<()> {
        if let Some(rows) = append_edges(frame.payload, &mut self.edges.edges) {
            self.commits.push((frame.position, Content::Edges(rows)));
            return Ok(());
        }
        let physical = Physical::decode(frame.payload).map_err(|wrong| {
            let Malformed { what, offset } = wrong;
            let detail =
                format!("the record of commit {}: {what} at byte {offset}", frame.position);
            Error::new(ErrorKind::Corrupt, detail)
        })?;
        self.add(frame.position, physical);
        Ok(())
    }

    /// Adds a commit.
    pub(crate) fn add(&mut self, position: u64, physical: Physical) {
        let place = u32::try_from(self.wholes.len()).expect("a group is smaller");
        self.wholes.push(physical);
        self.commits.push((position, Content::Whole(place)));
    }

    /// The commits, as partitions take them.
    pub(crate) fn commits(&self) -> Vec<Commit<'_>> {
        let commit = |(position, content): &(u64, Content)| {
            let position = LogPosition(*position);
            match content {
                Content::Edges(rows) => Commit::of_edges(position, &self.edges, *rows),
                Content::Whole(at) => Commit::new(position, &self.wholes[*at as usize].changes),
            }
        };
        self.commits.iter().map(commit).collect()
    }

    /// The commits that are more than new edges, with their positions.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = (u64, &Physical)> + '_ {
        self.commits.iter().filter_map(|(position, content)| match content {
            Content::Edges(_) => None,
            Content::Whole(at) => Some((*position, &self.wholes[*at as usize])),
        })
    }

    /// Forgets them, keeping room for the next.
    pub(crate) fn clear(&mut self) {
        self.commits.clear();
        self.wholes.clear();
        for block in &mut self.edges.edges {
            block.ids.clear();
            block.sources.clear();
            block.targets.clear();
        }
    }
}
