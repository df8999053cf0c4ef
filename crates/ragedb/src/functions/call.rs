//! Steps that several families share: find a vertex, run a template on rows, read a batch.

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::value::ValueMap;
use millrace_model::{Batch, Catalog, Column, ColumnValues, Direction, EdgeId, Value, VertexId};
use millrace_plan::{ElementKind, Name, Parameter};
use mlua::{IntoLua, Lua};

use super::function::CallResult;
use crate::arguments::Start;
use crate::columns::{Items, Node, Relationship, properties_byte_size};
use crate::json::text_of;
use crate::limits::LAZY_LISTS_MIN;
use crate::memory::Growth;
use crate::plans::{self, GLOBAL_KEY, OWN_KEY, Walk};
use crate::results::{List, table_by_id};
use crate::session::{LazyLists, Walked};
use crate::session::{PlanKey, Session};

/// The vertex a call names; `None` if there is none.
pub(super) fn resolve(session: &mut Session, start: &Start) -> mlua::Result<Option<VertexId>> {
    match start {
        Start::Id(id) => Ok((id.0 != 0).then_some(*id)),
        Start::Key { label, key } => vertex_by_key(session, label, key),
    }
}

/// The vertex of a type with a key.
pub(super) fn vertex_by_key(
    session: &mut Session,
    label: &str,
    key: &str,
) -> mlua::Result<Option<VertexId>> {
    let sources = plans::key_sources(&session.catalog(), label);
    for source in &sources {
        let plan_key = ("vertex by key", format!("{label}\0{}", source.property));
        let parameters = [Parameter::Value(Value::string(key))];
        let batch = session.run(plan_key, &parameters, || plans::vertex_by_key(source, label))?;
        if let Some(&vertex) = vertices(&batch, 0).first() {
            return Ok(Some(vertex));
        }
    }
    Ok(None)
}

/// Those of the keys that name a vertex of a type, found together.
pub(super) fn known_keys(
    session: &mut Session,
    label: &str,
    keys: &[String],
) -> mlua::Result<HashSet<String>> {
    let mut known = HashSet::new();
    for source in &plans::key_sources(&session.catalog(), label) {
        let plan_key = ("known keys", format!("{label}\0{}", source.property));
        let parameters = rows(Column::from_values(keys.iter().map(|key| Value::string(key))));
        let batch = session.run(plan_key, &parameters, || plans::known_keys(source, label))?;
        let found = entries(&batch, 0).into_iter().flatten();
        known.extend(found.map(|key| key_text(&key)));
    }
    Ok(known)
}

/// A rows parameter of one column.
pub(super) fn rows(column: Column) -> [Parameter; 1] {
    [Parameter::Rows(Batch::of(vec![column]))]
}

/// A rows parameter of several columns.
pub(super) fn table(columns: Vec<Column>) -> [Parameter; 1] {
    [Parameter::Rows(Batch::of(columns))]
}

/// Ids as a column of elements.
pub(super) fn elements(element: ElementKind, ids: &[u64]) -> Column {
    match element {
        ElementKind::Vertex => Column::vertices(ids.iter().map(|&id| VertexId(id)).collect()),
        ElementKind::Edge => Column::edges(ids.iter().map(|&id| EdgeId(id)).collect()),
    }
}

/// The vertices of a column.
pub(super) fn vertices(batch: &Batch, column: usize) -> &[VertexId] {
    batch.columns.get(column).and_then(|column| column.as_vertices()).unwrap_or_default()
}

/// The ids of a column of elements, weights expanded.
pub(super) fn ids(batch: &Batch, column: usize) -> Vec<u64> {
    let Some(column) = batch.columns.get(column) else { return Vec::new() };
    let id = |row: usize| match &column.values {
        ColumnValues::Vertex(vertices) => vertices[row].0,
        ColumnValues::Edge(edges) => edges[row].0,
        _ => 0,
    };
    let rows = (0..batch.len).flat_map(|row| std::iter::repeat_n(row, batch.weight(row) as usize));
    rows.map(id).collect()
}

/// The one integer of a result; 0 if it has no row.
pub(super) fn int(batch: &Batch) -> i64 {
    let value = batch.columns.first().filter(|_| batch.len > 0).and_then(|column| column.get(0));
    value.and_then(|value| value.as_int()).unwrap_or(0)
}

/// How many elements there are of a type, or in all.
pub(super) fn count(
    session: &mut Session,
    element: ElementKind,
    kind: Option<&str>,
) -> mlua::Result<i64> {
    let template = match element {
        ElementKind::Vertex => "count vertices",
        ElementKind::Edge => "count edges",
    };
    let detail = kind.map_or(String::new(), |kind| format!("={kind}"));
    let batch = session.run((template, detail), &[], || plans::count(element, kind))?;
    Ok(int(&batch))
}

