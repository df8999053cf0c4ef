//! A client of a running server's listener of administration, for the demo and for `load --url`.
//!
//! It goes through the same socket as any other client.

use std::io::Read;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result};
use ureq::{Agent, SendBody};

use crate::answer::{ADMINISTRATION, Line, Lines, said, truncated};

/// A server at a URL.
pub(crate) struct Client {
    agent: Agent,
    url: String,
}

/// An answer of the server.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// Bytes of an answer that are read.
const REPLY_BYTES_MAX: u64 = 1 << 30;

/// How long an address has to say what it is.
const OTHER_MAX: Duration = Duration::from_secs(10);

/// The header with the kind of an error.
const ERROR_HEADER: &str = "millrace-error";

impl Client {
    pub(crate) fn new(url: &str) -> Result<Client> {
        if !url.starts_with("http://") {
            let error =
                Error::new(ErrorKind::BadInput, format!("--url {url} is no address of HTTP"));
            return Err(error.with_help("write http://HOST:PORT"));
        }
        let config = Agent::config_builder().http_status_as_error(false);
        Ok(Client { agent: config.build().into(), url: url.trim_end_matches('/').to_owned() })
    }

    /// Runs a query in some language on a graph, and gives the results as JSON text: a list, or the one value that
    /// a script answers.
    pub(crate) fn ask(&self, language: &str, graph: &str, text: &str) -> Result<String> {
        let body = serde_json::json!({ "language": language, "text": text });
        let body = body.to_string();
        let request = self.agent.post(format!("{}/query/{}", self.url, encoded(graph)));
        let answer = succeeded(self.reply(request.content_type("application/json").send(&body))?)?;
        let (mut lines, mut all, mut is_list) = (Lines::default(), Vec::new(), true);
        for line in answer.lines() {
            match lines.read(line)? {
                Line::Columns(columns) => is_list = columns.is_list,
                Line::Rows(rows) => all.extend(rows),
                Line::Summary(_) => {}
            }
        }
        if !lines.is_whole {
            return Err(truncated());
        }
        let all = all.join(",");
        Ok(if is_list { format!("[{all}]") } else { all })
    }

    /// Makes a graph, if it is not there.
    pub(crate) fn ensure_graph(&self, graph: &str) -> Result<()> {
        let sent = self.agent.put(format!("{}/graphs/{graph}", self.url)).send_empty();
        succeeded(self.reply(sent)?).map(drop)
    }

    /// Changes the schema of a graph; `false`: what it would make is there.
    pub(crate) fn change_schema(&self, graph: &str, changes: &serde_json::Value) -> Result<bool> {
        let request = self.agent.post(format!("{}/graphs/{graph}/schema", self.url));
        let request = request.content_type("application/json").send(&changes.to_string());
        let reply = self.reply(request)?;
        let error: serde_json::Value = serde_json::from_str(&reply.body).unwrap_or_default();
        let is_there = ErrorKind::AlreadyExists.word();
        if reply.status == 409 && error["error"]["kind"] == is_there {
            return Ok(false);
        }
        succeeded(reply).map(|_| true)
    }

    /// Asks for something that comes as a stream.
    pub(crate) fn receive(&self, path: &str) -> Result<impl Read + use<>> {
        let sent = self.agent.get(format!("{}{path}", self.url)).call();
        let mut response = sent.map_err(|error| self.failed(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            let kind = response.headers().get(ERROR_HEADER);
            let is_damage = kind.is_some_and(|kind| kind.as_bytes() == b"corrupt");
            let body = response.body_mut().read_to_string().map_err(|error| self.failed(&error))?;
            if is_damage {
                return Err(Error::new(ErrorKind::Corrupt, said(&body)));
            }
            return Err(succeeded(Reply { status, body }).err().unwrap_or_else(|| {
                Error::new(ErrorKind::Unavailable, format!("the server answered {status}"))
            }));
        }
        Ok(response.into_body().into_reader())
    }

    fn failed(&self, error: &ureq::Error) -> Error {
        if was_no_answer(error)
            && let Some(other) = self.other()
        {
            return other;
        }
        Error::new(ErrorKind::Unavailable, format!("{}: {error}", self.url))
            .with_help("is the server running, and is the URL correct?")
    }

    /// What is wrong with the address, if something else than administration is there.
    fn other(&self) -> Option<Error> {
        let asked = self.agent.get(format!("{}/health/live", self.url));
        let asked = asked.config().timeout_global(Some(OTHER_MAX)).build().call();
        let detail = match asked {
            Ok(response) if response.status().is_success() => return None,
            Ok(mut response) => {
                let body = response.body_mut().read_to_string().unwrap_or_default();
                format!("{}: this is no HTTP port of administration: {}", self.url, said(&body))
            }
            Err(error) if !was_no_answer(&error) => return None,
            Err(_) => format!("{}: this is no HTTP port", self.url),
        };
        Some(Error::new(ErrorKind::BadInput, detail).with_help(ADMINISTRATION))
    }

    /// Sends a body and gives the answer, whatever it is.
    pub(crate) fn send(&self, path: &str, mut body: impl Read) -> Result<Reply> {
        let request = self.agent.post(format!("{}{path}", self.url));
        self.reply(request.send(SendBody::from_reader(&mut body)))
    }

    fn reply(
        &self,
        sent: std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Reply> {
        let failed = |error: ureq::Error| self.failed(&error);
        let mut response = sent.map_err(failed)?;
        let status = response.status().as_u16();
        let reading = response.body_mut().with_config().limit(REPLY_BYTES_MAX);
        Ok(Reply { status, body: reading.read_to_string().map_err(failed)? })
    }
}

/// The body of an answer that is a success; the error of one that is not.
pub(crate) fn succeeded(reply: Reply) -> Result<String> {
    match reply.status {
        200..300 => Ok(reply.body),
        400..500 => {
            let is_other = reply.status == 404 || !is_of_administration(&reply.body);
            let error = Error::new(ErrorKind::BadInput, said(&reply.body));
            Err(if is_other { error.with_help(ADMINISTRATION) } else { error })
        }
        status => {
            Err(Error::new(ErrorKind::Unavailable, format!("{status}: {}", said(&reply.body))))
        }
    }
}

/// Whether a program is there that did not answer as one for HTTP.
fn was_no_answer(error: &ureq::Error) -> bool {
    use std::io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, UnexpectedEof,
    };
    match error {
        ureq::Error::Io(error) => matches!(
            error.kind(),
            BrokenPipe | ConnectionAborted | ConnectionReset | InvalidData | UnexpectedEof
        ),
        ureq::Error::Protocol(_) => true,
        _ => false,
    }
}

/// Whether an error has the form of the listener of administration.
fn is_of_administration(body: &str) -> bool {
    let object: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    object["error"]["kind"].is_string()
}

/// A name as it stands in a URL.
pub(crate) fn encoded(name: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    name.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
