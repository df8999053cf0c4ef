//! The parser of queries: the grammar and the rules of Lucene's classic `QueryParser`, with OR between clauses.
//!
//! AND, OR and NOT have no precedence there: AND makes the clauses on both of its sides required, and OR changes
//! nothing. So `a OR b AND c` requires b and c, and a only raises the score. `NOT` and `-` forbid a clause, `+` requires it.
//! A query of forbidden clauses only finds nothing.

use millrace_model::{Error, ErrorKind, Result};

use super::scanner::{RangeText, Scanned, TokenKind, error_at, scan, unescaped};
use super::tree::{Bound, Clause, Occur, Query};
use crate::limits::{EDITS_MAX, QUERY_BYTES_MAX, QUERY_CLAUSES_MAX, QUERY_DEPTH_MAX};
use crate::matching::regex::WordRegex;

/// Edits of a fuzzy term without a number.
const EDITS: u8 = 2;

/// Reads a query. An error has its position; an empty query finds nothing.
pub fn parse(text: &str) -> Result<Query> {
    if QUERY_BYTES_MAX < text.len() {
        let detail = format!("a query for full text has more than {QUERY_BYTES_MAX} bytes");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    let mut parser = Parser { text, tokens: scan(text)?, next: 0, clauses: 0, depth: 0 };
    let query = parser.clauses()?;
    match parser.peek() {
        None => Ok(query),
        Some(token) => Err(parser.error(token.at, "no parenthesis is open here")),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Scanned>,
    next: usize,
    clauses: usize,
    depth: usize,
}

/// What stands before a clause.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    None,
    Required,
    Forbidden,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Scanned> {
        self.tokens.get(self.next)
    }

    fn kind(&self, ahead: usize) -> Option<&TokenKind> {
        self.tokens.get(self.next + ahead).map(|token| &token.kind)
    }

    /// Goes over a token if it is this one.
    fn take(&mut self, kind: &TokenKind) -> bool {
        let is_next = self.kind(0) == Some(kind);
        self.next += usize::from(is_next);
        is_next
    }

    fn error(&self, at: usize, detail: impl std::fmt::Display) -> Error {
        error_at(self.text, at, detail)
    }

    /// The end of the text, for errors.
    fn here(&self) -> usize {
        self.peek().map_or(self.text.len(), |token| token.at)
    }

    /// Clauses up to a closing parenthesis or the end.
    fn clauses(&mut self) -> Result<Query> {
        let mut clauses: Vec<Clause> = Vec::new();
        while !matches!(self.kind(0), None | Some(TokenKind::Close)) {
            let at = self.here();
            let is_and = self.take(&TokenKind::And);
            let is_joined = is_and || self.take(&TokenKind::Or);
            if is_joined && clauses.is_empty() {
                return Err(self.error(at, "AND and OR stand between two clauses"));
            }
            let sign = self.sign();
            let query = self.clause()?;
            self.clauses += 1;
            if QUERY_CLAUSES_MAX < self.clauses {
                let detail =
                    format!("a query for full text has more than {QUERY_CLAUSES_MAX} clauses");
                return Err(Error::new(ErrorKind::LimitReached, detail));
            }
            if let Some(before) =
                clauses.last_mut().filter(|before| is_and && before.occur != Occur::MustNot)
            {
                before.occur = Occur::Must;
            }
            let occur = match sign {
                Sign::Forbidden => Occur::MustNot,
                Sign::Required => Occur::Must,
                Sign::None if is_and => Occur::Must,
                Sign::None => Occur::Should,
            };
            clauses.push(Clause { occur, query });
        }
        let is_single = clauses.len() == 1 && clauses[0].occur == Occur::Should;
        Ok(if is_single { clauses.swap_remove(0).query } else { Query::Boolean(clauses) })
    }

    fn sign(&mut self) -> Sign {
        let sign = match self.kind(0) {
            Some(TokenKind::Plus) => Sign::Required,
            Some(TokenKind::Minus | TokenKind::Not) => Sign::Forbidden,
            _ => return Sign::None,
        };
        self.next += 1;
        sign
    }

    /// `field:` and a term or a group.
    fn clause(&mut self) -> Result<Query> {
        let field = match (self.kind(0), self.kind(1)) {
            (Some(TokenKind::Word(field)), Some(TokenKind::Colon)) => Some(field.clone()),
            _ => None,
        };
        let Some(field) = field else { return self.term() };
        self.next += 2;
        if field == "*" && self.kind(0) == Some(&TokenKind::Word("*".to_owned())) {
            self.next += 1;
            return self.boosted(Query::All);
        }
        Ok(Query::Field(unescaped(&field), Box::new(self.term()?)))
    }

    fn term(&mut self) -> Result<Query> {
        let at = self.here();
        let Some(token) = self.peek().cloned() else {
            return Err(self.error(at, "a word is missing at the end"));
        };
        self.next += 1;
        match token.kind {
            TokenKind::Open => self.group(at),
            TokenKind::Word(word) => self.word(&word),
            TokenKind::Quoted(text) => {
                let slop = match self.tilde() {
                    Some(Some(slop)) => slop as u32,
                    Some(None) | None => 0,
                };
                self.boosted(Query::Phrase { text: unescaped(&text), slop })
            }
            TokenKind::Range(range) => self.boosted(of_range(range)),
            TokenKind::Regex(pattern) => {
                WordRegex::new(&pattern).map_err(|(byte, error)| {
                    let Error { kind, detail, help, .. } = error;
                    let placed = self.error(at + 1 + byte, detail);
                    Error { kind, help, ..placed }
                })?;
                self.boosted(Query::Regex(pattern))
            }
            TokenKind::And
            | TokenKind::Or
            | TokenKind::Not
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Close
            | TokenKind::Colon
            | TokenKind::Boost(_)
            | TokenKind::Tilde(_) => Err(self
                .error(at, "a word, a phrase or a parenthesis is expected here")
                .with_help("put a `\\` before a character that is not meant as an operator")),
        }
    }

    fn group(&mut self, open: usize) -> Result<Query> {
        self.depth += 1;
        if QUERY_DEPTH_MAX < self.depth {
            let detail = format!("more than {QUERY_DEPTH_MAX} groups stand in each other here");
            let error = Error { kind: ErrorKind::LimitReached, ..self.error(open, detail) };
            return Err(error.with_help("write the query with fewer parentheses"));
        }
        let query = self.clauses()?;
        self.depth -= 1;
        if !self.take(&TokenKind::Close) {
            return Err(self.error(open, "a parenthesis is not closed"));
        }
        if query == Query::Boolean(Vec::new()) {
            return Err(self.error(open, "a parenthesis is empty"));
        }
        self.boosted(query)
    }

    /// A word by its wildcards and by what follows it.
    fn word(&mut self, word: &str) -> Result<Query> {
        let at = self.tokens[self.next - 1].at;
        let tilde = self.tilde();
        let wildcards = wildcards(word);
        let query = match (tilde, wildcards.as_slice()) {
            (Some(_), [_, ..]) => return Err(self.error(at, "a fuzzy word has no wildcards")),
            (Some(number), []) => {
                let plain = unescaped(word);
                let edits = match number {
                    None => EDITS,
                    Some(number) => self.edits(at, number, &plain)?,
                };
                Query::Fuzzy { word: plain, edits }
            }
            (None, []) => Query::Term(unescaped(word)),
            (None, [(last, '*')]) if *last + 1 == word.len() && 1 < word.len() => {
                Query::Prefix(unescaped(&word[..*last]))
            }
            (None, _) => Query::Wildcard(word.to_owned()),
        };
        self.boosted(query)
    }

    /// `~`, with its number if there is one.
    fn tilde(&mut self) -> Option<Option<f64>> {
        let Some(TokenKind::Tilde(number)) = self.kind(0) else { return None };
        let number = *number;
        self.next += 1;
        Some(number)
    }

    /// A whole number of edits, or a share of the word that must be equal, as of old.
    fn edits(&self, at: usize, number: f64, word: &str) -> Result<u8> {
        if number < 0.0 {
            return Err(self.error(at, "a word is like another within 0, 1 or 2 edits"));
        }
        if 1.0 <= number {
            let is_whole = number.fract() == 0.0;
            let edits = (number as u64).min(u64::from(EDITS_MAX)) as u8;
            return is_whole
                .then_some(edits)
                .ok_or_else(|| self.error(at, "there are no parts of an edit"));
        }
        let length = word.chars().count() as f64;
        let share = if number == 0.0 { 0.0 } else { (1.0 - number) * length };
        Ok((share as u64).min(u64::from(EDITS_MAX)) as u8)
    }

    fn boosted(&mut self, query: Query) -> Result<Query> {
        let Some(TokenKind::Boost(boost)) = self.kind(0) else { return Ok(query) };
        let boost = *boost;
        self.next += 1;
        Ok(Query::Boost(Box::new(query), boost))
    }
}

/// The wildcards of a word that no escape precedes, with their bytes.
fn wildcards(word: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut characters = word.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            '*' | '?' => found.push((at, c)),
            _ => {}
        }
    }
    found
}

fn of_range(range: RangeText) -> Query {
    let bound = |word: String, is_included| (word != "*").then_some(Bound { word, is_included });
    Query::Range {
        low: bound(range.low, range.includes_low),
        high: bound(range.high, range.includes_high),
    }
}
