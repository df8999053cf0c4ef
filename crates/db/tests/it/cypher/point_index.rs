//! A point index: the same rows as a scan, in circles and boxes of every reference system.

use millrace_model::random::SplitMix64;
use millrace_testkit::run_seeds;

use super::Graph;

const SEEDS: u64 = 30;
const POINTS: usize = 150;
const TESTS: usize = 16;

/// A point of one of the reference systems, near others of it; some are at an edge of the map.
fn point(rng: &mut SplitMix64) -> String {
    let mut number = |range: f64| (rng.unit() - 0.5) * range;
    let (x, y, z) = (number(3.0), number(3.0), number(2.0));
    let (longitude, latitude) = match rng.index(4) {
        0 => (180.0 - x.abs(), y),
        1 => (-180.0 + x.abs(), y),
        2 => (x * 100.0, 90.0 - y.abs()),
        _ => (x, y),
    };
    match rng.index(4) {
        0 => format!("point({{x: {x:?}, y: {y:?}}})"),
        1 => format!("point({{x: {x:?}, y: {y:?}, z: {z:?}}})"),
        2 => format!("point({{longitude: {longitude:?}, latitude: {latitude:?}}})"),
        _ => format!("point({{longitude: {longitude:?}, latitude: {latitude:?}, height: {z:?}}})"),
    }
}

#[test]
fn a_point_index_finds_what_a_scan_finds() {
    run_seeds(SEEDS, |seed, rng| {
        let graph = Graph::new();
        graph.run("CREATE POINT INDEX places FOR (n:P) ON (n.at)").expect("it is sound");
        let points: Vec<String> = (0..POINTS).map(|_| point(rng)).collect();
        let text = format!(
            "UNWIND [{}, null, 'nowhere', 7, [point({{x: 1, y: 1}})]] AS p CREATE (:P {{at: p, kept: p}})",
            points.join(", ")
        );
        graph.run(&text).expect("it is sound");
        for test in 0..TESTS {
            let (one, other) = (&points[rng.index(POINTS)], point(rng));
            let bound = [0.0, 0.5, 1.0, 100_000.0, 1e7][rng.index(5)];
            let condition = |key: &str| match test % 5 {
                0 => format!("point.distance(n.{key}, {one}) <= {bound:?}"),
                1 => format!("{bound:?} > point.distance({other}, n.{key})"),
                2 => format!("point.withinBBox(n.{key}, {one}, {other})"),
                3 => format!("point.withinBBox(n.{key}, {other}, {one}) AND n.{key} <> {one}"),
                _ => format!("n.{key} = {one}"),
            };
            let question = |key: &str| {
                let condition = condition(key);
                format!(
                    "MATCH (n:P) WHERE {condition} RETURN n.kept AS p, count(*) AS c ORDER BY c, toString(p)"
                )
            };
            let own = graph.ask(&question("at"));
            assert_eq!(own, graph.ask(&question("kept")), "seed {seed}: {}", condition("at"));
            assert!(!own.concat().contains("error"), "{own:?}");
        }
    });
}

