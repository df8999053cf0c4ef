//! The defined rules, and the errors that name their violations: one wording for every backend.
//!
//! Null counts as missing, for required properties and for indexes.
//!
//! Rules and errors of a catalog enter, as functions of values. Nothing here reads a graph to find a violation.

use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod, PropertyDefinition};
use millrace_model::{
    Catalog, EdgeTypeId, Error, ErrorKind, ExternalId, KeyId, LabelId, Owner, Phase, PropertyType,
    Result, Value, VertexId, Violation, Violator,
};
use millrace_terms::KeyExtractor;

use crate::changes::{Changes, Isolation, WriteBatch};
use crate::external_ids;
use crate::reads::KeyRanges;

/// The definitions that hold for a vertex with these labels.
pub fn vertex_owners(labels: &[LabelId]) -> impl Iterator<Item = Owner> + '_ {
    labels.iter().map(|label| Owner::Label(*label)).chain([Owner::AllVertices])
}

/// An index of vertices that holds those with these labels.
pub fn holds_labels(owner: Owner, labels: &[LabelId]) -> bool {
    match owner {
        Owner::Label(label) => labels.contains(&label),
        Owner::AllVertices => true,
        Owner::EdgeType(_) | Owner::AllEdges => false,
    }
}

/// An index of edges that holds those of this type.
pub fn holds_type(owner: Owner, edge_type: EdgeTypeId) -> bool {
    match owner {
        Owner::EdgeType(own) => own == edge_type,
        Owner::AllEdges => true,
        Owner::Label(_) | Owner::AllVertices => false,
    }
}

/// The value as its definition stores it.
pub fn accept(catalog: &Catalog, defined: &PropertyDefinition, value: &Value) -> Result<Value> {
    let accepted = defined.kind.accept(value.clone());
    accepted.ok_or_else(|| wrong_type(catalog, defined, value))
}

/// The error of a value that its definition does not allow.
pub fn wrong_type(catalog: &Catalog, defined: &PropertyDefinition, value: &Value) -> Error {
    let (owner, key) = (owner_name(catalog, defined.owner), key_name(catalog, defined.key));
    let (kind, given) = (defined.kind, value.type_name());
    let text = value_text(value);
    Error::new(ErrorKind::Constraint, format!("{owner}.{key} is {kind}, not {given}: {text}"))
        .with_help(match defined.kind {
            PropertyType::Date | PropertyType::DateTime | PropertyType::DateList => {
                "give ISO 8601 text, such as 2010-02-14T15:32:10Z, or seconds since 1970".to_owned()
            }
            _ => format!("give a value of type {kind}"),
        })
}

/// Whether a stored value has the form of its definition; a write set makes it so before.
pub fn check_form(
    catalog: &Catalog,
    defined: &PropertyDefinition,
    value: &Value,
    id: u64,
) -> Result<()> {
    if defined.kind.accept(value.clone()).as_ref() == Some(value) {
        return Ok(());
    }
    let (owner, key) = (owner_name(catalog, defined.owner), key_name(catalog, defined.key));
    let (kind, given) = (defined.kind, value.type_name());
    let (element, text) = (element_name(defined.owner, id), value_text(value));
    let detail =
        format!("{owner}.{key} is {kind}, and the value of {element} is of type {given}: {text}");
    Err(Error::new(ErrorKind::Constraint, detail)
        .with_help(format!("write the values as {kind} before it is defined")))
}

/// A required property is missing of an element.
pub fn missing(catalog: &Catalog, defined: &PropertyDefinition, id: u64) -> Error {
    let (owner, key) = (owner_name(catalog, defined.owner), key_name(catalog, defined.key));
    let element = element_name(defined.owner, id);
    let violator = violator(catalog, defined.owner, id);
    let violation = Violation::Missing { element: violator, key: key.as_str().into() };
    Error::new(ErrorKind::Constraint, format!("{owner}.{key} is required, and {element} has none"))
        .with_help(format!("give {key} a value"))
        .with_violation(violation)
}

/// A unique value is there already, of an element; where the rule is new, of another one, too.
pub fn duplicate(
    catalog: &Catalog,
    index: &IndexDefinition,
    (id, other): (u64, Option<u64>),
    values: &[Value],
) -> Error {
    if let (true, [kept]) = (index.is_of_external_ids(), values)
        && let Some(id) = ExternalId::of_stored(kept)
    {
        return id_exists(index.owner, &id);
    }
    let owner = owner_name(catalog, index.owner);
    let pairs = index
        .keys
        .iter()
        .zip(values)
        .map(|(key, value)| format!("{} = {}", key_name(catalog, *key), value_text(value)));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let named = index.keys.iter().zip(values);
    let named = named.map(|(key, value)| (key_name(catalog, *key).into(), value.clone()));
    let element = violator(catalog, index.owner, id);
    Error::new(ErrorKind::Constraint, format!("{owner} with {pairs} already exists"))
        .with_help("use another value, or change the existing one")
        .with_violation(Violation::Duplicate { element, other, values: named.collect() })
}

