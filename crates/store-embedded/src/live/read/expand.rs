//! Lists of one partition at one position, as runs: the hottest path of the product.
//!
//! A *lane* is one (type, direction) of the frontier's partition, its sections loaded and its
//! modified lists at hand. Over one clean lane a row costs an offset, a slice and the call of the
//! sink: offsets of the whole chunk are read first, so that their misses overlap, then the ends of
//! lists, many rows before the sink sees them, so that those overlap too.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use millrace_model::{Direction, EdgeId, EdgeTypeId, Result, VertexId};
use millrace_store::run::EDGE_SLOT_BITS;
use millrace_store::{Neighbours, Run, RunEdges, RunSink};

use crate::base::limits::ROWS_AHEAD;
use crate::live::list::chunks::ChunkView;
use crate::live::list::modified_list::{ListView, ModifiedList};
use crate::live::list::prefix::PrefixView;
use crate::live::list::tail::Pairs;
use crate::live::read::ahead::{Ahead, batch, fetch_pages};
use crate::live::versions::delta::ModifiedLists;
use crate::live::versions::root::section;
use crate::live::{View, local};
use crate::persistent::home;
use crate::persistent::image::{Half, List, ListSection, Pinned, SlotSlice};

/// The lists of one type in one direction.
pub(crate) struct Lane<'a> {
    view: View<'a>,
    edge_type: EdgeTypeId,
    half: Half,
    base: Option<Pinned<ListSection>>,
    layer: Option<Pinned<ListSection>>,
    pub(in crate::live) modified: Option<&'a ModifiedLists>,
}

/// The lanes of an expansion over the partitions with lists of the same vertices, in the order of
/// its runs: out before in, types as asked for. Types they have no list of are left out.
pub(crate) fn lanes<'a>(
    views: &[View<'a>],
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
) -> Result<Vec<Lane<'a>>> {
    let mut lanes = Vec::new();
    for half in halves(direction) {
        match types {
            Some(types) => lanes_of(views, *half, types, &mut lanes)?,
            None => lanes_of(views, *half, &types_of(views, *half), &mut lanes)?,
        }
    }
    Ok(lanes)
}

fn lanes_of<'a>(
    views: &[View<'a>],
    half: Half,
    types: &[EdgeTypeId],
    lanes: &mut Vec<Lane<'a>>,
) -> Result<()> {
    for edge_type in types {
        for view in views {
            let lane = view.lane(*edge_type, half)?;
            if lane.base.is_some() || lane.layer.is_some() || lane.modified.is_some() {
                lanes.push(lane);
            }
        }
    }
    Ok(())
}

fn types_of(views: &[View<'_>], half: Half) -> Vec<EdgeTypeId> {
    if let [view] = views {
        return view.root.types(half, view.at);
    }
    let all = views.iter().flat_map(|view| view.root.types(half, view.at));
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

impl<'a> View<'a> {
    /// The lane of a type and direction; perhaps one without lists.
    pub(crate) fn lane(self, edge_type: EdgeTypeId, half: Half) -> Result<Lane<'a>> {
        let base = section(&self.root.base, edge_type, half)?;
        let layer = match self.root.layer_at(self.at) {
            Some(image) => section(image, edge_type, half)?,
            None => None,
        };
        let modified = self.root.delta.lists.get(&(edge_type, half));
        Ok(Lane { view: self, edge_type, half, base, layer, modified })
    }
}

fn halves(direction: Direction) -> &'static [Half] {
    match direction {
        Direction::Out => &[Half::Out],
        Direction::In => &[Half::In],
        Direction::Both => &[Half::Out, Half::In],
    }
}

