//! Lists, maps and what begins like them: comprehensions, pattern comprehensions, map projections.

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::parser::{Parser, is_name};
use crate::tree::{
    Comprehension, Expr, ExprKind, MapItem, MapProjection, Name, PatternComprehension, Variable,
};

impl Parser<'_> {
    /// What begins with `[`.
    pub(in crate::text) fn collection(&mut self) -> Read<Expr> {
        let at = self.position();
        let open = self.here();
        let kind = if is_name(self.token_after(1)) && self.is_word_at(open + 2, "IN") {
            match self.contains_mark(open, ",") {
                true => self.list_literal()?,
                false => self.comprehension()?,
            }
        } else if self.begins_pattern_comprehension(open) {
            self.pattern_comprehension()?
        } else {
            self.list_literal()?
        };
        Ok(Expr::new(at, kind))
    }

    fn list_literal(&mut self) -> Read<ExprKind> {
        self.advance();
        if self.take("]") {
            return Ok(ExprKind::List(Vec::new()));
        }
        let items = self.with_pipe_ending(false, |parser| parser.list(Self::expression))?;
        self.expect("]")?;
        Ok(ExprKind::List(items))
    }

    /// `[x IN list WHERE test | value]`.
    fn comprehension(&mut self) -> Read<ExprKind> {
        self.advance();
        let variable = self.variable()?;
        self.expect_word("IN")?;
        let (list, test) = self.with_pipe_ending(true, |parser| {
            let list = parser.expression()?;
            Ok((list, parser.test()?))
        })?;
        let value = match self.take("|") {
            true => Some(self.with_pipe_ending(false, Self::expression)?),
            false => None,
        };
        self.expect("]")?;
        let comprehension = Comprehension { variable, list, test, value };
        Ok(ExprKind::Comprehension(Box::new(comprehension)))
    }

    /// Whether `[p = (a)-->(b) … | …]` is ahead.
    fn begins_pattern_comprehension(&self, open: usize) -> bool {
        let is_bound = is_name(self.token_at(open + 1)) && self.is_mark_at(open + 2, "=");
        let first = if is_bound { open + 3 } else { open + 1 };
        self.begins_pattern(first)
            && (is_bound || (self.contains_mark(open, "|") && !self.contains_mark(open, ",")))
    }

    fn pattern_comprehension(&mut self) -> Read<ExprKind> {
        self.advance();
        let at = self.position();
        let variable = match self.is_mark_after(1, "=") {
            true => Some(self.variable()?),
            false => None,
        };
        if variable.is_some() {
            self.expect("=")?;
        }
        let mut pattern = self.simple_pattern()?;
        pattern.at = at;
        pattern.variable = variable;
        let test = self.with_pipe_ending(true, Self::test)?;
        self.expect("|")?;
        let value = self.with_pipe_ending(false, Self::expression)?;
        self.expect("]")?;
        let comprehension = PatternComprehension { pattern, test, value };
        Ok(ExprKind::PatternComprehension(Box::new(comprehension)))
    }

    /// `WHERE test`, if it is there.
    pub(crate) fn test(&mut self) -> Read<Option<Expr>> {
        match self.take_word("WHERE") {
            true => self.expression().map(Some),
            false => Ok(None),
        }
    }

    /// `{key: value}`.
    pub(crate) fn map(&mut self) -> Read<Expr> {
        let at = self.position();
        self.refuse_old_parameter()?;
        self.expect("{")?;
        let entries = match self.take("}") {
            true => Vec::new(),
            false => {
                let entries =
                    self.with_pipe_ending(false, |parser| parser.list(Self::map_entry))?;
                self.expect("}")?;
                entries
            }
        };
        Ok(Expr::new(at, ExprKind::Map(entries)))
    }

    fn map_entry(&mut self) -> Read<(Name, Expr)> {
        let key = self.name("a key")?;
        self.expect(":")?;
        Ok((key, self.expression()?))
    }

    /// `{name}` was a parameter once.
    fn refuse_old_parameter(&self) -> Read<()> {
        let name = match self.token_after(1) {
            Token::Word(word) => (*word).to_owned(),
            Token::Quoted(name) => format!("`{name}`"),
            Token::Integer(number) => number.to_string(),
            _ => return Ok(()),
        };
        if !self.is_mark_after(2, "}") {
            return Ok(());
        }
        let detail = format!("`{{{name}}}` is not a map, and no longer a parameter");
        let wrong = syntax(Detail::UnexpectedSyntax, self.position(), detail);
        Err(wrong.with_help(format!("write the parameter as `${name}`, a map as `{{key: value}}`")))
    }

    /// `variable {.key, .*, key: value, other}`.
    pub(in crate::text) fn map_projection(&mut self, variable: Variable) -> Read<Expr> {
        let at = variable.at;
        self.advance();
        let items = match self.take("}") {
            true => Vec::new(),
            false => {
                let items = self.with_pipe_ending(false, |parser| parser.list(Self::map_item))?;
                self.expect("}")?;
                items
            }
        };
        Ok(Expr::new(at, ExprKind::MapProjection(MapProjection { variable, items })))
    }

    fn map_item(&mut self) -> Read<MapItem> {
        if self.take(".") {
            return Ok(match self.take("*") {
                true => MapItem::AllProperties,
                false => MapItem::Property(self.name("a key")?),
            });
        }
        if self.is_mark_after(1, ":") {
            let (key, value) = self.map_entry()?;
            return Ok(MapItem::Entry(key, value));
        }
        let item = self.variable()?;
        self.expect_also(":");
        Ok(MapItem::Variable(item))
    }

    /// Whether the brackets that open at a place have this mark directly in them.
    fn contains_mark(&self, open: usize, mark: &str) -> bool {
        self.contains(open, |parser, place| parser.is_mark_at(place, mark))
    }

    /// Whether the brackets that open at a place have this word directly in them.
    pub(in crate::text) fn contains_word(&self, open: usize, word: &str) -> bool {
        self.contains(open, |parser, place| parser.is_word_at(place, word))
    }

    fn contains(&self, open: usize, is_wanted: impl Fn(&Self, usize) -> bool) -> bool {
        let Some(close) = self.partner(open) else { return false };
        let mut place = open + 1;
        while place < close {
            if is_wanted(self, place) {
                return true;
            }
            place = self.partner(place).unwrap_or(place) + 1;
        }
        false
    }
}