/// A vertex cannot go, since edges of it stay.
pub fn still_connected(vertex: VertexId, is_new: bool) -> Error {
    let detail = format!("vertex {vertex} cannot be deleted: it still has edges");
    Error::new(ErrorKind::Constraint, detail)
        .with_help("delete its edges first, or detach it")
        .with_violation(Violation::Connected { vertex, is_new })
}

fn violator(catalog: &Catalog, owner: Owner, id: u64) -> Violator {
    let is_edge = matches!(owner, Owner::EdgeType(_) | Owner::AllEdges);
    Violator { is_edge, id, owner: owner_name(catalog, owner).into() }
}

/// There is an edge from this source to this target already, and its type is a set.
pub fn second_edge(
    catalog: &Catalog,
    edge_type: EdgeTypeId,
    (source, target): (VertexId, VertexId),
) -> Error {
    let name = name_of(catalog.edge_types.name(edge_type.0), edge_type.0);
    let detail =
        format!("{name} is a set, and there is one from vertex {source} to {target} already");
    Error::new(ErrorKind::Constraint, detail).with_help("change the existing one")
}

/// On a graph that demands it, a batch must carry its reads, or only change the schema.
pub fn check_isolation(catalog: &Catalog, batch: &WriteBatch, parts: &[&Changes]) -> Result<()> {
    if !catalog.serializable
        || batch.isolation == Isolation::Serializable
        || batch.spilled.is_empty() && parts.iter().all(|part| part.writes_nothing())
    {
        return Ok(());
    }
    if batch.catalog_version < catalog.version {
        let detail = "the graph demands serializable transactions since this one began";
        return Err(Error::new(ErrorKind::Conflict, detail)
            .with_help("run the transaction again")
            .in_phase(Phase::Commit));
    }
    let detail = "the graph demands serializable transactions, and this one has no read set";
    Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Commit))
}

/// A bulk load looks at no lists, so it takes no edges of a type that is a set.
pub fn check_load(catalog: &Catalog, edge_type: EdgeTypeId) -> Result<()> {
    if !catalog.is_set(edge_type) {
        return Ok(());
    }
    let name = owner_name(catalog, Owner::EdgeType(edge_type));
    let detail = format!("{name} is a set: a bulk load takes no edges of it");
    Err(Error::new(ErrorKind::Unsupported, detail).with_help("load them in transactions"))
}

/// A vertex of a chosen id is there already.
pub fn vertex_exists(id: VertexId) -> Error {
    id_exists(Owner::AllVertices, &ExternalId::Number(id.0))
}

/// An element of a chosen id is there already.
pub fn id_exists(owner: Owner, id: &ExternalId) -> Error {
    let kind = external_ids::kind_of(owner);
    Error::new(ErrorKind::AlreadyExists, format!("{kind} {id} exists already"))
        .with_help("choose another id, or change the existing one")
}

/// The own number of an element is another's external id: chosen between its lease and
/// its commit. A write conflict, so the transaction may be run again.
pub fn number_chosen(owner: Owner, number: u64) -> Error {
    let kind = external_ids::kind_of(owner);
    let detail = format!("{number}, the number of a new {kind}, was chosen for another one");
    Error::new(ErrorKind::Conflict, detail).with_help("run the transaction again")
}

/// Requires an index to answer ranges of this form.
pub fn check_ranges(
    catalog: &Catalog,
    index: &IndexDefinition,
    ranges: &KeyRanges<'_>,
) -> Result<()> {
    let bounded = ranges.lower.is_some() || ranges.upper.is_some();
    let keys = ranges.prefix.len() + usize::from(bounded);
    if index.kind == IndexKind::Range && keys <= index.keys.len() {
        return Ok(());
    }
    let owner = owner_name(catalog, index.owner);
    let (kind, has) = (index.kind, index.keys.len());
    let detail = format!("an index of {owner} of kind {kind:?} over {has} keys has no such ranges");
    Err(Error::new(ErrorKind::Unsupported, detail).with_help("create an index of kind Range"))
}

/// Requires an index to hold made keys.
pub fn check_candidates(catalog: &Catalog, index: &IndexDefinition) -> Result<()> {
    if index.kind == IndexKind::Made {
        return Ok(());
    }
    let owner = owner_name(catalog, index.owner);
    let detail = format!("an index of {owner} of kind {:?} has no made keys", index.kind);
    Err(Error::new(ErrorKind::Unsupported, detail).with_help("create an index of kind Made"))
}

