//! `RecursiveExpand`: rounds in which a scope goes each edge once; the vertices reached, as nested bags.
//!
//! ```text
//!   lists of a round ──their vertices, each once──> step 0, step 1, …   each run once for all scopes
//!        │                                             │
//!        └── for each list and step: edges not gone yet ──> a list of the next round
//! ```
//!
//! Bags are made from the last round back: a row's bag is a view into the rows of the round after.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{
    Bags, Batch, Column, ColumnValues, EdgeId, Error, ErrorKind, Result, Value, VertexId,
};
use millrace_plan::{columns::ColumnSet, op};
use rustc_hash::FxHashSet;

use crate::compile::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose, live_in};
use crate::limits;
use crate::operators::subplans::apply::Regrouped;
use crate::operators::vertices::{Vertices, edges};
use crate::pipeline::{Completing, Keep, Pipeline, Scopes, Upstream, Whole, add};
use crate::rows::{batch_bytes, row};
use crate::run::{Charge, Run};

pub(crate) struct RecursiveExpand {
    from: usize,
    steps: Vec<Step>,
    depth: Option<u64>,
    loops: bool,
    keep: Keep,
    /// Whether the bag is read later.
    to: bool,
}

/// A way to go on from a vertex.
pub(crate) struct Step {
    pub(crate) pipeline: Pipeline,
    /// Whether it reads the vertex it goes from.
    pub(crate) reads: bool,
    /// Columns of a row at its end, which of them it reached, and by which edge.
    pub(crate) width: usize,
    pub(crate) next: usize,
    pub(crate) edge: Option<usize>,
}

/// A vertex that a step reached, and the edge, if the step names it.
type Reached = (VertexId, Option<EdgeId>);

/// Vertices of a scope that one step reached from one list, each with where its rows stand among
/// those of its round.
struct List {
    scope: u32,
    vertices: BTreeMap<VertexId, Range<u32>>,
}

/// The rows of a round: the step, the vertex it reached, by which edge, and the list that holds it.
#[derive(Default)]
struct Round {
    steps: Vec<i64>,
    vertices: Vec<VertexId>,
    edges: Vec<Option<EdgeId>>,
    lists: Vec<u32>,
}

/// The edges that each scope went.
type Gone = FxHashSet<(u32, u32, VertexId, VertexId)>;

