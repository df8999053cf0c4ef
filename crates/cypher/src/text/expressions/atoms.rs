//! Atoms of expressions: literals, parameters, variables, and whatever begins with a word or a bracket.

use std::sync::Arc;

use millrace_model::Error;

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::parser::{Parser, is_name};
use crate::tree::{Case, CaseTest, Expr, ExprKind, Literal, SubqueryKind};

/// Words that end an expression where an operand follows them, and are names elsewhere.
const WORDS_BEHIND: [&str; 6] = ["LIMIT", "OFFSET", "ORDER", "SKIP", "UNION", "WHERE"];

/// Words behind an operand.
const WORDS_AFTER: [&str; 14] = [
    "AND", "AS", "ASC", "CONTAINS", "DESC", "ELSE", "ENDS", "IN", "IS", "OR", "STARTS", "THEN",
    "WHEN", "XOR",
];

/// Clauses with a word that is seldom a name.
const CLAUSE_WORDS: [&str; 12] = [
    "CALL", "CREATE", "DELETE", "DETACH", "FOREACH", "MATCH", "MERGE", "REMOVE", "RETURN", "SET",
    "UNWIND", "WITH",
];

impl Parser<'_> {
    /// An expression without operators.
    pub(in crate::text) fn atom(&mut self) -> Read<Expr> {
        let at = self.position();
        let kind = match self.token() {
            Token::Float(value) => ExprKind::Literal(Literal::Float(*value)),
            Token::Text(text) => ExprKind::Literal(Literal::String(Arc::clone(text))),
            Token::Parameter(name) => ExprKind::Parameter(Arc::clone(name)),
            Token::Integer(size) => return self.positive_integer(*size),
            Token::Word(word) => return self.of_word(word),
            Token::Quoted(_) => return self.named(),
            Token::Mark("(") => return self.parenthesized(),
            Token::Mark("[") => return self.collection(),
            Token::Mark("{") => return self.map(),
            Token::Mark(_) | Token::End => return Err(self.no_expression()),
        };
        self.advance();
        Ok(Expr::new(at, kind))
    }

    /// The next token where an expression should begin.
    pub(in crate::text) fn no_expression(&mut self) -> Error {
        if self.is_mark("$") {
            let detail = "a parameter has no name";
            let wrong = syntax(Detail::UnexpectedSyntax, self.position(), detail);
            return wrong.with_help("write `$name`");
        }
        self.expect_also("an expression");
        self.unexpected()
    }

    /// Whether an operand may begin at a place; used to tell a keyword from a name.
    pub(in crate::text) fn begins_operand(&self, place: usize) -> bool {
        match self.token_at(place) {
            Token::Word(word) => {
                let is_keyword = is_in(&WORDS_BEHIND, word) && self.begins_plain_operand(place + 1);
                !is_keyword && !is_in(&WORDS_AFTER, word)
            }
            Token::Mark(mark) => matches!(*mark, "(" | "[" | "{" | "-" | "+"),
            Token::Quoted(_)
            | Token::Integer(_)
            | Token::Float(_)
            | Token::Text(_)
            | Token::Parameter(_) => true,
            Token::End => false,
        }
    }

    /// Whether an operand begins at a place, and nothing that may stand behind another operand.
    fn begins_plain_operand(&self, place: usize) -> bool {
        let token = self.token_at(place);
        match token {
            Token::Word(word) => {
                let is_behind = is_in(&WORDS_AFTER, word) || is_in(&WORDS_BEHIND, word);
                !is_behind
                    && !word.eq_ignore_ascii_case("END")
                    && self.clause_reader(token).is_none()
            }
            Token::Mark(mark) => *mark == "(",
            Token::Quoted(_)
            | Token::Integer(_)
            | Token::Float(_)
            | Token::Text(_)
            | Token::Parameter(_) => true,
            Token::End => false,
        }
    }

    /// What begins with a word: a keyword, a call or a variable.
    fn of_word(&mut self, word: &str) -> Read<Expr> {
        let at = self.position();
        if word.eq_ignore_ascii_case("CASE") && self.begins_case(self.here() + 1) {
            return self.case();
        }
        let has_paren = self.is_mark_after(1, "(");
        if has_paren {
            if let Some(expr) = self.special_call(word)? {
                return Ok(expr);
            }
        } else if self.is_mark_after(1, "{")
            && !self.is_mark_after(2, ".")
            && let Some(kind) = subquery_kind(word)
        {
            return self.subquery(kind);
        } else if let Some(literal) = literal(word) {
            self.advance();
            return Ok(Expr::new(at, ExprKind::Literal(literal)));
        }
        if self.is_misplaced_keyword(word) {
            return Err(self.no_expression());
        }
        self.named()
    }

    /// Whether a word that may be a name is more likely a keyword before which an expression is missing.
    fn is_misplaced_keyword(&self, word: &str) -> bool {
        (is_in(&WORDS_BEHIND, word) || is_in(&CLAUSE_WORDS, word))
            && self.begins_plain_operand(self.here() + 1)
    }

    /// A variable, a map projection or a call.
    fn named(&mut self) -> Read<Expr> {
        if self.is_call() {
            return self.call();
        }
        let at = self.position();
        let variable = self.variable()?;
        if self.is_mark("{") {
            return self.map_projection(variable);
        }
        Ok(Expr::new(at, ExprKind::Variable(variable)))
    }

    /// Whether a name, perhaps with points in it, and a parenthesis are ahead.
    fn is_call(&self) -> bool {
        let mut place = self.here() + 1;
        while self.is_mark_at(place, ".") && is_name(self.token_at(place + 1)) {
            place += 2;
        }
        self.is_mark_at(place, "(")
    }

    /// `(a + b)`, or a pattern that begins with a node.
    fn parenthesized(&mut self) -> Read<Expr> {
        let at = self.position();
        if self.begins_pattern(self.here()) {
            let pattern = self.simple_pattern()?;
            return Ok(Expr::new(at, ExprKind::Pattern(Box::new(pattern))));
        }
        self.advance();
        let inner = self.with_pipe_ending(false, Self::expression)?;
        self.expect(")")?;
        Ok(inner)
    }

    fn begins_case(&self, place: usize) -> bool {
        self.is_word_at(place, "WHEN") || self.begins_operand(place)
    }

    /// `CASE x WHEN a THEN b ELSE c END`.
    fn case(&mut self) -> Read<Expr> {
        let at = self.position();
        self.advance();
        let subject = match self.is_word("WHEN") {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        let mut branches = Vec::new();
        while self.take_word("WHEN") {
            let tests = match &subject {
                Some(subject) => self.list(|parser| parser.case_test(subject))?,
                None => vec![CaseTest::Value(self.expression()?)],
            };
            self.expect_word("THEN")?;
            branches.push((tests, self.expression()?));
        }
        if branches.is_empty() {
            return Err(self.unexpected());
        }
        let otherwise = match self.take_word("ELSE") {
            true => Some(Box::new(self.expression()?)),
            false => None,
        };
        self.expect_word("END")?;
        Ok(Expr::new(at, ExprKind::Case(Case { subject, branches, otherwise })))
    }

    /// A value, or an operator and its right operand, of which the subject is the left one.
    fn case_test(&mut self, subject: &Expr) -> Read<CaseTest> {
        match self.begins_case_test() {
            true => {
                let subject = self.repeat(subject)?;
                Ok(CaseTest::Test(self.test_of(subject)?))
            }
            false => Ok(CaseTest::Value(self.expression()?)),
        }
    }

    /// Whether an operator is ahead that can only stand behind an operand.
    fn begins_case_test(&self) -> bool {
        let behind = self.here() + 1;
        match self.token() {
            Token::Mark(mark) => {
                matches!(*mark, "=" | "<>" | "<" | "<=" | ">" | ">=" | "=~" | "::")
            }
            Token::Word(word) => {
                let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
                let has_with = self.is_word_at(behind, "WITH");
                ((is("STARTS") || is("ENDS")) && has_with)
                    || (is("IS") && !self.is_mark_at(behind, "."))
                    || ((is("CONTAINS") || is("IN")) && self.begins_operand(behind))
            }
            _ => false,
        }
    }

    /// `EXISTS { … }` and its kind.
    fn subquery(&mut self, kind: SubqueryKind) -> Read<Expr> {
        let at = self.position();
        self.advance();
        let query = self.query_in_braces(kind)?;
        Ok(Expr::new(at, ExprKind::Subquery(kind, Box::new(query))))
    }
}

fn is_in(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn literal(word: &str) -> Option<Literal> {
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
    Some(match word.len() {
        4 if is("NULL") => Literal::Null,
        4 if is("TRUE") => Literal::Boolean(true),
        5 if is("FALSE") => Literal::Boolean(false),
        3 if is("NAN") => Literal::Float(f64::NAN),
        3 if is("INF") => Literal::Float(f64::INFINITY),
        8 if is("INFINITY") => Literal::Float(f64::INFINITY),
        _ => return None,
    })
}

fn subquery_kind(word: &str) -> Option<SubqueryKind> {
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
    Some(match word.len() {
        6 if is("EXISTS") => SubqueryKind::Exists,
        5 if is("COUNT") => SubqueryKind::Count,
        7 if is("COLLECT") => SubqueryKind::Collect,
        _ => return None,
    })
}
