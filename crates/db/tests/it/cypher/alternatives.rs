//! Alternatives in WHERE: each is asked of its own index.

use super::Graph;

const PEOPLE: usize = 500;

fn graph() -> Graph {
    let graph = Graph::new();
    for text in [
        "CREATE INDEX by_email FOR (n:P) ON (n.email)".to_owned(),
        "CREATE INDEX by_name FOR (n:P) ON (n.name)".to_owned(),
        "CREATE INDEX by_age FOR (n:P) ON (n.age)".to_owned(),
        format!(
            "UNWIND range(1, {PEOPLE}) AS i \
             CREATE (:P {{email: 'e' + i, name: 'n' + i % 100, age: i, other: i}})"
        ),
    ] {
        graph.run(&text).expect("it is sound");
    }
    graph
}

#[test]
fn each_alternative_is_asked_of_its_index() {
    let graph = graph();
    let expected: [(&str, &str, bool); 8] = [
        ("n.email = 'e7' OR n.name = 'n7'", "[7, 107, 207, 307, 407]", true),
        ("n.email = 'e7' OR n.email = 'e9' OR n.email = null", "[7, 9]", true),
        (
            "n.email = 'e7' OR n.age < 3 OR n.name IN ['n99', null]",
            "[1, 2, 7, 99, 199, 299, 399, 499]",
            true,
        ),
        ("(n.email = 'e7' AND n.other = 7) OR (n.name = 'n8' AND n.age > 400)", "[7, 408]", true),
        (
            "n.email STARTS WITH 'e49' OR n.age = 500",
            "[49, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500]",
            true,
        ),
        (
            "(n.email = 'e7' OR n.name = 'n7') AND (n.age < 108 OR n.age > 406)",
            "[7, 107, 407]",
            true,
        ),
        ("n.email = 'e7' OR n.other = 8", "[7, 8]", false),
        ("n.email = 'e7' OR n.age + 1 = 3", "[2, 7]", false),
    ];
    for (test, ages, by_index) in expected {
        let question =
            format!("MATCH (n:P) WHERE {test} WITH n.age AS age ORDER BY age RETURN collect(age)");
        assert_eq!(graph.ask(&question), [ages], "{test}");
        let profile = graph.ask(&format!("PROFILE {question}")).concat();
        let scanned = format!("(\"rows\", {PEOPLE})");
        assert_eq!(!profile.contains(&scanned), by_index, "{test}: {profile}");
    }
}
