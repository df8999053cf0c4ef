//! Requests as a client writes them: the other half of reading them, for load generators and tests.
//!
//! An option that is not set is not written, so the server's own default applies.

use millrace_bytecode::Argument;
use millrace_model::{Result, Value, uuid};

use super::datum::Datum;
use super::format::Format;
use super::graphbinary::Writer;
use super::graphson::{self, Version};
use super::message::GRAPHBINARY_VERSION;
use super::request::{Language, Materialize, Operation, Options, Request, Session};
use crate::base64;

/// Writes a request.
pub fn write_request(request: &Request, format: Format) -> Result<Vec<u8>> {
    let parts = Parts::of(request);
    match format {
        Format::GraphBinary => {
            let mut writer = Writer::default();
            writer.version(GRAPHBINARY_VERSION);
            writer.id(request.id);
            writer.text(parts.op)?;
            writer.text(parts.processor)?;
            writer.map_of_data(&parts.arguments)?;
            Ok(writer.finish())
        }
        Format::GraphSon(version) => parts.json(request, version).map(String::into_bytes),
    }
}

/// Writes a request as the binary frame of a WebSocket, its format's mime type in front.
pub fn write_frame(request: &Request, format: Format) -> Result<Vec<u8>> {
    let mime = format.mime();
    // The longest mime type has 47 bytes.
    let mut frame = vec![mime.len() as u8];
    frame.extend_from_slice(mime.as_bytes());
    frame.extend(write_request(request, format)?);
    Ok(frame)
}

/// A request as the three parts of a message.
struct Parts {
    op: &'static str,
    processor: &'static str,
    arguments: Vec<(&'static str, Datum)>,
}

impl Parts {
    fn of(request: &Request) -> Parts {
        let mut arguments = Vec::new();
        let (op, session) = match &request.operation {
            Operation::Eval { script, language, bindings, session } => {
                arguments.push(("gremlin", text(script)));
                let language = match language {
                    Language::Groovy => "gremlin-groovy",
                    Language::Lang => "gremlin-lang",
                };
                arguments.push(("language", text(language)));
                if !bindings.is_empty() {
                    let pairs = bindings.iter().map(|(name, value)| (text(name), datum(value)));
                    arguments.push(("bindings", Datum::map(pairs.collect())));
                }
                ("eval", session.as_ref())
            }
            Operation::Bytecode { bytecode, session } => {
                arguments.push(("gremlin", datum(&Argument::Bytecode(bytecode.clone()))));
                ("bytecode", session.as_ref())
            }
            Operation::Close { session, force } => {
                arguments.push(("session", text(session)));
                arguments.push(("force", truth(*force)));
                ("close", None)
            }
            Operation::Authenticate { mechanism, response } => {
                arguments.extend(mechanism.as_deref().map(|name| ("saslMechanism", text(name))));
                arguments.push(("sasl", text(&base64::encode(response))));
                ("authentication", None)
            }
        };
        arguments.extend(session.into_iter().flat_map(of_session));
        arguments.extend(of_options(&request.options));
        Parts { op, processor: processor(&request.operation), arguments }
    }

    fn json(&self, request: &Request, version: Version) -> Result<String> {
        let mut writer = graphson::Writer::new(version);
        writer.raw("{");
        writer.key("requestId");
        match version {
            Version::Untyped => writer.string(&uuid::text(request.id)),
            Version::V2 | Version::V3 => writer.value(&Value::Uuid(request.id))?,
        }
        writer.key("op");
        writer.string(self.op);
        writer.key("processor");
        writer.string(self.processor);
        writer.key("args");
        writer.raw("{");
        for (name, datum) in &self.arguments {
            writer.key(name);
            writer.datum(datum)?;
        }
        writer.raw("}}");
        Ok(writer.finish())
    }
}

fn processor(operation: &Operation) -> &'static str {
    match operation {
        Operation::Eval { session: Some(_), .. }
        | Operation::Bytecode { session: Some(_), .. }
        | Operation::Close { .. } => "session",
        Operation::Bytecode { session: None, .. } => "traversal",
        Operation::Eval { session: None, .. } | Operation::Authenticate { .. } => "",
    }
}

fn of_session(session: &Session) -> [(&'static str, Datum); 3] {
    let Session { name, manages_transaction, keeps_state } = session;
    [
        ("session", text(name)),
        ("manageTransaction", truth(*manages_transaction)),
        ("maintainStateAfterException", truth(*keeps_state)),
    ]
}

fn of_options(options: &Options) -> Vec<(&'static str, Datum)> {
    let Options { batch_size, timeout_ms, aliases, materialize, serializable, user_agent } =
        options;
    let mut arguments = Vec::new();
    arguments.extend(batch_size.map(|size| ("batchSize", int(size as i64))));
    arguments.extend(timeout_ms.map(|millis| ("evaluationTimeout", long(millis))));
    if !aliases.is_empty() {
        let pairs = aliases.iter().map(|(name, graph)| (text(name), text(graph)));
        arguments.push(("aliases", Datum::map(pairs.collect())));
    }
    if *materialize == Materialize::Tokens {
        arguments.push(("materializeProperties", text("tokens")));
    }
    if *serializable {
        arguments.push(("isolation", text("serializable")));
    }
    arguments.extend(user_agent.as_deref().map(|agent| ("userAgent", text(agent))));
    arguments
}

fn text(text: &str) -> Datum {
    Datum::Value(Value::string(text))
}

fn truth(truth: bool) -> Datum {
    Datum::Value(Value::Bool(truth))
}

/// As Java has it: an `Integer` where it fits.
fn int(int: i64) -> Datum {
    Datum::Value(i32::try_from(int).map_or(Value::I64(int), Value::I32))
}

fn long(long: u64) -> Datum {
    Datum::Value(Value::I64(i64::try_from(long).unwrap_or(i64::MAX)))
}

fn datum(argument: &Argument) -> Datum {
    match argument {
        Argument::Value(value) => Datum::Value(value.clone()),
        other => Datum::Argument(Box::new(other.clone())),
    }
}
