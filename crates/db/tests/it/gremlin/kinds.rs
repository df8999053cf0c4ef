//! Elements of kinds that only the run knows: each step treats an element by its kind at run time.

use super::modern::{Graph, MODERN};

const EDGE: &str =
    "{id:9, label:created, IN:{id:3, label:software}, OUT:{id:1, label:person}, weight:0.4}";

#[test]
fn an_edge_stays_one_whichever_way_it_comes() {
    let graph = Graph::modern();
    let path = format!("path[marko, {EDGE}]");
    let tree = format!("(person({EDGE}()))");
    let edge = "{id:9, label:created, IN:{id:3, label:software}, OUT:{id:1, label:person}}";
    graph.expect(&[
        ("g.V(1).outE('created').path().by('name').by(elementMap())", &[&path]),
        ("g.V(1).outE('created').fold().unfold().valueMap()", &["{weight:0.4}"]),
        (
            "g.V(1).union(identity(),outE('created')).valueMap()",
            &["{name:[marko], age:[29]}", "{weight:0.4}"],
        ),
        ("g.E(9).as('e').select(all,'e').unfold().valueMap()", &["{weight:0.4}"]),
        ("g.V(1).coalesce(outE('created'),identity()).valueMap()", &["{weight:0.4}"]),
        ("g.V(1).outE('created').aggregate('x').cap('x').unfold().elementMap()", &[EDGE]),
        ("g.V(1).outE('created').tree().by(label).by(elementMap('weight'))", &[&tree]),
        ("g.V(1).outE('created').fold().unfold().elementMap('none')", &[edge]),
        ("g.V(1).outE('created').fold().unfold().propertyMap()", &["{weight:p[weight->0.4]}"]),
        ("g.V(1).fold().unfold().propertyMap('name')", &["{name:[vp[name]]}"]),
        (
            "g.V(1).union(identity(),outE('created')).valueMap(true)",
            &[
                "{id:1, label:person, name:[marko], age:[29]}",
                "{id:9, label:created, weight:0.4}",
            ],
        ),
        ("g.V(1).union(identity(),outE('created')).label()", &["person", "created"]),
        ("g.V(1).union(identity(),outE('created')).id()", &["1", "9"]),
        ("g.V(1).union(identity(),outE('created')).properties().count()", &["3"]),
        (
            "g.V(1).repeat(union(outE('created'),outE('knows')).inV()).times(1).fold().unfold().valueMap('name')",
            &["{name:[lop]}", "{name:[vadas]}", "{name:[josh]}"],
        ),
        (
            "g.V(1).outE('created').emit().repeat(inV().inE('created')).times(1).valueMap()",
            &["{weight:0.4}", "{weight:0.4}", "{weight:0.4}", "{weight:0.2}"],
        ),
        ("g.V(1).outE('created').fold().unfold().inV().values('name')", &["lop"]),
        ("g.V(1).outE('created').fold().unfold().values()", &["0.4"]),
    ]);
}

#[test]
fn a_property_stays_one_whichever_way_it_comes() {
    let graph = Graph::modern();
    graph.expect(&[
        ("g.V(1).properties('name').fold().unfold().value()", &["marko"]),
        ("g.V(1).properties('name').fold().unfold().key()", &["name"]),
        ("g.V(1).properties('name').fold().unfold().label()", &["name"]),
        ("g.V(1).union(properties('name'),outE('created')).label()", &["name", "created"]),
        ("g.V(1).properties('name').as('p').select(all,'p').unfold().value()", &["marko"]),
        ("g.V(1).properties('name').aggregate('x').cap('x').unfold().key()", &["name"]),
        (
            "g.V(1).properties('name').fold().unfold().elementMap()",
            &["{id:1:name:0, key:name, value:marko}"],
        ),
        ("g.V(1).properties('name').fold().unfold().id()", &["1:name:0"]),
        ("g.V(1).properties('name').path().by(id).by(value)", &["path[1, marko]"]),
        ("g.V(1).properties('name').path().by('age').by(T.key)", &["path[29, name]"]),
        ("g.E(9).properties().fold().unfold().value()", &["0.4"]),
        ("g.E(9).properties().fold().unfold().key()", &["weight"]),
        ("g.E(9).properties().fold().unfold().element().id()", &["9"]),
        ("g.V(1).properties('name').fold().unfold().element().id()", &["1"]),
        (
            "g.V(1).properties('name').fold().unfold().hasKey('name').hasValue('marko').count()",
            &["1"],
        ),
        ("g.V(1).properties('name').fold().unfold().valueMap()", &["{}"]),
    ]);
}

