//! A backup as the body of an answer, made on a thread of its own while it is sent.
//!
//! The status is sent with the first piece. Damage that is found later is reported in the archive, which
//! ends with it; any other failure breaks the connection off, and the list is missing at the end.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use http_body_util::channel::{Channel, Sender};
use millrace_db::RequestLimits;
use millrace_model::{Error, ErrorKind, Result};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::limits::{BACKUP_PIECE_BYTES, BACKUP_PIECES_AHEAD_MAX};
use crate::state::{Admitted, State};

/// Begins a backup; gives its body once there is something of it. It counts as a request under way
/// until it ends, and ends when its deadline is over.
pub(crate) async fn start(
    state: &Arc<State>,
    admitted: Admitted,
    limits: RequestLimits,
) -> Result<Body> {
    let (sender, body) = Channel::<Bytes, io::Error>::new(BACKUP_PIECES_AHEAD_MAX);
    let (begun, begins) = oneshot::channel();
    let database = Arc::clone(&state.database);
    let runtime = Handle::current();
    spawn_blocking(move || {
        let pieces = Pieces { runtime, sender, begun: Some(begun) };
        let mut out = BufWriter::with_capacity(BACKUP_PIECE_BYTES, pieces);
        let made = database.backup(&mut out, &mut |_, _| match limits.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let (pieces, rest) = out.into_parts();
        if let Err(error) = made {
            pieces.fail(error, &rest.unwrap_or_default());
        }
        drop(admitted);
    });
    let dead = |_| Error::new(ErrorKind::Bug, "a backup ended without a result");
    begins.await.map_err(dead)??;
    Ok(Body::new(body))
}

/// Sends what is written.
struct Pieces {
    runtime: Handle,
    sender: Sender<Bytes, io::Error>,
    /// The callback when the first piece is there, or with the reason why none comes.
    begun: Option<oneshot::Sender<Result<()>>>,
}

impl Pieces {
    /// `rest` is the end of the archive that was not sent yet.
    fn fail(mut self, error: Error, rest: &[u8]) {
        match self.begun.take() {
            // The client may be gone.
            Some(begun) => drop(begun.send(Err(error))),
            None if error.kind == ErrorKind::Corrupt && self.write_all(rest).is_ok() => {}
            None => self.sender.abort(io::Error::other(error)),
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(begun) = self.begun.take() {
            // The client may be gone; the next line finds out.
            let _gone = begun.send(Ok(()));
        }
        let piece = Bytes::copy_from_slice(bytes);
        let sent = self.runtime.block_on(self.sender.send_data(piece));
        let gone = |_| io::Error::new(io::ErrorKind::BrokenPipe, "the client went away");
        sent.map_err(gone).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
