//! How an object at the outside of a file begins, which decides whether it is a value or holds values.

/// Members whose values are elements.
pub(super) const MEMBERS: [&[u8]; 3] = [b"nodes", b"rels", b"vertices"];

/// What an object at the outside is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Value,
    Array,
    Keyed,
}

/// In a string.
#[derive(Default)]
pub(super) struct Text {
    pub(super) is_escaped: bool,
}

impl Text {
    /// Whether this byte ends the string.
    pub(super) fn ends(&mut self, byte: u8) -> bool {
        let is_escaped = std::mem::replace(&mut self.is_escaped, false);
        self.is_escaped = !is_escaped && byte == b'\\';
        !is_escaped && byte == b'"'
    }
}

/// The beginning of an object at the outside: `{"nodes":[`, or `{"nodes":{"0":{`.
#[derive(Default)]
pub(super) struct Opening {
    pub(super) bytes: Vec<u8>,
    /// Where the values of a keyed object begin.
    pub(super) inside: usize,
    seen: usize,
    step: Step,
    text: Option<Text>,
    pub(super) name: Vec<u8>,
}

/// What is expected next.
#[derive(Clone, Copy, Default)]
enum Step {
    #[default]
    Object,
    Name,
    Colon,
    Elements,
    Id,
    IdColon,
    Element,
}

impl Opening {
    /// What the object is, once it is known.
    pub(super) fn decide(&mut self, byte: u8) -> Option<Kind> {
        self.seen += 1;
        if let Some(text) = &mut self.text {
            match text.ends(byte) {
                true => self.text = None,
                false if matches!(self.step, Step::Colon) => self.name.push(byte),
                false => {}
            }
            return None;
        }
        if byte.is_ascii_whitespace() {
            return None;
        }
        self.step = match (self.step, byte) {
            (Step::Object, b'{') => Step::Name,
            (Step::Name, b'"') => {
                self.text = Some(Text::default());
                Step::Colon
            }
            (Step::Colon, b':') if MEMBERS.contains(&self.name.as_slice()) => Step::Elements,
            (Step::Elements, b'[') => return Some(Kind::Array),
            (Step::Elements, b'{') => {
                self.inside = self.seen;
                Step::Id
            }
            (Step::Id, b'"') => {
                self.text = Some(Text::default());
                Step::IdColon
            }
            (Step::IdColon, b':') => Step::Element,
            (Step::Id, b'}') | (Step::Element, b'{') => return Some(Kind::Keyed),
            _ => return Some(Kind::Value),
        };
        None
    }
}
