//! Look-ups by name: a row's map, collections and tags; procedures.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Call, Lookup};

use super::Oracle;
use super::cell::{Cell, Row};

/// Each value with how often it is there.
fn counted(collected: &[Value]) -> Value {
    let mut pairs: Vec<(&Value, i64)> = Vec::new();
    for value in collected {
        match pairs.iter_mut().find(|(own, _)| *own == value) {
            Some((_, times)) => *times += 1,
            None => pairs.push((value, 1)),
        }
    }
    let pair = |(value, times): (&Value, i64)| Value::list(vec![value.clone(), times.into()]);
    Value::list(pairs.into_iter().map(pair).collect())
}

impl Oracle<'_> {
    pub(super) fn lookup(&self, lookup: &Lookup, rows: Vec<Row>) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let map = lookup.map.map(|map| row.get(map)).transpose()?;
            let own = match map.as_ref().and_then(Cell::present) {
                Some(Value::Map(pairs)) => {
                    let named = |key: &Value| key.as_str() == Some(&*lookup.name);
                    pairs.iter().find(|(key, _)| named(key)).map(|(_, value)| value.clone())
                }
                _ => None,
            };
            let collected = self.side_effects.get(&lookup.name).filter(|all| !all.is_empty());
            let found = match (own, collected, lookup.tag) {
                (Some(value), _, _) => Cell::Value(value),
                (None, Some(collected), _) if lookup.counted => Cell::Value(counted(collected)),
                (None, Some(collected), _) => Cell::Value(Value::list(collected.clone())),
                (None, None, Some(tag)) => row.get(tag)?,
                (None, None, None) => Cell::Absent,
            };
            result.push(row.with(lookup.to, found));
        }
        Ok(result)
    }

    /// Calls a procedure row by row. Its result is not checked: the oracle and the engine share the code.
    pub(super) fn call(&self, call: &Call, rows: &[Row]) -> Result<Vec<Row>> {
        let unknown = || Error::new(ErrorKind::Unsupported, "an unknown procedure");
        let procedures = self.context.procedures();
        let (signature, procedure) = procedures.named(&call.procedure).ok_or_else(unknown)?;
        let mut result = Vec::new();
        for row in rows {
            let mut arguments = Vec::new();
            for argument in &call.arguments {
                arguments
                    .push(Arc::new(Column::from_values([self.evaluate(argument, row)?.value()])));
            }
            let yielded = procedure.call(&arguments, 1, self.context)?;
            for place in 0..yielded.rows.len() {
                let mut row = row.clone();
                for (name, to) in &call.yields {
                    let column = &yielded.columns[signature.column(name).ok_or_else(unknown)?];
                    row = row.with(*to, Cell::from(column.get(place)));
                }
                result.push(row);
            }
        }
        Ok(result)
    }
}
