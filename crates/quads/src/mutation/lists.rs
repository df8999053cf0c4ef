//! Which predicates the JSON of a mutation has as lists, and which as one value or object: where it is the first to name
//! them, that is what they become.

use std::collections::BTreeMap;

use super::facets::FACET_MARK;
use super::node::UID;
use super::statements::is_geometry;
use crate::nquads::split_language;
use crate::text::json::Json;

/// The predicates of values and nodes, each with whether some node has it as a list.
pub fn lists_of(json: &Json) -> BTreeMap<&str, bool> {
    let (mut found, mut open) = (BTreeMap::new(), vec![json]);
    while let Some(next) = open.pop() {
        match next {
            Json::Array(entries) => open.extend(entries),
            Json::Object(members) if !is_geometry(members) => {
                for (name, value) in members {
                    if name == UID || name.contains(FACET_MARK) || matches!(value, Json::Null) {
                        continue;
                    }
                    let (predicate, _) = split_language(name);
                    *found.entry(predicate).or_default() |= value.as_array().is_some();
                    open.push(value);
                }
            }
            Json::Object(_) | Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_a_list_where_one_node_has_one() {
        let text = r#"[{"uid": "0x1", "a": 1, "b": [1], "c": {"a": [2], "d@de": "x"}, "n": null},
            {"b": 2, "g": {"type": "Point", "coordinates": [1, 2]}, "b|f": 1, "c": {}}]"#;
        let json = Json::parse_mutation(text).unwrap();
        let found: Vec<(&str, bool)> = lists_of(&json).into_iter().collect();
        let wanted = [("a", true), ("b", true), ("c", false), ("d", false), ("g", false)];
        assert_eq!(found, wanted);
    }
}
