//! Rows that stand for more equal ones than a weight has room for: they stay several rows, and every
//! count is exact. The expected counts are powers of the adjacency matrix, in 128 bits.

use std::sync::Arc;
use std::time::Instant;

use millrace_engine::{CancelFlag, Limits, Prepared, execute};
use millrace_model::{Batch, Direction, EdgeTypeId, ErrorKind, Value, VertexId};
use millrace_plan::rules::optimize;
use millrace_plan::{
    ApplyKind, Carried, ColumnId, Fold, Parameter, Plan, PlanBuilder, Repeat, SideFold, SortKey, op,
};
use millrace_store::{Labels, NameKind, Store};
use millrace_testkit::Rng;

use crate::fixture::{begin, builder, commit, empty, reading, weighted};

const VERTICES: usize = 6;

/// A vertex reaches about 200 others in a hop of both directions, by parallel edges and loops.
struct Dense {
    store: Arc<dyn Store>,
    /// How many edges lead from one vertex to another, seen from both of their ends.
    both: [[u128; VERTICES]; VERTICES],
    ids: Vec<VertexId>,
}

fn dense() -> Dense {
    let store = empty();
    let transaction = begin(&store);
    transaction.intern(&[(NameKind::EdgeType, "TO")]).expect("a name");
    let ids = transaction.create_vertices(&Labels::from([]), VERTICES, &[]).expect("vertices");
    let mut random = Rng::new(11);
    let mut both = [[0; VERTICES]; VERTICES];
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..600 {
        let [source, target] = [(); 2].map(|()| random.below(VERTICES as u64) as usize);
        both[source][target] += 1;
        both[target][source] += 1;
        sources.push(ids[source]);
        targets.push(ids[target]);
    }
    transaction.create_edges(EdgeTypeId(0), &sources, &targets, &[]).expect("edges");
    commit(transaction);
    Dense { store, both, ids }
}

impl Dense {
    /// How many walks of so many hops end at each vertex.
    fn walks(&self, hops: usize) -> [u128; VERTICES] {
        let mut walks = [1; VERTICES];
        for _ in 0..hops {
            let reach =
                |to: usize| (0..VERTICES).map(|from| walks[from] * self.both[from][to]).sum();
            walks = std::array::from_fn(reach);
        }
        walks
    }
}

/// `V().repeat(both()).times(rounds)` with the operators that `end` adds, optimized.
fn rounds(times: u64, end: impl FnOnce(&mut PlanBuilder, ColumnId) -> Vec<ColumnId>) -> Plan {
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let at = plan.column("at");
    let mut next = at;
    let body = plan.pipeline(|body| next = body.expand(at, Direction::Both, None, "next"));
    let columns = vec![Carried { from: v, to: at, next }];
    let (until, emit, rounds) = (None, None, None);
    let repeat = Repeat { columns, body, until, emit, times: Some(times), rounds };
    plan.push(repeat);
    let output = end(&mut plan, at);
    let mut plan = plan.finish(output);
    plan.ordered = false;
    optimize(&mut plan);
    plan
}

fn count(plan: &mut PlanBuilder, _: ColumnId) -> Vec<ColumnId> {
    vec![plan.aggregate(&[], "count", Fold::Count)]
}

fn number(batch: &Batch, column: usize, row: usize) -> u128 {
    match batch.columns[column].get(row) {
        Some(Value::I64(int)) => u128::try_from(int).expect("a count"),
        Some(Value::Decimal(decimal)) if decimal.scale == 0 => {
            u128::try_from(decimal.unscaled).expect("a count")
        }
        other => panic!("{other:?} is no count"),
    }
}

fn found(graph: &Dense, plan: &Plan) -> Batch {
    execute(plan, &reading(&graph.store), &[]).unwrap_or_else(|error| panic!("{error}\n{plan}"))
}

#[test]
fn ten_rounds_are_counted_beyond_64_bits() {
    let graph = dense();
    for hops in [1, 7, 8, 9, 10, 11] {
        let counted = found(&graph, &rounds(hops as u64, count));
        let expected: u128 = graph.walks(hops).iter().sum();
        assert_eq!(number(&counted, 0, 0), expected, "{hops} hops");
    }
    assert!(u128::from(u64::MAX) < graph.walks(9)[0], "rows of the ninth round have no one weight");
}

#[test]
fn each_vertex_is_counted_and_its_rows_stand_side_by_side() {
    let graph = dense();
    let walks = graph.walks(10);
    let by_vertex =
        |plan: &mut PlanBuilder, at| vec![at, plan.aggregate(&[at], "count", Fold::Count)];
    // A hop that counts, and rows that are split before they are counted.
    for further in [false, true] {
        let plan = rounds(if further { 10 } else { 9 }, |plan, at| match further {
            true => by_vertex(plan, at),
            false => {
                let to = plan.expand(at, Direction::Both, None, "to");
                by_vertex(plan, to)
            }
        });
        let counted = found(&graph, &plan);
        assert_eq!(counted.len, VERTICES);
        for row in 0..counted.len {
            let Some(Value::Vertex(id)) = counted.columns[0].get(row) else { panic!("a vertex") };
            let place = graph.ids.iter().position(|&known| known == id).expect("of the graph");
            assert_eq!(number(&counted, 1, row), walks[place], "{plan}");
        }
    }
    let rows = found(&graph, &rounds(9, |_, at| vec![at]));
    let vertices = rows.columns[0].as_vertices().expect("vertices");
    assert!(VERTICES < rows.len);
    let distinct = vertices.chunk_by(|left, right| left == right).count();
    assert_eq!(distinct, VERTICES, "equal rows are neighbours");
    let walks = graph.walks(9);
    for (place, id) in graph.ids.iter().enumerate() {
        let own = (0..rows.len).filter(|&row| vertices[row] == *id);
        let sum: u128 = own.map(|row| u128::from(rows.weight(row))).sum();
        assert_eq!(sum, walks[place]);
    }
}

