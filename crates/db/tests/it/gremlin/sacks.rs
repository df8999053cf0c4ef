//! Sacks: collections as sacks, sacks that merge, and traversers without a sack.

use super::modern::Graph;

#[test]
fn a_collection_takes_all_of_each_entry() {
    let graph = Graph::modern();
    graph.expect(&[
        (
            "g.withSack([]).V(1).out().values('name').fold().sack(addAll).sack().unfold()",
            &["lop", "vadas", "josh"],
        ),
        (
            "g.withSack([]).V(1).sack(addAll).by(values('name', 'age').fold()).sack()",
            &["[marko, 29]"],
        ),
        (
            "g.withSack(['a']).V(1).out().sack(addAll).by(values('name').fold()).sack()",
            &["[a, lop]", "[a, vadas]", "[a, josh]"],
        ),
        ("g.withSack([:]).V(1).sack(addAll).by(project('n').by('name')).sack()", &["{n:marko}"]),
        (
            "g.withSack([] as Set).V(1).out().out().sack(addAll).by(values('lang').fold()).sack()",
            &["set[java]", "set[java]"],
        ),
    ]);
    graph.expect_errors(&[(
        "g.withSack([]).V(1).sack(addAll).by('name').sack()",
        "cannot take all",
    )]);
}

/// As TinkerPop's manual prints it: the sacks of equal traversers are merged between steps.
#[test]
fn equal_traversers_with_sacks_are_merged_between_steps() {
    let graph = Graph::modern();
    graph.expect(&[
        ("g.withSack(1.0d,sum).V(1).out('knows').in('knows').sack()", &["2.0", "2.0"]),
        ("g.withSack(1.0d,sum).V(1).out('knows').in('knows').barrier().sack()", &["2.0", "2.0"]),
        ("g.withSack(1.0d,sum).V(1).out('knows').barrier().in('knows').barrier().sack()", &["2.0", "2.0"]),
        ("g.withBulk(false).withSack(1.0d,sum).V(1).out('knows').in('knows').sack()", &["2.0"]),
        ("g.withSack(1.0d).V(1).out('knows').in('knows').sack()", &["1.0", "1.0"]),
        ("g.withSack(1,sum).V(1).out('knows').in('knows').out('knows').sack()", &["2", "2", "2", "2"]),
        ("g.withSack(1,sum).V(1).out('knows').in('knows').barrier().barrier().sack()", &["2", "2"]),
        ("g.withSack(1,sum).V(1,1).out('knows').union(in('knows'), in('knows')).barrier().sack().dedup()", &["8"]),
        ("g.withSack(1.0d,sum).V(1).out('knows').as('a').in('knows').sack()", &["1.0", "1.0"]),
        ("g.withSack(1.0d,sum).V(1).out('knows').in('knows').path().count()", &["2"]),
        ("g.withSack(1.0d,sum).V(1).out('knows').sack()", &["1.0", "1.0"]),
    ]);
}

#[test]
fn sums_and_reads_of_a_missing_sack_are_errors() {
    let graph = Graph::modern();
    graph.expect_errors(&[
        ("g.V(1).values('name').sack(sum).sack()", "withSack()"),
        ("g.V(1).values('age').sack(mult).sack()", "withSack()"),
        ("g.V(1).sack()", "withSack()"),
    ]);
    graph.expect(&[("g.V(1).values('age').sack(assign).sack()", &["29"])]);
}
