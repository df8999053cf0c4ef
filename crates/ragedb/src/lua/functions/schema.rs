//! Types and property types. A type made here is declared, and its key is unique.

use millrace_model::schema::IndexKind;
use millrace_model::{Catalog, Owner, PropertyType};
use millrace_plan::{Definition, ElementKind, Name, OwnerName};
use mlua::{IntoLua, Lua};

use super::{Family, Function};
use crate::lua::arguments::Arguments;
use crate::lua::session::Session;
use crate::plans::{self, OWN_KEY};

pub(super) const FAMILY: Family = Family {
    title: "Schema (types, property types)",
    functions: &[
        Function::admin("NodePropertyTypeAdd", "node_type, key, type", "int", |lua, arguments| {
            add_property(lua, arguments, ElementKind::Vertex)
        }),
        Function::admin("NodePropertyTypeDelete", "type, key", "bool", |lua, arguments| {
            delete_property(lua, arguments, ElementKind::Vertex)
        }),
        Function::read("NodeTypeGet", "type", "map name -> data type", |lua, arguments| {
            get_type(lua, arguments, ElementKind::Vertex)
        }),
        Function::read("NodeTypeGetType", "type id", "string", |lua, arguments| {
            type_name(lua, arguments, ElementKind::Vertex)
        }),
        Function::read("NodeTypeGetTypeId", "type", "int", |lua, arguments| {
            type_id(lua, arguments, ElementKind::Vertex)
        }),
        Function::admin("NodeTypeInsert", "type", "int", |lua, arguments| {
            insert_type(lua, arguments, ElementKind::Vertex)
        }),
        Function::read("NodeTypesGet", "", "{string}", |lua, arguments| {
            get_types(lua, arguments, ElementKind::Vertex)
        }),
        Function::read("NodeTypesGetCount", "none \\| type", "int", |lua, arguments| {
            count_types(lua, arguments, ElementKind::Vertex)
        }),
        Function::admin(
            "RelationshipPropertyTypeAdd",
            "relationship_type, key, type",
            "int",
            |lua, arguments| add_property(lua, arguments, ElementKind::Edge),
        ),
        Function::admin("RelationshipPropertyTypeDelete", "type, key", "bool", |lua, arguments| {
            delete_property(lua, arguments, ElementKind::Edge)
        }),
        Function::read("RelationshipTypeGet", "type", "map name -> data type", |lua, arguments| {
            get_type(lua, arguments, ElementKind::Edge)
        }),
        Function::read("RelationshipTypeGetType", "type id", "string", |lua, arguments| {
            type_name(lua, arguments, ElementKind::Edge)
        }),
        Function::read("RelationshipTypeGetTypeId", "type", "int", |lua, arguments| {
            type_id(lua, arguments, ElementKind::Edge)
        }),
        Function::admin("RelationshipTypeInsert", "type", "int", |lua, arguments| {
            insert_type(lua, arguments, ElementKind::Edge)
        }),
        Function::read("RelationshipTypesGet", "", "{string}", |lua, arguments| {
            get_types(lua, arguments, ElementKind::Edge)
        }),
        Function::read("RelationshipTypesGetCount", "none \\| type", "int", |lua, arguments| {
            count_types(lua, arguments, ElementKind::Edge)
        }),
    ],
};

fn owner_name(element: ElementKind, name: &str) -> OwnerName {
    match element {
        ElementKind::Vertex => OwnerName::Label(name.into()),
        ElementKind::Edge => OwnerName::EdgeType(name.into()),
    }
}

fn owner(catalog: &Catalog, element: ElementKind, name: &str) -> Option<Owner> {
    match element {
        ElementKind::Vertex => catalog.label(name).map(Owner::Label),
        ElementKind::Edge => catalog.edge_type(name).map(Owner::EdgeType),
    }
}

/// RageDB counts types from 1; 0 is no type.
fn number(catalog: &Catalog, element: ElementKind, name: &str) -> i64 {
    match owner(catalog, element, name) {
        Some(Owner::Label(label)) => i64::from(label.0) + 1,
        Some(Owner::EdgeType(edge_type)) => i64::from(edge_type.0) + 1,
        Some(Owner::AllVertices | Owner::AllEdges) | None => 0,
    }
}

/// The name behind a type's number.
pub(super) fn name_of(catalog: &Catalog, element: ElementKind, number: u64) -> Option<Name> {
    let index = u32::try_from(number.checked_sub(1)?).ok()?;
    let names = match element {
        ElementKind::Vertex => &catalog.labels,
        ElementKind::Edge => &catalog.edge_types,
    };
    names.name(index).cloned()
}

