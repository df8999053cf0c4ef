//! An answer that is written on a thread of the pool while it is sent: a backup, an export.
//!
//! The status is sent with the first piece. A later failure breaks the connection off, so that no client takes
//! a part for the whole; a backup reports damage in its archive, which ends with that.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use http_body_util::channel::{Channel, Sender};
use millrace_db::{Client, Database};
use millrace_model::{Error, ErrorKind, Result};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::limits::{STREAM_PIECE_BYTES, STREAM_PIECES_AHEAD_MAX};
use crate::state::{Admitted, State};

/// How a failure is reported after a part of the stream was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The stream itself says where stored data is damaged, and ends well.
    IsReported,
    /// The connection breaks off.
    BreaksOff,
}

/// Begins to write; gives the body once there is something of it. It counts as a request under way until it
/// ends.
pub(crate) async fn start(
    state: &Arc<State>,
    (client, admitted): (Client, Admitted),
    damage: Damage,
    work: impl FnOnce(&Database, &mut dyn Write) -> Result<()> + Send + 'static,
) -> Result<Body> {
    let (sender, body) = Channel::<Bytes, io::Error>::new(STREAM_PIECES_AHEAD_MAX);
    let (begun, begins) = oneshot::channel();
    let database = Arc::clone(&state.database);
    let runtime = Handle::current();
    state.executor.run(client, move || {
        let pieces = Pieces { runtime, sender, begun: Some(begun) };
        let mut out = BufWriter::with_capacity(STREAM_PIECE_BYTES, pieces);
        let made = work(&database, &mut out);
        let made = made.and_then(|()| out.flush().map_err(|error| io_error(&error)));
        let (mut pieces, rest) = out.into_parts();
        match made {
            // A stream of nothing begins, too.
            Ok(()) => pieces.begin(),
            Err(error) => pieces.fail(error, &rest.unwrap_or_default(), damage),
        }
        drop(admitted);
    });
    let dead = |_| Error::new(ErrorKind::Bug, "a stream ended without a result");
    begins.await.map_err(dead)??;
    Ok(Body::new(body))
}

fn io_error(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, error.to_string())
}

/// Sends the written bytes in pieces.
struct Pieces {
    runtime: Handle,
    sender: Sender<Bytes, io::Error>,
    /// The callback when the first piece is there, or with the reason why none comes.
    begun: Option<oneshot::Sender<Result<()>>>,
}

impl Pieces {
    fn begin(&mut self) {
        if let Some(begun) = self.begun.take() {
            // The client may be gone; the next piece finds out.
            let _gone = begun.send(Ok(()));
        }
    }

    /// `rest` is the end of the stream that was not sent yet.
    fn fail(mut self, error: Error, rest: &[u8], damage: Damage) {
        let is_reported = error.kind == ErrorKind::Corrupt && damage == Damage::IsReported;
        match self.begun.take() {
            // The client may be gone.
            Some(begun) => drop(begun.send(Err(error))),
            None if is_reported && self.write_all(rest).is_ok() => {}
            None => self.sender.abort(io::Error::other(error)),
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin();
        let piece = Bytes::copy_from_slice(bytes);
        let sent = self.runtime.block_on(self.sender.send_data(piece));
        let gone = |_| io::Error::new(io::ErrorKind::BrokenPipe, "the client went away");
        sent.map_err(gone).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
