//! Routes of that time that are not there, and what to do instead.

use super::failure::Failure;
use super::routes::{At, Made, Route, route};
use crate::http::Method::{self, Delete, Get, Post, Put};

const fn refused(method: Method, pattern: &'static str, make: fn(&At<'_>) -> Made) -> Route {
    route(method, pattern, "501", make)
}

pub(super) const ROUTES: &[Route] = &[
    refused(Get, "/index/{of}", index),
    refused(Post, "/index/{of}", index),
    refused(Get, "/index/{of}/{name}", index),
    refused(Post, "/index/{of}/{name}", index),
    refused(Delete, "/index/{of}/{name}", index),
    refused(Get, "/index/{of}/{name}/{key}", index),
    refused(Put, "/index/{of}/{name}/{key}", index),
    refused(Post, "/index/{of}/{name}/{key}", index),
    refused(Delete, "/index/{of}/{name}/{key}", index),
    refused(Get, "/index/{of}/{name}/{key}/{value}", index),
    refused(Delete, "/index/{of}/{name}/{key}/{value}", index),
    refused(Delete, "/index/{of}/{name}/{key}/{value}/{element}", index),
    refused(Post, "/node/{id}/paged/traverse/{returned}", traversal),
    refused(Get, "/node/{id}/paged/traverse/{returned}/{number}", traversal),
    refused(Delete, "/node/{id}/paged/traverse/{returned}/{number}", traversal),
    refused(Post, "/node/{id}/path", paths),
    refused(Post, "/node/{id}/paths", paths),
    refused(Post, "/node/{id}/traverse/{returned}", traversal),
    refused(Get, "/schema/relationship/constraint", relationship_constraint),
    refused(Get, "/schema/relationship/constraint/{type}/existence", relationship_constraint),
    refused(Post, "/schema/relationship/constraint/{type}/existence", relationship_constraint),
    refused(
        Delete,
        "/schema/relationship/constraint/{type}/existence/{property}",
        relationship_constraint,
    ),
];

fn index(at: &At<'_>) -> Made {
    let what = format!("the manual index of /index/{}", at.text("of"));
    let help = "make a schema index (POST /db/data/schema/index/LABEL), and find by MATCH";
    Err(Failure::unsupported(what, help))
}

fn traversal(_: &At<'_>) -> Made {
    let help = "write a query with a path of variable length, or a script in Gremlin";
    Err(Failure::unsupported("a traversal that is described in JSON", help))
}

fn paths(_: &At<'_>) -> Made {
    let help = "write a query with shortestPath or allShortestPaths";
    Err(Failure::unsupported("finding paths by a description in JSON", help))
}

fn relationship_constraint(_: &At<'_>) -> Made {
    let help = "write CREATE CONSTRAINT FOR ()-[r:TYPE]-() REQUIRE r.key IS NOT NULL as a query";
    Err(Failure::unsupported("constraints of relationships by this interface", help))
}
