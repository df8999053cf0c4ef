//! Vertices: add, find by key, read, remove.

use millrace_model::{Column, Value};
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::columns::properties_byte_size;
use crate::functions::call::{self, first, list, table};
use crate::functions::function::{CallResult, Family, Function};
use crate::functions::schema;
use crate::json;
use crate::plans;
use crate::session::Session;

pub(in crate::functions) const FAMILY: Family = Family {
    title: "Nodes",
    functions: &[
        Function::write(
            "NodeAdd",
            "type, key \\| type, key, properties \\| type, {keys}, {properties}",
            "int (0 if the key is taken), or {int}",
            add,
        ),
        Function::read("NodeGet", "type, key \\| id", "Node", get),
        Function::read("NodeGetId", "type, key", "int", get_id),
        Function::read("NodeGetKey", "id", "string", |l, a| one(l, a, |node| node.key.clone())),
        Function::read("NodeGetType", "id", "string", |l, a| one(l, a, |node| node.label.clone())),
        Function::read("NodeGetTypeId", "id", "int", get_type_id),
        Function::read("NodeIdsGetKey", "{ids}", "map id -> string", |l, a| {
            each(l, a, |node| node.key.clone())
        }),
        Function::read("NodeIdsGetType", "{ids}", "map id -> string", |l, a| {
            each(l, a, |node| node.label.clone())
        }),
        Function::write("NodeRemove", "type, key \\| id", "bool", remove),
        Function::read("NodesGet", "{ids} \\| {links}", "map id -> Node", get_many),
    ],
};

/// New vertices of one type, as rows: their keys and the properties of each.
pub(in crate::functions) struct NewNodes {
    pub(in crate::functions) label: String,
    pub(in crate::functions) keys: Vec<String>,
    pub(in crate::functions) properties: Vec<Vec<(Value, Value)>>,
}

fn add(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let label = arguments.text("a type")?;
    let many = arguments.next_is_list();
    let keys =
        if many { arguments.texts("a list of keys")? } else { vec![arguments.text("a key")?] };
    let texts = match (arguments.is_empty(), many) {
        (true, _) => Vec::new(),
        (false, true) => arguments.texts("a list of properties")?,
        (false, false) => vec![arguments.text("properties as JSON")?],
    };
    arguments.end()?;
    if !texts.is_empty() && texts.len() != keys.len() {
        let message = format!("NodeAdd: {} keys and {} properties", keys.len(), texts.len());
        return Err(mlua::Error::runtime(message));
    }
    let properties = texts.iter().map(|text| {
        let properties = json::parse_properties(text).map_err(mlua::Error::external)?;
        arguments.growth().add(1, properties_byte_size(&properties))?;
        Ok(properties)
    });
    let mut properties = properties.collect::<mlua::Result<Vec<_>>>()?;
    properties.resize(keys.len(), Vec::new());
    let session = &mut *Session::of(lua)?;
    let ids = create(session, &NewNodes { label, keys, properties })?;
    match ids.as_slice() {
        [id] if !many => id.into_lua(lua),
        _ => list(session, lua, Items::Ids(ids)),
    }
}

/// Rows of a call with the same property names: one plan makes them all.
struct Alike {
    names: Vec<String>,
    rows: Vec<usize>,
}

/// The ids of new vertices, in order; 0 where the key is taken, by an earlier one of the call too.
pub(in crate::functions) fn create(
    session: &mut Session,
    new: &NewNodes,
) -> mlua::Result<Vec<u64>> {
    let mut taken = call::known_keys(session, &new.label, &new.keys)?;
    let mut groups: Vec<Alike> = Vec::new();
    for (row, key) in new.keys.iter().enumerate() {
        if !taken.insert(key.clone()) {
            continue;
        }
        let names = property_names(&new.properties[row]);
        match groups.iter_mut().find(|group| group.names == names) {
            Some(group) => group.rows.push(row),
            None => groups.push(Alike { names, rows: vec![row] }),
        }
    }
    let mut ids = vec![0; new.keys.len()];
    for group in &groups {
        let made = create_alike(session, new, group)?;
        for (row, vertex) in group.rows.iter().zip(made) {
            ids[*row] = vertex;
        }
    }
    cache_new(session, new, &ids);
    Ok(ids)
}

