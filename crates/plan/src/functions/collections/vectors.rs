//! How alike two vectors are: lists of numbers, compared in single precision as the indexes of vectors hold them.

use std::sync::Arc;

use millrace_model::{Result, Value, parse_vector};

use crate::functions::arguments::{bad, list, misplaced};
use crate::functions::{Function, VectorMetric, VectorOperation};

/// The rows of this family; see `functions!`.
macro_rules! vectors_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The similarity of two lists of numbers by a metric, from 0 to 1.
            Alike(VectorMetric): [2, 2], ALL, Fails::May => collections::vectors::call;
            /// A vector of a list of numbers, or of a text such as `[0.1, 2]`; null of anything else.
            ToVector: [1, 1], ALL, Fails::Not { truth: false } => collections::vectors::to_vector;
            /// The numbers of a vector as a text such as `[0.1,2]`; null of anything else.
            VectorText: [1, 1], ALL, Fails::Not { truth: false } => collections::vectors::text;
            /// What is computed of vectors, in single precision; null of what is none, of vectors of two lengths, and where
            /// a number is not finite.
            OfVectors(VectorOperation): [2, 2], ALL, Fails::Not { truth: false } => collections::vectors::compute;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Function::Alike(metric), [one, other]) = (function, arguments) else {
        return Err(misplaced(function));
    };
    let (one, other) = (vector(function, one, "first")?, vector(function, other, "second")?);
    let alike = match metric {
        VectorMetric::Cosine => {
            let (one, other) = (normalized(&one, "first")?, normalized(&other, "second")?);
            same_dimension(&one, &other)?;
            let cosine = one.iter().zip(&other).fold(0.0_f32, |sum, (a, b)| a.mul_add(*b, sum));
            f32::midpoint(1.0, cosine).clamp(0.0, 1.0)
        }
        VectorMetric::Euclidean => {
            same_dimension(&one, &other)?;
            let square = one.iter().zip(&other).fold(0.0_f32, |sum, (a, b)| {
                let difference = a - b;
                difference.mul_add(difference, sum)
            });
            1.0 / (1.0 + square)
        }
    };
    Ok(Value::F64(f64::from(alike)))
}

pub(in crate::functions) fn to_vector(function: Function, arguments: &[Value]) -> Result<Value> {
    let [value] = arguments else { return Err(misplaced(function)) };
    let numbers = match value {
        Value::String(text) => parse_vector(text),
        other => other.as_vector(),
    };
    Ok(numbers.map_or(Value::Null, Value::Vector))
}

pub(in crate::functions) fn text(function: Function, arguments: &[Value]) -> Result<Value> {
    let [value] = arguments else { return Err(misplaced(function)) };
    let Some(numbers) = value.as_vector() else { return Ok(Value::Null) };
    let mut text = String::from("[");
    for (at, number) in numbers.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "," });
        text.push_str(&number.to_string());
    }
    text.push(']');
    Ok(Value::from(text.as_str()))
}

pub(in crate::functions) fn compute(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Function::OfVectors(operation), [one, other]) = (function, arguments) else {
        return Err(misplaced(function));
    };
    let (left, right) = (one.as_vector(), other.as_vector());
    let computed = match (operation, left, right) {
        (VectorOperation::Dot, Some(one), Some(other)) => return Ok(dot(&one, &other)),
        (VectorOperation::Add, Some(one), Some(other)) => by_pairs(&one, &other, |a, b| a + b),
        (VectorOperation::Subtract, Some(one), Some(other)) => by_pairs(&one, &other, |a, b| a - b),
        (VectorOperation::Multiply, Some(vector), None) => by_number(&vector, other, |a, b| a * b),
        (VectorOperation::Multiply, None, Some(vector)) => by_number(&vector, one, |a, b| a * b),
        (VectorOperation::Divide, Some(vector), None) => by_number(&vector, other, |a, b| a / b),
        _ => None,
    };
    Ok(computed.map_or(Value::Null, Value::Vector))
}

fn dot(one: &[f32], other: &[f32]) -> Value {
    if one.len() != other.len() {
        return Value::Null;
    }
    let pairs = one.iter().zip(other);
    Value::F64(pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum())
}

fn by_pairs(one: &[f32], other: &[f32], of: impl Fn(f32, f32) -> f32) -> Option<Arc<[f32]>> {
    let pairs = (one.len() == other.len()).then(|| one.iter().zip(other))?;
    finite(pairs.map(|(a, b)| of(*a, *b)))
}

fn by_number(vector: &[f32], number: &Value, of: impl Fn(f32, f32) -> f32) -> Option<Arc<[f32]>> {
    let number = number.as_double()? as f32;
    // A number beyond single precision is none here, also where a division by it would be 0.
    number.is_finite().then_some(())?;
    finite(vector.iter().map(|own| of(*own, number)))
}

fn finite(numbers: impl Iterator<Item = f32>) -> Option<Arc<[f32]>> {
    numbers.map(|number| number.is_finite().then_some(number)).collect()
}

/// Numbers that single precision holds, one at least.
fn vector(function: Function, value: &Value, which: &str) -> Result<Vec<f32>> {
    let number = |entry: &Value| {
        let single = entry.as_double().map(|double| double as f32);
        single.filter(|single| single.is_finite())
    };
    let numbers: Option<Vec<f32>> = list(function, value)?.iter().map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty()).ok_or_else(|| no_vector(which))
}

