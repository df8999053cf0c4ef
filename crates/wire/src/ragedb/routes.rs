//! Every route, as data: method, pattern, description, and the function that makes its message.
//!
//! The first route that fits wins, so the order counts; a route by id stands before the same one by type
//! and key.

use millrace_model::Result;

use super::message::{
    Element, GraphChange, NodeName, PropertiesChange, Request, SchemaRequest, ScriptAccess,
};
use super::take::Captured;
use crate::admin;
use crate::http::Method;

/// A route.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path; `{name}` stands for a segment.
    pub pattern: &'static str,
    /// A description of its effect.
    pub about: &'static str,
    pub(super) make: fn(&Captured<'_>) -> Result<Request>,
}

const fn route(
    method: Method,
    pattern: &'static str,
    about: &'static str,
    make: fn(&Captured<'_>) -> Result<Request>,
) -> Route {
    Route { method, pattern, about, make }
}

/// The route of a request that the listener of administration answers, too.
fn admin(request: admin::Request) -> Result<Request> {
    Ok(Request::Admin(request))
}

use Element::{Node, Relationship};
use Method::{Delete, Get, Post, Put};

/// Every route.
pub const ROUTES: &[Route] = &[
    route(
        Get,
        "/health",
        "version, uptime, what the store promises, services; status and code as /health/ready",
        |_| admin(admin::Request::Health),
    ),
    route(Get, "/health/live", "200 while the process answers, whatever it refuses", |_| {
        admin(admin::Request::Live)
    }),
    route(
        Get,
        "/health/ready",
        "200 while reads and writes are served; 503 with the reason while writes are refused or the server stops",
        |_| admin(admin::Request::Ready),
    ),
    route(Get, "/health_check", "as /health/ready", |_| admin(admin::Request::Ready)),
    route(Get, "/hello", "200 and a greeting", |_| Ok(Request::Hello)),
    route(Get, "/metrics", "counters, for Prometheus", |_| admin(admin::Request::Metrics)),
    route(
        Get,
        "/backup",
        "a backup of all graphs: a tar, with a list of checksums at its end",
        |at| admin::backup(at).map(Request::Admin),
    ),
    route(Get, "/dbs", "the names of all graphs", |_| Ok(Request::ListGraphs)),
    route(Get, "/dbs/{graph}", "how much a graph holds", |at| {
        Ok(Request::ShowGraph { graph: at.graph() })
    }),
    route(Post, "/dbs/{graph}", "makes a graph", |at| at.change_graph(GraphChange::Create)),
    route(Put, "/dbs/{graph}", "empties a graph", |at| at.change_graph(GraphChange::Empty)),
    route(Delete, "/dbs/{graph}", "drops a graph", |at| at.change_graph(GraphChange::Drop)),
    route(Post, "/load/{graph}", "loads the body, files, as one commit or in batches", |at| {
        admin::StartLoad::take(at)
            .map(|load| Request::Admin(admin::Request::StartLoad(Box::new(load))))
    }),
    route(Get, "/load", "all loads of this process", |_| admin(admin::Request::ListLoads)),
    route(Get, "/load/{id}", "how far a load is", |at| {
        admin(admin::Request::ShowLoad { id: at.id("id")? })
    }),
    route(Post, "/db/{graph}/lua", "runs a script that may do everything", |at| {
        at.script(ScriptAccess::Admin)
    }),
    route(Post, "/rw/{graph}/lua", "runs a script that reads and writes", |at| {
        at.script(ScriptAccess::ReadWrite)
    }),
    route(Post, "/ro/{graph}/lua", "runs a script that reads", |at| {
        at.script(ScriptAccess::ReadOnly)
    }),
    route(Get, "/db/{graph}/health_check", "200 if the graph answers", |at| {
        Ok(Request::GraphHealth { graph: at.graph() })
    }),
    route(Post, "/db/{graph}/gql", "GQL: refused by name", |_| {
        Ok(Request::Unsupported { what: "GQL" })
    }),
    route(Post, "/db/{graph}/restore", "restore over HTTP: refused by name", |_| {
        Ok(Request::Unsupported { what: "restore over HTTP" })
    }),
    // Schema.
    route(Delete, "/db/{graph}/schema", "removes all elements and declarations", |at| {
        Ok(Request::DropSchema { graph: at.graph() })
    }),
    route(Get, "/db/{graph}/schema/nodes", "all node types", |at| {
        at.schema(SchemaRequest::Types(Node))
    }),
    route(Get, "/db/{graph}/schema/relationships", "all relationship types", |at| {
        at.schema(SchemaRequest::Types(Relationship))
    }),
    route(Get, "/db/{graph}/schema/nodes/indexes", "indexed properties by node type", |at| {
        at.schema(SchemaRequest::Indexes(Node, None))
    }),
    route(Get, "/db/{graph}/schema/relationships/indexes", "the same for relationships", |at| {
        at.schema(SchemaRequest::Indexes(Relationship, None))
    }),
    route(Get, "/db/{graph}/schema/nodes/{type}", "properties of a node type", |at| {
        at.schema(SchemaRequest::ShowType(at.owner(Node)))
    }),
    route(Post, "/db/{graph}/schema/nodes/{type}", "declares a node type", |at| {
        at.schema(SchemaRequest::DeclareType(at.owner(Node)))
    }),
    route(
        Delete,
        "/db/{graph}/schema/nodes/{type}",
        "declares it no more; its nodes must be gone",
        |at| at.schema(SchemaRequest::DropType(at.owner(Node))),
    ),
    route(Get, "/db/{graph}/schema/relationships/{type}", "properties of a type", |at| {
        at.schema(SchemaRequest::ShowType(at.owner(Relationship)))
    }),
    route(Post, "/db/{graph}/schema/relationships/{type}", "declares a type", |at| {
        at.schema(SchemaRequest::DeclareType(at.owner(Relationship)))
    }),
    route(Delete, "/db/{graph}/schema/relationships/{type}", "the same", |at| {
        at.schema(SchemaRequest::DropType(at.owner(Relationship)))
    }),
    route(Get, "/db/{graph}/schema/nodes/{type}/indexes", "indexed properties of a type", |at| {
        at.schema(SchemaRequest::Indexes(Node, Some(at.text("type"))))
    }),
    route(Get, "/db/{graph}/schema/relationships/{type}/indexes", "the same", |at| {
        at.schema(SchemaRequest::Indexes(Relationship, Some(at.text("type"))))
    }),
    route(Post, "/db/{graph}/schema/relationships/{type}/algebra", "refused by name", |_| {
        Ok(Request::Unsupported { what: "declaring a relationship's algebra" })
    }),
    route(
        Get,
        "/db/{graph}/schema/nodes/{type}/properties/{property}",
        "the data type of a property",
        |at| at.schema(SchemaRequest::ShowProperty(at.owner(Node), at.property())),
    ),
    route(
        Delete,
        "/db/{graph}/schema/nodes/{type}/properties/{property}",
        "declares a property no more",
        |at| at.schema(SchemaRequest::DropProperty(at.owner(Node), at.property())),
    ),
    route(
        Get,
        "/db/{graph}/schema/relationships/{type}/properties/{property}",
        "the data type of a property",
        |at| at.schema(SchemaRequest::ShowProperty(at.owner(Relationship), at.property())),
    ),
    route(
        Delete,
        "/db/{graph}/schema/relationships/{type}/properties/{property}",
        "declares a property no more",
        |at| at.schema(SchemaRequest::DropProperty(at.owner(Relationship), at.property())),
    ),
    route(
        Post,
        "/db/{graph}/schema/nodes/{type}/properties/{property}/index",
        "makes an index; `?kind=range` one for ranges too",
        |at| at.create_index(Node),
    ),
    route(
        Delete,
        "/db/{graph}/schema/nodes/{type}/properties/{property}/index",
        "ends an index",
        |at| at.drop_index(Node),
    ),
    route(
        Post,
        "/db/{graph}/schema/relationships/{type}/properties/{property}/index",
        "makes an index; `?kind=range` one for ranges too",
        |at| at.create_index(Relationship),
    ),
    route(
        Delete,
        "/db/{graph}/schema/relationships/{type}/properties/{property}/index",
        "ends an index",
        |at| at.drop_index(Relationship),
    ),
    route(
        Post,
        "/db/{graph}/schema/nodes/{type}/properties/{property}/{data_type}",
        "declares a property",
        |at| at.declare_property(Node),
    ),
    route(
        Post,
        "/db/{graph}/schema/relationships/{type}/properties/{property}/{data_type}",
        "declares a property",
        |at| at.declare_property(Relationship),
    ),
    // Lists.
    route(Get, "/db/{graph}/nodes", "nodes (?skip=0&limit=100)", |at| at.list(Node)),
    route(Get, "/db/{graph}/nodes/{type}", "nodes of a type", |at| at.list(Node)),
    route(Get, "/db/{graph}/relationships", "relationships", |at| at.list(Relationship)),
    route(Get, "/db/{graph}/relationships/{type}", "relationships of a type", |at| {
        at.list(Relationship)
    }),
    route(Post, "/db/{graph}/nodes/{type}/{property}/{operation}", "finds nodes", |at| {
        at.find(Node)
    }),
    route(Post, "/db/{graph}/relationships/{type}/{property}/{operation}", "finds them", |at| {
        at.find(Relationship)
    }),
    // One relationship.
    route(Get, "/db/{graph}/relationship/{id}", "a relationship", |at| at.show()),
    route(Delete, "/db/{graph}/relationship/{id}", "removes it", |at| at.remove()),
    route(Get, "/db/{graph}/relationship/{id}/property/{property}", "a property", |at| {
        at.show_property()
    }),
    route(Put, "/db/{graph}/relationship/{id}/property/{property}", "sets it", |at| {
        at.change_properties(PropertiesChange::Set(at.property(), at.value()?))
    }),
    route(Delete, "/db/{graph}/relationship/{id}/property/{property}", "removes it", |at| {
        at.change_properties(PropertiesChange::Remove(at.property()))
    }),
    route(Get, "/db/{graph}/relationship/{id}/properties", "all", |at| at.show_properties()),
    route(Post, "/db/{graph}/relationship/{id}/properties", "replaces all", |at| {
        at.change_properties(PropertiesChange::Replace(at.given_object()?))
    }),
    route(Put, "/db/{graph}/relationship/{id}/properties", "sets some", |at| {
        at.change_properties(PropertiesChange::Merge(at.object()?))
    }),
    route(Delete, "/db/{graph}/relationship/{id}/properties", "removes all", |at| {
        at.change_properties(PropertiesChange::Clear)
    }),
    // One node, by id.
    route(Get, "/db/{graph}/node/{id}", "a node", |at| at.show()),
    route(Delete, "/db/{graph}/node/{id}", "removes it and its relationships", |at| at.remove()),
    route(Get, "/db/{graph}/node/{id}/property/{property}", "a property", |at| at.show_property()),
    route(Put, "/db/{graph}/node/{id}/property/{property}", "sets it", |at| {
        at.change_properties(PropertiesChange::Set(at.property(), at.value()?))
    }),
    route(Delete, "/db/{graph}/node/{id}/property/{property}", "removes it", |at| {
        at.change_properties(PropertiesChange::Remove(at.property()))
    }),
    route(Get, "/db/{graph}/node/{id}/properties", "all", |at| at.show_properties()),
    route(Post, "/db/{graph}/node/{id}/properties", "replaces all", |at| {
        at.change_properties(PropertiesChange::Replace(at.given_object()?))
    }),
    route(Put, "/db/{graph}/node/{id}/properties", "sets some", |at| {
        at.change_properties(PropertiesChange::Merge(at.object()?))
    }),
    route(Delete, "/db/{graph}/node/{id}/properties", "removes all", |at| {
        at.change_properties(PropertiesChange::Clear)
    }),
    route(Post, "/db/{graph}/node/{id}/relationship/{id2}/{rel_type}", "relates two", |at| {
        at.add_relationship(NodeName::Id(at.id("id2")?))
    }),
    route(Get, "/db/{graph}/node/{id}/degree/{options…}", "how many relationships", |at| {
        Ok(Request::Degree { graph: at.graph(), node: at.node()?, way: at.way()? })
    }),
    route(Get, "/db/{graph}/node/{id}/neighbors/{options…}", "the nodes beside it", |at| {
        Ok(Request::Neighbors { graph: at.graph(), node: at.node()?, way: at.way()? })
    }),
    route(Get, "/db/{graph}/node/{id}/relationships/{options…}", "its relationships", |at| {
        Ok(Request::Relationships { graph: at.graph(), node: at.node()?, way: at.way()? })
    }),
    route(Get, "/db/{graph}/node/{id}/connected/{id2}/{options…}", "between two nodes", |at| {
        at.connected(NodeName::Id(at.id("id2")?))
    }),
    // One node, by type and key.
    route(Get, "/db/{graph}/node/{type}/{key}", "a node", |at| at.show()),
    route(Post, "/db/{graph}/node/{type}/{key}", "adds a node", |at| at.add_node()),
    route(Delete, "/db/{graph}/node/{type}/{key}", "removes it", |at| at.remove()),
    route(Get, "/db/{graph}/node/{type}/{key}/property/{property}", "a property", |at| {
        at.show_property()
    }),
    route(Put, "/db/{graph}/node/{type}/{key}/property/{property}", "sets it", |at| {
        at.change_properties(PropertiesChange::Set(at.property(), at.value()?))
    }),
    route(Delete, "/db/{graph}/node/{type}/{key}/property/{property}", "removes it", |at| {
        at.change_properties(PropertiesChange::Remove(at.property()))
    }),
    route(Get, "/db/{graph}/node/{type}/{key}/properties", "all", |at| at.show_properties()),
    route(Post, "/db/{graph}/node/{type}/{key}/properties", "replaces all", |at| {
        at.change_properties(PropertiesChange::Replace(at.given_object()?))
    }),
    route(Put, "/db/{graph}/node/{type}/{key}/properties", "sets some", |at| {
        at.change_properties(PropertiesChange::Merge(at.object()?))
    }),
    route(Delete, "/db/{graph}/node/{type}/{key}/properties", "removes all", |at| {
        at.change_properties(PropertiesChange::Clear)
    }),
    route(
        Post,
        "/db/{graph}/node/{type}/{key}/relationship/{type2}/{key2}/{rel_type}",
        "relates two nodes",
        |at| at.add_relationship(at.second_key()),
    ),
    route(Get, "/db/{graph}/node/{type}/{key}/degree/{options…}", "how many", |at| {
        Ok(Request::Degree { graph: at.graph(), node: at.node()?, way: at.way()? })
    }),
    route(
        Get,
        "/db/{graph}/node/{type}/{key}/neighbors/{options…}",
        "the nodes beside it",
        |at| Ok(Request::Neighbors { graph: at.graph(), node: at.node()?, way: at.way()? }),
    ),
    route(Get, "/db/{graph}/node/{type}/{key}/relationships/{options…}", "its own", |at| {
        Ok(Request::Relationships { graph: at.graph(), node: at.node()?, way: at.way()? })
    }),
    route(
        Get,
        "/db/{graph}/node/{type}/{key}/connected/{type2}/{key2}/{options…}",
        "between two nodes",
        |at| at.connected(at.second_key()),
    ),
];

/// The part of the reference page about these routes, as Markdown.
pub(crate) fn reference_part() -> String {
    let mut page = String::from(
        "## RageDB's interface: 127.0.0.1:7243, `listen.lua`\n\n`options…` is nothing, or `/{all, in or out}`, \
         or that and `/{TYPE or TYPE_ONE&TYPE_TWO}`. Lists take\n`?skip=0&limit=100`. An error is a JSON \
         string, and the header `Millrace-Error` names its kind.\n\n\
         | method | path | effect |\n| --- | --- | --- |\n",
    );
    for Route { method, pattern, about, .. } in ROUTES {
        page.push_str(&format!("| {} | `{pattern}` | {about} |\n", method.word()));
    }
    page
}