#[test]
fn an_area_is_looked_up_and_a_value_that_is_wrong_is_scanned_for() {
    let graph = Graph::new();
    graph
        .run(
            "UNWIND range(0, 999) AS i CREATE (:P {at: point({x: i % 40, y: i / 40}), name: 'N' + i})",
        )
        .expect("it is sound");
    graph.run("CREATE POINT INDEX places FOR (n:P) ON (n.at)").expect("it is sound");
    graph.run("CREATE TEXT INDEX names FOR (n:P) ON (n.name)").expect("it is sound");
    let scanned = "(\"rows\", 1000)";
    for (test, found, by_index) in [
        ("point.distance(n.at, point({x: 7, y: 7})) < 1.1", "5", true),
        ("point.withinBBox(n.at, point({x: 1, y: 1}), point({x: 2, y: 3}))", "6", true),
        ("n.at = point({x: 7, y: 7})", "1", true),
        ("point.distance(n.at, point({x: 7, y: 7})) > 1.1", "995", false),
        ("point.distance(n.at, 'here') < 1.1", "", false),
        ("point.distance(n.at, point({x: 7, y: 7})) < 'far'", "0", false),
        ("point.distance(n.at, point({x: 7, y: 7, z: 1})) < 10", "0", true),
        ("n.name =~ 'N12[0-4]'", "5", true),
        ("n.name =~ '(?i)n12[0-4]'", "5", true),
        ("n.name =~ 'N.2[0-4]'", "45", false),
    ] {
        let question = format!("MATCH (n:P) WHERE {test} RETURN count(n)");
        if !found.is_empty() {
            assert_eq!(graph.ask(&question), [found], "{test}");
            let profile = graph.ask(&format!("PROFILE {question}")).concat();
            assert_eq!(!profile.contains(scanned), by_index, "{test}: {profile}");
        }
    }
    // What is wrong with a value is said, whatever the index has.
    for (test, named) in [
        ("n.name =~ 'N12('", "unclosed group"),
        ("point.distance(n.at, point({latitude: 100, longitude: 1})) < 1", "latitude"),
        ("n.at = point({latitude: 100, longitude: 1})", "latitude"),
    ] {
        let given = graph.ask(&format!("MATCH (n:P) WHERE {test} RETURN count(n)")).concat();
        assert!(given.contains(named), "{test}: {given}");
    }
}

#[test]
fn extents_of_neo4j_are_taken_and_what_is_no_extent_is_refused() {
    let graph = Graph::new();
    let create = |name: &str, extents: &str| {
        graph.run(&format!(
            "CREATE POINT INDEX {name} FOR (n:{name}) ON (n.at) OPTIONS {{indexConfig: {{{extents}}}}}"
        ))
    };
    graph.run("CREATE (:Small {at: point({x: 500, y: 7})})").expect("it is sound");
    create(
        "Small",
        "`spatial.cartesian.min`: [-100, -100.0], `spatial.cartesian.max`: [100.0, 100]",
    )
    .expect("they are taken");
    let far = "MATCH (n:Small) WHERE point.distance(n.at, point({x: 499, y: 7})) < 2 RETURN n.at.x";
    assert_eq!(graph.ask(far), ["500.0"]);
    for (extents, said) in [
        ("`spatial.cartesian.min`: [1.0]", "`spatial.cartesian.min` must be a list of 2 numbers"),
        ("`spatial.wgs-84-3d.max`: 'x'", "`spatial.wgs-84-3d.max` must be a list of 3 numbers"),
        ("`spatial.wgs`: [1.0, 2.0]", "has no `spatial.wgs`"),
    ] {
        let error = create("Other", extents).map(drop).expect_err(extents).to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn zeros_of_either_sign_are_one_point() {
    let points = ["{x: 0.0, y: 1.0}", "{x: -0.0, y: 1.0}", "{longitude: -0.0, latitude: 0.0}"];
    for kind in ["POINT", "RANGE"] {
        let graph = Graph::new();
        graph.ask(&format!("CREATE {kind} INDEX places FOR (n:P) ON (n.at)"));
        for point in points {
            graph.ask(&format!("CREATE (:P {{at: point({point}), kept: point({point})}})"));
        }
        for point in points {
            for condition in [
                format!("@ = point({point})"),
                format!("@ IN [point({point})]"),
                format!("point.withinBBox(@, point({point}), point({point}))"),
                format!("point.distance(@, point({point})) <= 0.0"),
            ] {
                let [indexed, kept] = ["at", "kept"].map(|key| {
                    let condition = condition.replace('@', &format!("n.{key}"));
                    graph.ask(&format!("MATCH (n:P) WHERE {condition} RETURN count(*)"))
                });
                assert_eq!(indexed, kept, "{kind}: {condition}");
            }
        }
    }
}
