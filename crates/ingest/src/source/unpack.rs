//! Gzip is known by its first bytes, never by a file's name, so a stream from the network unpacks
//! the same way.

use crate::limits::READ_BUFFER_BYTES;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file, packed by gzip or not, without a byte order mark.
pub fn plain(file: std::fs::File) -> io::Result<Box<dyn BufRead + Send>> {
    unpacked(Box::new(file), Arc::default())
}

/// Unpacks gzip and drops a UTF-8 byte order mark; `bytes` counts the bytes read, still packed.
pub(crate) fn unpacked(
    reader: Box<dyn Read + Send>,
    bytes: Arc<AtomicU64>,
) -> io::Result<Box<dyn BufRead + Send>> {
    let mut packed = BufReader::with_capacity(READ_BUFFER_BYTES, Counted { reader, bytes });
    let mut plain: Box<dyn BufRead + Send> = match packed.fill_buf()?.starts_with(&GZIP_MAGIC) {
        true => {
            let unpacking = Unpacking { decoder: MultiGzDecoder::new(packed) };
            Box::new(BufReader::with_capacity(READ_BUFFER_BYTES, unpacking))
        }
        false => Box::new(packed),
    };
    if plain.fill_buf()?.starts_with(UTF8_MARK) {
        plain.consume(UTF8_MARK.len());
    }
    Ok(plain)
}

/// Gzip with errors that say that it is gzip that is wrong.
struct Unpacking<R> {
    decoder: MultiGzDecoder<R>,
}

impl<R: BufRead> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "the gzip file ends too early: is it complete?")
            }
            kind => io::Error::new(kind, format!("the gzip file can't be unpacked: {error}")),
        })
    }
}

/// Counts the bytes read, for progress.
struct Counted {
    reader: Box<dyn Read + Send>,
    bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
