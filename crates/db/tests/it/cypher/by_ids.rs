//! Elements by `id()` and `elementId()`: looked up, never scanned for.

use super::Graph;

/// Ann likes Bob; Bob likes Cid and himself.
fn graph() -> Graph {
    let graph = Graph::new();
    graph
        .run(
            "CREATE (a:P {name: 'Ann'})-[:LIKES {n: 1}]->(b:P {name: 'Bob'})-[:LIKES {n: 2}]->(:P:Q {name: 'Cid'}), \
             (b)-[:LIKES {n: 3}]->(b)",
        )
        .expect("it is sound");
    graph
}

/// A question with `ID` where the id of what is found by the first part stands.
fn asked(graph: &Graph, of: &str, question: &str) -> (Vec<String>, String) {
    let id = graph.ask(of).concat();
    let text = question.replace("ID", &id);
    (graph.ask(&text), graph.ask(&format!("EXPLAIN {text}")).concat())
}

#[test]
fn an_element_with_a_known_id_is_looked_up() {
    let graph = graph();
    let bob = "MATCH (n {name: 'Bob'}) RETURN id(n)";
    let second = "MATCH ()-[r {n: 2}]->() RETURN id(r)";
    let loops = "MATCH ()-[r {n: 3}]->() RETURN id(r)";
    let expected: [(&str, &str, &[&str]); 23] = [
        (bob, "MATCH (n) WHERE id(n) = ID RETURN n.name", &["Bob"]),
        (bob, "MATCH (n) WHERE id(n) = ID OR id(n) = 1000 RETURN n.name", &["Bob"]),
        (bob, "MATCH (n:P) WHERE ID = id(n) AND n.name STARTS WITH 'B' RETURN n.name", &["Bob"]),
        (bob, "MATCH (n:Q) WHERE id(n) = ID RETURN n.name", &[]),
        (bob, "MATCH (n) WHERE elementId(n) = '4:0:ID' RETURN n.name", &["Bob"]),
        (bob, "MATCH (n) WHERE elementId(n) = '4:0:0ID' RETURN n.name", &[]),
        (bob, "MATCH (n) WHERE elementId(n) = 'ID' RETURN n.name", &[]),
        (bob, "MATCH (n) WHERE elementId(n) = '5:0:ID' RETURN n.name", &[]),
        (bob, "MATCH (n) WHERE id(n) IN [ID, ID, null, -7, 1000000] RETURN n.name", &["Bob"]),
        (bob, "WITH ['4:0:ID'] AS ids MATCH (n) WHERE elementId(n) IN ids RETURN n.name", &["Bob"]),
        (bob, "UNWIND [ID, ID] AS one MATCH (n) WHERE id(n) = one RETURN n.name", &["Bob", "Bob"]),
        (bob, "UNWIND [{id: ID}] AS row MATCH (n) WHERE id(n) = row.id RETURN n.name", &["Bob"]),
        (
            bob,
            "UNWIND [{to: ['4:0:ID']}] AS row MATCH (n:P) WHERE elementId(n) IN row.to RETURN n.name",
            &["Bob"],
        ),
        (
            bob,
            "UNWIND [{id: ID}] AS row WITH row MATCH (a) WHERE row.id = id(a) MATCH (b) \
             WHERE id(b) = row.id RETURN a.name, b.name",
            &["Bob, Bob"],
        ),
        (
            second,
            "UNWIND [{id: ID}] AS row MATCH ()-[r]->(n) WHERE id(r) = row.id RETURN n.name",
            &["Cid"],
        ),
        (bob, "MATCH (a:P)-[:LIKES]->(b) WHERE id(b) = ID AND a <> b RETURN a.name", &["Ann"]),
        (bob, "MATCH (a)-[:LIKES*2]->(b) WHERE id(b) = ID RETURN a.name", &["Ann"]),
        (bob, "OPTIONAL MATCH (n:Q) WHERE id(n) = ID RETURN n.name", &["null"]),
        (
            second,
            "MATCH (a)-[r]->(b) WHERE id(r) = ID RETURN a.name, r.n, b.name",
            &["Bob, 2, Cid"],
        ),
        (
            second,
            "MATCH (a)-[r:LIKES]-(b) WHERE elementId(r) = '5:0:ID' RETURN a.name ORDER BY a.name",
            &["Bob", "Cid"],
        ),
        (second, "MATCH (a)-[r:HATES]-(b) WHERE id(r) = ID RETURN a.name", &[]),
        (loops, "MATCH (a)-[r]-(b) WHERE id(r) = ID RETURN a.name, b.name", &["Bob, Bob"]),
        (
            second,
            "MATCH (x)-[q]->(y)-[r]->(z) WHERE id(r) = ID RETURN x.name, q.n, z.name ORDER BY q.n",
            &["Ann, 1, Cid", "Bob, 3, Cid"],
        ),
    ];
    for (of, question, rows) in expected {
        let (found, plan) = asked(&graph, of, question);
        assert_eq!(found, rows, "{question}");
        assert!(plan.contains("LookupById") && !plan.contains("Scan"), "{question}: {plan}");
    }
}

#[test]
fn an_id_of_another_element_of_the_pattern_is_no_known_one() {
    let graph = graph();
    let text = "MATCH (a), (b) WHERE id(a) = id(b) RETURN count(*)";
    assert_eq!(graph.ask(text), ["3"]);
    let text = "MATCH (a:P), (b:P)-[r]->() WHERE id(b) = id(a) + 1 AND a.name = 'Ann' RETURN r.n ORDER BY r.n";
    assert_eq!(graph.ask(text), ["2", "3"]);
}

#[test]
fn a_single_id_is_a_list_of_one_as_it_would_be_in_a_scan() {
    let graph = graph();
    let text = "UNWIND [[], null, 999999] AS ids MATCH (n) WHERE id(n) IN ids RETURN n";
    assert_eq!(graph.ask(text), Vec::<String>::new());
    assert_eq!(Graph::new().ask(text), Vec::<String>::new());
}
