//! Functions of one double, beside those every language has.

use millrace_model::{Result, Value};

use super::arguments::double;
use super::{Elementary, Function};

pub(super) fn call(function: Elementary, value: &Value) -> Result<Value> {
    let number = double(Function::Elementary(function), value)?;
    Ok(Value::F64(match function {
        Elementary::Acos => number.acos(),
        Elementary::Asin => number.asin(),
        Elementary::Atan => number.atan(),
        Elementary::CubeRoot => number.cbrt(),
        Elementary::Cos => number.cos(),
        Elementary::Cosh => number.cosh(),
        Elementary::Log2 => number.log2(),
        Elementary::Log10 => number.log10(),
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
        assert_eq!(call(Elementary::Sin, Value::F64(2.0)), Ok(Value::F64(0.9092974268256817)));
        call(Elementary::Sin, "1".into()).expect_err("no number");
    }
}
