//! Which literals become parameter slots, and that texts which differ in nothing else become equal.

use std::collections::HashSet;

use millrace_bytecode::{Argument, Bytecode};
use millrace_gremlin::parameterize::parameterize;
use millrace_gremlin::text::{Expression, Language, parse};
use millrace_model::{Value, VertexId};
use millrace_testkit::golden;

use crate::show;

/// The last traversal of a text, its variables bound to 7, and the values of its parameter slots.
fn parameterized(text: &str) -> (Bytecode, Vec<Value>) {
    let script = parse(text, Language::Gremlin).expect("it reads");
    let statement = script.statements.last().expect("there is one");
    let bound = statement.bind(&mut |_| Some(Argument::Value(Value::I64(7)))).expect("it is bound");
    let Expression::Traversal(traversal) = bound else { panic!("{bound:?}") };
    let mut bytecode = traversal.bytecode;
    let values = parameterize(&mut bytecode).into_iter().map(|own| own.value).collect();
    (bytecode, values)
}

#[test]
fn literals_are_parameterized_where_the_goldens_say() {
    golden::check_folder(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/parameterize"),
        |case| {
            let (bytecode, values) = parameterized(&case.input);
            let values = Argument::list(values.into_iter().map(Argument::Value).collect());
            format!("{}\n{}", show::bytecode(&bytecode), show::argument(&values))
        },
    );
}

#[test]
fn traversals_that_differ_in_literals_only_are_one() {
    let texts = [
        "g.V(1L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(22L)\n .has('name', \"vadas\").out('knows').has('age', P.between(0, 9)).limit(3)",
        "g.V(x).has('name', '').out('knows').has('age', between(-1, 1)).limit(3) // x is 7",
    ];
    let distinct: HashSet<Bytecode> = texts.iter().map(|text| parameterized(text).0).collect();
    assert_eq!(distinct.len(), 1);
    for other in [
        "g.V(1L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(4)",
        "g.V(1L).has('name', 5).out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(1L).has('nick', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(1L).has('name', 'marko').out('likes').has('age', between(20, 30)).limit(3)",
        "g.V(1L, 2L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
    ] {
        assert!(!distinct.contains(&parameterized(other).0), "{other}");
    }
}

#[test]
fn elements_are_parameterized_by_their_external_ids_wherever_they_stand() {
    let traversal = |one, other| {
        parameterized(&format!(
            "g.withSack(Vertex({one})).withSideEffect('x', [Vertex({other})]).V(Vertex({one})).until(__.is({other}))\
             .repeat(__.out().is(within(Vertex({other}), 1.5))).mergeE([(Direction.OUT): Vertex('{one}')])"
        ))
    };
    let ((bytecode, values), (other, _)) = (traversal(1, 2), traversal(30, 40));
    assert_eq!(bytecode, other, "they differ in ids only");
    let shown: Vec<u64> = values
        .iter()
        .filter_map(|value| match value {
            Value::Vertex(vertex) => Some(vertex.0),
            _ => None,
        })
        .collect();
    assert_eq!(shown, [1, 2, 1, 2, 1]);
    // An id that is a text needs a look-up in the graph.
    assert_eq!(parameterized("g.V().is(Vertex('bob'))").1, []);
    let of_strategy = "g.withStrategies(new SubgraphStrategy(vertices: __.is(Vertex(5)))).V()";
    assert_eq!(parameterized(of_strategy).1, [Value::Vertex(VertexId(5))]);
}
