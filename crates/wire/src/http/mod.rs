//! What every protocol over HTTP uses: targets of requests, responses, and the statuses of errors.

mod response;
pub mod status;
pub(crate) mod target;

pub use response::Response;
