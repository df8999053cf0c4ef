//! A request to its message, by the table of routes.
//!
//! A path that fits only with another method is 405, not 404.

use std::sync::OnceLock;

use millrace_model::{Error, ErrorKind};

use super::message::{Element, Method, Request};
use super::pattern::{Ids, Pattern, matched};
use super::routes::ROUTES;
use super::take::Captured;
use crate::http::Response;
use crate::http::target::segments;

/// Why a request has no message.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No route has this path.
    NoRoute,
    /// The path takes other methods.
    Method(Vec<Method>),
    /// The route fits, what is in it does not.
    Bad(Error),
}

/// Reads a request. The body is read only where it is JSON: scripts and files stay bytes.
pub fn parse(
    method: &str,
    path: &str,
    query: Option<&str>,
    body: &[u8],
) -> Result<Request, Refusal> {
    let segments = segments(path).map_err(Refusal::Bad)?;
    let mut others = Vec::new();
    for ids in [Ids::Digits, Ids::Anything] {
        for (route, pattern) in ROUTES.iter().zip(patterns()) {
            let Some(values) = matched(pattern, &segments, ids) else { continue };
            if route.method.word() == method {
                let element = match segments.get(2).map(String::as_str) {
                    Some("relationship") => Element::Relationship,
                    _ => Element::Node,
                };
                let captured = Captured { element, values, query, body };
                return (route.make)(&captured).map_err(Refusal::Bad);
            }
            if !others.contains(&route.method) {
                others.push(route.method);
            }
        }
    }
    Err(if others.is_empty() { Refusal::NoRoute } else { Refusal::Method(others) })
}

/// The patterns of all routes, cut once for all requests.
fn patterns() -> &'static [Pattern] {
    static PATTERNS: OnceLock<Vec<Pattern>> = OnceLock::new();
    PATTERNS.get_or_init(|| ROUTES.iter().map(|route| Pattern::of(route.pattern)).collect())
}

impl Method {
    /// Its word in a request.
    pub fn word(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
        }
    }
}

impl Refusal {
    /// What the client hears.
    pub fn response(&self) -> Response {
        match self {
            Refusal::NoRoute => Response::error(
                &Error::new(ErrorKind::NotFound, "there is no such route")
                    .with_help("the routes are listed in docs/reference/http.md"),
            ),
            Refusal::Method(methods) => {
                let words: Vec<_> = methods.iter().map(|method| method.word()).collect();
                let words = words.join(", ");
                let text = format!("this path takes {words}");
                Response { allow: Some(words), ..Response::text(405, &text) }
            }
            Refusal::Bad(error) => Response::error(error),
        }
    }
}
