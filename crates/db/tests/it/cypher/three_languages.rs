//! One question in Cypher, in Gremlin and in Lua, on one graph: the three answers are the same.

use millrace_model::Value;
use serde_json::Value as Json;

use super::{Graph, shown};
use crate::ask;

const GRAPH: &str = "
    CREATE (ann:Person {name: 'ann', age: 34}), (bob:Person {name: 'bob', age: 27}),
      (cid:Person {name: 'cid', age: 41}), (dee:Person {name: 'dee', age: 27}), (eve:Person {name: 'eve', age: 19}),
      (rome:City {name: 'rome'}), (oslo:City {name: 'oslo'}), (lima:City {name: 'lima'}),
      (ann)-[:KNOWS {since: 2010}]->(bob), (bob)-[:KNOWS {since: 2015}]->(cid), (cid)-[:KNOWS {since: 2018}]->(ann),
      (cid)-[:KNOWS {since: 2011}]->(dee), (dee)-[:KNOWS {since: 2020}]->(eve), (ann)-[:KNOWS {since: 2019}]->(dee),
      (ann)-[:LIVES_IN]->(rome), (bob)-[:LIVES_IN]->(rome), (cid)-[:LIVES_IN]->(oslo), (dee)-[:LIVES_IN]->(oslo),
      (eve)-[:LIVES_IN]->(lima)";

/// Functions of the scripts: a vertex by its name, names of vertices, where edges of one type lead.
const LUA: &str = "
    local function at(name) return FindNodeIds('Person', 'name', Operation.EQ, name)[1] end
    local function name(id) return NodeGetProperty(id, 'name') end
    local function known(id) return NodeGetNeighborIds(id, Direction.OUT, 'KNOWS') end
    local function home(id) return NodeGetNeighborIds(id, Direction.OUT, 'LIVES_IN')[1] end
    local people, out = AllNodeIds('Person'), {}
    local function put(value) table.insert(out, value) end
    local function once(ids)
      local seen = {}
      for _, id in pairs(ids) do if not seen[id] then seen[id] = true put(name(id)) end end
    end\n";

/// A question: what it asks, in three languages, and the sorted entries of the answer, columns joined by a colon.
struct Question {
    asks: &'static str,
    cypher: &'static str,
    gremlin: &'static str,
    lua: &'static str,
    answer: &'static [&'static str],
}

