//! Requests and responses as bytes of a format.
//!
//! ```text
//!   GraphBinary   81 id op processor arguments           81 id? code message? attributes meta data
//!   GraphSON      {requestId, op, processor, args}       {requestId, status {…}, result {data, meta}}
//! ```
//!
//! A request's id is read before anything that may be wrong, so that the refusal carries it.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value, uuid};

use super::arguments;
use super::datum::Datum;
use super::format::Format;
use super::graphbinary::{Reader, Writer};
use super::graphson::json::Json;
use super::graphson::{self, Version};
use super::request::{Refusal, Request, RequestId};
use super::response::Response;
use super::status;

/// The version of a GraphBinary message: 1, with the highest bit set.
pub(super) const GRAPHBINARY_VERSION: u8 = 0x81;

/// Reads a request.
pub fn read_request(bytes: &[u8], format: Format) -> std::result::Result<Request, Refusal> {
    match format {
        Format::GraphBinary => read_binary_request(bytes),
        Format::GraphSon(_) => read_json_request(&parse(bytes)?),
    }
}

/// Reads JSON; the id of its request is not known yet.
pub(super) fn parse(bytes: &[u8]) -> std::result::Result<Json, Refusal> {
    let code = status::UNREADABLE;
    Json::parse(bytes).map_err(|error| Refusal { id: None, code, error })
}

fn read_binary_request(bytes: &[u8]) -> std::result::Result<Request, Refusal> {
    let code = status::UNREADABLE;
    let mut reader = Reader::new(bytes);
    let mut head = || {
        reader.version(GRAPHBINARY_VERSION)?;
        reader.id()
    };
    let id = head().map_err(|error| Refusal { id: None, code, error })?;
    let mut rest = || {
        let (op, processor) = (reader.text()?, reader.text()?);
        let arguments = reader.map_of_arguments()?;
        reader.end()?;
        Ok((op, processor, arguments))
    };
    let (op, processor, arguments) =
        rest().map_err(|error| Refusal { id: Some(id), code: of_reading(&error), error })?;
    arguments::request(id, &op, &processor, arguments)
}

/// Readable content with unsupported values is a wrong argument; any other error means that the bytes are no message.
fn of_reading(error: &Error) -> u16 {
    match error.kind {
        ErrorKind::Unsupported | ErrorKind::LimitReached => status::BAD_ARGUMENTS,
        _ => status::UNREADABLE,
    }
}

fn bad(detail: &str) -> Error {
    Error::new(ErrorKind::BadInput, format!("the request {detail}"))
}

/// Reads a request from JSON.
pub(super) fn read_json_request(json: &Json) -> std::result::Result<Request, Refusal> {
    let id = json.get("requestId").and_then(uuid);
    let refuse = |code, error| Refusal { id, code, error };
    let Some(known) = id else {
        return Err(refuse(status::MALFORMED, bad("has no `requestId` that is a UUID")));
    };
    let text = |key: &str| match json.get(key) {
        None | Some(Json::Null) => Ok(""),
        Some(Json::String(text)) => Ok(text.as_str()),
        Some(_) => {
            Err(refuse(status::MALFORMED, bad(&format!("says `{key}`, and not as a string"))))
        }
    };
    let (op, processor) = (text("op")?, text("processor")?);
    let arguments = json.get("args").map_or(Ok(Datum::NULL), graphson::datum);
    let arguments = arguments.map_err(|error| refuse(status::BAD_ARGUMENTS, error))?;
    arguments::request(known, op, processor, arguments)
}

/// A UUID, typed or as a text.
pub(super) fn uuid(json: &Json) -> Option<RequestId> {
    match json {
        Json::String(text) => uuid::parse(text),
        json => match graphson::datum(json).ok()?.value()? {
            Value::Uuid(id) => Some(id),
            _ => None,
        },
    }
}

/// Writes a response.
pub fn write_response(response: &Response, format: Format) -> Result<Vec<u8>> {
    match format {
        Format::GraphBinary => write_binary_response(response),
        Format::GraphSon(version) => write_json_response(response, version).map(String::into_bytes),
    }
}

