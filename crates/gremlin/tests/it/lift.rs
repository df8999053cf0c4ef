//! What is lifted, and that texts which differ in nothing else become equal.

use std::collections::HashSet;

use millrace_gremlin::lift::lift;
use millrace_gremlin::text::{Expression, Language, parse};
use millrace_model::bytecode::{Argument, Bytecode};
use millrace_model::{Value, VertexId};
use millrace_testkit::golden;

use crate::show;

/// The last traversal of a text, its variables bound to 7, and what is lifted of it.
fn lifted(text: &str) -> (Bytecode, Vec<Value>) {
    let script = parse(text, Language::Gremlin).expect("it reads");
    let statement = script.statements.last().expect("there is one");
    let bound = statement.bind(&mut |_| Some(Argument::Value(Value::I64(7)))).expect("it is bound");
    let Expression::Traversal(traversal) = bound else { panic!("{bound:?}") };
    let mut bytecode = traversal.bytecode;
    let values = lift(&mut bytecode).into_iter().map(|own| own.value).collect();
    (bytecode, values)
}

#[test]
fn literals_are_lifted_where_the_goldens_say() {
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/lift"), |case| {
        let (bytecode, values) = lifted(&case.input);
        let values = Argument::list(values.into_iter().map(Argument::Value).collect());
        format!("{}\n{}", show::bytecode(&bytecode), show::argument(&values))
    });
}

#[test]
fn what_differs_in_literals_only_is_one_traversal() {
    let texts = [
        "g.V(1L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(22L)\n .has('name', \"vadas\").out('knows').has('age', P.between(0, 9)).limit(3)",
        "g.V(x).has('name', '').out('knows').has('age', between(-1, 1)).limit(3) // x is 7",
    ];
    let distinct: HashSet<Bytecode> = texts.iter().map(|text| lifted(text).0).collect();
    assert_eq!(distinct.len(), 1);
    for other in [
        "g.V(1L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(4)",
        "g.V(1L).has('name', 5).out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(1L).has('nick', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
        "g.V(1L).has('name', 'marko').out('likes').has('age', between(20, 30)).limit(3)",
        "g.V(1L, 2L).has('name', 'marko').out('knows').has('age', between(20, 30)).limit(3)",
    ] {
        assert!(!distinct.contains(&lifted(other).0), "{other}");
    }
}

#[test]
fn elements_are_lifted_as_what_their_ids_show_wherever_they_stand() {
    let traversal = |one, other| {
        lifted(&format!(
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
    assert_eq!(lifted("g.V().is(Vertex('bob'))").1, []);
    let of_strategy = "g.withStrategies(new SubgraphStrategy(vertices: __.is(Vertex(5)))).V()";
    assert_eq!(lifted(of_strategy).1, [Value::Vertex(VertexId(5))]);
}
