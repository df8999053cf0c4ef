//! Properties as a row gives them: names and values, keyed ones first, then those of the map.

use millrace_model::{Result, Value};
use millrace_plan::{Name, Properties};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;

impl Oracle<'_> {
    /// The properties of a row; absent cells give none. A later pair of a name wins.
    pub(super) fn properties(
        &self,
        properties: &Properties,
        row: &Row,
    ) -> Result<Vec<(Name, Value)>> {
        let mut pairs = Vec::new();
        for (name, expr) in &properties.keyed {
            let cell = self.evaluate(expr, row)?;
            if cell != Cell::Absent {
                pairs.push((name.clone(), cell.value()));
            }
        }
        let Some(map) = &properties.map else { return Ok(pairs) };
        match self.evaluate(map, row)?.value() {
            Value::Map(own) => {
                for (name, value) in own.iter() {
                    let Value::String(name) = name else {
                        return Err(wrong_type("a property's name", name));
                    };
                    pairs.push((name.clone(), value.clone()));
                }
            }
            other => return Err(wrong_type("properties", &other)),
        }
        Ok(pairs)
    }
}
