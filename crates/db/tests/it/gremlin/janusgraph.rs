//! JanusGraph's predicates and shapes, in scripts and with variables.

use std::collections::HashMap;

use millrace_db::plan::{Definition, OwnerName};
use millrace_db::{Database, RequestLimits, Settings};
use millrace_gremlin::bytecode::{
    Argument, Geoshape, GeoshapeKind, JANUSGRAPH_PREDICATES, Predicate,
};
use millrace_model::Value;
use millrace_testkit::run_seeds;

use super::scenarios::run;
use super::written::ask;

const TEXTS: &str = "g.addV('p').property('name', 'This world is full of 1funny surprises! A Full Yes')\
    .property('n', 1).addV('p').property('name', 'fully funny').property('n', 2)\
    .addV('p').property('name', 'hop').property('n', 3).addV('p').property('name', 42).property('n', 4)\
    .addV('p').property('n', 5)\
    .addV('p').property(list, 'name', 'one').property(list, 'name', 'full two').property('n', 6)";

const POINTS: &str = "g.addV('p').property('place', Geoshape.point(50.08, 14.43)).property('n', 1)\
    .addV('p').property('place', Geoshape.point(48.2, 16.37)).property('n', 2)\
    .addV('p').property('place', Geoshape.point(0, 180)).property('n', 3)\
    .addV('p').property('place', 'Prague').property('n', 4)\
    .addV('p').property('n', 5)";

struct Graph {
    database: Database,
    _folder: tempfile::TempDir,
}

impl Graph {
    fn of(text: &str) -> Graph {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path(), Settings::default()).expect("it opens");
        database.create_graph("one").expect("a new graph");
        let graph = Graph { database, _folder: folder };
        graph.ask(text, &[]).expect("it is written");
        graph
    }

    fn ask(&self, text: &str, variables: &[(&str, Argument)]) -> Result<Vec<Value>, String> {
        let variables: HashMap<String, Argument> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        run(&self.database, "one", text, &variables, &[]).map_err(|error| error.to_string())
    }

    /// The numbers of the vertices whose property passes.
    #[track_caller]
    fn check(&self, key: &str, test: &str, numbers: &[i64]) {
        self.check_with(key, test, &[], numbers);
    }

    #[track_caller]
    fn check_with(&self, key: &str, test: &str, variables: &[(&str, Argument)], numbers: &[i64]) {
        let text = format!("g.V().has('{key}', {test}).order().by('n').values('n')");
        // Twice: the second time the plan is one that was kept.
        for _ in 0..2 {
            let found = self.ask(&text, variables);
            let numbers: Vec<Value> = numbers.iter().map(|n| Value::I32(*n as i32)).collect();
            assert_eq!(found, Ok(numbers), "{test}");
        }
    }
}

#[test]
fn texts_pass_janusgraphs_predicates() {
    let graph = Graph::of(TEXTS);
    for (test, numbers) in [
        ("textContains('wOrLD')", &[1_i64][..]),
        ("textContains('full,surprises')", &[1]),
        ("textContains('full')", &[1, 6]),
        ("textContains('funny')", &[2]),
        ("textContains('f')", &[]),
        ("textNotContains('full')", &[2, 3, 6]),
        ("textContainsPrefix('fU')", &[1, 2, 6]),
        ("textNotContainsPrefix('fu')", &[3, 6]),
        ("textContainsRegex('fu[l]+')", &[1, 6]),
        ("textNotContainsRegex('.*')", &[]),
        ("textContainsFuzzy('fulls')", &[1, 2, 6]),
        ("textNotContainsFuzzy('fulls')", &[3, 6]),
        ("textContainsPhrase('is full of')", &[1]),
        ("textNotContainsPhrase('is full of')", &[2, 3, 6]),
        ("textPrefix('ful')", &[2, 6]),
        ("textPrefix('Full')", &[]),
        ("textNotPrefix('ful')", &[1, 3, 6]),
        ("textRegex('(fu[ln]*y) (fu[ln]*y)')", &[2]),
        ("textNotRegex('.*')", &[]),
        ("textFuzzy('hopp')", &[3]),
        ("textFuzzy('ohp')", &[]),
        ("textNotFuzzy('hopp')", &[1, 2, 6]),
        ("Text.textContains('hop')", &[3]),
        ("textContains('full').or(textPrefix('h'))", &[1, 3, 6]),
        ("textContainsPrefix('ful').and(textContains('funny'))", &[2]),
        ("not(textContains('full'))", &[2, 3, 6]),
        ("textContains('full').negate()", &[2, 3, 6]),
    ] {
        graph.check("name", test, numbers);
    }
    let text = |text: &str| [("x", Argument::Value(text.into()))];
    graph.check_with("name", "textContains(x)", &text("full"), &[1, 6]);
    graph.check_with("name", "textContains(x)", &text("hop"), &[3]);
    graph.check_with("name", "textRegex(x)", &text("h.p"), &[3]);
    let predicate = Predicate::new("textPrefix", vec![Argument::Value("hop".into())]);
    graph.check_with("name", "x", &[("x", Argument::Predicate(predicate))], &[3]);
    let texts = "g.inject('full', 'fully').is(textContains('full'))";
    assert_eq!(graph.ask(texts, &[]), Ok(vec!["full".into()]));
}

