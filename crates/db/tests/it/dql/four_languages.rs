//! One question in DQL, in Cypher, in Gremlin and in Lua, on one graph that DQL made: the four answers are the same.

use millrace_db::Database;
use millrace_db::languages::Entry;
use millrace_db::session::Request;
use millrace_model::Value;
use serde_json::Value as Json;

use super::{alter, mutate, query};
use crate::{Values, ask, limits};

const SCHEMA: &str = "name: string @index(exact, term) @lang .\nage: int @index(int) .\n\
    nick: [string] @index(exact) .\nknows: [uid] @reverse @count .\nhome: uid @reverse .\n\
    type Person {\n  name\n  age\n  knows\n}\ntype City {\n  name\n}\n";

const QUADS: &str = r#"
_:ann <name> "ann" .
_:ann <name> "Anna"@de .
_:ann <age> "34" .
_:ann <nick> "a" .
_:ann <nick> "annie" .
_:bob <name> "bob" .
_:bob <age> "27" .
_:cid <name> "cid" .
_:cid <age> "41" .
_:cid <nick> "a" .
_:dee <name> "dee" .
_:dee <age> "27" .
_:eve <name> "eve" .
_:eve <age> "19" .
_:ann <knows> _:bob (since=2010) .
_:bob <knows> _:cid (since=2015) .
_:cid <knows> _:ann (since=2018) .
_:cid <knows> _:dee (since=2011) .
_:dee <knows> _:eve (since=2020) .
_:ann <knows> _:dee (since=2019) .
_:rome <name> "rome" .
_:oslo <name> "oslo" .
_:lima <name> "lima" .
_:ann <home> _:rome .
_:bob <home> _:rome .
_:cid <home> _:oslo .
_:dee <home> _:oslo .
_:eve <home> _:lima .
"#;

/// Functions of the scripts.
const LUA: &str = "
    local function at(name) return FindNodeIds('Person', 'name', Operation.EQ, name)[1] end
    local function name(id) return NodeGetProperty(id, 'name') end
    local function known(id) return NodeGetNeighborIds(id, Direction.OUT, 'knows') end
    local people, out = AllNodeIds('Person'), {}
    local function put(value) table.insert(out, value) end
    local function once(ids)
      local seen = {}
      for _, id in pairs(ids) do if not seen[id] then seen[id] = true put(name(id)) end end
    end\n";

/// A question: what it asks, in four languages, and the sorted entries of the answer, columns joined by a colon.
struct Question {
    asks: &'static str,
    dql: &'static str,
    cypher: &'static str,
    gremlin: &'static str,
    lua: &'static str,
    answer: &'static [&'static str],
}

