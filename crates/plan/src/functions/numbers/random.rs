//! Numbers and ids made of random numbers. A plan takes these from the stream of an operator; the functions
//! themselves always give the same for the same arguments.

use millrace_model::random::{fraction, mix};
use millrace_model::{Result, Value, uuid};

use crate::functions::Function;
use crate::functions::arguments::{double, int, misplaced};

/// The rows of this family; see `functions!`.
macro_rules! random_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Another random number from 0 to below 1, by one and a whole number: within a list, the random number
            /// of an entry by that of the row and the number of the entry.
            RandomBy: [2, 2], ALL, Fails::May => numbers::random::call;
            /// The text of a UUID of version 4 by two random numbers from 0 to below 1.
            UuidText: [2, 2], ALL, Fails::May => numbers::random::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::RandomBy => {
            let bits = bits(function, &arguments[0])?;
            let number = int(function, &arguments[1])? as u64;
            Ok(Value::F64(fraction(mix(bits ^ mix(number.wrapping_add(1))))))
        }
        Function::UuidText => {
            let [high, low] = [0, 1].map(|number| bits(function, &arguments[number]));
            let bits = u128::from(high?) << 64 | u128::from(low?);
            Ok(Value::string(&uuid::text(uuid::random(bits))))
        }
        other => Err(misplaced(other)),
    }
}

/// 64 bits of which each depends on the 53 of a number.
fn bits(function: Function, number: &Value) -> Result<u64> {
    let number = double(function, number)?;
    Ok(mix((number * (1_u64 << 53) as f64) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_entries_are_spread_and_repeatable() {
        let by = |number: f64, entry: i64| {
            let found = Function::RandomBy.call(&[number.into(), entry.into()]).expect("numbers");
            found.as_double().expect("a double")
        };
        let numbers: Vec<f64> = (0..1_000).map(|entry| by(0.25, entry)).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let below = numbers.iter().filter(|number| **number < 0.5).count();
        assert!((430..570).contains(&below), "{below}");
        assert_eq!(by(0.25, 7), numbers[7]);
        assert_ne!(by(0.5, 7), numbers[7]);
    }

    #[test]
    fn a_uuid_has_version_4_and_depends_on_both_numbers() {
        let text = |high, low| Function::UuidText.call(&[Value::F64(high), Value::F64(low)]);
        let found = text(0.25, 0.5).expect("numbers");
        let found = found.as_str().expect("a text");
        assert!(uuid::parse(found).is_some() && found.as_bytes()[14] == b'4', "{found}");
        assert_ne!(text(0.25, 0.5), text(0.25, 0.75));
        assert_ne!(text(0.25, 0.5), text(0.0, 0.5));
    }
}
