//! Edges: add, read, remove.

use millrace_model::{Column, Value};
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua, MultiValue};

use crate::arguments::Arguments;
use crate::columns::Relationship;
use crate::functions::call::{self, first, table};
use crate::functions::function::{CallResult, Family, Function};
use crate::json;
use crate::plans::{self, EndSource, KeySource};
use crate::session::EndText;
use crate::session::Session;

pub(in crate::functions) const FAMILY: Family = Family {
    title: "Relationships",
    functions: &[
        Function::write(
            "RelationshipAdd",
            "rel_type, type1, key1, type2, key2 [, properties] \\| rel_type, id1, id2 [, properties]",
            "int (0 if an end is unknown)",
            add,
        )
        .quickly(add_known),
        Function::read("RelationshipGet", "id", "Relationship", get),
        Function::read("RelationshipGetEndingNodeId", "id", "int", |l, a| {
            one(l, a, |edge| edge.target.into_lua(l))
        }),
        Function::read("RelationshipGetStartingNodeId", "id", "int", |l, a| {
            one(l, a, |edge| edge.source.into_lua(l))
        }),
        Function::read("RelationshipGetType", "id", "string", |l, a| {
            one(l, a, |edge| edge.edge_type.as_str().into_lua(l))
        }),
        Function::read("RelationshipGetTypeId", "id", "int", get_type_id),
        Function::write("RelationshipRemove", "id", "bool", remove),
        Function::read("RelationshipsGet", "{ids}", "map id -> Relationship", get_many),
        Function::read("RelationshipsGetType", "{ids}", "map id -> string", get_types),
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

    /// The vertex, if it is cached.
    fn known(&self, session: &Session) -> Option<u64> {
        match self {
            End::Id(id) => session.vertex_cache().has(*id).then_some(*id),
            End::Key { label, key } => session.vertex_cache().by_key(label, key),
        }
    }

    /// If the keys of a type are in one place, the creating plan finds the end itself; otherwise it is found here.
    fn resolve(&self, session: &mut Session) -> mlua::Result<ResolvedEnd<'_>> {
        let (label, key) = match self {
            End::Id(id) => return Ok(ResolvedEnd::Id(*id)),
            End::Key { label, key } => (label, key),
        };
        let mut sources = plans::key_sources(&session.catalog(), label);
        if sources.len() == 1
            && let Some(source) = sources.pop()
        {
            return Ok(ResolvedEnd::Key { label, key, source });
        }
        let vertex = call::vertex_by_key(session, label, key)?;
        Ok(ResolvedEnd::Id(vertex.map_or(0, |vertex| vertex.0)))
    }
}

/// An end as a parameter of the creating plan.
enum ResolvedEnd<'a> {
    Id(u64),
    Key { label: &'a str, key: &'a str, source: KeySource },
}

impl ResolvedEnd<'_> {
    fn column(&self) -> Column {
        match self {
            ResolvedEnd::Id(id) => call::elements(ElementKind::Vertex, &[*id]),
            ResolvedEnd::Key { key, .. } => Column::from_values([Value::string(key)]),
        }
    }

    fn plan_source(&self) -> EndSource<'_> {
        match self {
            ResolvedEnd::Id(_) => EndSource::Id,
            ResolvedEnd::Key { label, source, .. } => EndSource::Key { source, label },
        }
    }

    fn name(&self) -> &str {
        match self {
            ResolvedEnd::Id(_) => "",
            ResolvedEnd::Key { label, .. } => label,
        }
    }

    /// Caches the vertex that was found.
    fn cache_vertex(&self, session: &mut Session, vertex: u64) {
        match self {
            ResolvedEnd::Id(_) => session.cache_vertex(None, vertex),
            ResolvedEnd::Key { label, key, .. } => session.cache_vertex(Some((label, key)), vertex),
        }
    }
}

/// An end that begins with an argument, and how many arguments it takes.
fn end_text(values: &MultiValue, first: usize) -> Option<(EndText<'_>, usize)> {
    match (values.get(first)?, values.get(first + 1)) {
        (mlua::Value::Integer(id), _) => Some((EndText::Id(u64::try_from(*id).ok()?), first + 1)),
        (mlua::Value::String(label), Some(mlua::Value::String(key))) => {
            Some((EndText::Key { label, key }, first + 2))
        }
        _ => None,
    }
}

