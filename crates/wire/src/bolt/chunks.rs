//! Chunks: a message is chunks of a 2-byte length and data, ended by a chunk of length 0.
//!
//! An end without data before it keeps the connection alive and is no message. The length of a message is checked as
//! each length arrives, so an overlong message is refused before it is held.

use millrace_model::{Error, ErrorKind, Phase, Result};

/// Bytes of the length of a chunk.
const HEAD: usize = 2;

/// Bytes of a chunk at most.
const CHUNK_BYTES_MAX: usize = 0xFFFF;

/// Bytes that were read and not yet made into messages.
#[derive(Debug)]
pub struct Dechunker {
    pending: Vec<u8>,
    /// How many of them belong to messages already.
    used: usize,
    message: Vec<u8>,
    /// Bytes of the chunk under way that have not arrived.
    chunk_left: usize,
    bytes_max: usize,
}

impl Dechunker {
    /// No bytes yet; a message has at most `bytes_max`.
    pub fn new(bytes_max: usize) -> Dechunker {
        Dechunker { pending: Vec::new(), used: 0, message: Vec::new(), chunk_left: 0, bytes_max }
    }

    /// Sets how long a message may be.
    pub fn limit(&mut self, bytes_max: usize) {
        self.bytes_max = bytes_max;
    }

    /// Takes bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.used == self.pending.len() {
            self.pending.clear();
            self.used = 0;
        }
        self.pending.extend_from_slice(bytes);
    }

    /// Bytes that it holds.
    pub fn waiting_bytes(&self) -> usize {
        self.pending.len() - self.used + self.message.len()
    }

    /// Whether part of a message has arrived.
    pub fn is_inside_message(&self) -> bool {
        self.waiting_bytes() != 0
    }

    /// The next whole message.
    pub fn next_message(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            let arrived = &self.pending[self.used..];
            if self.chunk_left != 0 {
                let taken = self.chunk_left.min(arrived.len());
                self.message.extend_from_slice(&arrived[..taken]);
                self.used += taken;
                self.chunk_left -= taken;
                if self.chunk_left != 0 {
                    return Ok(None);
                }
                continue;
            }
            let Some(head) = arrived.first_chunk::<HEAD>() else {
                self.compact();
                return Ok(None);
            };
            let length = usize::from(u16::from_be_bytes(*head));
            self.used += HEAD;
            if length == 0 {
                if self.message.is_empty() {
                    continue;
                }
                return Ok(Some(std::mem::take(&mut self.message)));
            }
            if self.bytes_max < self.message.len() + length {
                return Err(self.too_long());
            }
            self.chunk_left = length;
        }
    }

    /// Forgets bytes that are parts of messages already.
    fn compact(&mut self) {
        self.pending.drain(..self.used);
        self.used = 0;
    }

    fn too_long(&self) -> Error {
        let detail = format!("a message is longer than {} bytes", self.bytes_max);
        Error::new(ErrorKind::LimitReached, detail)
            .with_help("send the data in several statements")
            .in_phase(Phase::Parse)
    }
}

/// Writes a message in chunks behind bytes that are there; if `write` fails, nothing is added.
pub fn write_chunked<T>(
    bytes: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<T>,
) -> Result<T> {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; HEAD]);
    let written = write(bytes).inspect_err(|_| bytes.truncate(start))?;
    let length = bytes.len() - start - HEAD;
    match u16::try_from(length) {
        Ok(length) => bytes[start..start + HEAD].copy_from_slice(&length.to_be_bytes()),
        Err(_) => split(bytes, start),
    }
    bytes.extend_from_slice(&[0; HEAD]);
    Ok(written)
}

/// Makes chunks of a message that is longer than one.
fn split(bytes: &mut Vec<u8>, start: usize) {
    let message = bytes.split_off(start + HEAD);
    bytes.truncate(start);
    for chunk in message.chunks(CHUNK_BYTES_MAX) {
        // A chunk has at most 0xFFFF bytes.
        bytes.extend_from_slice(&(chunk.len() as u16).to_be_bytes());
        bytes.extend_from_slice(chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunked(message: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_chunked(&mut bytes, |bytes| {
            bytes.extend_from_slice(message);
            Ok(())
        })
        .unwrap();
        bytes
    }

    #[test]
    fn messages_of_any_length_arrive_whole_in_any_pieces() {
        for length in [1, 2, 65_534, 65_535, 65_536, 131_070, 200_000] {
            let message: Vec<u8> = (0..length).map(|place| place as u8).collect();
            let mut bytes = chunked(&message);
            bytes.extend(chunked(b"next"));
            for piece in [1, 7, 1_000, bytes.len()] {
                let mut dechunker = Dechunker::new(1 << 20);
                let mut found = Vec::new();
                for piece in bytes.chunks(piece) {
                    dechunker.push(piece);
                    while let Some(message) = dechunker.next_message().unwrap() {
                        found.push(message);
                    }
                }
                assert_eq!(found, [message.clone(), b"next".to_vec()], "{length} by {piece}");
                assert!(!dechunker.is_inside_message());
            }
        }
    }

    #[test]
    fn an_end_without_data_is_no_message() {
        let mut dechunker = Dechunker::new(100);
        dechunker.push(&[0, 0, 0, 0]);
        assert_eq!(dechunker.next_message(), Ok(None));
        dechunker.push(&[0, 1, 7, 0, 1, 8, 0, 0]);
        assert_eq!(dechunker.next_message(), Ok(Some(vec![7, 8])));
    }

    #[test]
    fn a_long_message_is_refused_by_its_lengths() {
        let mut dechunker = Dechunker::new(10);
        dechunker.push(&[0, 8]);
        assert_eq!(dechunker.next_message(), Ok(None));
        dechunker.push(&[0; 8]);
        dechunker.push(&[0, 3]);
        assert_eq!(dechunker.next_message().unwrap_err().kind, ErrorKind::LimitReached);
    }

    #[test]
    fn a_message_that_cannot_be_written_leaves_nothing() {
        let mut bytes = vec![1];
        let failed = write_chunked(&mut bytes, |bytes| {
            bytes.push(9);
            Err::<(), _>(Error::new(ErrorKind::Unsupported, "no"))
        });
        assert!(failed.is_err());
        assert_eq!(bytes, [1]);
    }
}
