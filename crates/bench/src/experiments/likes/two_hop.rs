//! Distinct vertices two hops from random vertices of an R-MAT graph, counted.

use millrace_db::RequestLimits;
use millrace_db::plan::{
    ElementKind, Expr, Fold, Parameter, Plan, PlanBuilder, PreparedPlan, Runner, op,
};
use millrace_model::compare::CompareMode;
use millrace_model::{Direction, Error, ErrorKind, Result, Value, VertexId};

use crate::data::Scratch;
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape, without_checkpoints};
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::{Lists, two_hop_distinct};
use crate::measure;
use crate::report::{Row, Unit};
use millrace_model::random::SplitMix64;

/// Vertices of the full graph; ten times as many edges.
const VERTICES: f64 = 1e7;

/// Edges inserted at full size for the dirty row.
const INSERTS: f64 = 1e6;

/// Edges of one transaction.
const INSERT_BATCH: u64 = 1_000;

/// Vertices asked for in one run; many, since the number of vertices reached varies widely between them.
const ASKED: usize = 64;

/// Where the vertices asked for start, and the ends of inserts.
const SEEDS: [u64; 2] = [8_001, 8_002];

/// A graph that can be asked, with the prepared plan and the first vertex.
struct Asked<'a> {
    runner: &'a mut dyn Runner,
    plan: PreparedPlan,
    first: u64,
}

/// Beside arrays and a bitmap.
pub(in crate::experiments) fn two_hop(conditions: &Conditions) -> Result<Row> {
    let plan = graph_plan(conditions);
    let open = OpenGraph::open(&plan.cached(conditions)?, settings())?;
    let lists = Lists::from_pairs(plan.vertices as usize, plan.rmat().edges());
    let starts = starts(&plan);
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let limit = |threads: usize| -> Vec<u64> {
        starts.iter().map(|start| two_hop_distinct(&lists, *start, threads)).collect()
    };
    let threads = measure::quickest(&[1, all], |threads| drop(limit(threads))).unwrap_or(1);
    let medians = asking(&open, |asked| {
        require(&asked.counts(&starts)?, &limit(threads))?;
        measure::side_by_side(
            conditions.seconds,
            || asked.counts(&starts).map(|_| ()),
            || {
                std::hint::black_box(limit(threads));
                Ok(())
            },
        )
    })?;
    open.close();
    Ok(row(&medians, limit(1).iter().sum()))
}

/// After random inserts, beside the graph without them.
pub(in crate::experiments) fn two_hop_dirty(conditions: &Conditions) -> Result<Row> {
    let plan = graph_plan(conditions);
    let cached = plan.cached(conditions)?;
    let copy = Scratch::copy(&conditions.data, "twohop.random.dirty", &cached)?;
    let clean = OpenGraph::open(&cached, without_checkpoints())?;
    let dirty = OpenGraph::open(copy.path(), without_checkpoints())?;
    let mut random = SplitMix64::new(SEEDS[1]);
    let mut pairs = Vec::new();
    let mut sample = || {
        let pair = (random.below(plan.vertices) as u32, random.below(plan.vertices) as u32);
        pairs.push(pair);
        let vertex = |number: u32| VertexId(dirty.vertices.start + u64::from(number));
        (vertex(pair.0), vertex(pair.1))
    };
    dirty.insert(&mut sample, (INSERTS * conditions.scale) as u64, INSERT_BATCH, false)?;
    let edges = plan.rmat().edges().chain(pairs.iter().copied());
    let lists = Lists::from_pairs(plan.vertices as usize, edges);
    let starts = starts(&plan);
    let expected: Vec<u64> =
        starts.iter().map(|start| two_hop_distinct(&lists, *start, 1)).collect();
    drop(lists);
    let medians = asking(&dirty, |dirty| {
        require(&dirty.counts(&starts)?, &expected)?;
        asking(&clean, |clean| {
            measure::side_by_side(
                conditions.seconds,
                || dirty.counts(&starts).map(|_| ()),
                || clean.counts(&starts).map(|_| ()),
            )
        })
    })?;
    clean.close();
    dirty.close();
    Ok(row(&medians, expected.iter().sum()))
}

fn graph_plan(conditions: &Conditions) -> GraphPlan {
    let vertices = (VERTICES * conditions.scale) as u64;
    GraphPlan { vertices, shape: Shape::Rmat, weighted: false }
}

fn row(medians: &measure::Medians, reached: u64) -> Row {
    Row::new(medians.value * 1e3, Unit::Milliseconds)
        .beside(medians.reference * 1e3)
        .with("asked", ASKED as f64, Unit::Count)
        .with("reached", reached as f64, Unit::Count)
}

fn starts(plan: &GraphPlan) -> Vec<u32> {
    let mut random = SplitMix64::new(SEEDS[0]);
    (0..ASKED).map(|_| random.below(plan.vertices) as u32).collect()
}

fn question() -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let start = plan.parameter("start");
    let vertex = plan.ids(ElementKind::Vertex, Expr::Parameter(start), "vertex");
    let near = plan.expand(vertex, Direction::Out, Some(&["LIKES"]), "near");
    let far = plan.expand(near, Direction::Out, Some(&["LIKES"]), "far");
    plan.push(op::Dedup { columns: vec![far] });
    let count = plan.aggregate(&[], "count", Fold::Count);
    plan.finish(vec![count])
}

/// Prepares the question and calls `ask` in one transaction that reads.
fn asking<T>(open: &OpenGraph, ask: impl FnOnce(&mut Asked<'_>) -> Result<T>) -> Result<T> {
    let limits = RequestLimits::within(u64::from(u32::MAX), open.database.settings());
    open.graph.read(&limits, |runner| {
        let plan = runner.prepare(&question())?;
        ask(&mut Asked { runner, plan, first: open.vertices.start })
    })
}

impl Asked<'_> {
    /// How many vertices are two hops from each of these.
    fn counts(&mut self, starts: &[u32]) -> Result<Vec<u64>> {
        let counts = starts.iter().map(|start| {
            let vertex = VertexId(self.first + u64::from(*start));
            let ids = Value::List(vec![Value::Vertex(vertex)].into());
            let answer = self.runner.run(self.plan, &[Parameter::Value(ids)])?;
            let count = answer.columns[0].get(0).and_then(|value| value.as_int());
            let count = count.ok_or_else(|| Error::new(ErrorKind::Bug, "a count is an integer"))?;
            Ok(count as u64)
        });
        counts.collect()
    }
}

fn require(found: &[u64], expected: &[u64]) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let detail = format!("the plan counts {found:?}, arrays {expected:?}");
    Err(Error::new(ErrorKind::Bug, detail))
}
