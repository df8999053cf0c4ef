//! From plan expressions to nodes: columns become slots, property reads of one column one gather.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::{ColumnId, Expr, LetId, LetRead, Makes, Name, Over, Plan, SetName};

use super::evaluate::{Exprs, Node};
use super::gather::Gather;
use super::over;
use crate::context::Resolved;
use crate::limits;

/// Compiles the expressions of one operator against its input columns.
pub(crate) struct ExprCompiler<'a> {
    plan: &'a Plan,
    layout: &'a [ColumnId],
    gathers: Vec<Gather>,
    /// The columns that exist only inside an expression: their slots are behind the layout's.
    bound: Vec<ColumnId>,
    /// The slots and gathers that inner expressions read, for each expression over lists that is open.
    scopes: Vec<over::Scope>,
}

impl<'a> ExprCompiler<'a> {
    pub(crate) fn new(plan: &'a Plan, layout: &'a [ColumnId]) -> ExprCompiler<'a> {
        ExprCompiler { plan, layout, gathers: Vec::new(), bound: Vec::new(), scopes: Vec::new() }
    }

    /// All expressions of an operator, in order.
    pub(crate) fn compile<'e>(
        mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Exprs> {
        let nodes = exprs.into_iter().map(|expr| self.node(expr, 0)).collect::<Result<_>>()?;
        Ok(Exprs { nodes, gathers: self.gathers })
    }

    fn boxed(&mut self, expr: &Expr, depth: usize) -> Result<Box<Node>> {
        self.node(expr, depth).map(Box::new)
    }

    fn nodes(&mut self, exprs: &[Expr], depth: usize) -> Result<Vec<Node>> {
        exprs.iter().map(|expr| self.node(expr, depth)).collect()
    }

    fn node(&mut self, expr: &Expr, depth: usize) -> Result<Node> {
        let of_text = limits::EXPRESSION_DEPTH_OF_LEVEL_MAX * self.plan.levels;
        let depth_max = limits::EXPRESSION_DEPTH_MAX.max(of_text);
        if depth_max < depth {
            return Err(bad(format!("an expression nests deeper than {depth_max} levels")));
        }
        let deeper = depth + 1;
        Ok(match expr {
            Expr::Column(column) => {
                let slot = self.slot(*column)?;
                self.note(slot, None);
                Node::Slot(slot)
            }
            Expr::Literal(value) => Node::Constant(value.clone()),
            Expr::Parameter(parameter) => {
                if self.plan.parameters.len() <= parameter.0 as usize {
                    return Err(bad(format!("the plan has no parameter {}", parameter.0)));
                }
                Node::Parameter(*parameter)
            }
            Expr::Let { name, read } => self.let_value(*name, *read)?,
            Expr::Property { element, key } => self.property(element, key, deeper)?,
            Expr::Properties { element, keys } => {
                let keys = keys.as_ref().map(|keys| keys.iter().map(Resolved::new).collect());
                Node::Properties { element: self.boxed(element, deeper)?, keys }
            }
            Expr::Id(inner) => Node::Id(self.boxed(inner, deeper)?),
            Expr::Labels(inner) => Node::Labels(self.boxed(inner, deeper)?),
            Expr::HasLabel { vertex, label } => {
                Node::HasLabel { vertex: self.boxed(vertex, deeper)?, label: Resolved::new(label) }
            }
            Expr::EdgeType(inner) => Node::EdgeType(self.boxed(inner, deeper)?),
            Expr::EdgeEnd { edge, end } => Node::EdgeEnd(self.boxed(edge, deeper)?, *end),
            Expr::Living { element, only_edges } => {
                Node::Living(self.boxed(element, deeper)?, *only_edges)
            }
            Expr::Compare { comparison, left, right } => Node::Compare {
                comparison: *comparison,
                left: self.boxed(left, deeper)?,
                right: self.boxed(right, deeper)?,
            },
            Expr::And(parts) => Node::And(self.nodes(parts, deeper)?),
            Expr::Or(parts) => Node::Or(self.nodes(parts, deeper)?),
            Expr::Not(inner) => Node::Not(self.boxed(inner, deeper)?),
            Expr::IsNull(inner) => Node::IsNull(self.boxed(inner, deeper)?),
            Expr::IsAbsent(inner) => Node::IsAbsent(self.boxed(inner, deeper)?),
            Expr::InSet { item, set } => {
                self.check_set(set)?;
                Node::InSet { item: self.boxed(item, deeper)?, set: set.clone() }
            }
            Expr::InList { item, list } => {
                Node::InList { item: self.boxed(item, deeper)?, list: self.boxed(list, deeper)? }
            }
            Expr::Arithmetic { operation, left, right } => Node::Arithmetic {
                operation: *operation,
                left: self.boxed(left, deeper)?,
                right: self.boxed(right, deeper)?,
            },
            Expr::Call { function, arguments } => {
                Node::Call { function: *function, arguments: self.nodes(arguments, deeper)? }
            }
            Expr::AnyValue { property, test } => {
                let Node::Gathered { gather, key } = self.node(property, deeper)? else {
                    return Err(bad("`some` of an expression that is not a property of a \
                                    column"
                        .into()));
                };
                Node::AnyValue { gather, key, test: self.boxed(test, deeper)? }
            }
            Expr::SingleValue(property) => {
                let name = property.key().cloned();
                Node::SingleValue { property: self.boxed(property, deeper)?, name }
            }
            Expr::List(items) => Node::List(self.nodes(items, deeper)?),
            Expr::Map(pairs) => Node::Map(
                pairs
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), self.node(value, deeper)?)))
                    .collect::<Result<_>>()?,
            ),
            Expr::Case { branches, otherwise } => Node::Case {
                branches: branches
                    .iter()
                    .map(|(holds, value)| {
                        Ok((self.node(holds, deeper)?, self.node(value, deeper)?))
                    })
                    .collect::<Result<_>>()?,
                otherwise: match otherwise {
                    Some(otherwise) => Some(self.boxed(otherwise, deeper)?),
                    None => None,
                },
            },
            Expr::Over(over) => Node::Over(Box::new(self.over(over, deeper)?)),
        })
    }

    fn over(&mut self, over: &Over, depth: usize) -> Result<over::Over> {
        let list = self.node(&over.list, depth)?;
        let start = match &over.makes {
            Makes::Fold { start, .. } => Some(self.node(start, depth)?),
            Makes::List { .. } | Makes::Truth { .. } => None,
        };
        let item = self.layout.len() + self.bound.len();
        self.scopes.push(over::Scope { item, read: Vec::new(), gathers: Vec::new() });
        self.bound.extend(over.bound());
        let optional = |this: &mut Self, expr: &Option<Expr>| -> Result<Option<Node>> {
            expr.as_ref().map(|expr| this.node(expr, depth)).transpose()
        };
        let makes = match (&over.makes, start) {
            (Makes::Fold { next, .. }, start) => {
                let start = start.ok_or_else(|| bug("a fold has a start"))?;
                over::Makes::Fold { start, next: self.node(next, depth)? }
            }
            (Makes::List { keep, value }, _) => {
                over::Makes::List { keep: optional(self, keep)?, value: optional(self, value)? }
            }
            (Makes::Truth { quantifier, unknown, holds }, _) => over::Makes::Truth {
                quantifier: *quantifier,
                unknown: *unknown,
                holds: self.node(holds, depth)?,
            },
        };
        self.bound.truncate(item - self.layout.len());
        let scope =
            self.scopes.pop().ok_or_else(|| bug("a scope is opened before it is closed"))?;
        Ok(over::Over { list, makes, scope })
    }

    /// Notes for the open expressions over lists that a slot is read, and through which gather.
    fn note(&mut self, slot: usize, gather: Option<usize>) {
        for scope in self.scopes.iter_mut().filter(|scope| slot < scope.item) {
            if !scope.read.contains(&slot) {
                scope.read.push(slot);
            }
            if let Some(gather) = gather.filter(|gather| !scope.gathers.contains(gather)) {
                scope.gathers.push(gather);
            }
        }
    }

    /// A property of a column joins that column's gather; of anything else it is read by itself.
    fn property(&mut self, element: &Expr, key: &Name, depth: usize) -> Result<Node> {
        let Expr::Column(column) = element else {
            let element = self.boxed(element, depth)?;
            return Ok(Node::Property { element, key: [Resolved::new(key)] });
        };
        let slot = self.slot(*column)?;
        let found = self.gathers.iter().position(|gather| gather.slot == slot);
        let gather = found.unwrap_or_else(|| {
            self.gathers.push(Gather { slot, keys: Vec::new() });
            self.gathers.len() - 1
        });
        self.note(slot, Some(gather));
        let keys = &mut self.gathers[gather].keys;
        let key = keys.iter().position(|known| known.name() == key).unwrap_or_else(|| {
            keys.push(Resolved::new(key));
            keys.len() - 1
        });
        Ok(Node::Gathered { gather, key })
    }

    fn let_value(&self, name: LetId, read: LetRead) -> Result<Node> {
        self.check_set(&SetName::Let(name))?;
        Ok(Node::Let { name, read })
    }

    fn check_set(&self, set: &SetName) -> Result<()> {
        match set {
            SetName::Let(id) if self.plan.lets.len() <= id.0 as usize => {
                Err(bad(format!("the plan has no Let {}", id.0)))
            }
            SetName::Let(id) if self.plan.lets[id.0 as usize].columns.is_empty() => {
                Err(bad(format!("Let {} keeps no column to be read as a set", id.0)))
            }
            SetName::Let(_) | SetName::SideEffect(_) => Ok(()),
        }
    }

    fn slot(&self, column: ColumnId) -> Result<usize> {
        match self.bound.iter().rposition(|bound| *bound == column) {
            Some(place) => Ok(self.layout.len() + place),
            None => slot_of(self.plan, self.layout, column),
        }
    }
}

/// Where a column is in a layout; an error that names it if it is not there.
pub(crate) fn slot_of(plan: &Plan, layout: &[ColumnId], column: ColumnId) -> Result<usize> {
    layout.iter().position(|&known| known == column).ok_or_else(|| {
        let name = plan.columns.get(column.0 as usize).map_or("?", |name| &**name);
        bad(format!("column {name}#{} is read where it does not exist", column.0))
    })
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile)
}

/// A bug of the compiler itself, said rather than panicked.
pub(crate) fn bug(detail: &str) -> Error {
    Error::new(ErrorKind::Bug, detail)
}
