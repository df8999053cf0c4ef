//! Operators, by precedence climbing: all levels are one loop, so that a parenthesis costs few frames of the stack.

mod atoms;
mod calls;
mod collections;
mod types;

use millrace_model::Error;

use crate::text::error::{Detail, Read, syntax};
use crate::text::lexer::Token;
use crate::text::lexer::numbers::integer_overflow;
use crate::text::parser::Parser;
use crate::tree::{Binary, Expr, ExprKind, Literal, NormalForm, Unary};

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    Xor,
    And,
    Not,
    Comparison,
    /// `IN`, `IS NULL`, `STARTS WITH`, `=~` and their kind.
    Predicate,
    Additive,
    Multiplicative,
    Power,
    Sign,
}

impl Level {
    /// The level of the right operand of an operator, so that operators of one level join from the left.
    fn tighter(self) -> Level {
        match self {
            Level::Or => Level::Xor,
            Level::Xor => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Comparison,
            Level::Comparison => Level::Predicate,
            Level::Predicate => Level::Additive,
            Level::Additive => Level::Multiplicative,
            Level::Multiplicative => Level::Power,
            Level::Power | Level::Sign => Level::Sign,
        }
    }
}

/// An operator behind its left operand.
#[derive(Clone, Copy)]
enum Operator {
    Binary(Level, Binary),
    /// `IS …`.
    Is,
    /// `::`.
    Typed,
}

/// Up to so many operands, a chain of `AND` is a tree from the left, and beyond a balanced one.
const PLAIN_CHAIN_MAX: usize = 16;

