//! Traversals of public scripts, in their original forms.

use millrace_model::Value;

use super::written::{ask, last};

fn counts(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::I64).collect()
}

/// A part of TinkerPop's graph, with the ids that it has.
const MODERN: &str = "g.addV('person').property(T.id, 1).property('name', 'marko').as('a')\
    .addV('person').property(T.id, 2).property('name', 'vadas').as('b')\
    .addV('software').property(T.id, 3).property('name', 'lop').as('c')\
    .addV('person').property(T.id, 4).property('name', 'josh').as('d')\
    .addE('knows').from('a').to('b').addE('created').from('a').to('c').addE('knows').from('a').to('d')";

/// `path()` was refused as the first step of a plan of its own, because a collected object has no path.
#[test]
fn the_by_of_a_named_group_reads_paths_and_tags_of_the_traverser() {
    let asked = |by: &str| {
        let text =
            format!("g.V(1).as('s').out().group('p').by(id).by({by}).cap('p').select(values)");
        last(&[MODERN, &format!("{text}.unfold().unfold()")])
    };
    let names = |names: &[&str]| names.iter().copied().map(Value::from).collect::<Vec<_>>();
    let all = names(&["marko", "vadas", "marko", "josh", "marko", "lop"]);
    assert_eq!(asked("path().by('name').unfold().fold()"), all);
    assert_eq!(asked("path().by('name')"), all);
    let directly =
        "g.V(1).out().group().by(id).by(path().by('name')).select(values).unfold().unfold()";
    assert_eq!(last(&[MODERN, directly]), all);
    assert_eq!(asked("simplePath().values('name')"), names(&["vadas", "josh", "lop"]));
    assert_eq!(asked("where(neq('s')).values('name')"), names(&["vadas", "josh", "lop"]));
    assert_eq!(asked("select('s').values('name')"), names(&["marko", "marko", "marko"]));
    assert_eq!(asked("path().count(local)"), counts(&[2, 2, 2]));
    assert_eq!(asked("path().count()"), counts(&[1, 1, 1]));
}

#[test]
fn a_named_group_has_paths_for_values() {
    let graph = super::modern::Graph::modern();
    let text = "g.V(1).out().group('p').by(id).by(path().by('name')).cap('p').unfold()";
    graph.expect(&[(text, &["2=path[marko, vadas]", "3=path[marko, lop]", "4=path[marko, josh]"])]);
}

#[test]
fn scripts_of_old_consoles_and_groovy_conversions_are_read() {
    let names = |text: &str| {
        let mut found = last(&[MODERN, text]);
        found.sort_by_key(|name| name.as_str().map(str::to_owned));
        found
    };
    let both = ["josh", "vadas"].map(Value::from);
    for text in [
        "g.V(1).\\\nout('knows').values('name')",
        "g.V(1). \\ \r\n  out('knows').\\\n\tvalues('name')",
        "x = g.V(1).\\\nnext()\ng.V(x).out('knows').\\\nvalues('name')",
        "g.V(1 as long).out('knows').values('name')",
        "g.withSideEffect('s', [] as Set).V(1).out('knows').values('name')",
        "g.withSideEffect('s', ['a', 'a'] as LinkedHashSet).V(1).out('knows').values('name')",
        "g = graph.traversal(); g.V(1).out('knows').values('name')",
        "g = traversal().withEmbedded(graph)\ng.V(1).out('knows').values('name')",
    ] {
        assert_eq!(names(text), both, "{text}");
    }
    assert_eq!(last(&["g.inject([1, 1, 2] as Set).unfold().count()"]), counts(&[2]));
    let error = ask(&["g.V().out() \\ .in()"]).remove(0).expect_err("it is not at the end");
    assert!(error.contains('\\'), "{error}");
}

#[test]
fn unsupported_words_of_public_scripts_are_refused_with_their_replacement() {
    for (text, advice) in [
        ("v = g.V(1).next(); v.values('name')", "g.V(v)"),
        (
            "graph.addVertex(T.label, 'person', 'name', 'bob')",
            "g.addV('person').property('name', 'bob')",
        ),
        ("mgmt = graph.openManagement(); mgmt.commit()", "the schema needs no declaration"),
        (
            "mgmt = graph.openManagement()\nmgmt.makePropertyKey('n').dataType(String.class).make()",
            "leave the schema out",
        ),
        ("g.V().has('name', Text.CONTAINS, 'mar')", "textContains('bob')"),
        (
            "g.V().has('place', geoWithin(Geoshape.polygon([])))",
            "geoWithin(Geoshape.box(50, 14, 51, 15))",
        ),
        ("g.V().store('x').cap('x')", "local(aggregate('x'))"),
        ("g.V().property('d', new Date())", "datetime('2026-01-01T00:00:00Z')"),
        ("g.V().property('d', new Date(1000))", "datetime('2026-01-01T00:00:00Z')"),
        ("g.io('x.graphml').read()", "millrace load"),
        ("g.V().timeLimit(5000).count()", "evaluationTimeout"),
        ("g.V().toList().size()", "g.V().count()"),
        ("g.V().ouut()", "did you mean `out()`"),
        ("g.V().map{ it.get().value('name') }", "map(values('name'))"),
        (":remote connect tinkerpop.server conf/remote.yaml", "Gremlin console"),
        (":> g.V().count()", "send the rest"),
        ("g.V(1).next().value('name')", "g.V(id).values('name')"),
        ("l = g.V().toList(); l.size()", "g.V().count()"),
        ("l = g.V().toList(); l[0]", "limit(1)"),
        ("g.V()[0]", "limit(1)"),
        ("(1..3).each{ g.addV('x') }", "in place of a closure"),
        ("gg.V()", "PUT /graphs/gg"),
    ] {
        let error = ask(&[MODERN, text]).remove(1).expect_err("it is refused");
        assert!(error.contains(advice), "{text}: {error}");
    }
}

#[test]
fn a_whole_number_with_a_point_is_an_id() {
    for id in ["1.0", "1.0d", "1.0f", "1.00m", "1n", "'1'", "[1.0]"] {
        let found = last(&[MODERN, &format!("g.V({id}).values('name')")]);
        assert_eq!(found, [Value::from("marko")], "{id}");
    }
    for id in ["1.5", "1.01m", "NaN", "1e300"] {
        assert_eq!(last(&[MODERN, &format!("g.V({id}).count()")]), counts(&[0]), "{id}");
    }
}
