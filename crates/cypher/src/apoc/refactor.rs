//! `apoc.refactor.mergeNodes`: nodes become one, with their labels, properties and relationships.

use super::{Expanded, ExpandedProcedure, Expanding};
use crate::tree::{ExprKind, Literal};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[ExpandedProcedure {
    name: "apoc.refactor.mergeNodes",
    arguments: &["nodes", "config"],
    required: 1,
    columns: &["node"],
    about: "Merges nodes into the first one: labels, properties (overwrite or discard) and relationships.",
    expand: merge_nodes,
}];

/// What the settings say.
struct Merged {
    /// Whether the properties of the first node stay.
    discards: bool,
    /// Whether relationships of one type between the same nodes become one.
    merges: bool,
    /// Whether relationships between the nodes are kept, as loops.
    keeps_loops: bool,
}

impl Merged {
    fn of(call: &Expanding<'_>) -> Result<Merged, Vec<millrace_model::Error>> {
        let mut merged = Merged { discards: false, merges: false, keeps_loops: true };
        for (key, value) in call.pairs(1)? {
            match (key, &value.kind) {
                ("properties", ExprKind::Literal(Literal::String(own))) => match &**own {
                    "discard" => merged.discards = true,
                    "overwrite" | "override" => merged.discards = false,
                    _ => {
                        let help = "write 'discard' or 'overwrite', and SET lists of values";
                        let detail = format!("properties: '{own}'");
                        return Err(call.refused(value.at, &detail, help));
                    }
                },
                ("mergeRels", ExprKind::Literal(Literal::Boolean(own))) => merged.merges = *own,
                ("produceSelfRel", ExprKind::Literal(Literal::Boolean(own))) => {
                    merged.keeps_loops = *own;
                }
                _ => {
                    let detail = format!("the setting `{key}`, or this value of it");
                    let help = "properties: 'discard' or 'overwrite', mergeRels and produceSelfRel are known";
                    return Err(call.refused(value.at, &detail, help));
                }
            }
        }
        Ok(merged)
    }
}

/// Relationships are made anew between the first node and the others' neighbours before the other nodes go, and
/// properties are set behind that, so that a constraint never sees two nodes with one value.
fn merge_nodes(call: &Expanding<'_>) -> Expanded {
    let merged = Merged::of(call)?;
    let node = call.yielded("node").unwrap_or_else(|| format!("` node{}`", call.number));
    let nodes = call.argument(0, "[]");
    let star = if call.has_rows { "*, " } else { "" };
    let list = format!("` nodes{}`", call.number);
    let order = if merged.discards { "apoc.coll.reverse(all)" } else { "all" };
    let related = |pattern: &str, made: &str| {
        let own = match (merged.merges, merged.discards) {
            (false, _) => format!("CREATE {made} SET new = properties(r)"),
            (true, true) => format!(
                "MERGE {made} ON CREATE SET new = old \
                 ON MATCH SET new = apoc.map.merge(old, properties(new))"
            ),
            (true, false) => {
                format!("MERGE {made} ON CREATE SET new = old ON MATCH SET new += old")
            }
        };
        let own = own.replace("properties(r)", "old");
        format!(
            "CALL (first, others, all) {{ UNWIND others AS o MATCH {pattern} \
             WITH DISTINCT first, r, type(r) AS t, properties(r) AS old, \
             CASE WHEN x IN all THEN first ELSE x END AS end, x IN all AS inside \
             {} {own} }} ",
            if merged.keeps_loops { "" } else { "WHERE NOT inside" }
        )
    };
    let outgoing = related("(o)-[r]->(x)", "(first)-[new:$(t)]->(end)");
    let incoming =
        related("(o)<-[r]-(x) WHERE x = first OR NOT x IN all", "(end)-[new:$(t)]->(first)");
    let text = format!(
        "WITH {star}{nodes} AS {list} CALL ({list}) {{ \
         WITH apoc.coll.toSet(apoc.coll.flatten([{list}], true)) AS all \
         WITH all, all[0] AS first, all[1..] AS others WHERE first IS NOT NULL \
         {outgoing}{incoming}\
         WITH all, first, others, \
         apoc.map.mergeList([n IN {order} | properties(n)]) AS merged, \
         apoc.coll.toSet(apoc.coll.flatten([n IN others | labels(n)])) AS names \
         FOREACH (o IN others | DETACH DELETE o) \
         SET first:$(names) SET first = merged RETURN first AS {node} }}"
    );
    call.clauses(&text)
}
