//! Every route below `/db/data`, as data; the first one that fits wins.

use std::fmt::Write;

use millrace_model::Value;

use super::failure::Failure;
use super::jobs::{JobFailure, Jobs};
use super::names::{References, no_references};
use super::operation::{Element, Operation, Subject};
use super::{
    cypher, extension, labels, names, nodes, properties, refused, relationships, root, schema,
};
use crate::http::pattern::Pattern;
use crate::http::target::{query_pairs, segments};
use crate::http::{Method, Refusal};
use crate::http::{RouteTable, find};
use crate::json;
use crate::neo4j_http::results::BASE_PATH;
use crate::neo4j_http::results::ElementKind;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// One operation.
    Operation(Box<Operation>),
    /// Many of them, as one transaction.
    Batch(Box<Jobs>),
    /// None, and the methods that its path takes if it has another.
    Refused(Box<Failure>, Option<String>),
    /// A batch that cannot be run.
    RefusedBatch(Box<JobFailure>),
}

/// What a route leads to.
pub(super) enum Target {
    Operation(Operation),
    Batch,
    /// Statements of a transaction.
    Transaction {
        id: Option<u64>,
        commits: bool,
    },
    RollBack(u64),
}

/// What a request is here.
pub(in super::super) enum Parsed {
    Legacy(Request),
    Transaction { id: Option<u64>, commits: bool },
    RollBack(u64),
}

pub(super) type Made = Result<Target, Failure>;

/// A route.
pub(super) struct Route {
    pub(super) method: Method,
    pub(super) pattern: &'static str,
    /// Its answer, for the reference.
    pub(super) about: &'static str,
    pub(super) make: fn(&At<'_>) -> Made,
}

/// The body of a request.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Bytes(&'a [u8]),
    Value(&'a Value),
}

/// A request at its route.
pub(super) struct At<'a> {
    values: Vec<(&'static str, &'a str)>,
    query: Option<&'a str>,
    body: Body<'a>,
    pub(super) references: References<'a>,
}

impl At<'_> {
    /// The value of a name that stands in the route's pattern.
    pub(super) fn text(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    /// The element that `{id}` stands for.
    pub(super) fn element(&self, kind: ElementKind) -> Result<Element, Failure> {
        names::element(self.text("id"), kind, self.references)
    }

    pub(super) fn subject(&self, kind: ElementKind) -> Result<Subject, Failure> {
        Ok(Subject { kind, element: self.element(kind)? })
    }

    /// The body; null if there is none.
    pub(super) fn body(&self) -> Result<Value, Failure> {
        match self.body {
            Body::Value(value) => Ok(value.clone()),
            Body::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(Value::Null),
            Body::Bytes(bytes) => json::parse(bytes).map_err(|error| Failure::of(&error)),
        }
    }

    /// Names and values of the query.
    pub(super) fn query(&self) -> Result<Vec<(String, String)>, Failure> {
        query_pairs(self.query.unwrap_or_default()).map_err(|error| Failure::of(&error))
    }

    /// Whether a parameter of the query is `true`.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.query()?.iter().any(|(key, value)| key == name && value == "true"))
    }
}

/// All families.
const FAMILIES: [&[Route]; 9] = [
    root::ROUTES,
    cypher::ROUTES,
    extension::ROUTES,
    labels::ROUTES,
    nodes::ROUTES,
    properties::ROUTES,
    relationships::ROUTES,
    schema::ROUTES,
    refused::ROUTES,
];

fn routes() -> impl Iterator<Item = &'static Route> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// What a method and a path below `/db/data` lead to.
pub(super) fn lead(
    method: &str,
    (path, query): (&str, Option<&str>),
    body: Body<'_>,
    references: References<'_>,
) -> Result<Target, (Failure, Option<String>)> {
    static TABLE: RouteTable = RouteTable::new();
    let table =
        TABLE.get_or_init(|| routes().map(|own| (own.method, Pattern::of(own.pattern))).collect());
    let bad = |failure| (failure, None);
    let segments = segments(path).map_err(|error| bad(Failure::of(&error)))?;
    let found = find(table, method, &segments);
    let (number, values) = found.map_err(|refusal| {
        let whole = format!("{BASE_PATH}/{}", path.trim_start_matches('/'));
        (Failure::of_refusal(&refusal, method, &whole), refusal.allowed())
    })?;
    // The table has the rows of the routes.
    let Some(route) = routes().nth(number) else {
        return Err(bad(Failure::of_refusal(&Refusal::NoRoute, method, path)));
    };
    (route.make)(&At { values, query, body, references }).map_err(bad)
}