/// One of a form that was added before, between ends that were found before.
fn add_known(lua: &Lua, values: &MultiValue) -> mlua::Result<Option<mlua::Value>> {
    let Some(mlua::Value::String(edge_type)) = values.front() else { return Ok(None) };
    let Some((source, next)) = end_text(values, 1) else { return Ok(None) };
    let Some((target, next)) = end_text(values, next) else { return Ok(None) };
    let ends = (&source, &target);
    let session = &mut *Session::of(lua)?;
    let edge = match (values.get(next), values.len() - next) {
        (None, _) => session.add_known_edge(edge_type, ends, "{}")?,
        (Some(mlua::Value::String(properties)), 1) => {
            let bytes = properties.as_bytes();
            let Ok(properties) = std::str::from_utf8(&bytes) else { return Ok(None) };
            session.add_known_edge(edge_type, ends, properties)?
        }
        _ => None,
    };
    edge.map(|edge| edge.into_lua(lua)).transpose()
}

fn add(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let edge_type = arguments.text("a relationship type")?;
    let source = End::read(&mut arguments)?;
    let target = End::read(&mut arguments)?;
    let text =
        if arguments.is_empty() { None } else { Some(arguments.text("properties as JSON")?) };
    arguments.end()?;
    let properties = text.map(|text| json::parse_properties(&text)).transpose();
    let properties = properties.map_err(mlua::Error::external)?.unwrap_or_default();
    let session = &mut *Session::of(lua)?;
    create(session, &edge_type, &source, &target, properties)?.into_lua(lua)
}

fn create(
    session: &mut Session,
    edge_type: &str,
    source: &End,
    target: &End,
    properties: Vec<(Value, Value)>,
) -> mlua::Result<u64> {
    let names: Vec<String> =
        properties.iter().map(|(name, _)| name.as_str().unwrap_or_default().to_owned()).collect();
    let values: Vec<Value> = properties.into_iter().map(|(_, value)| value).collect();
    if let (Some(source), Some(target)) = (source.known(session), target.known(session))
        && let Some(edge) = session.add_edge(edge_type, &names, (source, target), &values)?
    {
        return Ok(edge);
    }
    create_by_plan(session, edge_type, (source, target), &names, values)
}

fn create_by_plan(
    session: &mut Session,
    edge_type: &str,
    (source, target): (&End, &End),
    names: &[String],
    values: Vec<Value>,
) -> mlua::Result<u64> {
    let (source, target) = (source.resolve(session)?, target.resolve(session)?);
    let mut columns = vec![source.column(), target.column()];
    columns.extend(values.into_iter().map(|value| Column::from_values([value])));
    let detail = [edge_type, source.name(), target.name(), &names.join("\0")].join("\u{1}");
    let plan_key = ("create edges", detail);
    let build = || {
        plans::create_edges_with_ends(
            edge_type,
            &source.plan_source(),
            &target.plan_source(),
            names,
        )
    };
    let batch = session.run_some(plan_key, &table(columns), build)?;
    let ids = [0, 1, 2].map(|column| call::ids(&batch, column).first().copied().unwrap_or(0));
    let [edge, source_id, target_id] = ids;
    if edge != 0 {
        source.cache_vertex(session, source_id);
        target.cache_vertex(session, target_id);
    }
    Ok(edge)
}

fn get(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let edges = call::whole(session, ElementKind::Edge, &[id])?;
    first(session, lua, edges)
}

/// Applies `what` to one edge; an unknown edge counts as an empty one.
fn one(
    lua: &Lua,
    mut arguments: Arguments,
    what: impl Fn(&Relationship) -> CallResult,
) -> CallResult {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let edges = call::relationships(&mut *Session::of(lua)?, &[id])?;
    what(edges.first().unwrap_or(&Relationship::default()))
}

fn get_type_id(lua: &Lua, arguments: Arguments) -> CallResult {
    let catalog = Session::of(lua)?.catalog();
    one(lua, arguments, |edge| {
        catalog.edge_type(&edge.edge_type).map_or(0, |edge_type| edge_type.0 + 1).into_lua(lua)
    })
}

fn get_many(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    let ids = frontier.edges.unwrap_or(frontier.nodes);
    call::whole_by_id(&mut *Session::of(lua)?, lua, ElementKind::Edge, &ids)
}

fn get_types(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    let ids = frontier.edges.unwrap_or(frontier.nodes);
    let session = &mut *Session::of(lua)?;
    let types = call::edge_types(session, &ids)?;
    call::by_id(session, lua, &ids, types)
}

fn remove(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let id = arguments.id("an id")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let parameters = call::rows(call::elements(ElementKind::Edge, &[id]));
    let plan_key = ("delete edge", String::new());
    let batch = session.run(plan_key, &parameters, || plans::delete(ElementKind::Edge))?;
    (batch.len > 0).into_lua(lua)
}
