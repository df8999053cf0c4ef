//! A node with very many relationships: one more, one of them, the first of them, their number, and all of them.

use millrace_model::Result;

use super::law::{Cost, Law, Per};
use super::sized_graph::{SizedGraph, number};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

const SIZES: &[u64] = &[10, 1_000, 100_000, 10_000_000];

/// Relationships that one statement makes.
const PART: u64 = 100_000;

pub(super) fn hub(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.hub",
        sizes: SIZES,
        build,
        costs: &[
            Cost {
                name: "new",
                per: Per::Statement,
                ask: |graph| {
                    let id = graph.next();
                    let text = "MATCH (h:Hub {id: 0}) \
                                CREATE (h)-[:FOLLOWS]->(p:Person {id: $id, number: $id}) \
                                RETURN p.id";
                    graph.must_give(text, &[("id", number(id))], id)
                },
            },
            Cost {
                name: "merge",
                per: Per::Statement,
                ask: |graph| {
                    let id = graph.any();
                    let text = "MATCH (h:Hub {id: 0}) MATCH (p:Person {id: $id}) \
                                MERGE (h)-[:FOLLOWS]->(p) RETURN p.id";
                    graph.must_give(text, &[("id", number(id))], id)
                },
            },
            Cost {
                name: "one",
                per: Per::Statement,
                ask: |graph| {
                    let id = [("id", number(graph.any()))];
                    let text =
                        "MATCH (h:Hub {id: 0})-[r:FOLLOWS]->(p:Person {id: $id}) RETURN count(r)";
                    graph.must_give(text, &id, 1)
                },
            },
            Cost {
                // That few nodes have one value of the key is known by a constraint only.
                name: "one_by_index",
                per: Per::Element,
                ask: |graph| {
                    let id = [("id", number(graph.any()))];
                    let text = "MATCH (h:Hub {id: 0})-[r:FOLLOWS]->(p:Person {number: $id}) \
                                RETURN count(r)";
                    graph.must_give(text, &id, 1)
                },
            },
            Cost {
                name: "first_ten",
                per: Per::Statement,
                ask: |graph| {
                    let text =
                        "MATCH (h:Hub {id: 0})-[:FOLLOWS]->(p) WITH p LIMIT 10 RETURN count(p)";
                    graph.must_give(text, &[], 10)
                },
            },
            Cost { name: "degree", per: Per::Statement, ask: degree },
            Cost { name: "all", per: Per::Element, ask: all },
        ],
        check: degree,
    };
    law.measure(conditions)
}

fn all(graph: &mut SizedGraph) -> Result<()> {
    let all = graph.size + graph.added;
    let text = "MATCH (h:Hub {id: 0})-[:FOLLOWS]->(p) RETURN sum(p.id)";
    graph.must_give(text, &[], all * (all - 1) / 2)
}

fn build(graph: &mut SizedGraph) -> Result<()> {
    graph.ask("CREATE INDEX hubs FOR (n:Hub) ON (n.id)", &[])?;
    graph.ask("CREATE CONSTRAINT people FOR (n:Person) REQUIRE n.id IS UNIQUE", &[])?;
    graph.ask("CREATE INDEX numbers FOR (n:Person) ON (n.number)", &[])?;
    graph.ask("CREATE (:Hub {id: 0})", &[])?;
    for first in (0..graph.size).step_by(PART as usize) {
        let bounds = [("first", number(first)), ("last", number(graph.size.min(first + PART) - 1))];
        let text = "MATCH (h:Hub {id: 0}) UNWIND range($first, $last) AS id \
                    CREATE (h)-[:FOLLOWS]->(:Person {id: id, number: id})";
        graph.ask(text, &bounds)?;
    }
    Ok(())
}

fn degree(graph: &mut SizedGraph) -> Result<()> {
    let all = graph.size + graph.added;
    graph.must_give("MATCH (h:Hub {id: 0}) RETURN count { (h)-[:FOLLOWS]->() }", &[], all)
}
