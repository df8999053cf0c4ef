//! Facets of an object: the members whose name has a `|`. `"p|since": 3` is a facet of the value of `p`, or of the edge
//! `p` that leads to the object; of a list of values, `"p|since": {"0": 3}` is one for each value that has it.
//!
//! A facet of a value that is not there is left out, as in Dgraph: clients that send structures send all their members.

use super::fault::JsonFault;
use crate::error::excerpt;
use crate::nquads::{Facet, FacetValue, at_start};
use crate::text::json::Json;
use crate::text::{parse_bare_timestamp, parse_far_offset, parse_year, parse_year_month};
use millrace_model::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is between a predicate and the key of its facet.
pub(super) const FACET_MARK: char = '|';

/// A facet that is not read yet: its key, and the value.
type Unread<'a> = (&'a str, &'a Json);

/// The facets of an object, by predicate.
#[derive(Default)]
pub(super) struct Facets<'a> {
    by_predicate: BTreeMap<&'a str, Vec<Unread<'a>>>,
}

impl<'a> Facets<'a> {
    /// Adds a member whose name has a mark.
    pub(super) fn add(&mut self, name: &'a str, value: &'a Json) -> Result<(), JsonFault> {
        match name.split_once(FACET_MARK) {
            Some((predicate, key)) if !predicate.is_empty() && !key.is_empty() => {
                self.by_predicate.entry(predicate).or_default().push((key, value));
                Ok(())
            }
            _ => {
                let detail = "expected a predicate and a facet around '|', as in \"friend|since\"";
                Err(JsonFault::new(detail).in_member(&excerpt(name)))
            }
        }
    }

    /// The facets of a predicate, which has one value.
    pub(super) fn of_value(&self, predicate: &str) -> Result<Vec<Facet<'a>>, JsonFault> {
        let mut facets = Vec::new();
        for (key, value) in self.unread(predicate) {
            let facet = read(key, value);
            facets.extend(facet.map_err(|fault| fault.in_member(&member(predicate, key)))?);
        }
        Ok(facets)
    }

    /// The facets of a predicate with a list, by the number of the value.
    pub(super) fn of_list(
        &self,
        predicate: &str,
        value_count: usize,
    ) -> Result<BTreeMap<usize, Vec<Facet<'a>>>, JsonFault> {
        let mut facets: BTreeMap<usize, Vec<Facet<'a>>> = BTreeMap::new();
        for (key, value) in self.unread(predicate) {
            let in_facet = |fault: JsonFault| fault.in_member(&member(predicate, key));
            if **value == Json::Null {
                continue;
            }
            let Some(numbered) = value.as_object() else {
                let detail =
                    "expected the facets of a list's values by number, as in {\"0\": true}";
                return Err(in_facet(JsonFault::new(detail)));
            };
            for (number, value) in numbered {
                let index = number.parse().ok().filter(|index: &usize| *index < value_count);
                let Some(index) = index else {
                    let detail = format!("expected the number of one of {value_count} values");
                    return Err(in_facet(JsonFault::new(detail).in_member(&excerpt(number))));
                };
                let facet = read(key, value).map_err(|fault| in_facet(fault.in_member(number)))?;
                facets.entry(index).or_default().extend(facet);
            }
        }
        Ok(facets)
    }

    fn unread(&self, predicate: &str) -> &[Unread<'a>] {
        self.by_predicate.get(predicate).map_or(&[], Vec::as_slice)
    }
}

fn member(predicate: &str, key: &str) -> String {
    excerpt(&format!("{predicate}{FACET_MARK}{key}"))
}

/// A text with the form of a day, or of a day and time, is one: JSON has no other way to write it.
fn read<'a>(key: &'a str, value: &'a Json) -> Result<Option<Facet<'a>>, JsonFault> {
    let value = match value {
        Json::Null => return Ok(None),
        Json::Bool(truth) => FacetValue::Bare(Value::Bool(*truth)),
        Json::String(text) => {
            let timestamp = match text.len() {
                4 => parse_year(text).ok(),
                7 => parse_year_month(text).ok(),
                _ => parse_bare_timestamp(text).ok().or_else(|| parse_far_offset(text)),
            };
            let timestamp = timestamp.map(at_start);
            timestamp.map_or(FacetValue::Text(Cow::Borrowed(text)), FacetValue::Bare)
        }
        Json::Number(_) => {
            let number = value.as_i64().map(Value::I64).or(value.as_f64().map(Value::F64));
            let detail = "expected a number that fits in 64 bits";
            FacetValue::Bare(number.ok_or_else(|| JsonFault::new(detail))?)
        }
        Json::Array(_) | Json::Object(_) => {
            return Err(JsonFault::new("expected a facet's value: a text, a number or a boolean"));
        }
    };
    Ok(Some(Facet { key, value }))
}
