//! Ids that clients choose: numbers and texts, of vertices and of edges.

use std::collections::HashMap;

use millrace_db::{Database, Settings};
use millrace_gremlin::bytecode::Argument;
use millrace_model::Value;

use super::scenarios::run;
use super::written::{ask, last};

const PEOPLE: &str = "g.addV('P').property(T.id, 'person-1').property('name', 'ada')\
                      .addV('P').property(T.id, 'person-2').property('name', 'bob')";
const EDGES: &str = "g.V('person-1').addE('knows').property(T.id, 5).to(__.V('person-2'))\
                     .addE('likes').property(T.id, 'like-1').from(__.V('person-2')).to(__.V('person-1'))";

fn counts(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::I64).collect()
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| Value::from(*text)).collect()
}

#[test]
fn vertices_are_found_and_returned_by_their_external_texts() {
    for (ask, found) in [
        ("g.V('person-1').values('name')", ["ada"]),
        ("g.V('nobody', 'person-2').id()", ["person-2"]),
        ("g.V().hasId('person-1', 'nobody').values('name')", ["ada"]),
        ("g.V().has(T.id, within('person-2', 'nobody')).values('name')", ["bob"]),
        ("g.V().has(T.id, 'person-2').values('name')", ["bob"]),
        ("g.V('person-1').out('knows').id()", ["person-2"]),
        ("g.V().hasId(startingWith('person')).order().by(T.id).limit(1).id()", ["person-1"]),
        ("g.V('person-1').elementMap().unfold().select(values).limit(1)", ["person-1"]),
        (
            "g.V('person-1').valueMap().with(WithOptions.tokens).unfold().select(values).limit(1)",
            ["person-1"],
        ),
        ("g.V('person-1').properties('name').id()", ["person-1:name:0"]),
        ("g.E(5).inV().id()", ["person-2"]),
        ("g.V('person-1').path().by(T.id).unfold()", ["person-1"]),
        ("g.V('person-1').as('a').out('knows').in('knows').where(eq('a')).id()", ["person-1"]),
    ] {
        assert_eq!(last(&[PEOPLE, EDGES, ask]), texts(&found), "{ask}");
    }
    assert_eq!(last(&[PEOPLE, "g.V('person-3').count()"]), counts(&[0]));
    assert_eq!(last(&[PEOPLE, "g.V(1, 2, 3).count()"]), counts(&[0]), "no place is an id");
    let beside = "g.addV('P').property(T.id, 1).id()";
    assert_eq!(last(&[PEOPLE, beside]), counts(&[1]), "whatever lies in that place");
}

#[test]
fn edges_are_found_and_returned_by_their_external_ids() {
    for (ask, found) in [
        ("g.E(5).label()", Value::from("knows")),
        ("g.E('5').label()", Value::from("knows")),
        ("g.E('like-1').label()", Value::from("likes")),
        ("g.E().hasLabel('knows').id()", Value::I64(5)),
        ("g.E().hasLabel('likes').id()", Value::from("like-1")),
        ("g.E().hasId(5).label()", Value::from("knows")),
        ("g.E().has(T.id, 'like-1').label()", Value::from("likes")),
        ("g.E('like-1').elementMap().unfold().select(values).limit(1)", Value::from("like-1")),
        ("g.E('like-1').outV().id()", Value::from("person-2")),
        ("g.E(6).count()", Value::I64(0)),
    ] {
        assert_eq!(last(&[PEOPLE, EDGES, ask]), [found], "{ask}");
    }
    let plain = "g.addV().as('a').addE('e').from('a').to('a').property(T.id, 7)";
    let more = "g.V().as('a').addE('e').from('a').to('a')";
    assert_eq!(last(&[plain, more, "g.E().id().dedup().count()"]), counts(&[2]));
}

/// The plan of a traversal, as `explain()` prints it.
fn explained(text: &str) -> String {
    match last(&[PEOPLE, EDGES, &format!("{text}.explain()")]).as_slice() {
        [Value::String(text)] => text.to_string(),
        other => panic!("{other:?} explains nothing"),
    }
}

