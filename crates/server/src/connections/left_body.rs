//! The rest of a request's body that no handler read: an answer such as 401 needs no body.
//!
//! Hyper closes a connection with an unread rest and does not announce it, so the client's next request on that connection
//! is cut off. Here the rest comes back, and is read and discarded before the answer is sent.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use super::least_rate::LeastRate;

/// The place of the rest of a body.
#[derive(Clone, Default)]
pub(super) struct LeftBody(Arc<Mutex<Option<LeastRate>>>);

impl LeftBody {
    /// The rest, if a handler dropped the body before its end.
    pub(super) fn take(&self) -> Option<LeastRate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A body; dropped before its end, its rest goes to the place.
pub(super) struct Leaving {
    /// `None` behind its end.
    body: Option<LeastRate>,
    left: LeftBody,
}

impl Leaving {
    pub(super) fn new(body: LeastRate, left: &LeftBody) -> Leaving {
        Leaving { body: Some(body), left: left.clone() }
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.left.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}

impl Body for Leaving {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
