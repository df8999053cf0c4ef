//! Labels, relationship types and property keys: the first statement that has a new one, those behind it, and those
//! that go on as ever.

use millrace_model::Result;

use super::law::{Cost, Law, Per};
use super::sized_graph::{SizedGraph, in_parts, number};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

const SIZES: &[u64] = &[10, 1_000, 10_000];

/// Names that one statement makes.
const PART: u64 = 100;

/// People that are found by an index, and have a friend each.
const PEOPLE: u64 = 1_000;

pub(super) fn labels(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.labels",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            add_labels(graph)
        },
        costs: &[
            Cost { name: "new", per: Per::Statement, ask: new_label },
            RETURN,
            READ,
            WRITE,
            Cost {
                name: "unseen_text",
                per: Per::Statement,
                ask: |graph| {
                    let (label, asked) = (graph.any(), graph.asked);
                    let text = format!("MATCH (n:L{label}) RETURN count(n) AS c{asked}");
                    graph.must_give(&text, &[], 1)
                },
            },
            LIST_LABELS,
        ],
        check: |graph| {
            let labels = graph.size + graph.added + 1;
            graph.must_give("CALL db.labels() YIELD label RETURN count(*)", &[], labels)
        },
    };
    law.measure(conditions)
}

pub(super) fn types(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.types",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            add_types(graph)
        },
        costs: &[
            Cost { name: "new", per: Per::Statement, ask: new_type },
            RETURN,
            READ,
            WRITE,
            Cost {
                name: "unseen_text",
                per: Per::Statement,
                ask: |graph| {
                    let (name, asked) = (graph.any(), graph.asked);
                    let text = format!("MATCH ()-[r:T{name}]->() RETURN count(r) AS c{asked}");
                    graph.must_give(&text, &[], 1)
                },
            },
            Cost {
                name: "hop_of_any_type",
                per: Per::Element,
                ask: |graph| {
                    let text = "MATCH (p:Person {id: $id})-->(q:Person) \
                                WHERE q.id <> $id RETURN count(q)";
                    let id = [("id", number(graph.asked % PEOPLE))];
                    graph.must_give(text, &id, 1)
                },
            },
        ],
        check: |graph| {
            let types = graph.size + graph.added + 1;
            let text = "CALL db.relationshipTypes() YIELD relationshipType RETURN count(*)";
            graph.must_give(text, &[], types)
        },
    };
    law.measure(conditions)
}

pub(super) fn keys(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.keys",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            add_keys(graph)
        },
        costs: &[
            Cost { name: "new", per: Per::Statement, ask: new_key },
            RETURN,
            READ,
            WRITE,
            Cost {
                name: "unseen_text",
                per: Per::Statement,
                ask: |graph| {
                    let (key, asked) = (graph.any(), graph.asked);
                    let text = format!("MATCH (n:Thing) RETURN count(n.k{key}) AS c{asked}");
                    graph.must_give(&text, &[], 1)
                },
            },
            Cost {
                name: "all_properties",
                per: Per::Element,
                ask: |graph| {
                    let text = "MATCH (p:Person {id: $id}) RETURN properties(p).id";
                    let id = graph.asked % PEOPLE;
                    graph.must_give(text, &[("id", number(id))], id)
                },
            },
        ],
        check: |graph| {
            // `id` and `name` of people.
            let keys = graph.size + graph.added + 2;
            graph.must_give("CALL db.propertyKeys() YIELD propertyKey RETURN count(*)", &[], keys)
        },
    };
    law.measure(conditions)
}

/// So many of each: what costs a product of two of them shows here.
pub(super) fn names(conditions: &Conditions) -> Result<Row> {
    let law = Law {
        row: "growth.names",
        sizes: SIZES,
        build: |graph| {
            people(graph)?;
            add_labels(graph)?;
            add_types(graph)?;
            add_keys(graph)
        },
        costs: &[
            Cost { name: "new", per: Per::Statement, ask: new_label },
            RETURN,
            READ,
            WRITE,
            Cost {
                name: "unseen_pattern",
                per: Per::Statement,
                ask: |graph| {
                    let (name, asked) = (graph.any(), graph.asked);
                    let text = format!(
                        "MATCH (a:L{name})-[r:T{name}]->(b) WHERE a.k{name} = 1 \
                         RETURN count(r) AS c{asked}"
                    );
                    graph.must_give(&text, &[], 0)
                },
            },
        ],
        check: |graph| {
            let labels = graph.size + graph.added + 2;
            graph.must_give("CALL db.labels() YIELD label RETURN count(*)", &[], labels)
        },
    };
    law.measure(conditions)
}

