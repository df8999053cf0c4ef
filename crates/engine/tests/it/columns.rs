//! Loops over typed columns beside the oracle: columns of one type and of several, with null, absent and the numbers and
//! texts that have a place of their own; in one piece, and in pieces that threads share.

use std::sync::Arc;

use millrace_engine::{CancelFlag, Limits, execute, oracle};
use millrace_model::compare::CompareMode;
use millrace_model::random::SplitMix64;
use millrace_model::{Column, EdgeTypeId, KeyId, LabelId, Value, VertexId};
use millrace_plan::functions::{Collation, IndexMode, Outside};
use millrace_plan::rules::optimize;
use millrace_plan::{
    Arithmetic, ColumnId, Comparison, Expr, Fold, Function, Loops, Makes, Nulls, Plan, PlanBuilder,
    Quantifier, RowCount, SortKey, Unknown, op,
};
use millrace_store::{Labels, NameKind, Store};

use crate::fixture::{begin, commit, empty, reading, rows};

const VERTICES: usize = 90;
const EDGES: usize = 140;

/// The keys: each has values of other types.
const KEYS: [&str; 6] = ["int", "double", "text", "bool", "mixed", "name"];

fn value(random: &mut SplitMix64, key: usize) -> Option<Value> {
    let pick = |values: &[Value], random: &mut SplitMix64| {
        values[random.below(values.len() as u64) as usize].clone()
    };
    let ints = [0, 1, 1, 2, -3, 1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN].map(Value::I64);
    let doubles = [0.0, -0.0, 1.0, 2.5, -3.0, 1e300, f64::NAN, f64::INFINITY, 0.1];
    let doubles = doubles.map(Value::F64);
    let texts = ["", "a", "b a", "a b a", "äß ä", "A", "b", "aab", " "].map(Value::from);
    Some(match (random.below(8), key) {
        (0, 0..=4) => return None,
        (_, 0) => pick(&ints, random),
        (_, 1) => pick(&doubles, random),
        (_, 2 | 5) => pick(&texts, random),
        (_, 3) => Value::Bool(random.below(2) == 0),
        (1, _) => Value::list(vec![Value::I64(1), Value::Null]),
        (2 | 3, _) => pick(&ints[..5], random),
        (4, _) => pick(&doubles, random),
        (5, _) => Value::Bool(true),
        _ => pick(&texts, random),
    })
}

fn column(random: &mut SplitMix64, key: usize, len: usize) -> Column {
    let mut column = Column::default();
    (0..len).for_each(|_| column.push_entry(value(random, key)));
    column
}

fn graph(random: &mut SplitMix64) -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    let mut names = vec![(NameKind::Label, "V"), (NameKind::EdgeType, "E")];
    names.extend(KEYS.map(|key| (NameKind::Key, key)));
    transaction.intern(&names).expect("names");
    let own: Vec<Column> = (0..KEYS.len()).map(|key| column(random, key, VERTICES)).collect();
    let keyed: Vec<(KeyId, &Column)> = (0..).map(KeyId).zip(&own).collect();
    let labels = Labels::from([LabelId(0)]);
    let vertices = transaction.create_vertices(&labels, VERTICES, &keyed).expect("vertices");
    let mut end = |_| vertices[random.below(VERTICES as u64) as usize];
    let sources: Vec<VertexId> = (0..EDGES).map(&mut end).collect();
    let targets: Vec<VertexId> = (0..EDGES).map(&mut end).collect();
    let own: Vec<Column> = (0..KEYS.len()).map(|key| column(random, key, EDGES)).collect();
    let keyed: Vec<(KeyId, &Column)> = (0..).map(KeyId).zip(&own).collect();
    transaction.create_edges(EdgeTypeId(0), &sources, &targets, &keyed).expect("edges");
    commit(transaction);
    store
}

/// Runs it in the oracle as it stands, and in the engine after the rules, whole and in pieces; errors are of one kind.
fn check(store: &Arc<dyn Store>, plan: &Plan) {
    let outcome = |batch: millrace_model::Result<millrace_model::Batch>| match batch {
        Ok(batch) => rows(&batch),
        Err(error) => vec![format!("{:?}", error.kind)],
    };
    let reference = oracle::execute(plan, &reading(store), &[]);
    let failed = reference.is_err();
    let expected = outcome(reference);
    let mut optimized = plan.clone();
    optimize(&mut optimized);
    for (plan, pieces) in [plan, &optimized]
        .into_iter()
        .flat_map(|plan| [None, Some(1), Some(7), Some(40)].map(|pieces| (plan, pieces)))
    {
        let limits = Limits { piece_elements: pieces, ..Limits::default() };
        let context = reading(store).with_limits(limits, CancelFlag::default());
        let result = execute(plan, &context, &[]);
        if failed && *plan == optimized {
            // A rule may remove the error of a row.
            continue;
        }
        let found = outcome(result);
        assert_eq!(found, expected, "in pieces of {pieces:?}:\n{plan}");
    }
}

