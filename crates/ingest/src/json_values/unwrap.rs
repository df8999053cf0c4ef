//! JSON whose values stand in one array or object of any size, as a stream of values: a filter that takes the
//! brackets around them away, puts [`SEPARATOR`] between two, and keeps line ends.
//!
//! ```text
//!   [{…},{…}]                                      ARRAY_JSON of APOC
//!   {"nodes":[{…},{…}],"rels":[{…}]}               JSON
//!   {"nodes":{"0":{…},"1":{…}},"rels":{"0":{…}}}   JSON_ID_AS_KEYS
//!   {"vertices":[{…},{…}]}                         GraphSON in one object
//! ```
//!
//! Any other member of such an object becomes an object of its own; where it is a single value beside `nodes`, it is
//! one of a row of lists (`{"nodes":[],"count":1}`). Values may go on over lines. Nothing is
//! checked here but what is opened and closed: the parser sees each value.

use super::opening::{Kind, MEMBERS, Opening, Text};
use crate::limits::READ_BUFFER_BYTES;
use std::io::{self, BufRead, BufReader, Read};

/// Between two values; no JSON has it (RFC 7464).
pub(crate) const SEPARATOR: u8 = 0x1e;

/// Bytes of an object's beginning that decide whether it holds elements; and of the names of its members.
const OPENING_BYTES_MAX: usize = 16 << 10;

/// Whether a file has its values in an array or an object, or on several lines, by its first bytes. An object a
/// line is a row of a query, whatever its columns are called.
pub(crate) fn is_wrapped(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let Some((b'{', rest)) = head.split_first() else { return head.starts_with(b"[") };
    let mut blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    if blanks.any(|byte| *byte == b'\n') {
        return true;
    }
    let mut opening = Opening::default();
    let kind = head.iter().find_map(|byte| opening.decide(*byte));
    kind.is_some_and(|kind| kind != Kind::Value) && !are_lines(head)
}

/// Whether the first line is a whole value and another one follows.
fn are_lines(head: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'\n', head) else { return false };
    let (line, rest) = head.split_at(end);
    let (mut values, mut out) = (Values::default(), Vec::new());
    values.feed(line, &mut out);
    values.end(&mut out).is_ok() && rest.trim_ascii_start().starts_with(b"{")
}

/// The values of a stream.
pub(crate) fn unwrapped(reader: Box<dyn BufRead + Send>) -> Box<dyn BufRead + Send> {
    values_of(reader, Values::default())
}

/// The values of a stream that is an array of them, or one behind the other: an object is a value whatever is in it.
pub(crate) fn array_values(reader: Box<dyn BufRead + Send>) -> Box<dyn BufRead + Send> {
    values_of(reader, Values { keeps_objects: true, ..Values::default() })
}

fn values_of(reader: Box<dyn BufRead + Send>, values: Values) -> Box<dyn BufRead + Send> {
    let (ready, at) = (Vec::new(), 0);
    Box::new(BufReader::with_capacity(READ_BUFFER_BYTES, Unwrapped { reader, ready, at, values }))
}

struct Unwrapped {
    reader: Box<dyn BufRead + Send>,
    /// Bytes that are not read yet, from `at` on.
    ready: Vec<u8>,
    at: usize,
    values: Values,
}

