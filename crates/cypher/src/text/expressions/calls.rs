//! Calls of functions, and the forms that look like calls: quantifiers, `reduce`, `shortestPath`, `trim`.

use crate::text::error::{Detail, Read, syntax};
use crate::text::expressions::normal_form;
use crate::text::lexer::Token;
use crate::text::parser::{Parser, is_name};
use crate::tree::{
    Clause, Comprehension, Expr, ExprKind, FunctionCall, Literal, Match, QuantifierKind, Query,
    Reduce, Selector, SubqueryKind,
};

impl Parser<'_> {
    /// `name(arguments)`.
    pub(in crate::text) fn call(&mut self) -> Read<Expr> {
        let at = self.position();
        let name = self.dotted_name("a function")?;
        self.expect("(")?;
        self.with_pipe_ending(false, |parser| {
            let distinct = parser.is_quantity("DISTINCT");
            let all = parser.is_quantity("ALL") && !parser.is_quantifier_call();
            if distinct || all {
                parser.advance();
            }
            let mut arguments = Vec::new();
            if !parser.take(")") {
                arguments.push(parser.expression()?);
                while parser.take(",") {
                    arguments.push(match parser.is_normal_form(&name) {
                        true => parser.normal_form_argument()?,
                        false => parser.expression()?,
                    });
                }
                parser.expect(")")?;
            }
            if let (true, [only]) = (name.eq_ignore_ascii_case("exists"), arguments.as_mut_slice())
                && let ExprKind::Pattern(pattern) = &mut only.kind
            {
                // The older form of `EXISTS { pattern }`.
                let clause = Clause::Match(Match::of_pattern(at, (**pattern).clone()));
                let query = Box::new(Query::of_clause(at, clause));
                return Ok(Expr::new(at, ExprKind::Subquery(SubqueryKind::Exists, query)));
            }
            Ok(Expr::new(at, ExprKind::Call(FunctionCall { name, distinct, arguments })))
        })
    }

    /// Whether `DISTINCT` or `ALL` is ahead, and no variable of that name.
    fn is_quantity(&self, word: &str) -> bool {
        self.is_word(word) && self.begins_operand(self.here() + 1)
    }

    /// Whether `all(x IN …)` is ahead.
    fn is_quantifier_call(&self) -> bool {
        self.is_mark_after(1, "(")
            && is_name(self.token_after(2))
            && self.is_word_at(self.here() + 3, "IN")
    }

    fn is_normal_form(&self, function: &str) -> bool {
        let Token::Word(word) = self.token() else { return false };
        function.eq_ignore_ascii_case("normalize")
            && self.is_mark_after(1, ")")
            && normal_form(word).is_some()
    }

    /// The name of a normal form, which is a keyword there, as the text that the function takes.
    fn normal_form_argument(&mut self) -> Read<Expr> {
        let at = self.position();
        let form = self.name("a normal form")?.to_uppercase();
        Ok(Expr::new(at, ExprKind::Literal(Literal::String(form.into()))))
    }

    /// What a word before a parenthesis begins, if not a plain call.
    pub(in crate::text) fn special_call(&mut self, word: &str) -> Read<Option<Expr>> {
        let at = self.position();
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let over_list = is_name(self.token_after(2)) && self.is_word_at(self.here() + 3, "IN");
        let kind = match word.len() {
            5 if is("COUNT") && self.is_mark_after(2, "*") => {
                self.advance();
                self.advance();
                self.advance();
                self.expect(")")?;
                ExprKind::CountAll
            }
            3..=6 if over_list && quantifier(word).is_some() => self.quantified(word)?,
            6 if is("REDUCE") && is_name(self.token_after(2)) && self.is_mark_after(3, "=") => {
                self.reduce()?
            }
            6 | 7 if over_list && (is("FILTER") || is("EXTRACT")) => {
                let detail = format!("`{word}` of a list was replaced by list comprehensions");
                let wrong = syntax(Detail::UnexpectedSyntax, at, detail);
                return Err(wrong.with_help("write `[x IN list WHERE test | value]`"));
            }
            12 if is("SHORTESTPATH") => {
                self.advance();
                let pattern = self.shortest_path(at, Selector::ShortestPath)?;
                ExprKind::ShortestPath(Box::new(pattern))
            }
            16 if is("ALLSHORTESTPATHS") => {
                self.advance();
                let pattern = self.shortest_path(at, Selector::AllShortestPaths)?;
                ExprKind::ShortestPath(Box::new(pattern))
            }
            4 if is("TRIM") => return self.trim(),
            _ => return Ok(None),
        };
        Ok(Some(Expr::new(at, kind)))
    }

    /// `all(x IN list WHERE test)`.
    fn quantified(&mut self, word: &str) -> Read<ExprKind> {
        let at = self.position();
        self.advance();
        self.advance();
        self.with_pipe_ending(false, |parser| {
            let variable = parser.variable()?;
            parser.expect_word("IN")?;
            let list = parser.expression()?;
            if !parser.take_word("WHERE") {
                if !parser.is_mark(")") {
                    return Err(parser.unexpected());
                }
                let word = word.to_lowercase();
                let detail = format!("{word}(...) requires a WHERE predicate");
                let help = format!("write `{word}(x IN list WHERE test)`");
                return Err(syntax(Detail::UnexpectedSyntax, at, detail).with_help(help));
            }
            let test = Some(parser.expression()?);
            parser.expect(")")?;
            let over = Box::new(Comprehension { variable, list, test, value: None });
            Ok(ExprKind::Quantified(quantifier(word).unwrap_or(QuantifierKind::All), over))
        })
    }

    /// `reduce(accumulator = start, x IN list | next)`.
    fn reduce(&mut self) -> Read<ExprKind> {
        self.advance();
        self.advance();
        let accumulator = self.variable()?;
        self.expect("=")?;
        let start = self.with_pipe_ending(false, Self::expression)?;
        self.expect(",")?;
        let variable = self.variable()?;
        self.expect_word("IN")?;
        let list = self.with_pipe_ending(true, Self::expression)?;
        self.expect("|")?;
        let next = self.with_pipe_ending(false, Self::expression)?;
        self.expect(")")?;
        let reduce = Reduce { accumulator, start, variable, list, next };
        Ok(ExprKind::Reduce(Box::new(reduce)))
    }

    /// `trim(BOTH 'x' FROM text)`, which is `btrim(text, 'x')`; `None` if it is a plain call.
    fn trim(&mut self) -> Read<Option<Expr>> {
        let at = self.position();
        let side = self.token_after(2).clone();
        let name = match side {
            Token::Word(word) if word.eq_ignore_ascii_case("BOTH") => "btrim",
            Token::Word(word) if word.eq_ignore_ascii_case("LEADING") => "ltrim",
            Token::Word(word) if word.eq_ignore_ascii_case("TRAILING") => "rtrim",
            _ => "",
        };
        let is_sided = !name.is_empty() && self.begins_operand(self.here() + 3);
        if !is_sided && !self.contains_word(self.here() + 1, "FROM") {
            return Ok(None);
        }
        self.advance();
        self.expect("(")?;
        if is_sided {
            self.advance();
        }
        let letters = match self.is_word("FROM") {
            true => None,
            false => Some(self.with_pipe_ending(false, Self::expression)?),
        };
        self.expect_word("FROM")?;
        let text = self.with_pipe_ending(false, Self::expression)?;
        self.expect(")")?;
        let name = if is_sided { name } else { "btrim" }.into();
        let arguments = std::iter::once(text).chain(letters).collect();
        let call = FunctionCall { name, distinct: false, arguments };
        Ok(Some(Expr::new(at, ExprKind::Call(call))))
    }
}

fn quantifier(word: &str) -> Option<QuantifierKind> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    Some(match word.len() {
        3 if is("ALL") => QuantifierKind::All,
        3 if is("ANY") => QuantifierKind::Any,
        4 if is("NONE") => QuantifierKind::None,
        6 if is("SINGLE") => QuantifierKind::Single,
        _ => return None,
    })
}
