//! The arguments of an operation, from a map of names to the types of a request.
//!
//! ```text
//!   processor ""          eval
//!   processor traversal         bytecode
//!   processor session     eval  bytecode  close        every processor: authentication
//! ```
//!
//! An argument that no operation has is ignored, as drivers send more than servers know; a known
//! argument with a wrong value is refused.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::{Error, ErrorKind, Result, Value, uuid};

use super::datum::Datum;
use super::request::{
    Language, Materialize, Operation, Options, Refusal, Request, RequestId, Session,
};
use super::status;
use crate::base64;
use crate::limits::{BATCH_SIZE_MAX, BINDINGS_MAX, SESSION_BYTES_MAX};

/// Arguments by name.
pub(super) struct Arguments(Vec<(Arc<str>, Datum)>);

/// Makes a request of its parts.
pub(super) fn request(
    id: RequestId,
    op: &str,
    processor: &str,
    arguments: Datum,
) -> std::result::Result<Request, Refusal> {
    let refuse = |code| move |error| Refusal { id: Some(id), code, error };
    check_operation(op, processor).map_err(refuse(status::MALFORMED))?;
    let arguments = Arguments::new(arguments).map_err(refuse(status::BAD_ARGUMENTS))?;
    arguments.request(id, op, processor).map_err(refuse(status::BAD_ARGUMENTS))
}

fn check_operation(op: &str, processor: &str) -> Result<()> {
    let known: &[&str] = match processor {
        "" => &["eval", "authentication"],
        "traversal" => &["bytecode", "authentication"],
        "session" => &["eval", "bytecode", "close", "authentication"],
        other => {
            return Err(bad(format!("there is no processor `{other}`"))
                .with_help("known: the empty one, traversal, session"));
        }
    };
    if known.contains(&op) {
        return Ok(());
    }
    let detail = format!("the processor `{processor}` has no operation `{op}`");
    Err(bad(detail).with_help(format!("known: {}", known.join(", "))))
}

