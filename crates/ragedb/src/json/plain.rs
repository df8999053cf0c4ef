//! Small JSON objects of plain values, as scripts that load write them: read without a tree.
//!
//! Much valid JSON is refused (escapes, lists, objects, keys that do not ascend), without a reason.
//! [`super::parse_properties`] reads the texts refused here.

use millrace_model::Value;

use crate::limits::PLAIN_PROPERTIES_MAX;

/// The keys of an object, ascending; its values are appended. `None`: read it another way.
pub(crate) fn parse_plain<'a>(
    text: &'a str,
    names: &mut [&'a str; PLAIN_PROPERTIES_MAX],
    values: &mut Vec<Value>,
) -> Option<usize> {
    let mut rest = token(text)?.strip_prefix('{')?;
    let mut count = 0;
    rest = token(rest)?;
    if !rest.starts_with('}') {
        loop {
            let name;
            (name, rest) = plain_text(token(rest)?)?;
            if count == names.len() || count != 0 && name <= names[count - 1] {
                return None;
            }
            names[count] = name;
            count += 1;
            let value;
            (value, rest) = plain_value(token(token(rest)?.strip_prefix(':')?)?)?;
            values.push(value);
            rest = token(rest)?;
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => break,
            }
        }
    }
    let after = rest.strip_prefix('}')?;
    after.bytes().all(is_space).then_some(count)
}

/// The text from the next token on.
fn token(text: &str) -> Option<&str> {
    let start = text.bytes().position(|byte| !is_space(byte))?;
    text.get(start..)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Splits off a text without escapes; the rest follows its closing quote.
fn plain_text(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('"')?;
    let end = inside.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
    let after = inside.get(end..)?.strip_prefix('"')?;
    Some((inside.get(..end)?, after))
}

fn plain_value(text: &str) -> Option<(Value, &str)> {
    if text.starts_with('"') {
        let (string, after) = plain_text(text)?;
        return Some((Value::string(string), after));
    }
    let end = text.bytes().position(|byte| is_space(byte) || matches!(byte, b',' | b'}'))?;
    let (word, after) = text.split_at(end);
    let value = match word {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        // Numbers mean the same as everywhere else.
        number => match serde_json::from_str(number).ok()? {
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(int) => Value::I64(int),
                None => Value::F64(number.as_f64()?),
            },
            _ => return None,
        },
    };
    Some((value, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_properties;

    #[test]
    fn the_fast_reader_agrees_with_the_full_reader() {
        let texts = [
            ("{}", true),
            (" {\n} ", true),
            ("{\"weight\":7.3045120239258}", true),
            ("{\"a\": 1, \"b\" :-2e3 ,\"c\":\"x\u{e9}\",\"d\":true,\"e\":null}", true),
            ("{\"a\":18446744073709551615}", true),
            ("{\"a\":1e5}", true),
            ("{\"b\":1,\"a\":2}", false),
            ("{\"a\":1,\"a\":2}", false),
            ("{\"a\":[1]}", false),
            ("{\"a\":\"\\n\"}", false),
            ("{\"a\":1}x", false),
            ("{\"a\":01}", false),
            ("{\"a\":1e999}", false),
            ("{\"a\":1,}", false),
            ("{\"a\" 1}", false),
            ("{\"a\":", false),
            ("{\"a\":nul}", false),
            ("{\"a\":-}", false),
            ("[1]", false),
            ("", false),
            ("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}", false),
        ];
        for (text, is_plain) in texts {
            let (mut names, mut values) = ([""; PLAIN_PROPERTIES_MAX], Vec::new());
            let count = parse_plain(text, &mut names, &mut values);
            assert_eq!(count.is_some(), is_plain, "{text}");
            if let Some(count) = count {
                let read = names[..count].iter().map(|name| Value::string(name)).zip(values);
                assert_eq!(read.collect::<Vec<_>>(), parse_properties(text).expect(text), "{text}");
            }
        }
    }
}