fn define(session: &mut Session, definition: Definition) -> mlua::Result<()> {
    session.run_once(&plans::define(definition), &[]).map(|_| ())
}

/// Declares a vertex type with its unique key, unless it has a key already.
pub(super) fn declare_vertex_type(session: &mut Session, label: &str) -> mlua::Result<()> {
    let owner = OwnerName::Label(label.into());
    define(session, Definition::CreateOwner(owner.clone()))?;
    if plans::key_sources(&session.catalog(), label).is_empty() {
        let (keys, kind) = (vec![OWN_KEY.into()], IndexKind::Unique);
        define(session, Definition::CreateIndex { owner, keys, kind })?;
    }
    Ok(())
}

fn declare(session: &mut Session, element: ElementKind, name: &str) -> mlua::Result<()> {
    match element {
        ElementKind::Vertex => declare_vertex_type(session, name),
        ElementKind::Edge => define(session, Definition::CreateOwner(owner_name(element, name))),
    }
}

fn insert_type(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let name = arguments.text("a type")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    declare(session, element, &name)?;
    number(&session.catalog(), element, &name).into_lua(lua)
}

fn type_id(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> mlua::Result<mlua::Value> {
    let name = arguments.text("a type")?;
    number(&Session::of(lua)?.catalog(), element, &name).into_lua(lua)
}

fn type_name(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let number = arguments.id("a type's number")?;
    let name = name_of(&Session::of(lua)?.catalog(), element, number);
    name.unwrap_or_default().to_string().into_lua(lua)
}

fn get_types(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    arguments.end()?;
    let catalog = Session::of(lua)?.catalog();
    let names = match element {
        ElementKind::Vertex => &catalog.labels,
        ElementKind::Edge => &catalog.edge_types,
    };
    lua.create_sequence_from(names.iter().map(|name| name.to_string()))?.into_lua(lua)
}

fn count_types(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let session = &mut *Session::of(lua)?;
    if arguments.is_empty() {
        let catalog = session.catalog();
        let names = match element {
            ElementKind::Vertex => &catalog.labels,
            ElementKind::Edge => &catalog.edge_types,
        };
        return names.len().into_lua(lua);
    }
    let kind = arguments.text("a type")?;
    super::all::count(session, element, Some(&kind))?.into_lua(lua)
}

fn get_type(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let name = arguments.text("a type")?;
    let catalog = Session::of(lua)?.catalog();
    let table = lua.create_table()?;
    if let Some(owner) = owner(&catalog, element, &name) {
        for property in catalog.properties.iter().filter(|property| property.owner == owner) {
            let key = catalog.keys.name(property.key.0).map(|key| key.to_string());
            table.raw_set(key, property.kind.to_string())?;
        }
    }
    table.into_lua(lua)
}

fn add_property(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let name = arguments.text("a type")?;
    let key = arguments.text("a property")?;
    let word = arguments.text("a data type")?;
    arguments.end()?;
    let kind = PropertyType::parse(&word).ok_or_else(|| {
        let words: Vec<&str> = PropertyType::ALL.iter().map(|(_, word)| *word).collect();
        mlua::Error::runtime(format!("{word} is no data type; there are {}", words.join(", ")))
    })?;
    let session = &mut *Session::of(lua)?;
    if owner(&session.catalog(), element, &name).is_none() {
        declare(session, element, &name)?;
    }
    let (owner, key) = (owner_name(element, &name), Name::from(key));
    define(session, Definition::CreateProperty { owner, key: key.clone(), kind, required: false })?;
    session.catalog().key(&key).map_or(0, |key| key.0 + 1).into_lua(lua)
}

fn delete_property(
    lua: &Lua,
    mut arguments: Arguments,
    element: ElementKind,
) -> mlua::Result<mlua::Value> {
    let name = arguments.text("a type")?;
    let key = arguments.text("a property")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let catalog = session.catalog();
    let declared = owner(&catalog, element, &name).zip(catalog.key(&key));
    if declared.is_none_or(|(owner, key)| catalog.property(owner, key).is_none()) {
        return false.into_lua(lua);
    }
    let definition =
        Definition::DropProperty { owner: owner_name(element, &name), key: key.into() };
    define(session, definition)?;
    true.into_lua(lua)
}

/// The property under which new vertices of a type get their key.
pub(super) fn key_property(session: &mut Session, label: &str) -> mlua::Result<Name> {
    let sources = plans::key_sources(&session.catalog(), label);
    if let Some(source) = sources.into_iter().next() {
        return Ok(source.property);
    }
    declare_vertex_type(session, label)?;
    Ok(OWN_KEY.into())
}
