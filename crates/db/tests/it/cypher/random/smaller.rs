//! Makes queries of patterns smaller while they still fail.

use super::patterns::{Labels, Match, Node, Path, Projection, Query, Stage, Test};

/// The queries with one part less. Some have no meaning; their texts are refused.
pub(super) fn smaller(query: &Query) -> Vec<Query> {
    let mut all = Vec::new();
    for (index, stage) in query.stages.iter().enumerate() {
        let mut with = |instead: Option<Stage>| {
            let mut stages = query.stages.clone();
            stages.splice(index..=index, instead);
            all.push(Query { stages, ..query.clone() });
        };
        with(None);
        match stage {
            Stage::Match(clause) => {
                smaller_matches(clause).into_iter().for_each(|own| with(Some(Stage::Match(own))));
            }
            Stage::With(projection) => {
                let smaller = smaller_projections(projection);
                smaller.into_iter().for_each(|own| with(Some(Stage::With(own))));
            }
        }
    }
    let results = smaller_projections(&query.result).into_iter();
    all.extend(results.map(|result| Query { result, ..query.clone() }));
    all
}

fn smaller_matches(clause: &Match) -> Vec<Match> {
    let mut all = Vec::new();
    if clause.optional {
        all.push(Match { optional: false, ..clause.clone() });
    }
    for index in 0..clause.paths.len() {
        if 1 < clause.paths.len() {
            all.push(without(clause, |own| drop(own.paths.remove(index))));
        }
        for path in smaller_paths(&clause.paths[index]) {
            all.push(without(clause, |own| own.paths[index] = path));
        }
    }
    let tests = smaller_tests(&clause.tests).into_iter();
    all.extend(tests.map(|tests| Match { tests, ..clause.clone() }));
    all
}

fn without<T: Clone>(whole: &T, change: impl FnOnce(&mut T)) -> T {
    let mut smaller = whole.clone();
    change(&mut smaller);
    smaller
}

fn smaller_paths(path: &Path) -> Vec<Path> {
    let mut all = Vec::new();
    if !path.hops.is_empty() {
        all.push(without(path, |own| drop(own.hops.pop())));
        all.push(without(path, |own| own.start = own.hops.remove(0).1));
    }
    for node in smaller_nodes(&path.start) {
        all.push(without(path, |own| own.start = node));
    }
    for (index, (hop, node)) in path.hops.iter().enumerate() {
        for node in smaller_nodes(node) {
            all.push(without(path, |own| own.hops[index].1 = node));
        }
        if hop.variable.is_some() {
            all.push(without(path, |own| own.hops[index].0.variable = None));
        }
        if hop.lengths.is_some() {
            all.push(without(path, |own| own.hops[index].0.lengths = None));
        }
        if !hop.types.is_empty() {
            all.push(without(path, |own| own.hops[index].0.types.clear()));
        }
    }
    all
}

fn smaller_nodes(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    if node.variable.is_some() {
        all.push(Node { variable: None, ..node.clone() });
    }
    if node.labels != Labels::Any {
        all.push(Node { labels: Labels::Any, ..node.clone() });
    }
    if node.n.is_some() {
        all.push(Node { n: None, ..node.clone() });
    }
    all
}

fn smaller_tests(tests: &[Test]) -> Vec<Vec<Test>> {
    let mut all = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        all.push(without(&tests.to_vec(), |own| drop(own.remove(index))));
        for test in simpler(test) {
            all.push(without(&tests.to_vec(), |own| own[index] = test));
        }
    }
    all
}

fn simpler(test: &Test) -> Vec<Test> {
    match test {
        Test::Not(inner) => {
            let inside = simpler(inner).into_iter().map(|own| Test::Not(Box::new(own)));
            [(**inner).clone()].into_iter().chain(inside).collect()
        }
        Test::Either(one, other) | Test::Both(one, other) => {
            vec![(**one).clone(), (**other).clone()]
        }
        Test::Exists(inner) => smaller_matches(inner).into_iter().map(Test::Exists).collect(),
        Test::HasPath(path) => smaller_paths(path).into_iter().map(Test::HasPath).collect(),
        Test::CountIs(inner, comparison, number) => {
            let inside = smaller_matches(inner).into_iter();
            inside.map(|own| Test::CountIs(own, *comparison, *number)).collect()
        }
        Test::Same(..)
        | Test::Differ(..)
        | Test::HasLabels(..)
        | Test::Compare(..)
        | Test::CompareBoth(..)
        | Test::IsMissing(_)
        | Test::NumberIs(..) => Vec::new(),
    }
}

/// Columns stay where they are ordered by: what is fixed of the result does not change.
fn smaller_projections(projection: &Projection) -> Vec<Projection> {
    let mut all = Vec::new();
    if projection.order.is_empty() && 1 < projection.items.len() {
        for index in 0..projection.items.len() {
            all.push(without(projection, |own| drop(own.items.remove(index))));
        }
    }
    if projection.distinct {
        all.push(Projection { distinct: false, ..projection.clone() });
    }
    if projection.skip.is_some() || projection.limit.is_some() {
        all.push(Projection { skip: None, limit: None, ..projection.clone() });
    } else if !projection.order.is_empty() {
        all.push(Projection { order: Vec::new(), ..projection.clone() });
    }
    let tests = smaller_tests(&projection.tests).into_iter();
    all.extend(tests.map(|tests| Projection { tests, ..projection.clone() }));
    all
}
