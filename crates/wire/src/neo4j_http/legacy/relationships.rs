//! Relationships by their numbers, and their types.

use super::labels::names_in_use;
use super::nodes::made;
use super::operation::Kind;
use super::routes::{Route, route};
use crate::http::Method::{Delete, Get};
use crate::neo4j_http::results::ElementKind;

const RELATIONSHIP: ElementKind = ElementKind::Relationship;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/relationship/{id}", "200: the relationship", |at| {
        made(Kind::Get(at.subject(RELATIONSHIP)?))
    }),
    route(Delete, "/relationship/{id}", "204", |at| made(Kind::Delete(at.subject(RELATIONSHIP)?))),
    route(Get, "/relationship/types", "200: the types of relationships", |at| {
        let text = "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType";
        names_in_use(at, text)
    }),
];
