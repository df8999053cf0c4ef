//! The nodes that a node reaches: a path of variable length, each end counted once.

use millrace_model::Error;

use super::{Expanded, ExpandedProcedure, Expanding};
use crate::tree::{Expr, ExprKind, Literal};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[ExpandedProcedure {
    name: "apoc.path.subgraphNodes",
    arguments: &["startNode", "config"],
    required: 2,
    columns: &["node"],
    about: "The nodes that a node reaches over relationships of some types, each once.",
    expand: subgraph_nodes,
}];

fn subgraph_nodes(call: &Expanding<'_>) -> Expanded {
    let (mut hop, mut least, mut most, mut limit) =
        (("-".to_owned(), "-".to_owned(), String::new()), 0, String::new(), String::new());
    for (key, value) in call.pairs(1)? {
        match (key, &value.kind) {
            ("relationshipFilter", _) => hop = types(call, value)?,
            ("minLevel", ExprKind::Literal(Literal::Integer(own @ 0..=1))) => least = *own,
            ("maxLevel", ExprKind::Literal(Literal::Integer(own))) if 0 <= *own => {
                most = own.to_string();
            }
            // -1 is no bound, as a unary minus.
            ("maxLevel", ExprKind::Unary(..)) => {}
            ("limit", ExprKind::Literal(Literal::Integer(own))) if 0 <= *own => {
                limit = format!(" LIMIT {own}");
            }
            ("bfs" | "filterStartNode", ExprKind::Literal(_)) => {}
            _ => {
                let detail = format!("the setting `{key}`, or this value of it");
                let help = "relationshipFilter, minLevel, maxLevel and limit are known; test labels behind the call";
                return Err(call.refused(value.at, &detail, help));
            }
        }
    }
    let node = call.yielded("node").unwrap_or_else(|| format!("` node{}`", call.number));
    let (start, bind) = call.as_variable(0, " start");
    let (before, behind, types) = hop;
    let bind = bind.unwrap_or_default();
    call.clauses(&format!(
        "{bind}CALL ({start}) {{ MATCH ({start}){before}[{types}*{least}..{most}]{behind}(` end`) \
         RETURN DISTINCT ` end` AS {node}{limit} }}"
    ))
}

/// The hop of a filter such as `KNOWS>|LIKES>`: what stands before and behind its types.
fn types(call: &Expanding<'_>, filter: &Expr) -> Result<(String, String, String), Vec<Error>> {
    let mut names = Vec::new();
    let mut direction = None;
    for own in call.literal_of(filter)?.split('|').map(str::trim) {
        let (name, around) = match (own.strip_prefix('<'), own.strip_suffix('>')) {
            (Some(name), _) => (name, ("<-", "-")),
            (None, Some(name)) => (name, ("-", "->")),
            (None, None) => (own, ("-", "-")),
        };
        if *direction.get_or_insert(around) != around {
            let help = "write types of one direction, or a pattern";
            return Err(call.refused(filter.at, "types of several directions", help));
        }
        if !name.is_empty() {
            names.push(format!("`{}`", name.replace('`', "``")));
        }
    }
    let (before, behind) = direction.unwrap_or(("-", "-"));
    let types = if names.is_empty() { String::new() } else { format!(":{}", names.join("|")) };
    Ok((before.to_owned(), behind.to_owned(), types))
}