#[test]
fn conditions_that_janusgraph_refuses_are_refused() {
    for (test, error) in [
        ("textContains(' ')", "blank"),
        ("textContains(5)", "takes a text, and not"),
        ("textContains(null)", "takes a text, and not"),
        ("textRegex('(')", "pattern"),
        ("textContains('a', 'b')", "takes one argument, but got 2"),
        ("P.textContains('a')", "`P` has no `textContains`"),
        ("Geo.textContains('a')", "`Geo` has no `textContains`"),
        ("geoWithin('a')", "takes a shape"),
        ("geoWithin(Geoshape.circle(50, 14))", "takes 3 numbers, but got 2"),
        ("geoWithin(Geoshape.circle(50, 14, 0))", "radius"),
        ("geoWithin(Geoshape.circle(91, 14, 1))", "latitudes from -90 to 90"),
        ("geoWithin(Geoshape.box(2, 0, 1, 0))", "southern corner first"),
        ("geoWithin(Geoshape.line([]))", "`Geoshape` has no `line`"),
    ] {
        // Also as the same text once more, with other literals before.
        let text = format!("g.V().has('a', {test})");
        let good = "g.V().has('a', textContains('x'))";
        for answer in ask(&[good, &text, &text]).into_iter().skip(1) {
            let found = answer.expect_err(test);
            assert!(found.contains(error), "{test}: {found}");
        }
    }
    let circle = "g.addV().property('area', Geoshape.circle(50, 14, 1))";
    let found = ask(&[circle]).remove(0).expect_err("no value");
    assert!(found.contains("takes no circle"), "{found}");
}

