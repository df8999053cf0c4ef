//! JSON to a server and back, over one connection that stays open.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

/// How long a question may take: counting all edges is the slowest.
const ANSWER_MAX: Duration = Duration::from_secs(900);

/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 1 << 30;

/// A client of a URL.
pub(super) struct Http {
    agent: Agent,
    url: String,
    accept: &'static str,
}

impl Http {
    /// `accept` is the type of answer that is asked for.
    pub(super) fn new(url: String, accept: &'static str) -> Http {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_MAX))
            .build();
        Http { agent: config.into(), url, accept }
    }

    /// Another connection to the same URL.
    pub(super) fn again(&self) -> Http {
        Http::new(self.url.clone(), self.accept)
    }

    /// Sends a body, and gives the body of an answer that is a success.
    pub(super) fn post(&self, body: &Value) -> Result<Value, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", self.url);
        let request = self.agent.post(&self.url).header("Accept", self.accept);
        let sent = request.content_type("application/json").send(body.to_string());
        let mut answer = sent.map_err(|error| failed(&error))?;
        let mut text = String::new();
        let mut reader = answer.body_mut().as_reader().take(ANSWER_BYTES_MAX);
        reader.read_to_string(&mut text).map_err(|error| failed(&error))?;
        let status = answer.status();
        if !status.is_success() {
            return Err(failed(&format!("{status}: {text}")));
        }
        serde_json::from_str(&text).map_err(|error| failed(&error))
    }
}
