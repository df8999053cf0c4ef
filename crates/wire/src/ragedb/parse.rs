//! A request to its message, by the table of routes.

use super::message::{Element, Request};
use super::routes::ROUTES;
use super::take::Captured;
use crate::http::pattern::Pattern;
use crate::http::target::segments;
use crate::http::{self, Refusal, RouteTable, find};

/// Reads a request. The body is that of a message, so neither a script nor a file.
pub fn parse(
    method: &str,
    path: &str,
    query: Option<&str>,
    body: &[u8],
) -> Result<Request, Refusal> {
    static TABLE: RouteTable = RouteTable::new();
    let table = TABLE.get_or_init(|| {
        ROUTES.iter().map(|route| (route.method, Pattern::of(route.pattern))).collect()
    });
    let segments = segments(path).map_err(Refusal::Bad)?;
    let (number, values) = find(table, method, &segments)?;
    let element = match segments.get(2).map(String::as_str) {
        Some("relationship") => Element::Relationship,
        _ => Element::Node,
    };
    let captured = Captured { element, path: http::Captured { values, query, body } };
    (ROUTES[number].make)(&captured).map_err(Refusal::Bad)
}
