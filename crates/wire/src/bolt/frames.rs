//! Bolt in a WebSocket: the content of binary frames, one behind the other, is the stream of bytes (RFC 6455, section 5).
//!
//! Where a message of WebSocket ends means nothing. A frame is never held whole, so its length needs no bound.

use millrace_model::{Error, ErrorKind, Result};

const CONTINUATION: u8 = 0x0;
const BINARY: u8 = 0x2;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xA;

/// The bit of the last frame of a message; that of a masked frame.
const HIGH: u8 = 0x80;

/// Bytes of the content of a control frame.
const CONTROL_BYTES_MAX: usize = 125;

/// Bytes of a mask.
const MASK: usize = 4;

/// Frames of a client.
#[derive(Debug, Default)]
pub struct Frames {
    /// The beginning of a head, or of a control frame.
    pending: Vec<u8>,
    /// Bytes of the frame under way that have not arrived, and its mask.
    left: u64,
    mask: [u8; MASK],
    /// Which byte of the mask is next.
    masked: usize,
    /// Whether the client has closed.
    is_closed: bool,
}

impl Frames {
    /// Takes bytes; their content goes behind `content`, and answers to pings and to the close behind `answers`.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        content: &mut Vec<u8>,
        answers: &mut Vec<u8>,
    ) -> Result<()> {
        while !bytes.is_empty() && !self.is_closed {
            if self.left != 0 {
                let taken = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
                let (own, rest) = bytes.split_at(taken);
                self.unmask(own, content);
                self.left -= taken as u64;
                bytes = rest;
                continue;
            }
            let (first, rest) = bytes.split_at(1);
            self.pending.extend_from_slice(first);
            bytes = rest;
            self.head(answers)?;
        }
        Ok(())
    }

    /// Whether the client has closed; its close is answered.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn unmask(&mut self, bytes: &[u8], content: &mut Vec<u8>) {
        content.reserve(bytes.len());
        for byte in bytes {
            content.push(byte ^ self.mask[self.masked]);
            self.masked = (self.masked + 1) % MASK;
        }
    }

    /// Reads the head of a frame once it is there, and a control frame as a whole.
    fn head(&mut self, answers: &mut Vec<u8>) -> Result<()> {
        let [first, second, rest @ ..] = self.pending.as_slice() else { return Ok(()) };
        if second & HIGH == 0 {
            return Err(bad("a frame of a client that is not masked"));
        }
        let extended = match second & !HIGH {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let Some(mask) = rest.get(extended..extended + MASK) else { return Ok(()) };
        let length = match extended {
            0 => u64::from(second & !HIGH),
            _ => rest[..extended].iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)),
        };
        let mut own = [0; MASK];
        own.copy_from_slice(mask);
        let content = &rest[extended + MASK..];
        match first & 0x0F {
            BINARY | CONTINUATION => {
                (self.left, self.mask, self.masked) = (length, own, 0);
                self.pending.clear();
                Ok(())
            }
            kind @ (CLOSE | PING | PONG) => {
                if (CONTROL_BYTES_MAX as u64) < length || first & HIGH == 0 {
                    return Err(bad("a control frame that is too long or in parts"));
                }
                if (content.len() as u64) < length {
                    return Ok(());
                }
                let plain: Vec<u8> = content
                    .iter()
                    .zip(own.iter().cycle())
                    .map(|(byte, mask)| byte ^ mask)
                    .collect();
                match kind {
                    PING => write(answers, PONG, &plain),
                    CLOSE => {
                        self.is_closed = true;
                        write(answers, CLOSE, &plain);
                    }
                    _ => {}
                }
                self.pending.clear();
                Ok(())
            }
            kind => Err(bad(&format!("a frame of the kind {kind}: Bolt is in binary frames"))),
        }
    }
}

fn bad(detail: &str) -> Error {
    Error::new(ErrorKind::BadInput, format!("WebSocket: {detail}"))
}

/// Writes bytes as a binary frame of a server.
pub fn write_frame(out: &mut Vec<u8>, bytes: &[u8]) {
    write(out, BINARY, bytes);
}

/// Writes the close of a server that is done.
pub fn write_close(out: &mut Vec<u8>) {
    write(out, CLOSE, &1000_u16.to_be_bytes());
}

fn write(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(HIGH | kind);
    match (u8::try_from(bytes.len()), u16::try_from(bytes.len())) {
        (Ok(short @ 0..=125), _) => out.push(short),
        (_, Ok(length)) => {
            out.push(126);
            out.extend_from_slice(&length.to_be_bytes());
        }
        (_, Err(_)) => {
            out.push(127);
            out.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a client.
    fn masked(kind: u8, bytes: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        write(&mut frame, kind, bytes);
        frame[1] |= HIGH;
        let content = frame.split_off(frame.len() - bytes.len());
        let mask = [1, 2, 3, 4];
        frame.extend_from_slice(&mask);
        frame.extend(content.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        frame
    }

    #[test]
    fn content_arrives_in_any_pieces_and_pings_are_answered() {
        let long: Vec<u8> = (0..70_000).map(|place| place as u8).collect();
        let middle = vec![7; 300];
        let frames = [
            masked(BINARY, &long),
            masked(PING, b"ping"),
            masked(BINARY, b""),
            masked(PONG, b""),
            masked(BINARY, &middle),
            masked(CLOSE, &[3, 232]),
            b"nothing is read behind it".to_vec(),
        ]
        .concat();
        for piece in [1, 3, 1_000, frames.len()] {
            let (mut own, mut content, mut answers) = (Frames::default(), Vec::new(), Vec::new());
            for piece in frames.chunks(piece) {
                own.push(piece, &mut content, &mut answers).unwrap();
            }
            assert_eq!(content, [&long[..], &middle].concat());
            assert_eq!(answers, [&[0x8A, 4][..], b"ping", &[0x88, 2, 3, 232]].concat());
            assert!(own.is_closed());
        }
    }

    #[test]
    fn other_frames_are_refused() {
        let mut plain = Vec::new();
        write_frame(&mut plain, b"x");
        for wrong in [plain, masked(0x1, b"text"), masked(PING, &[0; 126])] {
            let (mut content, mut answers) = (Vec::new(), Vec::new());
            assert!(Frames::default().push(&wrong, &mut content, &mut answers).is_err());
        }
    }
}