impl Read for Unwrapped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() {
            self.ready.clear();
            self.at = 0;
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                self.values.end(&mut self.ready)?;
                if self.ready.is_empty() {
                    return Ok(0);
                }
                continue;
            }
            let count = bytes.len();
            self.values.feed(bytes, &mut self.ready);
            self.reader.consume(count);
        }
        let count = buffer.len().min(self.ready.len() - self.at);
        buffer[..count].copy_from_slice(&self.ready[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// What surrounds values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    /// An array of values.
    Array,
    /// An object with one of [`MEMBERS`].
    Wrapper,
    /// An object of values by their ids.
    Keyed,
}

/// Where the filter stands.
#[derive(Default)]
struct Values {
    /// At most two.
    containers: Vec<Container>,
    /// Whether the object around has nodes, and no vertices of GraphSON.
    is_row: bool,
    /// Whether an object at the outside is a value, and holds none.
    keeps_objects: bool,
    state: State,
}

#[derive(Default)]
enum State {
    /// Between values.
    #[default]
    Between,
    /// In an object at the outside, until it is known what it is.
    Opening(Box<Opening>),
    /// In a member of a container, up to its value.
    Key(Box<Key>),
    Value(Value),
}

/// A value that is copied.
#[derive(Default)]
struct Value {
    depth: u64,
    string: Option<Text>,
    /// Whether it is a number or a word, which ends where something else begins.
    is_bare: bool,
    /// Whether it is the value of a member that becomes an object.
    is_member: bool,
}

/// A member's name, and then what stands up to its value.
#[derive(Default)]
struct Key {
    name: Vec<u8>,
    text: Option<Text>,
}

impl Values {
    fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some((byte, rest)) = bytes.split_first() {
            match &mut self.state {
                State::Value(value) => {
                    let (taken, is_over) = value.copy(bytes, out);
                    bytes = &bytes[taken..];
                    if is_over {
                        if value.is_member {
                            out.push(b'}');
                        }
                        // Values stand behind each other at the outside, too.
                        out.push(SEPARATOR);
                        self.state = State::Between;
                    }
                    continue;
                }
                State::Between => self.between(*byte, out),
                State::Key(key) => {
                    if let Some(name) = key.take(*byte) {
                        self.value_of(&name, *byte, out);
                    } else if *byte == b'\n' {
                        out.push(b'\n');
                    }
                }
                State::Opening(opening) => {
                    opening.bytes.push(*byte);
                    let decided = opening.decide(*byte);
                    let is_long = OPENING_BYTES_MAX < opening.bytes.len();
                    if let Some(kind) = decided.or(is_long.then_some(Kind::Value)) {
                        let State::Opening(opening) = std::mem::take(&mut self.state) else {
                            return;
                        };
                        self.open(kind, &opening, out);
                    }
                }
            }
            bytes = rest;
        }
    }

    /// Goes into an object at the outside, whose beginning decides what it is.
    fn open(&mut self, kind: Kind, opening: &Opening, out: &mut Vec<u8>) {
        let bytes = &opening.bytes;
        let (skipped, container) = match kind {
            Kind::Value => {
                self.state = State::Value(Value::default());
                self.feed(bytes, out);
                return;
            }
            Kind::Array => (bytes.len(), Container::Array),
            Kind::Keyed => (opening.inside, Container::Keyed),
        };
        out.extend(bytes[..skipped].iter().filter(|byte| **byte == b'\n'));
        self.is_row = opening.name != b"vertices";
        self.containers.extend([Container::Wrapper, container]);
        self.feed(&bytes[skipped..], out);
    }

    fn between(&mut self, byte: u8, out: &mut Vec<u8>) {
        match (byte, self.containers.last()) {
            (b'\n', _) => out.push(b'\n'),
            (b' ' | b'\t' | b'\r' | SEPARATOR, _) | (b',', Some(_)) => {}
            (b'[', None) => self.containers.push(Container::Array),
            (b']', Some(Container::Array))
            | (b'}', Some(Container::Wrapper | Container::Keyed)) => {
                self.containers.pop();
            }
            (b'{', None) if !self.keeps_objects => {
                let mut opening = Box::<Opening>::default();
                opening.bytes.push(byte);
                opening.decide(byte);
                self.state = State::Opening(opening);
            }
            (b'"', Some(Container::Wrapper | Container::Keyed)) => {
                let text = Some(Text::default());
                self.state = State::Key(Box::new(Key { text, ..Key::default() }));
            }
            _ => self.value(byte, false, out),
        }
    }

    /// Begins the value of a member.
    fn value_of(&mut self, name: &[u8], byte: u8, out: &mut Vec<u8>) {
        let is_inside = self.containers.last() == Some(&Container::Keyed);
        self.state = State::Between;
        match byte {
            b'[' if !is_inside && MEMBERS.contains(&name) => self.containers.push(Container::Array),
            b'{' if !is_inside && MEMBERS.contains(&name) => self.containers.push(Container::Keyed),
            _ if is_inside => self.value(byte, false, out),
            _ => {
                let is_single = !matches!(byte, b'{' | b'[');
                let of_row: &[u8] = if is_single && self.is_row { b"\"nodes\":[]," } else { b"" };
                out.push(b'{');
                out.extend_from_slice(of_row);
                out.push(b'"');
                out.extend_from_slice(name);
                out.extend_from_slice(b"\":");
                self.value(byte, true, out);
            }
        }
    }

    fn value(&mut self, byte: u8, is_member: bool, out: &mut Vec<u8>) {
        let is_bare = !matches!(byte, b'{' | b'[' | b'"');
        self.state = State::Value(Value { is_bare, is_member, ..Value::default() });
        match is_bare {
            true => out.push(byte),
            false => self.feed(&[byte], out),
        }
    }

    /// The end of the file.
    fn end(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        match std::mem::take(&mut self.state) {
            State::Opening(opening) => self.open(Kind::Value, &opening, out),
            state => self.state = state,
        }
        let is_over = match &self.state {
            State::Between => true,
            State::Value(value) => value.is_bare,
            State::Opening(_) | State::Key(_) => false,
        };
        match is_over && self.containers.is_empty() {
            true => {
                self.state = State::Between;
                Ok(())
            }
            false => {
                Err(io::Error::other("the JSON is not closed at its end: is the file complete?"))
            }
        }
    }
}

