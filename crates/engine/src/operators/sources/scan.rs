//! `Scan`: each row, once for every vertex or edge listed.
//!
//! Where an index serves the filters behind it (`IndexPath`), rows are answered by that index, all of
//! a batch at once; a row that gets too much of it is tried by itself, and then scanned for. Either
//! way the rows come in the same order.

pub(super) mod conditions;
pub(super) mod index_path;
mod made_path;
mod made_test;
mod members;
pub(super) mod ranged_key;
mod with_edges;

use std::cell::RefCell;
use std::collections::VecDeque;

use millrace_model::{Batch, Column, EdgeId, EdgeTypeId, LabelId, Result, VertexId};
use millrace_plan::{ScanSource, op};
use millrace_store::{self as store, ScanCursor};

use super::seek::{Access, Found};
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::{EdgeTypes, Resolved};
use crate::pipeline::{BatchSize, Keep, Operator, Pieces, Upstream, add};
use crate::run::{Charge, Run};
use crate::{limits, threads};
use index_path::Answer;
use index_path::IndexPath;
use with_edges::WithEdges;

/// The elements that are listed.
pub(crate) enum Scanned {
    Vertices(Option<Resolved<LabelId>>),
    Edges(EdgeTypes),
}

pub(crate) struct Scan {
    scanned: Scanned,
    path: Option<IndexPath>,
    with_edges: Option<WithEdges>,
    keep: Keep,
    /// Whether the new column is read later.
    to: bool,
    batch: Batch,
    /// The work that is left for the rows of the batch, in their order.
    work: VecDeque<Work>,
    cursor: ScanCursor,
    size: BatchSize,
    charge: Charge,
    access: RefCell<Access>,
}

/// The work for some rows.
enum Work {
    /// An index answered them: the elements found, and how many of these were emitted.
    Give { found: Found, gone: usize },
    /// An index may answer this row alone.
    Ask(u32),
    /// This row is scanned for.
    Scan(u32),
}

impl Scan {
    fn new(
        scanned: Scanned,
        (path, with_edges): (Option<IndexPath>, Option<WithEdges>),
        keep: Keep,
        to: bool,
        size: BatchSize,
    ) -> Scan {
        let (batch, work, cursor) = (Batch::default(), VecDeque::new(), ScanCursor::default());
        let (charge, access) = (Charge::default(), RefCell::default());
        Scan { scanned, path, with_edges, keep, to, batch, work, cursor, size, charge, access }
    }

    /// Asks an index for all rows of a batch, if there is one.
    fn enter(&mut self, batch: Batch, run: &Run<'_>) -> Result<()> {
        let answer = match &mut self.path {
            // Where threads share a scan, no index serves it.
            _ if run.context.piece().is_some() => None,
            Some(path) => path.find(&batch, run)?,
            None => None,
        };
        match answer {
            Some(answer) => {
                self.charge.set(found_bytes(&answer.found), run)?;
                if answer.open.len() < batch.len {
                    self.access.get_mut().index(run, || answer.index.clone());
                }
                // The one row of a batch had its try.
                let open = if batch.len == 1 { Work::Scan } else { Work::Ask };
                self.work = in_order(answer, open);
            }
            None => self.work = (0..batch.len as u32).map(Work::Scan).collect(),
        }
        self.batch = batch;
        self.cursor = run.context.piece().unwrap_or_default();
        Ok(())
    }

    /// The work for a row that an index did not answer among others.
    fn ask(&mut self, row: u32, run: &Run<'_>) -> Result<Work> {
        let alone = self.batch.take(&[row]);
        let answer = match &mut self.path {
            Some(path) => path.find(&alone, run)?,
            None => None,
        };
        match answer.filter(|answer| answer.open.is_empty()) {
            None => Ok(Work::Scan(row)),
            Some(Answer { found: (mut rows, ids), index, .. }) => {
                self.access.get_mut().index(run, || index);
                rows.fill(row);
                Ok(Work::Give { found: (rows, ids), gone: 0 })
            }
        }
    }

    /// Rows with the elements found for them.
    fn emit(&self, rows: &[u32], ids: &[u64]) -> Batch {
        let mut batch = self.keep.take(&self.batch, rows);
        if self.to {
            let ids = ids.iter().copied();
            add(
                &mut batch,
                match self.scanned {
                    Scanned::Vertices(_) => Column::vertices(ids.map(VertexId).collect()),
                    Scanned::Edges(_) => Column::edges(ids.map(EdgeId).collect()),
                },
            );
        }
        batch
    }

    /// The next elements of the list, as a column; `None` at its end.
    fn list(&mut self, run: &Run<'_>) -> Result<Option<Column>> {
        if self.cursor.finished {
            return Ok(None);
        }
        self.access.get_mut().scan(run);
        let graph = run.context.graph();
        let rows_max = self.size.next(run.context.guard());
        let room = rows_max.min(limits::COLLECTED_ROWS_MAX);
        let column = match &mut self.scanned {
            Scanned::Vertices(label) => {
                let label = match label {
                    Some(label) => match label.label(run.context) {
                        Some(label) => Some(label),
                        None => return Ok(None),
                    },
                    None => None,
                };
                let mut vertices: Vec<VertexId> = Vec::with_capacity(room);
                let lists = match &mut self.with_edges {
                    Some(with_edges) => with_edges.lists(run)?,
                    None => None,
                };
                let cursor = &mut self.cursor;
                match lists {
                    Some((types, direction)) => graph.scan_vertices_with_edges(
                        types,
                        direction,
                        cursor,
                        rows_max,
                        &mut vertices,
                    )?,
                    None => graph.scan_vertices(label, cursor, rows_max, &mut vertices)?,
                }
                Column::vertices(vertices)
            }
            Scanned::Edges(types) => {
                let types: Option<&[EdgeTypeId]> = types.resolve(run.context);
                if types.is_some_and(<[EdgeTypeId]>::is_empty) {
                    return Ok(None);
                }
                let mut edges: Vec<EdgeId> = Vec::with_capacity(room);
                graph.scan_edge_ids(types, &mut self.cursor, rows_max, &mut edges)?;
                Column::edges(edges)
            }
        };
        // A store may look at a stretch without finding anything, and still not be at its end.
        let ended = column.is_empty() && self.cursor.finished;
        Ok((!ended).then_some(column))
    }
}

