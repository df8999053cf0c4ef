//! Dgraph's HTTP and gRPC: paths, parameters and bodies to messages; answers and errors as its clients read them.
//!
//! ```text
//!   path, parameters, body ──routes, parameters, bodies──> Request, Mutation, Operation (messages) <── gRPC
//!   results, Context, Latency ──answers──> JSON           Error ──failure──> message and code
//! ```
//!
//! A query is a text, and the data of a mutation is text or quads: what they mean, and whether a transaction is known, is
//! not for a codec.

mod admin;
mod answers;
mod bodies;
mod content_type;
mod failure;
mod grpc;
mod jwt;
#[rustfmt::skip]
mod messages;
mod nquad;
mod parameters;
mod routes;
mod status;

pub use admin::{AdminQuestion, AdminWanted, admin_answer, admin_request};
pub use answers::{
    abort_answer, altered, commit_answer, login_answer, mutation_parts, text_of_json,
    write_extensions,
};
pub use bodies::{
    CommitBody, MutateBody, QueryBody, commit_body, login_body, mutate_body, query_body,
};
pub use failure::{ABORTED, Code, Failure, NO_TOKEN, TOKEN_EXPIRED, WRONG_LOGIN};
pub use grpc::{GrpcCode, GrpcStatus, Method, decoded, framed, method, timeout, unframed};
pub use jwt::{Claims, UnverifiedToken, token, unverified};
pub use messages::{
    AllocateIDsRequest, AllocateIDsResponse, Check, Facet, Jwt, Latency, LeaseType,
    ListNamespacesResponse, LoginRequest, Mutation, NQuad, Namespace, Operation, Payload, Request,
    Response, RunDqlRequest, TxnContext, Value, Version, facet, operation, request, value,
};
pub use millrace_quads::{Action, BlankNames};
pub use nquad::statement_of;
pub use parameters::{AnswerForm, Assign, Parameters};
pub use routes::{Endpoint, Refused, route};
pub use status::{Status, assigned, health, keywords, state};

/// The version of Dgraph whose protocol this is, as clients ask for it.
pub const VERSION: &str = "v25.3.4";

/// The group of all predicates: there is one.
pub const GROUP: u32 = 1;