/// Gives the sink the runs of a chunk of rows; the first is row `first_row`. `lanes_of` has the
/// lanes of each row's partition. Offsets first, then both ends of lists, then the sink.
pub(crate) fn expand<'l, 'v: 'l, Lanes: IntoIterator<Item = &'l Lane<'v>, IntoIter: Clone>>(
    lanes_of: impl Fn(usize) -> Lanes,
    first_row: usize,
    vertices: &[VertexId],
    ranges: &mut Vec<Range<usize>>,
    sink: &mut dyn RunSink,
) -> ControlFlow<()> {
    let (mut now, mut next) = (Ahead::default(), Ahead::default());
    fetch_pages(&lanes_of, vertices, batch(vertices, 0));
    next.find(&lanes_of, vertices, 0);
    for from in (0..vertices.len()).step_by(ROWS_AHEAD) {
        std::mem::swap(&mut now, &mut next);
        let rows = batch(vertices, from);
        if rows.end < vertices.len() {
            next.find(&lanes_of, vertices, rows.end);
        }
        ranges.clear();
        for (index, vertex) in rows.clone().zip(&vertices[rows.clone()]) {
            ranges.extend(lanes_of(index).into_iter().map(|lane| lane.range(local(*vertex))));
        }
        if !is_dense(&vertices[rows.clone()]) {
            read_heads(rows.clone().flat_map(&lanes_of), ranges);
        }
        now.fetch_tails();
        let mut lists = ranges.iter().zip(now.lists());
        for (index, vertex) in rows.clone().zip(&vertices[rows]) {
            for (lane, (range, modified)) in lanes_of(index).into_iter().zip(&mut lists) {
                lane.runs(first_row + index, local(*vertex), (range.clone(), *modified), sink)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether rows are nearly all there is between them, so that the processor sees by itself which
/// lists come next.
fn is_dense(rows: &[VertexId]) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return true };
    last.0.wrapping_sub(first.0) < 2 * rows.len() as u64
}

/// Reads both ends of lists. The reads do not depend on each other, so that their misses overlap;
/// between the calls of a sink they would not.
fn read_heads<'l, 'v: 'l>(lanes: impl Iterator<Item = &'l Lane<'v>>, ranges: &[Range<usize>]) {
    let mut heads = 0;
    for (lane, range) in lanes.zip(ranges) {
        if let Some(base) = &lane.base {
            heads ^= base.neighbours().get(range.start).copied().unwrap_or(0);
            heads ^= base.neighbours().get(range.end.wrapping_sub(1)).copied().unwrap_or(0);
        }
    }
    // Without a use of the heads the reads would be dropped.
    std::hint::black_box(heads);
}

/// Adds the degrees of a chunk of rows.
pub(crate) fn add_degrees<'l, 'v: 'l>(
    lanes_of: impl Fn(usize) -> &'l [Lane<'v>],
    vertices: &[VertexId],
    degrees: &mut [u64],
) {
    for (index, (vertex, degree)) in vertices.iter().zip(degrees).enumerate() {
        let own = lanes_of(index).iter().map(|lane| lane.degree(local(*vertex)) as u64);
        *degree += own.sum::<u64>();
    }
}

