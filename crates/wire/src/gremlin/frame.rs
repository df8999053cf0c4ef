//! Frames of a WebSocket: which format a request is in, and how its answers go back.
//!
//! ```text
//!   binary   20 "application/vnd.graphbinary-v1.0" payload      answers: binary, the payload alone
//!   text     {"requestId": …}                                  answers: text, GraphSON 3
//! ```

use millrace_model::{Error, ErrorKind, Result};

use super::format::Format;
use super::graphson::Version;
use super::message::{read_request, write_response};
use super::request::{Refusal, Request};
use super::response::Response;
use super::status;

/// A message of a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A binary one.
    Binary(&'a [u8]),
    /// A text.
    Text(&'a str),
}

/// How the answers to a request go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerForm {
    /// In which format.
    pub format: Format,
    /// Whether as texts.
    pub is_text: bool,
}

/// Reads the request of a frame. How its answer goes back is known of a wrong one too.
pub fn read_frame(frame: Frame<'_>) -> (AnswerForm, std::result::Result<Request, Refusal>) {
    match frame {
        Frame::Text(text) => {
            let format = Format::GraphSon(Version::V3);
            (AnswerForm { format, is_text: true }, read_request(text.as_bytes(), format))
        }
        Frame::Binary(bytes) => match split_mime(bytes) {
            Ok((format, payload)) => {
                (AnswerForm { format, is_text: false }, read_request(payload, format))
            }
            Err(error) => {
                let form = AnswerForm { format: Format::GraphBinary, is_text: false };
                (form, Err(Refusal { id: None, code: status::UNREADABLE, error }))
            }
        },
    }
}

/// The format that the first bytes name, and the bytes behind them.
pub(super) fn split_mime(bytes: &[u8]) -> Result<(Format, &[u8])> {
    let bad = |detail: String| Error::new(ErrorKind::BadInput, detail);
    let (&length, rest) = bytes.split_first().ok_or_else(|| bad("the frame is empty".into()))?;
    let Some((mime, payload)) = rest.split_at_checked(length.into()) else {
        let left = rest.len();
        return Err(bad(format!("a mime type of {length} bytes, and {left} are left")));
    };
    let mime = String::from_utf8_lossy(mime);
    let format = Format::of_mime(&mime).ok_or_else(|| {
        bad(format!("there is no format `{mime}`")).with_help(format!("known: {}", Format::known()))
    })?;
    Ok((format, payload))
}

impl AnswerForm {
    /// The bytes of a response. One that has no form in the format becomes one that says so.
    pub fn write(&self, response: &Response) -> Vec<u8> {
        let written = write_response(response, self.format).or_else(|error| {
            let refusal = Refusal { id: response.id, code: status::UNWRITABLE, error };
            write_response(&refusal.response(), self.format)
        });
        // The refusal has only texts, which every format can write.
        written.unwrap_or_default()
    }
}