/// Caches new vertices of a type that has its keys in one place: no other vertex can have these keys.
fn cache_new(session: &mut Session, new: &NewNodes, ids: &[u64]) {
    if plans::key_sources(&session.catalog(), &new.label).len() != 1 {
        return;
    }
    for (key, &vertex) in new.keys.iter().zip(ids).filter(|(_, vertex)| **vertex != 0) {
        session.cache_vertex(Some((&new.label, key)), vertex);
    }
}

fn property_names(properties: &[(Value, Value)]) -> Vec<String> {
    properties.iter().map(|(name, _)| name.as_str().unwrap_or_default().to_owned()).collect()
}

fn create_alike(session: &mut Session, new: &NewNodes, group: &Alike) -> mlua::Result<Vec<u64>> {
    let (label, names) = (&new.label, &group.names);
    let key_property = schema::key_property(session, label)?;
    if names.iter().any(|name| **name == *key_property) {
        let message = format!("{key_property} is the key of {label}: give it as the key");
        return Err(mlua::Error::runtime(message));
    }
    let rows = || group.rows.iter();
    let keys = rows().map(|&row| Value::string(&new.keys[row]));
    let mut columns = vec![Column::from_values(keys)];
    columns.extend(
        (0..names.len()).map(|place| {
            Column::from_values(rows().map(|&row| new.properties[row][place].1.clone()))
        }),
    );
    let plan_key = ("create vertices", format!("{label}\0{}", names.join("\0")));
    let build = || plans::create_vertices(label, &key_property, names);
    let batch = session.run_some(plan_key, &table(columns), build)?;
    Ok(call::vertices(&batch, 0).iter().map(|vertex| vertex.0).collect())
}

fn get(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let start = arguments.start()?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    match call::resolve(session, &start)? {
        Some(vertex) => {
            let nodes = call::whole(session, ElementKind::Vertex, &[vertex.0])?;
            first(session, lua, nodes)
        }
        None => Ok(mlua::Value::Nil),
    }
}

fn get_id(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let label = arguments.text("a type")?;
    let key = arguments.text("a key")?;
    arguments.end()?;
    let vertex = call::vertex_by_key(&mut *Session::of(lua)?, &label, &key)?;
    vertex.map_or(0, |vertex| vertex.0).into_lua(lua)
}

fn get_type_id(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let id = arguments.id("an id")?;
    let session = &mut *Session::of(lua)?;
    let named = call::named(session, &[id])?;
    let catalog = session.catalog();
    let label = named.first().and_then(|named| catalog.label(&named.label));
    label.map_or(0, |label| label.0 + 1).into_lua(lua)
}

fn one(lua: &Lua, mut arguments: Arguments, what: fn(&call::Named) -> String) -> CallResult {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let named = call::named(&mut *Session::of(lua)?, &[id])?;
    named.first().map(what).unwrap_or_default().into_lua(lua)
}

fn each(lua: &Lua, mut arguments: Arguments, what: fn(&call::Named) -> String) -> CallResult {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    call::texts(&mut *Session::of(lua)?, lua, &frontier.nodes, what)
}

fn get_many(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    call::whole_by_id(&mut *Session::of(lua)?, lua, ElementKind::Vertex, &frontier.nodes)
}

fn remove(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let start = arguments.start()?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let Some(vertex) = call::resolve(session, &start)? else { return false.into_lua(lua) };
    let parameters = call::rows(call::elements(ElementKind::Vertex, &[vertex.0]));
    let plan_key = ("delete vertex", String::new());
    let batch = session.run(plan_key, &parameters, || plans::delete(ElementKind::Vertex))?;
    (batch.len > 0).into_lua(lua)
}