/// Whether a path belongs to this interface: a graph may be called `data`.
pub(in super::super) fn is_legacy(segments: &[String]) -> bool {
    match segments {
        [db, data, rest @ ..] if db == "db" && data == "data" => {
            rest.first().is_none_or(|own| own != "tx" && own != "query")
        }
        _ => false,
    }
}

/// The part of a path behind its first two segments.
fn behind_data(path: &str) -> &str {
    (0..2).fold(path, |rest, _| {
        let rest = rest.trim_start_matches('/');
        rest.find('/').map_or("", |end| &rest[end..])
    })
}

/// Reads a request whose path is below `/db/data`.
pub(in super::super) fn parse(
    method: &str,
    (path, query): (&str, Option<&str>),
    body: &[u8],
) -> Parsed {
    let path = behind_data(path);
    Parsed::Legacy(match lead(method, (path, query), Body::Bytes(body), &no_references) {
        Ok(Target::Operation(operation)) => Request::Operation(Box::new(operation)),
        Ok(Target::Batch) => match Jobs::read(body) {
            Ok(jobs) => Request::Batch(Box::new(jobs)),
            Err(failure) => Request::RefusedBatch(Box::new(failure)),
        },
        Ok(Target::Transaction { id, commits }) => return Parsed::Transaction { id, commits },
        Ok(Target::RollBack(id)) => return Parsed::RollBack(id),
        Err((failure, allow)) => Request::Refused(Box::new(failure), allow),
    })
}

/// The page of the reference.
pub fn page() -> String {
    let mut out = String::from(PAGE);
    let mut sorted: Vec<&Route> = routes().collect();
    sorted.sort_by_key(|route| route.pattern);
    for Route { method, pattern, about, .. } in sorted {
        // Writing to a string does not fail.
        let _written = writeln!(out, "| `{} {pattern}` | {about} |", method.word());
    }
    out
}

/// What stands in front of the routes.
const PAGE: &str = "\
# Neo4j's interface of versions 1 to 3

Generated from the table of routes; do not edit. It is below `/db/data` on the listener of [Neo4j's HTTP interface](neo4j-http.md), over the
graph of `cypher.graph`. Bodies are `application/json`. Addresses in answers have the `Host` of the request. `{id}` is the number of a
node or relationship (`id(n)`); one that a client of another language chose as a text has a negative number.

A failure is `{message, exception, fullname, stackTrace, errors: [{code, message}]}` with the names of Neo4j's exceptions: 400 for a wrong
body, query or property, 404 for an element, property or route that is not there, 405 for a method, 409 for a constraint or a node that has
relationships, 413 for too many bytes, 501 for what is refused by name.

A query of `cypher` and of `transaction` may have its parameters in braces, `{name}`, where a parameter of that name is sent.

## Batches

`POST /batch` has a list of jobs `{method, to, id, body}`. `to` is a path below `/db/data` or a whole address. `{n}` in `to` and in strings of
the body is the element that job n made or is about: in the place of an element it is that element, within a longer string its
address. Texts of queries and scripts are left as they are. The jobs are one transaction, run again after a write conflict, and answered
in their order. A batch has up to 100,000 jobs.

If a job fails, nothing is applied: the status is 500, the exception `BatchOperationFailedException`, and `id`, `method`, `from`, `status` and
`cause` are the job's. A job with the id of another, of no route, or that names `{n}` of no earlier job fails before anything
is run. What is no list of jobs is refused with 400.
With `X-Stream: true`, or `stream=true` in `Accept`, a batch with a job that failed is answered by 200 and a list of the answer to that job,
`[{id, from, status, body}]`; nothing is applied all the same.

The meaning is that of the jobs one after another. Jobs of one kind that do not need each other run together, so a constraint is looked at
after some jobs at once: a batch may pass where one of its jobs alone would be refused until the next has run.

## Routes

| request below `/db/data` | answer |
|---|---|
";

/// A route whose answer is read from the elements of its path.
pub(super) const fn route(
    method: Method,
    pattern: &'static str,
    about: &'static str,
    make: fn(&At<'_>) -> Made,
) -> Route {
    Route { method, pattern, about, make }
}