#[test]
fn filters_by_id_become_look_ups_and_scan_nothing() {
    for (ask, found) in [
        ("g.V().hasId('person-1')", 1),
        ("g.V().hasId('person-1', 'nobody', 'person-2', 'person-1')", 2),
        ("g.V().hasId(['person-1', 'person-2'])", 2),
        ("g.V().hasId(within('person-1', 'person-2'))", 2),
        ("g.V().hasId(P.eq('person-2'))", 1),
        ("g.V().has(T.id, 'person-1')", 1),
        ("g.V().has(T.id, P.within(['person-1', 'x']))", 1),
        ("g.V().hasLabel('P').hasId('person-1')", 1),
        ("g.V().has('P', T.id, 'person-1')", 1),
        ("g.V().hasLabel('Q').hasId('person-1')", 0),
        ("g.E().hasId(5)", 1),
        ("g.E().hasId(5, 'like-1')", 2),
        ("g.E().hasId(5L, 5.0)", 1),
        ("g.E().has(T.id, within(5, 'like-1', 5))", 2),
        ("g.E().hasLabel('likes').hasId(5, 'like-1')", 1),
    ] {
        let text = explained(ask);
        assert!(text.contains("as scanned") && !text.contains("Scan"), "{ask}\n{text}");
        assert_eq!(last(&[PEOPLE, EDGES, &format!("{ask}.count()")]), counts(&[found]), "{ask}");
    }
    for (ask, found) in [
        ("g.V().hasId(null)", 0),
        ("g.V().hasId('007')", 0),
        ("g.V().hasId(-1)", 0),
        ("g.V().hasId([])", 0),
        ("g.V().hasId(P.eq(true))", 0),
        ("g.V().hasId(P.within())", 0),
        ("g.V().hasId(P.without('person-1'))", 1),
        ("g.V().hasId(P.neq('person-1'))", 1),
        ("g.V().out('knows').hasId('person-2')", 1),
    ] {
        assert_eq!(last(&[PEOPLE, EDGES, &format!("{ask}.count()")]), counts(&[found]), "{ask}");
    }
    let seven = ["g.addV('a').property(T.id, 7)", "g.addV('b').property(T.id, '007')"];
    for (ask, found) in [("7", "a"), ("'7'", "a"), ("'007'", "b"), ("7.0", "a")] {
        let ask = format!("g.V().hasId({ask}).label()");
        assert_eq!(last(&[seven[0], seven[1], &ask]), texts(&[found]), "{ask}");
    }
    let variable = ["x = ['person-2', 'nobody']; g.V().hasId(x).id()"];
    assert_eq!(last(&[PEOPLE, variable[0]]), texts(&["person-2"]));
}

#[test]
fn an_id_is_one_elements_only() {
    for add in [
        "g.addV('P').property(T.id, 'person-1')",
        "g.V('person-1').addE('e').to(__.V('person-2')).property(T.id, 5)",
        "g.V('person-1').addE('e').to(__.V('person-2')).property(T.id, 'like-1')",
        "g.inject(1, 2).addV('P').property(T.id, 'person-3')",
        "g.mergeE([(T.id): 5, (T.label): 'other', (Direction.OUT): 'person-1', (Direction.IN): \
         'person-2'])",
    ] {
        let error = ask(&[PEOPLE, EDGES, add]).remove(2).expect_err(add);
        assert!(error.contains("exists already"), "{add}: {error}");
    }
    for add in ["g.addV().property(T.id, 0)", "g.addV().property(T.id, 1.5)"] {
        assert!(ask(&[add])[0].is_err(), "{add}");
    }
    let again = "g.V('person-1').drop()";
    let found = last(&[PEOPLE, EDGES, again, "g.addV('Q').property(T.id, 'person-1').label()"]);
    assert_eq!(found, texts(&["Q"]));
    // Beside a number that it reads like, a text is one of its own.
    let padded = "g.addV().property(T.id, '007').addV().property(T.id, 7)";
    assert_eq!(last(&[padded, "g.V('007', '7').id()"]), [Value::from("007"), Value::I64(7)]);
}

