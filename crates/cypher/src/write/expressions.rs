//! Expressions, literals and types.

use std::fmt::{Display, Formatter, Result};

use super::names::{Function, Named, Parameter, Quoted};
use super::{Behind, Joined};
use crate::tree::{
    Binary, Case, CaseTest, Comprehension, Expr, ExprKind, Literal, MapItem, NormalForm,
    QuantifierKind, SubqueryKind, TypeName, Unary,
};

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            ExprKind::Literal(literal) => write!(f, "{literal}"),
            ExprKind::Parameter(name) => write!(f, "{}", Parameter(name)),
            ExprKind::Variable(variable) => write!(f, "{variable}"),
            ExprKind::List(items) => write!(f, "[{}]", Joined(items, ", ")),
            ExprKind::Map(entries) => {
                let entries: Vec<Entry<'_>> = entries.iter().map(|(k, v)| Entry(k, v)).collect();
                write!(f, "{{{}}}", Joined(&entries, ", "))
            }
            ExprKind::MapProjection(map) => {
                write!(f, "{} {{{}}}", map.variable, Joined(&map.items, ", "))
            }
            ExprKind::Property(of, key) => write!(f, "{}.{}", Base(of), Named(key)),
            ExprKind::Index(of, index) => write!(f, "{}[{index}]", Base(of)),
            ExprKind::Slice(of, from, to) => {
                write!(f, "{}[{}..{}]", Base(of), Behind("", from), Behind("", to))
            }
            ExprKind::HasLabels(of, labels) => write!(f, "({}:{labels})", Base(of)),
            ExprKind::Unary(unary, of) => write!(f, "({unary}{})", Base(of)),
            ExprKind::Binary(binary, left, right) => write!(f, "({left} {binary} {right})"),
            ExprKind::Comparisons(first, links) => {
                write!(f, "({first}")?;
                links.iter().try_for_each(|(binary, right)| write!(f, " {binary} {right}"))?;
                f.write_str(")")
            }
            ExprKind::IsNull(of, is) => write!(f, "({of} {})", null_test(*is)),
            ExprKind::IsType(of, name, not) => write!(f, "({of} {} :: {name})", is(*not)),
            ExprKind::IsNormalized(of, form, not) => {
                write!(f, "({of} {} {form} NORMALIZED)", is(*not))
            }
            ExprKind::Call(call) => {
                let distinct = if call.distinct { "DISTINCT " } else { "" };
                let arguments = Joined(&call.arguments, ", ");
                write!(f, "{}({distinct}{arguments})", Function(&call.name))
            }
            ExprKind::CountAll => f.write_str("count(*)"),
            ExprKind::Case(case) => write!(f, "{case}"),
            ExprKind::Comprehension(over) => write!(f, "[{over}]"),
            ExprKind::Quantified(kind, over) => write!(f, "{kind}({over})"),
            ExprKind::Reduce(reduce) => {
                write!(f, "reduce({} = {}, ", reduce.accumulator, reduce.start)?;
                write!(f, "{} IN {} | {})", reduce.variable, reduce.list, reduce.next)
            }
            ExprKind::PatternComprehension(over) => {
                let test = Behind(" WHERE ", &over.test);
                write!(f, "[{}{test} | {}]", over.pattern, over.value)
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => write!(f, "{pattern}"),
            ExprKind::Subquery(kind, query) => write!(f, "{kind} {{ {query} }}"),
        }
    }
}

/// An operand of what binds tightly.
struct Base<'a>(&'a Expr);

impl Display for Base<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let is_bare = match &self.0.kind {
            ExprKind::Literal(Literal::Integer(_) | Literal::Float(_)) | ExprKind::Pattern(_) => {
                false
            }
            ExprKind::Literal(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::List(_)
            | ExprKind::Map(_)
            | ExprKind::MapProjection(_)
            | ExprKind::Property(..)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::HasLabels(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Comparisons(..)
            | ExprKind::IsNull(..)
            | ExprKind::IsType(..)
            | ExprKind::IsNormalized(..)
            | ExprKind::Call(_)
            | ExprKind::CountAll
            | ExprKind::Case(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Quantified(..)
            | ExprKind::Reduce(_)
            | ExprKind::PatternComprehension(_)
            | ExprKind::ShortestPath(_)
            | ExprKind::Subquery(..) => true,
        };
        if is_bare { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}

/// An entry of a map.
struct Entry<'a>(&'a str, &'a Expr);

impl Display for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {}", Named(self.0), self.1)
    }
}

impl Display for MapItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            MapItem::Property(key) => write!(f, ".{}", Named(key)),
            MapItem::AllProperties => f.write_str(".*"),
            MapItem::Variable(variable) => write!(f, "{variable}"),
            MapItem::Entry(key, value) => write!(f, "{}", Entry(key, value)),
        }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Boolean(value) => write!(f, "{value}"),
            Literal::Integer(value) => write!(f, "{value}"),
            Literal::Float(value) if value.is_infinite() => f.write_str("Infinity"),
            Literal::Float(value) => write!(f, "{value:?}"),
            Literal::String(text) => write!(f, "{}", Quoted(text)),
        }
    }
}

