//! Answers of gRPC: a message and its status behind it, or the status alone.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Response as HttpResponse, StatusCode, header};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use millrace_wire::dql::{GrpcCode, GrpcStatus};

/// The type of answers.
const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");

/// A message, and what stands behind it.
struct Message {
    bytes: Option<Bytes>,
    trailers: Option<HeaderMap>,
}

impl HttpBody for Message {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Some(bytes) = self.bytes.take() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        Poll::Ready(self.trailers.take().map(|trailers| Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none() && self.trailers.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// The response to a call.
pub(super) fn response(done: Result<Bytes, GrpcStatus>) -> HttpResponse<Body> {
    let mut response = match done {
        Ok(bytes) => {
            let ok = GrpcStatus::new(GrpcCode::Ok, "");
            let message = Message { bytes: Some(bytes), trailers: Some(headers_of(&ok)) };
            HttpResponse::new(Body::new(message))
        }
        Err(status) => {
            let mut response = HttpResponse::new(Body::empty());
            *response.headers_mut() = headers_of(&status);
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, GRPC);
    headers.insert("grpc-accept-encoding", HeaderValue::from_static("gzip"));
    response
}

/// The response to what is no call.
pub(super) fn no_call() -> HttpResponse<Body> {
    let mut response = HttpResponse::new(Body::from("this address takes calls of gRPC\n"));
    *response.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    response
}

fn headers_of(status: &GrpcStatus) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("grpc-status", HeaderValue::from(status.code as u16));
    if let Ok(message) = HeaderValue::try_from(status.header())
        && !message.is_empty()
    {
        headers.insert("grpc-message", message);
    }
    headers
}

/// The status of the same outcome over HTTP, by which metrics count it.
pub(super) fn http_status(code: GrpcCode) -> u16 {
    match code {
        GrpcCode::Ok => 200,
        GrpcCode::Cancelled => 499,
        GrpcCode::Unknown => 400,
        GrpcCode::DeadlineExceeded => 504,
        GrpcCode::PermissionDenied => 403,
        GrpcCode::ResourceExhausted => 413,
        GrpcCode::Aborted => 409,
        GrpcCode::Unimplemented => 501,
        GrpcCode::Internal | GrpcCode::DataLoss => 500,
        GrpcCode::Unavailable => 503,
        GrpcCode::Unauthenticated => 401,
    }
}
