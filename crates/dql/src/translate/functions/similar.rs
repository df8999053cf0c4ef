//! `similar_to`: the nodes with the vectors that are nearest to one, by the index of the predicate.
//!
//! ```text
//!   similar_to(p, k, "[…]" | 0x1 | uid(x) | val(v), ef: n, distance_threshold: d)
//!   the vector, one row ──> Call dql.similar ──> nodes
//! ```
//!
//! The nodes are those of the whole graph, also in a filter, where they are a `Let` that is made once: a node passes if it
//! is one of them.

use millrace_model::Result;
use millrace_plan::{ColumnId, ElementKind, Expr, LookupMode, Name, SetName, UnionPick, op};

use super::subject;
use crate::schema::HNSW;
use crate::translate::levels::Comes;
use crate::translate::operands::Reading;
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::translate::variables::Values;
use crate::tree::{Argument, Function, Name as WrittenName, Value};
use crate::values::NearArgument;

/// The procedure that searches: the predicate, how many, the vector, `ef` and `distance_threshold`.
const SIMILAR: &str = "dql.similar";

/// Options, by their names, in the order of the procedure's arguments.
const OPTIONS: [(&str, NearArgument); 2] =
    [("ef", NearArgument::Breadth), ("distance_threshold", NearArgument::Distance)];

/// Where the vector comes from.
enum Origin<'f> {
    /// It is written, or the uid of a node that has it.
    Written(&'f Value),
    /// The nodes of a variable have it.
    Nodes(&'f WrittenName),
    /// It is the value of a variable.
    Value(&'f WrittenName),
}

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    translator.builder.begin_pipeline();
    let found = nodes(translator, function);
    let pipeline = translator.builder.end_pipeline();
    let Some(found) = found? else { return Ok(Expr::literal(false)) };
    let bound = translator.builder.bind_pipeline(&function.name, pipeline, vec![found]);
    Ok(Expr::InSet { item: Box::new(Expr::Column(node)), set: SetName::Let(bound) })
}

pub(super) fn source(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let found = nodes(translator, function)?;
    let none = |own: &mut Translator<'_>| own.nodes_of(Expr::List(Vec::new()));
    Ok((found.unwrap_or_else(|| none(translator)), Comes::InAnyOrder))
}

/// The nearest nodes, in the open pipeline; none: the graph has no such predicate.
fn nodes(translator: &mut Translator<'_>, function: &Function) -> Result<Option<ColumnId>> {
    let predicate = subject(translator, function)?;
    if predicate.is_reverse {
        let detail = format!("Predicate {} doesn't have reverse edge", predicate.name);
        return Err(translator.wrong(predicate.offset, detail));
    }
    if !predicate.languages.is_empty() {
        let detail = format!(
            "Language tags can only be used with predicates of string type having @lang directive in schema. Got: [{}]",
            predicate.name
        );
        return Err(translator.wrong(predicate.offset, detail));
    }
    let (of, count, options) = arguments(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(None) };
    check_index(translator, &named)?;
    let vector = vector(translator, &named, &of)?;
    let name = Expr::literal(predicate.name.as_str());
    let mut arguments = vec![name, count, Expr::Column(vector)];
    arguments.extend(options);
    let node = translator.builder.column("node");
    translator.builder.push(op::Call {
        procedure: Name::from(SIMILAR),
        arguments,
        yields: vec![(Name::from("node"), node)],
        writes: false,
    });
    Ok(Some(node))
}

/// Where the vector comes from, how many nodes are wanted, and the options.
fn arguments<'f>(
    translator: &mut Translator<'_>,
    function: &'f Function,
) -> Result<(Origin<'f>, Expr, [Expr; 2])> {
    let [count, of, more @ ..] = function.arguments.as_slice() else {
        let detail = format!(
            "Function '{}' requires 2 arguments plus optional key:value pairs, but got {}",
            function.name,
            function.arguments.len()
        );
        return Err(translator.wrong(function.offset, detail));
    };
    let Argument::Value(count) = count else { return Err(no_vector(translator, function)) };
    let count = near(translator, count, NearArgument::Count)?;
    let of = match of {
        Argument::Value(value) => Origin::Written(value),
        Argument::ValueOf(name) => Origin::Value(name),
        Argument::Uids { arguments, .. } => match arguments.as_slice() {
            [Argument::Value(value)] => Origin::Written(value),
            [Argument::Variable(name)] => Origin::Nodes(name),
            _ => return Err(no_vector(translator, function)),
        },
        Argument::Variable(_) | Argument::Named(_) => {
            return Err(no_vector(translator, function));
        }
    };
    let mut options = OPTIONS.map(|_| None);
    for argument in more {
        let Argument::Named(option) = argument else {
            let detail = "Expected named parameter in similar_to options (e.g. ef: 64)";
            return Err(translator.wrong(function.offset, detail));
        };
        let key = option.name.text.to_lowercase();
        let Some(at) = OPTIONS.iter().position(|(name, _)| *name == key) else {
            let detail = format!("Unknown option \"{key}\" in similar_to");
            let error = translator.wrong(option.name.offset, detail);
            return Err(error.with_help("options: ef, distance_threshold"));
        };
        if options[at].is_some() {
            let detail = format!("Duplicate key \"{key}\" in similar_to options");
            return Err(translator.wrong(option.name.offset, detail));
        }
        options[at] = Some(near(translator, &option.value, OPTIONS[at].1)?);
    }
    let null = || Expr::Literal(millrace_model::Value::Null);
    Ok((of, count, options.map(|option| option.unwrap_or_else(null))))
}

