//! The queries and the loads.

use serde_json::{Value, json};

/// One request.
pub(super) enum Step {
    Query { language: &'static str, text: &'static str, parameters: Option<fn() -> Value> },
    Load { words: &'static str, make: fn() -> String },
}

/// A request that asks for much, and those before it.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) before: &'static [Step],
    pub(super) step: Step,
}

const fn cypher(text: &'static str) -> Step {
    Step::Query { language: "cypher", text, parameters: None }
}

const fn with(text: &'static str, parameters: fn() -> Value) -> Step {
    Step::Query { language: "cypher", text, parameters: Some(parameters) }
}

const fn gremlin(text: &'static str) -> Step {
    Step::Query { language: "gremlin", text, parameters: None }
}

const fn lua(text: &'static str) -> Step {
    Step::Query { language: "lua", text, parameters: None }
}

const fn dql(text: &'static str) -> Step {
    Step::Query { language: "dql", text, parameters: None }
}

const fn load(words: &'static str, make: fn() -> String) -> Step {
    Step::Load { words, make }
}

/// Five thousand people.
const PEOPLE: &[Step] =
    &[cypher("UNWIND range(1, 5000) AS i CREATE (:P {id: i, name: 'a name of some length ' + i})")];

/// Calls a function of Lua with a table that is a thousand times the same one.
macro_rules! of_a_repeated_table {
    ($call:literal) => {
        concat!(
            "local t = {} for i = 1, 1000000 do t[i] = i end ",
            "local u = {} for i = 1, 1000 do u[i] = t end\n",
            $call
        )
    };
}

/// Two thousand nodes with ten relationships each.
const NET: &[Step] = &[
    cypher("UNWIND range(1, 2000) AS i CREATE (:P {id: i})"),
    cypher("CREATE INDEX FOR (n:P) ON (n.id)"),
    cypher(
        "UNWIND range(1, 20000) AS i MATCH (a:P {id: i % 2000 + 1}), (b:P {id: (i * 7919) % 2000 + 1}) \
         CREATE (a)-[:K]->(b)",
    ),
];

/// Two thousand nodes, each with relationships to ten others.
const WEB: &[Step] = &[
    cypher("UNWIND range(1, 2000) AS i CREATE (:P {id: i})"),
    cypher("CREATE INDEX FOR (n:P) ON (n.id)"),
    cypher(
        "UNWIND range(1, 20000) AS i MATCH (a:P {id: i % 2000 + 1}), (b:P {id: (i * 79 + i / 2000) % 2000 + 1}) \
         CREATE (a)-[:K]->(b)",
    ),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name, before, step| cases.push(Case { name, before, step });
    values(&mut add);
    writes(&mut add);
    whole_graphs(&mut add);
    gremlins(&mut add);
    luas(&mut add);
    dqls(&mut add);
    loads(&mut add);
    cases
}

type Add<'a> = &'a mut dyn FnMut(&'static str, &'static [Step], Step);

fn values(add: Add<'_>) {
    let mut ask = |name, text| add(name, &[], cypher(text));
    ask("a collected range", "UNWIND range(1, 100000000) AS i RETURN size(collect(i))");
    ask(
        "a product collected",
        "UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b WITH [a, b] AS l RETURN size(collect(l))",
    );
    ask("a doubled text", "RETURN size(reduce(s = 'x', i IN range(1, 40) | s + s))");
    ask("a list that grows", "RETURN size(reduce(l = [], i IN range(1, 1000000) | l + [i, i]))");
    ask("a doubled list", "RETURN size(reduce(l = [1], i IN range(1, 40) | l + l))");
    ask("a text of doubled lists", "RETURN toString(reduce(l = [1], i IN range(1, 40) | [l, l]))");
    ask(
        "long texts of a range",
        "UNWIND range(1, 100000000) AS i WITH toString(i) + ' and more, so that it is long' AS t \
         RETURN size(collect(t))",
    );
    ask(
        "lists of maps collected",
        "UNWIND range(1, 3000) AS a WITH a, [x IN range(1, 3000) | {a: a, x: x}] AS l \
         RETURN size(collect(l))",
    );
    ask(
        "distinct products",
        "UNWIND range(1, 20000) AS a UNWIND range(1, 20000) AS b RETURN count(DISTINCT [a, b])",
    );
    ask(
        "sorted products",
        "UNWIND range(1, 20000) AS a UNWIND range(1, 20000) AS b \
         RETURN a * 20000 + b AS n ORDER BY n DESC",
    );
    add(
        "products of a parameter",
        &[],
        with("UNWIND $p AS a UNWIND $p AS b WITH a + b AS t RETURN size(collect(t))", || {
            let texts = (0..10_000).map(|at| format!("a text of the parameter, number {at}"));
            json!({ "p": texts.collect::<Vec<_>>() })
        }),
    );
    add(
        "a large parameter for each row",
        &[],
        with(
            "UNWIND range(1, 1000000) AS i WITH i, $p AS p RETURN size(collect(p))",
            || json!({ "p": vec!["a text"; 100_000] }),
        ),
    );
}

