//! Values of a multi-valued property that are equal.

use std::sync::Arc;

use super::total_order::order;
use crate::values::property_values::PropertyValues;
use crate::values::value::Value;

impl PropertyValues {
    /// Adds a value unless it is there: its meta-properties are set then.
    pub fn append_new(&mut self, value: &Value, meta: &[(Arc<str>, Value)]) {
        self.append_unless(value, meta, |own, value| order(own, value).is_eq());
    }
}