const QUESTIONS: &[Question] = &[
    Question {
        asks: "how many people",
        dql: "{ q(func: type(Person)) { count(uid) } }",
        cypher: "MATCH (p:Person) RETURN count(p)",
        gremlin: "g.V().hasLabel('Person').count()",
        lua: "put(AllNodesCount('Person'))",
        answer: &["5"],
    },
    Question {
        asks: "people above 30",
        dql: "{ q(func: gt(age, 30)) { name } }",
        cypher: "MATCH (p:Person) WHERE p.age > 30 RETURN p.name",
        gremlin: "g.V().hasLabel('Person').has('age', gt(30)).values('name')",
        lua: "once(FindNodeIds('Person', 'age', Operation.GT, 30))",
        answer: &["ann", "cid"],
    },
    Question {
        asks: "the name of a person in another language",
        dql: "{ q(func: eq(name, \"ann\")) { name@de } }",
        cypher: "MATCH (p:Person {name: 'ann'}) RETURN p.`name@de`",
        gremlin: "g.V().has('Person', 'name', 'ann').values('name@de')",
        lua: "put(NodeGetProperty(at('ann'), 'name@de'))",
        answer: &["Anna"],
    },
    Question {
        asks: "people with a value of a list",
        dql: "{ q(func: eq(nick, \"a\")) { name } }",
        cypher: "MATCH (p:Person) WHERE 'a' IN p.nick RETURN p.name",
        gremlin: "g.V().hasLabel('Person').has('nick', 'a').values('name')",
        lua: "for _, p in pairs(people) do local own = NodeGetProperty(p, 'nick') \
              if type(own) ~= 'table' then own = {own} end \
              for _, n in pairs(own) do if n == 'a' then put(name(p)) end end end",
        answer: &["ann", "cid"],
    },
    Question {
        asks: "the ones that a person knows",
        dql: "{ q(func: eq(name, \"ann\")) @normalize { knows { n: name } } }",
        cypher: "MATCH (:Person {name: 'ann'})-[:knows]->(f) RETURN f.name",
        gremlin: "g.V().has('Person', 'name', 'ann').out('knows').values('name')",
        lua: "once(known(at('ann')))",
        answer: &["bob", "dee"],
    },
    Question {
        asks: "the ones that know a person",
        dql: "{ q(func: eq(name, \"dee\")) @normalize { ~knows { n: name } } }",
        cypher: "MATCH (:Person {name: 'dee'})<-[:knows]-(f) RETURN f.name",
        gremlin: "g.V().has('Person', 'name', 'dee').in('knows').values('name')",
        lua: "once(NodeGetNeighborIds(at('dee'), Direction.IN, 'knows'))",
        answer: &["ann", "cid"],
    },
    Question {
        asks: "two steps away",
        dql: "{ var(func: eq(name, \"ann\")) { knows { f as knows } } q(func: uid(f)) { name } }",
        cypher: "MATCH (:Person {name: 'ann'})-[:knows]->()-[:knows]->(f) RETURN DISTINCT f.name",
        gremlin: "g.V().has('Person', 'name', 'ann').out('knows').out('knows').dedup().values('name')",
        lua: "local far = {} for _, f in pairs(known(at('ann'))) do for _, g in pairs(known(f)) do table.insert(far, g) end end once(far)",
        answer: &["cid", "eve"],
    },
    Question {
        asks: "edges by a facet",
        dql: "{ q(func: type(Person)) @cascade @normalize { a: name knows @facets(gt(since, 2014)) { b: name } } }",
        cypher: "MATCH (a)-[r:knows]->(b) WHERE r.since > 2014 RETURN a.name + ':' + b.name",
        gremlin: "g.E().hasLabel('knows').has('since', gt(2014)).project('a', 'b').by(outV().values('name')).by(inV().values('name'))",
        lua: "for _, r in pairs(FindRelationshipIds('knows', 'since', Operation.GT, 2014)) do put(name(RelationshipGetStartingNodeId(r)) .. ':' .. name(RelationshipGetEndingNodeId(r))) end",
        answer: &["ann:dee", "bob:cid", "cid:ann", "dee:eve"],
    },
    Question {
        asks: "how many each person knows",
        dql: "{ q(func: type(Person)) { name count(knows) } }",
        cypher: "MATCH (p:Person) RETURN p.name + ':' + toString(COUNT { (p)-[:knows]->() })",
        gremlin: "g.V().hasLabel('Person').project('n', 'c').by('name').by(out('knows').count())",
        lua: "for _, p in pairs(people) do put(name(p) .. ':' .. NodeGetDegree(p, Direction.OUT, 'knows')) end",
        answer: &["ann:2", "bob:1", "cid:2", "dee:1", "eve:0"],
    },
    Question {
        asks: "the sum of the ages",
        dql: "{ var(func: type(Person)) { a as age } q() { sum(val(a)) } }",
        cypher: "MATCH (p:Person) RETURN sum(p.age)",
        gremlin: "g.V().hasLabel('Person').values('age').sum()",
        lua: "local s = 0 for _, p in pairs(people) do s = s + NodeGetProperty(p, 'age') end put(s)",
        answer: &["148"],
    },
    Question {
        asks: "people of each city",
        dql: "{ q(func: type(City)) { name count(~home) } }",
        cypher: "MATCH (c:City)<-[:home]-(p) WITH c, count(p) AS n RETURN c.name + ':' + toString(n)",
        gremlin: "g.V().hasLabel('City').project('n', 'c').by('name').by(__.in('home').count())",
        lua: "for _, c in pairs(AllNodeIds('City')) do put(name(c) .. ':' .. NodeGetDegree(c, Direction.IN, 'home')) end",
        answer: &["lima:1", "oslo:2", "rome:2"],
    },
    Question {
        asks: "how many people of each age",
        dql: "{ q(func: type(Person)) @groupby(age) { count(uid) } }",
        cypher: "MATCH (p:Person) WITH p.age AS a, count(*) AS n RETURN toString(a) + ':' + toString(n)",
        gremlin: "g.V().hasLabel('Person').groupCount().by('age').unfold().project('a', 'c').by(keys).by(values)",
        lua: "local c = {} for _, p in pairs(people) do local a = NodeGetProperty(p, 'age') c[a] = (c[a] or 0) + 1 end
              for age, n in pairs(c) do put(age .. ':' .. n) end",
        answer: &["19:1", "27:2", "34:1", "41:1"],
    },
    Question {
        asks: "people without acquaintances",
        dql: "{ q(func: type(Person)) @filter(NOT has(knows)) { name } }",
        cypher: "MATCH (p:Person) WHERE NOT (p)-[:knows]->() RETURN p.name",
        gremlin: "g.V().hasLabel('Person').not(out('knows')).values('name')",
        lua: "for _, p in pairs(people) do if #known(p) == 0 then put(name(p)) end end",
        answer: &["eve"],
    },
    Question {
        asks: "nodes on the shortest way",
        dql: "{ f as var(func: eq(name, \"bob\")) t as var(func: eq(name, \"eve\")) \
              p as shortest(from: uid(f), to: uid(t)) { knows } q(func: uid(p)) { name } }",
        cypher: "MATCH p = shortestPath((:Person {name: 'bob'})-[:knows*]->(:Person {name: 'eve'})) UNWIND nodes(p) AS n RETURN n.name",
        gremlin: "g.V().has('Person', 'name', 'bob').repeat(out('knows').simplePath()).until(has('name', 'eve')).limit(1).path().by('name').unfold()",
        lua: "local goal, front, from = at('eve'), {at('bob')}, {}
              while not from[goal] do local far = {} for _, id in pairs(front) do for _, f in pairs(known(id)) do
                if not from[f] then from[f] = id table.insert(far, f) end end end front = far end
              local id = goal while id ~= at('bob') do put(name(id)) id = from[id] end put(name(id))",
        answer: &["bob", "cid", "dee", "eve"],
    },
    Question {
        asks: "all people within reach",
        dql: "{ s as var(func: eq(name, \"ann\")) var(func: uid(s)) @recurse { r as knows } \
              q(func: uid(r)) @filter(NOT uid(s)) { name } }",
        cypher: "MATCH (a:Person {name: 'ann'})-[:knows*]->(b) WHERE a <> b RETURN DISTINCT b.name",
        gremlin: "g.V().has('Person', 'name', 'ann').repeat(out('knows').simplePath()).emit().dedup().values('name')",
        lua: "local start = at('ann') local seen, next = {[start] = true}, {start}
              while #next > 0 do local id = table.remove(next) for _, f in pairs(known(id)) do
                if not seen[f] then seen[f] = true put(name(f)) table.insert(next, f) end end end",
        answer: &["bob", "cid", "dee", "eve"],
    },
    Question {
        asks: "the two oldest",
        dql: "{ q(func: type(Person), orderdesc: age, first: 2) { name } }",
        cypher: "MATCH (p:Person) RETURN p.name ORDER BY p.age DESC LIMIT 2",
        gremlin: "g.V().hasLabel('Person').order().by('age', desc).limit(2).values('name')",
        lua: "table.sort(people, function(a, b) return NodeGetProperty(a, 'age') > NodeGetProperty(b, 'age') end) put(name(people[1])) put(name(people[2]))",
        answer: &["ann", "cid"],
    },
];

