//! The plans behind the functions: one template each, with the names of a call filled in.
//!
//! A node's *key* is a property. A type made by a script has it under [`OWN_KEY`], unique in the
//! type; a loaded type may name one of its own (a unique index over one property); in a graph
//! loaded from N-Quads every vertex has [`GLOBAL_KEY`]. Look-up accepts all of them. Lua, requests of routes
//! and results never enter here.

mod find;
mod timestamps;

pub use find::Condition;
pub(crate) use find::{Give, Order, Wanted, filter, find, fits};
pub(crate) use timestamps::{shown_value, stored_value};

use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;
use millrace_model::{Catalog, Direction, Owner};
use millrace_plan::{
    ApplyKind, ColumnId, Definition, ElementKind, End, Expr, Fold, Loops, Name, OwnerName, Plan,
    PlanBuilder, Properties, ScanSource, Template, op,
};

/// The key property of types that scripts make.
pub(crate) const OWN_KEY: &str = "_key";

/// The key property that is unique in a whole graph: external names of loaded data.
pub(crate) const GLOBAL_KEY: &str = "xid";

/// Where keys of a type are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeySource {
    /// The owner of the property.
    pub(crate) owner: OwnerName,
    /// Which property.
    pub(crate) property: Name,
}

/// The places to look a key of a type up, best first.
pub(crate) fn key_sources(catalog: &Catalog, label: &str) -> Vec<KeySource> {
    let own = catalog.label(label).and_then(|id| unique_key(catalog, Owner::Label(id)));
    let own = own.map(|property| KeySource { owner: OwnerName::Label(label.into()), property });
    own.into_iter().chain(global_key(catalog)).collect()
}

fn global_key(catalog: &Catalog) -> Option<KeySource> {
    let property = unique_key(catalog, Owner::AllVertices)?;
    Some(KeySource { owner: OwnerName::AllVertices, property })
}

/// The property of a unique index over one key; [`OWN_KEY`] before others.
fn unique_key(catalog: &Catalog, owner: Owner) -> Option<Name> {
    let of_owner = catalog.indexes.of_owner(owner);
    let unique = of_owner.filter(|index| index.kind == IndexKind::Unique && index.keys.len() == 1);
    let names: Vec<&Name> = unique.filter_map(|index| catalog.keys.name(index.keys[0].0)).collect();
    names.iter().find(|name| &****name == OWN_KEY).or(names.first()).map(|&name| name.clone())
}

/// Every property that serves as a key, best first; `getKey` reads them in this order.
pub(crate) fn key_properties(catalog: &Catalog) -> Vec<Name> {
    let owners = catalog.indexes.iter().map(|index| index.owner);
    let mut names: Vec<Name> = vec![OWN_KEY.into()];
    for owner in owners.filter(|owner| matches!(owner, Owner::Label(_) | Owner::AllVertices)) {
        names.extend(unique_key(catalog, owner).filter(|name| !names.contains(name)));
    }
    names
}

pub(crate) fn builder() -> PlanBuilder {
    PlanBuilder::new(CompareMode::Plain)
}

/// A plan for each row of `$rows`, and the columns of these.
fn of_rows<const N: usize>(names: [&str; N]) -> (PlanBuilder, [ColumnId; N]) {
    let mut plan = builder();
    let rows = plan.parameter("rows");
    let columns = plan.rows(rows, names);
    (plan, columns)
}

/// A plan for each element of `$rows`.
fn of_elements(element: ElementKind) -> (PlanBuilder, ColumnId) {
    let (mut plan, [name]) = of_rows(["id"]);
    let owner = plan.ids(element, Expr::Column(name), "x");
    (plan, owner)
}

fn names(types: Option<&[String]>) -> Option<Vec<&str>> {
    types.map(|types| types.iter().map(String::as_str).collect())
}

/// `$key` → the vertex of a type. A graph-wide key must also have the label.
pub(crate) fn vertex_by_key(source: &KeySource, label: &str) -> Plan {
    let mut plan = builder();
    let key = plan.parameter("key");
    let vertex = seek(&mut plan, source, label, Expr::Parameter(key), "v");
    plan.finish(vec![vertex])
}

