//! JSON as data needs it read: numbers keep their digits, and a member that occurs twice
//! is an error, where usual readers round the first and let the last of the second win without a word.

use crate::error::{Fault, excerpt};
use crate::limits::{LINE_DEPTH_MAX, MUTATION_DEPTH_MAX};
use std::collections::HashSet;
use std::fmt;

/// Members of an object that are compared one by one; more are looked up.
const FEW_MEMBERS: usize = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// As it is written.
    Number(Box<str>),
    /// Without its escapes.
    String(String),
    /// `[…]`.
    Array(Vec<Json>),
    /// In the order of the text, no name twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text of a file that is one value, on a line.
    pub fn parse(text: &[u8]) -> Result<Json, Fault> {
        let text = str::from_utf8(text).map_err(|error| {
            let detail = "expected UTF-8 text, found other bytes: convert the file";
            Fault::new(error.valid_up_to(), detail)
        })?;
        Self::read(text, LINE_DEPTH_MAX, "the line")
    }

    /// Reads the text of a mutation, or of a request with mutations, which may be nested deeper.
    pub fn parse_mutation(text: &str) -> Result<Json, Fault> {
        Self::read(text, MUTATION_DEPTH_MAX, "the text")
    }

    fn read(text: &str, depth_max: usize, whole: &'static str) -> Result<Json, Fault> {
        let mut reader = Reader { text, at: 0, depth: 0, depth_max, whole };
        reader.blanks();
        let value = reader.value()?;
        reader.blanks();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.expected(&format!("the end of {whole} after this value"))),
        }
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let (_, value) = self.as_object()?.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[(String, Json)]> {
        if let Json::Object(members) = self { Some(members) } else { None }
    }

    /// The values of an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Json::Array(values) = self { Some(values) } else { None }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Json::String(text) = self { Some(text) } else { None }
    }

    /// A number that is written as a whole one of 64 bits.
    pub fn as_i64(&self) -> Option<i64> {
        if let Json::Number(digits) = self { digits.parse().ok() } else { None }
    }

    /// The nearest double, unless none is near.
    pub fn as_f64(&self) -> Option<f64> {
        let Json::Number(digits) = self else { return None };
        digits.parse().ok().filter(|double: &f64| double.is_finite())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(truth) => truth.fmt(f),
            Json::Number(digits) => f.write_str(digits),
            Json::String(text) => serde_json::Value::from(text.as_str()).fmt(f),
            Json::Array(values) => {
                f.write_str("[")?;
                for (place, value) in values.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { "," })?;
                    value.fmt(f)?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (place, (name, value)) in members.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { "," })?;
                    write!(f, "{}:{value}", serde_json::Value::from(name.as_str()))?;
                }
                f.write_str("}")
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    depth_max: usize,
    /// Names the text in messages.
    whole: &'static str,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[cold]
    fn expected(&self, what: &str) -> Fault {
        let found = match self.text[self.at..].chars().next() {
            None => format!("the end of {}", self.whole),
            Some(letter) => format!("'{}'", letter.escape_debug()),
        };
        Fault::new(self.at, format!("expected {what}, found {found}"))
    }

    fn value(&mut self) -> Result<Json, Fault> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words = [
                    ("null", Json::Null),
                    ("true", Json::Bool(true)),
                    ("false", Json::Bool(false)),
                ];
                let rest = &self.text[self.at..];
                match words.into_iter().find(|(word, _)| rest.starts_with(word)) {
                    Some((word, value)) => {
                        self.at += word.len();
                        Ok(value)
                    }
                    None => Err(self.expected("JSON")),
                }
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, Fault>) -> Result<Json, Fault> {
        self.depth += 1;
        if self.depth_max < self.depth {
            let detail = format!("JSON may be nested {} deep, and not deeper", self.depth_max);
            return Err(Fault::new(self.at, detail));
        }
        self.at += 1;
        self.blanks();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Json, Fault> {
        let mut values = Vec::new();
        if self.take(b']') {
            return Ok(Json::Array(values));
        }
        loop {
            self.blanks();
            values.push(self.value()?);
            self.blanks();
            if self.take(b']') {
                return Ok(Json::Array(values));
            }
            if !self.take(b',') {
                return Err(self.expected("',' or ']'"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, Fault> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.expected("a member's name in quotes"));
            }
            let name = self.string()?;
            let is_known = match members.len() {
                few if few <= FEW_MEMBERS => members.iter().any(|(known, _)| *known == name),
                _ => {
                    if names.is_empty() {
                        names.extend(members.iter().map(|(name, _)| name.clone()));
                    }
                    !names.insert(name.clone())
                }
            };
            if is_known {
                return Err(Fault::new(
                    at,
                    format!("the member '{}' occurs twice", excerpt(&name)),
                ));
            }
            self.blanks();
            if !self.take(b':') {
                return Err(self.expected("':'"));
            }
            self.blanks();
            let value = self.value()?;
            members.push((name, value));
            self.blanks();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.expected("',' or '}'"));
            }
        }
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - from
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let from = self.at;
        self.take(b'-');
        let leads_with_zero = self.peek() == Some(b'0');
        match self.digits() {
            0 => return Err(self.expected("a digit")),
            1 => {}
            _ if leads_with_zero => return Err(Fault::new(from, "a number may not begin with 0")),
            _ => {}
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err(self.expected("a digit"));
        }
        if self.take(b'e') || self.take(b'E') {
            let _signed = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(self.expected("a digit"));
            }
        }
        Ok(Json::Number(self.text[from..self.at].into()))
    }

    /// With the cursor on the opening quote.
    fn string(&mut self) -> Result<String, Fault> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let Some(length) = memchr::memchr2(b'"', b'\\', rest) else {
                return Err(Fault::new(open, "expected '\"' to close this text, found none"));
            };
            let plain = &self.text[self.at..self.at + length];
            if let Some(at) = plain.bytes().position(|byte| byte < b' ') {
                return Err(Fault::new(self.at + at, "a control character must be escaped"));
            }
            text.push_str(plain);
            self.at += length + 1;
            if rest[length] == b'"' {
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }

    /// Behind the backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let letter = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.expected("one of \" \\ / b f n r t u behind a backslash")),
        };
        self.at += 1;
        Ok(letter)
    }

    /// `uXXXX`, or two of them for a character beyond 16 bits.
    fn unicode(&mut self) -> Result<char, Fault> {
        let open = self.at;
        let first = self.unit()?;
        let code = match first {
            0xd800..0xdc00 if self.text[self.at..].starts_with("\\u") => {
                self.at += 1;
                let second = self.unit()?;
                match second {
                    0xdc00..0xe000 => 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    _ => first,
                }
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| Fault::new(open, "half of a pair of \\u escapes"))
    }

    fn unit(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(Fault::new(self.at, "expected 4 hexadecimal digits behind \\u"));
        };
        self.at += 5;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    fn refuse(text: &str) -> String {
        Json::parse(text.as_bytes()).unwrap_err().detail
    }

    #[test]
    fn numbers_keep_their_digits_and_nothing_stands_twice() {
        let big = "123456789012345678901234567890.10";
        assert_eq!(Json::parse(big.as_bytes()), Ok(Json::Number(big.into())));
        assert_eq!(refuse(r#"{"a":1,"b":{"c":1,"c":2}}"#), "the member 'c' occurs twice");
        let many: Vec<String> = (0..40).map(|number| format!("\"m{}\":1", number % 39)).collect();
        assert_eq!(refuse(&format!("{{{}}}", many.join(","))), "the member 'm0' occurs twice");
        for text in [
            "",
            "01",
            "1.",
            "-",
            "1e",
            "[1,]",
            "{\"a\"}",
            "{a:1}",
            "nul",
            "\"\\ud83d\"",
            "\"\t\"",
            "1 2",
        ] {
            assert!(Json::parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(refuse(&"[".repeat(1000)).contains("nested 128 deep"));
        let deep = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse_mutation(&deep(MUTATION_DEPTH_MAX)).is_ok());
        let fault = Json::parse_mutation(&deep(MUTATION_DEPTH_MAX + 1)).unwrap_err();
        assert!(fault.detail.contains("nested 500 deep"), "{fault}");
    }

    #[test]
    fn json_parses_as_serde_json_parses_it() {
        let pieces = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"\\u00e9\\ud83d\\ude00\\n\"",
            "1",
            "-0.5e+3",
            "null",
            " ",
            "true",
            "\"é\\\\\"",
        ];
        run_seeds(3000, |_, rng| {
            let text: String = (0..rng.index(9)).map(|_| pieces[rng.index(pieces.len())]).collect();
            let other: Result<serde_json::Value, _> = serde_json::from_str(&text);
            match (Json::parse(text.as_bytes()), other) {
                (Ok(own), Ok(other)) => {
                    let again: serde_json::Value = serde_json::from_str(&own.to_string()).unwrap();
                    assert_eq!(again, other, "{text}");
                }
                (Err(Fault { detail, .. }), Ok(_)) => {
                    assert!(detail.contains("occurs twice"), "{text}: {detail}");
                }
                (Ok(_), Err(error)) => panic!("{text}: {error}"),
                (Err(_), Err(_)) => {}
            }
        });
    }
}
