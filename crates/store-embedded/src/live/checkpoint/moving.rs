//! The move of a delta to a new root, while readers read it and appliers go on changing it.
//!
//! Changes after the new base's checkpoint position are copied piece by piece under the shared
//! lock. Appliers note the elements that they change meanwhile, which are copied again, round after
//! round; only the last few go under the exclusive lock, with the swap. The old root keeps its
//! delta whole, for the readers before the checkpoint position, so nothing is moved *out* of it.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use millrace_model::{EdgeTypeId, LogPosition};

use crate::base::limits::{NOTED_ELEMENTS_MAX, NOTED_ROUNDS, PIECE_ELEMENTS};
use crate::live::Partition;
use crate::live::list::local_map::{PAGE_LOCALS, PAGES};
use crate::live::versions::delta::{Delta, Versioned};
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::root::Root;
use crate::live::versions::state::State;
use crate::persistent::image::Half;

/// The elements that appliers changed while a delta moves.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    elements: Vec<Versioned>,
    runs: BTreeSet<u32>,
}

impl State {
    /// Notes a list or record that is about to change, if the delta moves.
    #[inline]
    pub(crate) fn note(&mut self, what: Versioned) {
        if let Some(noted) = &mut self.noted {
            noted.elements.push(what);
        }
    }

    /// The same for a run of new edges.
    #[inline]
    pub(crate) fn note_run(&mut self, run: u32) {
        if let Some(noted) = &mut self.noted {
            noted.runs.insert(run);
        }
    }
}

/// A delta on its way to the root of a base with this checkpoint position.
pub(crate) struct Moving {
    checkpoint: LogPosition,
    delta: Delta,
    left: VecDeque<Piece>,
}

/// A piece of a delta that is copied under one lock.
enum Piece {
    Lists((EdgeTypeId, Half), Range<usize>),
    Vertices(Range<usize>),
    Runs(Vec<u32>),
    Edges(Vec<u32>),
}

impl Partition {
    /// Begins to copy the changes after a checkpoint position. Appliers note their changes from now
    /// on, until [`Moving::finish`].
    pub(in crate::live) fn begin_move(&self, checkpoint: LogPosition) -> Moving {
        self.state.write().noted = Some(Noted::default());
        let state = self.state.read();
        let delta = &state.newest().delta;
        let mut left: VecDeque<Piece> = pieces_of_pages().map(Piece::Vertices).collect();
        for key in delta.lists.keys() {
            left.extend(pieces_of_pages().map(|pages| Piece::Lists(*key, pages)));
        }
        let runs: Vec<u32> = delta.runs.keys().copied().collect();
        left.extend(runs.chunks(PAGE_LOCALS).map(|runs| Piece::Runs(runs.to_vec())));
        let slots: Vec<u32> = delta.edges.numbers().collect();
        left.extend(slots.chunks(PIECE_ELEMENTS).map(|slots| Piece::Edges(slots.to_vec())));
        Moving { checkpoint, delta: Delta::default(), left }
    }

    /// Copies a piece; says whether there was one left.
    pub(in crate::live) fn move_piece(&self, moving: &mut Moving) -> bool {
        let Some(piece) = moving.left.pop_front() else { return false };
        let state = self.state.read();
        let root = state.newest();
        match piece {
            Piece::Lists(key, pages) => moving.lists(root, key, pages),
            Piece::Vertices(pages) => moving.vertices(root, pages),
            Piece::Runs(runs) => runs.iter().for_each(|run| moving.run(root, *run)),
            Piece::Edges(slots) => {
                slots.iter().for_each(|slot| moving.element(root, Versioned::Edge(*slot)));
            }
        }
        true
    }

