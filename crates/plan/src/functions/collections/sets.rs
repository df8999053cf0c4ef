//! Functions on the entries of two lists: sets by identity, pairs, and entries with their places.

use std::collections::HashSet;

use millrace_model::{Result, Value};

use crate::functions::arguments::{bounded_list, check_entries, list, misplaced};
use crate::functions::{Function, Pairing, SetOperation};

/// The rows of this family; see `functions!`.
macro_rules! sets_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The set that an operation makes of two lists.
            SetOf(SetOperation): [2, 2], ALL, Fails::May => collections::sets::call;
            /// Each entry of a list with each of another, as lists of two.
            Product: [2, 2], ALL, Fails::May => collections::sets::call;
            /// Each entry of a list with its place, from 0 and in 32 bits, as lists of two.
            Enumerate(Pairing): [1, 1], ALL, Fails::May => collections::sets::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let own = list(function, &arguments[0])?;
    match function {
        Function::SetOf(operation) => set_of(operation, own, list(function, &arguments[1])?),
        Function::Product => {
            let others = list(function, &arguments[1])?;
            check_entries(own.len().saturating_mul(others.len()))?;
            let pair = |left: &Value, right: &Value| Value::list(vec![left.clone(), right.clone()]);
            let pairs =
                own.iter().flat_map(|left| others.iter().map(move |right| pair(left, right)));
            bounded_list(pairs)
        }
        Function::Enumerate(pairing) => {
            let places = own.iter().zip(0i32..);
            let pairs = places.map(|(entry, place)| match pairing {
                Pairing::EntryFirst => vec![entry.clone(), Value::I32(place)],
                Pairing::PlaceFirst => vec![Value::I32(place), entry.clone()],
            });
            bounded_list(pairs.map(Value::list))
        }
        other => Err(misplaced(other)),
    }
}

/// In the order of their first appearance, those of the first list first.
fn set_of(operation: SetOperation, own: &[Value], others: &[Value]) -> Result<Value> {
    let [left, right]: [HashSet<&Value>; 2] = [own, others].map(|list| list.iter().collect());
    let is_in = |value: &Value| match operation {
        SetOperation::Union => true,
        SetOperation::Intersection => left.contains(value) && right.contains(value),
        SetOperation::Difference => !right.contains(value),
        SetOperation::SymmetricDifference => left.contains(value) != right.contains(value),
    };
    let others = if operation == SetOperation::Difference { &[] } else { others };
    let mut seen = HashSet::new();
    let all = own.iter().chain(others);
    let kept = bounded_list(all.filter(|value| is_in(value) && seen.insert(*value)).cloned())?;
    Ok(if let Value::List(kept) = kept { Value::Set(kept) } else { kept })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn ints(ints: &[i64]) -> Vec<Value> {
        ints.iter().copied().map(Value::I64).collect()
    }

    #[test]
    fn sets_keep_the_order_of_first_appearance() {
        let of = |operation| {
            let lists = [&[1, 2, 2, 3][..], &[3, 4, 1, 4]].map(|list| Value::list(ints(list)));
            Function::SetOf(operation).call(&lists).expect("lists")
        };
        let set = |values: &[i64]| Value::Set(Arc::from(ints(values)));
        assert_eq!(of(SetOperation::Union), set(&[1, 2, 3, 4]));
        assert_eq!(of(SetOperation::Intersection), set(&[1, 3]));
        assert_eq!(of(SetOperation::Difference), set(&[2]));
        assert_eq!(of(SetOperation::SymmetricDifference), set(&[2, 4]));
    }

    #[test]
    fn null_and_numbers_of_other_widths_are_entries_by_identity() {
        let lists = [vec![Value::Null, Value::I64(1)], vec![Value::Null, Value::I32(1)]];
        let made = Function::SetOf(SetOperation::Difference).call(&lists.map(Value::list));
        assert_eq!(made, Ok(Value::Set(Arc::from(ints(&[1])))));
    }

    #[test]
    fn a_product_has_all_pairs_within_a_limit() {
        let lists = [ints(&[1, 2]), ints(&[3, 4])].map(Value::list);
        let pairs = [[1, 3], [1, 4], [2, 3], [2, 4]].map(|pair| Value::list(ints(&pair)));
        assert_eq!(Function::Product.call(&lists), Ok(Value::list(pairs.to_vec())));
        let long = Value::list(vec![Value::Null; 2_000]);
        Function::Product.call(&[long.clone(), long]).expect_err("too many pairs");
    }

    #[test]
    fn entries_are_paired_with_their_places() {
        let list = Value::list(vec!["a".into(), "b".into()]);
        let found = Function::Enumerate(Pairing::EntryFirst).call(std::slice::from_ref(&list));
        let pair = |text: &str, place| Value::list(vec![text.into(), Value::I32(place)]);
        assert_eq!(found, Ok(Value::list(vec![pair("a", 0), pair("b", 1)])));
        let found = Function::Enumerate(Pairing::PlaceFirst).call(&[list]).expect("a list");
        let map = Function::MapOfPairs.call(&[found]).expect("pairs");
        assert_eq!(Function::Get.call(&[map, Value::I32(1)]), Ok("b".into()));
    }
}