#[test]
fn maps_of_merges_may_say_ids() {
    let merge =
        "g.mergeV([(T.id): 'person-3', (T.label): 'P']).option(Merge.onCreate, [name: 'eve'])";
    assert_eq!(last(&[merge, merge, "g.V('person-3').values('name')"]), texts(&["eve"]));
    let found =
        "g.inject([(T.id): 'a'], [(T.id): 'a'], [(T.id): 'b']).mergeV().id().dedup().count()";
    assert_eq!(last(&[found]), counts(&[2]));
    let ends =
        "(Direction.OUT): 'person-1', (Direction.IN): 'person-2', (Direction.from): 'person-1'";
    let ends = ends.rsplit_once(", ").expect("a third").0;
    for id in ["9", "'edge-9'"] {
        let map = format!("[(T.id): {id}, (T.label): 'e', {ends}]");
        let count = "g.E().hasLabel('e').count()";
        let seen = "g.E().has('seen', 1).count()";
        for merge in [format!("g.mergeE({map})"), format!("g.inject({map}).mergeE()")] {
            let merge = format!("{merge}.option(Merge.onMatch, [seen: 1])");
            let by_id = format!("g.E({id}).hasLabel('e').count()");
            assert_eq!(last(&[PEOPLE, &merge, &by_id]), counts(&[1]), "{merge}");
            assert_eq!(last(&[PEOPLE, &merge, seen]), counts(&[0]), "{merge}");
            assert_eq!(last(&[PEOPLE, &merge, &merge, count]), counts(&[1]), "{merge}");
            assert_eq!(last(&[PEOPLE, &merge, &merge, seen]), counts(&[1]), "{merge}");
        }
        let by_id = format!("g.mergeE([(T.id): {id}]).option(Merge.onMatch, [seen: 1])");
        let made = format!("g.mergeE({map})");
        assert_eq!(last(&[PEOPLE, &made, &by_id, seen]), counts(&[1]));
        let created = format!(
            "g.mergeE([(T.label): 'e', {ends}]).option(Merge.onCreate, [(T.id): {id}]).id()"
        );
        let expected = if id == "9" { Value::I64(9) } else { Value::from("edge-9") };
        assert_eq!(last(&[PEOPLE, &created]), [expected]);
    }
    let missing =
        "g.mergeE([(T.label): 'e', (Direction.OUT): 'person-1', (Direction.IN): 'nobody'])";
    let error = ask(&[PEOPLE, missing]).remove(1).expect_err("nobody is there");
    assert!(error.contains("In Vertex id could not be resolved"), "{error}");
}

#[test]
fn a_vertex_of_a_text_goes_from_one_statement_to_the_next() {
    let variable = "a = g.V('person-1').next(); g.V(a).out('knows').id()";
    assert_eq!(last(&[PEOPLE, EDGES, variable]), texts(&["person-2"]));
    let edge = "e = g.E('like-1').next(); g.E(e).outV().id()";
    assert_eq!(last(&[PEOPLE, EDGES, edge]), texts(&["person-2"]));
    for to in [
        "b = g.V('person-2').next(); g.V('person-1').addE('sees').to(b).inV().id()",
        "b = g.V('person-2').next(); g.V().is(b).id()",
        "b = g.V('person-2').next(); g.V().where(__.is(b)).id()",
        "b = g.V('person-2').toList(); g.V(b).id()",
        "b = g.V('person-2').next(); g.inject([to: b]).select('to').id()",
        "b = g.V('person-2').toList(); g.V().is(within(b)).id()",
        "b = g.V('person-2').next(); g.mergeE([(T.label): 'e', (Direction.OUT): b, (Direction.IN): \
         b]).inV().id()",
    ] {
        assert_eq!(last(&[PEOPLE, to]), texts(&["person-2"]), "{to}");
    }
    // The same of numbers that are no places, and in a second run of the same text.
    let far = "g.addV('Q').property(T.id, 10000000000)";
    let again = "c = g.V(10000000000).next(); g.V(c).label()";
    assert_eq!(last(&[far, again, again]), texts(&["Q"]));
}

#[test]
fn ids_that_were_chosen_are_there_when_the_database_is_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let none = Default::default();
    for round in 0..3 {
        let database = Database::open(folder.path(), Settings::default()).expect("it opens");
        if round == 0 {
            database.create_graph("one").expect("a new graph");
            for text in [PEOPLE, EDGES] {
                run(&database, "one", text, &none, &[]).expect("it is written");
            }
        }
        let ask = |text| run(&database, "one", text, &none, &[]).expect("it is read");
        assert_eq!(ask("g.V('person-1').outE('knows').id()"), counts(&[5]), "{round}");
        assert_eq!(ask("g.E('like-1').outV().id()"), texts(&["person-2"]), "{round}");
        let twice = run(&database, "one", "g.addV().property(T.id, 'person-1')", &none, &[]);
        assert!(twice.is_err(), "{round}");
        ask("g.V('person-1').addE('sees').to(__.V('person-2'))");
        assert_eq!(ask("g.E().id().dedup().count()"), counts(&[3 + round]));
    }
}

