//! Functions on text.

use millrace_model::{Error, ErrorKind, Result, Value};

/// A test of one text against another; null if either is no text.
pub(super) fn test(arguments: &[Value], holds: fn(&str, &str) -> bool) -> Result<Value> {
    let [text, part] = arguments else {
        return Err(Error::new(ErrorKind::BadQuery, "a test of text takes two arguments"));
    };
    Ok(match (text.as_str(), part.as_str()) {
        (Some(text), Some(part)) => Value::Bool(holds(text, part)),
        _ => Value::Null,
    })
}
