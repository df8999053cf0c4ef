//! Graphs, each with a node: making one more, and using one of many.

use millrace_model::Result;

use super::law::{Cost, Law, Per};
use super::sized_graph::{SizedGraph, is_number, number};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

const SIZES: &[u64] = &[10, 1_000, 10_000];

pub(super) fn graphs(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.graphs",
        sizes: SIZES,
        build: |graph| (0..graph.size).try_for_each(|name| add(graph, name)),
        costs: &[
            Cost {
                name: "new",
                per: Per::Statement,
                ask: |graph| {
                    let name = graph.next();
                    add(graph, name)
                },
            },
            Cost {
                name: "write",
                per: Per::Statement,
                ask: |graph| {
                    let (name, value) = (format!("g{}", graph.any()), graph.asked);
                    let text = "MATCH (n) SET n.value = $value RETURN n.value";
                    let records = graph.ask_in(Some(&name), text, &[("value", number(value))])?;
                    is_number(text, &records, value)
                },
            },
            Cost {
                name: "read",
                per: Per::Statement,
                ask: |graph| {
                    let (name, text) = (format!("g{}", graph.any()), "MATCH (n) RETURN count(n)");
                    is_number(text, &graph.ask_in(Some(&name), text, &[])?, 1)
                },
            },
            Cost { name: "listing", per: Per::Element, ask: list },
        ],
        check: list,
    };
    law.measure(conditions)
}

fn add(graph: &mut SizedGraph, name: u64) -> Result<()> {
    graph.ask(&format!("CREATE DATABASE g{name}"), &[])?;
    graph.ask_in(Some(&format!("g{name}")), "CREATE (:Node {value: 0})", &[]).map(drop)
}

/// All of them, and no other but those that are always there.
fn list(graph: &mut SizedGraph) -> Result<()> {
    let text = "SHOW DATABASES YIELD name WHERE name STARTS WITH 'g' RETURN count(*)";
    graph.must_give(text, &[], graph.size + graph.added)
}
