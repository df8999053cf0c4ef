//! The body of a request as a file to read, piece by piece through a bounded channel.
//!
//! A body that stops is not a file that ends. Only [`Piece::End`] ends it; a client that goes away is an
//! error of the load, which then leaves nothing behind.

use std::io::{self, Read, Seek};

use axum::body::{Body, Bytes};
use http_body_util::BodyExt;
use millrace_db::ingest::source::Source;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::admin::BodyFile;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::limits::{LOAD_PIECES_AHEAD_MAX, SCHEMA_BYTES_MAX};

/// What comes through the channel.
enum Piece {
    Data(Bytes),
    Failed(io::Error),
    End,
}

/// Where the pieces of a body go.
pub(crate) struct BodyWriter(Sender<Piece>);

/// The body as a file.
pub(crate) struct BodyReader {
    pieces: Receiver<Piece>,
    rest: Bytes,
    is_ended: bool,
}

/// The two ends.
pub(crate) fn pipe() -> (BodyWriter, BodyReader) {
    let (sender, pieces) = channel(LOAD_PIECES_AHEAD_MAX);
    (BodyWriter(sender), BodyReader { pieces, rest: Bytes::new(), is_ended: false })
}

impl BodyWriter {
    /// Sends a body of at most `bytes_max`. When the reader is gone, the rest is received all the same:
    /// a client that still sends when its socket is closed never reads the answer.
    pub(crate) async fn send(self, mut body: Body, bytes_max: u64) {
        let (mut bytes, mut is_read) = (0, true);
        while let Some(frame) = body.frame().await {
            let piece = match frame.map(|frame| frame.into_data()) {
                Ok(Ok(data)) => {
                    bytes += data.len() as u64;
                    Piece::Data(data)
                }
                // Trailers are no part of a file.
                Ok(Err(_)) => continue,
                Err(error) => Piece::Failed(io::Error::other(error)),
            };
            let piece = match piece {
                Piece::Data(_) if bytes_max < bytes => {
                    let most = format!("the file is larger than {bytes_max} bytes");
                    Piece::Failed(io::Error::new(io::ErrorKind::FileTooLarge, most))
                }
                piece => piece,
            };
            let is_last = !matches!(piece, Piece::Data(_));
            is_read = is_read && self.0.send(piece).await.is_ok();
            if is_last {
                return;
            }
        }
        // Without a reader the end is not missed.
        let _unread = self.0.send(Piece::End).await;
    }
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() && !self.is_ended {
            match self.pieces.blocking_recv() {
                Some(Piece::Data(data)) => self.rest = data,
                Some(Piece::End) => self.is_ended = true,
                Some(Piece::Failed(error)) => return Err(error),
                None => {
                    let gone = "the client went away before the end of the file";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, gone));
                }
            }
        }
        let taken = self.rest.split_to(buffer.len().min(self.rest.len()));
        buffer[..taken.len()].copy_from_slice(&taken);
        Ok(taken.len())
    }
}

/// The beginning of a body as a text of so many bytes.
pub(crate) fn text(reader: &mut BodyReader, bytes: u64) -> Result<String> {
    if SCHEMA_BYTES_MAX < bytes {
        let detail = format!("a schema has at most {SCHEMA_BYTES_MAX} bytes, not {bytes}");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    let mut text = Vec::new();
    let read = reader.by_ref().take(bytes).read_to_end(&mut text);
    read.map_err(|error| Error::new(ErrorKind::Io, format!("the schema: {error}")))?;
    if (text.len() as u64) < bytes {
        let detail = format!("the body ends in the schema: {} of {bytes} bytes came", text.len());
        return Err(Error::new(ErrorKind::BadInput, detail));
    }
    String::from_utf8(text)
        .map_err(|_| Error::new(ErrorKind::BadInput, "the schema is not UTF-8 text"))
}

/// The files of a body. One is read as it comes; several are put on disk first, since a load opens
/// all of them at once.
pub(crate) fn sources(
    mut reader: BodyReader,
    files: &[BodyFile],
    on_disk: bool,
) -> Result<Vec<Source>> {
    let (name, bytes, rest) = match files {
        [] => ("the body", None, files),
        [only] => (only.name.as_str(), only.bytes, &files[1..]),
        [first, ..] => (first.name.as_str(), None, files),
    };
    if rest.is_empty() && !on_disk {
        let mut source = Source::stream(name, reader);
        source.bytes = bytes;
        return Ok(vec![source]);
    }
    if files.is_empty() {
        let body = BodyFile { name: name.to_owned(), bytes: None };
        return Ok(vec![spooled(&mut reader, &body)?]);
    }
    files.iter().map(|file| spooled(&mut reader, file)).collect()
}

/// The next file of a body, put on disk. The file has no name, so nothing stays behind however the
/// process ends.
fn spooled(reader: &mut BodyReader, file: &BodyFile) -> Result<Source> {
    let failed = |error| Error::new(ErrorKind::Io, format!("{}: {error}", file.name));
    let mut copy = tempfile::tempfile().map_err(failed)?;
    let most = file.bytes.unwrap_or(u64::MAX);
    let copied = io::copy(&mut reader.by_ref().take(most), &mut copy).map_err(failed)?;
    let bytes = file.bytes.unwrap_or(copied);
    if copied != bytes {
        let name = &file.name;
        let detail = format!("{name}: expected {bytes} bytes, received {copied}");
        return Err(Error::new(ErrorKind::BadInput, detail));
    }
    copy.rewind().map_err(failed)?;
    let mut source = Source::opened(&file.name, copy);
    source.bytes = Some(bytes);
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_stops_is_no_file_that_ends() {
        let (writer, mut reader) = pipe();
        writer.0.blocking_send(Piece::Data(Bytes::from_static(b"half"))).ok().unwrap();
        drop(writer);
        let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn pieces_are_read_in_order_to_the_end() {
        let (writer, mut reader) = pipe();
        for piece in [
            Piece::Data(Bytes::from_static(b"one ")),
            Piece::Data(Bytes::from_static(b"two")),
            Piece::End,
        ] {
            writer.0.blocking_send(piece).ok().unwrap();
        }
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
    }
}
