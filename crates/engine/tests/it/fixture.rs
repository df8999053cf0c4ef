//! A small graph, and plans by few words.
//!
//! Persons 0..4 like items: person p likes items 0..=p, so item i is liked by persons i..4. Person
//! 0 knows 1, 1 knows 2, 2 knows 0, and 3 knows itself and, twice, person 0.

use std::sync::Arc;

use millrace_engine::{Context, Prepared, execute, oracle};
use millrace_model::compare::CompareMode;
use millrace_model::{
    Batch, Column, ColumnValues, Direction, EdgeTypeId, KeyId, LabelId, Value, VertexId,
};
use millrace_plan::{ColumnId, Expr, Loops, Name, Parameter, Plan, PlanBuilder, Template, op};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, Labels, NameKind, Store, Transaction};
use millrace_testkit::named::Before;

use crate::random_plans::outcome::Outcome;

pub(crate) struct Graph {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) persons: Vec<VertexId>,
    pub(crate) items: Vec<VertexId>,
}

pub(crate) fn empty() -> Arc<dyn Store> {
    MemoryBackend::new().create_graph("test").expect("a new graph")
}

pub(crate) fn graph() -> Graph {
    let store = empty();
    let transaction = begin(&store);
    let names = [
        (NameKind::Label, "Person"),
        (NameKind::Label, "Item"),
        (NameKind::EdgeType, "LIKES"),
        (NameKind::EdgeType, "KNOWS"),
        (NameKind::Key, "name"),
        (NameKind::Key, "age"),
        (NameKind::Key, "weight"),
    ];
    transaction.intern(&names).expect("names");
    let names = Column::from_values(["p0", "p1", "p2", "p3", "p4"].map(Value::from));
    let mut ages = Column::default();
    for age in [Some(Value::I64(40)), Some(Value::I64(20)), None, Some(Value::I64(30)), None] {
        ages.push_entry(age);
    }
    let label = |number| Labels::from([LabelId(number)]);
    let persons = transaction
        .create_vertices(&label(0), 5, &[(KeyId(0), &names), (KeyId(1), &ages)])
        .expect("persons");
    let names = Column::from_values(["i0", "i1", "i2", "i3", "i4"].map(Value::from));
    let items = transaction.create_vertices(&label(1), 5, &[(KeyId(0), &names)]).expect("items");
    let pairs: Vec<(usize, usize)> =
        (0..5).flat_map(|person| (0..=person).map(move |item| (person, item))).collect();
    let sources: Vec<_> = pairs.iter().map(|&(person, _)| persons[person]).collect();
    let targets: Vec<_> = pairs.iter().map(|&(_, item)| items[item]).collect();
    let weights = pairs.iter().map(|&(person, item)| (person * 10 + item) as i64).collect();
    let weights = Column::of(ColumnValues::I64(weights));
    transaction
        .create_edges(EdgeTypeId(0), &sources, &targets, &[(KeyId(2), &weights)])
        .expect("likes");
    let knows = [(0, 1), (1, 2), (2, 0), (3, 3), (3, 0), (3, 0)];
    let sources: Vec<_> = knows.iter().map(|&(source, _)| persons[source]).collect();
    let targets: Vec<_> = knows.iter().map(|&(_, target)| persons[target]).collect();
    transaction.create_edges(EdgeTypeId(1), &sources, &targets, &[]).expect("knows");
    commit(transaction);
    Graph { store, persons, items }
}

pub(crate) fn begin(store: &Arc<dyn Store>) -> Transaction {
    Transaction::begin(store.clone(), Isolation::Snapshot).expect("a transaction begins")
}

pub(crate) fn commit(transaction: Transaction) {
    transaction.commit().expect("no other writer").wait().expect("memory is always durable");
}

pub(crate) fn reading(store: &Arc<dyn Store>) -> Context {
    Context::reading(store.snapshot().expect("a snapshot")).with_seed(SEED)
}

pub(crate) fn writing(store: &Arc<dyn Store>) -> Context {
    Context::writing(begin(store)).with_seed(SEED)
}

/// The seed of engine and oracle.
const SEED: u64 = 7;

pub(crate) fn builder() -> PlanBuilder {
    PlanBuilder::new(CompareMode::NullIsUnknown)
}

/// Rows as text: values by commas, a weight above 1 in front, absent as `-`.
pub(crate) fn rows(batch: &Batch) -> Vec<String> {
    (0..batch.len).map(|row| row_text(batch, row)).collect()
}

fn row_text(batch: &Batch, row: usize) -> String {
    let weight = batch.weight(row);
    let weight = if weight == 1 { String::new() } else { format!("{weight}x ") };
    let entries: Vec<String> = batch.columns.iter().map(|column| entry_text(column, row)).collect();
    format!("{weight}{}", entries.join(","))
}

