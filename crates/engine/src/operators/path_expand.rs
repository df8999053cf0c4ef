//! `PathExpand`: each row, once for every way; all rows of a batch go on edge by edge together.
//!
//! Ways are kept as a tree: a step knows the step before it. What a reader would get wrong: the
//! levels of all rows are walked together, but a row's ways are given together, shorter ones first.

use std::ops::{ControlFlow, Range};

use millrace_model::{Batch, Column, EdgeId, Result, Value, VertexId};
use millrace_plan::Ways;
use rustc_hash::FxHashMap;

use super::expand::Wanted;
use super::keep::{Keep, add};
use super::neighbours::Walk;
use super::vertices::Vertices;
use super::whole::Giving;
use crate::limits;
use crate::pipeline::{Operator, Upstream};
use crate::run::{Charge, Run};

/// Which ways are given.
#[derive(Clone, Copy)]
pub(crate) struct PathBounds {
    pub(crate) ways: Ways,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

pub(crate) struct PathExpand {
    from: usize,
    into: Option<usize>,
    walk: Walk,
    bounds: PathBounds,
    wanted: Wanted,
    keep: Keep,
    giving: Option<Giving>,
    charge: Charge,
}

/// One step of a way; a way of no edges is a step without one.
struct Step {
    before: Option<u32>,
    edge: EdgeId,
    vertex: VertexId,
    /// The row of the batch that the way belongs to.
    row: u32,
}

/// The ways of a batch so far.
struct Search<'b> {
    steps: Vec<Step>,
    /// Where a row's ways must end, if that is bound; `None` of a row: nowhere.
    ends: Option<Vec<Option<VertexId>>>,
    bounds: PathBounds,
    /// The length of the shortest way to a vertex, by row.
    shortest: FxHashMap<(u32, VertexId), u64>,
    /// The steps with which ways end that are given.
    found: Vec<u32>,
    charge: &'b mut Charge,
    charged: usize,
}

impl PathExpand {
    pub(crate) fn new(
        (from, into): (usize, Option<usize>),
        walk: Walk,
        bounds: PathBounds,
        wanted: Wanted,
        keep: Keep,
    ) -> PathExpand {
        let (giving, charge) = (None, Charge::default());
        PathExpand { from, into, walk, bounds, wanted, keep, giving, charge }
    }

    fn ways(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        self.charge.release(run);
        let starts = Vertices::of(batch, self.from, "a path")?;
        let ends = self.into.map(|slot| ends(batch, slot)).transpose()?;
        let mut search = Search {
            steps: Vec::new(),
            ends,
            bounds: self.bounds,
            shortest: FxHashMap::default(),
            found: Vec::new(),
            charge: &mut self.charge,
            charged: 0,
        };
        search.start(&starts);
        if let Some(walk) = self.walk.resolve(run.context) {
            let (mut level, mut length) = (0..search.steps.len(), 0);
            while !level.is_empty() && search.bounds.max.is_none_or(|max| length < max) {
                run.context.check()?;
                length += 1;
                let frontier: Vec<u32> = search.going_on(level.clone(), length);
                let vertices: Vec<VertexId> =
                    frontier.iter().map(|&step| search.steps[step as usize].vertex).collect();
                let before = search.steps.len();
                let (graph, guard) = (run.context.graph(), run.context.guard());
                walk.expand(graph, guard, &vertices, |place, edges| {
                    let again = walk.sees_loops_again(&edges);
                    for at in 0..edges.len() {
                        let other = edges.neighbours.get(at);
                        if !(again && other == vertices[place]) {
                            search.step(frontier[place], edges.edge(at), other, length);
                        }
                    }
                    search.charge(run)?;
                    Ok(ControlFlow::Continue(()))
                })?;
                level = before..search.steps.len();
            }
        }
        Ok(give(search, batch, self.wanted, &self.keep))
    }
}

fn ends(batch: &Batch, slot: usize) -> Result<Vec<Option<VertexId>>> {
    let vertices = Vertices::of(batch, slot, "a path's end")?;
    let mut ends = vec![None; batch.len];
    for (place, &vertex) in vertices.ids.iter().enumerate() {
        ends[vertices.row(place) as usize] = Some(vertex);
    }
    Ok(ends)
}