#[test]
fn points_pass_janusgraphs_predicates() {
    let graph = Graph::of(POINTS);
    for (test, numbers) in [
        ("geoWithin(Geoshape.circle(50, 14.5, 20))", &[1_i64][..]),
        ("geoWithin(Geoshape.circle(50, 14.5, 1))", &[]),
        ("geoWithin(Geoshape.circle(50, 14.5, 300))", &[1, 2]),
        ("geoIntersect(Geoshape.circle(50, 14.5, 20))", &[1]),
        ("geoDisjoint(Geoshape.circle(50, 14.5, 20))", &[2, 3]),
        ("geoContains(Geoshape.circle(50, 14.5, 20))", &[]),
        ("geoWithin(Geoshape.box(48, 14, 51, 17))", &[1, 2]),
        ("geoWithin(Geoshape.box(-1, 179, 1, -179))", &[3]),
        ("geoWithin(Geoshape.box(-1, -180, 1, -179))", &[3]),
        ("geoIntersect(Geoshape.point(48.2, 16.37))", &[2]),
        ("geoDisjoint(Geoshape.point(48.2, 16.37))", &[1, 3]),
        ("geoWithin(Geoshape.point(48.2, 16.37))", &[]),
        ("Geo.geoWithin(Geoshape.circle(50, 14.5, 20))", &[1]),
        ("eq(Geoshape.point(48.2, 16.37))", &[2]),
        ("Geoshape.point(48.2, 16.37)", &[2]),
        ("not(geoIntersect(Geoshape.point(48.2, 16.37)))", &[1, 3]),
    ] {
        graph.check("place", test, numbers);
    }
    let number = |number: f64| Argument::Value(Value::F64(number));
    let near = "geoWithin(Geoshape.circle(lat, 14.5, 20))";
    graph.check_with("place", near, &[("lat", number(50.0))], &[1]);
    graph.check_with("place", near, &[("lat", number(48.0))], &[]);
    for (kind, numbers, found) in [
        (GeoshapeKind::Circle, &[50.0, 14.5, 20.0][..], &[1_i64][..]),
        (GeoshapeKind::Circle, &[50.0, 14.5, 300.0], &[1, 2]),
        (GeoshapeKind::Box, &[-1.0, 179.0, 1.0, -179.0], &[3]),
    ] {
        let area = Argument::Geoshape(Geoshape::of_numbers(kind, numbers));
        graph.check_with("place", "geoWithin(area)", &[("area", area)], found);
    }
    let text = "g.addV('p').property('place', Geoshape.point(lat, 14)).property('n', 6)";
    graph.ask(text, &[("lat", number(10.0))]).expect("a point");
    graph.check("place", "geoWithin(Geoshape.circle(10, 14, 1))", &[6]);
    let out_of_range = graph.ask(text, &[("lat", number(100.0))]).expect_err("no latitude");
    assert!(out_of_range.contains("latitudes from -90 to 90"), "{out_of_range}");
    let assigned =
        "here = Geoshape.point(10, 14); g.V().has('place', geoIntersect(here)).values('n')";
    assert_eq!(graph.ask(assigned, &[]), Ok(vec![Value::I32(6)]));
    let circle = graph.ask("here = Geoshape.circle(10, 14, 1)", &[]).expect_err("no value");
    assert!(circle.contains("a circle is no value"), "{circle}");
}

const SEEDS: u64 = 25;

/// Declares an index for each method, of the key of that place; the same values stand under `KEYkept` without one.
fn with_indexes(values: &[Value], methods: &[(&str, &str)]) -> Graph {
    let graph = Graph::of("g.addV('p').property('n', -1)");
    let declare = |(key, method): &(&str, &str)| Definition::CreateMadeIndex {
        owner: OwnerName::Label("p".into()),
        keys: vec![(*key).into()],
        method: (*method).into(),
    };
    let changes: Vec<Definition> = methods.iter().map(declare).collect();
    let limits = RequestLimits::within(60_000, graph.database.settings());
    let one = graph.database.graph("one").expect("it is there");
    one.change_schema(&changes, &limits).expect("sound methods");
    let add = "g.addV('p').property('n', n)";
    let keys: String = methods.iter().map(|(key, _)| format!(".property('{key}', x)")).collect();
    for (n, value) in values.iter().enumerate() {
        let variables =
            [("n", Argument::Value(Value::I64(n as i64))), ("x", Argument::Value(value.clone()))];
        let text = format!("{add}{keys}.property('kept', x)");
        graph.ask(&text, &variables).expect("it is written");
    }
    graph
}

fn numbers(
    graph: &Graph,
    key: &str,
    test: &str,
    argument: &Argument,
) -> Result<Vec<Value>, String> {
    let text = format!("g.V().hasLabel('p').has('{key}', {test}(x)).values('n').order()");
    graph.ask(&text, &[("x", argument.clone())])
}

/// Whether an index narrows the test.
fn is_narrowed(graph: &Graph, key: &str, test: &str) -> bool {
    let text = format!("g.V().hasLabel('p').has('{key}', {test}).count().profile()");
    let profile = super::scenarios::profile(&graph.database, "one", &text);
    format!("{profile:?}").contains("Index (")
}

