//! Routes as data: a method and a pattern find the row of a request.
//!
//! A path that fits only with another method is 405, not 404.

use std::sync::OnceLock;

use millrace_model::{Error, ErrorKind};

use super::Response;
use super::pattern::{IdForm, Pattern, matched};

/// The methods that routes know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Read.
    Get,
    /// Make, run or replace.
    Post,
    /// Change.
    Put,
    /// Remove.
    Delete,
}

/// Why a request has no message.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No route has this path.
    NoRoute,
    /// The path takes other methods.
    Method(Vec<Method>),
    /// The route fits, but its arguments are wrong.
    Bad(Error),
}

/// The patterns of a table, cut once for all requests.
pub(crate) type RouteTable = OnceLock<Vec<(Method, Pattern)>>;

/// A route by its number, and the values in its path by their names.
pub(crate) type Found<'p> = (usize, Vec<(&'static str, &'p str)>);

/// The number of the first route that fits, and the values in its path.
pub(crate) fn find<'p>(
    table: &[(Method, Pattern)],
    method: &str,
    segments: &'p [String],
) -> Result<Found<'p>, Refusal> {
    let mut others = Vec::new();
    for ids in [IdForm::Digits, IdForm::Anything] {
        for (number, (own, pattern)) in table.iter().enumerate() {
            let Some(values) = matched(pattern, segments, ids) else { continue };
            if own.word() == method {
                return Ok((number, values));
            }
            if !others.contains(own) {
                others.push(*own);
            }
        }
    }
    Err(if others.is_empty() { Refusal::NoRoute } else { Refusal::Method(others) })
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
    /// The status, and the error that says why.
    pub fn error(&self) -> (u16, Error) {
        match self {
            Refusal::NoRoute => {
                let error = Error::new(ErrorKind::NotFound, "there is no such route");
                (404, error.with_help("the routes are listed in docs/reference/http.md"))
            }
            Refusal::Method(methods) => {
                let detail = format!("this path takes {}", words(methods));
                (405, Error::new(ErrorKind::BadInput, detail))
            }
            Refusal::Bad(error) => (super::status::of_error(error), error.clone()),
        }
    }

    /// The methods that the path takes, for the header `Allow`.
    pub fn allowed(&self) -> Option<String> {
        match self {
            Refusal::Method(methods) => Some(words(methods)),
            Refusal::NoRoute | Refusal::Bad(_) => None,
        }
    }

    /// The response to the client.
    pub fn response(&self) -> Response {
        let (status, error) = self.error();
        match self {
            Refusal::Method(_) => {
                Response { allow: self.allowed(), ..Response::text(status, &error.detail) }
            }
            Refusal::NoRoute | Refusal::Bad(_) => Response::error(&error),
        }
    }
}

fn words(methods: &[Method]) -> String {
    methods.iter().map(|method| method.word()).collect::<Vec<_>>().join(", ")
}
