//! The border of Cypher as text: any text is statements or errors with places, the same each time; the normal text of
//! the statements reads the same.

use millrace_cypher::{check, normal_text};
use millrace_model::ErrorKind;

/// Texts with each form of the grammar.
const SEEDS: &[&str] = &[
    "MATCH (a:A&!B|% {k: 1} WHERE a.x > 1)-[r:T|U*1..3 {k: $p}]->(b)<--(c) WHERE NOT (a)-[:T]-(b) RETURN DISTINCT a.x AS x, count(*) ORDER BY x DESC SKIP 1 LIMIT $n",
    "MATCH p = ANY SHORTEST (a) ((x)-[r]->(y) WHERE x.k < y.k){1,3} (b)-[:T]->+(c), q = shortestPath((a)-[*]->(b)) USING INDEX a:A(k) RETURN p, q",
    "OPTIONAL MATCH (n:$(x):`a``b`) WITH *, n.x + -1 ^ 2 % 3 || 'a\\u0041' AS y WHERE y =~ '.*' AND y IS NOT NULL XOR y IS :: LIST<INTEGER NOT NULL> RETURN y",
    "UNWIND [x IN $xs WHERE x:A | x.k] AS x RETURN [(a)-->(b) WHERE b.x | b], all(y IN x WHERE y), reduce(s = 0, y IN x | s + y), x[1..][0], n {.*, .k, z: 1}",
    "RETURN CASE x WHEN 1, > 2 THEN 'a' ELSE \"b\" END, EXISTS { (a)-->(b) }, COUNT { MATCH (a) RETURN a UNION ALL MATCH (b) RETURN b }, trim(BOTH 'x' FROM y), 0xFF, 1e5, .5, $`p q`",
    "CREATE (n:A {k: 1})-[:T]->(m) MERGE (n)-[:U]->(m) ON CREATE SET n.x = 1, n += {y: 2}, n:B ON MATCH SET n['k'] = 3 REMOVE n.x, n:B DETACH DELETE m FOREACH (x IN [1] | SET n.x = x)",
    "CALL { WITH n RETURN n.x AS x } IN 2 CONCURRENT TRANSACTIONS OF 10 ROWS ON ERROR CONTINUE REPORT STATUS AS s CALL f.g(1) YIELD a AS b WHERE b > 1 RETURN s; LOAD CSV WITH HEADERS FROM 'a' AS row FIELDTERMINATOR ';' FINISH",
    "EXPLAIN USE g RETURN 1; CREATE RANGE INDEX i IF NOT EXISTS FOR (n:A) ON (n.x, n.y) OPTIONS {}; CREATE CONSTRAINT c FOR ()-[r:T]-() REQUIRE r.x IS :: STRING; DROP INDEX i IF EXISTS",
    "SHOW TRANSACTIONS 'a', 'b' YIELD * ORDER BY id LIMIT 1 WHERE true RETURN count(*) AS c; TERMINATE TRANSACTIONS $ids; ALTER DATABASE d SET OPTION k 'v'; CREATE USER u // refused",
];

/// The texts, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    // Near the bound of nesting, and beyond it in the normal text.
    let nested = format!("RETURN {}x", "-".repeat(90));
    SEEDS.iter().copied().chain([nested.as_str()]).map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads the bytes as a text.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match normal_text(&text) {
        Ok(statements) => {
            let normal = statements.join(";\n");
            match normal_text(&normal) {
                Ok(again) => assert_eq!(again.join(";\n"), normal, "the normal text of {text}"),
                // Its parentheses nest, too, so a text near the bound has one beyond it.
                Err(errors) => {
                    let is_bound = errors.iter().all(|own| own.kind == ErrorKind::LimitReached);
                    assert!(is_bound, "{errors:?}: {normal}, the normal text of {text}");
                }
            }
        }
        Err(errors) => {
            let is_placed = errors.iter().all(|error| error.position.is_some());
            assert!(is_placed && !errors.is_empty(), "{errors:?}: {text}");
            assert_eq!(errors, check(&text), "the same text twice: {text}");
        }
    }
}
