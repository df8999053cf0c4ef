//! The paths, and the methods that they take.

use super::failure::{Code, Failure};

/// What is behind a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A query.
    Query,
    /// Mutations, perhaps with a query.
    Mutate,
    /// The end of a transaction.
    Commit,
    /// A change of the schema.
    Alter,
    /// A login.
    Login,
    /// Whether the server is there, and what it is.
    Health,
    /// The members of a cluster, of which there is one.
    State,
    /// Words that a page completes.
    Keywords,
    /// Uids and numbers of transactions, in advance.
    Assign,
    /// Administration in GraphQL, as far as it is served.
    Admin,
    /// A word for people.
    Home,
}

/// A request that is answered by its path and its method alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status.
    pub status: u16,
    /// The error; none: the method asks only what the path takes.
    pub failure: Option<Failure>,
    /// The methods that the path takes.
    pub allow: &'static str,
}

/// The methods of requests with a body.
const WITH_BODY: &str = "POST, PUT, OPTIONS";

/// Those of the others.
const WITHOUT_BODY: &str = "GET, HEAD, OPTIONS";

/// Why GraphQL is not served.
const GRAPHQL: &str = "GraphQL is not served here. Its data can be asked for in DQL: a field of a type is the predicate \
                       Type.field, as in { q(func: type(Person)) { Person.name } }";

/// Finds what is behind a path.
pub fn route(method: &str, path: &str) -> Result<Endpoint, Refused> {
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path);
    let endpoint = match path {
        "/query" => Endpoint::Query,
        "/mutate" => Endpoint::Mutate,
        "/commit" => Endpoint::Commit,
        "/alter" => Endpoint::Alter,
        "/login" => Endpoint::Login,
        "/admin" => Endpoint::Admin,
        "/health" => Endpoint::Health,
        "/state" => Endpoint::State,
        "/ui/keywords" => Endpoint::Keywords,
        "/assign" => Endpoint::Assign,
        "/" => Endpoint::Home,
        "/graphql" | "/probe/graphql" | "/admin/schema" => return Err(unsupported(GRAPHQL)),
        _ if path.starts_with("/admin/") => {
            let message = format!(
                "`{path}` is not served: the listener of administration has routes of its own"
            );
            return Err(unsupported(&message));
        }
        _ => {
            let failure = Failure::new(Code::Error, format!("there is no {path}")).without_data();
            return Err(Refused { status: 404, failure: Some(failure), allow: "" });
        }
    };
    let has_body = match endpoint {
        Endpoint::Query
        | Endpoint::Mutate
        | Endpoint::Commit
        | Endpoint::Alter
        | Endpoint::Login
        | Endpoint::Admin => true,
        Endpoint::Health
        | Endpoint::State
        | Endpoint::Keywords
        | Endpoint::Assign
        | Endpoint::Home => false,
    };
    let allow = if has_body { WITH_BODY } else { WITHOUT_BODY };
    match method {
        "POST" | "PUT" if has_body => Ok(endpoint),
        "GET" | "HEAD" if !has_body => Ok(endpoint),
        "OPTIONS" => Err(Refused { status: 204, failure: None, allow }),
        _ => {
            let failure = Failure::new(Code::InvalidMethod, "Invalid method").without_data();
            Err(Refused { status: 400, failure: Some(failure), allow })
        }
    }
}

fn unsupported(message: &str) -> Refused {
    let failure = Failure::new(Code::Error, message).without_data();
    Refused { status: 501, failure: Some(failure), allow: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_with_its_methods_and_graphql_is_refused_by_name() {
        assert_eq!(route("POST", "/query"), Ok(Endpoint::Query));
        assert_eq!(route("PUT", "/mutate/"), Ok(Endpoint::Mutate));
        assert_eq!(route("HEAD", "/health"), Ok(Endpoint::Health));
        assert_eq!(route("GET", "/"), Ok(Endpoint::Home));
        let wrong = route("GET", "/query").unwrap_err();
        assert_eq!((wrong.status, wrong.allow), (400, "POST, PUT, OPTIONS"));
        let asked = route("OPTIONS", "/health").unwrap_err();
        assert_eq!((asked.status, asked.allow, asked.failure), (204, "GET, HEAD, OPTIONS", None));
        for path in ["/graphql", "/admin/schema", "/probe/graphql"] {
            let refused = route("POST", path).unwrap_err();
            assert!(refused.failure.unwrap().message.contains("Type.field"), "{path}");
        }
        assert_eq!(route("POST", "/admin/backup").unwrap_err().status, 501);
        assert_eq!(route("GET", "/queries").unwrap_err().status, 404);
    }
}
