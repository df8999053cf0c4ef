//! Times hops and statements against plain array code, on the likes graph in plain arrays.
//!
//! `cargo run --release -p millrace-engine --example timing`. The graph: 2,000 items, 100,000
//! persons, 100 random likes each. The store here is two arrays, so the figures are the engine's own
//! cost, not a database's.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use millrace_engine::{Context, ContextRunner};
use millrace_model::column::Field;
use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;
use millrace_model::{
    Batch, Bits, Catalog, Column, ColumnValues, Direction, EdgeId, EdgeTypeId, IndexId, KeyId,
    LabelId, LogPosition, Result, Value, VertexId,
};
use millrace_plan::{
    ApplyKind, ColumnId, Definition, ElementKind, Expr, Fold, Loops, Nulls, OwnerName, Parameter,
    Plan, PlanBuilder, PreparedPlan, Runner, SetName, SortKey, Template, op,
};
use millrace_store::memory::MemoryBackend;
use millrace_store::{
    Backend, EdgeRows, Elements, Ends, IdSpace, Isolation, KeyRanges, Labels, Neighbours, Run,
    RunEdges, RunSink, ScanCursor, SeekMatches, Snapshot, Transaction,
};

const ITEMS: u32 = 2_000;
const PERSONS: u32 = 100_000;
const LIKES: u32 = 100;

/// Lists in one direction.
struct Lists {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
    slots: Vec<u32>,
}

