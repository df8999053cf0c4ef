//! Queries over Bolt to a server that is named by an address.
//!
//! A broken connection fails one scenario: the next one connects again.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use millrace_model::Value as Model;
use millrace_wire::bolt::client::{self, ClientError, Connection, LogIn};
use millrace_wire::bolt::{Auth, TransactionOptions};

use super::decode::{decode, encode};
use super::{Executor, RunError};
use crate::errors::Failure;
use crate::procedure::Procedure;
use crate::values::{Answer, Value};

/// How long to wait for any answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

const DEFAULT_PORT: u16 = 7687;

/// Deletes all that a scenario left. A server other than our own has no shorter way.
const CLEAR: &str = "MATCH (n) DETACH DELETE n";

/// Queries for the names of constraints and indexes, and their words. A constraint drops its own index.
const NAMES: [(&str, &str); 2] = [
    ("SHOW CONSTRAINTS YIELD name RETURN name", "CONSTRAINT"),
    ("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name", "INDEX"),
];

/// A login.
#[derive(Clone, Debug)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// A server at an address.
pub(crate) struct Bolt {
    address: String,
    auth: Auth,
    /// The graph by its name; none for the default one.
    graph: Option<Arc<str>>,
    /// None after it broke.
    connection: Option<Connection<TcpStream>>,
    /// Whether there may be indexes or constraints of a scenario.
    has_schema: bool,
}

impl Bolt {
    /// Connects to `bolt://HOST:PORT`.
    pub(crate) fn connect(url: &str, login: Option<Login>) -> Result<Bolt, String> {
        let address = address(url)?;
        let auth = login.map_or_else(Auth::none, |login| Auth::basic(&login.user, &login.password));
        let mut bolt = Bolt { address, auth, graph: None, connection: None, has_schema: true };
        bolt.connected()?;
        Ok(bolt)
    }

    /// From now on queries ask the graph of this name.
    pub(super) fn use_graph(&mut self, name: &str) {
        self.graph = Some(Arc::from(name));
    }

    /// Ends the connection. The next query opens another.
    pub(super) fn close(&mut self) {
        if let Some(connection) = self.connection.take() {
            // A connection that cannot say goodbye is closed all the same.
            let _said = connection.close();
        }
    }

    fn connected(&mut self) -> Result<&mut Connection<TcpStream>, String> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open()?,
        };
        Ok(self.connection.insert(connection))
    }

    fn open(&self) -> Result<Connection<TcpStream>, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", self.address);
        let mut addresses = self.address.to_socket_addrs().map_err(|error| wrong(&error))?;
        let address = addresses.next().ok_or_else(|| wrong(&"no such host"))?;
        let stream = TcpStream::connect(address).map_err(|error| wrong(&error))?;
        let prepared =
            stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(ANSWER_TIMEOUT)));
        prepared.map_err(|error| wrong(&error))?;
        let log_in = LogIn { auth: self.auth.clone(), ..LogIn::default() };
        Connection::open(stream, &log_in).map_err(|error| wrong(&error))
    }
}

impl Executor for Bolt {
    fn clear(&mut self) -> Result<(), String> {
        let wrong = |error: RunError| format!("while the graph was emptied: {error}");
        if self.has_schema {
            for (list, kind) in NAMES {
                for row in self.run(list, &[]).map_err(wrong)?.rows {
                    let [Value::String(name)] = row.as_slice() else { continue };
                    self.run(&format!("DROP {kind} `{name}`"), &[]).map_err(wrong)?;
                }
            }
            self.has_schema = false;
        }
        self.run(CLEAR, &[]).map(|_| ()).map_err(wrong)
    }

    fn run(&mut self, query: &str, parameters: &[(String, Value)]) -> Result<Answer, RunError> {
        self.has_schema |= ["INDEX", "CONSTRAINT"].iter().any(|word| query.contains(word));
        let parameter = |(name, value): &(String, Value)| (Arc::from(name.as_str()), encode(value));
        let parameters: Vec<(Arc<str>, Model)> = parameters.iter().map(parameter).collect();
        let database = self.graph.clone();
        let options = TransactionOptions { database, ..TransactionOptions::default() };
        let connection = self.connected().map_err(RunError::Broken)?;
        match connection.run_with(query, &parameters, options) {
            Ok(answer) => Ok(answer_of(&answer)),
            Err(ClientError::Failure(failure)) => Err(RunError::Failed(Failure {
                code: failure.code.to_string(),
                message: failure.message.to_string(),
                details: vec![failure.gql_status.to_string()],
            })),
            Err(ClientError::Broken(error)) => {
                self.connection = None;
                Err(RunError::Broken(error.to_string()))
            }
        }
    }

    fn define(&mut self, procedures: &[Procedure]) -> Result<bool, String> {
        Ok(procedures.is_empty())
    }
}

fn answer_of(answer: &client::Answer) -> Answer {
    Answer {
        columns: answer.columns.iter().map(|name| name.to_string()).collect(),
        rows: answer.records.iter().map(|record| record.iter().map(decode).collect()).collect(),
    }
}

/// `HOST:PORT` of an address.
fn address(url: &str) -> Result<String, String> {
    let rest = url.strip_prefix("bolt://").ok_or_else(|| {
        format!("the URL `{url}` is none of Bolt: write bolt://HOST:PORT, without encryption")
    })?;
    let host = rest.trim_end_matches('/');
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match has_port {
        true => Ok(host.to_owned()),
        false => Ok(format!("{host}:{DEFAULT_PORT}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::scripted_server;

    #[test]
    fn an_address_may_leave_out_the_port() {
        assert_eq!(address("bolt://127.0.0.1:7000"), Ok("127.0.0.1:7000".to_owned()));
        assert_eq!(address("bolt://localhost/"), Ok("localhost:7687".to_owned()));
        assert!(address("http://localhost").is_err());
    }

    #[test]
    fn answers_and_failures_are_read_and_a_broken_connection_is_opened_again() {
        let server = scripted_server::start(2);
        let mut bolt = Bolt::connect(&format!("bolt://{server}"), None).expect("it listens");
        let parameter = [("x".to_owned(), Value::List(vec![Value::Integer(7)]))];
        let answer = Answer {
            columns: vec!["x".to_owned()],
            rows: vec![vec![Value::List(vec![Value::Integer(7)])]],
        };
        assert_eq!(bolt.run("RETURN $x AS x", &parameter), Ok(answer.clone()));
        let Err(RunError::Failed(failure)) = bolt.run("fail", &[]) else { panic!("it fails") };
        assert_eq!(failure.to_string(), "TypeError: InvalidArgumentType: a list");
        assert_eq!(bolt.run("RETURN $x AS x", &parameter), Ok(answer.clone()));
        assert!(matches!(bolt.run("close", &[]), Err(RunError::Broken(_))));
        assert_eq!(bolt.run("RETURN $x AS x", &parameter), Ok(answer));
        assert_eq!(bolt.clear(), Ok(()));
        assert_eq!(bolt.define(&[]), Ok(true));
        bolt.close();
    }

    #[test]
    fn a_server_that_does_not_listen_is_named() {
        // A port that was free a moment ago.
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let refused = Bolt::connect(&format!("bolt://{address}"), None).map(|_| ());
        assert!(refused.expect_err("none listens").starts_with(&address.to_string()));
    }
}