/// The vector of length 1 that points the same way; there is none of a vector of zeros.
fn normalized(vector: &[f32], which: &str) -> Result<Vec<f32>> {
    let square: f64 = vector.iter().map(|own| f64::from(*own) * f64::from(*own)).sum();
    if square == 0.0 {
        return Err(no_vector(which));
    }
    let length = square.sqrt();
    Ok(vector.iter().map(|own| (f64::from(*own) / length) as f32).collect())
}

fn no_vector(which: &str) -> millrace_model::Error {
    let detail = format!("the {which} argument is not a valid vector for this similarity");
    bad(detail).with_name("ArgumentError")
}

fn same_dimension(one: &[f32], other: &[f32]) -> Result<()> {
    if one.len() == other.len() {
        return Ok(());
    }
    let detail = "the supplied vectors do not have the same number of dimensions";
    Err(bad(detail).with_name("ArgumentError"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(metric: VectorMetric, one: &[f64], other: &[f64]) -> Result<Value> {
        let list = |own: &[f64]| Value::list(own.iter().copied().map(Value::F64).collect());
        Function::Alike(metric).call(&[list(one), list(other)])
    }

    #[test]
    fn similarities_are_those_of_neo4j() {
        let cosine = |one: &[f64], other: &[f64]| alike(VectorMetric::Cosine, one, other);
        let euclidean = |one: &[f64], other: &[f64]| alike(VectorMetric::Euclidean, one, other);
        assert_eq!(cosine(&[1.0, 0.0], &[1.0, 1.0]), Ok(Value::F64(0.853_553_414_344_787_6)));
        assert_eq!(cosine(&[0.1, 0.2, 0.3], &[-0.1, -0.2, -0.3]), Ok(Value::F64(0.0)));
        assert_eq!(cosine(&[1e30, 1.0], &[1.0, 1.0]), Ok(Value::F64(0.853_553_414_344_787_6)));
        assert_eq!(euclidean(&[0.1], &[0.7]), Ok(Value::F64(0.735_294_163_227_081_3)));
        assert_eq!(euclidean(&[0.0], &[0.0]), Ok(Value::F64(1.0)));
        assert_eq!(euclidean(&[1e30, 1.0], &[1.0, 1.0]), Ok(Value::F64(0.0)));
        let null = Function::Alike(VectorMetric::Cosine).call(&[Value::Null, Value::Null]);
        assert_eq!(null, Ok(Value::Null));
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        for (one, other) in [(&[][..], &[][..]), (&[1e300], &[1.0]), (&[1.0, 2.0], &[1.0])] {
            for metric in [VectorMetric::Cosine, VectorMetric::Euclidean] {
                let error = alike(metric, one, other).expect_err("no vector");
                assert_eq!(error.name, Some("ArgumentError"));
            }
        }
        alike(VectorMetric::Cosine, &[0.0, 0.0], &[1.0, 1.0]).expect_err("it points nowhere");
        alike(VectorMetric::Euclidean, &[0.0, 0.0], &[1.0, 1.0]).expect("a point like others");
    }

    #[test]
    fn a_list_of_numbers_and_a_text_of_them_are_vectors() {
        let of = |value: Value| Function::ToVector.call(&[value]).expect("it never fails");
        let vector = Value::vector(&[0.1, 2.0]);
        let list = Value::list(vec![Value::F64(f64::from(0.1_f32)), Value::I64(2)]);
        for value in [list, Value::from("[0.1, 2]"), vector.clone()] {
            let found = of(value);
            assert!(matches!(found, Value::Vector(_)) && found == vector, "{found:?}");
        }
        for value in [Value::from("x"), Value::I64(1), Value::list(vec![Value::from("1")])] {
            assert!(of(value).is_null());
        }
        let text = |value: Value| Function::VectorText.call(&[value]).expect("it never fails");
        assert_eq!(text(Value::vector(&[0.1, -2.0])), Value::from("[0.1,-2]"));
        assert!(text(Value::I64(1)).is_null());
    }

    #[test]
    fn vectors_are_added_and_multiplied_and_what_cannot_be_is_null() {
        use VectorOperation::{Add, Divide, Dot, Multiply, Subtract};
        let of = |operation, one: &Value, other: &Value| {
            Function::OfVectors(operation).call(&[one.clone(), other.clone()]).expect("never fails")
        };
        let (one, other) = (Value::vector(&[1.0, 2.0]), Value::vector(&[0.5, -1.0]));
        assert_eq!(of(Add, &one, &other), Value::vector(&[1.5, 1.0]));
        assert_eq!(of(Subtract, &one, &other), Value::vector(&[0.5, 3.0]));
        assert_eq!(of(Dot, &one, &other), Value::F64(-1.5));
        let (two, huge, none) = (Value::I64(2), Value::F64(1e39), Value::F64(0.0));
        assert_eq!(of(Multiply, &one, &two), Value::vector(&[2.0, 4.0]));
        assert_eq!(of(Multiply, &two, &one), Value::vector(&[2.0, 4.0]));
        assert_eq!(of(Divide, &one, &two), Value::vector(&[0.5, 1.0]));
        let long = Value::vector(&[1.0, 2.0, 3.0]);
        for (operation, one, other) in [
            (Add, &one, &long),
            (Dot, &one, &long),
            (Add, &one, &two),
            (Add, &two, &two),
            (Dot, &one, &two),
            (Multiply, &one, &other),
            (Divide, &two, &one),
            (Divide, &one, &none),
            (Divide, &one, &huge),
            (Multiply, &one, &huge),
            (Add, &Value::from("x"), &one),
        ] {
            assert!(of(operation, one, other).is_null(), "{operation:?} {one:?} {other:?}");
        }
    }
}