/// Lists of a walk from each vertex of a frontier: shared entries and a view for each.
pub(super) fn walk(
    session: &mut Session,
    kind: Walk,
    frontier: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<Walked> {
    let (entries, views) = walked(session, kind, frontier, direction, types)?;
    Ok((session.share(entries)?, views))
}

/// The same lists, each with its length, walked when an entry is asked for. `None`: there are too few
/// to ask twice, or too many entries to be in one result.
pub(super) fn walk_later(
    session: &mut Session,
    kind: Walk,
    frontier: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<Option<Rc<LazyLists>>> {
    if frontier.len() < LAZY_LISTS_MIN {
        return Ok(None);
    }
    let degrees = degrees(session, frontier, direction, types)?;
    let in_all = degrees.iter().try_fold(0_u64, |sum, degree| sum.checked_add(*degree));
    if in_all.is_none_or(|sum| u64::from(u32::MAX) < sum) {
        return Ok(None);
    }
    let lengths = degrees.into_iter().map(|degree| degree as u32).collect();
    let (frontier, types) = (frontier.to_vec(), types.map(<[String]>::to_vec));
    let walk =
        move |session: &mut Session| walk(session, kind, &frontier, direction, types.as_deref());
    LazyLists::new(session, lengths, walk).map(Some)
}

/// The same, not yet shared.
pub(super) fn walked(
    session: &mut Session,
    kind: Walk,
    frontier: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<(Items, Vec<(u32, u32)>)> {
    let name = if kind == Walk::Links { "links" } else { "neighbours" };
    let parameters = rows(elements(ElementKind::Vertex, frontier));
    let batch = session.run(way_key(name, direction, types), &parameters, || {
        plans::walk(kind, direction, types)
    })?;
    Ok(bag_entries(kind, batch))
}

/// The degree of each vertex.
pub(super) fn degrees(
    session: &mut Session,
    vertices: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<Vec<u64>> {
    let parameters = rows(elements(ElementKind::Vertex, vertices));
    let plan_key = way_key("degree", direction, types);
    let batch = session.run(plan_key, &parameters, || plans::degree(direction, types))?;
    let degrees = entries(&batch, 0).into_iter();
    Ok(degrees
        .map(|degree| degree.and_then(|degree| degree.as_int()).unwrap_or(0) as u64)
        .collect())
}

/// The key of a walk: one prepared plan for each direction and set of types.
pub(super) fn way_key(
    template: &'static str,
    direction: Direction,
    types: Option<&[String]>,
) -> PlanKey {
    let types = types.map_or("*".to_owned(), |types| types.join("\0"));
    (template, format!("{direction}\0{types}"))
}

fn bag_entries(kind: Walk, batch: Batch) -> (Items, Vec<(u32, u32)>) {
    let len = batch.len;
    let column = batch.columns.into_iter().next().map(Arc::unwrap_or_clone);
    let Some(Column { values: ColumnValues::Bag(bags), .. }) = column else {
        return (Items::Ids(Vec::new()), vec![(0, 0); len]);
    };
    let mut columns = ids_of_columns(Arc::unwrap_or_clone(bags.rows)).into_iter();
    let mut next = || columns.next().unwrap_or_default();
    let entries = match kind {
        Walk::Neighbours => Items::Ids(next()),
        Walk::Links => Items::Links { nodes: next(), edges: next() },
    };
    (entries, bags.views)
}

/// The ids of columns of elements, weights expanded; nothing is copied if there are none.
fn ids_of_columns(batch: Batch) -> Vec<Vec<u64>> {
    if batch.weights.is_some() {
        return (0..batch.columns.len()).map(|column| ids(&batch, column)).collect();
    }
    let ids = |column: Arc<Column>| match Arc::unwrap_or_clone(column).values {
        ColumnValues::Vertex(vertices) => vertices.into_iter().map(|vertex| vertex.0).collect(),
        ColumnValues::Edge(edges) => edges.into_iter().map(|edge| edge.0).collect(),
        _ => vec![0; batch.len],
    };
    batch.columns.into_iter().map(ids).collect()
}

/// Whole vertices, those that exist, in the order of the ids.
pub(super) fn nodes(session: &mut Session, ids: &[u64]) -> mlua::Result<Vec<Node>> {
    let catalog = session.catalog();
    let key_names = plans::key_properties(&catalog);
    let parameters = rows(elements(ElementKind::Vertex, ids));
    let batch = session
        .run(("whole vertex", String::new()), &parameters, || plans::whole(ElementKind::Vertex))?;
    let growth = Growth::default();
    let node = |row: usize| {
        let node = node_of(&batch, row, &catalog, &key_names);
        growth.add(1, properties_byte_size(&node.properties) + node.key.len())?;
        Ok(node)
    };
    (0..batch.len).map(node).collect()
}

fn node_of(batch: &Batch, row: usize, catalog: &Catalog, key_names: &[Name]) -> Node {
    let properties = properties_of(&batch.columns[2], row, catalog);
    let key = key_names.iter().find_map(|name| {
        properties.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
    });
    Node {
        id: vertices(batch, 0)[row].0,
        label: first_text(&batch.columns[1], row),
        key: key.map(key_text).unwrap_or_default(),
        properties: properties.into_iter().filter(|(key, _)| !is_key_name(key)).collect(),
    }
}

/// Whether a property is a node's name rather than one of its properties.
pub(super) fn is_key_name(key: &Value) -> bool {
    matches!(key.as_str(), Some(OWN_KEY | GLOBAL_KEY))
}

/// A key as text.
pub(super) fn key_text(value: &Value) -> String {
    match value.as_int() {
        Some(int) => int.to_string(),
        None => value.as_str().map_or_else(|| text_of(value), str::to_owned),
    }
}

/// The text of an entry, or of its first entry if it is a list.
pub(super) fn first_text(column: &Column, row: usize) -> String {
    match column.get(row) {
        Some(Value::List(values)) => {
            values.first().and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        Some(value) => value.as_str().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}

fn properties_of(column: &Column, row: usize, catalog: &Catalog) -> ValueMap {
    let ColumnValues::Fields(fields) = &column.values else { return ValueMap::new() };
    let named = |field: &Field| {
        let name = catalog.keys.name(field.key.0)?;
        let value = plans::shown_value(catalog, field.key, &field.value).into_owned();
        Some((Value::String(name.clone()), value))
    };
    fields[row].iter().filter_map(named).collect()
}

/// Whole edges, those that exist, in the order of the ids.
pub(super) fn relationships(session: &mut Session, ids: &[u64]) -> mlua::Result<Vec<Relationship>> {
    let catalog = session.catalog();
    let parameters = rows(elements(ElementKind::Edge, ids));
    let batch = session
        .run(("whole edge", String::new()), &parameters, || plans::whole(ElementKind::Edge))?;
    let growth = Growth::default();
    let edge = |row: usize| Relationship {
        id: batch.columns[0].as_edges().map_or(0, |edges| edges[row].0),
        edge_type: first_text(&batch.columns[1], row),
        source: vertices(&batch, 3).get(row).map_or(0, |vertex| vertex.0),
        target: vertices(&batch, 4).get(row).map_or(0, |vertex| vertex.0),
        properties: properties_of(&batch.columns[2], row, &catalog),
    };
    let counted = |row: usize| {
        let edge = edge(row);
        growth.add(1, properties_byte_size(&edge.properties))?;
        Ok(edge)
    };
    (0..batch.len).map(counted).collect()
}

/// Whole elements, those that exist, in the order of the ids.
pub(super) fn whole(
    session: &mut Session,
    element: ElementKind,
    ids: &[u64],
) -> mlua::Result<Items> {
    Ok(match element {
        ElementKind::Vertex => Items::Nodes(nodes(session, ids)?),
        ElementKind::Edge => Items::Relationships(relationships(session, ids)?),
    })
}

/// A list result, its bytes counted.
pub(super) fn list(session: &mut Session, lua: &Lua, items: Items) -> CallResult {
    List::all(session.share(items)?).into_lua(lua)
}

/// The first of some elements, or nil.
pub(super) fn first(session: &mut Session, lua: &Lua, items: Items) -> CallResult {
    match items.len() {
        0 => Ok(mlua::Value::Nil),
        _ => session.share(items)?.to_lua(lua, 0),
    }
}

/// The type of each edge, as a list of texts; absent where there is no such edge.
pub(super) fn edge_types(session: &mut Session, ids: &[u64]) -> mlua::Result<Items> {
    let parameters = rows(elements(ElementKind::Edge, ids));
    let plan_key = ("edge types", String::new());
    let batch = session.run(plan_key, &parameters, || plans::properties(ElementKind::Edge, &[]))?;
    Ok(Items::Values(entries(&batch, 0)))
}

/// The entries of a column.
pub(super) fn entries(batch: &Batch, column: usize) -> Vec<Option<Value>> {
    let Some(column) = batch.columns.get(column) else { return Vec::new() };
    (0..batch.len).map(|row| column.get(row)).collect()
}

/// One property of each element; absent where it has none.
pub(super) fn property(
    session: &mut Session,
    element: ElementKind,
    ids: &[u64],
    key: &str,
) -> mlua::Result<Vec<Option<Value>>> {
    let template = match element {
        ElementKind::Vertex => "vertex property",
        ElementKind::Edge => "edge property",
    };
    let parameters = rows(elements(element, ids));
    let batch = session.run((template, key.to_owned()), &parameters, || {
        plans::properties(element, &[Name::from(key)])
    })?;
    Ok(shown(session, key, entries(&batch, 1)))
}

/// Values of a property as a script sees them.
pub(super) fn shown(
    session: &mut Session,
    key: &str,
    mut values: Vec<Option<Value>>,
) -> Vec<Option<Value>> {
    let catalog = session.catalog();
    let Some(key) = catalog.key(key) else { return values };
    for value in values.iter_mut().flatten() {
        if let Cow::Owned(seconds) = plans::shown_value(&catalog, key, value) {
            *value = seconds;
        }
    }
    values
}

/// All properties of each element that exists, by its id.
pub(super) fn all_properties(
    session: &mut Session,
    element: ElementKind,
    ids: &[u64],
) -> mlua::Result<Vec<(u64, ValueMap)>> {
    Ok(match element {
        ElementKind::Vertex => {
            let nodes = nodes(session, ids)?;
            nodes.into_iter().map(|node| (node.id, node.properties)).collect()
        }
        ElementKind::Edge => {
            let edges = relationships(session, ids)?;
            edges.into_iter().map(|edge| (edge.id, edge.properties)).collect()
        }
    })
}

/// A vertex's label and key, without its other properties.
pub(super) struct Named {
    pub(super) label: String,
    pub(super) key: String,
}

/// The label and key of each vertex; empty where there is none.
pub(super) fn named(session: &mut Session, ids: &[u64]) -> mlua::Result<Vec<Named>> {
    let keys = plans::key_properties(&session.catalog());
    let plan_key = ("names", keys.join("\0"));
    let parameters = rows(elements(ElementKind::Vertex, ids));
    let build = || plans::properties(ElementKind::Vertex, &keys);
    let batch = session.run(plan_key, &parameters, build)?;
    let key = |row: usize| {
        let found = batch.columns[1..].iter().find_map(|column| column.get(row));
        found.map(|value| key_text(&value)).unwrap_or_default()
    };
    let growth = Growth::default();
    let named = |row: usize| {
        let named = Named { label: first_text(&batch.columns[0], row), key: key(row) };
        // Its texts, and one of them as a value.
        let texts = named.label.len() + named.key.len();
        growth.add(1, size_of::<Named>() + size_of::<Value>() + 2 * texts)?;
        Ok(named)
    };
    (0..batch.len).map(named).collect()
}

/// A text of each vertex that exists, by its id.
pub(super) fn texts(
    session: &mut Session,
    lua: &Lua,
    ids: &[u64],
    what: fn(&Named) -> String,
) -> CallResult {
    let named = named(session, ids)?;
    let text = |named: &Named| {
        (!named.label.is_empty() || !named.key.is_empty()).then(|| Value::string(&what(named)))
    };
    by_id(session, lua, ids, Items::Values(named.iter().map(text).collect()))
}

/// All properties of each element that exists, as a list of maps.
pub(super) fn all_property_maps(
    session: &mut Session,
    element: ElementKind,
    ids: &[u64],
) -> mlua::Result<Items> {
    let properties = all_properties(session, element, ids)?;
    let maps = properties.into_iter().map(|(_, properties)| Some(Value::map(properties)));
    Ok(Items::Values(maps.collect()))
}

/// The same, by their ids.
pub(super) fn all_properties_by_id(
    session: &mut Session,
    lua: &Lua,
    element: ElementKind,
    ids: &[u64],
) -> CallResult {
    let properties = all_properties(session, element, ids)?;
    let (ids, maps): (Vec<u64>, Vec<_>) =
        properties.into_iter().map(|(id, properties)| (id, Some(Value::map(properties)))).unzip();
    by_id(session, lua, &ids, Items::Values(maps))
}

/// Whole elements that exist, by their ids.
pub(super) fn whole_by_id(
    session: &mut Session,
    lua: &Lua,
    element: ElementKind,
    ids: &[u64],
) -> CallResult {
    let items = whole(session, element, ids)?;
    let ids: Vec<u64> = match &items {
        Items::Nodes(nodes) => nodes.iter().map(|node| node.id).collect(),
        Items::Relationships(edges) => edges.iter().map(|edge| edge.id).collect(),
        Items::Ids(_) | Items::Links { .. } | Items::Values(_) => Vec::new(),
    };
    by_id(session, lua, &ids, items)
}

/// Entries of a bulk call in a table keyed by id, as RageDB gives them: an id that is asked for twice is
/// there once, and one without an entry is not there.
pub(super) fn by_id(session: &mut Session, lua: &Lua, ids: &[u64], items: Items) -> CallResult {
    let items = session.share(items)?;
    table_by_id(lua, session, ids, &items).map(mlua::Value::Table)
}
