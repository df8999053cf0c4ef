//! JSON (RFC 8259): values as texts, and texts as values.

use std::fmt::Write;

use millrace_model::temporal::{Seconds, text};
use millrace_model::{Result, Value};

use crate::functions::arguments::bad;

/// How deep lists and maps may stand inside each other.
const DEPTH_MAX: usize = 128;

/// A value as a text.
pub(super) fn write(value: &Value) -> Result<String> {
    let mut output = String::new();
    append(value, &mut output, 0)?;
    Ok(output)
}

fn append(value: &Value, output: &mut String, depth: usize) -> Result<()> {
    if DEPTH_MAX < depth {
        return Err(bad("lists and maps stand too deep inside each other for JSON"));
    }
    match value {
        Value::Null => output.push_str("null"),
        Value::Bool(truth) => output.push_str(if *truth { "true" } else { "false" }),
        Value::String(own) => append_text(own, output),
        Value::List(entries) | Value::Set(entries) => {
            output.push('[');
            for (place, entry) in entries.iter().enumerate() {
                output.push_str(if place == 0 { "" } else { "," });
                append(entry, output, depth + 1)?;
            }
            output.push(']');
        }
        Value::Map(pairs) => {
            output.push('{');
            for (place, (key, entry)) in pairs.iter().enumerate() {
                output.push_str(if place == 0 { "" } else { "," });
                let key = key.as_str().ok_or_else(|| bad("a key of JSON is a text"))?;
                append_text(key, output);
                output.push(':');
                append(entry, output, depth + 1)?;
            }
            output.push('}');
        }
        other => {
            if let Some(int) = other.as_int() {
                let _infallible = write!(output, "{int}");
            } else if let Some(number) = other.as_double() {
                match number.is_finite() {
                    true => _ = write!(output, "{number:?}"),
                    false => append_text(&number.to_string(), output),
                }
            } else if let Some(time) = text(other, Seconds::IfAny) {
                append_text(&time, output);
            } else {
                let detail = format!("a {} has no JSON text", other.type_name());
                return Err(bad(detail).with_help("write properties(n) for an element n"));
            }
        }
    }
    Ok(())
}

fn append_text(own: &str, output: &mut String) {
    output.push('"');
    for character in own.chars() {
        match character {
            '"' => output.push_str("\\\""),
            '\\' => output.push_str("\\\\"),
            '\n' => output.push_str("\\n"),
            '\r' => output.push_str("\\r"),
            '\t' => output.push_str("\\t"),
            control if control < ' ' => _ = write!(output, "\\u{:04x}", control as u32),
            plain => output.push(plain),
        }
    }
    output.push('"');
}

/// The value of a text.
pub(super) fn read(own: &str) -> Result<Value> {
    let mut reader = Reader { text: own, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    match reader.at == own.len() {
        true => Ok(value),
        false => Err(reader.wrong("nothing more")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, wanted: &str) -> millrace_model::Error {
        bad(format!("this is not JSON: at offset {} it wants {wanted}", self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, mark: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(mark);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, mark: u8) -> Result<()> {
        if self.take(mark) { Ok(()) } else { Err(self.wrong(&format!("`{}`", mark as char))) }
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if DEPTH_MAX < depth {
            return Err(bad("this JSON is nested too deep"));
        }
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.map(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Value::string(&self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words = [
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("null", Value::Null),
                ];
                for (word, value) in words {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.wrong("a value"))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value> {
        self.expect(b'[')?;
        let mut entries = Vec::new();
        if self.take(b']') {
            return Ok(Value::list(entries));
        }
        loop {
            entries.push(self.value(depth + 1)?);
            if !self.take(b',') {
                self.expect(b']')?;
                return Ok(Value::list(entries));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value> {
        self.expect(b'{')?;
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        if self.take(b'}') {
            return Ok(Value::map(pairs));
        }
        let mut places = std::collections::HashMap::new();
        loop {
            self.skip_space();
            let key = self.string()?;
            self.expect(b':')?;
            let value = self.value(depth + 1)?;
            // A later value of a key wins.
            let place = *places.entry(key).or_insert_with_key(|key| {
                pairs.push((Value::string(key), Value::Null));
                pairs.len() - 1
            });
            pairs[place].1 = value;
            if !self.take(b',') {
                self.expect(b'}')?;
                return Ok(Value::map(pairs));
            }
        }
    }

    fn number(&mut self) -> Result<Value> {
        let rest = &self.text[self.at..];
        let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.bytes().take_while(|byte| is_part(*byte)).count();
        let own = &rest[..length];
        let digits = own.trim_start_matches('-');
        let has_zero_first = digits.len() > 1 && digits.starts_with('0');
        let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
        let value = match is_whole.then(|| own.parse::<i64>().ok()).flatten() {
            Some(int) => Some(Value::I64(int)),
            None => own.parse::<f64>().ok().map(Value::F64),
        };
        let is_wrong = has_zero_first && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        match value.filter(|_| !is_wrong && !digits.starts_with('.') && !digits.ends_with('.')) {
            Some(value) => {
                self.at += length;
                Ok(value)
            }
            None => Err(self.wrong("a number")),
        }
    }

    fn string(&mut self) -> Result<String> {
        if self.peek() != Some(b'"') {
            return Err(self.wrong("a text"));
        }
        self.at += 1;
        let mut own = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.find(['"', '\\']) else { return Err(self.wrong("`\"`")) };
            if rest[..length].bytes().any(|byte| byte < 0x20) {
                return Err(self.wrong("no control character"));
            }
            own.push_str(&rest[..length]);
            self.at += length + 1;
            if rest.as_bytes()[length] == b'"' {
                return Ok(own);
            }
            own.push(self.escaped()?);
        }
    }

    /// The character behind a backslash.
    fn escaped(&mut self) -> Result<char> {
        let escaped = self.peek();
        self.at += usize::from(escaped.is_some());
        Ok(match escaped {
            Some(plain @ (b'"' | b'\\' | b'/')) => plain as char,
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let first = self.digits()?;
                let is_pair =
                    (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u");
                let code = if is_pair {
                    self.at += 2;
                    let second = self.digits()?;
                    0x1_0000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00)
                } else {
                    first
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.wrong("an escaped character")),
        })
    }

    fn digits(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|own| own.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.wrong("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }
}