impl Search<'_> {
    fn start(&mut self, starts: &Vertices<'_>) {
        for (place, &vertex) in starts.ids.iter().enumerate() {
            let row = starts.row(place);
            if self.ends.as_ref().is_some_and(|ends| ends[row as usize].is_none()) {
                continue;
            }
            self.steps.push(Step { before: None, edge: EdgeId::default(), vertex, row });
            if self.bounds.min == 0 {
                self.shortest.extend(self.is_shortest().then_some(((row, vertex), 0)));
                self.take_last();
            }
        }
    }

    fn is_shortest(&self) -> bool {
        self.bounds.ways.is_shortest()
    }

    /// The steps of a level from which ways go on: not those of a row whose end was reached by a
    /// shortest way.
    fn going_on(&self, level: Range<usize>, length: u64) -> Vec<u32> {
        let reached = |row: u32| match &self.ends {
            Some(ends) if self.is_shortest() => ends[row as usize]
                .and_then(|end| self.shortest.get(&(row, end)))
                .is_some_and(|&shortest| shortest < length),
            Some(_) | None => false,
        };
        let steps = level.filter(|&step| !reached(self.steps[step].row));
        steps.map(|step| step as u32).collect()
    }

    /// Goes on by an edge, if a way may.
    fn step(&mut self, before: u32, edge: EdgeId, vertex: VertexId, length: u64) {
        let row = self.steps[before as usize].row;
        let goes = match self.bounds.ways {
            Ways::Walk => true,
            Ways::Trail => {
                !self.back(before).any(|step| step.before.is_some() && step.edge == edge)
            }
            Ways::Acyclic => !self.back(before).any(|step| step.vertex == vertex),
            Ways::AnyShortest => self.shortest.insert_new((row, vertex), length),
            Ways::AllShortest => *self.shortest.entry((row, vertex)).or_insert(length) == length,
        };
        if goes {
            self.steps.push(Step { before: Some(before), edge, vertex, row });
            if self.bounds.min <= length {
                self.take_last();
            }
        }
    }

    /// Gives the last step's way, if it ends where it should.
    fn take_last(&mut self) {
        let Some(last) = self.steps.last() else { return };
        let end = self.ends.as_ref().map(|ends| ends[last.row as usize]);
        if end.is_none_or(|end| end == Some(last.vertex)) {
            self.found.push(self.steps.len() as u32 - 1);
        }
    }

    /// The steps of a way, last to first.
    fn back(&self, last: u32) -> impl Iterator<Item = &Step> {
        let step = |number: u32| &self.steps[number as usize];
        std::iter::successors(Some(step(last)), move |known| known.before.map(step))
    }

    fn edges(&self, last: u32) -> Value {
        let steps = self.back(last).filter(|step| step.before.is_some());
        let mut edges: Vec<Value> = steps.map(|step| Value::Edge(step.edge)).collect();
        edges.reverse();
        Value::list(edges)
    }

    /// Counts the steps made since it was asked last.
    fn charge(&mut self, run: &Run<'_>) -> Result<()> {
        if self.charged + limits::BATCH_ROWS_MAX < self.steps.len() {
            let bytes = 2 * size_of::<Step>() * (self.steps.len() - self.charged);
            self.charge.grow(bytes as u64, run)?;
            self.charged = self.steps.len();
        }
        Ok(())
    }
}

/// A map that says whether a key was new.
trait InsertNew<K, V> {
    fn insert_new(&mut self, key: K, value: V) -> bool;
}

impl<K: Eq + std::hash::Hash, V> InsertNew<K, V> for FxHashMap<K, V> {
    fn insert_new(&mut self, key: K, value: V) -> bool {
        let before = self.len();
        self.entry(key).or_insert(value);
        before < self.len()
    }
}

/// The rows of all ways found, row by row, shorter ones first.
fn give(mut search: Search<'_>, batch: &Batch, wanted: Wanted, keep: &Keep) -> Batch {
    let mut found = std::mem::take(&mut search.found);
    let row = |step: &u32| search.steps[*step as usize].row;
    // Stable: steps are made level by level.
    found.sort_by_key(row);
    let rows: Vec<u32> = found.iter().map(row).collect();
    let mut result = keep.take(batch, &rows);
    if wanted.edge {
        add(&mut result, Column::from_values(found.iter().map(|&last| search.edges(last))));
    }
    if wanted.to {
        let ends = found.iter().map(|&last| search.steps[last as usize].vertex);
        add(&mut result, Column::vertices(ends.collect()));
    }
    result
}

impl Operator for PathExpand {
    fn begin(&mut self, run: &Run<'_>) {
        self.giving = None;
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) = self.giving.as_mut().and_then(Giving::next) {
                return Ok(Some(batch));
            }
            self.giving = None;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            self.giving = Some(Giving::new(self.ways(&batch, run)?));
        }
    }
}
