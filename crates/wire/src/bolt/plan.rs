//! The operators of a plan, as the last SUCCESS of a result has them.
//!
//! Rows and times are those of a run; without one there are none. The elements read from the store are not counted, so no
//! operator has `dbHits`.

use std::sync::Arc;

use millrace_model::{Profile, ProfileNode, Value};

/// A tree of operators.
pub fn plan(profile: &Profile) -> Value {
    match profile.operators.as_slice() {
        [root] => operator(root),
        several => operator(&ProfileNode {
            name: "Profile".into(),
            nanos: profile.nanos,
            nested: several.to_vec(),
            ..ProfileNode::default()
        }),
    }
}

fn operator(node: &ProfileNode) -> Value {
    let text = |text: &str| Value::from(text);
    let names = node.variables.iter().map(|name| Value::String(Arc::clone(name))).collect();
    let children = node.nested.iter().map(operator).collect();
    let mut pairs = vec![
        (text("operatorType"), Value::String(Arc::clone(&node.name))),
        (text("identifiers"), Value::list(names)),
        (text("args"), Value::map(arguments(node))),
        (text("children"), Value::list(children)),
    ];
    if let Some(rows) = rows(node) {
        pairs.push((text("rows"), Value::I64(rows)));
        pairs.push((text("time"), Value::I64(node.nanos)));
    }
    Value::map(pairs)
}

/// The arguments of an operator by their names.
pub(crate) fn arguments(node: &ProfileNode) -> Vec<(Value, Value)> {
    let mut arguments = node.annotations.clone();
    if let Some(rows) = rows(node) {
        arguments.push((Value::from("Rows"), Value::I64(rows)));
        arguments.push((Value::from("Time"), Value::I64(node.nanos)));
    }
    let others = node.counts.iter().filter(|(name, _)| !is_rows(name));
    arguments.extend(others.map(|(name, count)| (Value::String(name.clone()), Value::I64(*count))));
    arguments
}

/// The rows that it gave, if it has run.
pub(crate) fn rows(node: &ProfileNode) -> Option<i64> {
    node.counts.iter().find(|(name, _)| is_rows(name)).map(|(_, count)| *count)
}

/// Rows of Cypher, traversers of Gremlin.
fn is_rows(name: &str) -> bool {
    matches!(name, "rows" | "traverserCount")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_json;

    #[test]
    fn an_operator_has_its_rows_and_its_children() {
        let scan = ProfileNode {
            name: "Scan".into(),
            nanos: 5,
            counts: vec![("rows".into(), 2)],
            annotations: vec![(Value::from("Details"), Value::from("Scan n"))],
            variables: vec!["n".into()],
            ..ProfileNode::default()
        };
        let operators = vec![ProfileNode {
            name: "ProduceResults".into(),
            nested: vec![scan],
            ..Default::default()
        }];
        assert_eq!(
            to_json(&plan(&Profile { nanos: 5, operators })),
            concat!(
                r#"{"operatorType": "ProduceResults", "identifiers": [], "args": {}, "children": ["#,
                r#"{"operatorType": "Scan", "identifiers": ["n"], "#,
                r#""args": {"Details": "Scan n", "Rows": 2, "Time": 5}, "children": [], "#,
                r#""rows": 2, "time": 5}]}"#
            )
        );
    }

    #[test]
    fn several_operators_have_one_root() {
        let step = |name: &str| ProfileNode { name: name.into(), ..ProfileNode::default() };
        let profile = Profile { nanos: 7, operators: vec![step("a"), step("b")] };
        let shown = to_json(&plan(&profile));
        assert!(shown.starts_with(r#"{"operatorType": "Profile", "#), "{shown}");
        assert!(shown.contains(r#""operatorType": "b""#), "{shown}");
    }
}
