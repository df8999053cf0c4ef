//! What the listeners over HTTP share: bodies, headers that change the limits of a request, responses, and answers that
//! are written while they are sent.
//!
//! Routes and formats belong to listeners and to `wire`.

mod messages;
pub(crate) mod stream_body;

pub(crate) use messages::{Answer, isolation, limits_of, whole};
