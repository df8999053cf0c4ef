//! Relationships by their numbers, and their types.

use super::nodes::made;
use super::operation::{AnswerKind, ElementKind, Kind, Whole};
use super::routes::{Route, route};
use crate::http::Method::{Delete, Get};

const RELATIONSHIP: ElementKind = ElementKind::Relationship;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/relationship/{id}", "200: the relationship", |at| {
        made(Kind::Get(at.subject(RELATIONSHIP)?))
    }),
    route(Delete, "/relationship/{id}", "204", |at| made(Kind::Delete(at.subject(RELATIONSHIP)?))),
    route(Get, "/relationship/types", "200: the types of relationships", |_| {
        let text = "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType";
        made(Kind::Whole(Box::new(Whole::cypher(text, Vec::new(), AnswerKind::Values))))
    }),
];