fn writes(add: Add<'_>) {
    let mut ask = |name, text| add(name, &[], cypher(text));
    ask("millions of nodes", "UNWIND range(1, 30000000) AS i CREATE (:N {i: i})");
    ask("millions of merged nodes", "UNWIND range(1, 30000000) AS i MERGE (:N {i: i})");
    ask(
        "millions of long texts",
        "UNWIND range(1, 5000000) AS i \
         CREATE (:N {t: 'a text that is long, a text that is long, a text that is long ' + i})",
    );
    ask(
        "millions of relationships",
        "CREATE (a:N) WITH a UNWIND range(1, 30000000) AS i CREATE (a)-[:T]->(a)",
    );
    add(
        "a key for each node",
        &[],
        with("UNWIND $rows AS row CREATE (n:N) SET n = row", || {
            let row = |at: usize| json!({ format!("key{at}"): at });
            json!({ "rows": (0..8_000).map(row).collect::<Vec<_>>() })
        }),
    );
    add(
        "many keys of one node",
        &[],
        with("CREATE (n:N) SET n = $p", || {
            let pairs = (0..16_000).map(|at| (format!("key{at}"), Value::from(at)));
            json!({ "p": pairs.collect::<serde_json::Map<_, _>>() })
        }),
    );
    add(
        "deleted and made again",
        PEOPLE,
        cypher(
            "MATCH (n:P) WITH collect(n) AS all UNWIND range(1, 1000000) AS i CREATE (m:M {i: i}) \
                WITH all, m DELETE m RETURN count(*)",
        ),
    );
}

fn whole_graphs(add: Add<'_>) {
    let mut ask = |name, text| add(name, PEOPLE, cypher(text));
    ask("maps of nodes", "MATCH (a:P), (b:P) RETURN size(collect(a {.*}))");
    ask("properties of nodes", "MATCH (a:P), (b:P) RETURN size(collect(properties(a)))");
    ask("nodes in a list", "MATCH (a:P), (b:P) WITH collect(a) AS l RETURN size(l)");
    ask("everything sorted", "MATCH (a:P), (b:P) RETURN a.name + b.name AS n ORDER BY n");
    ask("everything distinct", "MATCH (a:P), (b:P) RETURN DISTINCT a.name + b.name AS n");
    ask(
        "a group for each pair",
        "MATCH (a:P), (b:P) WITH a.id AS x, b.id AS y, count(*) AS c RETURN max(c)",
    );
    let mut ask = |name, text| add(name, NET, cypher(text));
    ask("counted paths", "MATCH p = (a:P {id: 1})-[:K*1..6]-(b) RETURN count(p)");
    ask("collected paths", "MATCH p = (a:P {id: 1})-[:K*1..5]-(b) RETURN size(collect(p))");
    ask(
        "all shortest paths",
        "MATCH p = allShortestPaths((a:P)-[:K*]-(b:P)) WHERE a.id < b.id RETURN size(collect(p))",
    );
}

fn gremlins(add: Add<'_>) {
    let mut ask = |name, text| add(name, PEOPLE, gremlin(text));
    ask(
        "gremlin: a group for each pair",
        "g.V().as('a').V().as('b').group().by(select('a', 'b').by('name')).count(local)",
    );
    ask(
        "gremlin: aggregated values",
        "g.V().as('a').V().values('name').aggregate('x').cap('x').count(local)",
    );
    ask("gremlin: paths", "g.V().V().path().fold().count(local)");
    ask(
        "gremlin: distinct pairs",
        "g.V().as('a').V().as('b').select('a', 'b').by('name').dedup().count()",
    );
    ask(
        "gremlin: sorted values",
        "g.V().as('a').V().values('name').as('b').order().select('a', 'b').count()",
    );
    let mut ask = |name, text| add(name, NET, gremlin(text));
    ask(
        "gremlin: a tree",
        "g.V().has('id', lt(50)).both('K').both('K').both('K').both('K').tree()",
    );
    ask(
        "gremlin: a doubled traverser",
        "g.inject(1).repeat(union(identity(), identity())).times(40).fold().count(local)",
    );
    ask(
        "gremlin: repeated paths",
        "g.V().has('id', 1).repeat(both('K')).emit().times(6).path().fold().count(local)",
    );
}

