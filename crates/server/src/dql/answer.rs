//! The receiver of an answer that its language wrote as JSON.

use millrace_db::{RequestLimits, Results};
use millrace_model::{
    DetachedElements, Error, ErrorKind, MemoryBudget, MemoryShare, Profile, Result, Value,
};

/// What stands behind the results in an answer, at most about.
const REST_BYTES: usize = 512;

/// An answer as it will be sent, as far as it is known.
pub(crate) struct Answer {
    prefix: &'static str,
    /// The prefix, and the results.
    pub(crate) text: String,
    bytes_max: u64,
    share: MemoryShare,
}

impl Answer {
    /// An empty one, with what stands in front of the results.
    pub(super) fn new(
        prefix: &'static str,
        limits: &RequestLimits,
        memory: &MemoryBudget,
    ) -> Answer {
        let (text, bytes_max) = (String::new(), limits.answer_bytes_max);
        Answer { prefix, text, bytes_max, share: memory.share() }
    }
}

impl Results for Answer {
    fn begin(&mut self, _streams: bool) {
        self.text.clear();
    }

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Err(Error::new(ErrorKind::Bug, "an answer in DQL came as rows"))
    }

    fn take_json(&mut self, answer: &str) -> Result<()> {
        let bytes = self.prefix.len() + answer.len() + REST_BYTES;
        if self.bytes_max < bytes as u64 {
            let detail = format!("the answer has more than {} bytes", self.bytes_max);
            let error = Error::new(ErrorKind::LimitReached, detail);
            return Err(
                error.with_help("ask for fewer nodes; the setting is scripts.answer-bytes-max")
            );
        }
        self.share.reserve(bytes as u64)?;
        self.text.clear();
        self.text.reserve_exact(bytes);
        self.text.push_str(self.prefix);
        self.text.push_str(answer);
        Ok(())
    }

    fn take_profile(&mut self, _profile: &Profile) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "a profile over Dgraph's protocols"))
    }
}