impl Parser<'_> {
    /// An expression.
    pub(crate) fn expression(&mut self) -> Read<Expr> {
        self.measured(|parser| parser.operators(Level::Or))
    }

    /// An operand with its signs, properties, indexes and labels, and no other operator.
    pub(crate) fn operand(&mut self) -> Read<Expr> {
        self.measured(|parser| parser.signed(Level::Sign))
    }

    fn operators(&mut self, loosest: Level) -> Read<Expr> {
        let left = self.signed(loosest)?;
        self.operators_behind(left, loosest)
    }

    fn operators_behind(&mut self, mut left: Expr, loosest: Level) -> Read<Expr> {
        while let Some(operator) = self.operator()? {
            let level = match operator {
                Operator::Binary(level, _) => level,
                Operator::Is | Operator::Typed => Level::Predicate,
            };
            if level < loosest {
                break;
            }
            left = match operator {
                Operator::Binary(Level::Comparison, _) => self.comparisons(left)?,
                Operator::Binary(Level::Or | Level::Xor | Level::And, binary) => {
                    self.connectives(left, level, binary)?
                }
                Operator::Binary(_, binary) => {
                    self.take_operator(binary);
                    self.grow(1)?;
                    let right = self.right(|parser| parser.operators(level.tighter()))?;
                    joined(binary, left, right)
                }
                Operator::Is => self.is(left)?,
                Operator::Typed => {
                    self.advance();
                    self.grow(1)?;
                    let type_name = self.type_name()?;
                    Expr::new(left.at, ExprKind::IsType(Box::new(left), type_name, false))
                }
            };
        }
        Ok(left)
    }

    /// `a < b <= c`.
    fn comparisons(&mut self, left: Expr) -> Read<Expr> {
        self.grow(1)?;
        let mut links = Vec::new();
        while let Some(Operator::Binary(Level::Comparison, binary)) = self.operator()? {
            self.take_operator(binary);
            let right = self.right(|parser| parser.operators(Level::Predicate))?;
            links.push((binary, right));
        }
        Ok(match links.len() {
            1 => links.into_iter().fold(left, |left, (binary, right)| joined(binary, left, right)),
            _ => Expr::new(left.at, ExprKind::Comparisons(Box::new(left), links)),
        })
    }

    /// `a AND b AND c`: long chains, which programs write, become trees of little height.
    fn connectives(&mut self, left: Expr, level: Level, binary: Binary) -> Read<Expr> {
        let mut others = Vec::new();
        while matches!(self.operator()?, Some(Operator::Binary(found, _)) if found == level) {
            self.take_operator(binary);
            others.push(self.right(|parser| parser.operators(level.tighter()))?);
        }
        let is_plain = others.len() < PLAIN_CHAIN_MAX;
        self.grow(if is_plain { others.len() } else { PLAIN_CHAIN_MAX * 2 })?;
        Ok(tree_of(binary, left, others))
    }

    /// The operator ahead.
    fn operator(&mut self) -> Read<Option<Operator>> {
        let operator = match self.token() {
            Token::Mark(mark) => match operator_of_mark(mark) {
                Some(operator) => Some(operator),
                None if matches!(*mark, "!=" | "==") || self.is_double_ampersand() => {
                    return Err(self.foreign_operator());
                }
                None => None,
            },
            Token::Word(word) => self.operator_of_word(word),
            _ => None,
        };
        if operator.is_none() {
            self.expect_also("an operator");
        }
        Ok(operator)
    }

    fn operator_of_word(&self, word: &str) -> Option<Operator> {
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        let with = || self.is_word_at(self.here() + 1, "WITH");
        let (level, binary) = match word.len() {
            2 if is("OR") => (Level::Or, Binary::Or),
            2 if is("IN") => (Level::Predicate, Binary::In),
            2 if is("IS") => return Some(Operator::Is),
            3 if is("XOR") => (Level::Xor, Binary::Xor),
            3 if is("AND") => (Level::And, Binary::And),
            4 if is("ENDS") && with() => (Level::Predicate, Binary::EndsWith),
            6 if is("STARTS") && with() => (Level::Predicate, Binary::StartsWith),
            8 if is("CONTAINS") => (Level::Predicate, Binary::Contains),
            _ => return None,
        };
        Some(Operator::Binary(level, binary))
    }

    /// Takes an operator, which is a token or two.
    fn take_operator(&mut self, binary: Binary) {
        self.advance();
        if matches!(binary, Binary::StartsWith | Binary::EndsWith) {
            self.advance();
        }
    }

    fn is_double_ampersand(&self) -> bool {
        self.is_mark("&") && self.is_mark_after(1, "&")
    }

    /// An operator of other languages, and what to write for it.
    fn foreign_operator(&self) -> Error {
        let (written, ours) = match self.token() {
            Token::Mark("!=") => ("!=", "<>"),
            Token::Mark("!") => ("!", "NOT"),
            Token::Mark("&") => ("&&", "AND"),
            _ => ("==", "="),
        };
        let detail = format!("`{written}` is not an operator");
        syntax(Detail::UnexpectedSyntax, self.position(), detail)
            .with_help(format!("write `{ours}`"))
    }

    /// `IS NULL`, `IS :: TYPE`, `IS NORMALIZED`, `IS Label`.
    fn is(&mut self, left: Expr) -> Read<Expr> {
        self.advance();
        self.grow(1)?;
        let at = left.at;
        let left = Box::new(left);
        let negated = self.take_word("NOT");
        let kind = if self.take_word("NULL") {
            ExprKind::IsNull(left, !negated)
        } else if self.take("::") || self.take_word("TYPED") {
            ExprKind::IsType(left, self.type_name()?, negated)
        } else if let Some(form) = self.normal_form() {
            ExprKind::IsNormalized(left, form, negated)
        } else if negated {
            return Err(self.unexpected());
        } else {
            ExprKind::HasLabels(left, self.label_expression()?)
        };
        Ok(Expr::new(at, kind))
    }

    /// `NFC NORMALIZED`, with NFC as the default.
    fn normal_form(&mut self) -> Option<NormalForm> {
        if self.take_word("NORMALIZED") {
            return Some(NormalForm::Nfc);
        }
        let form = match self.token() {
            Token::Word(word) => normal_form(word)?,
            _ => return None,
        };
        if !self.is_word_at(self.here() + 1, "NORMALIZED") {
            return None;
        }
        self.advance();
        self.advance();
        Some(form)
    }

    /// An operand with the operators before it. `NOT` binds less tightly than what is behind it.
    fn signed(&mut self, loosest: Level) -> Read<Expr> {
        let at = self.position();
        if self.is_not() {
            self.advance();
            self.grow(1)?;
            let level = loosest.max(Level::Not);
            let operand = self.right(|parser| parser.operators(level))?;
            return Ok(Expr::new(at, ExprKind::Unary(Unary::Not, Box::new(operand))));
        }
        let unary = match self.token() {
            Token::Mark("-") => Unary::Minus,
            Token::Mark("+") => Unary::Plus,
            Token::Mark("!") => return Err(self.foreign_operator()),
            _ => return self.postfix(),
        };
        self.advance();
        if unary == Unary::Minus
            && let Some(literal) = self.negative_number()?
        {
            return Ok(Expr::new(at, ExprKind::Literal(literal)));
        }
        self.grow(1)?;
        let operand = self.right(|parser| parser.signed(Level::Sign))?;
        Ok(Expr::new(at, ExprKind::Unary(unary, Box::new(operand))))
    }

    /// Whether `NOT` is ahead as an operator, and not a variable of that name.
    fn is_not(&self) -> bool {
        self.is_word("NOT") && self.begins_operand(self.here() + 1)
    }

    /// The number behind a minus sign, if it is one that stands alone.
    fn negative_number(&mut self) -> Read<Option<Literal>> {
        let literal = match *self.token() {
            Token::Integer(size) if size <= 1 << 63 => {
                Literal::Integer(0_i64.wrapping_sub_unsigned(size))
            }
            Token::Float(size) => Literal::Float(-size),
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(literal))
    }

    /// A literal number without a sign.
    pub(in crate::text) fn positive_integer(&mut self, size: u64) -> Read<Expr> {
        let at = self.position();
        let value = i64::try_from(size).map_err(|_| integer_overflow(&self.written(), at))?;
        self.advance();
        Ok(Expr::new(at, ExprKind::Literal(Literal::Integer(value))))
    }

    /// Operators behind an operand that is already there, as `WHEN > 3` has it.
    pub(in crate::text) fn test_of(&mut self, left: Expr) -> Read<Expr> {
        self.measured(|parser| parser.operators_behind(left, Level::Comparison))
    }

    /// An atom with its properties, indexes, slices and labels.
    fn postfix(&mut self) -> Read<Expr> {
        let mut expr = self.atom()?;
        loop {
            let at = expr.at;
            let kind = match self.token() {
                Token::Mark(".") => {
                    self.advance();
                    ExprKind::Property(Box::new(expr), self.name("a key")?)
                }
                Token::Mark("[") => self.index(expr)?,
                Token::Mark(":") if self.begins_label(self.here() + 1) => {
                    self.advance();
                    ExprKind::HasLabels(Box::new(expr), self.label_expression()?)
                }
                _ => return Ok(expr),
            };
            self.grow(1)?;
            expr = Expr::new(at, kind);
        }
    }

    /// `[i]`, `[from..to]`.
    fn index(&mut self, of: Expr) -> Read<ExprKind> {
        self.advance();
        self.with_pipe_ending(false, |parser| {
            let of = Box::new(of);
            let from = match parser.is_mark("..") {
                true => None,
                false => Some(Box::new(parser.expression()?)),
            };
            let from = match from {
                Some(index) if !parser.is_mark("..") => {
                    parser.expect_also("..");
                    parser.expect("]")?;
                    return Ok(ExprKind::Index(of, index));
                }
                from => from,
            };
            parser.expect("..")?;
            let to = match parser.is_mark("]") {
                true => None,
                false => Some(Box::new(parser.expression()?)),
            };
            parser.expect("]")?;
            Ok(ExprKind::Slice(of, from, to))
        })
    }
}

