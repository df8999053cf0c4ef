//! One connection of HTTP, until it ends, becomes a WebSocket, or is overdue.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::rt::bounds::Http2ServerConnExec;
use hyper::rt::{Read, Write};
use hyper::server::conn::{http1, http2};
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo};
use millrace_model::{Error, UNCOUNTED_BYTES};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, timeout};

use super::activity::Running;
use super::bodies::discard;
use super::least_rate::LeastRate;
use super::left_body::{Leaving, LeftBody};
use super::peer::{Connected, Peer};
use super::stream::Stream;
use super::{Activity, Charge, Connections, Rate};
use crate::browsers::{Browsers, Routes};
use crate::limits::{
    HTTP_BUFFER_BYTES, LEFT_BODY_MAX, STOPPING_HEAD_MAX, STREAM_WINDOW_BYTES, STREAMS_MAX,
    STREAMS_WINDOW_BYTES,
};

/// A connection that was taken.
pub(crate) struct Accepted {
    pub(super) socket: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) permit: OwnedSemaphorePermit,
}

impl Accepted {
    /// Its socket, which reports to the activity, and its peer.
    pub(crate) fn open(self, connections: &Connections) -> (Stream, Peer, Arc<Activity>) {
        let Accepted { socket, peer, permit } = self;
        let activity = Arc::new(Activity::new(connections));
        (Stream::new(socket, Arc::clone(&activity), permit), Peer::of(peer), activity)
    }
}

/// The version of HTTP that a listener speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// 1.0 and 1.1.
    One,
    /// 2, without the words of 1 before it.
    Two,
}

/// A connection under way, which may be asked to end after its requests.
trait Under: Future {
    fn end_soon(self: Pin<&mut Self>);
}

impl<I, B, S> Under for http1::UpgradeableConnection<I, S>
where
    S: HttpService<Incoming, ResBody = B>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    I: Read + Write + Unpin + Send + 'static,
    B: HttpBody + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn end_soon(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl<I, B, S, E> Under for http2::Connection<I, S, E>
where
    S: HttpService<Incoming, ResBody = B>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    I: Read + Write + Unpin,
    B: HttpBody + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    E: Http2ServerConnExec<S::Future, B>,
{
    fn end_soon(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

/// Serves a connection.
pub(super) async fn serve(
    accepted: Accepted,
    (version, routes): (Version, Routes),
    (connections, browsers): (Arc<Connections>, Arc<Browsers>),
    stopped: watch::Receiver<bool>,
) {
    let _alive = connections.connect();
    let times = connections.times;
    let (stream, peer, activity) = accepted.open(&connections);
    let stream = TokioIo::new(stream);
    let (own, shared) = (Arc::clone(&activity), Arc::clone(&connections));
    let service = service_fn(move |request| {
        let connected = Connected { peer, activity: Arc::clone(&own) };
        let gate = (Arc::clone(&browsers), routes.clone());
        answer(Arc::clone(&shared), gate, request, (connected, times.rate))
    });
    let end = (activity, connections, stopped);
    match version {
        Version::One => {
            let mut builder = http1::Builder::new();
            builder.max_buf_size(HTTP_BUFFER_BYTES);
            drive(builder.serve_connection(stream, service).with_upgrades(), end).await;
        }
        Version::Two => {
            end.0.become_streams();
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder
                .max_concurrent_streams(STREAMS_MAX)
                .initial_stream_window_size(STREAM_WINDOW_BYTES)
                .initial_connection_window_size(STREAMS_WINDOW_BYTES)
                .max_header_list_size(HTTP_BUFFER_BYTES as u32);
            drive(builder.serve_connection(stream, service), end).await;
        }
    }
}

/// Serves until the connection ends, is overdue, or has answered its last request before the server stops.
async fn drive(
    connection: impl Under,
    (activity, connections, mut stopped): (Arc<Activity>, Arc<Connections>, watch::Receiver<bool>),
) {
    let times = connections.times;
    let mut connection = pin!(connection);
    let mut ticks = times.ticks();
    let mut stopping: Option<Instant> = None;
    loop {
        tokio::select! {
            // The client caused the error or is gone, so it is reported nowhere.
            _ended = connection.as_mut() => return,
            _ = stopped.wait_for(|is_stopped| *is_stopped), if stopping.is_none() => {
                connection.as_mut().end_soon();
                stopping = Some(Instant::now());
            }
            _ = ticks.tick() => {
                let is_late = stopping.is_some_and(|since| STOPPING_HEAD_MAX <= since.elapsed());
                if is_late && activity.is_between_requests() {
                    return;
                }
                if let Some(why) = activity.overdue(&times) {
                    return connections.close(why);
                }
            }
        }
    }
}

/// Answers a request; it runs until its answer was taken.
async fn answer(
    connections: Arc<Connections>,
    (browsers, routes): (Arc<Browsers>, Routes),
    request: Request<Incoming>,
    (connected, rate): (Connected, Rate),
) -> Result<Response<Answer>, Infallible> {
    let activity = Arc::clone(&connected.activity);
    let running = Arc::clone(&activity).run();
    // A client that asks whether to send its body gets the answer instead.
    let asks = request.headers().contains_key(header::EXPECT);
    let left = LeftBody::default();
    let mut request = request.map(|body| match body.is_end_stream() {
        true => Body::empty(),
        false => Body::new(Leaving::new(LeastRate::new(body, rate), &left)),
    });
    request.extensions_mut().insert(connected);
    let mut response = browsers.pass(request, &routes).await?;
    if let Some(mut body) = left.take() {
        let rest = discard(&connections.bodies, &mut body, 0);
        if asks || !timeout(LEFT_BODY_MAX, rest).await.unwrap_or(false) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
    // A streamed answer has a bound of its own, and a small one is not counted: a connection has
    // one answer under way.
    let bytes = response.body().size_hint().exact().filter(|bytes| UNCOUNTED_BYTES < *bytes);
    let charge = bytes.map(|bytes| activity.unsent.charge(bytes as usize)).transpose();
    let charge = charge.unwrap_or_else(|error| {
        response = no_room(&error);
        None
    });
    Ok(response.map(|body| Answer { body, charge, _running: running }))
}

/// Instead of an answer that there is no memory for.
fn no_room(error: &Error) -> Response<Body> {
    let mut response = Response::new(Body::from(error.to_string()));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The body of an answer.
struct Answer {
    body: Body,
    /// Goes with the bytes, which the connection may hold longer than the body.
    charge: Option<Charge>,
    _running: Running,
}

/// Bytes that drop their charge with the last of them.
struct Charged {
    bytes: Bytes,
    _charge: Charge,
}

impl AsRef<[u8]> for Charged {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| {
            let frame = frame?;
            // A whole body is one frame.
            match (frame.into_data(), self.charge.take()) {
                (Ok(bytes), Some(charge)) => {
                    Ok(Frame::data(Bytes::from_owner(Charged { bytes, _charge: charge })))
                }
                (Ok(bytes), None) => Ok(Frame::data(bytes)),
                (Err(other), _) => Ok(other),
            }
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
