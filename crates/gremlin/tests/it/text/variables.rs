//! Variables: a script is read without their values, and bound when it runs.

use std::sync::Arc;

use millrace_bytecode::Argument;
use millrace_gremlin::text::{Expression, Language, NOW, Script, parse};
use millrace_model::{ErrorKind, TextPosition, Value};

use crate::show;

fn read(text: &str) -> Script {
    parse(text, Language::Groovy).expect("it reads")
}

/// The last statement, bound: `many` is a list, any other name is its own length.
fn bound(text: &str) -> String {
    let script = read(text);
    let statement = script.statements.last().expect("there is one");
    let mut asked = Vec::new();
    let mut value_of = |name: &str| {
        asked.push(name.to_owned());
        let length = Value::I64(name.len() as i64);
        Some(Argument::Value(match name {
            "many" => Value::list(vec![length, Value::Null]),
            _ => length,
        }))
    };
    let shown = match statement.bind(&mut value_of).expect("all have values") {
        Expression::Traversal(traversal) => show::bytecode(&traversal.bytecode),
        other => format!("{other:?}"),
    };
    format!("{shown} | {}", asked.join(" "))
}

#[test]
fn each_occurrence_is_bound_in_order() {
    assert_eq!(
        bound("g.V(a).has('k', gt(bb)).where(__.out(ccc)).property([x: a, (bb): 1])"),
        "V($a := 1L) has(\"k\", P.gt($bb := 2L)) where(<out($ccc := 3L)>) \
         property(map[\"x\": $a := 1L, $bb := 2L: 1]) | a bb ccc a bb"
    );
    assert_eq!(bound("g.V(datetime(), x)"), format!("V(${NOW} := 10L, $x := 1L) | {NOW} x"));
}

#[test]
fn a_bound_list_is_the_operand_of_within() {
    assert_eq!(bound("g.V().is(within(many))"), "V() is(P.within(4L, null)) | many");
    assert_eq!(
        bound("g.V().is(within(many, 1))"),
        "V() is(P.within($many := [4L, null], 1)) | many"
    );
    assert_eq!(bound("g.V().is(eq(many))"), "V() is(P.eq($many := [4L, null])) | many");
}

#[test]
fn a_variable_without_a_value_is_refused_before_anything_runs() {
    let script = read("x = 1\ng.V(x, y).out()\nz = y");
    assert!(script.check_variables(&|name| name == "y").is_ok());
    let error = script.check_variables(&|_| false).expect_err("y is unknown");
    assert_eq!(error.kind, ErrorKind::BadQuery);
    assert_eq!(error.position, Some(TextPosition { line: 2, column: 8 }));
    assert!(error.detail.contains("`y`"), "{error}");
    let late = read("g.V(x); x = 1").check_variables(&|_| false);
    assert!(late.is_err(), "it is assigned behind its use");
    let error = script.statements[1].bind(&mut |_| None).expect_err("x is unknown");
    assert!(error.detail.contains("`x`"), "{error}");
}

#[test]
fn a_traversal_ended_in_an_argument_runs_before() {
    let script = read("g.V(g.V(x).next()).out()");
    assert!(script.check_variables(&|name| name == "x").is_ok(), "the hidden one is assigned");
    let [first, second] = script.statements.as_slice() else { panic!("two: {script:?}") };
    assert_eq!(first.target, Some(Arc::from("#1")));
    assert_eq!(second.variables.iter().map(|variable| &*variable.name).collect::<Vec<_>>(), ["#1"]);
}

#[test]
fn where_an_instruction_stands_is_noted() {
    let script = read("\n  g.V()\n   .é('ü').out()");
    let Expression::Traversal(traversal) = &script.statements[0].expression else {
        panic!("{script:?}")
    };
    let positions = traversal.bytecode.steps.iter().map(|step| step.position.expect("it is text"));
    let positions: Vec<(u32, u32)> = positions.map(|at| (at.line, at.column)).collect();
    assert_eq!(positions, [(2, 5), (3, 5), (3, 12)]);
}