    /// Copies again the elements changed meanwhile, until at most `NOTED_ELEMENTS_MAX` are left,
    /// for at most `NOTED_ROUNDS` rounds.
    pub(in crate::live) fn follow_move(&self, moving: &mut Moving) {
        for _ in 0..NOTED_ROUNDS {
            let mut noted = {
                let mut state = self.state.write();
                let noted = state.noted.as_mut().expect("a move notes until it is finished");
                std::mem::take(noted)
            };
            noted.keep_distinct();
            for elements in noted.elements.chunks(PIECE_ELEMENTS) {
                let state = self.state.read();
                elements.iter().for_each(|what| moving.element(state.newest(), *what));
            }
            let state = self.state.read();
            noted.runs.iter().for_each(|run| moving.run(state.newest(), *run));
            if noted.elements.len() + noted.runs.len() <= NOTED_ELEMENTS_MAX {
                return;
            }
        }
    }
}

impl Noted {
    /// A hub is noted for each of its new edges; copying it once is enough, and takes long.
    fn keep_distinct(&mut self) {
        self.elements.sort_unstable();
        self.elements.dedup();
    }
}

/// Pages of locals that are looked at under one lock, piece by piece.
pub(crate) fn pieces_of_pages() -> impl Iterator<Item = Range<usize>> {
    let pages = PIECE_ELEMENTS / PAGE_LOCALS;
    (0..PAGES).step_by(pages).map(move |first| first..first + pages)
}

impl Moving {
    /// The delta of the new root, with the last changes. The old root keeps everything but the
    /// queue of retired versions: its versions are freed with it.
    pub(in crate::live) fn finish(mut self, state: &mut State) -> Delta {
        let mut noted = state.noted.take().expect("a move notes until it is finished");
        noted.keep_distinct();
        noted.elements.iter().for_each(|what| self.element(state.newest(), *what));
        noted.runs.iter().for_each(|run| self.run(state.newest(), *run));
        let before = &mut state.newest_mut().delta;
        self.delta.retired = std::mem::take(&mut before.retired);
        self.delta.first = (!self.delta.is_empty()).then_some(LogPosition(self.checkpoint.0 + 1));
        self.delta.last = before.last;
        self.delta
    }

    fn lists(&mut self, root: &Root, key: (EdgeTypeId, Half), pages: Range<usize>) {
        let Some(lists) = root.delta.lists.get(&key) else { return };
        let keeps_layer = root.layer_after(self.checkpoint);
        for (local, list) in pages.flat_map(|page| lists.page(page)) {
            if let Some(list) = list.after(self.checkpoint, keeps_layer) {
                self.delta.put_list(key, local, list);
            }
        }
    }

    fn vertices(&mut self, root: &Root, pages: Range<usize>) {
        for (local, record) in pages.flat_map(|page| root.delta.vertices.page(page)) {
            if let Some(record) = record.after(self.checkpoint) {
                self.delta.put_vertex(local, record);
            }
        }
    }

    fn run(&mut self, root: &Root, run: u32) {
        if let Some(edges) =
            root.delta.runs.get(&run).and_then(|own| EdgeRun::after(own, self.checkpoint))
        {
            self.delta.runs.insert(run, edges);
        }
    }

    fn element(&mut self, root: &Root, what: Versioned) {
        let delta = &root.delta;
        match what {
            Versioned::List(edge_type, half, local) => {
                let key = (edge_type, half);
                let list = delta.lists.get(&key).and_then(|lists| lists.get(local));
                let keeps_layer = root.layer_after(self.checkpoint);
                if let Some(list) = list.and_then(|list| list.after(self.checkpoint, keeps_layer)) {
                    self.delta.put_list(key, local, list);
                }
            }
            Versioned::Vertex(local) => {
                let record = delta.vertices.get(local);
                if let Some(record) = record.and_then(|record| record.after(self.checkpoint)) {
                    self.delta.put_vertex(local, record);
                }
            }
            Versioned::Edge(slot) => {
                let record = delta.edges.get(slot);
                if let Some(record) = record.and_then(|record| record.after(self.checkpoint)) {
                    self.delta.put_edge(slot, record);
                }
            }
        }
    }
}