/// The error of a value that an index cannot hold, with the index.
pub fn of_index(catalog: &Catalog, index: &IndexDefinition, error: Error) -> Error {
    let keys: Vec<String> = index.keys.iter().map(|key| key_name(catalog, *key)).collect();
    let (owner, keys) = (owner_name(catalog, index.owner), keys.join(", "));
    let detail = format!("the index of {owner} over {keys}: {}", error.detail);
    Error { detail, ..error }
}

/// How the names of notes begin that hold the names of indexes and constraints.
pub const RULE_NOTES: &str = "schema.rule.";

/// The error of the build of an index with a name.
pub fn of_build(name: &str, error: Error) -> Error {
    let detail = format!("the index '{name}' cannot be built: {}", error.detail);
    Error { detail, ..error }
}

/// The error of a value that an index which is being built cannot hold, with the element that has it, and a query that
/// finds all such elements.
pub fn of_stored(catalog: &Catalog, index: &IndexDefinition, id: u64, error: Error) -> Error {
    let of_index = of_index(catalog, index, Error { detail: String::new(), ..error.clone() });
    let element = element_name(index.owner, id);
    let detail = format!("{}{element} does not fit: {}", of_index.detail, error.detail);
    let fitting = Error { detail, ..error };
    match unfit_of(catalog, index, &fitting) {
        Some(query) => fitting.with_help(format!(
            "change or remove such values and make the index again; in Cypher `{query}` finds them"
        )),
        None => fitting,
    }
}

/// A query for all elements with vectors that an index refuses as it refuses the one of the error.
fn unfit_of(catalog: &Catalog, index: &IndexDefinition, error: &Error) -> Option<String> {
    let KeyMethod(method) = index.method.as_ref()?;
    let KeyExtractor::Vectors(space) = method.parse().ok()? else { return None };
    let quoted = |name: String| format!("`{}`", name.replace('`', "``"));
    let key = quoted(key_name(catalog, *index.keys.first()?));
    let owner = quoted(owner_name(catalog, index.owner));
    let pattern = match index.owner {
        Owner::Label(_) => format!("(e:{owner})"),
        Owner::AllVertices => "(e)".to_owned(),
        Owner::EdgeType(_) => format!("()-[e:{owner}]->()"),
        Owner::AllEdges => "()-[e]->()".to_owned(),
    };
    let unfit = space.unfit_where(&format!("e.{key}"), error)?;
    Some(format!("MATCH {pattern} WHERE {unfit} RETURN e"))
}

/// An element that should be there is not.
pub fn no_such(element: impl std::fmt::Display) -> Error {
    let error = Error::new(ErrorKind::NotFound, format!("{element} does not exist"));
    error.with_name("EntityNotFound")
}

/// The name of a label or edge type.
pub fn owner_name(catalog: &Catalog, owner: Owner) -> String {
    match owner {
        Owner::Label(LabelId(number)) => name_of(catalog.labels.name(number), number),
        Owner::EdgeType(EdgeTypeId(number)) => name_of(catalog.edge_types.name(number), number),
        Owner::AllVertices => "vertex".to_string(),
        Owner::AllEdges => "edge".to_string(),
    }
}

/// A defined property, as a person reads it.
pub fn property_name(catalog: &Catalog, defined: &PropertyDefinition) -> String {
    format!("{}.{}", owner_name(catalog, defined.owner), key_name(catalog, defined.key))
}

/// An element by its id, as a person reads it.
fn element_name(owner: Owner, id: u64) -> String {
    match owner {
        Owner::EdgeType(_) | Owner::AllEdges => format!("edge {id}"),
        Owner::Label(_) | Owner::AllVertices => format!("vertex {id}"),
    }
}

fn key_name(catalog: &Catalog, key: KeyId) -> String {
    name_of(catalog.keys.name(key.0), key.0)
}

fn name_of(name: Option<&std::sync::Arc<str>>, number: u32) -> String {
    name.map_or_else(|| format!("#{number}"), ToString::to_string)
}

/// The value as a person reads it, shortened: an error is no place for a book.
fn value_text(value: &Value) -> String {
    const CHARACTERS_MAX: usize = 80;
    let text = match value {
        Value::String(text) => format!("\"{text}\""),
        Value::I64(int) => int.to_string(),
        Value::F64(double) => format!("{double:?}"),
        Value::Bool(truth) => truth.to_string(),
        other => format!("{other:?}"),
    };
    if text.chars().count() <= CHARACTERS_MAX {
        return text;
    }
    text.chars().take(CHARACTERS_MAX).chain(['…']).collect()
}
