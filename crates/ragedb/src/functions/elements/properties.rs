//! Properties of vertices and of edges: read, set, replace, delete; singly and in bulk.
//!
//! A node's key is not among its properties: it is never shown, set or deleted by these functions.

use millrace_model::value::ValueMap;
use millrace_model::{Column, Value};
use millrace_plan::{ElementKind, Name};
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, table};
use crate::functions::function::{CallResult, Family, Function};
use crate::json;
use crate::plans;
use crate::session::Session;
use crate::values;

use ElementKind::{Edge, Vertex};

pub(in crate::functions) const NODES: Family = Family {
    title: "Node properties",
    functions: &[
        Function::write("NodeDeleteProperties", "START", "bool", |l, a| reset(l, a, Vertex, false)),
        Function::write("NodeDeleteProperty", "START, property", "bool", |l, a| {
            delete(l, a, Vertex)
        }),
        Function::read("NodeGetProperties", "START", "table", |l, a| get_all(l, a, Vertex)),
        Function::read("NodeGetProperty", "START, property", "object", |l, a| get(l, a, Vertex)),
        Function::read("NodeIdsGetProperties", "{ids}", "map id -> table", |l, a| {
            get_all_many(l, a, Vertex)
        }),
        Function::read("NodeIdsGetProperty", "{ids}, property", "map id -> object", |l, a| {
            get_many(l, a, Vertex)
        }),
        Function::read("NodeIdsGetPropertyRaw", "{ids}, property", "map id -> object", |l, a| {
            get_many(l, a, Vertex)
        }),
        Function::write("NodeResetPropertiesFromJson", "START, properties", "bool", |l, a| {
            reset(l, a, Vertex, true)
        }),
        Function::write("NodeSetPropertiesFromJson", "START, properties", "bool", |l, a| {
            set_many(l, a, Vertex)
        }),
        Function::write("NodeSetProperty", "START, property, value", "bool", |l, a| {
            set(l, a, Vertex, false)
        }),
        Function::write("NodeSetPropertyFromJson", "START, property, value", "bool", |l, a| {
            set(l, a, Vertex, true)
        }),
    ],
};

pub(in crate::functions) const RELATIONSHIPS: Family = Family {
    title: "Relationship properties",
    functions: &[
        Function::write("RelationshipDeleteProperties", "id", "bool", |l, a| {
            reset(l, a, Edge, false)
        }),
        Function::write("RelationshipDeleteProperty", "id, property", "bool", |l, a| {
            delete(l, a, Edge)
        }),
        Function::read("RelationshipGetProperties", "id", "table", |l, a| get_all(l, a, Edge)),
        Function::read("RelationshipGetProperty", "id, property", "object", |l, a| get(l, a, Edge)),
        Function::write("RelationshipResetPropertiesFromJson", "id, properties", "bool", |l, a| {
            reset(l, a, Edge, true)
        }),
        Function::write("RelationshipSetPropertiesFromJson", "id, properties", "bool", |l, a| {
            set_many(l, a, Edge)
        }),
        Function::write("RelationshipSetProperty", "id, property, value", "bool", |l, a| {
            set(l, a, Edge, false)
        }),
        Function::write(
            "RelationshipSetPropertyFromJson",
            "id, property, value",
            "bool",
            |l, a| set(l, a, Edge, true),
        ),
        Function::read("RelationshipsGetProperties", "{ids}", "map id -> table", |l, a| {
            get_all_many(l, a, Edge)
        }),
        Function::read(
            "RelationshipsGetProperty",
            "{ids}, property",
            "map id -> object",
            |l, a| get_many(l, a, Edge),
        ),
    ],
};

/// The element a call names; 0 if there is none.
fn owner(
    session: &mut Session,
    arguments: &mut Arguments,
    element: ElementKind,
) -> mlua::Result<u64> {
    match element {
        Vertex => {
            let start = arguments.start()?;
            Ok(call::resolve(session, &start)?.map_or(0, |vertex| vertex.0))
        }
        Edge => arguments.id("a relationship's id"),
    }
}

fn property_name(arguments: &mut Arguments) -> mlua::Result<String> {
    let name = arguments.text("a property")?;
    must_not_be_a_key(&Value::string(&name))?;
    Ok(name)
}

