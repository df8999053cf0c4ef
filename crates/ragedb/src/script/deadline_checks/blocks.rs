//! Goes through a text block by block and notes where deadline checks belong.
//!
//! Only the necessary part of the grammar is known: where blocks begin and end, which loop a `break`
//! leaves, where a statement begins for certain. Expressions are passed over; functions in them are
//! not. Lua has compiled the text before, so a construct that is not understood here is a bug or a
//! limit. It is refused: only a text that was walked to its end runs.

use super::edits::{Edits, Loop, Names};
use super::tokens::{Kind, Malformed, Token, Tokens};
use super::{Form, Refused};
use crate::limits::{
    BLOCKS_DEEP_MAX, CHECKS_MAX, CHUNKED_LOOPS_DEEP_MAX, OPERATIONS_AT_ONCE_MAX,
    TOKENS_BETWEEN_CHECKS,
};

/// Goes through a text.
pub(super) fn edits<'a>(
    text: &'a [u8],
    names: &'a Names,
    form: Form,
) -> Result<Edits<'a>, Refused> {
    let mut tokens = Tokens::new(text);
    let token = tokens.next()?;
    let edits = Edits::new(names);
    let mut walk = Walk {
        text,
        tokens,
        token,
        last: None,
        form,
        deep: 0,
        edits,
        function: Function::default(),
    };
    walk.block()?;
    match walk.token.kind {
        Kind::End => Ok(walk.edits),
        _ => Err(walk.not_understood()),
    }
}

struct Walk<'a> {
    text: &'a [u8],
    tokens: Tokens<'a>,
    /// The token that is next.
    token: Token<'a>,
    /// The token before it.
    last: Option<Token<'a>>,
    form: Form,
    deep: usize,
    edits: Edits<'a>,
    function: Function<'a>,
}

/// State of the function being walked.
#[derive(Default)]
struct Function<'a> {
    /// Tokens so far.
    tokens: u64,
    /// Tokens that the check of the enclosing block pays for; a loop's tokens are paid for by the loop's own check.
    weight: u64,
    /// Tokens and operations since the last check.
    since: u64,
    operations: u64,
    /// Loops around, with the label behind each that is no longer one loop.
    loops: Vec<Option<usize>>,
    /// Labels so far, and the tokens before each.
    labels: Vec<(&'a [u8], u64)>,
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Refused {
        Refused { at: malformed.0, why: "is not understood" }
    }
}

/// Whether an expression may end with a token, so that a name behind it begins a statement.
fn ends_expression(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Name | Kind::Number | Kind::Text => true,
        Kind::Word => matches!(token.text, b"end" | b"nil" | b"true" | b"false"),
        Kind::Sign => matches!(token.text, b")" | b"]" | b"}" | b"..."),
        Kind::End => false,
    }
}

/// Whether a token may stand for something that takes long.
fn is_operation(token: &Token<'_>) -> bool {
    const QUICK: [&[u8]; 11] =
        [b",", b";", b"{", b"}", b"=", b")", b"]", b".", b":", b"...", b"::"];
    token.kind == Kind::Sign && !QUICK.contains(&token.text)
}

