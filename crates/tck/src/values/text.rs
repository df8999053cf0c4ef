//! The texts of values in feature files: `(:A {k: 1})`, `[:T]`, `<(:A)-[:T]->(:B)>`, lists, maps, literals.
//!
//! `1` is an integer and `1.0` a float. No query is parsed here: an expected value has no expressions.

use std::iter::Peekable;
use std::str::Chars;

use super::{Hop, Node, Path, Properties, Relationship, Value};

/// The value of a text, or the reason why it has none.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { letters: text.chars().peekable() };
    let read = reader.value().and_then(|value| {
        reader.space();
        match reader.letters.peek() {
            None => Ok(value),
            Some(letter) => Err(format!("`{letter}` behind the value")),
        }
    });
    read.map_err(|reason| format!("the expected value `{text}`: {reason}"))
}

struct Reader<'t> {
    letters: Peekable<Chars<'t>>,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, String> {
        self.space();
        match self.letters.peek() {
            Some('\'') => self.string().map(Value::String),
            Some('(') => self.node().map(Value::Node),
            Some('<') => self.path().map(Value::Path),
            Some('{') => self.properties().map(Value::Map),
            Some('[') => self.list_or_relationship(),
            Some(_) => self.word(),
            None => Err("it is empty".to_owned()),
        }
    }

    /// A number, or one of the named values.
    fn word(&mut self) -> Result<Value, String> {
        let is_end = |letter: char| letter.is_whitespace() || ",]})>".contains(letter);
        let word = self.take_while(|letter| !is_end(letter));
        let float = match word.as_str() {
            "null" => return Ok(Value::Null),
            "true" => return Ok(Value::Boolean(true)),
            "false" => return Ok(Value::Boolean(false)),
            "NaN" => f64::NAN,
            "Inf" | "+Inf" => f64::INFINITY,
            "-Inf" => f64::NEG_INFINITY,
            number => match number.parse() {
                Ok(int) => return Ok(Value::Integer(int)),
                Err(_) => float(number).ok_or_else(|| format!("`{number}` is no value"))?,
            },
        };
        Ok(Value::Float(float))
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect('\'')?;
        let mut text = String::new();
        loop {
            match self.letters.next() {
                Some('\'') => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(letter) => text.push(letter),
                None => return Err("a string without an end".to_owned()),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        Ok(match self.letters.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let digits: String = self.letters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                code.ok_or_else(|| format!("`\\u{digits}` is no character"))?
            }
            Some(letter) => letter,
            None => return Err("a string without an end".to_owned()),
        })
    }

    fn list_or_relationship(&mut self) -> Result<Value, String> {
        self.expect('[')?;
        self.space();
        if self.letters.peek() == Some(&':') {
            return self.relationship().map(Value::Relationship);
        }
        let mut values = Vec::new();
        if self.found(']') {
            return Ok(Value::List(values));
        }
        loop {
            values.push(self.value()?);
            if !self.found(',') {
                self.expect(']')?;
                return Ok(Value::List(values));
            }
        }
    }

    /// A relationship behind its opening bracket.
    fn relationship(&mut self) -> Result<Relationship, String> {
        self.expect(':')?;
        let kind = self.name()?;
        let properties = self.properties_if_any()?;
        self.expect(']')?;
        Ok(Relationship { id: String::new(), kind, properties })
    }

    fn node(&mut self) -> Result<Node, String> {
        self.expect('(')?;
        let mut node = Node::default();
        while self.found(':') {
            node.labels.insert(self.name()?);
        }
        node.properties = self.properties_if_any()?;
        self.expect(')')?;
        Ok(node)
    }

    fn path(&mut self) -> Result<Path, String> {
        self.expect('<')?;
        let start = self.node()?;
        let mut hops = Vec::new();
        while !self.found('>') {
            let backward = self.found('<');
            self.expect('-')?;
            self.expect('[')?;
            self.space();
            let relationship = self.relationship()?;
            self.expect('-')?;
            if !backward {
                self.expect('>')?;
            }
            hops.push(Hop { relationship, forward: !backward, node: self.node()? });
        }
        Ok(Path { start, hops })
    }

    fn properties_if_any(&mut self) -> Result<Properties, String> {
        self.space();
        if self.letters.peek() == Some(&'{') { self.properties() } else { Ok(Properties::new()) }
    }

    fn properties(&mut self) -> Result<Properties, String> {
        self.expect('{')?;
        let mut properties = Properties::new();
        if self.found('}') {
            return Ok(properties);
        }
        loop {
            let key = self.name()?;
            self.expect(':')?;
            properties.insert(key, self.value()?);
            if !self.found(',') {
                self.expect('}')?;
                return Ok(properties);
            }
        }
    }

    /// A name, which may stand in backticks.
    fn name(&mut self) -> Result<String, String> {
        if self.found('`') {
            let name = self.take_while(|letter| letter != '`');
            self.expect('`')?;
            return Ok(name);
        }
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        if name.is_empty() { Err("a name is missing".to_owned()) } else { Ok(name) }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(letter) = self.letters.next_if(|letter| is_part(*letter)) {
            taken.push(letter);
        }
        taken
    }

    fn space(&mut self) {
        while self.letters.next_if(|letter| letter.is_whitespace()).is_some() {}
    }

    fn found(&mut self, wanted: char) -> bool {
        self.space();
        self.letters.next_if_eq(&wanted).is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.found(wanted) { Ok(()) } else { Err(format!("`{wanted}` is missing")) }
    }
}

