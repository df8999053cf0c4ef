//! A chain, walked from one end to the other: the cost of a node is that of a short one.

use millrace_model::Result;

use super::law::{Cost, Law, Per};
use super::sized_graph::{SizedGraph, number};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

const SIZES: &[u64] = &[100, 1_000, 10_000, 100_000];

/// Nodes that one statement makes.
const PART: u64 = 10_000;

pub(super) fn chain(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.chain",
        sizes: SIZES,
        build,
        costs: &[
            Cost { name: "to_the_end", per: Per::Element, ask: to_the_end },
            Cost {
                name: "every_path",
                per: Per::Element,
                ask: |graph| {
                    let text = "MATCH (a:Link {id: 0})-[:NX*]->(m) RETURN count(m)";
                    graph.must_give(text, &[], graph.size - 1)
                },
            },
            Cost {
                name: "shortest",
                per: Per::Element,
                ask: |graph| {
                    let last = graph.size - 1;
                    let text = "MATCH p = shortestPath((a:Link {id: 0})-[:NX*]->(b:Link {id: $last})) \
                                RETURN length(p)";
                    graph.must_give(text, &[("last", number(last))], last)
                },
            },
            Cost {
                name: "nodes",
                per: Per::Element,
                ask: |graph| {
                    let text = "MATCH p = (a:Link {id: 0})-[:NX*]->(m) WHERE NOT (m)-[:NX]->() \
                                UNWIND nodes(p) AS n RETURN count(n)";
                    graph.must_give(text, &[], graph.size)
                },
            },
        ],
        check: to_the_end,
    };
    law.measure(conditions)
}

fn build(graph: &mut SizedGraph) -> Result<()> {
    graph.ask("CREATE INDEX links FOR (n:Link) ON (n.id)", &[])?;
    for first in (0..graph.size).step_by(PART as usize) {
        let bounds = [("first", number(first)), ("last", number(graph.size.min(first + PART) - 1))];
        graph.ask("UNWIND range($first, $last) AS id CREATE (:Link {id: id})", &bounds)?;
        let text = "UNWIND range($first, $last) AS id MATCH (b:Link {id: id}) \
                    MATCH (a:Link {id: id - 1}) CREATE (a)-[:NX]->(b)";
        graph.ask(text, &bounds)?;
    }
    Ok(())
}

fn to_the_end(graph: &mut SizedGraph) -> Result<()> {
    let text = "MATCH p = (a:Link {id: 0})-[:NX*]->(m) WHERE NOT (m)-[:NX]->() RETURN length(p)";
    graph.must_give(text, &[], graph.size - 1)
}
