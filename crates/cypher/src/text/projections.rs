//! The body of `WITH` and `RETURN`: items, order, pages.

use millrace_model::TextPosition;

use super::error::Read;
use super::lexer::Token;
use super::parser::Parser;
use crate::tree::{Expr, OrderItem, Projection, ProjectionItem};

impl Parser<'_> {
    /// `DISTINCT items ORDER BY … SKIP … LIMIT …`, behind a keyword.
    pub(crate) fn projection(&mut self, at: TextPosition) -> Read<Projection> {
        let is_distinct = self.is_word("DISTINCT") && self.begins_item(self.here() + 1);
        if is_distinct {
            self.advance();
        }
        let all = self.take("*");
        let items = match all && !self.take(",") {
            true => Vec::new(),
            false => self.list(Self::projection_item)?,
        };
        let mut projection = everything(at);
        (projection.distinct, projection.all, projection.items) = (is_distinct, all, items);
        self.pages(&mut projection)?;
        Ok(projection)
    }

    fn begins_item(&self, place: usize) -> bool {
        self.begins_operand(place) || self.is_mark_at(place, "*")
    }

    fn projection_item(&mut self) -> Read<ProjectionItem> {
        let first = self.here();
        let expr = self.expression()?;
        let text = self.text_since(first);
        let alias = match self.take_word("AS") {
            true => Some(self.variable()?),
            false => None,
        };
        Ok(ProjectionItem { expr, alias, text })
    }

    /// The order and pages of everything.
    pub(crate) fn read_pages(&mut self, at: TextPosition) -> Read<Projection> {
        let mut projection = everything(at);
        self.pages(&mut projection)?;
        Ok(projection)
    }

    /// `ORDER BY`, `SKIP` or `OFFSET`, `LIMIT`, as far as they are there.
    fn pages(&mut self, projection: &mut Projection) -> Read<()> {
        if self.take_word("ORDER") {
            self.expect_word("BY")?;
            projection.order = self.list(Self::order_item)?;
        }
        projection.skip = self.page(&["SKIP", "OFFSET"])?;
        projection.limit = self.page(&["LIMIT"])?;
        Ok(())
    }

    fn page(&mut self, words: &[&'static str]) -> Read<Option<Expr>> {
        match self.take_one_of(words) {
            true => self.expression().map(Some),
            false => Ok(None),
        }
    }

    fn order_item(&mut self) -> Read<OrderItem> {
        let expr = self.expression()?;
        let descending = self.take_one_of(&["DESC", "DESCENDING"]);
        if !descending {
            self.take_one_of(&["ASC", "ASCENDING"]);
        }
        Ok(OrderItem { expr, descending })
    }

    /// Whether `ORDER BY`, `SKIP`, `OFFSET` or `LIMIT` is ahead as a clause of its own.
    pub(super) fn begins_pages(&self) -> bool {
        self.are_words(&["ORDER", "BY"])
            || (["SKIP", "OFFSET", "LIMIT"].iter().any(|word| self.is_word(word))
                && !matches!(self.token_after(1), Token::End))
    }
}

/// The projection of all variables.
fn everything(at: TextPosition) -> Projection {
    Projection {
        at,
        distinct: false,
        all: true,
        items: Vec::new(),
        order: Vec::new(),
        skip: None,
        limit: None,
        test: None,
    }
}