impl Lane<'_> {
    /// Where the base has the list of a vertex.
    #[inline]
    fn range(&self, local: u16) -> Range<usize> {
        self.base.as_deref().map_or(0..0, |base| base.range(local))
    }

    /// The lists, if all stand in one section as they are.
    pub(crate) fn unmodified(&self) -> Option<&ListSection> {
        match (&self.base, &self.layer, self.modified) {
            (Some(lists), None, None) | (None, Some(lists), None) => Some(lists),
            _ => None,
        }
    }

    /// The runs of one vertex alone.
    pub(crate) fn runs_of(&self, local: u16, sink: &mut dyn RunSink) -> ControlFlow<()> {
        self.runs(0, local, (self.range(local), self.modified_list(local)), sink)
    }

    /// The runs of one vertex: the base's list is at a range, and perhaps the list was modified.
    #[inline(always)]
    fn runs(
        &self,
        row: usize,
        local: u16,
        (range, modified): (Range<usize>, Option<&ModifiedList>),
        sink: &mut dyn RunSink,
    ) -> ControlFlow<()> {
        let stored = self.base.as_deref().map_or(List::EMPTY, |base| base.list_at(range));
        if let Some(list) = modified {
            return self.modified_runs(row, (local, list), stored, sink);
        }
        self.stored(row, stored, sink)?;
        match &self.layer {
            Some(above) => self.stored(row, above.list(local), sink),
            None => ControlFlow::Continue(()),
        }
    }

    /// The runs of a vertex with a modified list; `stored` is its list in the base.
    #[inline(always)]
    fn modified_runs(
        &self,
        row: usize,
        (local, list): (u16, &ModifiedList),
        stored: List<'_>,
        sink: &mut dyn RunSink,
    ) -> ControlFlow<()> {
        match (list.added(self.view.at), &self.layer) {
            (Some(added), None) => {
                self.stored(row, stored, sink)?;
                self.own(row, added, added.len() < 2, sink)
            }
            _ => self.layered_runs(row, (local, list), stored, sink),
        }
    }

    /// The same where there is more than the base and a tail above it.
    #[inline(never)]
    fn layered_runs(
        &self,
        row: usize,
        (local, list): (u16, &ModifiedList),
        stored: List<'_>,
        sink: &mut dyn RunSink,
    ) -> ControlFlow<()> {
        let ListView { prefix, layer, tail } = list.view(self.view.at);
        match prefix {
            PrefixView::Root => self.stored(row, stored, sink)?,
            PrefixView::Flat(pairs) => self.own(row, pairs, true, sink)?,
            PrefixView::Chunked(chunks) => {
                chunks.iter().try_for_each(|chunk| match chunk {
                    ChunkView::Own(pairs) => self.own(row, pairs, true, sink),
                    ChunkView::Stored(list) => self.stored(row, list, sink),
                })?;
            }
        }
        if let Some(above) = self.layer.as_ref().filter(|_| layer) {
            self.stored(row, above.list(local), sink)?;
        }
        self.own(row, tail, tail.len() < 2, sink)
    }

    /// How many edges one vertex has.
    #[inline]
    pub(crate) fn degree(&self, local: u16) -> usize {
        let degree = |section: &Option<Pinned<ListSection>>| {
            section.as_ref().map_or(0, |section| section.degree(local) as usize)
        };
        let Some(list) = self.modified_list(local) else {
            return degree(&self.base) + degree(&self.layer);
        };
        let ListView { prefix, layer, tail } = list.view(self.view.at);
        let prefix = match prefix {
            PrefixView::Root => degree(&self.base),
            PrefixView::Flat(pairs) => pairs.len(),
            PrefixView::Chunked(chunks) => chunks.len(),
        };
        prefix + if layer { degree(&self.layer) } else { 0 } + tail.len()
    }

    /// The first local at or above `from` that may have a list.
    pub(crate) fn next_local(&self, from: u16) -> Option<u16> {
        let sections = [&self.base, &self.layer].into_iter().flatten();
        let stored = sections.filter_map(|section| section.next_local(from)).min();
        let modified = self.modified.and_then(|modified| modified.next_local(from));
        stored.into_iter().chain(modified).min()
    }

    #[inline]
    pub(crate) fn modified_list(&self, local: u16) -> Option<&ModifiedList> {
        self.modified.and_then(|modified| modified.get(local))
    }

    #[inline]
    fn stored(&self, row: usize, list: List<'_>, sink: &mut dyn RunSink) -> ControlFlow<()> {
        if list.is_empty() {
            return ControlFlow::Continue(());
        }
        sink.run(row, self.stored_run(list))
    }

    #[inline]
    fn stored_run<'r>(&self, list: List<'r>) -> Run<'r> {
        let edges = match list.slots {
            SlotSlice::Explicit(slots) => self.run_edges(slots),
            SlotSlice::Implied { first } => {
                debug_assert!(self.half == Half::Out, "in lists have slots of their own");
                RunEdges::Consecutive { first: EdgeId(self.edge_base() | u64::from(first)) }
            }
        };
        self.run(list.neighbours, edges, true)
    }

    #[inline]
    fn own(
        &self,
        row: usize,
        pairs: Pairs<'_>,
        sorted: bool,
        sink: &mut dyn RunSink,
    ) -> ControlFlow<()> {
        if pairs.len() == 0 {
            return ControlFlow::Continue(());
        }
        sink.run(row, self.run(pairs.neighbours, self.run_edges(pairs.slots), sorted))
    }

    #[inline]
    fn run<'r>(&self, neighbours: &'r [u32], edges: RunEdges<'r>, sorted: bool) -> Run<'r> {
        let direction = match self.half {
            Half::Out => Direction::Out,
            Half::In => Direction::In,
        };
        let neighbours = Neighbours::Narrow(neighbours);
        Run { edge_type: self.edge_type, direction, sorted, neighbours, edges }
    }

    #[inline]
    fn run_edges<'r>(&self, slots: &'r [u32]) -> RunEdges<'r> {
        match self.half {
            Half::Out => RunEdges::OutSlots { base: self.edge_base(), slots },
            Half::In => {
                let above = self.view.ordinal - home(self.view.ordinal);
                RunEdges::InSlots { base: u64::from(above) << EDGE_SLOT_BITS, slots }
            }
        }
    }

    fn edge_base(&self) -> u64 {
        u64::from(self.view.ordinal) << EDGE_SLOT_BITS
    }
}