#[test]
fn a_property_of_a_property_is_found_whichever_way_it_comes() {
    let meta = "g.V(1).properties('name').property('since', 2009).property('by', 'm')";
    let graph = Graph::of(&[MODERN, meta]);
    let both = "{since:2009, by:m}";
    graph.expect(&[
        ("g.V(1).properties('name').fold().unfold().valueMap()", &[both]),
        ("g.V(1).properties('name').fold().unfold().valueMap('since')", &["{since:2009}"]),
        ("g.V(1).properties('name').fold().unfold().values('since')", &["2009"]),
        ("g.V(1).properties('name').fold().unfold().values()", &["2009", "m"]),
        ("g.V(1).properties('name').fold().unfold().has('since', 2009).value()", &["marko"]),
        ("g.V(1).properties('name').fold().unfold().has('since', 2010).value()", &[]),
        ("g.V(1).properties('name').fold().unfold().properties('since').value()", &["2009"]),
        ("g.V(1).properties('name').properties('since').fold().unfold().key()", &["since"]),
        ("g.V(1).properties('name').properties('since').fold().unfold().value()", &["2009"]),
        (
            "g.V(1).properties('name').properties('since').fold().unfold().element().key()",
            &["name"],
        ),
        (
            "g.V(1).properties('name').fold().unfold().elementMap()",
            &["{id:1:name:0, key:name, value:marko, since:2009, by:m}"],
        ),
        (
            "g.V(1).properties('name').fold().unfold().propertyMap('since')",
            &["{since:p[since->2009]}"],
        ),
        ("g.V(1).properties('name').propertyMap()", &["{since:p[since->2009], by:p[by->m]}"]),
        ("g.V(1).properties('name').path().by('age').by('since')", &["path[29, 2009]"]),
        ("g.V(1).union(properties('name'), identity()).values('since', 'age')", &["2009", "29"]),
    ]);
}

#[test]
fn the_tokens_of_a_property_are_its_id_key_and_value() {
    let graph = Graph::modern();
    let asked =
        |of: &str, with: &str| format!("g.V(1).{of}.valueMap().with(WithOptions.tokens{with})");
    for of in ["properties('name')", "properties('name').fold().unfold()"] {
        for (with, wanted) in [
            ("", "{id:1:name:0, key:name, value:marko}"),
            (", WithOptions.all", "{id:1:name:0, key:name, value:marko}"),
            (", WithOptions.ids", "{id:1:name:0}"),
            (", WithOptions.labels", "{}"),
            (", WithOptions.keys", "{key:name}"),
            (", WithOptions.values", "{value:marko}"),
            (", WithOptions.none", "{}"),
            (", 5", "{id:1:name:0, key:name}"),
        ] {
            assert_eq!(graph.ask(&asked(of, with)), [wanted], "{of} {with}");
        }
    }
    for (with, wanted) in [
        ("", "{id:9, label:created, weight:0.4}"),
        (", WithOptions.all", "{id:9, label:created, weight:0.4}"),
        (", WithOptions.ids", "{id:9, weight:0.4}"),
        (", WithOptions.labels", "{label:created, weight:0.4}"),
        (", WithOptions.keys", "{weight:0.4}"),
        (", WithOptions.values", "{weight:0.4}"),
        (", WithOptions.none", "{weight:0.4}"),
    ] {
        for of in ["outE('created')", "outE('created').fold().unfold()"] {
            assert_eq!(graph.ask(&asked(of, with)), [wanted], "{of} {with}");
        }
    }
    graph.expect(&[
        ("g.V(1).properties('name').valueMap(true)", &["{id:1:name:0, key:name, value:marko}"]),
        (
            "g.V(1).outE('created').values('weight').index().with(WithOptions.indexer, WithOptions.list)",
            &["[[0.4, 0]]"],
        ),
        (
            "g.V(1).outE('created').values('weight').index().with(WithOptions.indexer, WithOptions.map)",
            &["{0:0.4}"],
        ),
    ]);
}

#[test]
fn drop_treats_an_object_by_its_kind_at_run_time() {
    let meta = "g.V(1).properties('name').property('since', 2009).property('by', 'm')";
    let left = |drop: &str| {
        let graph = Graph::of(&[MODERN, meta]);
        graph.run(drop).unwrap_or_else(|error| panic!("{drop}: {error}"));
        let counts = ["g.V().count()", "g.E().count()", "g.V().properties().count()"];
        let more = ["g.E().properties().count()", "g.V().properties().properties().count()"];
        let all: Vec<String> =
            counts.iter().chain(&more).map(|text| graph.ask(text).concat()).collect();
        all.join(" ")
    };
    assert_eq!(left("g.V(7)"), "6 6 12 6 2");
    for (drop, wanted) in [
        ("g.V(1).properties('name').fold().unfold().drop()", "6 6 11 6 0"),
        ("g.E(9).properties().fold().unfold().drop()", "6 6 12 5 2"),
        ("g.V(1).properties('name').properties('since').fold().unfold().drop()", "6 6 12 6 1"),
        ("g.V(1).properties('name').properties('since').drop()", "6 6 12 6 1"),
        ("g.V(1).fold().unfold().drop()", "5 3 10 3 0"),
        ("g.E(9).fold().unfold().drop()", "6 5 12 5 2"),
        ("g.V(1).fold().unfold().properties('name').drop()", "6 6 11 6 0"),
        ("g.E(9).fold().unfold().properties('weight').drop()", "6 6 12 5 2"),
        (
            "g.V(1).union(properties('age'), outE('created'), outE('knows').properties()).drop()",
            "6 5 11 3 2",
        ),
        ("g.V(1).union(identity(), properties('name')).properties().drop()", "6 6 10 6 0"),
        ("g.V(1).aggregate('x').by(properties('age')).cap('x').unfold().drop()", "6 6 11 6 2"),
    ] {
        assert_eq!(left(drop), wanted, "{drop}");
    }
    let graph = Graph::of(&[MODERN, meta]);
    graph.expect_errors(&[(
        "g.V(1).properties('name').fold().unfold().property('since', 2010)",
        "vertex property",
    )]);
}