const QUESTIONS: &[Question] = &[
    Question {
        asks: "how many people",
        cypher: "MATCH (p:Person) RETURN count(p)",
        gremlin: "g.V().hasLabel('Person').count()",
        lua: "put(AllNodesCount('Person'))",
        answer: &["5"],
    },
    Question {
        asks: "their names",
        cypher: "MATCH (p:Person) RETURN p.name",
        gremlin: "g.V().hasLabel('Person').values('name')",
        lua: "once(people)",
        answer: &["ann", "bob", "cid", "dee", "eve"],
    },
    Question {
        asks: "the sum of their ages",
        cypher: "MATCH (p:Person) RETURN sum(p.age)",
        gremlin: "g.V().hasLabel('Person').values('age').sum()",
        lua: "local s = 0 for _, id in pairs(people) do s = s + NodeGetProperty(id, 'age') end put(s)",
        answer: &["148"],
    },
    Question {
        asks: "people above 30",
        cypher: "MATCH (p:Person) WHERE p.age > 30 RETURN p.name",
        gremlin: "g.V().hasLabel('Person').has('age', gt(30)).values('name')",
        lua: "once(FindNodeIds('Person', 'age', Operation.GT, 30))",
        answer: &["ann", "cid"],
    },
    Question {
        asks: "people whose name has a letter",
        cypher: "MATCH (p:Person) WHERE p.name CONTAINS 'e' RETURN p.name",
        gremlin: "g.V().hasLabel('Person').has('name', containing('e')).values('name')",
        lua: "once(FindNodeIds('Person', 'name', Operation.CONTAINS, 'e'))",
        answer: &["dee", "eve"],
    },
    Question {
        asks: "whom a person knows",
        cypher: "MATCH (:Person {name: 'ann'})-[:KNOWS]->(f) RETURN f.name",
        gremlin: "g.V().has('Person', 'name', 'ann').out('KNOWS').values('name')",
        lua: "once(known(at('ann')))",
        answer: &["bob", "dee"],
    },
    Question {
        asks: "neighbours in both directions",
        cypher: "MATCH (:Person {name: 'dee'})-[:KNOWS]-(f) RETURN f.name",
        gremlin: "g.V().has('Person', 'name', 'dee').both('KNOWS').values('name')",
        lua: "once(NodeGetNeighborIds(at('dee'), Direction.BOTH, 'KNOWS'))",
        answer: &["ann", "cid", "eve"],
    },
    Question {
        asks: "two steps away",
        cypher: "MATCH (:Person {name: 'ann'})-[:KNOWS]->()-[:KNOWS]->(f) RETURN DISTINCT f.name",
        gremlin: "g.V().has('Person', 'name', 'ann').out('KNOWS').out('KNOWS').dedup().values('name')",
        lua: "local far = {} for _, f in pairs(known(at('ann'))) do for _, g in pairs(known(f)) do table.insert(far, g) end end once(far)",
        answer: &["cid", "eve"],
    },
    Question {
        asks: "how many walks of two steps",
        cypher: "MATCH (:Person)-[:KNOWS]->()-[:KNOWS]->() RETURN count(*)",
        gremlin: "g.V().hasLabel('Person').out('KNOWS').out('KNOWS').count()",
        lua: "local c = 0 for _, p in pairs(people) do for _, f in pairs(known(p)) do c = c + #known(f) end end put(c)",
        answer: &["7"],
    },
    Question {
        asks: "degrees",
        cypher: "MATCH (p:Person)-[r:KNOWS]-() RETURN p.name, count(r)",
        gremlin: "g.V().hasLabel('Person').project('n', 'c').by('name').by(both('KNOWS').count())",
        lua: "for _, p in pairs(people) do put(name(p) .. ':' .. NodeGetDegree(p, Direction.BOTH, 'KNOWS')) end",
        answer: &["ann:3", "bob:2", "cid:3", "dee:3", "eve:1"],
    },
    Question {
        asks: "who came to know whom after a year",
        cypher: "MATCH (a)-[r:KNOWS]->(b) WHERE r.since > 2014 RETURN a.name, b.name",
        gremlin: "g.E().hasLabel('KNOWS').has('since', gt(2014)).project('a', 'b').by(outV().values('name')).by(inV().values('name'))",
        lua: "for _, r in pairs(FindRelationshipIds('KNOWS', 'since', Operation.GT, 2014)) do put(name(RelationshipGetStartingNodeId(r)) .. ':' .. name(RelationshipGetEndingNodeId(r))) end",
        answer: &["ann:dee", "bob:cid", "cid:ann", "dee:eve"],
    },
    Question {
        asks: "the greatest age",
        cypher: "MATCH (p:Person) RETURN max(p.age)",
        gremlin: "g.V().hasLabel('Person').values('age').max()",
        lua: "local m = 0 for _, p in pairs(people) do m = math.max(m, NodeGetProperty(p, 'age')) end put(m)",
        answer: &["41"],
    },
    Question {
        asks: "the mean age",
        cypher: "MATCH (p:Person) RETURN avg(p.age)",
        gremlin: "g.V().hasLabel('Person').values('age').mean()",
        lua: "local s = 0 for _, p in pairs(people) do s = s + NodeGetProperty(p, 'age') end put(s / #people)",
        answer: &["29.6"],
    },
    Question {
        asks: "people of each city",
        cypher: "MATCH (c:City)<-[:LIVES_IN]-(p) RETURN c.name, count(p)",
        gremlin: "g.V().hasLabel('City').project('n', 'c').by('name').by(__.in('LIVES_IN').count())",
        lua: "for _, c in pairs(AllNodeIds('City')) do put(name(c) .. ':' .. NodeGetDegree(c, Direction.IN, 'LIVES_IN')) end",
        answer: &["lima:1", "oslo:2", "rome:2"],
    },
    Question {
        asks: "pairs who live together",
        cypher: "MATCH (a:Person)-[:LIVES_IN]->()<-[:LIVES_IN]-(b) WHERE a.name < b.name RETURN a.name, b.name",
        gremlin: "g.V().hasLabel('Person').as('a').out('LIVES_IN').in('LIVES_IN').as('b').where('a', lt('b')).by('name').select('a', 'b').by('name')",
        lua: "for _, a in pairs(people) do for _, b in pairs(people) do if home(a) == home(b) and name(a) < name(b) then put(name(a) .. ':' .. name(b)) end end end",
        answer: &["ann:bob", "cid:dee"],
    },
    Question {
        asks: "who knows no one",
        cypher: "MATCH (p:Person) WHERE NOT (p)-[:KNOWS]->() RETURN p.name",
        gremlin: "g.V().hasLabel('Person').not(out('KNOWS')).values('name')",
        lua: "for _, p in pairs(people) do if #known(p) == 0 then put(name(p)) end end",
        answer: &["eve"],
    },
    Question {
        asks: "everyone within reach",
        cypher: "MATCH (a:Person {name: 'ann'})-[:KNOWS*]->(b) WHERE a <> b RETURN DISTINCT b.name",
        gremlin: "g.V().has('Person', 'name', 'ann').repeat(out('KNOWS').simplePath()).emit().dedup().values('name')",
        lua: "local start = at('ann') local seen, next = {[start] = true}, {start}
              while #next > 0 do local id = table.remove(next) for _, f in pairs(known(id)) do
                if not seen[f] then seen[f] = true put(name(f)) table.insert(next, f) end end end",
        answer: &["bob", "cid", "dee", "eve"],
    },
    Question {
        asks: "vertices on the shortest way",
        cypher: "MATCH p = shortestPath((:Person {name: 'bob'})-[:KNOWS*]->(:Person {name: 'eve'})) RETURN size(nodes(p))",
        gremlin: "g.V().has('Person', 'name', 'bob').repeat(out('KNOWS').simplePath()).until(has('name', 'eve')).limit(1).path().count(local)",
        lua: "local goal, front, steps = at('eve'), {[at('bob')] = true}, 1
              while not front[goal] do local far = {} for id in pairs(front) do for _, f in pairs(known(id)) do far[f] = true end end
                front, steps = far, steps + 1 end put(steps)",
        answer: &["4"],
    },
    Question {
        asks: "walks around a triangle",
        cypher: "MATCH (a:Person)-[:KNOWS]->()-[:KNOWS]->()-[:KNOWS]->(a) RETURN count(*)",
        gremlin: "g.V().hasLabel('Person').as('a').out('KNOWS').out('KNOWS').out('KNOWS').where(eq('a')).count()",
        lua: "local c = 0 for _, a in pairs(people) do for _, x in pairs(known(a)) do for _, y in pairs(known(x)) do
              for _, z in pairs(known(y)) do if z == a then c = c + 1 end end end end end put(c)",
        answer: &["3"],
    },
    Question {
        asks: "the oldest",
        cypher: "MATCH (p:Person) RETURN p.name ORDER BY p.age DESC LIMIT 1",
        gremlin: "g.V().hasLabel('Person').order().by('age', desc).limit(1).values('name')",
        lua: "table.sort(people, function(a, b) return NodeGetProperty(a, 'age') > NodeGetProperty(b, 'age') end) put(name(people[1]))",
        answer: &["cid"],
    },
    Question {
        asks: "ages that occur more than once",
        cypher: "MATCH (p:Person) WITH p.age AS age, count(*) AS c WHERE c > 1 RETURN age",
        gremlin: "g.V().hasLabel('Person').groupCount().by('age').unfold().where(select(values).is(gt(1))).select(keys)",
        lua: "local c = {} for _, p in pairs(people) do local a = NodeGetProperty(p, 'age') c[a] = (c[a] or 0) + 1 end
              for age, times in pairs(c) do if times > 1 then put(age) end end",
        answer: &["27"],
    },
    Question {
        asks: "whom one might come to know",
        cypher: "MATCH (a:Person {name: 'ann'})-[:KNOWS]->()-[:KNOWS]->(f) WHERE f <> a AND NOT (a)-[:KNOWS]->(f) RETURN DISTINCT f.name",
        gremlin: "g.V().has('Person', 'name', 'ann').as('a').out('KNOWS').aggregate('f').out('KNOWS').where(without('f')).where(neq('a')).dedup().values('name')",
        lua: "local a = at('ann') local near, far = {[a] = true}, {} for _, f in pairs(known(a)) do near[f] = true end
              for _, f in pairs(known(a)) do for _, g in pairs(known(f)) do if not near[g] then table.insert(far, g) end end end once(far)",
        answer: &["cid", "eve"],
    },
    Question {
        asks: "relationships by type",
        cypher: "MATCH ()-[r]->() RETURN type(r), count(*)",
        gremlin: "g.E().groupCount().by(label).unfold().project('t', 'c').by(keys).by(values)",
        lua: "for _, t in pairs({'KNOWS', 'LIVES_IN'}) do put(t .. ':' .. AllRelationshipsCount(t)) end",
        answer: &["KNOWS:6", "LIVES_IN:5"],
    },
    Question {
        asks: "where acquaintances live",
        cypher: "MATCH (:Person {name: 'ann'})-[:KNOWS]->()-[:LIVES_IN]->(c) RETURN DISTINCT c.name",
        gremlin: "g.V().has('Person', 'name', 'ann').out('KNOWS').out('LIVES_IN').dedup().values('name')",
        lua: "local homes = {} for _, f in pairs(known(at('ann'))) do table.insert(homes, home(f)) end once(homes)",
        answer: &["oslo", "rome"],
    },
];