impl Lists {
    fn of(pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Lists {
        let bound = (1 + ITEMS + PERSONS) as usize;
        let mut offsets = vec![0u32; bound + 1];
        pairs.clone().for_each(|(from, _)| offsets[from as usize + 1] += 1);
        (0..bound).for_each(|id| offsets[id + 1] += offsets[id]);
        let mut next = offsets.clone();
        let mut neighbours = vec![0; offsets[bound] as usize];
        for (from, to) in pairs {
            neighbours[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        let slots = (0..neighbours.len() as u32).collect();
        Lists { offsets, neighbours, slots }
    }

    fn range(&self, id: u64) -> std::ops::Range<usize> {
        match self.offsets.get(id as usize + 1) {
            Some(end) => self.offsets[id as usize] as usize..*end as usize,
            None => 0..0,
        }
    }

    fn list(&self, id: u64) -> &[u32] {
        &self.neighbours[self.range(id)]
    }
}

struct LikesGraph {
    out: Lists,
    into: Lists,
    catalog: Arc<Catalog>,
}

impl LikesGraph {
    fn new() -> LikesGraph {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32
        };
        let pairs: Vec<(u32, u32)> = (0..PERSONS)
            .flat_map(|person| (0..LIKES).map(move |_| 1 + ITEMS + person))
            .map(|person| (person, 1 + random() % ITEMS))
            .collect();
        let mut catalog = Catalog::default();
        catalog.labels.intern("Item");
        catalog.edge_types.intern("LIKES");
        LikesGraph {
            out: Lists::of(pairs.iter().copied()),
            into: Lists::of(pairs.iter().map(|&(from, to)| (to, from))),
            catalog: Arc::new(catalog),
        }
    }

    fn half(&self, direction: Direction) -> &Lists {
        if direction == Direction::Out { &self.out } else { &self.into }
    }
}

impl Snapshot for LikesGraph {
    fn position(&self) -> LogPosition {
        LogPosition(1)
    }

    fn catalog(&self) -> Arc<Catalog> {
        self.catalog.clone()
    }

    fn id_space(&self) -> IdSpace {
        IdSpace { dense: true, bound: u64::from(1 + ITEMS + PERSONS) }
    }

    fn scan_vertices(
        &self,
        _label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        let start = cursor.next.max(1);
        let end = (start + rows_max as u64).min(self.id_space().bound);
        vertices.extend((start..end).map(VertexId));
        cursor.next = end;
        cursor.finished = end == self.id_space().bound;
        Ok(())
    }

    fn scan_edges(
        &self,
        _types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        _rows_max: usize,
        _edges: &mut EdgeRows,
    ) -> Result<()> {
        cursor.finished = true;
        Ok(())
    }

    fn count_vertices(&self, _label: Option<LabelId>) -> Result<u64> {
        Ok(u64::from(ITEMS + PERSONS))
    }

    fn count_edges(&self, _edge_type: Option<EdgeTypeId>) -> Result<u64> {
        Ok(self.out.neighbours.len() as u64)
    }

    fn seek(&self, _index: IndexId, _keys: &[&Column], _matches: &mut SeekMatches) -> Result<()> {
        Ok(())
    }

    fn seek_ranges(
        &self,
        _index: IndexId,
        _ranges: &KeyRanges<'_>,
        _matches: &mut SeekMatches,
    ) -> Result<()> {
        Ok(())
    }

    fn expand(
        &self,
        frontier: &[VertexId],
        _types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        for (row, vertex) in frontier.iter().enumerate() {
            for &direction in direction.halves() {
                let lists = self.half(direction);
                let range = lists.range(vertex.0);
                if range.is_empty() {
                    continue;
                }
                let run = Run {
                    edge_type: EdgeTypeId(0),
                    direction,
                    sorted: false,
                    neighbours: Neighbours::Narrow(&lists.neighbours[range.clone()]),
                    edges: RunEdges::OutSlots { base: 0, slots: &lists.slots[range] },
                };
                if let ControlFlow::Break(()) = sink.run(row, run) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn degrees(
        &self,
        frontier: &[VertexId],
        _types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        degrees.extend(frontier.iter().map(|vertex| {
            let halves = direction.halves().iter();
            halves.map(|half| self.half(*half).range(vertex.0).len() as u64).sum::<u64>()
        }));
        Ok(())
    }

    fn exist(&self, elements: Elements<'_>) -> Result<Bits> {
        Ok(std::iter::repeat_n(true, elements.len()).collect())
    }

    fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        Ok(vertices.iter().map(|_| Labels::from([LabelId(0)])).collect())
    }

    fn ends(&self, _edges: &[EdgeId]) -> Result<Ends> {
        Ok(Ends::default())
    }

    fn gather(&self, _elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Column>> {
        Ok(vec![Column::default(); keys.len()])
    }

    fn fields(&self, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        Ok(vec![Arc::from([]); elements.len()])
    }
}

fn expand(plan: &mut PlanBuilder, from: ColumnId, direction: Direction, to: &str) -> ColumnId {
    plan.expand(from, direction, Some(&["LIKES"]), to)
}

fn recommend(ties: bool, person: ParameterOf, plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let p = plan.ids(ElementKind::Vertex, Expr::Parameter(person), "p");
    let i = expand(plan, p, Direction::Out, "i");
    plan.side_effect_set("mine", Expr::Column(i));
    plan.push(op::Barrier { merge: Some(vec![i]) });
    let o = expand(plan, i, Direction::In, "o");
    plan.push(op::Barrier { merge: Some(vec![o]) });
    let j = expand(plan, o, Direction::Out, "j");
    let mine = SetName::SideEffect("mine".into());
    plan.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
    let count = plan.aggregate(&[j], "count", Fold::Count);
    let key = SortKey { by: Expr::Column(count), descending: true, nulls: Nulls::Last };
    let tie = SortKey { by: Expr::Column(j), descending: false, nulls: Nulls::Last };
    let keys = if ties { vec![key] } else { vec![key, tie] };
    plan.push(op::TopK { count: 25.into(), keys });
    vec![j, count]
}

type ParameterOf = millrace_plan::ParameterId;

fn plan_of(
    ordered: bool,
    build: impl FnOnce(ParameterOf, &mut PlanBuilder) -> Vec<ColumnId>,
) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let parameter = plan.parameter("input");
    let output = build(parameter, &mut plan);
    let mut plan = plan.finish(output);
    plan.ordered = ordered;
    plan
}

/// The same answer in plain array code: the limit.
fn recommend_plainly(graph: &LikesGraph, person: u64) -> Vec<(u64, u32)> {
    let mut mine = vec![false; (1 + ITEMS) as usize];
    let mut persons = vec![0u32; (1 + ITEMS + PERSONS) as usize];
    let mut own = vec![0u32; (1 + ITEMS) as usize];
    for &item in graph.out.list(person) {
        mine[item as usize] = true;
        own[item as usize] += 1;
    }
    for (item, &weight) in own.iter().enumerate().filter(|(_, weight)| 0 < **weight) {
        for &other in graph.into.list(item as u64) {
            persons[other as usize] += weight;
        }
    }
    let mut items = vec![0u64; (1 + ITEMS) as usize];
    for (other, &weight) in persons.iter().enumerate().filter(|(_, weight)| 0 < **weight) {
        for &item in graph.out.list(other as u64) {
            items[item as usize] += u64::from(weight);
        }
    }
    let mut top: Vec<(u64, u32)> =
        (1..=ITEMS).filter(|&item| !mine[item as usize]).map(|i| (items[i as usize], i)).collect();
    top.sort_by_key(|&(count, item)| (std::cmp::Reverse(count), item));
    top.truncate(25);
    top
}

/// The median of many runs, in nanoseconds.
fn time(runs: usize, mut run: impl FnMut()) -> f64 {
    run();
    let mut nanos: Vec<f64> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed().as_nanos() as f64
        })
        .collect();
    nanos.sort_by(f64::total_cmp);
    nanos[runs / 2]
}

fn report(name: &str, nanos: f64) {
    println!("{name:<44} {:>12.3} µs", nanos / 1_000.0);
}

fn run(runner: &mut ContextRunner, plan: PreparedPlan, parameters: &[Parameter]) -> Batch {
    runner.run(plan, parameters).unwrap_or_else(|error| panic!("{error}"))
}

/// Creates edges between vertices found by key, one statement each, in one transaction.
fn time_statements() {
    let store = MemoryBackend::new().create_graph("timing").expect("a new graph");
    let begin = || Transaction::begin(store.clone(), Isolation::Snapshot).expect("begins");
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let keys = vec!["name".into()];
    let owner = OwnerName::Label("Person".into());
    let definition = Definition::CreateIndex { owner, keys, kind: IndexKind::Unique };
    plan.push(op::Define { definition });
    let define = plan.finish(vec![]);
    let context = Context::writing(begin());
    millrace_engine::execute(&define, &context, &[]).expect("defines");
    let transaction = context.into_transaction().expect("it writes");
    let names = Column::from_values((0..1_000).map(|n| Value::from(&*format!("p{n}"))));
    let names: &[(KeyId, &Column)] = &[(KeyId(0), &names)];
    transaction.create_vertices(&Labels::from([LabelId(0)]), 1_000, names).expect("creates");
    transaction.commit().expect("alone").wait().expect("in memory");
    let create = plan_of(true, |rows, plan| {
        let [from, to] = plan.rows(rows, ["from", "to"]);
        let a = plan.seek("Person", "name", Expr::Column(from), "a");
        let b = plan.seek("Person", "name", Expr::Column(to), "b");
        let (edge_type, properties) = ("LIKES".into(), Default::default());
        let e = plan.column("e");
        let template = Template::Edge { edge_type, source: a, target: b, properties };
        plan.push(op::Create { template, id: None, to: e });
        vec![e]
    });
    let mut runner = ContextRunner::new(Context::writing(begin()));
    let handle = runner.prepare(&create).expect("a good plan");
    let text = |text: &str| Column::from_values([Value::from(text)]);
    let pair = [Parameter::Rows(Batch::of(vec![text("p1"), text("p998")]))];
    let statement = time(10_001, || drop(black_box(run(&mut runner, handle, &pair))));
    report("Rows, Seek, Seek, Create edge (memory)", statement);
    let graph = runner.context().graph();
    let keys = text("p1");
    let index = runner.context().catalog().indexes[0].id;
    let seek = time(10_001, || {
        let mut matches = SeekMatches::default();
        graph.seek(index, &[&keys], &mut matches).expect("seeks");
        black_box(matches);
    });
    report("  of it, one seek of the store", seek);
}

fn main() {
    time_statements();
    let graph = Arc::new(LikesGraph::new());
    let mut runner = ContextRunner::new(Context::reading(graph.clone()));
    let mut prepare = |plan: Plan| {
        let handle = runner.prepare(&plan).unwrap_or_else(|error| panic!("{error}"));
        (plan, handle)
    };
    let (free_plan, free) = prepare(plan_of(true, |p, plan| recommend(false, p, plan)));
    let (_, ordered) = prepare(plan_of(true, |p, plan| recommend(true, p, plan)));
    let (_, count) = prepare(plan_of(true, |person, plan| {
        let p = plan.ids(ElementKind::Vertex, Expr::Parameter(person), "p");
        let i = expand(plan, p, Direction::Out, "i");
        let o = expand(plan, i, Direction::In, "o");
        plan.push(op::Barrier { merge: Some(vec![o]) });
        expand(plan, o, Direction::Out, "j");
        vec![plan.aggregate(&[], "count", Fold::Count)]
    }));
    let (_, links) = prepare(plan_of(true, |rows, plan| {
        let [l] = plan.rows(rows, ["l"]);
        let (e, x, bag) = (plan.column("e"), plan.column("x"), plan.column("bag"));
        let sub = plan.pipeline(|plan| {
            plan.push(op::Expand {
                from: l,
                types: Some(vec!["LIKES".into()]),
                direction: Direction::Out,
                edge: Some(e),
                to: Some(x),
                loops: Loops::Twice,
            });
        });
        plan.push(op::Apply { sub, kind: ApplyKind::Bag { columns: vec![x, e], to: bag } });
        vec![bag]
    }));
    let (_, single) = prepare(plan_of(true, |rows, plan| {
        let [id] = plan.rows(rows, ["id"]);
        let v = plan.ids(ElementKind::Vertex, Expr::Column(id), "v");
        let (x, bag) = (plan.column("x"), plan.column("bag"));
        let sub = plan.pipeline(|plan| {
            plan.push(op::Expand {
                from: v,
                types: Some(vec!["LIKES".into()]),
                direction: Direction::Out,
                edge: None,
                to: Some(x),
                loops: Loops::Twice,
            });
        });
        plan.push(op::Apply { sub, kind: ApplyKind::Bag { columns: vec![x], to: bag } });
        vec![bag]
    }));
    let person = u64::from(1 + ITEMS + 5);
    let who = [Parameter::Value(Value::Vertex(VertexId(person)))];
    let plainly = time(21, || {
        black_box(recommend_plainly(&graph, person));
    });
    report("recommend, plain arrays", plainly);
    let first = run(&mut runner, free, &who);
    let ColumnValues::I64(counts) = &first.columns[1].values else { panic!("counts") };
    let expected = recommend_plainly(&graph, person);
    assert!(counts.iter().map(|&count| count as u64).eq(expected.iter().map(|(count, _)| *count)));
    for (name, plan) in
        [("recommend, no ties", free), ("recommend, ties in order of appearance", ordered)]
    {
        report(name, time(21, || drop(black_box(run(&mut runner, plan, &who)))));
    }
    report("three hops counted", time(21, || drop(black_box(run(&mut runner, count, &who)))));
    let persons: Vec<VertexId> =
        graph.into.list(1).iter().map(|&id| VertexId(u64::from(id))).collect();
    let rows = [Parameter::Rows(Batch::of(vec![Column::vertices(persons)]))];
    report("links of 5,000 links", time(21, || drop(black_box(run(&mut runner, links, &rows)))));
    let row = |id: u64| {
        [Parameter::Rows(Batch::of(vec![Column::of(ColumnValues::I64(vec![id as i64]))]))]
    };
    let known = row(person);
    report(
        "Rows, Ids, bag of 100",
        time(10_001, || drop(black_box(run(&mut runner, single, &known)))),
    );
    let nobody = row(0);
    report(
        "Rows, Ids, bag of none",
        time(10_001, || drop(black_box(run(&mut runner, single, &nobody)))),
    );
    let mut prepared = millrace_engine::Prepared::new(&free_plan).expect("a good plan");
    let (_, explanation) = prepared.profile(runner.context(), &who).expect("runs");
    println!("\n{explanation}");
}
