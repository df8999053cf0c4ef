//! Procedures that a program registers: called by plans, for a whole batch at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_db::plan::{Expr, Name, PlanBuilder, op};
use millrace_db::procedures::{Context, Procedure, Signature, ValueType, Yielded};
use millrace_db::store::NameKind;
use millrace_db::{Database, Settings};
use millrace_model::compare::CompareMode;
use millrace_model::{Column, ErrorKind, Result, Value};

use crate::limits;

/// Yields each number up to its argument, and counts its calls.
struct UpTo(AtomicU64);

impl Procedure for UpTo {
    fn signature(&self) -> Signature {
        let signature = Signature::reading("test.upTo", "The numbers up to one.");
        signature.argument("most", ValueType::Integer).yields("number", ValueType::Integer)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let (mut rows, mut numbers) = (Vec::new(), Vec::new());
        for row in 0..len as u32 {
            let most = arguments[0].get(row as usize).and_then(|value| value.as_int());
            for number in 1..=most.unwrap_or(0) {
                rows.push(row);
                numbers.push(Value::I64(number));
            }
        }
        Ok(Yielded { rows, columns: vec![Column::from_values(numbers)] })
    }
}

fn numbers(plan: &mut PlanBuilder, numbers: &[i64]) -> millrace_db::plan::ColumnId {
    let list = Expr::List(numbers.iter().map(|&number| Expr::literal(number)).collect());
    let list = plan.project("list", list);
    let to = plan.column("n");
    plan.push(op::Unwind { list: Expr::Column(list), to, position: None });
    to
}

#[test]
fn a_registered_procedure_is_called_once_for_a_batch_and_stays_apart_from_other_databases() {
    let database = Database::in_memory(Settings::default()).expect("opens");
    let graph = database.create_graph("one").expect("is made");
    let mut plan = PlanBuilder::new(CompareMode::NullIsUnknown);
    let most = numbers(&mut plan, &[2, 0, 3]);
    let [number] = plan.call("test.upTo", vec![Expr::Column(most)], ["number"]);
    let plan = plan.finish(vec![most, number]);
    let unknown = graph
        .read(&limits(), |runner| runner.run_once(&plan, &[]))
        .expect_err("not registered yet");
    assert_eq!(unknown.kind, ErrorKind::Unsupported);
    assert!(unknown.detail.contains("test.upTo"), "{unknown}");

    let procedure = Arc::new(UpTo(AtomicU64::new(0)));
    database.register_procedures(vec![Arc::clone(&procedure) as Arc<dyn Procedure>]);
    let known = database.procedures();
    let signature = known.signatures().named("test.upTo").expect("is registered");
    assert_eq!(signature.arguments_min(), 1);
    let rows = graph.read(&limits(), |runner| runner.run_once(&plan, &[])).expect("runs");
    let rows: Vec<_> = (0..rows.len)
        .map(|row| [0, 1].map(|column: usize| rows.columns[column].get(row)))
        .collect();
    let expected = [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)];
    let expected = expected.map(|(most, number)| [most, number].map(|n| Some(Value::I64(n))));
    assert_eq!(rows, expected);
    assert_eq!(procedure.0.load(Ordering::Relaxed), 1, "calls");

    let other = Database::in_memory(Settings::default()).expect("opens");
    assert!(other.procedures().signatures().named("test.upTo").is_none());
}

/// A procedure that gives each vertex that it gets a label.
struct Mark;

impl Procedure for Mark {
    fn signature(&self) -> Signature {
        Signature::reading("test.mark", "Makes a label.").writing()
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        context.transaction()?.intern(&[(NameKind::Label, "Marked")])?;
        Ok(Yielded { rows: (0..len as u32).collect(), columns: Vec::new() })
    }
}

#[test]
fn a_procedure_that_writes_is_an_effect_and_is_refused_where_a_plan_hides_it() {
    let database = Database::in_memory(Settings::default()).expect("opens");
    let graph = database.create_graph("one").expect("is made");
    database.register_procedures(vec![Arc::new(Mark)]);
    let call = |writes| {
        let mut plan = PlanBuilder::new(CompareMode::NullIsUnknown);
        let (procedure, arguments) = (Name::from("test.mark"), Vec::new());
        plan.push(op::Call { procedure, arguments, yields: Vec::new(), writes });
        plan.finish(Vec::new())
    };
    let hidden = graph.write(&limits(), |runner| runner.run_once(&call(false), &[]));
    assert!(hidden.expect_err("hidden").detail.contains("test.mark writes"));
    let reading = graph.read(&limits(), |runner| runner.run_once(&call(true), &[]));
    assert_eq!(reading.expect_err("no transaction").kind, ErrorKind::Forbidden);
    graph.write(&limits(), |runner| runner.run_once(&call(true), &[])).expect("runs");
    let catalog = graph.store().snapshot().expect("a snapshot").catalog();
    assert!(catalog.labels.iter().any(|name| &**name == "Marked"));
}