#[test]
fn scopes_are_summed_each_for_itself() {
    let graph = dense();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let total = plan.column("total");
    plan.apply(ApplyKind::Value { fold: Fold::Count, to: total }, |sub| {
        let mut at = v;
        for _ in 0..10 {
            at = sub.expand(at, Direction::Both, None, "next");
            sub.push(op::Barrier { merge: Some(vec![at]) });
        }
        // No hop takes this in.
        sub.push(op::Range::of(0, None));
    });
    let counted = found(&graph, &plan.finish(vec![total]));
    let sum: u128 = (0..counted.len).map(|row| number(&counted, 0, row)).sum();
    assert_eq!((counted.len, sum), (VERTICES, graph.walks(10).iter().sum()));
}

#[test]
fn too_many_rows_end_with_an_error_that_gives_the_reason() {
    let graph = dense();
    let run = |limits: Limits| {
        let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
        let prepared = Prepared::new(&rounds(16, count)).expect("a good plan");
        let error = { prepared }.run(&context, &[]).expect_err("10^37 walks are too many rows");
        assert_eq!(context.reserved_bytes(), 0);
        error
    };
    let memory_bytes_max = 16 << 20;
    let error = run(Limits { memory_bytes_max, ..Limits::default() });
    assert_eq!(error.kind, ErrorKind::LimitReached);
    assert!(error.detail.contains("memory limit of 16777216 bytes"), "{error}");
    assert!(error.to_string().contains("2^64 equal ones at most"), "{error}");
    let error = run(Limits { deadline: Some(Instant::now()), ..Limits::default() });
    assert_eq!(error.kind, ErrorKind::DeadlineExceeded);
}

/// Rows of a parameter, as `n`.
fn number_rows(plan: &mut PlanBuilder) -> ColumnId {
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    n
}

/// The rows of a plan over rows 1 (2^64 - 1 times), 1 (twice), 2 (2^64 - 1 times): their numbers and weights.
fn heavy(build: impl FnOnce(&mut PlanBuilder, ColumnId)) -> Vec<(i64, u64)> {
    let mut plan = builder();
    let n = number_rows(&mut plan);
    build(&mut plan, n);
    let plan = plan.finish(vec![n]);
    let rows = weighted(&[(1, u64::MAX), (1, 2), (2, u64::MAX)]);
    let batch = execute(&plan, &reading(&empty()), &[rows]).expect("a plan without an error");
    let entry = |row| batch.columns[0].get(row).and_then(|value| value.as_int());
    (0..batch.len).map(|row| (entry(row).expect("a number"), batch.weight(row))).collect()
}

#[test]
fn a_merge_keeps_a_sum_above_the_largest_weight() {
    let merged = heavy(|plan, n| {
        plan.push(op::Barrier { merge: Some(vec![n]) });
    });
    assert_eq!(merged, [(1, u64::MAX), (1, 2), (2, u64::MAX)]);
}

#[test]
fn ranges_go_on_beyond_64_bits() {
    let range = |from, to| {
        heavy(|plan, _| {
            plan.push(op::Range::of(from, to));
        })
    };
    assert_eq!(range(u64::MAX, None), [(1, 2), (2, u64::MAX)]);
    assert_eq!(range(5, None), [(1, u64::MAX - 5), (1, 2), (2, u64::MAX)]);
    assert_eq!(range(u64::MAX - 1, Some(u64::MAX)), [(1, 1)]);
    let top = heavy(|plan, n| {
        let by = millrace_plan::Expr::Column(n);
        let keys = vec![SortKey { by, descending: true, nulls: millrace_plan::Nulls::Last }];
        plan.push(op::TopK { count: u64::MAX.into(), keys });
    });
    assert_eq!(top, [(2, u64::MAX)]);
}

#[test]
fn rows_joined_with_rows_are_split_where_their_product_has_no_room() {
    let mut plan = builder();
    let n = number_rows(&mut plan);
    let parameter = plan.parameter("others");
    let sub = plan.pipeline(|sub| {
        sub.rows(parameter, ["m"]);
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Flat });
    let plan = plan.finish(vec![n]);
    let run = |rows: [Parameter; 2]| execute(&plan, &reading(&empty()), &rows);
    let rows = [weighted(&[(1, 1 << 63), (2, 3)]), weighted(&[(7, 4), (8, 1)])];
    let batch = run(rows).expect("it has room");
    let weights: Vec<u64> = (0..batch.len).map(|row| batch.weight(row)).collect();
    assert_eq!(weights, [u64::MAX, u64::MAX, 2, 1 << 63, 12, 3]);
    let error = run([weighted(&[(1, u64::MAX)]), weighted(&[(7, u64::MAX)])]);
    let error = error.expect_err("2^64 rows of 2^64 each");
    assert!(error.detail.contains("2^32 rows"), "{error}");
}

#[test]
fn a_list_of_more_values_than_fit_is_refused_before_it_is_made() {
    for fold in [true, false] {
        let mut plan = builder();
        let n = number_rows(&mut plan);
        let value = millrace_plan::Expr::Column(n);
        let output = match fold {
            true => plan.aggregate(&[], "list", Fold::Collect(value)),
            false => {
                plan.push(op::SideEffect { name: "all".into(), value, fold: SideFold::List });
                plan.lookup("all", None, None)
            }
        };
        let rows = [weighted(&[(1, 1 << 31), (2, 1 << 31)])];
        let error = execute(&plan.finish(vec![output]), &reading(&empty()), &rows);
        assert_eq!(error.expect_err("too long").kind, ErrorKind::LimitReached);
    }
}
