//! Loops that stay cheap: side effects in them, and a limit behind them.

use std::time::{Duration, Instant};

use super::modern::Graph;

/// Far more than a loop takes whose rows merge or which ends early, and far less than one that does not.
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
fn what_is_collected_in_a_loop_is_as_often_there_as_it_came() {
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