impl<'a> Walk<'a> {
    fn not_understood(&self) -> Refused {
        Refused { at: self.token.start, why: "is not understood" }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self.token.kind, Kind::Word | Kind::Sign) && self.token.text == text.as_bytes()
    }

    /// Takes the next token.
    fn take(&mut self) -> Result<Token<'a>, Refused> {
        let token = std::mem::replace(&mut self.token, self.tokens.next()?);
        let function = &mut self.function;
        function.tokens += 1;
        function.weight += 1;
        function.since += 1;
        // A call without brackets.
        let is_call = token.kind == Kind::Text && self.last.as_ref().is_some_and(ends_expression);
        function.operations += u64::from(is_call || is_operation(&token));
        self.last = Some(token);
        if function.operations < OPERATIONS_AT_ONCE_MAX / 2 {
            return Ok(token);
        }
        if token.kind == Kind::Number || (token.kind == Kind::Text && !is_call) {
            self.edits.check_through(token);
            self.checked();
        } else if OPERATIONS_AT_ONCE_MAX < function.operations {
            let why = "is too long a statement: make several of it";
            return Err(Refused { at: token.start, why });
        }
        Ok(token)
    }

    /// Takes a token that must be next.
    fn pass(&mut self, text: &str) -> Result<Token<'a>, Refused> {
        if self.is(text) { self.take() } else { Err(self.not_understood()) }
    }

    fn pass_name(&mut self) -> Result<Token<'a>, Refused> {
        if self.token.kind == Kind::Name { self.take() } else { Err(self.not_understood()) }
    }

    /// Puts a check before the next token, which begins a statement, if much stands before it.
    fn check_if_long(&mut self) {
        if TOKENS_BETWEEN_CHECKS < self.function.since {
            self.edits.check(self.token.start, self.function.since);
            self.checked();
        }
    }

    fn checked(&mut self) {
        self.function.since = 0;
        self.function.operations = 0;
    }

    /// Statements, up to the word that ends their block.
    fn block(&mut self) -> Result<(), Refused> {
        self.deep += 1;
        if BLOCKS_DEEP_MAX < self.deep {
            return Err(Refused { at: self.token.start, why: "is too deep in blocks" });
        }
        while self.token.kind != Kind::End {
            if CHECKS_MAX < self.edits.len() {
                let why = "has too many loops and functions before it";
                return Err(Refused { at: self.token.start, why });
            }
            match (self.token.kind, self.token.text) {
                (Kind::Word, b"end" | b"else" | b"elseif" | b"until") => break,
                (Kind::Word, _) => self.word()?,
                (Kind::Sign, b"::") => self.label()?,
                (Kind::Name, _) => {
                    if self.last.as_ref().is_some_and(ends_expression) {
                        self.check_if_long();
                    }
                    self.take()?;
                }
                _ => self.part()?,
            }
        }
        self.deep -= 1;
        Ok(())
    }

    /// A reserved word where a statement or an expression of a block is.
    fn word(&mut self) -> Result<(), Refused> {
        match self.token.text {
            b"local" | b"if" | b"while" | b"for" | b"repeat" | b"do" => self.check_if_long(),
            _ => {}
        }
        match self.token.text {
            b"do" => {
                self.take().and_then(|_| self.block()).and_then(|()| self.pass("end")).map(drop)
            }
            b"while" => self.while_loop(),
            b"repeat" => self.repeat_loop(),
            b"if" => self.choice(),
            b"for" => self.for_loop(),
            b"function" => self.function(),
            b"goto" => self.jump(),
            b"break" => self.leave(),
            b"then" | b"in" => Err(self.not_understood()),
            _ => self.take().map(drop),
        }
    }

    /// A part of an expression: a token, a bracketed part, or a function.
    fn part(&mut self) -> Result<(), Refused> {
        match (self.token.kind, self.token.text) {
            (Kind::Sign, b"(") => self.between(")"),
            (Kind::Sign, b"[") => self.between("]"),
            (Kind::Sign, b"{") => self.between("}"),
            (Kind::Sign, b")" | b"]" | b"}" | b"::") | (Kind::End, _) => Err(self.not_understood()),
            (Kind::Word, b"function") => self.function(),
            (Kind::Word, b"nil" | b"true" | b"false" | b"and" | b"or" | b"not") => {
                self.take().map(drop)
            }
            (Kind::Word, _) => Err(self.not_understood()),
            (Kind::Name | Kind::Number | Kind::Text | Kind::Sign, _) => self.take().map(drop),
        }
    }

    /// A bracketed part, with its brackets.
    fn between(&mut self, close: &str) -> Result<(), Refused> {
        self.deep += 1;
        if BLOCKS_DEEP_MAX < self.deep {
            return Err(Refused { at: self.token.start, why: "is too deep in brackets" });
        }
        self.take()?;
        while !self.is(close) {
            self.part()?;
        }
        self.take()?;
        self.deep -= 1;
        Ok(())
    }

    /// An expression, or several, up to a word; gives where the commas between them stand.
    fn expressions(&mut self, until: &str) -> Result<Vec<usize>, Refused> {
        let mut commas = Vec::new();
        while !self.is(until) {
            if self.is(",") {
                commas.push(self.token.end);
            }
            self.part()?;
        }
        Ok(commas)
    }

    /// A block that is paid for by itself, with a label to leave to or none; gives its weight.
    fn paid(&mut self, label: Option<usize>) -> Result<u64, Refused> {
        let before = std::mem::take(&mut self.function.weight);
        let since = (self.function.since, self.function.operations);
        self.checked();
        self.function.loops.push(label);
        self.block()?;
        self.function.loops.pop();
        (self.function.since, self.function.operations) = since;
        Ok(std::mem::replace(&mut self.function.weight, before))
    }

    fn while_loop(&mut self) -> Result<(), Refused> {
        let from = self.function.tokens;
        self.take()?;
        self.expressions("do")?;
        let begin = self.take()?;
        let head = self.function.tokens - from;
        let place = self.edits.reserve(begin.end);
        let weight = self.paid(None)?;
        self.edits.check_at(place, weight + head);
        self.pass("end").map(drop)
    }

    fn repeat_loop(&mut self) -> Result<(), Refused> {
        let begin = self.take()?;
        let place = self.edits.reserve(begin.end);
        let weight = self.paid(None)?;
        let from = self.function.tokens;
        self.pass("until")?;
        self.condition()?;
        self.edits.check_at(place, weight + self.function.tokens - from);
        Ok(())
    }

    /// The expression behind `until`: nothing ends it but the next statement.
    fn condition(&mut self) -> Result<(), Refused> {
        self.part()?;
        loop {
            let is_over = self.last.as_ref().is_some_and(ends_expression);
            match (self.token.kind, self.token.text) {
                (Kind::End, _) | (Kind::Sign, b";" | b"::") => return Ok(()),
                (Kind::Word, b"and" | b"or") => {}
                (Kind::Word | Kind::Name, _) if is_over => return Ok(()),
                _ => {}
            }
            self.part()?;
        }
    }

    fn choice(&mut self) -> Result<(), Refused> {
        self.take()?;
        self.expressions("then")?;
        self.take()?;
        self.block()?;
        while self.is("elseif") {
            self.take()?;
            self.expressions("then")?;
            self.take()?;
            self.block()?;
        }
        if self.is("else") {
            self.take()?;
            self.block()?;
        }
        self.pass("end").map(drop)
    }

    /// A loop over numbers or over an iterator.
    fn for_loop(&mut self) -> Result<(), Refused> {
        let head = self.take()?;
        let first = self.pass_name()?;
        let found = if self.is("=") { self.numbers(first)? } else { self.iterator(first)? };
        let begin = self.pass("do")?;
        // Lua names the line of the head in errors, so one over several lines stays as it is.
        let is_one_line =
            !self.text[head.start..begin.end].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        let deep = self.function.loops.iter().flatten().count();
        let chunked = self.form == Form::Chunked && is_one_line && deep < CHUNKED_LOOPS_DEEP_MAX;
        match found.filter(|_| chunked) {
            Some(found) => {
                let label = self.edits.label();
                let place = self.edits.reserve_loop(head, begin, found);
                let weight = self.paid(Some(label))?;
                let end = self.pass("end")?;
                self.edits.chunked(place, label, end, weight);
                Ok(())
            }
            None => {
                let place = self.edits.reserve(begin.end);
                let weight = self.paid(None)?;
                self.edits.check_at(place, weight);
                self.pass("end").map(drop)
            }
        }
    }

    /// Behind `for NAME`: `= first, last [, step]`.
    fn numbers(&mut self, name: Token<'a>) -> Result<Option<Loop<'a>>, Refused> {
        self.take()?;
        let begin = self.token.start;
        let commas = self.expressions("do")?;
        Ok(match commas[..] {
            [last] => Some(Loop::Numbers { name: name.text, begin, last, has_step: false }),
            [_, step] => Some(Loop::Numbers { name: name.text, begin, last: step, has_step: true }),
            _ => None,
        })
    }

    /// Behind `for NAME`: `{, NAME} in expressions`. The loop, if the expressions are one call of `ipairs`.
    fn iterator(&mut self, first: Token<'a>) -> Result<Option<Loop<'a>>, Refused> {
        let mut names = vec![first.text];
        while self.is(",") {
            self.take()?;
            names.push(self.pass_name()?.text);
        }
        self.pass("in")?;
        let begin = self.token.start;
        let is_ipairs = self.token.kind == Kind::Name && self.token.text == b"ipairs";
        self.part()?;
        if !is_ipairs || !self.is("(") {
            self.expressions("do")?;
            return Ok(None);
        }
        let open = self.token;
        self.part()?;
        let is_empty = self.text[open.end..self.last.map_or(open.end, |last| last.start)]
            .iter()
            .all(u8::is_ascii_whitespace);
        if !self.is("do") || is_empty || 2 < names.len() || names.get(1) == Some(&first.text) {
            self.expressions("do")?;
            return Ok(None);
        }
        Ok(Some(Loop::Entries { names, begin, open }))
    }

    /// A function: its name if it has one, parameters and body.
    fn function(&mut self) -> Result<(), Refused> {
        self.take()?;
        while !self.is("(") {
            if !(self.token.kind == Kind::Name || self.is(".") || self.is(":")) {
                return Err(self.not_understood());
            }
            self.take()?;
        }
        self.between(")")?;
        let place = self.edits.reserve(self.last.map_or(self.token.start, |last| last.end));
        let around = std::mem::take(&mut self.function);
        self.block()?;
        let inner = std::mem::replace(&mut self.function, around);
        self.edits.check_at(place, inner.weight);
        self.pass("end").map(drop)
    }

    fn label(&mut self) -> Result<(), Refused> {
        self.take()?;
        let name = self.pass_name()?;
        self.pass("::")?;
        self.function.labels.push((name.text, self.function.tokens));
        Ok(())
    }

    /// A jump back is a loop.
    fn jump(&mut self) -> Result<(), Refused> {
        let jump = self.take()?;
        let name = self.pass_name()?;
        let label = self.function.labels.iter().find(|(label, _)| *label == name.text);
        if let Some((_, tokens)) = label {
            self.edits.check(jump.start, self.function.tokens - tokens);
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Refused> {
        let token = self.take()?;
        if let Some(Some(label)) = self.function.loops.last() {
            self.edits.leave(token, *label);
        }
        Ok(())
    }
}
