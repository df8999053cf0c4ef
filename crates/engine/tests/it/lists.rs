//! Expressions over the entries of lists: comprehensions, quantifiers, folds.

use std::path::Path;

use millrace_engine::{CancelFlag, Context, Limits, execute, oracle};
use millrace_model::{Direction, ErrorKind, Value};
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::{
    Arithmetic, ColumnId, Comparison, Expr, Fold, Function, LetRead, Makes, Plan, PlanBuilder,
    Quantifier, Unknown, op,
};
use millrace_testkit::golden;

use crate::fixture::{Graph, builder, error, graph, name_of, numbers, reading, run};

#[test]
fn entries_of_lists_give_what_the_goldens_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/lists");
    let graph = graph();
    golden::check_folder(folder, |case| {
        let plan = plan(&case.input);
        let rows = run(&graph.store, &plan).join("\n");
        format!("{plan}rows\n{rows}")
    });
}

fn ints(values: &[i64]) -> Value {
    Value::list(values.iter().copied().map(Value::I64).collect())
}

/// Rows with a number and a list: null, an empty one, one of numbers, one with null among them.
fn lists(plan: &mut PlanBuilder) -> (ColumnId, ColumnId) {
    let with_null = Value::list(vec![Value::I64(1), Value::Null, Value::I64(3)]);
    let lists = [Value::Null, ints(&[]), ints(&[1, 2, 3]), with_null];
    let rows = lists.into_iter().enumerate();
    let rows = rows.map(|(n, list)| vec![Value::I64(n as i64), list]).collect();
    let to = ["n", "list"].map(|name| plan.column(name));
    plan.push(op::Rows { source: op::RowsSource::Literal(rows), to: to.to_vec() });
    (to[0], to[1])
}

fn more(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::compare(Comparison::Greater, left.into(), right.into())
}

fn sum(left: Expr, right: Expr) -> Expr {
    let operation = Arithmetic::Add;
    Expr::Arithmetic { operation, left: Box::new(left), right: Box::new(right) }
}

fn quantified(plan: &mut PlanBuilder, list: ColumnId, unknown: Unknown) -> Vec<ColumnId> {
    [Quantifier::All, Quantifier::Any, Quantifier::None, Quantifier::Single]
        .map(|quantifier| {
            let over = plan.over(Expr::Column(list), "x", |_, x| {
                let holds = more(Expr::Column(x), Expr::literal(2));
                Makes::Truth { quantifier, unknown, holds }
            });
            plan.project("holds", over)
        })
        .to_vec()
}

fn plan(name: &str) -> Plan {
    let mut plan = builder();
    let output = match name {
        "filter and map" => {
            let (n, list) = lists(&mut plan);
            let over = plan.over(Expr::Column(list), "x", |_, x| Makes::List {
                keep: Some(more(Expr::Column(x), Expr::Column(n))),
                value: Some(sum(Expr::Column(x), Expr::Column(n))),
            });
            let all = plan.over(Expr::Column(list), "x", |_, _| Makes::List {
                keep: None,
                value: Some(Expr::Column(n)),
            });
            vec![n, plan.project("kept", over), plan.project("n for each", all)]
        }
        "quantifiers" => {
            let (n, list) = lists(&mut plan);
            let mut output = vec![n];
            output.extend(quantified(&mut plan, list, Unknown::Stays));
            output
        }
        "quantifiers where unknown is false" => {
            let (n, list) = lists(&mut plan);
            let mut output = vec![n];
            output.extend(quantified(&mut plan, list, Unknown::IsFalse));
            output
        }
        "reduce" => {
            let (n, list) = lists(&mut plan);
            let over = plan.over(Expr::Column(list), "x", |plan, x| {
                let accumulator = plan.column("sum");
                let next = sum(Expr::Column(accumulator), Expr::Column(x));
                Makes::Fold { accumulator, start: Expr::Column(n), next }
            });
            vec![n, plan.project("sum", over)]
        }
        "one inside another" => {
            let rows = Value::list(vec![ints(&[1, 2]), ints(&[]), Value::Null, ints(&[3])]);
            let n = numbers(&mut plan, "n", [0, 2]);
            let over = plan.over(Expr::Literal(rows), "xs", |plan, xs| {
                let inner = plan.over(Expr::Column(xs), "x", |_, x| Makes::List {
                    keep: Some(more(Expr::Column(x), Expr::Column(n))),
                    value: Some(Expr::List(vec![Expr::Column(x), Expr::Column(xs)])),
                });
                Makes::List { keep: None, value: Some(inner) }
            });
            vec![n, plan.project("lists", over)]
        }
        "elements and their properties" => {
            // The entries are elements, and the row is one: both have names.
            let all = plan.bind("all", |plan| plan.scan(Some("Person"), "x"));
            let p = plan.scan(Some("Person"), "p");
            let list = Expr::Let { name: all, read: LetRead::All };
            let over = plan.over(list, "x", |_, x| Makes::List {
                keep: Some(more(name_of(x), name_of(p))),
                value: Some(Expr::property(x, "age")),
            });
            vec![plan.project("name", name_of(p)), plan.project("ages of later ones", over)]
        }
        "the same for all rows" => {
            let (n, _) = lists(&mut plan);
            let squares = plan.over(Expr::Literal(ints(&[1, 2])), "x", |plan, x| {
                let accumulator = plan.column("list");
                let next = Expr::List(vec![Expr::Column(accumulator), Expr::Column(x)]);
                Makes::Fold { accumulator, start: Expr::Literal(Value::Null), next }
            });
            let above = plan.over(Expr::Literal(ints(&[1, 2, 3])), "x", |_, x| Makes::List {
                keep: Some(more(Expr::Column(x), Expr::literal(1))),
                value: None,
            });
            vec![n, plan.project("nested", squares), plan.project("large", above)]
        }
        "in a filter, below a hop" => {
            let p = plan.scan(Some("Person"), "p");
            let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
            let names = Expr::List(vec![name_of(i), Expr::literal("i0"), Expr::literal("i3")]);
            let over = plan.over(names, "name", |_, name| Makes::Truth {
                quantifier: Quantifier::All,
                unknown: Unknown::Stays,
                holds: Expr::compare(Comparison::NotEqual, Expr::Column(name), name_of(p)),
            });
            plan.filter(over);
            vec![i, plan.aggregate(&[i], "count", Fold::Count)]
        }
        other => panic!("no plan is named {other}"),
    };
    plan.finish(output)
}

