//! A change of the schema as a plan: the call of a procedure, and the removal of data.

use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Error, ErrorKind, Result, Value};
use millrace_plan::functions::Function;
use millrace_plan::language::{AnswerRoom, AnswerWriter};
use millrace_plan::op::{OnBatchError, RowCount};
use millrace_plan::{ApplyKind, Expr, Fold, Name, Op, PlanBuilder, ScanSource, op};

use super::names::stored_names;
use super::stages::Change;
use crate::changes::Alter;
use crate::limits::REMOVED_TOGETHER;
use crate::schema::{GraphSchema, IndexWord, Kind, Predicate};
use crate::syntax::parse_schema;
use crate::translate::{Input, refused_where};
use crate::tree::{PredicateSchema, SchemaItem};

/// The procedure that changes the schema: an operation and its argument.
const ALTER: &str = "dql.alter";

/// The plan of a change of the schema.
pub(crate) fn altered(alter: &Alter, schema: &GraphSchema) -> Result<Change> {
    let mut builder = PlanBuilder::new(CompareMode::Plain).without_merging();
    let (operation, argument) = match alter {
        Alter::Schema(text) => ("schema", text.as_str()),
        Alter::DropPredicate(name) => ("predicate", name.as_str()),
        Alter::DropType(name) => ("type", name.as_str()),
        Alter::RemoveEdges(name) => return removal(builder, |builder| edges_of(name, builder)),
        Alter::RemoveValues(name) => {
            let known = schema.predicate(name).filter(|known| !known.is_edge());
            let keys = known.map(|known| stored_names(name, &known, None)).unwrap_or_default();
            return removal(builder, |builder| values_of(&keys, builder));
        }
        // The database makes the graph anew.
        Alter::DropAll | Alter::DropData => {
            let detail = "a graph is emptied as a whole, and by no plan";
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
    };
    let statements = statements_of(alter);
    refuse_hiding(&mut builder, &statements, schema);
    let [operation_slot, argument_slot] =
        ["operation", "argument"].map(|name| Expr::Parameter(builder.parameter(name)));
    new_vectors(&statements, schema).for_each(|name| make_vectors(name, &mut builder));
    builder.push(op::Call {
        procedure: Name::from(ALTER),
        arguments: vec![operation_slot, argument_slot],
        yields: Vec::new(),
        writes: true,
    });
    match alter {
        Alter::DropPredicate(name) => {
            builder.begin_pipeline();
            let removed = edges_of(name, &mut builder);
            builder.push(removed);
            let sub = builder.end_pipeline();
            builder.push(op::Apply { sub, kind: ApplyKind::Effect });
            let known = schema.predicate(name).filter(|known| !known.is_edge());
            if let Some(known) = known {
                let keys = stored_names(name, &known, None);
                builder.begin_pipeline();
                let removed = values_of(&keys, &mut builder);
                builder.push(removed);
                let sub = builder.end_pipeline();
                builder.push(op::Apply { sub, kind: ApplyKind::Effect });
            }
        }
        Alter::Schema(_)
        | Alter::DropType(_)
        | Alter::DropAll
        | Alter::DropData
        | Alter::RemoveEdges(_)
        | Alter::RemoveValues(_) => {}
    }
    let inputs = [operation, argument].map(|own| Input::Data(Value::from(own)));
    Ok(change(builder, inputs.into()))
}

fn change(builder: PlanBuilder, inputs: Vec<Input>) -> Change {
    let (plan, layout) = (builder.finish(Vec::new()), String::new());
    Change { plan, inputs, answer: Box::new(Done), layout }
}

/// Removes in transactions of its own what is found.
fn removal(mut builder: PlanBuilder, found: impl FnOnce(&mut PlanBuilder) -> Op) -> Result<Change> {
    let removed = found(&mut builder);
    builder.begin_pipeline();
    builder.begin_pipeline();
    builder.push(removed);
    let sub = builder.end_pipeline();
    builder.push(op::Apply { sub, kind: ApplyKind::Effect });
    let sub = builder.end_pipeline();
    let (rows, on_error) = (RowCount::Number(REMOVED_TOGETHER), OnBatchError::Fail);
    builder.push(op::InTransactions { sub, rows, on_error, status: None });
    Ok(change(builder, Vec::new()))
}

/// Finds the edges of a predicate; what removes one.
fn edges_of(name: &str, builder: &mut PlanBuilder) -> Op {
    let source = ScanSource::Edges(Some(vec![Name::from(name)]));
    let to = builder.column("edge");
    builder.push(op::Scan { source, to });
    Op::Delete(op::Delete { element: Expr::Column(to), detach: false })
}

/// Finds the nodes that have one of some keys; what removes them.
fn values_of(keys: &[Name], builder: &mut PlanBuilder) -> Op {
    let element = builder.scan(None, "vertex");
    let is_there = |key: &Name| Expr::IsNull(Box::new(Expr::property(element, key))).negate();
    builder.filter(Expr::Or(keys.iter().map(is_there).collect()));
    let keys = Some(keys.to_vec());
    Op::Remove(op::Remove { element, keys, rules: Default::default() })
}

/// Refuses to make values of edges or edges of values while there are some, which the new type would hide.
fn refuse_hiding(builder: &mut PlanBuilder, statements: &[PredicateSchema], schema: &GraphSchema) {
    for statement in statements {
        let name = statement.predicate.text.as_str();
        let Some(known) = schema.predicate(name) else { continue };
        let Some(wanted) = Kind::of_word(&statement.value_type.name.text) else { continue };
        if known.is_edge() == (wanted == Kind::Uid) {
            continue;
        }
        let some = builder.column("some");
        builder.begin_pipeline();
        match known.is_edge() {
            true => {
                let source = ScanSource::Edges(Some(vec![Name::from(name)]));
                let to = builder.column("edge");
                builder.push(op::Scan { source, to });
            }
            false => {
                let vertex = builder.scan(None, "vertex");
                let is_there =
                    |key: Name| Expr::IsNull(Box::new(Expr::property(vertex, &key))).negate();
                let tests = stored_names(name, &known, None).into_iter().map(is_there);
                builder.filter(Expr::Or(tests.collect()));
            }
        }
        let sub = builder.end_pipeline();
        let kind = ApplyKind::Value { fold: Fold::Exists, to: some };
        builder.push(op::Apply { sub, kind });
        let message = format!(
            "Schema change not allowed from scalar to uid or vice versa while there is data for pred: {name}"
        );
        builder.filter(refused_where(Expr::Column(some), &message));
    }
}

/// The predicates of a schema's text; a text with faults is refused by the procedure, which says where they are.
fn statements_of(alter: &Alter) -> Vec<PredicateSchema> {
    let Alter::Schema(text) = alter else { return Vec::new() };
    let items = parse_schema(text).map(|parsed| parsed.items).unwrap_or_default();
    let statement = |item| match item {
        SchemaItem::Predicate(statement) => Some(statement),
        SchemaItem::Type(_) => None,
    };
    items.into_iter().filter_map(statement).collect()
}

/// The predicates with texts that become vectors with an index.
fn new_vectors<'s>(
    statements: &'s [PredicateSchema],
    schema: &'s GraphSchema,
) -> impl Iterator<Item = &'s str> {
    let is_new = move |statement: &&PredicateSchema| {
        let wanted = Predicate::of_statement(statement);
        let is_indexed = wanted.is_some_and(|own| own.indexes.iter().any(IndexWord::is_of_vectors));
        let known = schema.predicate(&statement.predicate.text);
        is_indexed && known.is_some_and(|own| own.kind.is_text() || own.is_altered)
    };
    statements.iter().filter(is_new).map(|own| own.predicate.text.as_str())
}

/// Stores the vectors that texts say: an index has what is stored.
fn make_vectors(name: &str, builder: &mut PlanBuilder) {
    builder.begin_pipeline();
    let element = builder.scan(None, "vertex");
    let own = Expr::call(Function::ToVector, vec![Expr::property(element, name)]);
    let vector = builder.project("vector", own);
    builder.filter(Expr::IsNull(Box::new(Expr::Column(vector))).negate());
    let keyed = vec![(Name::from(name), Expr::Column(vector))];
    let properties = op::Properties { keyed, map: None };
    let rules = Default::default();
    builder.push(op::Set { element, properties, replace: false, rules });
    let sub = builder.end_pipeline();
    builder.push(op::Apply { sub, kind: ApplyKind::Effect });
}

/// Says that it is done.
#[derive(Clone, Copy, Debug)]
struct Done;

impl AnswerWriter for Done {
    fn write(&self, _rows: &Batch, _room: &dyn AnswerRoom) -> Result<String> {
        Ok("{\"code\":\"Success\",\"message\":\"Done\"}".to_owned())
    }
}