impl RecursiveExpand {
    /// All rounds, and the lists that each began with.
    fn rounds(
        &mut self,
        start: Vec<List>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Vec<(Round, Vec<List>)>> {
        let mut rounds = Vec::new();
        let (mut lists, mut gone) = (start, Gone::default());
        while self.depth.is_none_or(|depth| (rounds.len() as u64) < depth) {
            run.context.guard().check()?;
            if rounds.len() == limits::RECURSE_ROUNDS_MAX {
                let most = limits::RECURSE_ROUNDS_MAX;
                let detail = format!("a recursion goes on for more than {most} rounds");
                return Err(Error::new(ErrorKind::LimitReached, detail)
                    .with_help("say a depth at which it ends"));
            }
            let (round, next) = self.round(&mut lists, &mut gone, charge, run)?;
            let ends = round.vertices.is_empty();
            rounds.push((round, lists));
            if ends {
                break;
            }
            lists = next;
        }
        Ok(rounds)
    }

    fn round(
        &mut self,
        lists: &mut [List],
        gone: &mut Gone,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<(Round, Vec<List>)> {
        let mut places: BTreeMap<VertexId, u32> =
            lists.iter().flat_map(|list| list.vertices.keys()).map(|&vertex| (vertex, 0)).collect();
        places.values_mut().zip(0..).for_each(|(place, number)| *place = number);
        let frontier: Vec<VertexId> = places.keys().copied().collect();
        let reached = self.reached(&frontier, charge, run)?;
        let (mut round, mut next) = (Round::default(), Vec::new());
        for list in lists {
            let first = next.len() as u32;
            let mut kept = vec![Vec::new(); list.vertices.len()];
            for (step, reached) in (0u32..).zip(&reached) {
                let mut vertices = BTreeMap::new();
                for (from, kept) in list.vertices.keys().zip(&mut kept) {
                    for &(to, edge) in &reached[places[from] as usize] {
                        if self.loops || gone.insert((list.scope, step, *from, to)) {
                            kept.push((step, to, edge));
                            vertices.insert(to, 0..0);
                        }
                    }
                }
                next.push(List { scope: list.scope, vertices });
            }
            for (rows, kept) in list.vertices.values_mut().zip(kept) {
                let start = row(round.vertices.len());
                for (step, to, edge) in kept {
                    round.steps.push(i64::from(step));
                    round.vertices.push(to);
                    round.edges.push(edge);
                    round.lists.push(first + step);
                }
                *rows = start..row(round.vertices.len());
            }
        }
        charge.grow((round.vertices.len() * EDGE_BYTES) as u64, run)?;
        Ok((round, next))
    }

    /// For each step what it reached from each vertex.
    fn reached(
        &mut self,
        frontier: &[VertexId],
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Vec<Vec<Vec<Reached>>>> {
        let mut reached = Vec::new();
        for step in &mut self.steps {
            let scopes = frontier.len();
            let at = Column::vertices(frontier.to_vec());
            let columns = if step.reads { vec![Arc::new(at)] } else { Vec::new() };
            let ordinals = (1 < scopes).then(|| Arc::new((0..scopes as u32).collect()));
            let source = Batch { len: scopes, columns, weights: None, ordinals };
            step.pipeline.begin([source], Scopes::First(scopes as u32), run);
            let rows = Regrouped::new(step.pipeline.read_all(step.width, charge, run)?, scopes);
            let vertices = Vertices::of(&rows.rows, step.next, "a recursion")?;
            let mut of_row: Vec<Option<Reached>> = vec![None; rows.rows.len];
            for (place, &vertex) in vertices.ids.iter().enumerate() {
                of_row[vertices.row(place) as usize] = Some((vertex, None));
            }
            if let Some(edge) = step.edge {
                add_edges(&mut of_row, &rows.rows.columns[edge])?;
            }
            // A row of weight w is w equal edges: going them again changes nothing but with loops.
            let repeated = |row: u32| {
                let times = if self.loops { rows.rows.weight(row as usize) } else { 1 };
                of_row[row as usize].into_iter().flat_map(move |to| (0..times).map(move |_| to))
            };
            if self.loops {
                let weights = (0..rows.rows.len).map(|row| rows.rows.weight(row));
                run.room_for_weights(weights)?;
            }
            let all =
                (0..scopes as u32).map(|scope| rows.scope(scope).flat_map(repeated).collect());
            reached.push(all.collect());
        }
        Ok(reached)
    }
}

/// Adds the edges of a column to what the rows reached.
fn add_edges(of_row: &mut [Option<Reached>], column: &Column) -> Result<()> {
    let (ids, rows) = edges(column, "a recursion's edge")?;
    for (place, &edge) in ids.iter().enumerate() {
        let row = rows.as_ref().map_or(place, |rows| rows[place] as usize);
        if let Some((_, by)) = &mut of_row[row] {
            *by = Some(edge);
        }
    }
    Ok(())
}

/// A row of a round with its bag, and the edge among those gone.
const EDGE_BYTES: usize = 80;

/// The edges of a round's rows, null where a step names none.
fn edge_column(edges: &[Option<EdgeId>]) -> Column {
    let all: Option<Vec<EdgeId>> = edges.iter().copied().collect();
    match all {
        Some(all) => Column::edges(all),
        None => Column::from_values(edges.iter().map(|edge| edge.map_or(Value::Null, Value::Edge))),
    }
}

/// The rows of the first round, with the bags of all later ones inside.
fn nested(rounds: &[(Round, Vec<List>)]) -> Batch {
    let bag =
        |views, rows: Batch| Column::of(ColumnValues::Bag(Bags { views, rows: Arc::new(rows) }));
    let mut inner = Batch::default();
    let mut lists: &[List] = &[];
    for (round, own) in rounds.iter().rev() {
        let view = |(vertex, list): (&VertexId, &u32)| {
            let rows = lists.get(*list as usize).map(|list| list.vertices[vertex].clone());
            view_of(rows.unwrap_or_default())
        };
        let views = round.vertices.iter().zip(&round.lists).map(view).collect();
        inner = Batch::of(vec![
            Column::of(ColumnValues::I64(round.steps.clone())),
            Column::vertices(round.vertices.clone()),
            edge_column(&round.edges),
            bag(views, inner),
        ]);
        lists = own;
    }
    inner
}

fn view_of(rows: Range<u32>) -> (u32, u32) {
    (rows.start, rows.end - rows.start)
}

impl Whole for RecursiveExpand {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let Some(batch) = input.read_scopes(charge, run)? else { return Ok(Batch::default()) };
        let start = Vertices::of(&batch, self.from, "a recursion")?;
        let mut lists: Vec<List> = Vec::new();
        let mut of_row: Vec<Option<(usize, VertexId)>> = vec![None; batch.len];
        for (place, &vertex) in start.ids.iter().enumerate() {
            let row = start.row(place) as usize;
            let scope = batch.ordinal(row);
            if lists.last().is_none_or(|list| list.scope != scope) {
                lists.push(List { scope, vertices: BTreeMap::new() });
            }
            let list = lists.len() - 1;
            lists[list].vertices.insert(vertex, 0..0);
            of_row[row] = Some((list, vertex));
        }
        let rounds = self.rounds(lists, charge, run)?;
        let rows = nested(&rounds);
        let view = |entry: &Option<(usize, VertexId)>| {
            let rows = entry.zip(rounds.first());
            let rows = rows.map(|((list, vertex), first)| first.1[list].vertices[&vertex].clone());
            view_of(rows.unwrap_or_default())
        };
        let views = of_row.iter().map(view).collect();
        let bags = Column::of(ColumnValues::Bag(Bags { views, rows: Arc::new(rows) }));
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, bags);
        }
        charge.grow(batch_bytes(&result), run)?;
        Ok(result)
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.steps.iter().map(|step| &step.pipeline).collect()
    }
}

impl Compile for op::RecursiveExpand {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let from = compiler.slot(place.layout, self.from)?;
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let mut steps = Vec::new();
        let ends = self.next.iter().zip(&self.edges);
        for ((step, (next, edge)), order) in self.steps.iter().zip(ends).zip(place.inside) {
            let live: ColumnSet = std::iter::once(*next).chain(*edge).collect();
            let goal = Goal::new(&live, order, Purpose::Collected);
            let start = if live_in(&step.ops, &live).is_empty() { vec![] } else { vec![self.at] };
            let Compiled { pipeline, layout } =
                compiler.pipeline(&step.ops, start.clone(), &goal)?;
            let next = compiler.slot(&layout, *next)?;
            let edge = edge.map(|edge| compiler.slot(&layout, edge)).transpose()?;
            let (reads, width) = (!start.is_empty(), layout.len());
            steps.push(Step { pipeline, reads, width, next, edge });
        }
        let (depth, loops) = (self.depth, self.loops);
        let expand = RecursiveExpand { from, steps, depth, loops, keep, to };
        Ok((Box::new(Completing::new(expand)), after))
    }
}