/// The number of a text with digits and a point or an exponent: an integer beyond 64 bits is none.
fn float(text: &str) -> Option<f64> {
    let is_number =
        text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter));
    let is_float = is_number && text.contains(['.', 'e', 'E']);
    if is_float { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_as_it_is_written() {
        for text in [
            "null",
            "true",
            "-7",
            "1.0",
            "-0.5",
            "NaN",
            "'it'",
            "[]",
            "[1, [2.5, null], 'x']",
            "{}",
            "{a: 1, b: {c: [true]}}",
            "()",
            "(:A)",
            "({k: 'v'})",
            "(:A:B {k: 1, l: 2})",
            "[:T]",
            "[:T {k: []}]",
            "[(:A), [:T]]",
            "<()>",
            "<(:A {k: 1})-[:T {l: 2}]->()<-[:U]-(:B)>",
        ] {
            assert_eq!(parse(text).map(|value| value.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn numbers_keep_their_kind() {
        assert_eq!(parse(" 1 "), Ok(Value::Integer(1)));
        assert_eq!(parse("1e3"), Ok(Value::Float(1000.0)));
        assert_eq!(parse(".5"), Ok(Value::Float(0.5)));
        assert_eq!(parse("-Inf"), Ok(Value::Float(f64::NEG_INFINITY)));
        assert_eq!(parse("9223372036854775807"), Ok(Value::Integer(i64::MAX)));
        assert!(parse("9223372036854775808").is_err());
    }

    #[test]
    fn escapes_and_backticks_are_undone() {
        let string = |text: &str| Ok(Value::String(text.to_owned()));
        assert_eq!(parse(r"'a\n\'\\\u00e4'"), string("a\n'\\ä"));
        assert_eq!(parse("'a\nb'"), string("a\nb"));
        assert_eq!(parse("(:`a b`)").map(|value| value.to_string()), Ok("(:a b)".to_owned()));
    }

    #[test]
    fn a_malformed_value_is_named_with_the_reason() {
        for (text, reason) in [
            ("", "empty"),
            ("'a", "without an end"),
            ("[1, 2", "`]` is missing"),
            ("{1: 2}x", "`x` behind"),
            ("(:)", "a name"),
            ("<(:A)-[T]->()>", "`:`"),
            ("maybe", "`maybe` is no value"),
            ("1.2.3", "no value"),
            (r"'\ud800'", "no character"),
        ] {
            let refused = parse(text).expect_err(text);
            assert!(refused.contains(reason) && refused.contains(text), "{refused}");
        }
    }
}