fn must_not_be_a_key(name: &Value) -> mlua::Result<()> {
    if !call::is_key_name(name) {
        return Ok(());
    }
    let name = name.as_str().unwrap_or_default();
    Err(mlua::Error::runtime(format!("{name} is the key of a node, not a property")))
}

fn get(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    let name = arguments.text("a property")?;
    arguments.end()?;
    let values = call::property(session, element, &[id], &name)?;
    values::to_lua(lua, values.first().and_then(Option::as_ref))
}

/// A property of many elements; of links, that of their nodes or of their relationships.
pub(in crate::functions) fn get_many(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> CallResult {
    let ids = arguments.frontier()?.ids_of(element);
    let name = arguments.text("a property")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let values = call::property(session, element, &ids, &name)?;
    call::by_id(session, lua, &ids, Items::Values(values))
}

fn get_all(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    arguments.end()?;
    let properties = call::all_properties(session, element, &[id])?;
    let properties = properties.into_iter().next().map(|(_, properties)| Value::map(properties));
    values::to_lua(lua, Some(&properties.unwrap_or_else(|| Value::map(ValueMap::new()))))
}

/// All properties of many elements, likewise.
pub(in crate::functions) fn get_all_many(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> CallResult {
    let ids = arguments.frontier()?.ids_of(element);
    arguments.end()?;
    call::all_properties_by_id(&mut *Session::of(lua)?, lua, element, &ids)
}

fn set(lua: &Lua, mut arguments: Arguments, element: ElementKind, from_json: bool) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    let name = property_name(&mut arguments)?;
    let value = if from_json {
        json::parse(&arguments.text("a value as JSON")?).map_err(mlua::Error::external)?
    } else {
        values::from_lua(&arguments.value())?
    };
    arguments.end()?;
    let template = match element {
        Vertex => "set vertex property",
        Edge => "set edge property",
    };
    let rows = table(vec![call::elements(element, &[id]), Column::from_values([value])]);
    let build = || plans::set_property(element, &name);
    let batch = session.run((template, name.clone()), &rows, build)?;
    (batch.len > 0).into_lua(lua)
}

fn set_many(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    let properties = properties_argument(&mut arguments)?;
    arguments.end()?;
    assign(session, element, id, properties, None)?.into_lua(lua)
}

/// Replaces all properties, by others or by none; a node keeps its key.
fn reset(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
    has_properties: bool,
) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    let properties =
        if has_properties { properties_argument(&mut arguments)? } else { ValueMap::new() };
    arguments.end()?;
    let retained = match element {
        Vertex => plans::key_properties(&session.catalog()),
        Edge => Vec::new(),
    };
    assign(session, element, id, properties, Some(&retained))?.into_lua(lua)
}

fn properties_argument(arguments: &mut Arguments) -> mlua::Result<ValueMap> {
    let text = arguments.text("properties as JSON")?;
    let properties = json::parse_properties(&text).map_err(mlua::Error::external)?;
    properties.iter().try_for_each(|(name, _)| must_not_be_a_key(name))?;
    Ok(properties)
}

fn assign(
    session: &mut Session,
    element: ElementKind,
    id: u64,
    properties: ValueMap,
    retained: Option<&[Name]>,
) -> mlua::Result<bool> {
    let template = match (element, retained) {
        (Vertex, None) => "set vertex properties",
        (Vertex, Some(_)) => "replace vertex properties",
        (Edge, None) => "set edge properties",
        (Edge, Some(_)) => "replace edge properties",
    };
    let detail = retained.unwrap_or_default().join("\0");
    let columns =
        vec![call::elements(element, &[id]), Column::from_values([Value::map(properties)])];
    let build = || plans::set_properties(element, retained);
    let batch = session.run((template, detail), &table(columns), build)?;
    Ok(batch.len > 0)
}

fn delete(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let id = owner(session, &mut arguments, element)?;
    let name = property_name(&mut arguments)?;
    arguments.end()?;
    let template = match element {
        Vertex => "remove vertex property",
        Edge => "remove edge property",
    };
    let rows = call::rows(call::elements(element, &[id]));
    let build = || plans::remove_property(element, &name);
    let batch = session.run((template, name.clone()), &rows, build)?;
    (batch.len > 0).into_lua(lua)
}