/// Whatever stands behind a statement with a new name is planned anew if it must be.
const RETURN: Cost =
    Cost { name: "behind", per: Per::Statement, ask: |graph| graph.must_give("RETURN 1", &[], 1) };

const READ: Cost = Cost {
    name: "read",
    per: Per::Statement,
    ask: |graph| {
        let id = graph.asked % PEOPLE;
        let text = "MATCH (p:Person {id: $id})-[:KNOWS]->(q) RETURN q.id";
        graph.must_give(text, &[("id", number(id))], (id + 1) % PEOPLE)
    },
};

const WRITE: Cost = Cost {
    name: "write",
    per: Per::Statement,
    ask: |graph| {
        let (id, name) = (number(graph.asked % PEOPLE), number(graph.asked));
        let text = "MATCH (p:Person {id: $id}) SET p.name = $name RETURN p.id";
        let parameters = [("id", id), ("name", name)];
        graph.must_give(text, &parameters, graph.asked % PEOPLE)
    },
};

const LIST_LABELS: Cost = Cost {
    name: "listing",
    per: Per::Element,
    ask: |graph| {
        let labels = graph.size + graph.added + 1;
        graph.must_give("CALL db.labels() YIELD label RETURN count(*)", &[], labels)
    },
};

/// People in a ring, found by their number.
pub(super) fn people(graph: &mut SizedGraph) -> Result<()> {
    graph.ask("CREATE INDEX people FOR (p:Person) ON (p.id)", &[])?;
    let count = [("count", number(PEOPLE))];
    graph.ask("UNWIND range(0, $count - 1) AS id CREATE (:Person {id: id, name: 0})", &count)?;
    let text =
        "MATCH (p:Person) MATCH (q:Person {id: (p.id + 1) % $count}) CREATE (p)-[:KNOWS]->(q)";
    graph.ask(text, &count).map(drop)
}

fn add_labels(graph: &mut SizedGraph) -> Result<()> {
    let size = graph.size;
    let add = |names: String| graph.ask(&format!("CREATE {names}"), &[]).map(drop);
    in_parts(size, PART, ", ", |name| format!("(:L{name})"), add)
}

fn add_types(graph: &mut SizedGraph) -> Result<()> {
    let size = graph.size;
    let add = |names: String| graph.ask(&format!("CREATE (a), (b), {names}"), &[]).map(drop);
    in_parts(size, PART, ", ", |name| format!("(a)-[:T{name}]->(b)"), add)
}

fn add_keys(graph: &mut SizedGraph) -> Result<()> {
    let size = graph.size;
    let add = |names: String| graph.ask(&format!("CREATE (:Thing {{{names}}})"), &[]).map(drop);
    in_parts(size, PART, ", ", |name| format!("k{name}: 1"), add)
}

fn new_label(graph: &mut SizedGraph) -> Result<()> {
    let name = graph.next();
    graph.ask(&format!("CREATE (:L{name})"), &[]).map(drop)
}

fn new_type(graph: &mut SizedGraph) -> Result<()> {
    let (name, id) = (graph.next(), number(graph.any() % PEOPLE));
    let text = format!("MATCH (p:Person {{id: $id}}) CREATE (p)-[:T{name}]->(p)");
    graph.ask(&text, &[("id", id)]).map(drop)
}

fn new_key(graph: &mut SizedGraph) -> Result<()> {
    let (name, id) = (graph.next(), number(graph.any() % PEOPLE));
    graph.ask(&format!("MATCH (p:Person {{id: $id}}) SET p.k{name} = 1"), &[("id", id)]).map(drop)
}
