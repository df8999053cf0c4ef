//! Expressions over one row.
//!
//! A truth is three-valued: `None` is unknown. An operand that decides an `and`, an `or` or a
//! `case` keeps later ones from being looked at, so their errors are never raised.

use std::cmp::Ordering;

use millrace_model::compare::{self, CompareMode};
use millrace_model::{Decimal, Error, ErrorKind, Result, Value};
use millrace_plan::{
    Arithmetic, Comparison, Expr, LetRead, Makes, Over, Parameter, SetName, TruthCounts,
};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;
use crate::expressions::only_value;

type Truth = Option<bool>;

fn cell_of(truth: Truth) -> Cell {
    Cell::Value(truth.map_or(Value::Null, Value::Bool))
}

impl Oracle<'_> {
    /// Whether a predicate holds: unknown is false.
    pub(super) fn holds(&self, predicate: &Expr, row: &Row) -> Result<bool> {
        Ok(self.truth(predicate, row)? == Some(true))
    }

    fn truth(&self, expr: &Expr, row: &Row) -> Result<Truth> {
        match self.evaluate(expr, row)?.value() {
            Value::Null => Ok(None),
            Value::Bool(truth) => Ok(Some(truth)),
            other => Err(wrong_type("a condition", &other)),
        }
    }

    pub(super) fn evaluate(&self, expr: &Expr, row: &Row) -> Result<Cell> {
        let value = |expr: &Expr| self.evaluate(expr, row).map(|cell| cell.value());
        Ok(match expr {
            Expr::Column(column) => row.get(*column)?,
            Expr::Literal(value) => Cell::Value(value.clone()),
            Expr::Parameter(id) => match self.parameter(*id)? {
                Parameter::Value(value) => Cell::Value(value.clone()),
                Parameter::Rows(_) => {
                    let detail = format!("parameter {} is rows, not one value", id.0);
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
            },
            Expr::Let { name, read } => {
                let mut cells = self.first_of_let(*name)?;
                match read {
                    LetRead::First => Cell::Value(cells.next().map_or(Value::Null, Cell::value)),
                    LetRead::All => {
                        let there = cells.filter(|cell| **cell != Cell::Absent);
                        Cell::Value(Value::list(there.map(Cell::value).collect()))
                    }
                }
            }
            Expr::Property { element, key } => self.property(&self.evaluate(element, row)?, key)?,
            Expr::Properties { element, keys } => {
                Cell::Value(self.property_map(&value(element)?, keys.as_deref())?)
            }
            Expr::Id(element) => Cell::Value(self.id(&value(element)?)?),
            Expr::Labels(vertex) => Cell::Value(match value(vertex)? {
                Value::Null => Value::Null,
                Value::Vertex(vertex) => {
                    let names = self.labels(vertex)?.into_iter();
                    Value::list(names.map(Value::String).collect())
                }
                other => return Err(wrong_type("labels", &other)),
            }),
            Expr::HasLabel { vertex, label } => cell_of(match value(vertex)? {
                Value::Null => None,
                Value::Vertex(vertex) => Some(self.labels(vertex)?.contains(label)),
                other => return Err(wrong_type("a label", &other)),
            }),
            Expr::EdgeType(edge) => Cell::Value(match value(edge)? {
                Value::Null => Value::Null,
                Value::Edge(edge) => self.edge_type(edge)?,
                other => return Err(wrong_type("an edge type", &other)),
            }),
            Expr::EdgeEnd { edge, end } => self.end(&self.evaluate(edge, row)?, *end)?,
            Expr::Living { element, only_edges } => {
                let cell = self.evaluate(element, row)?;
                let kind = match &cell {
                    Cell::Value(Value::Vertex(_)) if !only_edges => "vertex",
                    Cell::Value(Value::Edge(_)) => "edge",
                    _ => return Ok(cell),
                };
                if self.is_deleted(&cell.value())? {
                    return Err(crate::expressions::deleted(kind));
                }
                cell
            }
            Expr::Compare { comparison, left, right } => {
                let (left, right) = (self.evaluate(left, row)?, self.evaluate(right, row)?);
                cell_of(self.compare(*comparison, &left, &right))
            }
            Expr::And(parts) => cell_of(self.chain(parts, row, false)?),
            Expr::Or(parts) => cell_of(self.chain(parts, row, true)?),
            Expr::Not(inner) => cell_of(self.truth(inner, row)?.map(|truth| !truth)),
            Expr::IsNull(inner) => {
                let cell = self.evaluate(inner, row)?;
                cell_of(Some(matches!(cell, Cell::Absent | Cell::Value(Value::Null))))
            }
            Expr::IsAbsent(inner) => cell_of(Some(self.evaluate(inner, row)? == Cell::Absent)),
            Expr::InSet { item, set } => {
                let item = self.evaluate(item, row)?;
                cell_of(Some(item != Cell::Absent && self.is_in_set(&item, set)?))
            }
            Expr::InList { item, list } => {
                cell_of(self.is_in_list(&self.evaluate(item, row)?, &value(list)?)?)
            }
            Expr::Arithmetic { operation, left, right } => {
                Cell::Value(calculate(*operation, &value(left)?, &value(right)?)?)
            }
            Expr::Call { function, arguments } => {
                let arguments = arguments.iter().map(value).collect::<Result<Vec<_>>>()?;
                Cell::Value(function.call(&arguments)?)
            }
            Expr::AnyValue { property, test } => {
                let Cell::Value(Value::PropertyValues(several)) = self.evaluate(property, row)?
                else {
                    return self.evaluate(test, row);
                };
                let mut result = Some(false);
                for own in several.values() {
                    let mut test = (**test).clone();
                    test.replace(property, &Expr::Literal(own.value.clone()));
                    match self.truth(&test, row)? {
                        Some(true) => return Ok(cell_of(Some(true))),
                        Some(false) => {}
                        None => result = None,
                    }
                }
                cell_of(result)
            }
            Expr::SingleValue(property) => match self.evaluate(property, row)? {
                Cell::Value(value) => Cell::Value(only_value(&value, property.key())?),
                missing => missing,
            },
            Expr::List(items) => {
                let items = items.iter().map(|item| self.evaluate(item, row));
                let items = items.collect::<Result<Vec<_>>>()?.into_iter();
                let there = items.filter(|item| *item != Cell::Absent);
                Cell::Value(Value::list(there.map(|item| item.value()).collect()))
            }
            Expr::Map(pairs) => {
                let mut map = Vec::new();
                for (name, expr) in pairs {
                    let cell = self.evaluate(expr, row)?;
                    if cell != Cell::Absent {
                        map.push((Value::String(name.clone()), cell.value()));
                    }
                }
                Cell::Value(Value::map(map))
            }
            Expr::Case { branches, otherwise } => {
                for (condition, then) in branches {
                    if self.holds(condition, row)? {
                        return self.evaluate(then, row);
                    }
                }
                match otherwise {
                    Some(otherwise) => self.evaluate(otherwise, row)?,
                    None => Cell::NULL,
                }
            }
            Expr::Over(over) => self.over(over, row)?,
        })
    }

    fn over(&self, over: &Over, row: &Row) -> Result<Cell> {
        let entries = match self.evaluate(&over.list, row)?.value() {
            Value::Null => return Ok(Cell::NULL),
            Value::List(values) | Value::Set(values) => values,
            other => return Err(wrong_type("entries", &other)),
        };
        let inner = entries.iter().map(|entry| row.with(over.item, Cell::Value(entry.clone())));
        match &over.makes {
            Makes::List { keep, value } => {
                let mut made = Vec::new();
                for (inner, entry) in inner.zip(entries.iter()) {
                    let kept = match keep {
                        Some(keep) => self.holds(keep, &inner)?,
                        None => true,
                    };
                    let cell = match value {
                        Some(value) if kept => self.evaluate(value, &inner)?,
                        None if kept => Cell::Value(entry.clone()),
                        _ => Cell::Absent,
                    };
                    made.extend((cell != Cell::Absent).then(|| cell.value()));
                }
                Ok(Cell::Value(Value::list(made)))
            }
            Makes::Truth { quantifier, unknown, holds } => {
                let mut counts = TruthCounts::default();
                for inner in inner {
                    counts.add(self.truth(holds, &inner)?, *unknown);
                }
                Ok(cell_of(quantifier.of(counts)))
            }
            Makes::Fold { accumulator, start, next } => {
                let mut value = self.evaluate(start, row)?.value();
                for inner in inner {
                    let inner = inner.with(*accumulator, Cell::Value(value));
                    value = self.evaluate(next, &inner)?.value();
                }
                Ok(Cell::Value(value))
            }
        }
    }

    /// An `or` if true decides, an `and` if false does.
    fn chain(&self, parts: &[Expr], row: &Row, decides: bool) -> Result<Truth> {
        let mut result = Some(!decides);
        for part in parts {
            match self.truth(part, row)? {
                Some(truth) if truth == decides => return Ok(Some(decides)),
                Some(_) => {}
                None => result = None,
            }
        }
        Ok(result)
    }

    fn compare(&self, comparison: Comparison, left: &Cell, right: &Cell) -> Truth {
        let (Cell::Value(left), Cell::Value(right)) = (left, right) else { return None };
        let mode = self.plan.compare;
        match comparison {
            Comparison::Equal => compare::equal(left, right, mode),
            Comparison::NotEqual => compare::equal(left, right, mode).map(|equal| !equal),
            Comparison::Less => compare::relate(left, right, mode).holds(Ordering::is_lt),
            Comparison::LessEqual => compare::relate(left, right, mode).holds(Ordering::is_le),
            Comparison::Greater => compare::relate(left, right, mode).holds(Ordering::is_gt),
            Comparison::GreaterEqual => compare::relate(left, right, mode).holds(Ordering::is_ge),
        }
    }

    fn is_in_set(&self, item: &Cell, set: &SetName) -> Result<bool> {
        match set {
            SetName::Let(id) => Ok(self.first_of_let(*id)?.any(|cell| cell == item)),
            SetName::SideEffect(name) => {
                let collection = self.side_effects.get(name);
                Ok(collection.is_some_and(|collection| collection.contains(&item.value())))
            }
        }
    }

    pub(super) fn is_in_list(&self, item: &Cell, list: &Value) -> Result<Truth> {
        let values = match (item, list) {
            (_, Value::Null) => return Ok(None),
            (Cell::Absent, _) if self.plan.compare != CompareMode::NullIsUnknown => {
                return Ok(None);
            }
            (_, Value::List(values) | Value::Set(values)) => values,
            (_, other) => return Err(wrong_type("membership", other)),
        };
        let item = item.value();
        let mut result = Some(false);
        for value in values.iter() {
            match compare::equal(&item, value, self.plan.compare) {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => result = None,
            }
        }
        Ok(result)
    }
}

