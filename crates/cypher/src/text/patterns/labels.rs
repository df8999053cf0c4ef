//! Label expressions: `A&!B|%`, `A:B`, `$(expression)`.

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::parser::{Parser, is_name};
use crate::tree::LabelExpr;

impl Parser<'_> {
    /// Labels or types behind `:` or `IS`.
    pub(crate) fn label_expression(&mut self) -> Read<LabelExpr> {
        self.measured(Self::labels_or)
    }

    /// Whether a label may begin at a place.
    pub(in crate::text) fn begins_label(&self, place: usize) -> bool {
        let token = self.token_at(place);
        is_name(token) || matches!(token, Token::Mark("!" | "%" | "(" | "$") | Token::Parameter(_))
    }

    /// `A|B`, `A|:B`.
    fn labels_or(&mut self) -> Read<LabelExpr> {
        let mut labels = vec![self.labels_and()?];
        while self.is_mark("|") && (!self.pipe_ends() || self.is_pipe_of_labels()) {
            self.advance();
            self.take(":");
            labels.push(self.labels_and()?);
        }
        Ok(single_or(labels, LabelExpr::Or))
    }

    /// Whether the bar ahead joins labels although a bar ends the expression: then another bar follows, or a colon.
    fn is_pipe_of_labels(&self) -> bool {
        let mut place = self.here() + 1;
        if self.is_mark_at(place, ":") {
            return true;
        }
        while self.begins_label(place) || self.is_mark_at(place, "&") || self.is_mark_at(place, ":")
        {
            let is_end = is_name(self.token_at(place)) && is_name(self.token_at(place + 1));
            if is_end {
                return false;
            }
            place = self.partner(place).unwrap_or(place) + 1;
        }
        self.is_mark_at(place, "|")
    }

    /// `A&B`, `A:B`.
    fn labels_and(&mut self) -> Read<LabelExpr> {
        let mut labels = vec![self.label()?];
        while self.is_mark("&") || (self.is_mark(":") && self.begins_label(self.here() + 1)) {
            self.advance();
            labels.push(self.label()?);
        }
        Ok(single_or(labels, LabelExpr::And))
    }

    /// `A`, `!A`, `%`, `(A|B)`, `$(expression)`.
    fn label(&mut self) -> Read<LabelExpr> {
        let at = self.position();
        if self.take("!") {
            self.grow(1)?;
            let inner = self.right(Self::label)?;
            return Ok(LabelExpr::Not(Box::new(inner)));
        }
        if self.take("%") {
            return Ok(LabelExpr::Any(at));
        }
        if self.take("(") {
            self.grow(1)?;
            let inner = self.with_pipe_ending(false, |parser| parser.nested(Self::labels_or))?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take("$") {
            return Ok(LabelExpr::Dynamic(Box::new(self.dynamic_labels()?)));
        }
        if let Token::Parameter(name) = self.token() {
            let name = name.clone();
            if !self.is_mark_after(1, "(") {
                let detail = format!("the parameter `${name}` stands for a label");
                let wrong = syntax(Detail::InvalidParameterUse, at, detail);
                return Err(wrong.with_help(format!("write `$(${name})`")));
            }
            self.advance();
            let labels = Box::new(self.dynamic_labels()?);
            return match &*name.to_lowercase() {
                "all" => Ok(LabelExpr::Dynamic(labels)),
                "any" => Ok(LabelExpr::DynamicAny(labels)),
                _ => Err(syntax(Detail::UnexpectedSyntax, at, format!("unexpected `${name}`"))
                    .with_help("write `$(…)`, `$all(…)` or `$any(…)`")),
            };
        }
        Ok(LabelExpr::Name(at, self.name("a label or type")?))
    }

    fn dynamic_labels(&mut self) -> Read<crate::tree::Expr> {
        self.expect("(")?;
        let labels = self.with_pipe_ending(false, Self::expression)?;
        self.expect(")")?;
        Ok(labels)
    }
}

/// One of them alone is itself.
fn single_or(mut labels: Vec<LabelExpr>, joined: fn(Vec<LabelExpr>) -> LabelExpr) -> LabelExpr {
    match labels.pop() {
        Some(only) if labels.is_empty() => only,
        last => {
            labels.extend(last);
            joined(labels)
        }
    }
}