/// A value, or the values of a map with colons between.
fn shown(value: &Value) -> String {
    match value {
        Value::Map(pairs) => {
            pairs.iter().map(|(_, value)| shown(value)).collect::<Vec<_>>().join(":")
        }
        Value::String(text) => text.to_string(),
        Value::I64(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// An entry of JSON, or the members of an object with colons between.
fn json_text(entry: &Json) -> String {
    match entry {
        Json::String(text) => text.clone(),
        Json::Object(members) => members.values().map(json_text).collect::<Vec<_>>().join(":"),
        other => {
            let text = other.to_string();
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
    }
}

/// The entries of the block `q`, those of groups in the place of it.
fn of_dql(answer: &str) -> Vec<String> {
    let answer: Json = serde_json::from_str(answer).expect("an answer is JSON");
    let block = answer["q"].as_array().expect("the block is a list");
    let groups = block.first().and_then(|first| first["@groupby"].as_array());
    groups.unwrap_or(block).iter().map(json_text).collect()
}

fn sorted(mut entries: Vec<String>) -> Vec<String> {
    entries.sort();
    entries
}

#[test]
fn one_question_in_four_languages_has_one_answer() {
    let database = Database::in_memory(Default::default()).expect("no file is needed");
    alter(&database, SCHEMA).expect("it is right");
    let mut quads = QUADS.to_owned();
    for (kind, names) in
        [("Person", &["ann", "bob", "cid", "dee", "eve"][..]), ("City", &["rome", "oslo", "lima"])]
    {
        for name in names {
            quads.push_str(&format!("_:{name} <dgraph.type> \"{kind}\" .\n"));
        }
    }
    mutate(&database, &quads, "").expect("it is right");
    let graph = database.graph("dql").expect("it was made");
    for Question { asks, dql, cypher, gremlin, lua, answer } in QUESTIONS {
        let own = query(&database, dql).unwrap_or_else(|error| panic!("{asks}, {dql}: {error}"));
        assert_eq!(sorted(of_dql(&own)), *answer, "{asks}: {dql}: {own}");
        for (name, text) in [("cypher", cypher), ("gremlin", gremlin)] {
            let Ok(Entry::Compiled(language)) = Entry::of_name(name) else { panic!("{name}") };
            let (request, mut values) =
                (Request::text(language, text, "dql", limits()), Values::default());
            let done = database.run(&request, &mut values);
            done.unwrap_or_else(|error| panic!("{asks}, {text}: {error}"));
            assert_eq!(sorted(values.0.iter().map(shown).collect()), *answer, "{asks}: {text}");
        }
        let json = ask(&graph, &format!("{LUA}{lua}\nout"));
        let Ok(Json::Array(entries)) = serde_json::from_str(&json) else { panic!("{lua}: {json}") };
        let found = sorted(entries.iter().map(json_text).collect());
        assert_eq!(found, *answer, "{asks}: {lua}");
    }
    assert!(12 <= QUESTIONS.len());
}
