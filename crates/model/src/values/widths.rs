//! Widths of numbers, by which the width of a sum is chosen.

use super::value::Value;

impl Value {
    /// The bytes of a number: 1, 2, 4 or 8; `None` of anything else, decimals too.
    pub fn number_width(&self) -> Option<u8> {
        match self {
            Value::I8(_) => Some(1),
            Value::I16(_) => Some(2),
            Value::I32(_) | Value::F32(_) => Some(4),
            Value::I64(_) | Value::F64(_) => Some(8),
            _ => None,
        }
    }

    /// A whole number of a width in bytes, or of the next that it fits.
    pub fn integer_of_width(int: i128, width: u8) -> Option<Value> {
        let fit = [
            (1, i8::try_from(int).ok().map(Value::I8)),
            (2, i16::try_from(int).ok().map(Value::I16)),
            (4, i32::try_from(int).ok().map(Value::I32)),
            (8, i64::try_from(int).ok().map(Value::I64)),
        ];
        fit.into_iter().filter(|(own, _)| width <= *own).find_map(|(_, value)| value)
    }

    /// A floating number of a width in bytes.
    pub fn float_of_width(double: f64, width: u8) -> Value {
        if width < 8 { Value::F32(double as f32) } else { Value::F64(double) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_as_wide_as_asked_or_as_it_must_be() {
        assert_eq!(Value::integer_of_width(6, 1), Some(Value::I8(6)));
        assert_eq!(Value::integer_of_width(128, 1), Some(Value::I16(128)));
        assert_eq!(Value::integer_of_width(1, 8), Some(Value::I64(1)));
        assert_eq!(Value::integer_of_width(i128::from(i64::MAX) + 1, 1), None);
    }
}
