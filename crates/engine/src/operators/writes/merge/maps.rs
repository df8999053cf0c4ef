//! Criteria with keys that are known only from data: each row may name its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Batch, Column, Error, ErrorKind, Result, Value};
use millrace_plan::Name;

use crate::expressions::Exprs;
use crate::run::Run;

/// A map beside the keyed criteria.
pub(crate) struct MapMatch {
    keyed: Vec<Name>,
    map: Exprs,
}

/// The values that each row matches on, by name; of a name that comes twice the map's value counts.
pub(super) struct Criteria(Vec<BTreeMap<Name, Value>>);

impl MapMatch {
    pub(crate) fn new(keyed: &[Name], map: Exprs) -> MapMatch {
        MapMatch { keyed: keyed.to_vec(), map }
    }

    pub(super) fn criteria(
        &self,
        batch: &Batch,
        values: &[Arc<Column>],
        run: &Run<'_>,
    ) -> Result<Criteria> {
        let maps = self.map.evaluate_one(batch, run)?;
        let mut rows = Vec::with_capacity(batch.len);
        for row in 0..batch.len {
            let keyed = self.keyed.iter().zip(values);
            let keyed = keyed.filter_map(|(name, value)| Some((name.clone(), value.get(row)?)));
            let mut own: BTreeMap<Name, Value> = keyed.collect();
            match maps.value(row) {
                Value::Null => {}
                Value::Map(pairs) => {
                    for (name, value) in pairs.iter() {
                        let Value::String(name) = name else { return Err(no_map(name)) };
                        own.insert(name.clone(), value.clone());
                    }
                }
                other => return Err(no_map(&other)),
            }
            rows.push(own);
        }
        Ok(Criteria(rows))
    }
}

impl Criteria {
    /// The names and a column for each, if all rows have the same names.
    pub(super) fn in_common(&self) -> Option<(Vec<Name>, Vec<Arc<Column>>)> {
        let first = self.0.first()?;
        if !self.0.iter().all(|own| own.keys().eq(first.keys())) {
            return None;
        }
        let column = |name: &Name| Column::from_values(self.0.iter().map(|own| own[name].clone()));
        let columns = first.keys().map(|name| Arc::new(column(name))).collect();
        Some((first.keys().cloned().collect(), columns))
    }
}

fn no_map(found: &Value) -> Error {
    let kind = found.type_name();
    let detail = format!("a merge matches on a map of names to values, and got a {kind}");
    Error::new(ErrorKind::BadInput, detail)
}