impl Operator for Scan {
    fn begin(&mut self, run: &Run<'_>) {
        self.work.clear();
        self.size.begin_again();
        self.charge.release(run);
        self.path.iter_mut().for_each(IndexPath::begin);
        self.with_edges.iter_mut().for_each(WithEdges::begin);
    }

    fn scan_pieces(
        &mut self,
        input: &mut Upstream<'_>,
        wanted: &Pieces,
        run: &Run<'_>,
    ) -> Result<Vec<ScanCursor>> {
        if self.work.is_empty() {
            let Some(batch) = input.next(run)? else { return Ok(Vec::new()) };
            self.enter(batch, run)?;
        }
        let is_whole = matches!(self.work.make_contiguous(), [Work::Scan(_)])
            && self.cursor == ScanCursor::default();
        let is_plain = self.batch.columns.is_empty() && self.batch.ordinals.is_none();
        if !is_whole || !is_plain || self.batch.weights.is_some() {
            return Ok(Vec::new());
        }
        let graph = run.context.graph();
        let (count, scanned) = match &mut self.scanned {
            Scanned::Vertices(None) => {
                (graph.count_vertices(None)?, store::Scanned::Vertices(None))
            }
            Scanned::Vertices(Some(label)) => match label.label(run.context) {
                Some(label) => {
                    (graph.count_vertices(Some(label))?, store::Scanned::Vertices(Some(label)))
                }
                None => return Ok(Vec::new()),
            },
            Scanned::Edges(types) => {
                let types = types.resolve(run.context);
                let count = match types {
                    Some(types) => {
                        let counts = types.iter().map(|own| graph.count_edges(Some(*own)));
                        counts.sum::<Result<u64>>()?
                    }
                    None => graph.count_edges(None)?,
                };
                (count, store::Scanned::Edges(types))
            }
        };
        if count < wanted.scan_min {
            return Ok(Vec::new());
        }
        let pieces = (threads::count() * limits::PIECES_A_THREAD) as u64;
        let elements = (count / pieces).clamp(*wanted.elements.start(), *wanted.elements.end());
        graph.scan_pieces(scanned, elements)
    }

    fn used(&self, label: &str) -> Option<String> {
        self.access.borrow().of_scan(label)
    }

    fn forget_used(&self) {
        self.access.take();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(work) = self.work.front_mut() else {
                let Some(batch) = input.next(run)? else { return Ok(None) };
                self.enter(batch, run)?;
                continue;
            };
            match work {
                Work::Give { found: (rows, _), gone } if *gone == rows.len() => {
                    self.work.pop_front();
                }
                Work::Give { found: (rows, ids), gone } => {
                    let range = *gone..rows.len().min(*gone + self.size.next(run.context.guard()));
                    *gone = range.end;
                    let (rows, ids) = (rows[range.clone()].to_vec(), ids[range].to_vec());
                    return Ok(Some(self.emit(&rows, &ids)));
                }
                Work::Ask(row) => {
                    let row = *row;
                    self.work[0] = self.ask(row, run)?;
                }
                Work::Scan(row) => {
                    let row = *row as usize;
                    match self.list(run)? {
                        Some(column) if column.is_empty() => run.context.check_pull()?,
                        Some(column) => {
                            let mut listed = self.keep.repeat(&self.batch, row, column.len());
                            if self.to {
                                add(&mut listed, column);
                            }
                            return Ok(Some(listed));
                        }
                        None => {
                            self.cursor = ScanCursor::default();
                            self.work.pop_front();
                        }
                    }
                }
            }
        }
    }
}

/// The elements found and the rows that are open, in the order of the rows.
fn in_order(answer: Answer, open: impl Fn(u32) -> Work) -> VecDeque<Work> {
    let Answer { found: (mut rows, mut ids), open: open_rows, index: _ } = answer;
    let mut work = VecDeque::new();
    for row in open_rows.into_iter().rev() {
        let first = rows.partition_point(|found| *found < row);
        work.push_front(Work::Give {
            found: (rows.split_off(first), ids.split_off(first)),
            gone: 0,
        });
        work.push_front(open(row));
    }
    work.push_front(Work::Give { found: (rows, ids), gone: 0 });
    work
}

fn found_bytes((rows, ids): &Found) -> u64 {
    (size_of_val(rows.as_slice()) + size_of_val(ids.as_slice())) as u64
}

impl Compile for op::Scan {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [live]) = place.keep_and([Some(self.to)]);
        let scanned = match &self.source {
            ScanSource::Vertices(label) => Scanned::Vertices(label.as_ref().map(Resolved::new)),
            ScanSource::Edges(types) => Scanned::Edges(EdgeTypes::new(types.as_deref())),
        };
        let path = compiler.index_path(&self.source, self.to, place)?;
        let with_edges = WithEdges::of(self, place.behind, &compiler.elements);
        Ok((Box::new(Scan::new(scanned, (path, with_edges), keep, live, place.size)), after))
    }
}
