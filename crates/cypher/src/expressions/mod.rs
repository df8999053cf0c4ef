//! Expressions of a resolved tree to expressions of a plan.
//!
//! What an expression needs before its row can be evaluated (subqueries, patterns) is added to the open pipeline as
//! operators that run for all rows together. An absent property counts as null wherever Cypher can tell.
//!
//! Queries and patterns are translated by modules above, which the translator has as its `nested`; neither is named here.

mod calls;
mod comprehensions;
mod lists;
mod literals;
mod operators;
mod subqueries;

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::{
    Expr, Function, Makes, Name, Quantifier, Unknown, functions as functions_of_plan,
};

use crate::limits;
use crate::primitives::{self, equal, or_null, properties, storable, whole_list};
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::{self, ExprKind, LabelExpr, MapItem, NormalForm};
use crate::types::Type;

pub(crate) use calls::fold_of;
pub(crate) use lists::{list_of, list_or_single};

/// A normal form of Unicode as functions of a plan have it.
pub(crate) fn normal_form(form: NormalForm) -> functions_of_plan::NormalForm {
    match form {
        NormalForm::Nfc => functions_of_plan::NormalForm::Nfc,
        NormalForm::Nfd => functions_of_plan::NormalForm::Nfd,
        NormalForm::Nfkc => functions_of_plan::NormalForm::Nfkc,
        NormalForm::Nfkd => functions_of_plan::NormalForm::Nfkd,
    }
}

/// The value of an expression; null where a property is absent.
pub(crate) fn value_of(translator: &mut Translator<'_>, expr: &tree::Expr) -> Result<Expr> {
    let value = translator.expr(expr)?;
    Ok(or_null(value))
}

