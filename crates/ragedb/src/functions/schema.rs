//! Types and property types. A type made here is declared, and its key is unique.

use millrace_model::schema::{IndexKind, Names};
use millrace_model::{Catalog, Owner, PropertyType};
use millrace_plan::{Definition, ElementKind, Name, OwnerName};
use mlua::{IntoLua, Lua};

use super::call;
use super::function::{CallResult, Family, Function};
use crate::arguments::Arguments;
use crate::plans::{self, OWN_KEY};
use crate::session::Session;

use ElementKind::{Edge, Vertex};

pub(super) const FAMILY: Family = Family {
    title: "Schema (types, property types)",
    functions: &[
        Function::admin("NodePropertyTypeAdd", "node_type, key, type", "int", |l, a| {
            add_property(l, a, Vertex)
        }),
        Function::admin("NodePropertyTypeDelete", "type, key", "bool", |l, a| {
            delete_property(l, a, Vertex)
        }),
        Function::read("NodeTypeGet", "type", "map name -> data type", |l, a| {
            get_type(l, a, Vertex)
        }),
        Function::read("NodeTypeGetType", "type id", "string", |l, a| type_name(l, a, Vertex)),
        Function::read("NodeTypeGetTypeId", "type", "int", |l, a| type_id(l, a, Vertex)),
        Function::admin("NodeTypeInsert", "type", "int", |l, a| insert_type(l, a, Vertex)),
        Function::read("NodeTypesGet", "", "{string}", |l, a| get_types(l, a, Vertex)),
        Function::read("NodeTypesGetCount", "none \\| type", "int", |l, a| {
            count_types(l, a, Vertex)
        }),
        Function::admin(
            "RelationshipPropertyTypeAdd",
            "relationship_type, key, type",
            "int",
            |l, a| add_property(l, a, Edge),
        ),
        Function::admin("RelationshipPropertyTypeDelete", "type, key", "bool", |l, a| {
            delete_property(l, a, Edge)
        }),
        Function::read("RelationshipTypeGet", "type", "map name -> data type", |l, a| {
            get_type(l, a, Edge)
        }),
        Function::read("RelationshipTypeGetType", "type id", "string", |l, a| {
            type_name(l, a, Edge)
        }),
        Function::read("RelationshipTypeGetTypeId", "type", "int", |l, a| type_id(l, a, Edge)),
        Function::admin("RelationshipTypeInsert", "type", "int", |l, a| insert_type(l, a, Edge)),
        Function::read("RelationshipTypesGet", "", "{string}", |l, a| get_types(l, a, Edge)),
        Function::read("RelationshipTypesGetCount", "none \\| type", "int", |l, a| {
            count_types(l, a, Edge)
        }),
    ],
};

fn owner_name(element: ElementKind, name: &str) -> OwnerName {
    match element {
        Vertex => OwnerName::Label(name.into()),
        Edge => OwnerName::EdgeType(name.into()),
    }
}

fn owner(catalog: &Catalog, element: ElementKind, name: &str) -> Option<Owner> {
    match element {
        Vertex => catalog.label(name).map(Owner::Label),
        Edge => catalog.edge_type(name).map(Owner::EdgeType),
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
    names(catalog, element).name(index).cloned()
}

/// The names of all labels, or of all edge types.
pub(super) fn names(catalog: &Catalog, element: ElementKind) -> &Names {
    match element {
        Vertex => &catalog.labels,
        Edge => &catalog.edge_types,
    }
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
        Vertex => declare_vertex_type(session, name),
        Edge => define(session, Definition::CreateOwner(owner_name(element, name))),
    }
}

fn insert_type(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let name = arguments.text("a type")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    declare(session, element, &name)?;
    number(&session.catalog(), element, &name).into_lua(lua)
}

fn type_id(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let name = arguments.text("a type")?;
    number(&Session::of(lua)?.catalog(), element, &name).into_lua(lua)
}

fn type_name(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let number = arguments.id("a type's number")?;
    let name = name_of(&Session::of(lua)?.catalog(), element, number);
    name.unwrap_or_default().to_string().into_lua(lua)
}

fn get_types(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    arguments.end()?;
    let catalog = Session::of(lua)?.catalog();
    let names = names(&catalog, element).iter().map(|name| name.to_string());
    lua.create_sequence_from(names)?.into_lua(lua)
}

fn count_types(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    if arguments.is_empty() {
        return names(&session.catalog(), element).len().into_lua(lua);
    }
    let kind = arguments.text("a type")?;
    call::count(session, element, Some(&kind))?.into_lua(lua)
}

fn get_type(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let name = arguments.text("a type")?;
    let catalog = Session::of(lua)?.catalog();
    let table = lua.create_table()?;
    if let Some(owner) = owner(&catalog, element, &name) {
        for property in catalog.properties.of_owner(owner) {
            let key = catalog.keys.name(property.key.0).map(|key| key.to_string());
            table.raw_set(key, property.kind.to_string())?;
        }
    }
    table.into_lua(lua)
}

fn add_property(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let name = arguments.text("a type")?;
    let key = arguments.text("a property")?;
    let word = arguments.text("a data type")?;
    arguments.end()?;
    let kind = PropertyType::parse(&word).ok_or_else(|| {
        let words: Vec<&str> = PropertyType::ALL.iter().map(|(_, word)| *word).collect();
        mlua::Error::runtime(format!("{word} is not a data type; known: {}", words.join(", ")))
    })?;
    let session = &mut *Session::of(lua)?;
    if owner(&session.catalog(), element, &name).is_none() {
        declare(session, element, &name)?;
    }
    let (owner, key) = (owner_name(element, &name), Name::from(key));
    define(session, Definition::CreateProperty { owner, key: key.clone(), kind, required: false })?;
    session.catalog().key(&key).map_or(0, |key| key.0 + 1).into_lua(lua)
}

fn delete_property(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
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
