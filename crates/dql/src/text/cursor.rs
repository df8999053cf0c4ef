//! How far a text is read, and how much of its bounds is used up.
//!
//! Space and comments (`#` to the end of the line) count for nothing, and methods skip them, except those that say so.

use millrace_model::Error;

use super::errors::{Read, shown, syntax, too_much};
use super::words::word_of;
use crate::limits::{MATH_OPERATORS_MAX, NESTING_MAX, NODES_MAX, TEXT_BYTES_MAX};
use crate::tree::Offset;

/// A text and the next byte of it.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    next: usize,
    depth: usize,
    deepest: usize,
    nodes: usize,
    /// Operators of the `math` that is being read.
    operators: usize,
}

impl<'t> Cursor<'t> {
    /// The beginning of a text.
    ///
    /// # Errors
    /// If it is longer than [`TEXT_BYTES_MAX`].
    pub(crate) fn new(text: &'t str) -> Read<Self> {
        if text.len() > TEXT_BYTES_MAX {
            let bytes = text.len();
            let detail = format!("the text has {bytes} bytes of {TEXT_BYTES_MAX}");
            return Err(too_much("", Offset(0), detail).with_help("send data in several mutations"));
        }
        Ok(Cursor { text, next: 0, depth: 0, deepest: 0, nodes: 0, operators: 0 })
    }

    // --- Looking.

    /// What is left, from the very next byte.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.next..).unwrap_or_default()
    }

    /// The very next character, be it space.
    pub(crate) fn next_character(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character that counts.
    pub(crate) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.next_character()
    }

    /// Whether the next character that counts is this one.
    pub(crate) fn is(&mut self, mark: char) -> bool {
        self.peek() == Some(mark)
    }

    /// Whether nothing that counts is left.
    pub(crate) fn is_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether a word comes next, in any case.
    pub(crate) fn is_word(&mut self, word: &str) -> bool {
        self.skip();
        self.next_word().eq_ignore_ascii_case(word)
    }

    /// Whether a word in any case and a mark come next.
    pub(crate) fn is_word_then(&mut self, word: &str, mark: char) -> bool {
        self.is_word(word)
            && self.looking(|cursor| {
                cursor.advance(word.len());
                cursor.is(mark)
            })
    }

    /// Where the next thing that counts begins.
    pub(crate) fn here(&mut self) -> Offset {
        self.skip();
        self.behind()
    }

    /// The very next byte.
    pub(crate) fn behind(&self) -> Offset {
        // The text is shorter than `TEXT_BYTES_MAX`.
        Offset(u32::try_from(self.next).unwrap_or(u32::MAX))
    }

    /// The text from an offset to the very next byte.
    pub(crate) fn text_since(&self, begin: Offset) -> &'t str {
        self.text.get(begin.0 as usize..self.next).unwrap_or_default()
    }

    /// What a closure finds, which may read on: the cursor stays where it is.
    pub(crate) fn looking<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.next;
        let found = look(self);
        self.next = before;
        found
    }

    /// The very next word; empty if there is none.
    fn next_word(&self) -> &'t str {
        word_of(self.rest())
    }

    // --- Taking.

    /// Skips space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest
                .trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
            let comment = if trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else {
                0
            };
            self.next += rest.len() - trimmed.len() + comment;
            if comment == 0 {
                return;
            }
        }
    }

    /// Goes on behind so many bytes.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.next += bytes;
    }

    /// Takes the next character that counts if it is this one.
    pub(crate) fn take(&mut self, mark: char) -> bool {
        let found = self.is(mark);
        if found {
            self.advance(mark.len_utf8());
        }
        found
    }

    /// Takes these marks if they come next, without space between them.
    pub(crate) fn take_all(&mut self, marks: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(marks);
        if found {
            self.advance(marks.len());
        }
        found
    }

    /// Takes the next word if it is this one, in any case.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance(word.len());
        }
        found
    }

    /// Takes the very next characters as long as they are of some kind.
    pub(crate) fn take_while(&mut self, is_of: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_of(letter)).unwrap_or(rest.len());
        self.advance(end);
        rest.get(..end).unwrap_or_default()
    }

    /// Takes a mark that has to come next; `context` says what it belongs to.
    pub(crate) fn must_take(&mut self, mark: char, context: &str) -> Read<()> {
        if self.take(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}` {context}"))) }
    }

    // --- Bounds.

    /// A reader of something that may have its own kind in it.
    ///
    /// # Errors
    /// Beyond [`NESTING_MAX`].
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == NESTING_MAX {
            let detail = format!("the text nests deeper than {NESTING_MAX} levels");
            return Err(self.too_much(detail));
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Levels that the tree of what was read has at most.
    pub(crate) fn nesting(&self) -> usize {
        self.deepest
    }

    /// Counts a node of the tree.
    ///
    /// # Errors
    /// Beyond [`NODES_MAX`].
    pub(crate) fn count_node(&mut self) -> Read<()> {
        if self.nodes == NODES_MAX {
            return Err(self.too_much(format!("the text has more than {NODES_MAX} parts")));
        }
        self.nodes += 1;
        Ok(())
    }

    /// Begins to count the operators of an expression.
    pub(crate) fn begin_math(&mut self) {
        self.operators = 0;
    }

    /// Counts an operator of an expression.
    ///
    /// # Errors
    /// Beyond [`MATH_OPERATORS_MAX`].
    pub(crate) fn count_operator(&mut self) -> Read<()> {
        if self.operators == MATH_OPERATORS_MAX {
            return Err(self
                .too_much(format!("the expression has more than {MATH_OPERATORS_MAX} operators")));
        }
        self.operators += 1;
        self.deepest = self.deepest.max(self.depth + self.operators);
        self.count_node()
    }

    // --- Errors.

    /// An error at an offset.
    pub(crate) fn error(&self, at: Offset, detail: impl Into<String>) -> Error {
        syntax(self.text, at, detail)
    }

    /// The next token is not what it should be.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Error {
        let at = self.here();
        let detail = match self.next_character() {
            None => format!("the text ends where {expected} is missing"),
            Some(first) => {
                let word = self.next_word();
                let found = if word.is_empty() { first.to_string() } else { shown(word) };
                format!("unexpected `{found}`, expected {expected}")
            }
        };
        let is_quote = matches!(self.next_character(), Some('\'' | '‘' | '’' | '“' | '”'));
        let error = self.error(at, detail);
        if is_quote { error.with_help("write strings in `\"`") } else { error }
    }

    fn too_much(&mut self, detail: String) -> Error {
        let at = self.here();
        too_much(self.text, at, detail)
    }
}