/// A row, or an entry of a list: columns, or values of a map, with colons between.
fn row_text(row: &[Value]) -> String {
    let cell = |value: &Value| match value {
        Value::Map(pairs) => {
            let values: Vec<String> = pairs.iter().map(|(_, value)| shown(value)).collect();
            values.join(":")
        }
        plain => shown(plain),
    };
    row.iter().map(cell).collect::<Vec<_>>().join(":")
}

/// The entries of a script's answer. A sum may be a float there.
fn json_text(entry: &Json) -> String {
    match entry {
        Json::String(text) => text.clone(),
        other => {
            let text = other.to_string();
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
    }
}

fn sorted(mut entries: Vec<String>) -> Vec<String> {
    entries.sort();
    entries
}

#[test]
fn one_question_in_three_languages_has_one_answer() {
    let graph = Graph::new();
    graph.run(GRAPH).expect("the graph is made");
    let scripts = graph.0.find_graph("g1").expect("it can be opened").expect("it was made");
    for Question { asks, cypher, gremlin, lua, answer } in QUESTIONS {
        for (language, text) in [("cypher", cypher), ("gremlin", gremlin)] {
            let rows = graph.run_in(language, text);
            let rows = rows.unwrap_or_else(|error| panic!("{asks}, {text}: {error}")).rows;
            let given = sorted(rows.iter().map(|row| row_text(row)).collect());
            assert_eq!(given, *answer, "{asks}: {text}");
        }
        let json = ask(&scripts, &format!("{LUA}{lua}\nout"));
        let Ok(Json::Array(entries)) = serde_json::from_str(&json) else { panic!("{lua}: {json}") };
        let given = sorted(entries.iter().map(json_text).collect());
        assert_eq!(given, *answer, "{asks}: {lua}");
    }
    assert!(20 <= QUESTIONS.len());
}
