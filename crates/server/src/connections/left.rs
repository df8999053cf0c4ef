//! A body that comes back when its reader leaves it before its end: an answer such as 401 needs no body.
//!
//! Hyper closes a connection on which a part of a body was not read, without a word to the client. That would send its next
//! request on it, and sees it cut off. So what is left is read and discarded first.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use super::least_rate::LeastRate;

/// Where a body that was left is found.
#[derive(Clone, Default)]
pub(super) struct LeftBody(Arc<Mutex<Option<LeastRate>>>);

impl LeftBody {
    /// The body, if its reader left it.
    pub(super) fn take(&self) -> Option<LeastRate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A body that goes there.
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