fn call(function: Function, arguments: Vec<Expr>) -> Expr {
    Expr::Call { function, arguments }
}

fn property(random: &mut SplitMix64, of: ColumnId) -> Expr {
    Expr::property(of, KEYS[random.below(KEYS.len() as u64) as usize])
}

const FROM_END: IndexMode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };

/// An expression over a column of elements.
fn expr(random: &mut SplitMix64, plan: &mut PlanBuilder, of: ColumnId, depth: u64) -> Expr {
    if depth == 0 || random.below(4) == 0 {
        return property(random, of);
    }
    let constants = ["a", "", " ", "äß", "b a"].map(Value::from);
    let text = Expr::literal(constants[random.below(5) as usize].clone());
    let inner = |plan: &mut PlanBuilder, random: &mut SplitMix64| expr(random, plan, of, depth - 1);
    let own_text = Expr::property(of, ["text", "name"][random.below(2) as usize]);
    let number = Expr::literal(random.below(4) as i64 - 2);
    match random.below(16) {
        0 => call(Function::OrNull, vec![inner(plan, random)]),
        1 => call(Function::Upper, vec![own_text]),
        2 => call(Function::Replace, vec![own_text, text, Expr::literal("-")]),
        3 => call(Function::Substring(FROM_END), vec![own_text, number, Expr::literal(2_i64)]),
        4 => call(Function::At, vec![call(Function::Split, vec![own_text, text]), number]),
        5 => call(Function::Size, vec![call(Function::Split, vec![own_text, text])]),
        6 => {
            let item = plan.column("item");
            let holds = Expr::compare(Comparison::Equal, Expr::Column(item), Expr::literal("a"));
            let quantifier = [Quantifier::Any, Quantifier::All][random.below(2) as usize];
            let makes = Makes::Truth { quantifier, unknown: Unknown::Stays, holds };
            Expr::over(call(Function::Split, vec![own_text, text]), item, makes)
        }
        7 => {
            let sides = vec![own_text, Expr::property(of, "name")];
            call(Function::Operate(Arithmetic::Add), sides)
        }
        8 => {
            let sides =
                vec![Expr::property(of, ["int", "double"][random.below(2) as usize]), number];
            let operations = [Arithmetic::Divide, Arithmetic::Multiply, Arithmetic::Remainder];
            call(Function::Operate(operations[random.below(3) as usize]), sides)
        }
        9 => call(Function::CollationKey(Collation::CaseFold), vec![own_text]),
        10 | 11 => {
            let condition = predicate(random, of);
            let (one, other) = (inner(plan, random), inner(plan, random));
            let otherwise = (random.below(3) != 0).then(|| Box::new(other));
            Expr::Case { branches: vec![(condition, one)], otherwise }
        }
        12 => {
            let branch = |text: &str| Expr::literal(text);
            let branches = ["x", "y"].map(|text| (predicate(random, of), branch(text)));
            Expr::Case { branches: branches.into(), otherwise: Some(Box::new(own_text)) }
        }
        13 => call(Function::Trim, vec![own_text]),
        _ => predicate(random, of),
    }
}

fn predicate(random: &mut SplitMix64, of: ColumnId) -> Expr {
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ];
    let comparison = comparisons[random.below(6) as usize];
    let own_text = Expr::property(of, "text");
    match random.below(5) {
        0 => {
            let right = property(random, of);
            Expr::compare(comparison, property(random, of), right)
        }
        1 => {
            let tests = [Function::Contains, Function::StartsWith, Function::EndsWith];
            let part = Expr::literal(["a", "", "äß", "b a"][random.below(4) as usize]);
            call(tests[random.below(3) as usize], vec![own_text, part])
        }
        2 => {
            let parts = vec![predicate(random, of), predicate(random, of)];
            if random.below(2) == 0 { Expr::And(parts) } else { Expr::Or(parts) }
        }
        _ => {
            let key = random.below(KEYS.len() as u64) as usize;
            let constant = value(random, key).unwrap_or(Value::Null);
            Expr::compare(comparison, property(random, of), Expr::Literal(constant))
        }
    }
}

