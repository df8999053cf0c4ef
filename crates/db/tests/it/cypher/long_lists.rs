//! Membership in lists that are long enough to be hashed, beside the same question entry by entry.

use super::Graph;

#[test]
fn membership_in_a_long_list_is_that_of_its_entries() {
    let graph = Graph::new();
    graph.ask("UNWIND range(0, 39) AS n CREATE (:P {n: n})-[:R {n: n}]->(:Q {n: n})");
    let items = "[1, 2.0, 2.5, 100, '7', 'x', true, null, [1], {a: 1}]";
    for list in [
        "range(0, 30)",
        "range(0, 30) + [null]",
        "range(0, 30) + [2.5]",
        "[n IN range(0, 30) | toString(n)]",
        "[n IN range(0, 30) | toString(n)] + ['x', null]",
        "[n IN range(0, 30) | toFloat(n)]",
        "[n IN range(0, 30) | [n]]",
        "range(0, 3)",
    ] {
        let text = format!(
            "WITH {list} AS list UNWIND {items} AS item WITH item, list, item IN list AS found \
             WITH item, found, any(entry IN list WHERE entry = item) AS wanted \
             WHERE coalesce(toString(found), 'null') <> coalesce(toString(wanted), 'null') \
             RETURN item, found, wanted"
        );
        assert_eq!(graph.ask(&text), Vec::<String>::new(), "{list}");
    }
    for (text, count) in [
        (
            "MATCH (p:P) WHERE p.n < 20 WITH collect(p) AS ps MATCH (x) WHERE x IN ps RETURN count(*)",
            "20",
        ),
        (
            "MATCH ()-[r]->() WHERE r.n < 20 WITH collect(r) AS rs MATCH ()-[x]->() WHERE x IN rs RETURN count(*)",
            "20",
        ),
        ("MATCH (p:P) WITH collect(p) AS ps MATCH (x) WHERE NOT x IN ps RETURN count(*)", "40"),
        (
            "MATCH (p:P) WITH collect(p) AS ps MATCH (x:Q) WHERE x IN ps + [null] RETURN count(*)",
            "0",
        ),
    ] {
        assert_eq!(graph.ask(text), [count], "{text}");
    }
}
