//! Loops that stay cheap: side effects in them, and a limit behind them.

use std::time::{Duration, Instant};

use super::modern::Graph;

/// Far more than a loop with merging rows or an early end takes, and far less than one without.
const SOON: Duration = Duration::from_secs(20);

#[track_caller]
fn soon(graph: &Graph, text: &str) -> Vec<String> {
    let begun = Instant::now();
    let found = graph.sorted(text);
    let taken = begun.elapsed();
    assert!(taken < SOON, "{text}: {taken:?}");
    found
}

/// So many rounds that only merged rows ever end: walks double each round at least.
#[test]
fn a_side_effect_in_a_loop_leaves_equal_rows_merged() {
    let graph = Graph::modern();
    let few = "g.V().repeat(both().groupCount('m').by('name')).times(3).cap('m')";
    let found = graph.ask(few);
    assert_eq!(found, ["{vadas:11, josh:27, lop:27, marko:27, peter:11, ripple:11}"]);
    let many = soon(&graph, "g.V().repeat(both().groupCount('m').by('name')).times(60).cap('m')");
    assert!(many[0].contains("marko:"), "{many:?}");
    soon(&graph, "g.V().repeat(both().groupCount('m')).times(60).cap('m').count(local)");
    soon(&graph, "g.V().repeat(both().aggregate('x')).times(60).dedup().count()");
    soon(&graph, "g.V().repeat(both().group('p').by(label)).times(60).dedup().count()");
    soon(&graph, "g.V().repeat(both().groupCount('m').by(label)).emit().times(60).dedup().count()");
}

#[test]
fn a_collection_in_a_loop_counts_each_object_as_often_as_it_came() {
    let graph = Graph::modern();
    graph.expect(&[
        ("g.V(1).repeat(both().aggregate('x')).times(2).cap('x').unfold().groupCount().by('name')",
         &["{vadas:1, josh:2, lop:2, marko:3, ripple:1, peter:1}"]),
        ("g.V(1).repeat(both().aggregate('x').by('name')).times(1).cap('x').unfold()", &["lop", "vadas", "josh"]),
        ("g.V(1).repeat(both().group('p').by(label).by(count())).times(2).cap('p')",
         &["{person:7, software:3}"]),
        ("g.V(1).repeat(out().groupCount('m')).times(2).groupCount('m').cap('m').select(values).unfold().sum()", &["7"]),
    ]);
}

/// The made graph of the cases: 1,500 places, each with 24 roads to others.
fn places() -> Graph {
    let places: Vec<u64> = (0..1500).collect();
    let place = |number: &u64| {
        format!(
            "g.addV('place').property(T.id, {}).property('code', 'C{number:04}')\
             .property('region', 'R{}').iterate()",
            number + 1,
            number % 10,
        )
    };
    let roads = |number: &u64| {
        let to = (0..24).map(|k| (7 * number + 61 * k + 13 * k * k + 1) % 1500 + 1);
        let to: Vec<String> = to.map(|id| id.to_string()).collect();
        let to = to.join(", ");
        format!("g.V({}).as('a').V({to}).addE('road').from('a').iterate()", number + 1)
    };
    let scripts = |line: &dyn Fn(&u64) -> String| -> Vec<String> {
        let chunks = places.chunks(100);
        chunks.map(|some| some.iter().map(line).collect::<Vec<_>>().join("; ")).collect()
    };
    let all = [scripts(&place), scripts(&roads)].concat();
    Graph::of(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Written out, `limit` ends the last of three steps after its first row; in a loop it waited for the round.
#[test]
fn a_limit_ends_the_round_under_way() {
    let graph = places();
    assert_eq!(graph.ask("g.V().count()"), ["1500"]);
    assert_eq!(graph.ask("g.V(1).out().count()"), ["24"]);
    let plain =
        "g.V().limit(200).out().simplePath().out().simplePath().out().simplePath().limit(1).path()";
    let first = "g.V().limit(200).repeat(out().simplePath()).times(3).limit(1).path()";
    assert_eq!(soon(&graph, first), soon(&graph, plain));
    // Seven rounds of all rows are a billion walks.
    let far = "g.V().limit(200).repeat(out().simplePath()).times(7).limit(1).path().count(local)";
    assert_eq!(soon(&graph, far), ["8"]);
    let nested = "g.V().limit(60).repeat(out('road').simplePath().repeat(__.in('road')).times(1))\
                  .times(2).path().limit(3).count(local)";
    assert_eq!(soon(&graph, nested), ["5", "5", "5"]);
    let each = "g.V().limit(40).local(repeat(out().simplePath()).emit().times(4)\
                .has('code','C0999').limit(1)).count()";
    assert_eq!(soon(&graph, each), ["40"]);
    let each = "g.V().limit(40).local(repeat(out().simplePath()).times(7).limit(2)).count()";
    assert_eq!(soon(&graph, each), ["80"]);
    let exist = "g.V().limit(50).where(repeat(out().simplePath()).times(7)).count()";
    assert_eq!(soon(&graph, exist), ["50"]);
    let none = "g.V().limit(20).not(repeat(out().simplePath()).emit().times(5).has('region', 'R1')).count()";
    assert_eq!(soon(&graph, none), ["0"]);
}

/// The first results are those of the first rounds, however few are wanted.
#[test]
fn a_limit_behind_a_loop_takes_the_first_rows_of_all() {
    let graph = Graph::modern();
    for rounds in [
        "repeat(both()).times(2)",
        "repeat(both()).emit().times(3)",
        "emit().repeat(both()).times(3)",
        "repeat(both()).until(has('name', 'lop')).times(4)",
        "until(hasLabel('software')).repeat(out())",
        "emit(hasLabel('person')).repeat(both().simplePath()).times(3)",
        "repeat(both().repeat(both()).times(2)).times(2)",
        "repeat(both()).until(loops().is(2))",
    ] {
        let all = graph.ask(&format!("g.V().order().by(id).{rounds}.values('name').fold()"));
        for limit in [1, 3, 10, 1000] {
            let text =
                format!("g.V().order().by(id).{rounds}.limit({limit}).values('name').fold()");
            let found = graph.ask(&text);
            let beginning = found[0].trim_end_matches(']');
            assert!(all[0].starts_with(beginning), "{text}: {found:?}, not {all:?}");
            let count = beginning.split(',').count().min(limit);
            assert_eq!(count, all[0].split(',').count().min(limit), "{text}");
            let local = format!("g.V().order().by(id).local({rounds}.limit({limit})).count()");
            let by_one = format!(
                "g.V().order().by(id).flatMap({rounds}.fold().limit(local, {limit}).unfold()).count()"
            );
            assert_eq!(graph.ask(&local), graph.ask(&by_one), "{local}");
        }
    }
}