impl Display for Unary {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Unary::Not => "NOT ",
            Unary::Minus => "-",
            Unary::Plus => "+",
        })
    }
}

impl Display for Binary {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Binary::Or => "OR",
            Binary::Xor => "XOR",
            Binary::And => "AND",
            Binary::Equal => "=",
            Binary::NotEqual => "<>",
            Binary::Less => "<",
            Binary::LessOrEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterOrEqual => ">=",
            Binary::Matches => "=~",
            Binary::StartsWith => "STARTS WITH",
            Binary::EndsWith => "ENDS WITH",
            Binary::Contains => "CONTAINS",
            Binary::In => "IN",
            Binary::Plus => "+",
            Binary::Minus => "-",
            Binary::Times => "*",
            Binary::Divide => "/",
            Binary::Modulo => "%",
            Binary::Power => "^",
            Binary::Concatenate => "||",
        })
    }
}

fn is(not: bool) -> &'static str {
    if not { "IS NOT" } else { "IS" }
}

fn null_test(is_null: bool) -> &'static str {
    if is_null { "IS NULL" } else { "IS NOT NULL" }
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "CASE{}", Behind(" ", &self.subject))?;
        for (tests, value) in &self.branches {
            for (place, test) in tests.iter().enumerate() {
                f.write_str(if place == 0 { " WHEN" } else { "," })?;
                match (test, &self.subject) {
                    (CaseTest::Test(test), Some(subject)) => write!(f, "{}", Test(test, subject))?,
                    (CaseTest::Test(value) | CaseTest::Value(value), _) => write!(f, " {value}")?,
                }
            }
            write!(f, " THEN {value}")?;
        }
        write!(f, "{} END", Behind(" ELSE ", &self.otherwise))
    }
}

/// A test without its leftmost operand, the subject of a `CASE`.
struct Test<'a>(&'a Expr, &'a Expr);

impl Display for Test<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Test(test, subject) = self;
        if test == subject {
            return Ok(());
        }
        match &test.kind {
            ExprKind::Binary(binary, left, right) => {
                write!(f, "{} {binary} {right}", Test(left, subject))
            }
            ExprKind::Comparisons(first, links) => {
                write!(f, "{}", Test(first, subject))?;
                links.iter().try_for_each(|(binary, right)| write!(f, " {binary} {right}"))
            }
            ExprKind::IsNull(of, is) => write!(f, "{} {}", Test(of, subject), null_test(*is)),
            ExprKind::IsType(of, name, not) => {
                write!(f, "{} {} :: {name}", Test(of, subject), is(*not))
            }
            ExprKind::IsNormalized(of, form, not) => {
                write!(f, "{} {} {form} NORMALIZED", Test(of, subject), is(*not))
            }
            ExprKind::HasLabels(of, labels) => write!(f, "{} IS {labels}", Test(of, subject)),
            _ => Ok(()),
        }
    }
}

impl Display for Comprehension {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (test, value) = (Behind(" WHERE ", &self.test), Behind(" | ", &self.value));
        write!(f, "{} IN {}{test}{value}", self.variable, self.list)
    }
}

impl Display for QuantifierKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            QuantifierKind::All => "all",
            QuantifierKind::Any => "any",
            QuantifierKind::None => "none",
            QuantifierKind::Single => "single",
        })
    }
}

impl Display for SubqueryKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            SubqueryKind::Exists => "EXISTS",
            SubqueryKind::Count => "COUNT",
            SubqueryKind::Collect => "COLLECT",
        })
    }
}

impl Display for NormalForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            NormalForm::Nfc => "NFC",
            NormalForm::Nfd => "NFD",
            NormalForm::Nfkc => "NFKC",
            NormalForm::Nfkd => "NFKD",
        })
    }
}

impl Display for TypeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let plain = match self {
            TypeName::List(inner) => return write!(f, "LIST<{inner}>"),
            TypeName::OneOf(types) => return write!(f, "ANY<{}>", Joined(types, " | ")),
            TypeName::NotNull(inner) => return write!(f, "{inner} NOT NULL"),
            TypeName::Nothing => "NOTHING",
            TypeName::Null => "NULL",
            TypeName::Boolean => "BOOLEAN",
            TypeName::String => "STRING",
            TypeName::Integer => "INTEGER",
            TypeName::Float => "FLOAT",
            TypeName::Date => "DATE",
            TypeName::LocalTime => "LOCAL TIME",
            TypeName::ZonedTime => "ZONED TIME",
            TypeName::LocalDateTime => "LOCAL DATETIME",
            TypeName::ZonedDateTime => "ZONED DATETIME",
            TypeName::Duration => "DURATION",
            TypeName::Point => "POINT",
            TypeName::Node => "NODE",
            TypeName::Relationship => "RELATIONSHIP",
            TypeName::Map => "MAP",
            TypeName::Path => "PATH",
            TypeName::PropertyValue => "PROPERTY VALUE",
            TypeName::Any => "ANY",
        };
        f.write_str(plain)
    }
}
