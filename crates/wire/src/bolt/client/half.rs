//! Requests to bytes and bytes to replies, without a socket.

use millrace_model::Result;

use crate::bolt::chunks::{Dechunker, write_chunked};
use crate::bolt::handshake::{self, Answer};
use crate::bolt::packstream::Form;
use crate::bolt::reply::Reply;
use crate::bolt::request::{Request, write_request};
use crate::bolt::version::Version;

/// Bytes of a reply at most.
const REPLY_BYTES_MAX: usize = 1 << 30;

/// A client's codec.
#[derive(Debug)]
pub struct Half {
    handshake: Vec<u8>,
    form: Option<Form>,
    replies: Dechunker,
    outgoing: Vec<u8>,
}

impl Half {
    /// Proposes one version, or all.
    pub fn new(version: Option<Version>) -> Half {
        let outgoing = match version {
            Some(version) => handshake::propose_only(version),
            None => handshake::propose_all(),
        };
        Half {
            handshake: Vec::new(),
            form: None,
            replies: Dechunker::new(REPLY_BYTES_MAX),
            outgoing,
        }
    }

    /// The version that both sides speak, once the handshake is over.
    pub fn version(&self) -> Option<Version> {
        self.form.map(|form| form.version)
    }

    /// Takes bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if self.form.is_some() {
            self.replies.push(bytes);
            return Ok(());
        }
        self.handshake.extend_from_slice(bytes);
        if let Answer::Agreed(version, bytes, used) = handshake::read_answer(&self.handshake)? {
            // The first message asks for timestamps in UTC whatever the version.
            self.form = Some(Form { version, is_utc: true });
            self.outgoing.extend_from_slice(&bytes);
            self.replies.push(&self.handshake[used..]);
            self.handshake = Vec::new();
        }
        Ok(())
    }

    /// Adds a request; it is sent after the handshake only.
    pub fn request(&mut self, request: &Request) -> Result<()> {
        let form = self.form.unwrap_or(Form::of(Version::NEWEST));
        write_chunked(&mut self.outgoing, |bytes| write_request(bytes, request, form))
    }

    /// Bytes to send.
    pub fn take_outgoing(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.outgoing)
    }

    /// The next reply.
    pub fn reply(&mut self) -> Result<Option<Reply>> {
        self.replies.next_message()?.map(|message| Reply::read(&message)).transpose()
    }
}
