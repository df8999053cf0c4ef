//! As much of GraphQL as requests of administration have: one operation, fields with arguments and selections.
//!
//! Fragments, directives and several operations are refused; no schema is known here.

use serde_json::{Map, Value};

/// How deep selections and values nest.
const NESTING_MAX: usize = 16;

/// Bytes of a text.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operation {
    pub(super) is_mutation: bool,
    pub(super) fields: Vec<Field>,
}

/// A field that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// Its name in the answer.
    pub(super) alias: String,
    pub(super) name: String,
    arguments: Vec<(String, Value)>,
    pub(super) selection: Vec<Field>,
}

impl Field {
    pub(super) fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

/// Reads a text, with values for its variables.
pub(super) fn parse(text: &str, variables: &Map<String, Value>) -> Result<Operation, String> {
    if TEXT_BYTES_MAX < text.len() {
        return Err(format!("the text is longer than {TEXT_BYTES_MAX} bytes"));
    }
    let mut cursor = Cursor { rest: text, variables };
    let is_mutation = match cursor.peek() {
        Some('{') => false,
        _ => match cursor.name()? {
            "query" => false,
            "mutation" => true,
            other => return Err(format!("`{other}` is not served: send a query or a mutation")),
        },
    };
    if cursor.peek().is_some_and(|next| next != '{' && next != '(') {
        cursor.name()?;
    }
    if cursor.peek() == Some('(') {
        cursor.skip_definitions()?;
    }
    let fields = cursor.selection(NESTING_MAX)?;
    match cursor.peek() {
        None => Ok(Operation { is_mutation, fields }),
        Some(_) => Err("only one operation is taken".to_owned()),
    }
}

struct Cursor<'t> {
    rest: &'t str,
    variables: &'t Map<String, Value>,
}

impl<'t> Cursor<'t> {
    /// The next letter behind blanks, commas and comments.
    fn peek(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start_matches(|own: char| own.is_whitespace() || own == ',');
            let Some(comment) = self.rest.strip_prefix('#') else { break };
            self.rest = comment.find('\n').map_or("", |end| &comment[end..]);
        }
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        is_next
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> String {
        let found: String = self.rest.chars().take(20).collect();
        format!("expected {wanted}, found `{found}`")
    }

    fn name(&mut self) -> Result<&'t str, String> {
        self.peek();
        let end = self.rest.find(|own: char| !own.is_alphanumeric() && own != '_');
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if name.is_empty() {
            return Err(self.unexpected("a name"));
        }
        self.rest = rest;
        Ok(name)
    }

    /// Skips the types of variables: their values are taken as they come.
    fn skip_definitions(&mut self) -> Result<(), String> {
        let end = self.rest.find(')').ok_or_else(|| self.unexpected("`)`"))?;
        self.rest = &self.rest[end + 1..];
        Ok(())
    }

    fn selection(&mut self, depth: usize) -> Result<Vec<Field>, String> {
        if depth == 0 {
            return Err(format!("selections nest deeper than {NESTING_MAX}"));
        }
        self.expect('{')?;
        let mut fields = Vec::new();
        while !self.take('}') {
            if matches!(self.peek(), Some('.' | '@')) {
                return Err("fragments and directives are not served".to_owned());
            }
            let first = self.name()?;
            let name = if self.take(':') { self.name()? } else { first };
            let arguments = if self.take('(') { self.arguments(depth)? } else { Vec::new() };
            let selection = match self.peek() {
                Some('{') => self.selection(depth - 1)?,
                _ => Vec::new(),
            };
            let (alias, name) = (first.to_owned(), name.to_owned());
            fields.push(Field { alias, name, arguments, selection });
        }
        if fields.is_empty() { Err("a selection is empty".to_owned()) } else { Ok(fields) }
    }

    /// The arguments up to the closing bracket.
    fn arguments(&mut self, depth: usize) -> Result<Vec<(String, Value)>, String> {
        let mut arguments = Vec::new();
        while !self.take(')') {
            let name = self.name()?.to_owned();
            self.expect(':')?;
            arguments.push((name, self.value(depth)?));
        }
        Ok(arguments)
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth == 0 {
            return Err(format!("values nest deeper than {NESTING_MAX}"));
        }
        match self.peek() {
            Some('"') => self.text(),
            Some('-' | '0'..='9') => self.number(),
            Some('$') => {
                self.expect('$')?;
                let name = self.name()?;
                Ok(self.variables.get(name).cloned().unwrap_or(Value::Null))
            }
            Some('[') => {
                self.expect('[')?;
                let mut all = Vec::new();
                while !self.take(']') {
                    all.push(self.value(depth - 1)?);
                }
                Ok(Value::Array(all))
            }
            Some('{') => {
                self.expect('{')?;
                let mut members = Map::new();
                while !self.take('}') {
                    let name = self.name()?.to_owned();
                    self.expect(':')?;
                    members.insert(name, self.value(depth - 1)?);
                }
                Ok(Value::Object(members))
            }
            _ => Ok(match self.name()? {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                "null" => Value::Null,
                word => Value::from(word),
            }),
        }
    }

    /// A number, which is written as in JSON.
    fn number(&mut self) -> Result<Value, String> {
        let is_part =
            |own: char| own.is_ascii_digit() || matches!(own, '-' | '+' | '.' | 'e' | 'E');
        let end = self.rest.find(|own| !is_part(own)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = serde_json::from_str(digits).map_err(|_| self.unexpected("a number"))?;
        self.rest = rest;
        Ok(number)
    }

    /// A text, which is written as in JSON.
    fn text(&mut self) -> Result<Value, String> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                self.rest = &self.rest[values.byte_offset()..];
                Ok(value)
            }
            Some(Err(_)) | None => Err(self.unexpected("a text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_has_fields_with_aliases_arguments_and_selections() {
        let text = "query named($a: Int = 3) { # why\n x: f(a: $a, b: [\"t\\n\", {c: D}], e: -1.5) { g } h }";
        let variables = [("a".to_owned(), Value::from(7))].into_iter().collect();
        let found = parse(text, &variables).unwrap();
        let [x, h] = found.fields.as_slice() else { panic!("{found:?}") };
        assert_eq!((x.alias.as_str(), x.name.as_str(), h.name.as_str()), ("x", "f", "h"));
        assert_eq!(x.argument("a"), Some(&Value::from(7)));
        assert_eq!(x.argument("b").unwrap().to_string(), "[\"t\\n\",{\"c\":\"D\"}]");
        assert_eq!(x.argument("e"), Some(&Value::from(-1.5)));
        assert_eq!(x.selection[0].name, "g");
        assert!(parse("mutation { f }", &variables).unwrap().is_mutation);
    }

    #[test]
    fn texts_that_are_not_served_are_refused() {
        let deep = format!("{}{}", "{ a ".repeat(1_000), "}".repeat(1_000));
        let list = format!("{{ a(b: {}) }}", "[".repeat(1_000));
        for wrong in [
            "",
            "{",
            "{ }",
            "{ a(",
            "{ a(b: ) }",
            "{ ...f }",
            "{ a } { b }",
            "subscription { a }",
            "{ a(b: \"x }",
            "query (",
            &deep,
            &list,
        ] {
            assert!(parse(wrong, &Map::new()).is_err(), "{wrong}");
        }
    }
}
