//! Queries as users of Neo4j write them: each is right.

use super::{procedures, resolved};
use millrace_model::stack::with_levels;

use crate::limits::HEIGHT_MAX;
use crate::scope::resolve;
use crate::text::{parse, parse_from};

const QUERIES: &[&str] = &[
    // Reading.
    "MATCH (p:Person {name: $name})-[:LIKES]->(:Item)<-[:LIKES]-(:Person)-[:LIKES]->(i:Item)
     WHERE NOT (p)-[:LIKES]->(i) RETURN i.name, count(*) AS c ORDER BY c DESC LIMIT 25",
    "MATCH (a:Person|Robot)-[r:KNOWS|LIKES*1..3]-(b) WHERE all(x IN r WHERE x.since > 2000) RETURN a, b",
    "MATCH p = shortestPath((a:A {k: 1})-[:T*..15]-(b:B {k: 2})) RETURN [n IN nodes(p) | n.name] AS names, length(p)",
    "MATCH (a), (b) WHERE a.x = b.x AND a <> b WITH a, collect(DISTINCT b) AS bs WHERE size(bs) > 2
     UNWIND bs AS b RETURN a.name AS a, b.name AS b ORDER BY a, b SKIP $s LIMIT $n",
    "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) WITH n, r, m ORDER BY m.x RETURN n, collect({r: r, m: m.x})[..10] AS top",
    "MATCH (n:A) RETURN n {.x, .*, y: n.a + 1, rs: [(n)-->(m:B) WHERE m.k > 1 | m {.k}]} AS map",
    "MATCH (n) RETURN CASE n.x WHEN 1, 2 THEN 'low' WHEN > 7 THEN 'high' ELSE toString(n.x) END AS level",
    "MATCH (n) WHERE n.x IS NOT NULL AND n:A&!B AND n.name =~ '(?i)a.*' RETURN n.x AS x ORDER BY n.x DESC",
    "MATCH (n) WHERE date(n.day) + duration({days: 3}) < date() RETURN n.day.year + 1 AS y",
    "MATCH (n) WHERE n.size > 3 RETURN avg(n.size) * 100 / (count(n) + 1) AS x, max(n.name), sum(n.a + n.b)",
    "MATCH (n) RETURN labels(n)[0] AS label, count(*) AS count ORDER BY count DESC, label",
    "MATCH (n) WITH count(n) AS total MATCH (m:A) RETURN total, count(m) AS own, toFloat(count(m)) / total AS share",
    "MATCH (n) WITH n.a AS a, count(*) AS c WITH *, a AS b RETURN *",
    "MATCH (n)-[r]->() RETURN type(r), keys(r), properties(r), startNode(r).x, id(n), elementId(n)",
    "UNWIND range(1, 10) AS i WITH i, i * i AS square WHERE square % 2 = 0 RETURN collect([i, square]) AS pairs",
    "RETURN reduce(s = 0, x IN [1, 2, 3] | s + x) AS sum, [x IN range(0, 9) WHERE x % 2 = 0 | x ^ 2] AS squares",
    "RETURN point({x: 1, y: 2}).x, point.distance(point({x: 1, y: 2}), $p) AS d",
    "WITH 'a,b' AS text UNWIND split(text, ',') AS part RETURN part + '!' AS part, size(part), part IN ['a']",
    "WITH [1, 2, 3] AS xs RETURN xs[0], xs[-1], xs[1..], head(xs) + 1, reverse(xs), xs + 4, [0] + xs",
    "WITH {a: {b: [1]}} AS m RETURN m.a.b[0], m['a'], keys(m)",
    "MATCH (n) RETURN n.x AS x UNION ALL MATCH (m) RETURN m.y AS x",
    "MATCH (a:A) WHERE EXISTS { (a)-[:T]->(b:B) WHERE b.x = a.x } RETURN a",
    "MATCH (a:A) WHERE COUNT { (a)-->() } > 3 RETURN a.x, COUNT { (a)-->(b) WHERE b.x > 1 } AS n ORDER BY n",
    "MATCH (a:A) RETURN COLLECT { MATCH (a)-->(b) RETURN b.name ORDER BY b.name LIMIT 3 } AS names",
    "MATCH (a) WHERE EXISTS { MATCH (a)-->(b) WITH b, count(*) AS c WHERE c > 1 MATCH (b)-->(a) RETURN b } RETURN a",
    "MATCH (a) WHERE exists(a.x) OR (a)-->(:B) XOR NOT (a)<--() RETURN a",
    "MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b.x AS x UNION MATCH (a)<--(c) RETURN c.x AS x } RETURN a, sum(x) AS s",
    "MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN count(b) AS n } WITH a, n WHERE n > 1 RETURN a.name, n",
    "CALL { MATCH (n) RETURN n ORDER BY n.x LIMIT 1 UNION MATCH (n) RETURN n ORDER BY n.x DESC LIMIT 1 } RETURN n",
    "MATCH (a) CALL (*) { WITH a.x AS x WHERE x > 1 RETURN x + 1 AS y } RETURN a, y",
    "MATCH (a:A) MATCH ((x)-[r:T]->(y) WHERE x.k < y.k){1,5} (z:Z) RETURN [n IN x | n.k] AS ks, size(r), z",
    "MATCH p = ANY SHORTEST (a:A)-[:T]->+(b:B) RETURN [r IN relationships(p) | r.w] AS ws",
    "MATCH (a)-[r:T WHERE r.w > 1]->{2,4}(b) RETURN reduce(w = 0, x IN r | w + x.w) AS w",
    "MATCH (n WHERE n.x > 1)-[r WHERE r.y = n.x]->(m) RETURN n, m",
    "MATCH (n:$($label)) WHERE n IS :: NODE RETURN n",
    "OPTIONAL MATCH (n:Nothing) RETURN n IS NULL AS missing, coalesce(n.x, 0) + 1",
    // Writing.
    "CREATE (a:A {x: 1})-[r:T {y: 2}]->(b:B $props) RETURN a, r, b",
    "UNWIND $rows AS row MERGE (n:A {id: row.id}) ON CREATE SET n.at = timestamp(), n += row ON MATCH SET n.seen = true",
    "UNWIND $rows AS row MATCH (a:A {id: row.from}), (b:A {id: row.to}) MERGE (a)-[r:T]->(b) SET r.w = row.w",
    "MATCH (a:A) SET a = {x: 1}, a.y = a.x, a:B:C REMOVE a.z, a:D RETURN a",
    "MATCH (a:A) SET a[$key] = 1 REMOVE a[$other]",
    "MATCH (a)-[r]-() DETACH DELETE a, r",
    "MATCH p = (a)-->() DELETE p",
    "MATCH (a) WITH a, a.list AS list FOREACH (x IN list | MERGE (b:B {x: x}) MERGE (a)-[:T]->(b))",
    "MATCH (a) FOREACH (_ IN CASE WHEN a.x > 1 THEN [1] ELSE [] END | SET a.big = true)",
    "MATCH (n:A) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS",
    "LOAD CSV WITH HEADERS FROM 'file:///a.csv' AS row CALL (row) { MERGE (n:A {id: row.id}) SET n.x = toInteger(row.x) } IN TRANSACTIONS",
    "LOAD CSV FROM $url AS line WITH line[0] AS name, toInteger(line[1]) AS age CREATE (:P {name: name, age: age})",
    "CREATE (a:A) WITH a MATCH (b:B) CREATE (a)-[:T]->(b) RETURN count(*) AS made",
    "MERGE (a:A {x: 1}) MERGE (b:B {x: 2}) MERGE (a)-[:T]-(b) RETURN a, b",
    "MATCH (a) INSERT (a)-[:T]->(:B) FINISH",
    // Procedures and commands.
    "CALL test.pair(1.5, 2) YIELD a AS one, b WHERE one > 1 MATCH (b)-->(c) RETURN one, c",
    "MATCH (n) CALL test.work() RETURN count(n)",
    "EXPLAIN MATCH (n) RETURN n",
    "SHOW INDEXES YIELD name, labelsOrTypes AS labels WHERE 'A' IN labels RETURN name, size(labels) AS n ORDER BY n",
    "CREATE INDEX a IF NOT EXISTS FOR (n:A) ON (n.x)",
    "SHOW TRANSACTIONS",
    "TERMINATE TRANSACTIONS 'a', 'b'",
];

