//! Frames that wait, encoded as a batch holds them, in the order of their positions.
//!
//! The sequencer appends here under a short lock, so appending is two copies and, once buffers are
//! in use again, allocates nothing. A buffer is a list of pieces, so that growing never copies
//! existing frames.

use crate::base::bytes::{u16_at, u32_at, u64_at};
use crate::base::limits::{FRAME_PIECE_BYTES, FRAME_PIECES_KEPT};
use crate::log::format::{FRAME_HEADER_BYTES, FrameRef};

/// Encoded frames, positions ascending.
#[derive(Debug, Default)]
pub struct FrameBuffer {
    pieces: Vec<Vec<u8>>,
    /// Empty ones for later.
    spare: Vec<Vec<u8>>,
    payload_bytes: u64,
}

impl FrameBuffer {
    /// Whether it holds no frame.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Bytes of the frames in it.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// Bytes of the payloads in it.
    pub fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// Appends a frame; its position is at or above those before.
    #[inline]
    pub fn push(&mut self, frame: &FrameRef<'_>) {
        let bytes = FRAME_HEADER_BYTES + frame.payload.len();
        let fits = |piece: &Vec<u8>| bytes <= piece.capacity() - piece.len();
        if !self.pieces.last().is_some_and(fits) {
            self.begin_piece(bytes);
        }
        let piece = self.pieces.last_mut().expect("one was begun");
        piece.extend_from_slice(&frame.header());
        piece.extend_from_slice(frame.payload);
        self.payload_bytes += frame.payload.len() as u64;
    }

    /// All frames, in order.
    pub fn frames(&self) -> impl Iterator<Item = FrameRef<'_>> + '_ {
        self.pieces.iter().flat_map(|piece| Encoded { rest: piece })
    }

    /// Takes out the frames up to a position, which are done.
    pub fn remove_through(&mut self, position: u64) {
        let later = |frame: &FrameRef<'_>| position < frame.position;
        if !self.frames().any(|frame| later(&frame)) {
            self.clear();
            return;
        }
        let mut rest = FrameBuffer::default();
        self.frames().filter(later).for_each(|frame| rest.push(&frame));
        *self = rest;
    }

    /// Takes out all frames, keeping room for the next.
    pub fn clear(&mut self) {
        self.payload_bytes = 0;
        for mut piece in self.pieces.drain(..) {
            if piece.capacity() <= FRAME_PIECE_BYTES && self.spare.len() < FRAME_PIECES_KEPT {
                piece.clear();
                self.spare.push(piece);
            }
        }
    }

    fn begin_piece(&mut self, bytes: usize) {
        let piece = match self.spare.pop() {
            Some(piece) if bytes <= piece.capacity() => piece,
            _ => Vec::with_capacity(bytes.max(FRAME_PIECE_BYTES)),
        };
        self.pieces.push(piece);
    }
}

/// The frames of a piece.
struct Encoded<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Encoded<'a> {
    type Item = FrameRef<'a>;

    fn next(&mut self) -> Option<FrameRef<'a>> {
        let (header, rest) = self.rest.split_at_checked(FRAME_HEADER_BYTES)?;
        let (payload, rest) = rest.split_at(u32_at(header, 16) as usize);
        self.rest = rest;
        Some(FrameRef {
            position: u64_at(header, 0),
            graph: u32_at(header, 8),
            kind: u16_at(header, 12),
            checksum: u32_at(header, 20),
            payload,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(position: u64, payload: &[u8]) -> FrameRef<'_> {
        FrameRef::new(position, 7, 3, payload)
    }

    #[test]
    fn frames_come_out_as_they_went_in_and_leave_when_they_are_done() {
        let large = vec![9; FRAME_PIECE_BYTES + 1];
        let small = vec![1; 1_000];
        let payloads = [&small[..], &large, b"", &small];
        let mut buffer = FrameBuffer::default();
        for round in 0..3 {
            for (position, payload) in (1..).zip(payloads) {
                buffer.push(&frame(position, payload));
            }
            let read: Vec<_> = buffer.frames().map(|f| (f.position, f.payload.len())).collect();
            let lengths = payloads.map(<[u8]>::len);
            assert_eq!(read, (1..).zip(lengths).collect::<Vec<_>>(), "round {round}");
            buffer.remove_through(2);
            assert_eq!(buffer.frames().map(|f| f.position).collect::<Vec<_>>(), [3, 4]);
            buffer.push(&frame(5, b"five"));
            assert_eq!(buffer.frames().last().unwrap().payload, b"five");
            assert_eq!(buffer.payload_bytes(), 1_004);
            buffer.remove_through(5);
            assert!(buffer.is_empty());
        }
    }
}
