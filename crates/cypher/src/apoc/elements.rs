//! Nodes, relationships, labels and properties: `CREATE`, `MERGE`, `SET` and `REMOVE` with dynamic names.

use super::{Expanded, ExpandedProcedure, Expanding};
use crate::tree::{Clause, Expr, ExprKind, FunctionCall, Literal, PathPart};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.create.addLabels",
        arguments: &["nodes", "labels"],
        required: 2,
        columns: &["node"],
        about: "Adds labels to nodes.",
        expand: |call| {
            changed(call, |node, call| format!("SET {node}:$({})", call.argument(1, "[]")))
        },
    },
    ExpandedProcedure {
        name: "apoc.create.node",
        arguments: &["labels", "props"],
        required: 2,
        columns: &["node"],
        about: "Makes a node.",
        expand: create_node,
    },
    ExpandedProcedure {
        name: "apoc.create.nodes",
        arguments: &["labels", "props"],
        required: 2,
        columns: &["node"],
        about: "Makes a node for each map of a list.",
        expand: create_nodes,
    },
    ExpandedProcedure {
        name: "apoc.create.relationship",
        arguments: &["from", "relType", "props", "to"],
        required: 4,
        columns: &["rel"],
        about: "Makes a relationship.",
        expand: create_relationship,
    },
    ExpandedProcedure {
        name: "apoc.create.removeLabels",
        arguments: &["nodes", "labels"],
        required: 2,
        columns: &["node"],
        about: "Removes labels of nodes.",
        expand: |call| {
            changed(call, |node, call| format!("REMOVE {node}:$({})", call.argument(1, "[]")))
        },
    },
    ExpandedProcedure {
        name: "apoc.create.removeProperties",
        arguments: &["nodes", "keys"],
        required: 2,
        columns: &["node"],
        about: "Removes properties of nodes.",
        expand: |call| changed(call, without_keys),
    },
    ExpandedProcedure {
        name: "apoc.create.removeRelProperties",
        arguments: &["rels", "keys"],
        required: 2,
        columns: &["rel"],
        about: "Removes properties of relationships.",
        expand: |call| changed(call, without_keys),
    },
    ExpandedProcedure {
        name: "apoc.create.setLabels",
        arguments: &["nodes", "labels"],
        required: 2,
        columns: &["node"],
        about: "Gives nodes these labels and no others.",
        expand: |call| {
            changed(call, |node, call| {
                let labels = call.argument(1, "[]");
                format!("REMOVE {node}:$(labels({node})) SET {node}:$({labels})")
            })
        },
    },
    ExpandedProcedure {
        name: "apoc.create.setProperties",
        arguments: &["nodes", "keys", "values"],
        required: 3,
        columns: &["node"],
        about: "Sets properties of nodes.",
        expand: |call| changed(call, with_pairs),
    },
    ExpandedProcedure {
        name: "apoc.create.setRelProperties",
        arguments: &["rels", "keys", "values"],
        required: 3,
        columns: &["rel"],
        about: "Sets properties of relationships.",
        expand: |call| changed(call, with_pairs),
    },
    ExpandedProcedure {
        name: "apoc.create.setRelProperty",
        arguments: &["rels", "key", "value"],
        required: 3,
        columns: &["rel"],
        about: "Sets a property of relationships.",
        expand: |call| {
            changed(call, |rel, call| {
                let (key, value) = (call.argument(1, "''"), call.argument(2, "null"));
                format!("SET {rel}[{key}] = {value}")
            })
        },
    },
    ExpandedProcedure {
        name: "apoc.create.setProperty",
        arguments: &["nodes", "key", "value"],
        required: 3,
        columns: &["node"],
        about: "Sets a property of nodes.",
        expand: |call| {
            changed(call, |node, call| {
                let (key, value) = (call.argument(1, "''"), call.argument(2, "null"));
                format!("SET {node}[{key}] = {value}")
            })
        },
    },
    ExpandedProcedure {
        name: "apoc.merge.node",
        arguments: &["labels", "identProps", "onCreateProps", "onMatchProps"],
        required: 2,
        columns: &["node"],
        about: "Finds a node by its labels and properties, or makes it.",
        expand: merge_node,
    },
    ExpandedProcedure {
        name: "apoc.merge.relationship",
        arguments: &[
            "startNode",
            "relType",
            "identProps",
            "onCreateProps",
            "endNode",
            "onMatchProps",
        ],
        required: 5,
        columns: &["rel"],
        about: "Finds a relationship between two nodes by its type and properties, or makes it.",
        expand: merge_relationship,
    },
];

/// The variable of a column, or one of its own.
fn yielded(call: &Expanding<'_>, column: &str) -> String {
    call.yielded(column).unwrap_or_else(|| format!("` {column}{}`", call.number))
}

