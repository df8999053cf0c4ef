//! Bodies of requests: whole, and unpacked within the bounds of what they become.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use millrace_db::Client;
use millrace_model::Error;
use millrace_wire::dql::{Code, Failure};

use super::answer::Failed;
use crate::connections::{Held, Unread, unpacked};
use crate::http::whole;
use crate::limits::PACKED_INLINE_BYTES_MAX;
use crate::state::State;

/// All of a body.
pub(super) async fn read(
    state: &Arc<State>,
    client: Client,
    headers: &HeaderMap,
    body: Body,
) -> Result<Held, Failed> {
    let is_packed = match headers.get(header::CONTENT_ENCODING).map(|value| value.as_bytes()) {
        None | Some(b"" | b"identity") => false,
        Some(b"gzip") => true,
        Some(_) => {
            let failure = Failure::new(Code::InvalidRequest, "Unsupported content encoding");
            return Err(failure.without_data().into());
        }
    };
    let held = whole(state, body).await.map_err(|(status, error)| failed(status, &error))?;
    if !is_packed {
        return Ok(held);
    }
    let bytes_max = state.database.settings().http.body_bytes_max;
    let done = match held.bytes.len() <= PACKED_INLINE_BYTES_MAX {
        true => unpacked(&state.connections.bodies, &held.bytes, bytes_max),
        false => {
            let own = Arc::clone(state);
            let work = move || unpacked(&own.connections.bodies, &held.bytes, bytes_max);
            state.executor.answer(client, work).await?
        }
    };
    done.map_err(|unread| {
        let status = match &unread {
            Unread::TooLong => 413,
            Unread::NoRoom(_) => 503,
            Unread::TooSlow(_) => 408,
            Unread::CutOff(_) => 400,
        };
        failed(status, &unread.error(bytes_max, "http.body-bytes-max"))
    })
}

fn failed(status: u16, error: &Error) -> Failed {
    Failed::Body(status, Failure::of(error).without_data())
}