/// Rows `$rows` (key) → the keys that name a vertex of a type.
pub(crate) fn known_keys(source: &KeySource, label: &str) -> Plan {
    let (mut plan, [key]) = of_rows(["key"]);
    seek(&mut plan, source, label, Expr::Column(key), "v");
    plan.finish(vec![key])
}

fn seek(
    plan: &mut PlanBuilder,
    source: &KeySource,
    label: &str,
    value: Expr,
    to: &str,
) -> ColumnId {
    let to = plan.column(to);
    seek_into(plan, source, label, value, to);
    to
}

pub(crate) fn seek_into(
    plan: &mut PlanBuilder,
    source: &KeySource,
    label: &str,
    value: Expr,
    to: ColumnId,
) {
    let (owner, keys) = (source.owner.clone(), vec![source.property.clone()]);
    plan.push(op::Seek { owner, keys, values: vec![value], range: None, to });
    if source.owner == OwnerName::AllVertices {
        let vertex = Box::new(Expr::Column(to));
        plan.filter(Expr::HasLabel { vertex, label: label.into() });
    }
}

/// Rows `$rows` (key, properties…) → new vertices of a type.
pub(crate) fn create_vertices(label: &str, key_property: &str, keys: &[String]) -> Plan {
    let (plan, [key]) = of_rows(["key"]);
    finish_create(plan, label, (key_property, key), None, keys)
}

/// Rows `$rows` (key, chosen id, properties…) → new vertices of a type; a null id is not chosen.
pub(crate) fn create_vertices_with_ids(label: &str, key_property: &str, keys: &[String]) -> Plan {
    let (plan, [key, id]) = of_rows(["key", "id"]);
    finish_create(plan, label, (key_property, key), Some(Expr::Column(id)), keys)
}

fn finish_create(
    mut plan: PlanBuilder,
    label: &str,
    (key_property, key): (&str, ColumnId),
    id: Option<Expr>,
    keys: &[String],
) -> Plan {
    let mut properties = extend_rows(&mut plan, keys);
    properties.keyed.push((key_property.into(), Expr::Column(key)));
    let to = plan.column("v");
    let template = Template::Vertex { labels: vec![label.into()], properties };
    plan.push(op::Create { template, id, to });
    plan.finish(vec![to])
}

/// Gives the last `Rows` a column for each property key.
fn extend_rows(plan: &mut PlanBuilder, keys: &[String]) -> Properties {
    let columns: Vec<ColumnId> = keys.iter().map(|key| plan.column(key)).collect();
    plan.extend_rows(&columns);
    let keyed = keys.iter().zip(columns);
    Properties {
        keyed: keyed.map(|(key, column)| (key.as_str().into(), Expr::Column(column))).collect(),
        map: None,
    }
}

/// How a new edge's end is named.
#[derive(Clone, Debug)]
pub(crate) enum EndSource<'a> {
    /// By id.
    Id,
    /// By type and key.
    Key {
        /// Where the key is looked up.
        source: &'a KeySource,
        /// The type.
        label: &'a str,
    },
}

/// Rows `$rows` (source, target, properties…) → new edges; no row where an end is unknown.
pub(crate) fn create_edges(
    edge_type: &str,
    source: &EndSource<'_>,
    target: &EndSource<'_>,
    keys: &[String],
) -> Plan {
    let (plan, [edge, ..]) = creating_edges(edge_type, source, target, keys);
    plan.finish(vec![edge])
}

/// The same → new edges with their ends.
pub(crate) fn create_edges_with_ends(
    edge_type: &str,
    source: &EndSource<'_>,
    target: &EndSource<'_>,
    keys: &[String],
) -> Plan {
    let (plan, output) = creating_edges(edge_type, source, target, keys);
    plan.finish(output.to_vec())
}

fn creating_edges(
    edge_type: &str,
    source: &EndSource<'_>,
    target: &EndSource<'_>,
    keys: &[String],
) -> (PlanBuilder, [ColumnId; 3]) {
    let (mut plan, [source_name, target_name]) = of_rows(["source name", "target name"]);
    let properties = extend_rows(&mut plan, keys);
    let source = end(&mut plan, source, source_name, "source");
    let target = end(&mut plan, target, target_name, "target");
    let to = plan.column("e");
    let template = Template::Edge {
        edge_type: edge_type.into(),
        source,
        target,
        properties,
        must_have_ends: None,
    };
    plan.push(op::Create { template, id: None, to });
    (plan, [to, source, target])
}

