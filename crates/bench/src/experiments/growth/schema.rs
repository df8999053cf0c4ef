//! Indexes and constraints, each of a label of its own, as tools make them that send their whole schema at each start.

use millrace_model::Result;

use super::law::{Cost, Law, Per};
use super::names::people;
use super::sized_graph::{SizedGraph, number};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

const SIZES: &[u64] = &[10, 1_000, 10_000];

/// Numbers of people that are made by statements begin here.
const NEW_PEOPLE: u64 = 1_000_000;

pub(super) fn indexes(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.indexes",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            (0..graph.size).try_for_each(|name| index(graph, name, ""))
        },
        costs: &[
            Cost {
                name: "new",
                per: Per::Statement,
                ask: |graph| {
                    let name = graph.next();
                    index(graph, name, "")
                },
            },
            Cost {
                name: "again",
                per: Per::Statement,
                ask: |graph| index(graph, graph.any(), "IF NOT EXISTS "),
            },
            WRITE,
            Cost {
                name: "listing",
                per: Per::Element,
                ask: |graph| graph.must_give(INDEXES, &[], graph.size + graph.added + 1),
            },
        ],
        check: |graph| graph.must_give(INDEXES, &[], graph.size + graph.added + 1),
    };
    law.measure(conditions)
}

pub(super) fn constraints(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.constraints",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            (0..graph.size).try_for_each(|name| constraint(graph, name, ""))
        },
        costs: &[
            Cost {
                name: "new",
                per: Per::Statement,
                ask: |graph| {
                    let name = graph.next();
                    constraint(graph, name, "")
                },
            },
            Cost {
                name: "again",
                per: Per::Statement,
                ask: |graph| constraint(graph, graph.any(), "IF NOT EXISTS "),
            },
            WRITE,
            Cost {
                name: "listing",
                per: Per::Element,
                ask: |graph| graph.must_give(CONSTRAINTS, &[], graph.size + graph.added),
            },
        ],
        check: |graph| graph.must_give(CONSTRAINTS, &[], graph.size + graph.added),
    };
    law.measure(conditions)
}

/// Those that find nodes by label and relationships by type are always there.
const INDEXES: &str = "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN count(*)";
const CONSTRAINTS: &str = "SHOW CONSTRAINTS YIELD name RETURN count(*)";

/// A node of the one label that is in use.
const WRITE: Cost = Cost {
    name: "write",
    per: Per::Statement,
    ask: |graph| {
        let id = NEW_PEOPLE + graph.asked;
        let parameters = [("id", number(id))];
        graph.must_give("CREATE (p:Person {id: $id}) RETURN p.id", &parameters, id)
    },
};

fn index(graph: &mut SizedGraph, name: u64, condition: &str) -> Result<()> {
    let text = format!("CREATE INDEX i{name} {condition}FOR (n:L{name}) ON (n.id)");
    graph.ask(&text, &[]).map(drop)
}

fn constraint(graph: &mut SizedGraph, name: u64, condition: &str) -> Result<()> {
    let text =
        format!("CREATE CONSTRAINT c{name} {condition}FOR (n:L{name}) REQUIRE n.id IS UNIQUE");
    graph.ask(&text, &[]).map(drop)
}
