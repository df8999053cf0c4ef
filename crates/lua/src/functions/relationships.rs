//! Edges: add, look at, remove.

use millrace_model::{Column, Value};
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use super::call::{self, first, list, table};
use super::{Family, Function};
use crate::arguments::Arguments;
use crate::json;
use crate::plans::{self, EndSource, KeySource};
use crate::results::{Items, Relationship};
use crate::session::Session;

pub(super) const FAMILY: Family = Family {
    title: "Relationships",
    functions: &[
        Function::write(
            "RelationshipAdd",
            "rel_type, type1, key1, type2, key2 [, properties] \\| rel_type, id1, id2 [, properties]",
            "int (0 if an end is unknown)",
            add,
        ),
        Function::read("RelationshipGet", "id", "Relationship", get),
        Function::read("RelationshipGetEndingNodeId", "id", "int", |lua, arguments| {
            one(lua, arguments, |edge| edge.target.into_lua(lua))
        }),
        Function::read("RelationshipGetStartingNodeId", "id", "int", |lua, arguments| {
            one(lua, arguments, |edge| edge.source.into_lua(lua))
        }),
        Function::read("RelationshipGetType", "id", "string", |lua, arguments| {
            one(lua, arguments, |edge| edge.edge_type.as_str().into_lua(lua))
        }),
        Function::read("RelationshipGetTypeId", "id", "int", get_type_id),
        Function::write("RelationshipRemove", "id", "bool", remove),
        Function::read("RelationshipsGet", "{ids}", "{Relationship}", get_many),
        Function::read("RelationshipsGetType", "{ids}", "{string}", get_types),
    ],
};

/// An end as the call names it: an id, or a type and a key.
enum End {
    Id(u64),
    Key { label: String, key: String },
}

impl End {
    fn read(arguments: &mut Arguments) -> mlua::Result<End> {
        if arguments.next_is_text() {
            let label = arguments.text("a node type")?;
            return Ok(End::Key { label, key: arguments.text("a key")? });
        }
        Ok(End::Id(arguments.id("a node's id, or its type and key")?))
    }

    fn column(&self) -> Column {
        match self {
            End::Id(id) => call::elements(ElementKind::Vertex, &[*id]),
            End::Key { key, .. } => Column::from_values([Value::string(key)]),
        }
    }

    /// The places to look the end up; `None` where the call gave an id.
    fn sources(&self, session: &mut Session) -> Option<Vec<KeySource>> {
        match self {
            End::Id(_) => None,
            End::Key { label, .. } => Some(plans::key_sources(&session.catalog(), label)),
        }
    }

    /// An end with one place to look is found by the creating plan itself; with several, here.
    fn settle(self, session: &mut Session) -> mlua::Result<(End, Option<KeySource>)> {
        match self.sources(session) {
            None => Ok((self, None)),
            Some(mut sources) if sources.len() == 1 => Ok((self, sources.pop())),
            Some(_) => {
                let End::Key { label, key } = self else { return Ok((self, None)) };
                let vertex = call::vertex_by_key(session, &label, &key)?;
                Ok((End::Id(vertex.map_or(0, |vertex| vertex.0)), None))
            }
        }
    }

    fn plan_source<'a>(&'a self, source: Option<&'a KeySource>) -> EndSource<'a> {
        match (self, source) {
            (End::Key { label, .. }, Some(source)) => EndSource::Key { source, label },
            (End::Id(_) | End::Key { .. }, _) => EndSource::Id,
        }
    }

    fn name(&self) -> &str {
        match self {
            End::Id(_) => "",
            End::Key { label, .. } => label,
        }
    }
}

fn add(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let edge_type = arguments.text("a relationship type")?;
    let source = End::read(&mut arguments)?;
    let target = End::read(&mut arguments)?;
    let text =
        if arguments.is_empty() { None } else { Some(arguments.text("properties as JSON")?) };
    arguments.end()?;
    let properties = text.map(|text| json::parse_properties(&text)).transpose();
    let properties = properties.map_err(mlua::Error::external)?.unwrap_or_default();
    let session = &mut *Session::of(lua)?;
    create(session, &edge_type, source, target, properties)?.into_lua(lua)
}

fn create(
    session: &mut Session,
    edge_type: &str,
    source: End,
    target: End,
    properties: Vec<(Value, Value)>,
) -> mlua::Result<u64> {
    let (source, source_key) = source.settle(session)?;
    let (target, target_key) = target.settle(session)?;
    let names: Vec<String> =
        properties.iter().map(|(name, _)| name.as_str().unwrap_or_default().to_owned()).collect();
    let mut columns = vec![source.column(), target.column()];
    columns.extend(properties.into_iter().map(|(_, value)| Column::from_values([value])));
    let detail = [edge_type, source.name(), target.name(), &names.join("\0")].join("\u{1}");
    let plan_key = ("create edges", detail);
    let build = || {
        let source = source.plan_source(source_key.as_ref());
        let target = target.plan_source(target_key.as_ref());
        plans::create_edges(edge_type, &source, &target, &names)
    };
    let batch = session.run_some(plan_key, &table(columns), build)?;
    Ok(call::ids(&batch, 0).first().copied().unwrap_or(0))
}

fn get(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let edges = call::whole(session, ElementKind::Edge, &[id])?;
    first(session, lua, edges)
}

/// What one edge answers; of an unknown edge, what an empty one would.
fn one(
    lua: &Lua,
    mut arguments: Arguments,
    what: impl Fn(&Relationship) -> mlua::Result<mlua::Value>,
) -> mlua::Result<mlua::Value> {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let edges = call::relationships(&mut *Session::of(lua)?, &[id])?;
    what(edges.first().unwrap_or(&Relationship::default()))
}

fn get_type_id(lua: &Lua, arguments: Arguments) -> mlua::Result<mlua::Value> {
    let catalog = Session::of(lua)?.catalog();
    one(lua, arguments, |edge| {
        catalog.edge_type(&edge.edge_type).map_or(0, |edge_type| edge_type.0 + 1).into_lua(lua)
    })
}

fn get_many(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    let ids = frontier.edges.unwrap_or(frontier.nodes);
    let session = &mut *Session::of(lua)?;
    let edges = call::relationships(session, &ids)?;
    list(session, lua, Items::Relationships(edges))
}

fn get_types(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    let ids = frontier.edges.unwrap_or(frontier.nodes);
    let session = &mut *Session::of(lua)?;
    let types = call::edge_types(session, &ids)?;
    list(session, lua, types)
}

fn remove(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let parameters = call::rows(call::elements(ElementKind::Edge, &[id]));
    let plan_key = ("delete edge", String::new());
    let batch = session.run(plan_key, &parameters, || plans::delete(ElementKind::Edge))?;
    (batch.len > 0).into_lua(lua)
}