fn dqls(add: Add<'_>) {
    let mut ask = |name, text| add(name, WEB, dql(text));
    ask("dql: levels in levels", "{ q(func: has(id)) { K { K { K { K { K { id } } } } } } }");
    ask(
        "dql: a recursion with loops",
        "{ q(func: has(id)) @recurse(depth: 20, loop: true) { id K } }",
    );
    ask(
        "dql: a recursion that shows nothing",
        "{ q(func: has(id)) @recurse(depth: 20, loop: true) { K } }",
    );
    ask(
        "dql: levels as one",
        "{ q(func: has(id)) @normalize { a: id K { b: id K { c: id K { d: id K { e: id } } } } } }",
    );
    ask(
        "dql: levels of facets",
        "{ q(func: has(id)) { id K @facets { id K @facets { id K @facets { id K { id } } } } } }",
    );
    ask(
        "dql: many paths",
        "{ p as shortest(from: 0x1, to: 0x2, numpaths: 1000000, depth: 12) { K } q(func: uid(p)) { id } }",
    );
}

fn luas(add: Add<'_>) {
    let mut ask = |name, text| add(name, &[], lua(text));
    ask("lua: a table of tables", "local t = {} for i = 1, 1000000000 do t[i] = {i} end\n#t");
    ask("lua: a doubled text", "local s = 'x' for i = 1, 40 do s = s .. s end\n#s");
    ask("lua: a repeated text", "#string.rep('x', 4000000000)");
    ask(
        "lua: joined texts",
        "local t = {} for i = 1, 100000000 do t[#t + 1] = 'some text ' .. i end\n#table.concat(t)",
    );
    ask(
        "lua: many nodes",
        "for i = 1, 20000000 do NodeAdd('P', 'n' .. i, '{\"x\": ' .. i .. '}') end\n1",
    );
    ask("lua: an inverted map", of_a_repeated_table!("#Invert(u)"));
    ask("lua: joined lists", of_a_repeated_table!("#Join(u)"));
    ask("lua: a set of lists", of_a_repeated_table!("Roar.new():addValues(u)"));
    ask("lua: a node with repeated lists", of_a_repeated_table!("Node.new(1, 'P', 'k', {x = u})"));
    ask("lua: a text of repeated lists", of_a_repeated_table!("#json.encode(u)"));
    ask(
        "lua: keys that repeat",
        "local s = ('k'):rep(1000000) local t = {} for i = 1, 10000 do t[i] = s end\n#NodeAdd('P', t)",
    );
    ask("lua: a list read from JSON", "#json.decode('[' .. ('1,'):rep(30000000) .. '1]')");
    ask("lua: the ids of a set as text", "local r = Roar.new() r:flip(0, 1 << 25)\n#r:toString()");
    ask("lua: moved entries", "#table.move({1}, 1, 9e15, 2)");
}

fn loads(add: Add<'_>) {
    let mut ask = |name, words, make| add(name, &[], load(words, make));
    ask("a load with a key for each node", "format=nquads", || {
        lines(16_000, |at| format!("<urn:v{at}> <urn:key{at}> \"v{at}\" .\n"))
    });
    ask("a load of JSON with a key for each node", "format=graphson", || {
        lines(16_000, |at| vertex(at, &format!("\"key{at}\":{at}")))
    });
    ask("a load of CSV with many keys", "format=csv", || {
        let names: String = lines(16_000, |at| format!(",key{at}"));
        format!(":ID{names}\n") + &lines(200, |at| format!("{at}{}\n", ",".repeat(16_000)))
    });
    ask("a load with a type for each relationship", "format=nquads", || {
        lines(4_000, |at| format!("<urn:v{at}> <urn:t{at}> <urn:v{}> .\n", at + 1))
    });
    ask("a load with a huge line", "format=nquads", || {
        format!("<urn:a> <urn:b> \"{}\" .\n", "x".repeat(48 << 20))
    });
    ask("a load with a huge list", "format=graphson", || {
        vertex(1, &format!("\"a\":[{}]", vec!["1"; 16 << 20].join(",")))
    });
    ask("a load with a deep list", "format=graphson", || {
        vertex(1, &format!("\"a\":{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20)))
    });
    ask("a load of much", "format=nquads", || {
        lines(400_000, |at| {
            format!(
                "<urn:v{at}> <urn:name> \"the name of {at}\" .\n<urn:v{at}> <urn:k> <urn:v{}> .\n",
                at * 7 % 400_000
            )
        })
    });
    ask("a load of many lists", "format=graphson", || {
        let list = vec!["1"; 1_000].join(",");
        lines(20_000, |at| vertex(at + 1, &format!("\"a\":[{list}]")))
    });
    ask("a load of bad lines", "format=nquads&max-bad=100000000", || {
        "this is no quad\n".repeat(1_000_000)
    });
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// A line of JSON as APOC writes it.
fn vertex(id: usize, properties: &str) -> String {
    format!(
        "{{\"type\":\"node\",\"id\":\"{id}\",\"labels\":[\"L\"],\"properties\":{{{properties}}}}}\n"
    )
}