#[test]
fn queries_of_users_are_right() {
    for query in QUERIES {
        if let Err(errors) = resolved(query) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{query}\n{}", errors.join("\n"));
        }
    }
}

/// The deepest text that the parser reads is resolved, on a thread with two megabytes of stack.
#[test]
fn a_text_of_the_greatest_depth_is_resolved() {
    let resolve_all = || {
        for text in deepest_texts() {
            let parsed = parse_from(&text, 0).expect("the parser reads it");
            with_levels(parsed.levels, || {
                let mut statements = parsed.statements;
                assert!(resolve(&mut statements[0], &procedures()).is_ok());
            });
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(resolve_all);
    thread.expect("a thread can be started").join().expect("the stack suffices");
}

fn deepest_texts() -> Vec<String> {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("RETURN {}{inner}{} AS x", open.repeat(depth), close.repeat(depth))
    };
    let deepest = |form: &dyn Fn(usize) -> String| {
        // Deeper texts are refused from some depth on.
        let (mut read, mut refused) = (1, HEIGHT_MAX + 1);
        while read + 1 < refused {
            let depth = usize::midpoint(read, refused);
            match parse(&form(depth)).is_ok() {
                true => read = depth,
                false => refused = depth,
            }
        }
        form(read)
    };
    vec![
        deepest(&|depth| nested("(1 + ", "1", ")", depth)),
        deepest(&|depth| nested("[x IN ", "[1]", " | x]", depth)),
        deepest(&|depth| nested("EXISTS { MATCH (n) WHERE ", "true", "}", depth)),
        deepest(&|depth| format!("RETURN 1{} AS x", " + 1".repeat(depth))),
        deepest(&|depth| format!("RETURN 1 AS x ORDER BY 1{}", " + 1".repeat(depth))),
        deepest(&|depth| format!("RETURN 1 + 1 AS x ORDER BY 1{}", " + 1".repeat(depth))),
        format!("RETURN true{} AS x", " AND true".repeat(20_000)),
    ]
}
