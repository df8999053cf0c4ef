//! Plans of traversals, where it matters which operator a step becomes; and options beside them.

use millrace_bytecode::Bytecode;
use millrace_gremlin::text::{Expression, Language, parse};
use millrace_gremlin::translate::options;
use millrace_gremlin::{STEPS, Step, Translation, translate};
use millrace_model::{ErrorKind, Result, Value};

pub(super) fn bytecode(text: &str) -> Bytecode {
    let script = parse(text, Language::Gremlin).expect("a script");
    let bound = script.statements[0].bind(&mut |_| None).expect("no variables");
    match bound {
        Expression::Traversal(traversal) => traversal.bytecode,
        other => panic!("{other:?} is no traversal"),
    }
}

fn translated(text: &str) -> Result<Translation> {
    translate(&bytecode(text))
}

fn plan(text: &str) -> String {
    translated(text).expect("a traversal that is done here").plan.to_string()
}

#[test]
fn merges_go_at_once_where_maps_allow_it() {
    for text in [
        "g.mergeV([(T.label): 'P', name: 'a'])",
        "g.inject(1).mergeV([(T.label): 'P', name: 'a']).option(Merge.onMatch, [age: 1])",
        "g.mergeE([(T.label): 'e', (Direction.OUT): 1, (Direction.IN): 2, w: 1])",
    ] {
        let plan = plan(text);
        assert!(plan.contains("Merge ") && !plan.contains("Create "), "{text}:\n{plan}");
    }
    // By maps of rows it depends on the rows: both ways are there.
    for text in [
        "g.inject([name: 'a']).mergeV()",
        "g.inject([name: 'a']).as('m').mergeV(__.select('m')).option(Merge.onMatch, __.select('m'))",
        "g.inject([w: 1]).mergeE()",
    ] {
        let plan = plan(text);
        assert!(plan.contains("Merge ") && plan.contains("Create "), "{text}:\n{plan}");
    }
    // A traversal that reads the element that was found runs after the look-up.
    for text in [
        "g.mergeV([(T.label): 'P', name: 'a']).option(Merge.onMatch, __.project('b').by('c'))",
        "g.mergeV([name: 'a'])",
        "g.mergeE([(Direction.OUT): 1, (Direction.IN): 2])",
    ] {
        let plan = plan(text);
        assert!(!plan.contains("Merge ") && plan.contains("Create "), "{text}:\n{plan}");
    }
}

#[test]
fn labels_that_differ_by_row_are_expressions_of_the_new_element() {
    let plan = plan("g.inject('A').addV(__.identity()).property('n', 1)");
    assert!(plan.contains("Create ") && plan.contains("(:("), "{plan}");
}

#[test]
fn sources_say_how_a_plan_runs() {
    assert!(plan("g.withBulk(false).V()").starts_with("Merging off"));
    assert!(
        plan("g.withStrategies(new SeedStrategy(seed: 5)).V().coin(0.5)").starts_with("Seed 5")
    );
}

#[test]
fn options_are_named_and_change_no_plan() {
    let texts = [
        "g.with('evaluationTimeout', 500).with('x').V()",
        "g.withStrategies(new OptionsStrategy(evaluationTimeout: 500, x: true)).V()",
    ];
    for text in texts {
        let found = options(&bytecode(text)).expect("options that are values");
        let wanted = [("evaluationTimeout", Value::I32(500)), ("x", Value::Bool(true))];
        let wanted = wanted.map(|(name, value)| (std::sync::Arc::from(name), value));
        assert_eq!(found, wanted, "{text}");
        assert_eq!(plan(text), plan("g.V()"));
    }
}

#[test]
fn unsupported_calls_are_refused_by_name() {
    for (text, name) in [
        ("g.withStrategies(VertexProgramStrategy).V()", "VertexProgramStrategy"),
        ("g.withStrategies(ElementIdStrategy).addV()", "addV()"),
        ("g.withStrategies(ElementIdStrategy).mergeV([name: 'a'])", "mergeV()"),
        ("g.V().repeat(local(inject(1))).times(1)", "inject()"),
    ] {
        let error = translated(text).expect_err(text);
        assert_eq!(error.kind, ErrorKind::Unsupported, "{text}: {error}");
        assert!(error.detail.contains(name), "{text}: {error}");
    }
}

#[test]
fn a_modulator_behind_a_step_that_takes_none_names_the_step() {
    for (text, detail) in [
        ("g.V().path().limit(1).by('name')", "by() does not modulate limit()"),
        ("g.V().out().option('a', __.in())", "option() does not modulate out()"),
        ("g.V().where(__.by('name'))", "by() follows no step"),
        (
            "g.V().group().by('name').as('a').by('age').count().by('x')",
            "by() does not modulate count()",
        ),
    ] {
        let error = translated(text).expect_err(text);
        assert_eq!((error.kind, &*error.detail), (ErrorKind::BadQuery, detail), "{text}");
        assert!(error.position.is_some(), "{text}: {error:?}");
    }
}

/// A recommendation written with `not(within(…))` took nine seconds where `without` took thirty milliseconds: a
/// list was scanned for each object.
#[test]
fn collections_are_looked_up_and_not_scanned_however_the_predicate_is_joined() {
    for test in [
        "without('own')",
        "P.not(P.within('own'))",
        "P.not(P.without('own'))",
        "P.within('own').and(P.without('own'))",
        "P.within('own').or(P.not(P.within('own')))",
    ] {
        let plan = plan(&format!("g.V(1).out().aggregate('own').in().where({test})"));
        assert!(plan.contains("in SideEffect own") && !plan.contains("unfold("), "{test}:\n{plan}");
    }
}

#[test]
fn a_step_passes_over_no_argument() {
    let mut passed_over = Vec::new();
    for Step { name, arguments, .. } in STEPS {
        // Of any number of values, others than the step's find nothing, or fail when they run.
        let takes_any = arguments.is_some_and(|(_, most)| most == usize::MAX);
        for arguments in ["7, 7, 7, 7, 7, 7, 7", "Scope.local, 7, 7, 7, 7, 7, 7, 7"] {
            let text = format!("g.inject(1).{name}({arguments})");
            if !takes_any && translated(&text).is_ok() {
                passed_over.push(text);
            }
        }
    }
    for name in ["count", "max", "mean", "min", "order", "path", "simplePath", "sum", "toUpper"] {
        let text = format!("g.inject(1).{name}(7)");
        passed_over.extend(translated(&text).is_ok().then_some(text));
    }
    assert_eq!(passed_over, Vec::<String>::new());
}

#[test]
fn a_range_that_ends_before_it_begins_is_refused() {
    for step in ["limit(-5)", "limit(local, -2)", "range(5, 2)", "range(local, 3, -2)"] {
        let error = translated(&format!("g.V().fold().{step}")).expect_err("it is no range");
        assert!(error.detail.contains("Not a legal range"), "{step}: {error}");
    }
    for step in ["limit(-1)", "limit(0)", "range(2, -1)", "range(2, 2)", "skip(3)"] {
        assert!(translated(&format!("g.V().{step}")).is_ok(), "{step}");
    }
}