impl Value {
    /// Copies bytes of the value; their number, and whether it ends behind them.
    fn copy(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> (usize, bool) {
        let (mut taken, mut is_over) = (0, false);
        while let Some(byte) = bytes.get(taken) {
            if let Some(text) = &mut self.string {
                // Most bytes of a text are none of both.
                if !text.is_escaped {
                    let rest = &bytes[taken..];
                    let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    taken += plain;
                    if plain == rest.len() {
                        break;
                    }
                }
                if text.ends(bytes[taken]) {
                    self.string = None;
                    is_over = self.depth == 0;
                }
            } else {
                match byte {
                    b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n' if self.is_bare => {
                        is_over = true;
                        break;
                    }
                    b'"' if !self.is_bare => self.string = Some(Text::default()),
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => {
                        self.depth = self.depth.saturating_sub(1);
                        is_over = self.depth == 0;
                    }
                    _ => {}
                }
            }
            taken += 1;
            if is_over {
                break;
            }
        }
        out.extend_from_slice(&bytes[..taken]);
        (taken, is_over)
    }
}

impl Key {
    /// The name, once the value begins.
    fn take(&mut self, byte: u8) -> Option<Vec<u8>> {
        if let Some(text) = &mut self.text {
            if text.ends(byte) {
                self.text = None;
            } else if self.name.len() < OPENING_BYTES_MAX {
                self.name.push(byte);
            }
            return None;
        }
        let is_value = !byte.is_ascii_whitespace() && byte != b':';
        is_value.then(|| std::mem::take(&mut self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values, whatever pieces the stream comes in.
    fn values(text: &str) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        for piece in [1, 3, 1 << 20] {
            let (mut values, mut out) = (Values::default(), Vec::new());
            text.as_bytes().chunks(piece).for_each(|piece| values.feed(piece, &mut out));
            values.end(&mut out).map_err(|error| error.to_string())?;
            let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(lines(&out), lines(text.as_bytes()), "line ends stay: {text}");
            let text = String::from_utf8(out).unwrap();
            let split = text.split(char::from(SEPARATOR)).map(str::trim);
            let split: Vec<String> =
                split.filter(|value| !value.is_empty()).map(str::to_owned).collect();
            found.push(split);
        }
        assert!(found.windows(2).all(|two| two[0] == two[1]), "{found:?}");
        Ok(found.remove(0))
    }

    #[test]
    fn an_object_as_a_value_has_whatever_is_in_it() {
        let text = "[{\"nodes\":[{\"uid\":1}]},\n{\"vertices\":[]}]{\"rels\":[{}]}";
        let mut read = String::new();
        array_values(Box::new(text.as_bytes())).read_to_string(&mut read).unwrap();
        let found: Vec<&str> = read.split(char::from(SEPARATOR)).map(str::trim).collect();
        let expected = ["{\"nodes\":[{\"uid\":1}]}", "{\"vertices\":[]}", "{\"rels\":[{}]}", ""];
        assert_eq!(found, expected);
    }

    #[test]
    fn values_come_out_of_what_surrounds_them() {
        for (text, expected) in [
            (
                "[{\"a\":1},{\"b\":[1,{}]} ,\n {\"c\":\"]},\\\"\\\\\"}]\n",
                vec!["{\"a\":1}", "{\"b\":[1,{}]}", "{\"c\":\"]},\\\"\\\\\"}"],
            ),
            (
                "{\"nodes\":[{\"id\":1},{\"id\":2}],\"rels\":[{\"id\":3}]}",
                vec!["{\"id\":1}", "{\"id\":2}", "{\"id\":3}"],
            ),
            (
                "{\"nodes\":{\"0\":{\"id\":1},\n\"1\":{\"id\":2}},\"rels\":{}}",
                vec!["{\"id\":1}", "{\"id\":2}"],
            ),
            ("{ \"vertices\" : [ {\"id\":1} ] }", vec!["{\"id\":1}"]),
            ("{\"nodes\":{},\"rels\":{\"0\":{\"id\":3}}}", vec!["{\"id\":3}"]),
            ("{\"vertices\":[],\"count\":3}", vec!["{\"count\":3}"]),
            (
                "{\"nodes\":[],\"count\":3,\"x\":{\"y\":1}}",
                vec!["{\"nodes\":[],\"count\":3}", "{\"x\":{\"y\":1}}"],
            ),
            ("{\n \"id\": 1\n}\n{\n \"id\": 2\n}", vec!["{\n \"id\": 1\n}", "{\n \"id\": 2\n}"]),
            (
                "{\"nodes\":{\"type\":\"node\",\"id\":\"1\"}}\n{\"nodes\":null}",
                vec!["{\"nodes\":{\"type\":\"node\",\"id\":\"1\"}}", "{\"nodes\":null}"],
            ),
            (
                "{\"nodes\":[{\"id\":1}]}\n{\"nodes\":[{\"id\":2}]}\n",
                vec!["{\"id\":1}", "{\"id\":2}"],
            ),
            ("[1, \"a,]\", null]", vec!["1", "\"a,]\"", "null"]),
            ("{}[]", vec!["{}"]),
            ("7", vec!["7"]),
        ] {
            assert_eq!(values(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_an_error() {
        for text in
            ["[{\"a\":1}", "{\"nodes\":[{\"id\":1}]", "{\"a\":\"x}", "{\"nodes\":[],\"rels\""]
        {
            assert!(values(text).unwrap_err().contains("not closed"), "{text}");
        }
    }

    #[test]
    fn a_file_is_wrapped_by_its_first_bytes() {
        for (head, expected) in [
            (" [", true),
            ("{\"nodes\":[", true),
            ("{\"nodes\":{\"7\":{", true),
            ("{\n", true),
            ("{\"vertices\": [", true),
            ("{\"type\":\"node\",\"id\":\"1\"}\n", false),
            ("{ \"id\": 1 }\n", false),
            ("{\"nodes\":{\"type\":\"node\"}}\n", false),
            ("{\"nodes\":[],\"rels\":[]}\n", true),
            ("{\"nodes\":[],\"rels\":[]}\n{\"nodes\":[", false),
            ("{\"nodes\":[\n{", true),
            ("", false),
        ] {
            assert_eq!(is_wrapped(head.as_bytes()), expected, "{head}");
        }
    }
}