/// The plan of one list expression.
fn over_list(list: Value, makes: impl FnOnce(&mut PlanBuilder, ColumnId) -> Makes) -> Plan {
    let mut plan = builder();
    let over = plan.over(Expr::Literal(list), "x", makes);
    let to = plan.project("made", over);
    plan.finish(vec![to])
}

/// Symptom, if a piece were lost: a list longer than one piece has fewer entries, or they belong to
/// another row.
#[test]
fn a_list_of_many_pieces_keeps_its_entries() {
    let Graph { store, .. } = graph();
    let long = ints(&(0..20_000).collect::<Vec<_>>());
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..3);
    let over = plan.over(Expr::Literal(long), "x", |_, x| Makes::List {
        keep: Some(more(Expr::Column(x), Expr::literal(15_000))),
        value: Some(sum(Expr::Column(x), Expr::Column(n))),
    });
    let list = plan.project("list", over);
    let size = plan.project("size", Expr::call(Function::Size, vec![Expr::Column(list)]));
    let last = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
    let last = Expr::call(Function::ElementAt(last), vec![Expr::Column(list), Expr::literal(-1)]);
    let last = plan.project("last", last);
    let plan = plan.finish(vec![n, size, last]);
    assert_eq!(run(&store, &plan), ["0,4999,19999", "1,4999,20000", "2,4999,20001"]);
}

#[test]
fn what_is_no_list_and_no_truth_is_refused() {
    let Graph { store, .. } = graph();
    let keep =
        |keep: Expr| move |_: &mut PlanBuilder, _| Makes::List { keep: Some(keep), value: None };
    let found = error(&store, &over_list(Value::I64(1), keep(Expr::literal(true))));
    assert!(found.detail.contains("this is a integer"), "{found}");
    let found = error(&store, &over_list(ints(&[1]), keep(Expr::literal(1))));
    assert!(found.detail.contains("expects a boolean"), "{found}");
    // Without an entry nothing is asked.
    let plan = over_list(ints(&[]), keep(Expr::literal(1)));
    assert_eq!(run(&store, &plan), ["[]"]);
}

/// An entry that fails is an error of its row, and rows that are not selected have none.
#[test]
fn an_error_belongs_to_the_row_of_its_entry() {
    let Graph { store, .. } = graph();
    let plan = |to: Option<u64>| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", 0..3);
        let over = plan.over(Expr::Literal(ints(&[1, 2])), "x", |_, x| {
            let operation = Arithmetic::Subtract;
            let (left, right) = (Box::new(Expr::Column(x)), Box::new(Expr::literal(2)));
            let right = Box::new(Expr::Arithmetic { operation, left, right });
            let (operation, left) = (Arithmetic::Divide, Box::new(Expr::Column(n)));
            let share = Expr::Arithmetic { operation, left, right };
            Makes::List { keep: None, value: Some(share) }
        });
        let list = plan.project("list", over);
        plan.push(op::Range::of(0, to));
        plan.finish(vec![list])
    };
    assert_eq!(error(&store, &plan(None)).kind, ErrorKind::BadQuery);
    assert!(oracle::execute(&plan(None), &reading(&store), &[]).is_err());
    assert_eq!(run(&store, &plan(Some(0))), [] as [&str; 0]);
}

/// The entries of a long list are counted piece by piece, so what is never kept needs little memory.
#[test]
fn the_memory_of_entries_is_bounded_by_a_piece() {
    let Graph { store, .. } = graph();
    let text = Value::string(&"x".repeat(1_000));
    let mut plan = builder();
    let many = numbers(&mut plan, "n", 0..40);
    let list = Expr::Literal(ints(&(0..2_000).collect::<Vec<_>>()));
    let wide = plan.project("wide", Expr::Literal(text));
    let over = plan.over(list, "x", |_, x| Makes::Truth {
        quantifier: Quantifier::Any,
        unknown: Unknown::Stays,
        holds: Expr::compare(Comparison::Equal, Expr::Column(x), Expr::Column(wide)),
    });
    let holds = plan.project("holds", over);
    let plan = plan.finish(vec![many, holds]);
    // 80,000 entries with 1,000 bytes beside each are 80 MB; a piece is a tenth of them.
    let context = |bytes| -> Context {
        let limits = Limits { memory_bytes_max: bytes, ..Limits::default() };
        reading(&store).with_limits(limits, CancelFlag::default())
    };
    let rows = execute(&plan, &context(20 << 20), &[]).expect("it fits");
    assert_eq!(rows.len, 40);
    let found = execute(&plan, &context(1 << 20), &[]).expect_err("it is counted");
    assert_eq!(found.kind, ErrorKind::LimitReached);
}