fn near(translator: &mut Translator<'_>, value: &Value, argument: NearArgument) -> Result<Expr> {
    translator.operands.read(value, Reading::Near(argument))
}

fn no_vector(translator: &Translator<'_>, function: &Function) -> millrace_model::Error {
    let error = translator.wrong(function.offset, "similar_to has no vector");
    error.with_help(
        "write similar_to(p, 3, \"[0.1, 0.2]\"), or a uid, uid(x) or val(x) as the third",
    )
}

/// A vector index is needed, in filters, too.
fn check_index(translator: &Translator<'_>, named: &Named<'_>) -> Result<()> {
    let Named { tree, known } = named;
    if known.is_indexed_by(&[HNSW]) {
        return Ok(());
    }
    let name = &tree.name;
    let detail = match known.indexes.is_empty() {
        true => format!("Predicate {name} is not indexed"),
        false => format!("Attribute {name} has no index of vectors, which similar_to asks"),
    };
    let help =
        format!("alter the schema: `{name}: float32vector @index(hnsw(metric: \"euclidean\")) .`");
    Err(translator.wrong(tree.offset, detail).with_help(help))
}

/// The vector in a row of its own; no row where a node has none.
fn vector(translator: &mut Translator<'_>, named: &Named<'_>, of: &Origin<'_>) -> Result<ColumnId> {
    let vector = translator.builder.column("vector");
    match of {
        Origin::Written(value) => {
            let written = near(translator, value, NearArgument::Vector)?;
            let ids = near(translator, value, NearArgument::Node)?;
            translator.builder.begin_pipeline();
            translator.builder.push(op::Project { columns: vec![(vector, written)] });
            let of_text = translator.builder.end_pipeline();
            translator.builder.begin_pipeline();
            let to = translator.builder.column("node");
            let (element, mode) = (ElementKind::Vertex, LookupMode::Unchecked);
            translator.builder.push(op::LookupById { element, ids, mode, to });
            let own = translator.value(to, named);
            translator.builder.push(op::Project { columns: vec![(vector, own)] });
            let of_node = translator.builder.end_pipeline();
            let branches = vec![of_text, of_node];
            translator.builder.push(op::Union { branches, pick: UnionPick::All });
        }
        Origin::Nodes(name) => {
            let (rows, nodes) = translator.uid_variable(&name.text)?;
            let to = translator.builder.column("node");
            translator.builder.push(op::LetRef { name: rows, columns: vec![(nodes, to)] });
            let own = translator.value(to, named);
            translator.builder.push(op::Project { columns: vec![(vector, own)] });
        }
        Origin::Value(name) => match translator.values_of(&name.text, name.offset)? {
            Values::Nodes(own) => {
                let columns = vec![(own.value, vector)];
                translator.builder.push(op::LetRef { name: own.name, columns });
            }
            Values::Scalar(_) => {
                let (value, _) = translator.value_at(None, None, &name.text, name.offset)?;
                translator.builder.push(op::Project { columns: vec![(vector, value)] });
            }
        },
    }
    let is_there = Expr::IsNull(Box::new(Expr::Column(vector))).negate();
    translator.builder.filter(is_there);
    Ok(vector)
}