fn end(plan: &mut PlanBuilder, end: &EndSource<'_>, name: ColumnId, to: &str) -> ColumnId {
    match end {
        EndSource::Id => plan.ids(ElementKind::Vertex, Expr::Column(name), to),
        EndSource::Key { source, label } => seek(plan, source, label, Expr::Column(name), to),
    }
}

/// The result of a walk for each edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// The other end.
    Neighbours,
    /// The other end and the edge.
    Links,
}

/// Rows `$rows` (vertex) → a bag of neighbours, or of neighbours and edges, for each.
pub(crate) fn walk(walk: Walk, direction: Direction, types: Option<&[String]>) -> Plan {
    let (mut plan, [vertex]) = of_rows(["v"]);
    let (bag, to) = (plan.column("links"), plan.column("n"));
    let edge = (walk == Walk::Links).then(|| plan.column("e"));
    let columns = std::iter::once(to).chain(edge).collect();
    let types = names(types).map(|types| types.into_iter().map(Name::from).collect());
    plan.apply(ApplyKind::Bag { columns, to: bag }, |sub| {
        let (to, loops) = (Some(to), Loops::Twice);
        sub.push(op::Expand { from: vertex, types, direction, edge, to, loops });
    });
    plan.finish(vec![bag])
}

/// Rows `$rows` (vertex) → the degree of each.
pub(crate) fn degree(direction: Direction, types: Option<&[String]>) -> Plan {
    let (mut plan, [vertex]) = of_rows(["v"]);
    let to = plan.column("degree");
    let types = names(types);
    plan.apply(ApplyKind::Value { fold: Fold::Count, to }, |sub| {
        sub.expand(vertex, direction, types.as_deref(), "n");
    });
    plan.finish(vec![to])
}

/// Rows `$rows` (vertex) → the distinct neighbours of all of them.
pub(crate) fn distinct_neighbours(direction: Direction, types: Option<&[String]>) -> Plan {
    let (mut plan, [vertex]) = of_rows(["v"]);
    let neighbour = plan.expand(vertex, direction, names(types).as_deref(), "n");
    plan.push(op::Dedup { columns: vec![neighbour] });
    plan.finish(vec![neighbour])
}

/// The ends of all edges of the types: source and target of each, in no order.
pub(crate) fn ends(types: &[String]) -> Plan {
    let mut plan = builder();
    let edge = plan.column("e");
    let types = types.iter().map(|kind| kind.as_str().into()).collect();
    plan.push(op::Scan { source: ScanSource::Edges(Some(types)), to: edge });
    let (source, target) = (plan.column("source"), plan.column("target"));
    plan.push(op::Endpoints { edge, end: End::Source, to: source });
    plan.push(op::Endpoints { edge, end: End::Target, to: target });
    plan.finish(vec![source, target])
}

/// Rows `$rows` (element) → labels or type, and each of the properties.
pub(crate) fn properties(element: ElementKind, keys: &[Name]) -> Plan {
    let (mut plan, [owner]) = of_rows(["x"]);
    let kind = kind_of(&mut plan, element, owner);
    let values = keys.iter().map(|key| plan.project(key, Expr::property(owner, key)));
    let output = std::iter::once(kind).chain(values.collect::<Vec<_>>()).collect();
    plan.finish(output)
}

fn kind_of(plan: &mut PlanBuilder, element: ElementKind, owner: ColumnId) -> ColumnId {
    let owner = Box::new(Expr::Column(owner));
    match element {
        ElementKind::Vertex => plan.project("labels", Expr::Labels(owner)),
        ElementKind::Edge => plan.project("type", Expr::EdgeType(owner)),
    }
}

