//! A server on a free port over a database in memory, and a client of it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use millrace_server::Server;
use millrace_server::db::{Database, Settings};
use millrace_server::users::UsersFile;
use serde_json::Value;

/// A server that is stopped when the test ends.
pub(crate) struct Running {
    pub(crate) url: String,
    /// The URL of its listener of administration.
    pub(crate) admin: String,
    /// Where it listens for Gremlin.
    pub(crate) gremlin: SocketAddr,
    /// Where it listens for Bolt; queries are in Gremlin.
    pub(crate) bolt: SocketAddr,
    /// The URL of Neo4j's HTTP interface; empty where it is off, as without a setting.
    pub(crate) neo4j_http: String,
    /// The URL of Dgraph's HTTP; empty where it is off, as without a setting.
    pub(crate) dql: String,
    /// Where it listens for Dgraph's gRPC; its port is 0 where it is off, as without a setting.
    pub(crate) dql_grpc: SocketAddr,
    server: Option<Server>,
    agent: ureq::Agent,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// The header `Millrace-Error`.
    pub(crate) error: Option<String>,
    pub(crate) content_type: Option<String>,
    /// The header `WWW-Authenticate`.
    pub(crate) challenge: Option<String>,
    /// The header `Retry-After`.
    pub(crate) retry_after: Option<String>,
    /// The header `Location`.
    pub(crate) location: Option<String>,
    /// The header `Access-Control-Allow-Origin`.
    pub(crate) allowed_origin: Option<String>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

/// A server that knows `ann`, with the password `secret`.
pub(crate) fn start_with_ann(change: impl FnOnce(&mut Settings)) -> Running {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    add_ann(&path);
    start_with(|settings| {
        settings.users.file = path.to_str().expect("a plain name").to_owned();
        change(settings);
    })
}

/// The same, where Bolt speaks a language.
pub(crate) fn start_speaking_with_ann(language: &'static str) -> Running {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    add_ann(&path);
    let mut settings = settings();
    settings.users.file = path.to_str().expect("a plain name").to_owned();
    start_speaking(Database::in_memory(settings).expect("a database in memory opens"), language)
}

/// Makes a file of users that has her.
pub(crate) fn add_ann(path: &Path) {
    let mut users = UsersFile::change(path, true).expect("there is a folder");
    users.file.add("ann", "secret").expect("it is the first");
    users.write().expect("there is room");
}

/// Settings with free ports.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    for listener in ["admin", "bolt", "gremlin", "lua"] {
        settings.listen.set(listener, "127.0.0.1:0");
    }
    settings
}

/// A server with changed settings.
pub(crate) fn start_with(change: impl FnOnce(&mut Settings)) -> Running {
    let mut settings = settings();
    change(&mut settings);
    start_over(Database::in_memory(settings).expect("a database in memory opens"))
}

/// A server over a database that something was done with before.
pub(crate) fn start_over(database: Database) -> Running {
    start_speaking(database, "gremlin")
}

/// The same, where Bolt speaks a language.
pub(crate) fn start_speaking(database: Database, language: &'static str) -> Running {
    let server = Server::start_speaking(Arc::new(database), language);
    let server = server.expect("a free port can be bound");
    let address = |protocol| server.address(protocol).expect("it listens for all");
    let url = format!("http://{}", address("lua"));
    let (gremlin, admin) = (address("gremlin"), format!("http://{}", address("admin")));
    let config =
        ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true);
    let bolt = address("bolt");
    let url_of = |name: &str| {
        server.address(name).map(|address| format!("http://{address}")).unwrap_or_default()
    };
    let (neo4j_http, dql) = (url_of("neo4j-http"), url_of("dql"));
    let dql_grpc =
        server.address("dql-grpc").unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
    let agent = config.build().into();
    Running { url, admin, gremlin, bolt, neo4j_http, dql, dql_grpc, server: Some(server), agent }
}

/// A server with an empty graph `g`.
pub(crate) fn start() -> Running {
    let running = start_with(|_| {});
    assert_eq!(running.post("/dbs/one", "").status, 200);
    running
}

impl Running {
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        self.send_to(&self.url, method, path, headers, body)
    }

    /// The same to another of its ports.
    pub(crate) fn send_to(
        &self,
        url: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{url}{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body).expect("the request is well formed");
        let mut response = self.agent.run(request).expect("the server answers");
        let header = |name: &str| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        let (error, content_type) = (header("millrace-error"), header("content-type"));
        let (challenge, retry_after) = (header("www-authenticate"), header("retry-after"));
        let location = header("location");
        let allowed_origin = header("access-control-allow-origin");
        let status = response.status().as_u16();
        let body = response.body_mut().read_to_string().expect("the answer is text");
        Reply {
            status,
            body,
            error,
            content_type,
            challenge,
            retry_after,
            location,
            allowed_origin,
        }
    }

    /// A request of administration, with a body of JSON unless it is empty.
    pub(crate) fn admin(&self, method: &str, path: &str, body: &str) -> Reply {
        let json = [("content-type", "application/json")];
        let headers = if body.is_empty() { &[][..] } else { &json[..] };
        self.send_to(&self.admin, method, path, headers, body.as_bytes())
    }

    /// The JSON of a request of administration that succeeds.
    pub(crate) fn administer(&self, method: &str, path: &str, body: &str) -> Value {
        let reply = self.admin(method, path, body);
        assert!((200..300).contains(&reply.status), "{method} {path}: {reply:?}");
        reply.json()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.send("POST", path, &[], body.as_bytes())
    }

    pub(crate) fn put(&self, path: &str, body: &str) -> Reply {
        self.send("PUT", path, &[], body.as_bytes())
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, &[], b"")
    }

    /// The JSON of a GET that succeeds.
    pub(crate) fn shown(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    /// The answer of a script that succeeds.
    pub(crate) fn run(&self, script: &str) -> Value {
        let reply = self.post("/db/one/lua", script);
        assert_eq!(reply.status, 200, "{script}: {reply:?}");
        reply.json()
    }
}