fn folds(random: &mut SplitMix64, plan: &mut PlanBuilder, of: ColumnId) -> Vec<(ColumnId, Fold)> {
    let count = 1 + random.below(3);
    let fold = |random: &mut SplitMix64, plan: &mut PlanBuilder| {
        let number = Expr::property(of, ["int", "double"][random.below(2) as usize]);
        let any = expr(random, plan, of, 1);
        match random.below(14) {
            0 => Fold::Count,
            1 => Fold::CountDistinct(any),
            2 => Fold::Sum(Expr::property(of, "double")),
            3 => Fold::Min(any),
            4 => Fold::Max(any),
            5 => Fold::Mean(number),
            6 => Fold::CountValues(any),
            7 => Fold::StDev(number),
            8 => Fold::Collect(any),
            9 => Fold::CollectValues(any),
            10 => Fold::First(any),
            11 => Fold::Exists,
            12 => Fold::Distinct(Box::new(Fold::Collect(any))),
            _ => Fold::Distinct(Box::new(Fold::Mean(number))),
        }
    };
    (0..count).map(|number| (plan.column(&format!("f{number}")), fold(random, plan))).collect()
}

const MODES: [CompareMode; 3] =
    [CompareMode::NullIsValue, CompareMode::NullIsUnknown, CompareMode::Plain];

/// A scan of vertices or edges, perhaps with a hop behind it; the column that is read.
fn source(random: &mut SplitMix64, plan: &mut PlanBuilder) -> ColumnId {
    let expand = |plan: &mut PlanBuilder, from, edge, to| {
        let (direction, loops) = (millrace_model::Direction::Out, Loops::Twice);
        plan.push(op::Expand { from, types: None, direction, edge, to, loops });
    };
    match random.below(4) {
        0 => {
            let from = plan.scan(None, "from");
            let edge = plan.column("edge");
            expand(plan, from, Some(edge), None);
            edge
        }
        1 => {
            let from = plan.scan(Some("V"), "from");
            let to = plan.column("to");
            expand(plan, from, None, Some(to));
            to
        }
        _ => plan.scan(Some("V"), "v"),
    }
}

#[test]
fn folds_and_groups_of_typed_columns_are_those_of_the_oracle() {
    let random = &mut SplitMix64::new(43);
    for round in 0..400 {
        let store =
            if round % 40 == 0 { graph(random) } else { graph(&mut SplitMix64::new(round / 40)) };
        let mut plan = PlanBuilder::new(MODES[round as usize % 3]);
        let of = source(random, &mut plan);
        if random.below(3) == 0 {
            let predicate = predicate(random, of);
            plan.filter(predicate);
        }
        let keys = random.below(3);
        let keys: Vec<ColumnId> = (0..keys)
            .map(|number| {
                let key = expr(random, &mut plan, of, 2);
                let key = if random.below(2) == 0 {
                    call(Function::EquivalenceKey, vec![key])
                } else {
                    key
                };
                plan.project(&format!("k{number}"), key)
            })
            .collect();
        let folds = folds(random, &mut plan, of);
        let output = keys.iter().copied().chain(folds.iter().map(|(column, _)| *column)).collect();
        plan.push(op::Aggregate { keys, folds });
        check(&store, &plan.finish(output));
    }
}

#[test]
fn the_first_rows_of_typed_columns_are_those_of_the_oracle() {
    let random = &mut SplitMix64::new(44);
    let store = graph(random);
    for round in 0..300 {
        let mut plan = PlanBuilder::new(MODES[round % 3]);
        let of = source(random, &mut plan);
        let predicate = predicate(random, of);
        plan.filter(predicate);
        let shown = expr(random, &mut plan, of, 1);
        let shown = plan.project("shown", shown);
        let nulls = [Nulls::First, Nulls::Last];
        let key = |random: &mut SplitMix64, plan: &mut PlanBuilder| SortKey {
            by: expr(random, plan, of, 1),
            descending: random.below(2) == 0,
            nulls: nulls[random.below(2) as usize],
        };
        let keys = (0..1 + random.below(2)).map(|_| key(random, &mut plan)).collect();
        let count = RowCount::from(random.below(30));
        plan.push(op::TopK { keys, count });
        check(&store, &plan.finish(vec![of, shown]));
    }
}
