//! Functions of one double, beside those every language has.

use millrace_model::{Result, Value};

use crate::functions::arguments::{double, misplaced};
use crate::functions::{Elementary, Function};

/// The rows of this family; see `functions!`.
macro_rules! elementary_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A function of one double.
            Elementary(Elementary): [1, 1], ALL, Fails::May => numbers::elementary::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::Elementary(elementary) = function else { return Err(misplaced(function)) };
    let number = double(function, &arguments[0])?;
    Ok(Value::F64(match elementary {
        Elementary::Acos => number.acos(),
        Elementary::Asin => number.asin(),
        Elementary::Atan => number.atan(),
        Elementary::Ceil => number.ceil(),
        Elementary::Cot => 1.0 / number.tan(),
        Elementary::Coth => 1.0 / number.tanh(),
        Elementary::CubeRoot => number.cbrt(),
        Elementary::Degrees => number.to_degrees(),
        Elementary::Floor => number.floor(),
        Elementary::Haversine => (1.0 - number.cos()) / 2.0,
        Elementary::Cos => number.cos(),
        Elementary::Cosh => number.cosh(),
        Elementary::Log2 => number.log2(),
        Elementary::Log10 => number.log10(),
        Elementary::Radians => number.to_radians(),
        Elementary::Sin => number.sin(),
        Elementary::Sinh => number.sinh(),
        Elementary::Tan => number.tan(),
        Elementary::Tanh => number.tanh(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elementary_functions_take_whole_numbers_too() {
        let call = |function, value: Value| Function::Elementary(function).call(&[value]);
        assert_eq!(call(Elementary::CubeRoot, Value::I64(27)), Ok(Value::F64(3.0)));
        assert_eq!(call(Elementary::Log2, Value::F64(8.0)), Ok(Value::F64(3.0)));
        assert_eq!(call(Elementary::Log10, Value::I32(1_000)), Ok(Value::F64(3.0)));
        assert_eq!(call(Elementary::Cosh, Value::I64(0)), Ok(Value::F64(1.0)));
        assert_eq!(call(Elementary::Ceil, Value::I64(2)), Ok(Value::F64(2.0)));
        assert_eq!(call(Elementary::Floor, Value::F64(-1.5)), Ok(Value::F64(-2.0)));
        assert_eq!(call(Elementary::Cot, Value::I64(0)), Ok(Value::F64(f64::INFINITY)));
        assert_eq!(call(Elementary::Haversine, Value::I64(0)), Ok(Value::F64(0.0)));
        assert_eq!(call(Elementary::Sin, Value::F64(2.0)), Ok(Value::F64(0.9092974268256817)));
        call(Elementary::Sin, "1".into()).expect_err("no number");
    }
}