fn write_binary_response(response: &Response) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    writer.version(GRAPHBINARY_VERSION);
    writer.nullable_id(response.id);
    writer.int(i32::from(response.code));
    writer.nullable_text(&response.message)?;
    writer.map_of_values(&response.attributes)?;
    writer.map_of_values(&[])?;
    writer.datum(&response.data)?;
    Ok(writer.finish())
}

fn write_json_response(response: &Response, version: Version) -> Result<String> {
    let attributes = response.attributes.iter();
    let attributes = attributes.map(|(key, value)| (Value::from(*key), value.clone())).collect();
    let mut writer = graphson::Writer::new(version);
    writer.raw("{");
    writer.key("requestId");
    match response.id {
        Some(id) => writer.string(&uuid::text(id)),
        None => writer.raw("null"),
    }
    writer.key("status");
    writer.raw("{");
    writer.key("message");
    writer.string(&response.message);
    writer.key("code");
    writer.raw(&response.code.to_string());
    writer.key("attributes");
    writer.value(&Value::map(attributes))?;
    writer.raw("}");
    writer.key("result");
    writer.raw("{");
    writer.key("data");
    writer.datum(&response.data)?;
    writer.key("meta");
    writer.value(&Value::map(Vec::new()))?;
    writer.raw("}}");
    Ok(writer.finish())
}

/// A response as a client reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The id of the request.
    pub id: Option<RequestId>,
    /// The protocol's code.
    pub code: u16,
    /// The text for a person.
    pub message: Arc<str>,
    /// The attributes of the status.
    pub attributes: Datum,
    /// The results.
    pub data: Datum,
}

/// A response without its results, for a client that does not look at them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerHead {
    /// The id of the request.
    pub id: Option<RequestId>,
    /// The protocol's code.
    pub code: u16,
    /// The text for a person.
    pub message: Arc<str>,
}

/// Reads how a response begins. Its results may be of types unknown here.
pub fn read_answer_head(bytes: &[u8], format: Format) -> Result<AnswerHead> {
    let Format::GraphBinary = format else {
        return json_head(&Json::parse(bytes)?);
    };
    let mut reader = Reader::new(bytes);
    reader.version(GRAPHBINARY_VERSION)?;
    let (id, code, message) = (reader.nullable_id()?, reader.code()?, reader.nullable_text()?);
    Ok(AnswerHead { id, code, message })
}

fn json_head(json: &Json) -> Result<AnswerHead> {
    let status = json.get("status");
    let code = match status.and_then(|status| status.get("code")) {
        Some(Json::Int(code)) => u16::try_from(*code).ok(),
        _ => None,
    };
    let message = status.and_then(|status| status.get("message")).and_then(Json::as_str);
    let none = || Error::new(ErrorKind::BadInput, "the response has no status with a code");
    let code = code.ok_or_else(none)?;
    let message = Arc::from(message.unwrap_or_default());
    Ok(AnswerHead { id: json.get("requestId").and_then(uuid), code, message })
}

/// Reads a response, as a client does.
pub fn read_answer(bytes: &[u8], format: Format) -> Result<Answer> {
    let Format::GraphBinary = format else {
        return read_json_answer(&Json::parse(bytes)?);
    };
    let mut reader = Reader::new(bytes);
    reader.version(GRAPHBINARY_VERSION)?;
    let (id, code, message) = (reader.nullable_id()?, reader.code()?, reader.nullable_text()?);
    let (attributes, _meta) = (reader.map_of_arguments()?, reader.map_of_arguments()?);
    let data = reader.datum()?;
    reader.end()?;
    Ok(Answer { id, code, message, attributes, data })
}

fn read_json_answer(json: &Json) -> Result<Answer> {
    let bad = |what: &str| Error::new(ErrorKind::BadInput, format!("the response has no {what}"));
    let (status, result) = (json.get("status"), json.get("result"));
    let (status, result) = status.zip(result).ok_or_else(|| bad("status and result"))?;
    let AnswerHead { id, code, message } = json_head(json)?;
    let part = |json: &Json, key: &str| json.get(key).map_or(Ok(Datum::NULL), graphson::datum);
    let (attributes, data) = (part(status, "attributes")?, part(result, "data")?);
    Ok(Answer { id, code, message, attributes, data })
}
