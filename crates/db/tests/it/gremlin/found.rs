//! Defects that random traversals found, each fixed since.

use millrace_model::Value;

use super::written::{ask, last};

fn number(number: i32) -> Value {
    Value::I32(number)
}

/// Symptom: a column that is not there, named by an error of the plan. Shape: one object of many, where
/// rounds go on. TinkerPop refuses it too.
#[test]
fn a_round_that_makes_one_object_of_many_is_refused() {
    for body in ["count()", "fold().unfold()", "union(count(), identity())"] {
        let text = format!("g.inject(1, 2).repeat(__.{body}).emit().times(2)");
        let error = ask(&[&text]).remove(0).expect_err(&text);
        assert!(error.contains("reducing barrier can not be repeat()-step"), "{text}: {error}");
    }
    // In a scope of its own it is one of many for each object.
    let numbers = last(&["g.inject(5, 7).repeat(__.local(__.count())).times(2)"]);
    assert_eq!(numbers, [Value::I64(1), Value::I64(1)]);
}

/// Symptom: the same, or no row. Shape: a second `by` of `group` that ends where it began.
#[test]
fn the_first_object_of_a_group_is_there_behind_it() {
    let groups = Value::map(vec![(number(1), number(1)), (number(2), number(2))]);
    for text in [
        "g.inject(1, 2, 1).group().by(__.identity()).by(__.identity())",
        "g.inject(1, 2, 1).group('x').by(__.identity()).by(__.identity()).cap('x')",
        "g.inject(1, 2, 1).as('a').group().by(__.identity()).by(__.select('a'))",
    ] {
        assert_eq!(last(&[text]), std::slice::from_ref(&groups), "{text}");
    }
}

/// Symptom: a column that is not there. Shape: sacks are merged while traversers are at their sacks.
#[test]
fn sacks_are_merged_of_traversers_that_are_at_them() {
    let numbers = "g.withSack(3, Operator.mult).inject(1, 2).sack().barrier()";
    assert_eq!(last(&[numbers]), [number(3), number(3)]);
    assert_eq!(last(&[&format!("{numbers}.sack()")]), [number(9), number(9)]);
}

/// Symptom: another order of a collection. Shape: one traversal inside collects twice under a name;
/// the two values of an object are adjacent.
#[test]
fn two_values_collected_for_one_object_are_adjacent() {
    let text =
        "g.inject(1, 2).sideEffect(__.aggregate('x').math('_ + 10').aggregate('x')).cap('x')";
    let wanted = [number(1), Value::F64(11.0), number(2), Value::F64(12.0)];
    assert_eq!(last(&[text]), [Value::list(wanted.to_vec())]);
}

#[test]
fn more_ways_than_64_bits_count_are_counted() {
    let edges: String = (0..32).map(|_| ".addE('e').from('a').to('a')").collect();
    let make = format!("g.addV('p').as('a'){edges}.count()");
    let decimal = |digits: i128| {
        Value::Decimal(std::sync::Arc::new(millrace_model::Decimal { unscaled: digits, scale: 0 }))
    };
    let count = |times: u32| format!("g.V().repeat(out()).times({times}).count()");
    assert_eq!(last(&[&make, &count(12)]), [Value::I64(1 << 60)]);
    assert_eq!(last(&[&make, &count(13)]), [decimal(1 << 65)]);
}