/// The name of a normal form.
pub(in crate::text) fn normal_form(word: &str) -> Option<NormalForm> {
    let forms = [
        ("NFC", NormalForm::Nfc),
        ("NFD", NormalForm::Nfd),
        ("NFKC", NormalForm::Nfkc),
        ("NFKD", NormalForm::Nfkd),
    ];
    forms.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, form)| form)
}

fn operator_of_mark(mark: &str) -> Option<Operator> {
    let (level, binary) = match mark {
        "=" => (Level::Comparison, Binary::Equal),
        "<>" => (Level::Comparison, Binary::NotEqual),
        "<" => (Level::Comparison, Binary::Less),
        "<=" => (Level::Comparison, Binary::LessOrEqual),
        ">" => (Level::Comparison, Binary::Greater),
        ">=" => (Level::Comparison, Binary::GreaterOrEqual),
        "=~" => (Level::Predicate, Binary::Matches),
        "+" => (Level::Additive, Binary::Plus),
        "-" => (Level::Additive, Binary::Minus),
        "||" => (Level::Additive, Binary::Concatenate),
        "*" => (Level::Multiplicative, Binary::Times),
        "/" => (Level::Multiplicative, Binary::Divide),
        "%" => (Level::Multiplicative, Binary::Modulo),
        "^" => (Level::Power, Binary::Power),
        "::" => return Some(Operator::Typed),
        _ => return None,
    };
    Some(Operator::Binary(level, binary))
}

fn joined(binary: Binary, left: Expr, right: Expr) -> Expr {
    Expr::new(left.at, ExprKind::Binary(binary, Box::new(left), Box::new(right)))
}

/// Operands of an associative operator as a tree, in their order.
fn tree_of(binary: Binary, first: Expr, mut others: Vec<Expr>) -> Expr {
    if others.len() < PLAIN_CHAIN_MAX {
        return others.into_iter().fold(first, |left, right| joined(binary, left, right));
    }
    let mut behind = others.split_off(others.len() / 2).into_iter();
    let left = tree_of(binary, first, others);
    match behind.next() {
        Some(middle) => joined(binary, left, tree_of(binary, middle, behind.collect())),
        None => left,
    }
}
