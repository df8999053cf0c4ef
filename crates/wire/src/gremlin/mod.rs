//! Gremlin's protocol of 3.x: WebSocket frames and HTTP bodies to messages and back, in three formats.
//!
//! ```text
//!   frame ──frame──┐                                            ┌──> frames
//!                  ├─format─> message ──> Request   Response ──┤
//!   body  ──http───┘          (arguments)  (Batches, status)    └──> body
//!                                │                    ▲
//!               graphbinary, graphson ────> Datum ────┘  (of a Value and its detached elements)
//! ```
//!
//! A [`Datum`] is the content of one message; of other protocols only administration has it, for rows as JSON without
//! types. A request's instructions and variables leave as `model`'s arguments, results arrive as values.

mod arguments;
pub mod auth;
mod conversation;
mod datum;
mod datum_size;
mod format;
mod frame;
pub mod graphbinary;
pub mod graphson;
pub mod http;
mod message;
mod outgoing;
mod request;
mod response;
pub mod status;

/// Traversals as instructions, which requests are made of.
pub use millrace_bytecode as bytecode;

pub use conversation::{Asked, Conversation, LogIn, Next, Work};
pub use datum::{Datum, Graph, Metrics, Path, TraversalMetrics, Traverser, Tree};
pub use format::Format;
pub use frame::{AnswerForm, Frame, read_frame};
pub use message::{
    Answer, AnswerHead, read_answer, read_answer_head, read_request, write_response,
};
pub use outgoing::{write_frame, write_request};
pub use request::{
    Language, Materialize, Operation, Options, Refusal, Request, RequestId, Session,
};
pub use response::{Batches, Response};