fn calculate(operation: Arithmetic, left: &Value, right: &Value) -> Result<Value> {
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    if let (Some(left), Some(right)) = (left.as_int(), right.as_int()) {
        let result = match operation {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => left.checked_div(right),
            Arithmetic::Remainder if right == -1 => Some(0),
            Arithmetic::Remainder => left.checked_rem(right),
        };
        return result.map(Value::I64).ok_or_else(no_result);
    }
    let is_exact = |value: &Value| matches!(value, Value::Decimal(_)) || value.as_int().is_some();
    let divides = matches!(operation, Arithmetic::Divide | Arithmetic::Remainder);
    if is_exact(left) && is_exact(right) && !divides {
        return calculate_exactly(operation, left, right);
    }
    let (Some(a), Some(b)) = (left.as_double(), right.as_double()) else {
        let odd = if left.as_double().is_none() { left } else { right };
        return Err(wrong_type("arithmetic", odd));
    };
    Ok(Value::F64(match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
    }))
}

fn calculate_exactly(operation: Arithmetic, left: &Value, right: &Value) -> Result<Value> {
    let decimal = |value: &Value| match value {
        Value::Decimal(decimal) => **decimal,
        other => Decimal { unscaled: i128::from(other.as_int().unwrap_or_default()), scale: 0 },
    };
    let (left, right) = (decimal(left), decimal(right));
    let result = if operation == Arithmetic::Multiply {
        let product = left.unscaled.checked_mul(right.unscaled);
        let scale = left.scale.checked_add(right.scale);
        let product = product.zip(scale).map(|(unscaled, scale)| Decimal { unscaled, scale });
        product.ok_or_else(no_result)?
    } else if operation == Arithmetic::Subtract {
        let negated = right.unscaled.checked_neg().ok_or_else(no_result)?;
        super::sum::add_decimals(left, Decimal { unscaled: negated, ..right })?
    } else {
        super::sum::add_decimals(left, right)?
    };
    Ok(Value::Decimal(result.into()))
}

fn no_result() -> Error {
    Error::new(ErrorKind::BadQuery, "an integer is divided by zero or does not fit")
}
