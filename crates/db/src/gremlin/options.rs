//! Options of a request that its traversal says: `g.with('evaluationTimeout', 500)`.
//!
//! The server frames the results, as the request says. An option with any other name belongs to the
//! client, as in TinkerPop, and has no effect here.

use std::time::{Duration, Instant};

use millrace_gremlin::translate::options;
use millrace_model::bytecode::Bytecode;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_store::Isolation;

use super::detach::ElementDetail;
use crate::execution::RequestLimits;

/// What a traversal says of how it is to be run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// How long it may take; none: as long as the request.
    timeout_ms: Option<u64>,
    /// What results show of elements; none: what the request says.
    detail: Option<ElementDetail>,
    /// Whether its transaction is to be serializable.
    serializable: bool,
}

impl Options {
    /// Those of a traversal.
    pub(super) fn of(bytecode: &Bytecode) -> Result<Options> {
        let mut found = Options::default();
        for (name, value) in options(bytecode)? {
            match &*name {
                "evaluationTimeout" | "scriptEvaluationTimeout" => {
                    let millis = value.as_int().and_then(|millis| u64::try_from(millis).ok());
                    let millis = millis.ok_or_else(|| wrong(&name, "a number of milliseconds"))?;
                    // As long as it likes is as long as the request may.
                    found.timeout_ms = Some(millis).filter(|millis| *millis != 0);
                }
                "materializeProperties" => {
                    found.detail = Some(match &value {
                        Value::String(word) if &**word == "all" => ElementDetail::All,
                        Value::String(word) if &**word == "tokens" => ElementDetail::Tokens,
                        _ => return Err(wrong(&name, "'all' or 'tokens'")),
                    });
                }
                "isolation" => {
                    found.serializable = match &value {
                        Value::String(word) if &**word == "serializable" => true,
                        Value::String(word) if &**word == "snapshot" => false,
                        _ => return Err(wrong(&name, "'snapshot' or 'serializable'")),
                    };
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The limits of a run, within those of the request.
    pub(super) fn limit(self, request: &RequestLimits) -> RequestLimits {
        let mut limits = request.clone();
        let own = self.timeout_ms.map(Duration::from_millis);
        let own = own.and_then(|timeout| Instant::now().checked_add(timeout));
        limits.deadline = match (own, limits.deadline) {
            (Some(own), Some(request)) => Some(own.min(request)),
            (own, request) => own.or(request),
        };
        if self.serializable {
            limits.isolation = Isolation::Serializable;
        }
        limits
    }

    /// What results show of elements.
    pub(super) fn detail(self, request: ElementDetail) -> ElementDetail {
        self.detail.unwrap_or(request)
    }
}

fn wrong(name: &str, wanted: &str) -> Error {
    Error::new(ErrorKind::BadQuery, format!("with('{name}', …) wants {wanted}"))
}
