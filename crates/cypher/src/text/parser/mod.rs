//! State that all parts of the parser share: the tokens and the next of them, what was expected there, bounds, errors.
//!
//! Which brackets belong together is known from the start, so that a decision that needs to look far ahead (a pattern or
//! an expression in parentheses, a list or a comprehension) looks once and never parses anything twice: the time is
//! linear in the length of any text.

mod expected;
mod grammar;

use std::mem;
use std::sync::Arc;

use millrace_model::{Error, TextPosition, stack};

use super::error::{Read, too_much, unsupported};
use super::lexer::{Placed, Token};
use crate::limits::{CASE_PARTS_MAX, ERRORS_MAX, HEIGHT_MAX, NESTING_MAX};
use crate::tree::{ANONYMOUS, Expr, Name, Variable};

pub(super) use expected::{A_CLAUSE, A_COMMAND};
pub(super) use grammar::{ClauseReader, CommandReader, Grammar};

pub(crate) struct Parser<'t> {
    grammar: Grammar,
    text: &'t str,
    /// The tokens; the last one is [`Token::End`].
    tokens: Vec<Placed<'t>>,
    /// For each opening bracket its closing one, for all else its own place.
    partners: Vec<usize>,
    /// The next token.
    next: usize,
    /// What would be sound in place of the next token, as far as it was looked for.
    expected: Vec<&'static str>,
    errors: Vec<Error>,
    /// In half levels.
    depth: usize,
    /// The most levels that were open, with the height of an expression on top of them.
    levels: usize,
    /// Height of the expression that is being read.
    height: usize,
    anonymous: u32,
    /// Parts of subjects of `CASE` that were repeated.
    repeated: usize,
    /// Whether `|` ends an expression, as in comprehensions, and does not join labels.
    pipe_ends: bool,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, tokens: Vec<Placed<'t>>, grammar: Grammar) -> Self {
        let partners = partners(&tokens);
        Parser {
            grammar,
            text,
            tokens,
            partners,
            next: 0,
            expected: Vec::new(),
            errors: Vec::new(),
            depth: 0,
            levels: 0,
            height: 0,
            repeated: 0,
            anonymous: 0,
            pipe_ends: false,
        }
    }

    // --- The tokens ahead.

    /// The next token.
    pub(crate) fn token(&self) -> &Token<'t> {
        self.token_at(self.next)
    }

    /// The token so many behind the next one.
    pub(crate) fn token_after(&self, count: usize) -> &Token<'t> {
        self.token_at(self.next.saturating_add(count))
    }

    /// The place of the next token.
    pub(super) fn here(&self) -> usize {
        self.next
    }

    /// The token at a place; behind the end is the end.
    pub(super) fn token_at(&self, place: usize) -> &Token<'t> {
        self.tokens.get(place).map_or(&Token::End, |placed| &placed.token)
    }

    /// Where the bracket at this place is closed, if it is.
    pub(super) fn partner(&self, place: usize) -> Option<usize> {
        self.partners.get(place).copied().filter(|partner| *partner > place)
    }

    /// Where the next token begins.
    pub(crate) fn position(&self) -> TextPosition {
        let placed = self.tokens.get(self.next).or(self.tokens.last());
        placed.map_or(TextPosition { line: 1, column: 1 }, |placed| placed.at)
    }

    /// The text from a token to the one that was taken last, as it is written.
    pub(super) fn text_since(&self, place: usize) -> Name {
        let begin = self.tokens.get(place).map_or(0, |placed| placed.begin);
        let last = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = last.map_or(begin, |placed| placed.end);
        self.text.get(begin..end).unwrap_or_default().into()
    }

    /// Whether the token at a place is this mark.
    pub(super) fn is_mark_at(&self, place: usize, mark: &str) -> bool {
        matches!(self.token_at(place), Token::Mark(found) if *found == mark)
    }

    /// Whether the token at a place is this word, in any case.
    pub(super) fn is_word_at(&self, place: usize, word: &str) -> bool {
        matches!(self.token_at(place), Token::Word(found) if found.eq_ignore_ascii_case(word))
    }

    /// Whether the next token is this mark.
    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.is_mark_at(self.next, mark)
    }

    /// Whether the next token is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.is_word_at(self.next, word)
    }

    /// Whether the next tokens are these words.
    pub(crate) fn are_words(&self, words: &[&str]) -> bool {
        let mut places = self.next..;
        words.iter().all(|word| places.next().is_some_and(|place| self.is_word_at(place, word)))
    }

    /// Whether the token so many ahead is this mark.
    pub(crate) fn is_mark_after(&self, count: usize, mark: &str) -> bool {
        self.is_mark_at(self.next + count, mark)
    }

    /// Whether the token so many ahead is this word.
    pub(crate) fn is_word_after(&self, count: usize, word: &str) -> bool {
        self.is_word_at(self.next + count, word)
    }

    /// Whether anything stands between the next token and the one before it.
    pub(super) fn is_apart(&self) -> bool {
        let before = self.next.checked_sub(1).and_then(|before| self.tokens.get(before));
        let next = self.tokens.get(self.next);
        before.zip(next).is_none_or(|(before, next)| before.end < next.begin)
    }

    /// Whether nothing is left.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self.token(), Token::End)
    }

    /// Whether the next token is a name, which any word may be.
    pub(crate) fn is_name(&self) -> bool {
        is_name(self.token())
    }

    // --- Taking tokens.

    /// Takes the next token.
    pub(crate) fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
            self.expected.clear();
        }
    }

    /// Goes on at a token further behind.
    pub(super) fn skip_to(&mut self, place: usize) {
        self.next = place.min(self.tokens.len().saturating_sub(1));
        self.expected.clear();
    }

    /// Takes the next token if it is this mark.
    pub(crate) fn take(&mut self, mark: &'static str) -> bool {
        let found = self.is_mark(mark);
        self.take_or_expect(found, mark)
    }

    /// Takes the next token if it is this word.
    pub(crate) fn take_word(&mut self, word: &'static str) -> bool {
        let found = self.is_word(word);
        self.take_or_expect(found, word)
    }

    /// Takes the next token if it is one of these words, of which the first is the usual one.
    pub(crate) fn take_one_of(&mut self, words: &[&'static str]) -> bool {
        let found = words.iter().any(|word| self.is_word(word));
        self.take_or_expect(found, words.first().copied().unwrap_or_default())
    }

    /// Takes the next tokens if they are these words.
    pub(crate) fn take_words(&mut self, words: &[&'static str]) -> bool {
        if !self.are_words(words) {
            self.expect_also(words.first().copied().unwrap_or_default());
            return false;
        }
        words.iter().for_each(|_| self.advance());
        true
    }

    fn take_or_expect(&mut self, found: bool, wanted: &'static str) -> bool {
        if found {
            self.advance();
        } else {
            self.expect_also(wanted);
        }
        found
    }

    /// Notes what would be sound in place of the next token.
    pub(crate) fn expect_also(&mut self, wanted: &'static str) {
        if !self.expected.contains(&wanted) {
            self.expected.push(wanted);
        }
    }

    /// Takes this mark.
    pub(crate) fn expect(&mut self, mark: &'static str) -> Read<()> {
        if self.take(mark) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes this word.
    pub(crate) fn expect_word(&mut self, word: &'static str) -> Read<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes one of these words.
    pub(crate) fn expect_one_of(&mut self, words: &[&'static str]) -> Read<()> {
        if self.take_one_of(words) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes a name; its kind is for errors: `a variable`, `a key`.
    pub(crate) fn name(&mut self, kind: &'static str) -> Read<Name> {
        let name = match self.token() {
            Token::Word(word) => Arc::from(*word),
            Token::Quoted(name) => Arc::clone(name),
            _ => {
                self.expect_also(kind);
                return Err(self.unexpected());
            }
        };
        self.advance();
        Ok(name)
    }

    /// Takes a name with points in it, as of functions and procedures.
    pub(crate) fn dotted_name(&mut self, kind: &'static str) -> Read<Name> {
        let first = self.name(kind)?;
        if !self.is_mark(".") {
            return Ok(first);
        }
        let mut joined = first.to_string();
        while self.take(".") {
            joined.push('.');
            joined.push_str(&self.name(kind)?);
        }
        Ok(joined.into())
    }

    /// Takes a variable.
    pub(crate) fn variable(&mut self) -> Read<Variable> {
        let at = self.position();
        Ok(Variable { at, name: self.name("a variable")?, symbol: None })
    }

    /// A variable that no text can name.
    pub(super) fn anonymous(&mut self, at: TextPosition) -> Variable {
        self.anonymous += 1;
        Variable { at, name: format!("{ANONYMOUS}{}", self.anonymous).into(), symbol: None }
    }

    /// Takes an integer without a sign.
    pub(super) fn count(&mut self, kind: &'static str) -> Read<u64> {
        let Token::Integer(count) = *self.token() else {
            self.expect_also(kind);
            return Err(self.unexpected());
        };
        self.advance();
        Ok(count)
    }

    /// Reads one or more, with commas between them.
    pub(crate) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut list = vec![one(self)?];
        while self.take(",") {
            list.push(one(self)?);
        }
        Ok(list)
    }

    // --- Bounds.

    /// Reads one level deeper.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.deeper(2, read)
    }

    /// Reads the right operand of an operator, which takes about half as much of the stack.
    pub(super) fn right<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.deeper(1, read)
    }

    fn deeper<T>(&mut self, halves: usize, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth + halves > 2 * NESTING_MAX {
            let detail = format!("this is nested more than {NESTING_MAX} levels deep");
            return Err(too_much(self.position(), detail));
        }
        self.depth += halves;
        self.measure();
        let read = stack::deeper(|| read(self));
        self.depth -= halves;
        read
    }

    /// An expression again, which the text has once: bounded, since those inside of it may have been repeated too.
    pub(super) fn repeat(&mut self, expr: &Expr) -> Read<Expr> {
        expr.each(&mut |_| self.repeated += 1);
        if CASE_PARTS_MAX < self.repeated {
            let detail = "the subjects of CASE inside of each other are too large, with an operator behind each WHEN";
            return Err(too_much(self.position(), detail));
        }
        Ok(expr.clone())
    }

    /// Reads a whole expression: one level deeper, its height counted by itself.
    pub(super) fn measured<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let outer = mem::take(&mut self.height);
        let read = self.nested(read);
        self.height = outer.max(self.height + 1);
        self.measure();
        read
    }

    /// Counts so many operators on top of the expression.
    pub(super) fn grow(&mut self, levels: usize) -> Read<()> {
        self.height += levels;
        self.measure();
        if self.height <= HEIGHT_MAX {
            return Ok(());
        }
        let detail = format!("this expression has more than {HEIGHT_MAX} operators in a row");
        Err(too_much(self.position(), detail).with_help("split it by `WITH`, or use a list"))
    }

    fn measure(&mut self) {
        self.levels = self.levels.max(self.depth.div_ceil(2) + self.height);
    }

    /// Reads with `|` as an end of expressions, or as an operator of labels.
    pub(crate) fn with_pipe_ending<T>(
        &mut self,
        pipe_ends: bool,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let outer = mem::replace(&mut self.pipe_ends, pipe_ends);
        let read = read(self);
        self.pipe_ends = outer;
        read
    }

    pub(super) fn pipe_ends(&self) -> bool {
        self.pipe_ends
    }

    // --- Errors.

    /// Something that is known by name and refused.
    pub(crate) fn refused(
        &self,
        at: TextPosition,
        detail: impl Into<String>,
        help: impl Into<String>,
    ) -> Error {
        unsupported(at, detail, help)
    }

    /// Keeps an error and goes on.
    pub(super) fn report(&mut self, error: Error) {
        let is_known = self.errors.iter().any(|known| known.position == error.position);
        if !is_known && self.errors.len() < ERRORS_MAX {
            self.errors.push(error);
        }
    }

    /// Whether no more errors are kept.
    pub(super) fn has_enough_errors(&self) -> bool {
        self.errors.len() >= ERRORS_MAX
    }

    /// All errors, and how many levels deep the text nests.
    pub(super) fn finish(self) -> (Vec<Error>, usize) {
        (self.errors, self.levels)
    }
}

/// Whether a token may be a name.
pub(super) fn is_name(token: &Token<'_>) -> bool {
    matches!(token, Token::Word(_) | Token::Quoted(_))
}

/// For each opening bracket its closing one, for all else its own place. A closing bracket of another kind than the
/// last open one belongs to none.
fn partners(tokens: &[Placed<'_>]) -> Vec<usize> {
    let mut partners: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (place, placed) in tokens.iter().enumerate() {
        match placed.token {
            Token::Mark("(") => open.push((place, ")")),
            Token::Mark("[") => open.push((place, "]")),
            Token::Mark("{") => open.push((place, "}")),
            // Brackets that are still open here are a mistake that ends with the statement.
            Token::Mark(";") => open.clear(),
            Token::Mark(mark @ (")" | "]" | "}")) => {
                if let Some((begin, _)) = open.pop_if(|(_, closing)| *closing == mark)
                    && let Some(partner) = partners.get_mut(begin)
                {
                    *partner = place;
                }
            }
            _ => {}
        }
    }
    partners
}