impl Translator<'_> {
    /// The expression; absent where it is a property that an element does not have.
    pub(crate) fn expr(&mut self, expr: &tree::Expr) -> Result<Expr> {
        if let Some(column) = self.known_column(expr) {
            return Ok(Expr::Column(column));
        }
        let made = self.made(expr)?;
        require_bounded(expr, &made)?;
        Ok(made)
    }

    fn made(&mut self, expr: &tree::Expr) -> Result<Expr> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Expr::Literal(literals::value(literal))),
            ExprKind::Parameter(name) => Ok(self.parameter(name)),
            ExprKind::Variable(variable) => Ok(Expr::Column(self.column_of(variable)?)),
            ExprKind::List(entries) => {
                let entries = entries.iter().map(|entry| value_of(self, entry));
                Ok(Expr::List(entries.collect::<Result<_>>()?))
            }
            ExprKind::Map(pairs) => Ok(Expr::Map(self.pairs(pairs)?)),
            ExprKind::MapProjection(projection) => self.map_projection(projection),
            ExprKind::Property(of, key) => self.property(of, key),
            ExprKind::Index(of, at) => {
                let kind = type_of(of, self.symbols);
                let of = value_of(self, of)?;
                if let Type::List(_) = kind {
                    return Ok(Expr::call(Function::At, vec![of, value_of(self, at)?]));
                }
                let of = self.living(of, &kind, false);
                let of = match self.inside {
                    0 => Expr::Column(self.as_column("of", of)),
                    _ => of,
                };
                Ok(Expr::at(of, value_of(self, at)?))
            }
            ExprKind::Slice(of, from, to) => {
                let of = whole_list(value_of(self, of)?);
                let from = from.as_ref().map(|from| value_of(self, from)).transpose()?;
                let to = to.as_ref().map(|to| value_of(self, to)).transpose()?;
                Ok(primitives::slice(of, from, to))
            }
            ExprKind::HasLabels(of, labels) => {
                let element = self.expr(of)?;
                self.labels(element, &type_of(of, self.symbols), labels)
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::Comparisons(first, rest) => self.comparisons(first, rest),
            ExprKind::IsNull(of, wanted) => {
                let is_null = Expr::IsNull(Box::new(self.expr(of)?));
                Ok(if *wanted { is_null } else { is_null.negate() })
            }
            ExprKind::IsType(of, wanted, negated) => {
                let of = value_of(self, of)?;
                let has_type = primitives::has_type(of, wanted, &mut || self.plan.column("entry"));
                Ok(if *negated { has_type.negate() } else { has_type })
            }
            ExprKind::IsNormalized(of, form, negated) => {
                let of = value_of(self, of)?;
                let is_normalized = Function::IsNormalized(normal_form(*form));
                let test = Expr::call(is_normalized, vec![of]);
                Ok(if *negated { test.negate() } else { test })
            }
            ExprKind::Call(call) => calls::translate(self, expr.at, call),
            ExprKind::CountAll => Err(calls::misplaced_aggregate(expr)),
            ExprKind::Case(case) => self.case(case),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Quantified(kind, comprehension) => self.quantified(*kind, comprehension),
            ExprKind::Reduce(reduce) => self.reduce(reduce),
            ExprKind::PatternComprehension(pattern) => self.pattern_comprehension(pattern),
            ExprKind::Pattern(pattern) => self.pattern_exists(pattern),
            ExprKind::ShortestPath(pattern) => self.shortest_path_value(pattern),
            ExprKind::Subquery(kind, query) => self.subquery(*kind, query),
        }
    }

    /// Pairs of a map.
    pub(crate) fn pairs(&mut self, pairs: &[(Name, tree::Expr)]) -> Result<Vec<(Name, Expr)>> {
        pairs.iter().map(|(key, value)| Ok((key.clone(), value_of(self, value)?))).collect()
    }

    /// Pairs of a map that become properties.
    pub(crate) fn stored_pairs(
        &mut self,
        pairs: &[(Name, tree::Expr)],
    ) -> Result<Vec<(Name, Expr)>> {
        let stored = |(key, value): &(Name, tree::Expr)| {
            let kind = type_of(value, self.symbols);
            Ok((key.clone(), storable(value_of(self, value)?, &kind)))
        };
        pairs.iter().map(stored).collect()
    }

    /// `of.key`: of an element a property, of a map a value, of anything else a component.
    fn property(&mut self, of: &tree::Expr, key: &Name) -> Result<Expr> {
        let element = value_of(self, of)?;
        let element = Box::new(self.living(element, &type_of(of, self.symbols), false));
        Ok(Expr::Property { element, key: key.clone() })
    }

    fn map_projection(&mut self, projection: &tree::MapProjection) -> Result<Expr> {
        let of = Expr::Column(self.column_of(&projection.variable)?);
        let mut parts = Vec::new();
        let mut pairs: Vec<(Name, Expr)> = Vec::new();
        for item in &projection.items {
            match item {
                MapItem::AllProperties => {
                    if !pairs.is_empty() {
                        parts.push(Expr::Map(std::mem::take(&mut pairs)));
                    }
                    parts.push(properties(of.clone()));
                }
                MapItem::Property(key) => {
                    let element = Box::new(of.clone());
                    let value = Expr::Property { element, key: key.clone() };
                    pairs.push((key.clone(), or_null(value)));
                }
                MapItem::Variable(variable) => {
                    let value = Expr::Column(self.column_of(variable)?);
                    pairs.push((variable.name.clone(), value));
                }
                MapItem::Entry(key, value) => pairs.push((key.clone(), value_of(self, value)?)),
            }
        }
        if !pairs.is_empty() || parts.is_empty() {
            parts.push(Expr::Map(pairs));
        }
        let made = match <[Expr; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => primitives::merge_maps(parts),
        };
        // Of null it is null.
        let branches = vec![(Expr::IsNull(Box::new(of)).negate(), made)];
        Ok(Expr::Case { branches, otherwise: None })
    }

    fn case(&mut self, case: &tree::Case) -> Result<Expr> {
        let subject = case.subject.as_ref().map(|subject| value_of(self, subject)).transpose()?;
        let mut branches = Vec::new();
        for (tests, value) in &case.branches {
            let mut conditions = Vec::new();
            for test in tests {
                conditions.push(match (test, &subject) {
                    (tree::CaseTest::Value(value), Some(subject)) => {
                        equal(subject.clone(), value_of(self, value)?)
                    }
                    (tree::CaseTest::Value(test) | tree::CaseTest::Test(test), _) => {
                        self.expr(test)?
                    }
                });
            }
            let condition = match <[Expr; 1]>::try_from(conditions) {
                Ok([only]) => only,
                Err(conditions) => Expr::Or(conditions),
            };
            branches.push((condition, value_of(self, value)?));
        }
        let otherwise = case.otherwise.as_ref().map(|value| value_of(self, value)).transpose()?;
        Ok(Expr::Case { branches, otherwise: otherwise.map(Box::new) })
    }

    /// Whether an element has labels, or a type.
    pub(crate) fn labels(
        &mut self,
        element: Expr,
        kind: &Type,
        labels: &LabelExpr,
    ) -> Result<Expr> {
        Ok(match labels {
            LabelExpr::Name(_, name) => match kind {
                Type::Node => Expr::HasLabel { vertex: Box::new(element), label: name.clone() },
                Type::Relationship => primitives::has_edge_type(element, name),
                _ => Expr::HasLabel { vertex: Box::new(element), label: name.clone() },
            },
            LabelExpr::Dynamic(names) => {
                self.dynamic_labels(element, kind, names, Quantifier::All)?
            }
            LabelExpr::DynamicAny(names) => {
                self.dynamic_labels(element, kind, names, Quantifier::Any)?
            }
            LabelExpr::Any(_) => match kind {
                Type::Relationship => Expr::IsNull(Box::new(element)).negate(),
                _ => primitives::has_some_label(element),
            },
            LabelExpr::Not(inner) => self.labels(element, kind, inner)?.negate(),
            LabelExpr::And(parts) => {
                let parts = parts.iter().map(|part| self.labels(element.clone(), kind, part));
                Expr::And(parts.collect::<Result<_>>()?)
            }
            LabelExpr::Or(parts) => {
                let parts = parts.iter().map(|part| self.labels(element.clone(), kind, part));
                Expr::Or(parts.collect::<Result<_>>()?)
            }
        })
    }

    /// Whether an element has all labels of an expression, or one of them: a text, or a list of texts.
    fn dynamic_labels(
        &mut self,
        element: Expr,
        kind: &Type,
        names: &tree::Expr,
        quantifier: Quantifier,
    ) -> Result<Expr> {
        let names = list_or_single(self, names)?;
        let item = self.plan.column("label");
        let holds = match kind {
            Type::Relationship => equal(Expr::EdgeType(Box::new(element)), Expr::Column(item)),
            _ => primitives::has_label(element, Expr::Column(item)),
        };
        let makes = Makes::Truth { quantifier, unknown: Unknown::Stays, holds };
        Ok(Expr::over(names, item, makes))
    }
}

/// Some functions and operators stand for an expression that has an operand several times: nested in each other, a
/// short text would become an expression of any size.
fn require_bounded(text: &tree::Expr, made: &Expr) -> Result<()> {
    let mut made_parts = 0;
    made.walk(&mut |_| made_parts += 1);
    if made_parts <= limits::EXPRESSION_PARTS_MIN {
        return Ok(());
    }
    let mut text_parts = 0;
    text.each(&mut |_| text_parts += 1);
    if made_parts <= limits::EXPRESSION_PARTS_MIN + limits::EXPRESSION_GROWTH_MAX * text_parts {
        return Ok(());
    }
    let detail = format!("an expression of {text_parts} parts stands for one of {made_parts}");
    let help = "calculate the operands of nested functions in an earlier WITH";
    Err(Error::new(ErrorKind::LimitReached, detail)
        .in_phase(Phase::Compile)
        .at(text.at)
        .with_help(help))
}
