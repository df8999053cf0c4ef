//! How alike two vectors are: lists of numbers, compared in single precision as the indexes of vectors hold them.

use millrace_model::{Result, Value, parse_vector};

use crate::functions::arguments::{bad, list, misplaced};
use crate::functions::{Function, VectorMetric};

/// The rows of this family; see `functions!`.
macro_rules! vectors_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The similarity of two lists of numbers by a metric, from 0 to 1.
            Alike(VectorMetric): [2, 2], ALL, Fails::May => collections::vectors::call;
            /// A vector of a list of numbers, or of a text such as `[0.1, 2]`; null of anything else.
            ToVector: [1, 1], ALL, Fails::Not { truth: false } => collections::vectors::to_vector;
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
    }
}
