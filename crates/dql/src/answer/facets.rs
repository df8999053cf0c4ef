//! Facets in objects: those of an edge beside the fields of its node, those of a value beside the value.

use std::sync::Arc;

use millrace_model::{ColumnValues, Result, Value};

use super::json::Text;
use super::layout::Facets;
use super::node::{LevelRows, write_name};
use crate::values::{in_order, write_json, write_string};

impl LevelRows<'_> {
    /// The facets of the edge that leads to a node, behind its fields.
    pub(super) fn write_facets(
        &self,
        facets: &Facets,
        row: usize,
        text: &mut Text<'_>,
    ) -> Result<()> {
        match facets {
            Facets::None | Facets::OfList(_) => {}
            Facets::Columns(columns) => {
                for (name, column) in columns {
                    if let Some(value) = self.level.value(*column, row)? {
                        text.json.push(',');
                        write_name(name, text);
                        write_json(&value, &mut text.json);
                    }
                }
            }
            Facets::OfEdge { column, prefix, names } => {
                let ColumnValues::Fields(rows) = &self.level.column(*column)?.values else {
                    return Ok(());
                };
                for field in rows.get(row).into_iter().flat_map(|fields| fields.iter()) {
                    let Some(name) = names.get(field.key.0 as usize) else { continue };
                    text.json.push(',');
                    write_string(&format!("{prefix}|{name}"), &mut text.json);
                    text.json.push(':');
                    write_json(&field.value, &mut text.json);
                }
            }
        }
        Ok(())
    }

    /// The facets of a value, before it; false if there are none.
    pub(super) fn write_value_facets(
        &self,
        name: &Arc<str>,
        value: &Value,
        facets: &Facets,
        row: usize,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        let mut is_written = false;
        match facets {
            Facets::None | Facets::OfEdge { .. } => {}
            Facets::Columns(columns) => {
                for (name, column) in columns {
                    if let Some(value) = self.level.value(*column, row)? {
                        text.json.push_str(if is_written { "," } else { "" });
                        write_name(name, text);
                        write_json(&value, &mut text.json);
                        is_written = true;
                    }
                }
            }
            Facets::OfList(keys) => {
                let Value::PropertyValues(values) = value else { return Ok(false) };
                let order = in_order(value);
                let all: Vec<(Arc<str>, Arc<str>)>;
                let keys = match keys {
                    Some(keys) => keys,
                    None => {
                        let names = values.values().iter().flat_map(|own| own.meta.iter());
                        let mut names: Vec<&Arc<str>> = names.map(|(key, _)| key).collect();
                        names.sort();
                        names.dedup();
                        let named =
                            |key: &Arc<str>| (format!("{name}|{key}").into(), Arc::clone(key));
                        all = names.into_iter().map(named).collect();
                        &all
                    }
                };
                for (name, key) in keys {
                    let start = text.json.len();
                    text.json.push_str(if is_written { "," } else { "" });
                    write_name(name, text);
                    text.json.push('{');
                    let mut is_first = true;
                    for (number, (place, _)) in order.iter().enumerate() {
                        let meta = values.values().get(*place).map(|own| own.meta.as_slice());
                        let own = meta.unwrap_or_default().iter().find(|(own, _)| own == key);
                        let Some((_, value)) = own else { continue };
                        text.json.push_str(if is_first { "" } else { "," });
                        text.json.push_str(&format!("\"{number}\":"));
                        write_json(value, &mut text.json);
                        is_first = false;
                    }
                    text.json.push('}');
                    match is_first {
                        true => text.json.truncate(start),
                        false => is_written = true,
                    }
                }
            }
        }
        Ok(is_written)
    }
}
