//! A body that has to arrive at a least rate.
//!
//! Only time in which the server waits for bytes counts: a load that is busy with earlier bytes may take
//! as long as it likes.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderMap;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::Rate;

/// The body came too slowly.
#[derive(Debug)]
pub(super) struct TooSlow(Rate);

impl std::fmt::Display for TooSlow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rate { window, window_bytes } = self.0;
        let millis = window.as_millis();
        write!(f, "too slow: less than {window_bytes} bytes arrived in {millis} ms")
    }
}

impl std::error::Error for TooSlow {}

/// A body of a request.
pub(super) struct LeastRate {
    body: Incoming,
    rate: Rate,
    /// How long the window has been waited for so far.
    waited: Duration,
    /// Bytes of the window.
    bytes: u64,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl LeastRate {
    pub(super) fn new(body: Incoming, rate: Rate) -> LeastRate {
        LeastRate { body, rate, waited: Duration::ZERO, bytes: 0, waiting: None }
    }

    fn arrived(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.waited += since.elapsed();
        }
        self.bytes += bytes as u64;
        if self.rate.window_bytes <= self.bytes {
            (self.waited, self.bytes) = (Duration::ZERO, 0);
        }
    }

    /// Ready once the window is over and has not brought enough.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.rate.window_bytes == 0 {
            return Poll::Pending;
        }
        let left = self.rate.window.saturating_sub(self.waited);
        let begin = || (Instant::now(), Box::pin(sleep(left)));
        let (_, timer) = self.waiting.get_or_insert_with(begin);
        timer.as_mut().poll(context)
    }
}

impl Body for LeastRate {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let trailers = HeaderMap::len;
                let bytes = frame.data_ref().map(Bytes::len);
                let bytes = bytes.or_else(|| frame.trailers_ref().map(trailers));
                self.arrived(bytes.unwrap_or(0));
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(other) => Poll::Ready(other.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => {
                let rate = self.rate;
                self.poll_overdue(context).map(|()| Some(Err(TooSlow(rate).into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
