//! Patterns of paths: nodes, relationships, quantified parts, selectors.

mod labels;

use millrace_model::{Error, TextPosition};

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::parser::{Parser, is_name};
use crate::tree::{
    Direction, Expr, LabelExpr, NodePattern, PathLength, PathPart, PathPattern, QuantifiedPath,
    RelationshipPattern, Selector, Variable,
};

impl Parser<'_> {
    /// `p = ANY SHORTEST (a)-->(b)`.
    pub(crate) fn path_pattern(&mut self) -> Read<PathPattern> {
        let at = self.position();
        let variable = self.path_variable()?;
        self.nested(|parser| {
            let selector = match parser.shortest_path_selector() {
                Some(selector) => {
                    parser.advance();
                    return Ok(PathPattern { variable, ..parser.shortest_path(at, selector)? });
                }
                None => parser.selector()?,
            };
            let parts = parser.parts()?;
            Ok(PathPattern { at, variable, selector, parts })
        })
    }

    /// `p =`, if it is there.
    fn path_variable(&mut self) -> Read<Option<Variable>> {
        if !self.is_name() || !self.is_mark_after(1, "=") {
            return Ok(None);
        }
        let variable = self.variable()?;
        self.expect("=")?;
        Ok(Some(variable))
    }

    fn shortest_path_selector(&self) -> Option<Selector> {
        if !self.is_mark_after(1, "(") {
            return None;
        }
        if self.is_word("shortestPath") {
            return Some(Selector::ShortestPath);
        }
        self.is_word("allShortestPaths").then_some(Selector::AllShortestPaths)
    }

    /// `((a)-[*]->(b))` behind `shortestPath`.
    pub(in crate::text) fn shortest_path(
        &mut self,
        at: TextPosition,
        selector: Selector,
    ) -> Read<PathPattern> {
        self.expect("(")?;
        let parts = self.with_pipe_ending(false, |parser| parser.nested(Self::parts))?;
        self.expect(")")?;
        Ok(PathPattern { at, variable: None, selector, parts })
    }

    /// `ALL PATHS`, `ANY k`, `ANY SHORTEST`, `ALL SHORTEST`, `SHORTEST k`, `SHORTEST k GROUPS`.
    fn selector(&mut self) -> Read<Selector> {
        let selector = if self.take_word("ALL") {
            match self.take_word("SHORTEST") {
                true => Selector::AllShortest,
                false => Selector::All,
            }
        } else if self.take_word("ANY") {
            match self.take_word("SHORTEST") {
                true => Selector::Shortest(1),
                false => Selector::Any(self.selected_count()?.unwrap_or(1)),
            }
        } else if self.take_word("SHORTEST") {
            let count = self.selected_count()?;
            self.take_one_of(&["PATHS", "PATH"]);
            if self.take_one_of(&["GROUPS", "GROUP"]) {
                return Ok(Selector::ShortestGroups(count.unwrap_or(1)));
            }
            match count {
                Some(count) => return Ok(Selector::Shortest(count)),
                None => {
                    self.expect_also("a number of paths");
                    return Err(self.unexpected());
                }
            }
        } else {
            return Ok(Selector::All);
        };
        self.take_one_of(&["PATHS", "PATH"]);
        Ok(selector)
    }

    fn selected_count(&mut self) -> Read<Option<u64>> {
        match self.token() {
            Token::Integer(0) => {
                let detail = "a selector of 0 paths selects none";
                let wrong = syntax(Detail::UnexpectedSyntax, self.position(), detail);
                Err(wrong.with_help("write 1 or more"))
            }
            Token::Integer(_) => self.count("a number of paths").map(Some),
            Token::Parameter(_) => Err(self.no_parameter("the number of paths")),
            _ => Ok(None),
        }
    }

    fn no_parameter(&self, what: &str) -> Error {
        let detail = format!("{what} cannot be a parameter");
        syntax(Detail::InvalidParameterUse, self.position(), detail).with_help("write an integer")
    }

    /// Nodes and relationships, or parts in parentheses.
    fn parts(&mut self) -> Read<Vec<PathPart>> {
        let mut parts = Vec::new();
        loop {
            if self.begins_group() {
                parts.push(PathPart::Quantified(self.group()?));
            } else {
                self.nodes(&mut parts, Self::is_relationship)?;
            }
            let is_behind_group = matches!(parts.last(), Some(PathPart::Quantified(_)));
            if !self.is_mark("(") || !(is_behind_group || self.begins_group()) {
                return Ok(parts);
            }
        }
    }

    /// A pattern in an expression: nodes and relationships.
    pub(in crate::text) fn simple_pattern(&mut self) -> Read<PathPattern> {
        let at = self.position();
        let mut parts = Vec::new();
        let goes_on = |parser: &Self| parser.begins_relationship(parser.here());
        self.measured(|parser| parser.nodes(&mut parts, goes_on))?;
        Ok(PathPattern { at, variable: None, selector: Selector::All, parts })
    }

    fn nodes(&mut self, parts: &mut Vec<PathPart>, goes_on: impl Fn(&Self) -> bool) -> Read<()> {
        parts.push(PathPart::Node(self.node()?));
        while goes_on(self) {
            parts.push(PathPart::Relationship(self.relationship()?));
            parts.push(PathPart::Node(self.node()?));
        }
        Ok(())
    }

    /// Whether `((…` or `(p = …` is ahead.
    fn begins_group(&self) -> bool {
        self.is_mark("(")
            && (self.is_mark_after(1, "(")
                || (is_name(self.token_after(1)) && self.is_mark_after(2, "=")))
    }

    /// `((a)-[r]->(b) WHERE test){1,3}`.
    fn group(&mut self) -> Read<QuantifiedPath> {
        let at = self.position();
        self.expect("(")?;
        let (pattern, test) = self.with_pipe_ending(false, |parser| {
            let at = parser.position();
            let variable = parser.path_variable()?;
            let parts = parser.nested(Self::parts)?;
            let pattern = PathPattern { at, variable, selector: Selector::All, parts };
            Ok((pattern, parser.test()?))
        })?;
        self.expect(")")?;
        let length = self.quantifier()?;
        Ok(QuantifiedPath { at, pattern, test, length, groups: Vec::new() })
    }

    /// `+`, `*`, `{2}`, `{1,3}`, `{,3}`, `{1,}` behind a part.
    fn quantifier(&mut self) -> Read<Option<PathLength>> {
        let length = |min, max| PathLength { min, max, is_quantifier: true };
        if self.take("+") {
            return Ok(Some(length(1, None)));
        }
        if self.take("*") {
            return Ok(Some(length(0, None)));
        }
        if !self.take("{") {
            return Ok(None);
        }
        let at = self.position();
        let min = self.bound()?;
        let max = match self.take(",") {
            true => self.bound()?,
            false if min.is_some() => min,
            false => return Err(self.unexpected()),
        };
        self.expect("}")?;
        let min = min.unwrap_or(0);
        if max.is_some_and(|max| max < min || max == 0) {
            let detail = "the greatest number of repetitions is zero or less than the least";
            return Err(syntax(Detail::UnexpectedSyntax, at, detail));
        }
        Ok(Some(length(min, max)))
    }

    fn bound(&mut self) -> Read<Option<u64>> {
        match self.token() {
            Token::Integer(_) => self.count("an integer").map(Some),
            Token::Parameter(_) => Err(self.no_parameter("the length of a path")),
            _ => {
                self.expect_also("an integer");
                Ok(None)
            }
        }
    }

    /// `(n:A {k: 1} WHERE test)`.
    pub(crate) fn node(&mut self) -> Read<NodePattern> {
        let at = self.position();
        if !self.is_mark("(") {
            self.expect_also("(");
            return Err(self.unexpected());
        }
        self.advance();
        self.with_pipe_ending(false, |parser| {
            let variable = parser.element_variable(at)?;
            let labels = parser.element_labels()?;
            let properties = parser.element_properties()?;
            let test = parser.test()?;
            parser.expect(")")?;
            Ok(NodePattern { at, variable, labels, properties, test })
        })
    }

    /// The variable of an element, or a made-up one.
    fn element_variable(&mut self, at: TextPosition) -> Read<Variable> {
        if self.is_variable_of_element(self.here()) {
            return self.variable();
        }
        if !self.is_name() {
            self.expect_also("a variable");
        }
        Ok(self.anonymous(at))
    }

    /// Whether a name at a place is a variable, although it may be `IS` or `WHERE`.
    fn is_variable_of_element(&self, place: usize) -> bool {
        if !is_name(self.token_at(place)) {
            return false;
        }
        let is_keyword = self.is_word_at(place, "IS") || self.is_word_at(place, "WHERE");
        !is_keyword
            || match self.token_at(place + 1) {
                Token::Mark(mark) => matches!(*mark, ")" | "]" | ":" | "*"),
                _ => self.is_word_at(place + 1, "WHERE") || self.is_word_at(place + 1, "IS"),
            }
    }

    /// `:A&B`, `IS A`.
    fn element_labels(&mut self) -> Read<Option<LabelExpr>> {
        if self.take(":") || self.take_word("IS") {
            return self.label_expression().map(Some);
        }
        Ok(None)
    }

    /// `{k: 1}`, `$properties`.
    fn element_properties(&mut self) -> Read<Option<Expr>> {
        match self.token() {
            Token::Mark("{") | Token::Parameter(_) => self.measured(Self::atom).map(Some),
            _ => {
                self.expect_also("{");
                Ok(None)
            }
        }
    }

    /// Whether a relationship must be ahead, in a place where no expression can go on.
    fn is_relationship(&self) -> bool {
        self.is_mark("-") || (self.is_mark("<") && self.is_mark_after(1, "-"))
    }

    /// `-[r:T*1..3 {k: 1} WHERE test]->`, and a quantifier behind it.
    fn relationship(&mut self) -> Read<RelationshipPattern> {
        let at = self.position();
        let is_left = self.take("<");
        self.expect("-")?;
        let mut relationship = RelationshipPattern {
            at,
            variable: self.anonymous(at),
            direction: Direction::Both,
            types: None,
            properties: None,
            test: None,
            length: None,
        };
        if self.take("[") {
            self.with_pipe_ending(false, |parser| parser.details(&mut relationship))?;
        }
        self.expect("-")?;
        relationship.direction = match (is_left, self.take(">")) {
            (true, false) => Direction::Left,
            (false, true) => Direction::Right,
            (true, true) | (false, false) => Direction::Both,
        };
        let behind = self.position();
        if let Some(length) = self.quantifier()?
            && relationship.length.replace(length).is_some()
        {
            let detail = "this relationship has two lengths";
            let wrong = syntax(Detail::InvalidRelationshipPattern, behind, detail);
            return Err(wrong.with_help("write `*1..3` in the brackets or `{1,3}` behind them"));
        }
        Ok(relationship)
    }

    /// What stands in the brackets of a relationship, and the closing one.
    fn details(&mut self, relationship: &mut RelationshipPattern) -> Read<()> {
        if self.is_variable_of_element(self.here()) {
            relationship.variable = self.variable()?;
        }
        relationship.types = self.element_labels()?;
        if self.is_mark("..") {
            let error = self.unexpected_as(Detail::InvalidRelationshipPattern);
            return Err(error.with_help("a range of lengths begins with `*`: write `*1..3`"));
        }
        if self.take("*") {
            relationship.length = Some(self.length()?);
        }
        relationship.properties = self.element_properties()?;
        relationship.test = self.test()?;
        self.expect("]")?;
        Ok(())
    }

    /// `2`, `1..3`, `..3`, `1..` behind `*`.
    fn length(&mut self) -> Read<PathLength> {
        let is_sound = match self.token() {
            Token::Integer(_) | Token::Parameter(_) | Token::Word(_) | Token::End => true,
            Token::Mark(mark) => matches!(*mark, ".." | "{" | "]"),
            Token::Float(_) | Token::Text(_) | Token::Quoted(_) => false,
        };
        if !is_sound {
            let error = self.unexpected_as(Detail::InvalidRelationshipPattern);
            return Err(error.with_help("lengths are integers from 0 on: `*2`, `*1..3`, `*..3`"));
        }
        let min = self.length_bound()?;
        let max = if self.take("..") { self.length_bound()? } else { min };
        Ok(PathLength { min: min.unwrap_or(1), max, is_quantifier: false })
    }

    /// A bound, unless a space and a parameter follow: that is the properties.
    fn length_bound(&mut self) -> Read<Option<u64>> {
        match self.token() {
            Token::Parameter(_) if self.is_apart() => Ok(None),
            _ => self.bound(),
        }
    }

    /// Whether a node and a relationship behind it begin at a place in an expression.
    pub(in crate::text) fn begins_pattern(&self, place: usize) -> bool {
        if !self.is_mark_at(place, "(") {
            return false;
        }
        let Some(close) = self.partner(place) else { return false };
        let first = place + 1;
        let second = if self.is_variable_of_element(first) { first + 1 } else { first };
        let is_node = match self.token_at(second) {
            Token::Mark(mark) => matches!(*mark, ")" | ":" | "{"),
            Token::Parameter(_) => second + 1 == close,
            Token::Word(word) => {
                ["IS", "WHERE"].iter().any(|known| word.eq_ignore_ascii_case(known))
            }
            _ => false,
        };
        is_node && self.begins_relationship(close + 1)
    }

    /// Whether a relationship begins at a place in an expression, and not a subtraction or a comparison.
    fn begins_relationship(&self, place: usize) -> bool {
        let is_left = self.is_mark_at(place, "<");
        let dash = if is_left { place + 1 } else { place };
        if !self.is_mark_at(dash, "-") {
            return false;
        }
        let behind = dash + 1;
        if self.is_mark_at(behind, "-") {
            return is_left || self.is_mark_at(behind + 1, ">") || self.is_mark_at(behind + 1, "(");
        }
        let close = self.partner(behind).filter(|_| self.is_mark_at(behind, "["));
        close.is_some_and(|close| self.is_mark_at(close + 1, "-"))
    }
}