fn bad(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// The entries of a map by name.
fn named(datum: Datum, what: &str) -> Result<Vec<(Arc<str>, Datum)>> {
    let pairs = match datum {
        Datum::Map(pairs) => pairs,
        Datum::Value(Value::Map(pairs)) => {
            let pairs = Arc::unwrap_or_clone(pairs).into_iter();
            pairs.map(|(key, value)| (Datum::Value(key), Datum::Value(value))).collect()
        }
        Datum::Value(Value::Null) => Vec::new(),
        other => return Err(bad(format!("{what} are a map, and no {}", other.type_name()))),
    };
    let named = |(key, datum): (Datum, Datum)| match key.value() {
        Some(Value::String(key)) => Ok((key, datum)),
        _ => Err(bad(format!("the keys of {what} are strings"))),
    };
    pairs.into_iter().map(named).collect()
}

impl Arguments {
    fn new(datum: Datum) -> Result<Arguments> {
        named(datum, "the arguments").map(Arguments)
    }

    fn request(mut self, id: RequestId, op: &str, processor: &str) -> Result<Request> {
        let is_session = processor == "session";
        let operation = match op {
            "eval" => Operation::Eval {
                script: self.must_take_text("gremlin")?,
                language: self.language()?,
                bindings: self.bindings()?,
                session: self.session(is_session)?,
            },
            "bytecode" => Operation::Bytecode {
                bytecode: self.bytecode()?,
                session: self.session(is_session)?,
            },
            "close" => Operation::Close {
                session: self.session_name()?,
                force: self.truth("force")?.unwrap_or(false),
            },
            _ => Operation::Authenticate {
                mechanism: self.text("saslMechanism")?.map(|name| name.to_string()),
                response: self.sasl()?,
            },
        };
        Ok(Request { id, operation, options: self.options()? })
    }

    /// The argument of a name; null is as good as none.
    fn take(&mut self, name: &str) -> Option<Datum> {
        let at = self.0.iter().position(|(known, _)| &**known == name)?;
        let (_, datum) = self.0.swap_remove(at);
        (datum != Datum::NULL).then_some(datum)
    }

    fn text(&mut self, name: &str) -> Result<Option<Arc<str>>> {
        match self.take(name) {
            None => Ok(None),
            Some(Datum::Value(Value::String(text))) => Ok(Some(text)),
            Some(other) => Err(wrong(name, "a string", &other)),
        }
    }

    fn must_take_text(&mut self, name: &str) -> Result<Arc<str>> {
        self.text(name)?.ok_or_else(|| bad(format!("the argument `{name}` is missing")))
    }

    fn truth(&mut self, name: &str) -> Result<Option<bool>> {
        match self.take(name) {
            None => Ok(None),
            Some(Datum::Value(Value::Bool(truth))) => Ok(Some(truth)),
            Some(other) => Err(wrong(name, "a boolean", &other)),
        }
    }

    fn number(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(datum) = self.take(name) else { return Ok(None) };
        let number = match &datum {
            // The query of a GET has texts only.
            Datum::Value(Value::String(text)) => text.parse().ok(),
            Datum::Value(value) => value.as_int(),
            _ => None,
        };
        let number = number.and_then(|number| u64::try_from(number).ok());
        number
            .map(Some)
            .ok_or_else(|| bad(format!("the argument `{name}` must be an integer from 0")))
    }

    fn language(&mut self) -> Result<Language> {
        match self.text("language")?.as_deref() {
            None | Some("gremlin-groovy") => Ok(Language::Groovy),
            Some("gremlin-lang") => Ok(Language::Lang),
            Some(other) => Err(bad(format!("there is no language `{other}`"))
                .with_help("known: gremlin-groovy, gremlin-lang")),
        }
    }

    fn bindings(&mut self) -> Result<Vec<(Arc<str>, Argument)>> {
        let Some(datum) = self.take("bindings") else { return Ok(Vec::new()) };
        let bindings = named(datum, "the bindings")?;
        if BINDINGS_MAX < bindings.len() {
            let (count, most) = (bindings.len(), BINDINGS_MAX);
            return Err(bad(format!("there are {count} bindings; the limit is {most}")));
        }
        let binding = |(name, datum): (Arc<str>, Datum)| {
            let argument = datum.into_argument();
            let argument =
                argument.map_err(|error| bad(format!("the binding {name}: {}", error.detail)))?;
            Ok((name, argument))
        };
        bindings.into_iter().map(binding).collect()
    }

    fn bytecode(&mut self) -> Result<Bytecode> {
        match self.take("gremlin") {
            None => Err(bad("the argument `gremlin` is missing")),
            Some(Datum::Argument(argument)) => match *argument {
                Argument::Bytecode(bytecode) => Ok(bytecode),
                _ => Err(bad("the argument `gremlin` is bytecode, and no other instruction")),
            },
            Some(other) => Err(wrong("gremlin", "bytecode", &other)),
        }
    }

    fn session(&mut self, is_session: bool) -> Result<Option<Session>> {
        if !is_session {
            return Ok(None);
        }
        Ok(Some(Session {
            name: self.session_name()?,
            manages_transaction: self.truth("manageTransaction")?.unwrap_or(false),
            keeps_state: self.truth("maintainStateAfterException")?.unwrap_or(false),
        }))
    }

    fn session_name(&mut self) -> Result<String> {
        let name = match self.take("session") {
            None => return Err(bad("the argument `session` is missing")),
            Some(Datum::Value(Value::String(name))) => name.to_string(),
            Some(Datum::Value(Value::Uuid(id))) => uuid::text(id),
            Some(other) => return Err(wrong("session", "a string or a UUID", &other)),
        };
        if name.is_empty() || SESSION_BYTES_MAX < name.len() {
            return Err(bad(format!(
                "the name of a session must have 1 to {SESSION_BYTES_MAX} bytes"
            )));
        }
        Ok(name)
    }

    fn sasl(&mut self) -> Result<Vec<u8>> {
        match self.take("sasl") {
            None => Err(bad("the argument `sasl` is missing")),
            Some(Datum::Value(Value::Bytes(bytes))) => Ok(bytes.to_vec()),
            Some(Datum::Value(Value::String(text))) => {
                base64::decode(&text).ok_or_else(|| bad("the argument `sasl` is not base64"))
            }
            Some(other) => Err(wrong("sasl", "base64", &other)),
        }
    }

    fn options(&mut self) -> Result<Options> {
        let materialize = match self.text("materializeProperties")?.as_deref() {
            None | Some("all") => Materialize::All,
            Some("tokens") => Materialize::Tokens,
            Some(other) => {
                return Err(bad(format!("materializeProperties is `{other}`"))
                    .with_help("known: all, tokens"));
            }
        };
        let serializable = match self.text("isolation")?.as_deref() {
            None | Some("snapshot") => false,
            Some("serializable") => true,
            Some(other) => {
                return Err(bad(format!("isolation is `{other}`"))
                    .with_help("known: snapshot, serializable"));
            }
        };
        // The second name is that of the first before 3.3.9.
        let timeout = self.number("evaluationTimeout")?;
        let older_timeout = self.number("scriptEvaluationTimeout")?;
        Ok(Options {
            batch_size: self.batch_size()?,
            timeout_ms: timeout.or(older_timeout),
            aliases: self.aliases()?,
            materialize,
            serializable,
            user_agent: self.text("userAgent")?.map(|name| name.to_string()),
        })
    }

    fn batch_size(&mut self) -> Result<Option<usize>> {
        let Some(size) = self.number("batchSize")? else { return Ok(None) };
        let fits = usize::try_from(size).ok().filter(|size| (1..=BATCH_SIZE_MAX).contains(size));
        fits.map(Some).ok_or_else(|| {
            bad(format!("batchSize is {size}, and must be from 1 to {BATCH_SIZE_MAX}"))
        })
    }

    fn aliases(&mut self) -> Result<Vec<(String, String)>> {
        let Some(datum) = self.take("aliases") else { return Ok(Vec::new()) };
        let alias = |(name, datum): (Arc<str>, Datum)| match datum.value() {
            Some(Value::String(graph)) => Ok((name.to_string(), graph.to_string())),
            _ => Err(bad(format!("the alias {name} is not a string"))),
        };
        named(datum, "the aliases")?.into_iter().map(alias).collect()
    }
}

fn wrong(name: &str, expected: &str, found: &Datum) -> Error {
    bad(format!("the argument `{name}` is {expected}, and no {}", found.type_name()))
}