/// A client refers to an element that it has, wherever a value may stand.
const OF_ELEMENTS: [(&str, &str); 25] = [
    ("g.V().is(v).values('name')", "ada"),
    ("g.V().is(within(v, gone)).values('name')", "ada"),
    ("g.V().is(within([v, gone])).values('name')", "ada"),
    ("g.V().not(__.is(w)).values('name')", "ada"),
    ("g.V().where(__.out().is(w)).values('name')", "ada"),
    ("g.V(v).repeat(__.out()).until(__.is(w)).values('name')", "bob"),
    ("g.V().choose(__.is(v), __.values('name'), __.limit(0))", "ada"),
    ("g.V().choose(__.identity()).option(v, __.values('name')).option(none, __.limit(0))", "ada"),
    ("g.inject(v).values('name')", "ada"),
    ("g.inject([v, w]).unfold().is(w).values('name')", "bob"),
    ("g.V(v, gone).values('name')", "ada"),
    ("g.V().hasId(v).values('name')", "ada"),
    ("g.V().hasId(w, gone).values('name')", "bob"),
    ("g.V().hasId([w, gone]).values('name')", "bob"),
    ("g.withSack(w).V(v).sack().values('name')", "bob"),
    (
        "g.withSideEffect('x', [w]).V(v).aggregate('x').cap('x').unfold().is(w).values('name')",
        "bob",
    ),
    (
        "g.withSideEffect('x', {w}).V(v).aggregate('x').cap('x').unfold().is(w).values('name')",
        "bob",
    ),
    ("g.withSideEffect('x', w).V(v).select('x').values('name')", "bob"),
    (
        "g.withSideEffect('x', [(Direction.OUT): v, (Direction.IN): w, (T.label): 'knows'])\
      .mergeE(__.select('x')).outV().values('name')",
        "ada",
    ),
    (
        "g.mergeE([(Direction.OUT): v, (Direction.IN): w, (T.label): 'knows']).inV().values('name')",
        "bob",
    ),
    (
        "g.withStrategies(new SubgraphStrategy(vertices: __.not(__.is(v)))).V().values('name')",
        "bob",
    ),
    (
        "g.withStrategies(new SubgraphStrategy(edges: __.not(__.is(e)))).V(v).out().values('name')",
        "bob",
    ),
    ("g.E().is(e).outV().values('name')", "bob"),
    ("g.E(e).inV().values('name')", "ada"),
    ("g.V(v).addE('new').to(w).inV().values('name')", "bob"),
];

#[test]
fn elements_that_a_client_has_are_those_of_the_graph_wherever_a_value_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path(), Settings::default()).expect("it opens");
    let said = |id: &Value| Argument::Vertex(id.clone());
    for (graph, ada, bob, like) in [
        ("numbers", Value::I64(70), Value::from("71"), Value::I64(72)),
        ("texts", Value::from("a"), Value::Uuid([7; 16]), Value::from("likes")),
    ] {
        database.create_graph(graph).expect("a new graph");
        let of = |v: &Value, w: &Value| -> HashMap<String, Argument> {
            let edge = Argument::Edge(like.clone());
            let gone = Argument::Vertex(Value::from("nobody"));
            let named = [("v", said(v)), ("w", said(w)), ("e", edge), ("gone", gone)];
            named.map(|(name, argument)| (name.to_owned(), argument)).into()
        };
        let ask = |text: &str, bindings: &HashMap<String, Argument>| {
            run(&database, graph, text, bindings, &[]).map_err(|error| error.to_string())
        };
        let mut ids = of(&ada, &bob);
        for (name, id) in [("a", &ada), ("b", &bob), ("c", &like)] {
            ids.insert(name.to_owned(), Argument::Value(id.clone()));
        }
        let make = "g.addV('P').property(T.id, a).property('name', 'ada').as('a')\
                    .addV('P').property(T.id, b).property('name', 'bob').as('b')\
                    .addE('knows').from('a').to('b')\
                    .addE('likes').property(T.id, c).from('b').to('a')";
        ask(make, &ids).expect("it is made");
        for (text, name) in OF_ELEMENTS {
            // Again with the cached text.
            for _ in 0..2 {
                let found = ask(text, &of(&ada, &bob));
                assert_eq!(found, Ok(texts(&[name])), "{graph}: {text}");
            }
        }
        for text in
            ["g.V().hasId(v).explain()", "g.V().hasId([w, gone]).in().hasId(w, v).explain()"]
        {
            let plan = ask(text, &of(&ada, &bob)).expect("a plan").remove(0);
            assert!(!plan.as_str().is_some_and(|plan| plan.contains("Scan")), "{text}: {plan:?}");
        }
        for text in ["g.V().is(gone).count()", "g.V(gone).count()", "g.V().is(1.5).count()"] {
            assert_eq!(ask(text, &of(&ada, &bob)), Ok(counts(&[0])), "{graph}: {text}");
        }
        let other = "g.V().is(v).values('name')";
        assert_eq!(ask(other, &of(&bob, &ada)), Ok(texts(&["bob"])), "{graph}: the other one");
        ask("g.V(v).drop()", &of(&bob, &ada)).expect("bob goes");
        ask("g.addV('P').property(T.id, b).property('name', 'ben')", &ids).expect("ben comes");
        assert_eq!(ask(other, &of(&bob, &ada)), Ok(texts(&["ben"])), "{graph}: who has the id now");
    }
}
