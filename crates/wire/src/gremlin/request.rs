//! Requests of clients, typed, and the reasons why bytes are no request.
//!
//! A script is unparsed text and bytecode is unchecked instructions; whether a session, an alias or a
//! step exists is not checked here.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::Error;

use super::response::Response;

/// The id under which a client knows its request.
pub type RequestId = [u8; 16];

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its id.
    pub id: RequestId,
    /// The operation.
    pub operation: Operation,
    /// How it is to be done.
    pub options: Options,
}

/// The operation of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Run a script.
    Eval {
        /// Its text.
        script: Arc<str>,
        /// The language it is in.
        language: Language,
        /// Its variables.
        bindings: Vec<(Arc<str>, Argument)>,
        /// The session it belongs to.
        session: Option<Session>,
    },
    /// Run a traversal; the results are traversers, each with its bulk.
    Bytecode {
        /// Its instructions.
        bytecode: Bytecode,
        /// The session it belongs to.
        session: Option<Session>,
    },
    /// End a session.
    Close {
        /// Its name.
        session: String,
        /// Without a rollback of its transaction, which ends with the session in any case.
        force: bool,
    },
    /// Prove the client's identity.
    Authenticate {
        /// How, `PLAIN` if nothing is said.
        mechanism: Option<String>,
        /// The response of the mechanism, decoded.
        response: Vec<u8>,
    },
}

/// The languages of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Gremlin as Groovy code.
    Groovy,
    /// Gremlin by its grammar.
    Lang,
}

/// A session, and how a request treats it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// Whether each request is a transaction of its own.
    pub manages_transaction: bool,
    /// Whether variables outlive a script that fails.
    pub keeps_state: bool,
}

/// How a request is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Results of one frame.
    pub batch_size: Option<usize>,
    /// How long it may take; 0: as long as it likes.
    pub timeout_ms: Option<u64>,
    /// Names of graphs in the script, and those of the server.
    pub aliases: Vec<(String, String)>,
    /// Whether elements in results have their properties.
    pub materialize: Materialize,
    /// Whether its transaction is to be serializable, where it would not be.
    pub serializable: bool,
    /// The name of the client's software.
    pub user_agent: Option<String>,
}

/// The parts of elements in results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Materialize {
    /// Their properties too.
    #[default]
    All,
    /// Ids and labels only.
    Tokens,
}

/// Why bytes are no request.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The request's id, if it could be read.
    pub id: Option<RequestId>,
    /// The protocol's code.
    pub code: u16,
    /// The error.
    pub error: Error,
}

impl Refusal {
    /// The response to the client.
    pub fn response(&self) -> Response {
        Response { code: self.code, ..Response::error(self.id, &self.error) }
    }
}
