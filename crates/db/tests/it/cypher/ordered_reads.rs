//! Scratch.
use super::Graph;

#[test]
fn scratch() {
    let graph = Graph::new();
    graph.run("CREATE RANGE INDEX ks FOR (n:P) ON (n.k)").expect("it is sound");
    for q in [
        "MATCH (n:P) RETURN n.k ORDER BY n.k LIMIT 10",
        "MATCH (n:P) RETURN n ORDER BY n.k SKIP 5 LIMIT 10",
        "MATCH (n:P) RETURN n.k AS k, n.b AS b ORDER BY k DESC LIMIT 10",
        "MATCH (n:P) WHERE n.k > $c RETURN n.b ORDER BY n.k LIMIT 10",
        "MATCH (n:P) WHERE n.k > 3 OR n.k = 3 AND id(n) > 7 RETURN n.b ORDER BY n.k, id(n) LIMIT 10",
        "MATCH (n:P) WHERE n.a = 1 RETURN n.b ORDER BY n.a, n.k LIMIT 10",
        "MATCH (n:P) WITH n ORDER BY n.k LIMIT 10 MATCH (n)--(m) RETURN m",
        "MATCH (n:P) RETURN max(n.k), min(n.k)",
        "MATCH (n:P) WHERE n.k IS NOT NULL RETURN max(n.k) AS m",
        "MATCH (n:P) RETURN n.k ORDER BY n.k",
        "MATCH (n:P)-->(m) RETURN n.k ORDER BY n.k LIMIT 3",
        "MATCH (n:P) WHERE (n)-->() RETURN n.k ORDER BY n.k LIMIT 3",
        "MATCH ()-[r:R]->() RETURN r.k ORDER BY r.k LIMIT 3",
        "MATCH (n:P) WITH DISTINCT n.k AS k ORDER BY k LIMIT 3 RETURN k",
        "MATCH (n:P) WHERE n.k STARTS WITH 'a' RETURN n.k ORDER BY n.k LIMIT 3",
        "MATCH (n:P) RETURN n ORDER BY toLower(n.k) LIMIT 10",
        "MATCH (n:P) RETURN n.k AS k, count(*) ORDER BY k LIMIT 10",
    ] {
        println!("-- {q}\n{}", graph.ask(&format!("EXPLAIN {q}")).join("\n"));
    }
}
