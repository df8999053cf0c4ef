//! Every route, as data; the first one that fits wins. A body is read once its route is known.

use millrace_model::{Error, ErrorKind, Result};

use super::body::{Query, Transaction};
use super::legacy::{self, Parsed};
use crate::http::Method::{self, Delete, Get, Post};
use crate::http::pattern::Pattern;
use crate::http::target::segments;
use crate::http::{Captured, Refusal, RouteTable, find};

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The addresses of all interfaces.
    Discovery,
    /// A query of the Query API, a transaction of its own.
    Query(Box<Query>),
    /// Statements of a transaction.
    Transaction(Box<Transaction>),
    /// A transaction is rolled back.
    RollBack {
        /// The name of the database.
        database: String,
        /// The number of the transaction.
        id: u64,
    },
    /// A request of the interface of versions 1 to 3.
    Legacy(legacy::Request),
}

struct Route {
    method: Method,
    pattern: &'static str,
    make: fn(&Captured<'_>, bool) -> Result<Request>,
}

const fn route(
    method: Method,
    pattern: &'static str,
    make: fn(&Captured<'_>, bool) -> Result<Request>,
) -> Route {
    Route { method, pattern, make }
}

const ROUTES: &[Route] = &[
    route(Get, "/", |_, _| Ok(Request::Discovery)),
    route(Post, "/db/{database}/query/v2", |at, is_typed| {
        let query = Query::read(at.text("database"), at.body, is_typed)?;
        Ok(Request::Query(Box::new(query)))
    }),
    route(Post, "/db/{database}/query/v2/tx", refused_transaction),
    route(Post, "/db/{database}/query/v2/tx/{id}", refused_transaction),
    route(Delete, "/db/{database}/query/v2/tx/{id}", refused_transaction),
    route(Post, "/db/{database}/query/v2/tx/{id}/commit", refused_transaction),
    route(Post, "/db/{database}/tx", |at, _| transaction(at, None, false)),
    route(Post, "/db/{database}/tx/commit", |at, _| transaction(at, None, true)),
    route(Post, "/db/{database}/tx/{id}", |at, _| transaction(at, Some(at.id("id")?), false)),
    route(Delete, "/db/{database}/tx/{id}", |at, _| {
        Ok(Request::RollBack { database: at.text("database"), id: at.id("id")? })
    }),
    route(Post, "/db/{database}/tx/{id}/commit", |at, _| transaction(at, Some(at.id("id")?), true)),
];

fn transaction(at: &Captured<'_>, id: Option<u64>, commits: bool) -> Result<Request> {
    let transaction = Transaction::read((at.text("database"), id, commits), at.body)?;
    Ok(Request::Transaction(Box::new(transaction)))
}

fn refused_transaction(_: &Captured<'_>, _: bool) -> Result<Request> {
    let error = Error::new(ErrorKind::Unsupported, "transactions of several requests in query/v2");
    Err(error.with_help("POST /db/NAME/tx begins one"))
}

/// The database that older paths mean, which name none.
const OLDER_DATABASE: &str = "neo4j";

fn older(method: &str, target: (&str, Option<&str>), body: &[u8]) -> Result<Request> {
    let database = OLDER_DATABASE.to_owned();
    Ok(match legacy::parse(method, target, body) {
        Parsed::Legacy(request) => Request::Legacy(request),
        Parsed::Transaction { id, commits } => {
            let mut transaction = Transaction::read((database, id, commits), body)?;
            for statement in &mut transaction.statements {
                statement.text = legacy::translate(&statement.text, &statement.parameters);
            }
            Request::Transaction(Box::new(transaction))
        }
        Parsed::RollBack(id) => Request::RollBack { database, id },
    })
}

/// Reads a request by its method and its path with its query; `is_typed` says that its body is JSON with types.
pub fn parse(
    method: &str,
    (path, query): (&str, Option<&str>),
    body: &[u8],
    is_typed: bool,
) -> std::result::Result<Request, Refusal> {
    static TABLE: RouteTable = RouteTable::new();
    let table = TABLE.get_or_init(|| {
        ROUTES.iter().map(|route| (route.method, Pattern::of(route.pattern))).collect()
    });
    let segments = segments(path).map_err(Refusal::Bad)?;
    if legacy::is_legacy(&segments) {
        return older(method, (path, query), body).map_err(Refusal::Bad);
    }
    let (number, values) = find(table, method, &segments)?;
    // `find` gives the number of a row of the table, which has the rows of `ROUTES`.
    let Some(route) = ROUTES.get(number) else { return Err(Refusal::NoRoute) };
    let at = Captured { values, query: None, body };
    (route.make)(&at, is_typed).map_err(Refusal::Bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(method: &str, path: &str, body: &str) -> std::result::Result<Request, Refusal> {
        parse(method, (path, None), body.as_bytes(), false)
    }

    #[test]
    fn a_path_says_which_transaction_and_whether_it_commits() {
        for (path, id, commits) in [
            ("/db/neo4j/tx", None, false),
            ("/db/neo4j/tx/", None, false),
            ("/db/neo4j/tx/commit", None, true),
            ("/db/neo4j/tx/7", Some(7), false),
            ("/db/neo4j/tx/7/commit", Some(7), true),
        ] {
            let Ok(Request::Transaction(found)) = parsed("POST", path, "") else {
                panic!("{path} is a route")
            };
            assert_eq!((found.database.as_str(), found.id), ("neo4j", id), "{path}");
            assert_eq!((found.commits, found.statements.len()), (commits, 0), "{path}");
        }
        let rolled_back = parsed("DELETE", "/db/g/tx/7", "").unwrap();
        assert_eq!(rolled_back, Request::RollBack { database: "g".to_owned(), id: 7 });
    }

    #[test]
    fn other_paths_and_methods_are_refused() {
        assert_eq!(parsed("POST", "/db/neo4j/tx/x/commit/y", "").unwrap_err().error().0, 404);
        assert_eq!(parsed("GET", "/db/neo4j/tx/commit", "").unwrap_err().error().0, 405);
        let refused = parsed("POST", "/db/neo4j/query/v2/tx", "{}").unwrap_err().error().1;
        assert_eq!(refused.kind, ErrorKind::Unsupported);
    }
}