fn entry_text(column: &Column, row: usize) -> String {
    if let ColumnValues::Bag(bags) = &column.values
        && !column.is_null(row)
    {
        let (offset, len) = bags.views[row];
        let rows = offset as usize..(offset + len) as usize;
        let rows: Vec<String> = rows.map(|row| row_text(&bags.rows, row)).collect();
        return format!("[{}]", rows.join(" "));
    }
    match column.get(row) {
        None => "-".to_owned(),
        Some(value) => value_text(&value),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::I64(int) => int.to_string(),
        Value::F64(double) => format!("{double:?}"),
        Value::String(text) => text.to_string(),
        Value::Vertex(vertex) => format!("v{vertex}"),
        Value::Edge(edge) => format!("e{edge}"),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(value_text).collect();
            format!("[{}]", values.join(" "))
        }
        other => format!("{other:?}"),
    }
}

/// Runs a plan on the fixture's graph; panics with the plan on an error, and if the oracle gives
/// anything else: the expectations of these tests hold for both.
pub(crate) fn run(store: &Arc<dyn Store>, plan: &Plan) -> Vec<String> {
    run_with(store, plan, &[])
}

pub(crate) fn run_with(
    store: &Arc<dyn Store>,
    plan: &Plan,
    parameters: &[Parameter],
) -> Vec<String> {
    match execute(plan, &reading(store), parameters) {
        Ok(batch) => {
            agrees_with_oracle(store, plan, parameters, &batch);
            rows(&batch)
        }
        Err(error) => panic!("{error}\n{plan}"),
    }
}

/// As multisets: where a weighted row is multiplied, its equal rows stay together in the engine. An
/// error of the oracle, which never stops early, may belong to a row that was not wanted.
fn agrees_with_oracle(
    store: &Arc<dyn Store>,
    plan: &Plan,
    parameters: &[Parameter],
    batch: &Batch,
) {
    let context = reading(store);
    let before = Before::of(context.graph());
    let unordered = Plan { ordered: false, ..plan.clone() };
    let outcome = |result| Outcome::of(result, &unordered, &context, &before);
    let expected = outcome(oracle::execute(plan, &context, parameters));
    let found = outcome(Ok(batch.clone()));
    let is_error = matches!(expected, Outcome::Error { .. });
    assert!(is_error || expected == found, "oracle\n{expected}engine\n{found}{plan}");
}

pub(crate) fn error(store: &Arc<dyn Store>, plan: &Plan) -> millrace_model::Error {
    match execute(plan, &reading(store), &[]) {
        Ok(batch) => panic!("gave {:?}\n{plan}", rows(&batch)),
        Err(error) => error,
    }
}

/// Runs a plan that writes, and commits it.
pub(crate) fn write(store: &Arc<dyn Store>, plan: &Plan) -> Vec<String> {
    let context = writing(store);
    let batch = match execute(plan, &context, &[]) {
        Ok(batch) => batch,
        Err(error) => panic!("{error}\n{plan}"),
    };
    commit(context.into_transaction().expect("it writes"));
    rows(&batch)
}

/// The physical operators of a plan.
pub(crate) fn operators(plan: &Plan) -> String {
    Prepared::new(plan).expect("a good plan").explain().operators_text()
}

/// Integers as a source of rows.
pub(crate) fn numbers(
    plan: &mut PlanBuilder,
    name: &str,
    numbers: impl IntoIterator<Item = i64>,
) -> ColumnId {
    let rows = numbers.into_iter().map(|number| vec![Value::I64(number)]).collect();
    let to = plan.column(name);
    plan.push(op::Rows { source: op::RowsSource::Literal(rows), to: vec![to] });
    to
}

/// Rows of numbers with a weight each, as a parameter's batch.
pub(crate) fn weighted(pairs: &[(i64, u64)]) -> Parameter {
    let mut batch = Batch::of(vec![Column::of(ColumnValues::I64(
        pairs.iter().map(|&(number, _)| number).collect(),
    ))]);
    batch.weights = Some(Arc::new(pairs.iter().map(|&(_, weight)| weight).collect()));
    Parameter::Rows(batch)
}

/// Expands along a type, with an edge column and a mode for loops.
pub(crate) fn expand_edges(
    plan: &mut PlanBuilder,
    from: ColumnId,
    direction: Direction,
    edge_type: &str,
    loops: Loops,
) -> (ColumnId, ColumnId) {
    let (edge, to) = (plan.column("e"), plan.column("x"));
    plan.push(op::Expand {
        from,
        types: Some(vec![Name::from(edge_type)]),
        direction,
        edge: Some(edge),
        to: Some(to),
        loops,
    });
    (edge, to)
}

pub(crate) fn name_of(element: ColumnId) -> Expr {
    Expr::property(element, "name")
}

/// A vertex template with keyed properties.
pub(crate) fn vertex(label: &str, keyed: Vec<(&str, Expr)>) -> Template {
    let keyed = keyed.into_iter().map(|(key, expr)| (Name::from(key), expr)).collect();
    let properties = millrace_plan::Properties { keyed, map: None };
    Template::Vertex { labels: vec![label.into()], properties }
}

pub(crate) fn edge(edge_type: &str, source: ColumnId, target: ColumnId) -> Template {
    let properties = millrace_plan::Properties::default();
    Template::Edge { edge_type: edge_type.into(), source, target, properties, must_have_ends: None }
}