#[test]
fn an_index_finds_the_texts_that_a_scan_finds() {
    let letters = ['a', 'b', 'B', 'Σ', 'İ', ' ', '.', 'é', '7'];
    run_seeds(SEEDS, |_, rng| {
        let mut text = |most: usize| -> String {
            (0..rng.index(most + 1)).map(|_| letters[rng.index(letters.len())]).collect()
        };
        let values: Vec<Value> = (0..120).map(|_| Value::from(text(12).as_str())).collect();
        let methods = [
            ("words", "words(janusgraph)"),
            ("parts", "trigrams"),
            ("folded", "trigrams(case-insensitive)"),
        ];
        let graph = with_indexes(&values, &methods);
        for name in JANUSGRAPH_PREDICATES.iter().filter(|name| name.starts_with("text")) {
            let condition = text(5).replace('.', "[^ ]");
            let argument = Argument::Value(Value::from(condition.as_str()));
            let wanted = numbers(&graph, "kept", name, &argument);
            for (key, method) in methods {
                let found = numbers(&graph, key, name, &argument);
                assert_eq!(found, wanted, "{name}({condition:?}) by {method}");
            }
        }
    });
}

#[test]
fn an_index_finds_the_points_that_a_scan_finds() {
    run_seeds(SEEDS / 3, |_, rng| {
        // Also poles and the longitude 180 under both of its names.
        let mut coordinates = || {
            let latitude = [-90.0, 90.0, 0.0, rng.below(360) as f64 / 2.0 - 90.0][rng.index(4)];
            let longitude =
                [-180.0, 180.0, 179.5, rng.below(720) as f64 / 2.0 - 180.0][rng.index(4)];
            [latitude, longitude]
        };
        let point = |[latitude, longitude]: [f64; 2]| {
            let geoshape = Geoshape::of_numbers(GeoshapeKind::Point, &[latitude, longitude]);
            geoshape.operands().expect("in range").expect("numbers").remove(0)
        };
        let values: Vec<Value> = (0..120).map(|_| point(coordinates())).collect();
        let methods = [("points", "points"), ("cells", "cells(2d, geographic)")];
        let graph = with_indexes(&values, &methods);
        for number in 0..12 {
            let ([south, west], [north, east]) = (coordinates(), coordinates());
            let (south, north) = (south.min(north), south.max(north));
            let radius = [1.0, 500.0, 9_000.0, 20_015.0][number % 4];
            for area in [
                Argument::Value(point([south, west])),
                Argument::Geoshape(Geoshape::of_numbers(
                    GeoshapeKind::Circle,
                    &[south, west, radius],
                )),
                Argument::Geoshape(Geoshape::of_numbers(
                    GeoshapeKind::Box,
                    &[south, west, north, east],
                )),
            ] {
                for name in ["geoWithin", "geoIntersect", "geoDisjoint", "geoContains"] {
                    let wanted = numbers(&graph, "kept", name, &area);
                    for (key, method) in methods {
                        let found = numbers(&graph, key, name, &area);
                        assert_eq!(found, wanted, "{name}({area:?}) by {method}");
                    }
                }
            }
        }
    });
}

#[test]
fn tests_are_answered_by_the_indexes_that_are_for_them() {
    let texts: Vec<Value> =
        (0..300).map(|n| Value::from(format!("film number {n}").as_str())).collect();
    let graph = with_indexes(&texts, &[("words", "words(janusgraph)"), ("parts", "trigrams")]);
    for (key, test, is_by_index) in [
        ("words", "textContains('17 film')", true),
        ("words", "textContainsPrefix('29')", true),
        ("words", "textContainsFuzzy('numbre')", true),
        ("words", "textContainsPhrase('number 17')", true),
        ("words", "textContainsRegex('29.*')", true),
        ("words", "textPrefix('film')", false),
        ("parts", "textPrefix('film number 1')", true),
        ("parts", "textRegex('.*number 17.*')", true),
        ("parts", "TextP.containing('number 17')", true),
        ("parts", "TextP.regex('number 17')", true),
        ("parts", "textContains('film')", false),
        ("kept", "textContains('film')", false),
    ] {
        assert_eq!(is_narrowed(&graph, key, test), is_by_index, "{key} {test}");
    }
    let error = graph.ask(
        "g.V().hasLabel('p').has('words', textContains(x))",
        &[("x", Argument::Value(" ".into()))],
    );
    assert!(error.expect_err("blank").contains("blank"));
}