/// Rows `$rows` (element) → those that exist, with all fields: id, labels or type, fields, and
/// for an edge its source and target.
pub(crate) fn whole(element: ElementKind) -> Plan {
    let (mut plan, owner) = of_elements(element);
    let output = show(&mut plan, element, owner);
    plan.finish(output)
}

/// All that is shown of an element: itself, labels or type, fields, and an edge's source and target.
pub(crate) fn show(plan: &mut PlanBuilder, element: ElementKind, owner: ColumnId) -> Vec<ColumnId> {
    let kind = kind_of(plan, element, owner);
    let fields = plan.column("fields");
    plan.push(op::Fields { element: owner, keys: None, languages: None, to: fields });
    let mut output = vec![owner, kind, fields];
    if element == ElementKind::Edge {
        for (end, name) in [(End::Source, "source"), (End::Target, "target")] {
            let to = plan.column(name);
            plan.push(op::Endpoints { edge: owner, end, to });
            output.push(to);
        }
    }
    output
}

/// Rows `$rows` (element, value) → the property set on each; a null value removes it.
pub(crate) fn set_property(element: ElementKind, key: &str) -> Plan {
    let (mut plan, [name, value]) = of_rows(["id", "value"]);
    let owner = plan.ids(element, Expr::Column(name), "x");
    let keyed = vec![(key.into(), Expr::Column(value))];
    let properties = Properties { keyed, map: None };
    plan.push(op::Set { element: owner, properties, replace: false, rules: Default::default() });
    plan.finish(vec![owner])
}

/// Rows `$rows` (element, map) → the map's properties set on each; with `replace`, all but the
/// others are removed first.
pub(crate) fn set_properties(element: ElementKind, retained: Option<&[Name]>) -> Plan {
    let (mut plan, [name, map]) = of_rows(["id", "properties"]);
    let owner = plan.ids(element, Expr::Column(name), "x");
    // A replaced element keeps its key: it is its name, not one of its properties.
    let keyed = retained.unwrap_or_default().iter();
    let keyed = keyed.map(|key| (key.clone(), Expr::property(owner, key))).collect();
    let properties = Properties { keyed, map: Some(Expr::Column(map)) };
    plan.push(op::Set {
        element: owner,
        properties,
        replace: retained.is_some(),
        rules: Default::default(),
    });
    plan.finish(vec![owner])
}

/// Rows `$rows` (element) → a property removed from each.
pub(crate) fn remove_property(element: ElementKind, key: &str) -> Plan {
    let (mut plan, owner) = of_elements(element);
    plan.push(op::Remove {
        element: owner,
        keys: Some(vec![key.into()]),
        rules: Default::default(),
    });
    plan.finish(vec![owner])
}

/// Rows `$rows` (element) → each deleted, a vertex with its edges.
pub(crate) fn delete(element: ElementKind) -> Plan {
    let (mut plan, owner) = of_elements(element);
    plan.push(op::Delete { element: Expr::Column(owner), detach: true });
    plan.finish(vec![owner])
}

/// The source of a listing.
fn source(element: ElementKind, kind: Option<&str>) -> ScanSource {
    match element {
        ElementKind::Vertex => ScanSource::Vertices(kind.map(Name::from)),
        ElementKind::Edge => ScanSource::Edges(kind.map(|kind| vec![kind.into()])),
    }
}

/// How many elements there are of a type, or in all.
pub(crate) fn count(element: ElementKind, kind: Option<&str>) -> Plan {
    let mut plan = builder();
    let to = plan.column("x");
    plan.push(op::Scan { source: source(element, kind), to });
    let count = plan.aggregate(&[], "count", Fold::Count);
    plan.finish(vec![count])
}

/// The elements of a type, or all, by id, from `skip` on.
pub(crate) fn list(element: ElementKind, kind: Option<&str>, skip: u64, limit: u64) -> Plan {
    let mut plan = builder();
    let to = plan.column("x");
    plan.push(op::Scan { source: source(element, kind), to });
    plan.push(op::Range::of(skip, Some(skip.saturating_add(limit))));
    plan.finish(vec![to])
}

/// A change of the catalog.
pub(crate) fn define(definition: Definition) -> Plan {
    let mut plan = builder();
    plan.push(op::Define { definition });
    plan.finish(Vec::new())
}