fn create_node(call: &Expanding<'_>) -> Expanded {
    let node = yielded(call, "node");
    let (labels, properties) = (call.argument(0, "[]"), call.argument(1, "{}"));
    call.clauses(&format!("CREATE ({node}:$({labels})) SET {node} += coalesce({properties}, {{}})"))
}

fn create_relationship(call: &Expanding<'_>) -> Expanded {
    let rel = yielded(call, "rel");
    let ((from, bind_from), (to, bind_to)) =
        (call.as_variable(0, " from"), call.as_variable(3, " to"));
    let (rel_type, properties) = (call.argument(1, "''"), call.argument(2, "{}"));
    let binds = bind_from.unwrap_or_default() + &bind_to.unwrap_or_default();
    call.clauses(&format!(
        "{binds}CREATE ({from})-[{rel}:$({rel_type})]->({to}) SET {rel} += coalesce({properties}, {{}})"
    ))
}

fn create_nodes(call: &Expanding<'_>) -> Expanded {
    let node = yielded(call, "node");
    let props = format!("` props{}`", call.number);
    let (labels, list) = (call.argument(0, "[]"), call.argument(1, "[]"));
    call.clauses(&format!(
        "UNWIND {list} AS {props} CREATE ({node}:$({labels})) SET {node} += coalesce({props}, {{}})"
    ))
}

fn with_pairs(element: &str, call: &Expanding<'_>) -> String {
    let (keys, values) = (call.argument(1, "[]"), call.argument(2, "[]"));
    format!("SET {element} += apoc.map.fromLists({keys}, {values})")
}

fn without_keys(element: &str, call: &Expanding<'_>) -> String {
    let keys = call.argument(1, "[]");
    format!("SET {element} += apoc.map.fromPairs([k IN {keys} | [k, null]])")
}

/// Of each element of a list, or of one.
fn changed(call: &Expanding<'_>, change: fn(&str, &Expanding<'_>) -> String) -> Expanded {
    let node = yielded(call, call.procedure.columns[0]);
    let nodes = call.argument(0, "[]");
    let change = change(&node, call);
    call.clauses(&format!("UNWIND apoc.coll.flatten([{nodes}], true) AS {node} {change}"))
}

fn merge_node(call: &Expanding<'_>) -> Expanded {
    let node = yielded(call, "node");
    let identity = &call.arguments[1];
    if matches!(&identity.kind, ExprKind::Map(pairs) if pairs.is_empty())
        || matches!(identity.kind, ExprKind::Literal(Literal::Null))
    {
        let help = "name at least one property that tells one node from another";
        return Err(call.refused(identity.at, "no property to find a node by", help));
    }
    let labels = call.argument(0, "[]");
    let options = options(call, &node, (2, 3));
    let clauses = call.clauses(&format!("MERGE ({node}:$({labels})) {options}"))?;
    Ok(identified(clauses, &call.arguments[1]))
}

fn merge_relationship(call: &Expanding<'_>) -> Expanded {
    let rel = yielded(call, "rel");
    let ((from, bind_from), (to, bind_to)) =
        (call.as_variable(0, " from"), call.as_variable(4, " to"));
    let rel_type = call.argument(1, "''");
    let options = options(call, &rel, (3, 5));
    let binds = bind_from.unwrap_or_default() + &bind_to.unwrap_or_default();
    let text = format!("{binds}MERGE ({from})-[{rel}:$({rel_type})]->({to}) {options}");
    Ok(identified(call.clauses(&text)?, &call.arguments[2]))
}

/// The properties of a new and of a found element, where they are not known to be none.
fn options(call: &Expanding<'_>, element: &str, (created, found): (usize, usize)) -> String {
    let option = |word: &str, index: usize| match call.arguments.get(index).map(|own| &own.kind) {
        None => String::new(),
        Some(ExprKind::Map(pairs)) if pairs.is_empty() => String::new(),
        Some(_) => {
            let properties = call.argument(index, "{}");
            format!("ON {word} SET {element} += coalesce({properties}, {{}}) ")
        }
    };
    option("CREATE", created) + &option("MATCH", found)
}

/// With the properties by which `MERGE` finds: a map of any expression, which the text of a pattern cannot have.
fn identified(mut clauses: Vec<Clause>, properties: &Expr) -> Vec<Clause> {
    let properties = match &properties.kind {
        ExprKind::Map(_) => properties.clone(),
        _ => {
            let arguments = vec![properties.clone()];
            let call = FunctionCall { name: "properties".into(), distinct: false, arguments };
            Expr::new(properties.at, ExprKind::Call(call))
        }
    };
    for clause in &mut clauses {
        let Clause::Merge(merge) = clause else { continue };
        let parts = &mut merge.pattern.parts;
        let is_node = parts.len() == 1;
        for part in parts {
            match part {
                PathPart::Node(node) if is_node => node.properties = Some(properties.clone()),
                PathPart::Relationship(own) => own.properties = Some(properties.clone()),
                PathPart::Node(_) | PathPart::Quantified(_) => {}
            }
        }
    }
    clauses
}
