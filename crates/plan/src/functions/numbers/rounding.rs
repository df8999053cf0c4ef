//! Numbers rounded to decimal places as people read them, by a mode that a query names.
//!
//! The digits are the shortest that read back as the double, so 1.15 has two places and rounds to 1.2; its
//! exact value lies below 1.15.

use std::cmp::Ordering;

use millrace_model::{Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{bad, double, int, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! rounding_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A number as a double rounded to so many decimal places (none: 0), by the mode of a name: `UP`, `DOWN`,
            /// `CEILING`, `FLOOR`, `HALF_UP`, `HALF_DOWN`, `HALF_EVEN`, `UNNECESSARY`. Without a mode a half goes away
            /// from zero, and to 0 places towards the greater.
            RoundTo: [1, 3], ALL, Fails::May => numbers::rounding::call;
        }
    };
}

/// Decimal places beyond which a double has none.
const DECIMALS_MAX: i64 = 1_100;

#[derive(Clone, Copy)]
enum Mode {
    Up,
    Down,
    Ceiling,
    Floor,
    HalfUp,
    HalfDown,
    HalfEven,
    Unnecessary,
}

const MODES: [(&str, Mode); 8] = [
    ("CEILING", Mode::Ceiling),
    ("DOWN", Mode::Down),
    ("FLOOR", Mode::Floor),
    ("HALF_DOWN", Mode::HalfDown),
    ("HALF_EVEN", Mode::HalfEven),
    ("HALF_UP", Mode::HalfUp),
    ("UNNECESSARY", Mode::Unnecessary),
    ("UP", Mode::Up),
];

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function != Function::RoundTo {
        return Err(misplaced(function));
    }
    let number = double(function, &arguments[0])?;
    let decimals = arguments.get(1).map_or(Ok(0), |decimals| int(function, decimals))?;
    let mode = arguments.get(2).map(|name| mode(text(function, name)?)).transpose()?;
    if decimals < 0 {
        let detail = format!("a number is rounded to 0 or more places, not {decimals}");
        return Err(bad(detail).with_name("NumberOutOfRange"));
    }
    if !number.is_finite() || number == 0.0 || DECIMALS_MAX < decimals {
        return Ok(Value::F64(number));
    }
    if decimals == 0 && mode.is_none() {
        let below = number.floor();
        return Ok(Value::F64(if 0.5 <= number - below { below + 1.0 } else { below }));
    }
    rounded(number, decimals, mode.unwrap_or(Mode::HalfUp)).map(Value::F64)
}

fn mode(name: &str) -> Result<Mode> {
    let found = MODES.iter().find(|(known, _)| *known == name);
    found.map(|(_, mode)| *mode).ok_or_else(|| {
        let names = MODES.map(|(known, _)| known).join(", ");
        bad(format!("{name} is not a rounding mode")).with_help(format!("use one of {names}"))
    })
}

fn rounded(number: f64, decimals: i64, mode: Mode) -> Result<f64> {
    let shown = format!("{:e}", number.abs());
    let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let exponent: i64 = exponent.parse().unwrap_or(0);
    // How many digits are left: those before the point, and the places.
    let left = exponent + 1 + decimals;
    if digits.len() as i64 <= left {
        return Ok(number);
    }
    let (mut whole, dropped) = match usize::try_from(left) {
        Ok(left) => (digits[..left].to_vec(), half(&digits[left..])),
        Err(_) => (Vec::new(), Ordering::Less),
    };
    let is_odd = whole.last().is_some_and(|digit| digit % 2 == 1);
    let goes_up = match mode {
        Mode::Up => true,
        Mode::Down => false,
        Mode::Ceiling => 0.0 < number,
        Mode::Floor => number < 0.0,
        Mode::HalfUp => dropped.is_ge(),
        Mode::HalfDown => dropped.is_gt(),
        Mode::HalfEven => dropped.is_gt() || dropped.is_eq() && is_odd,
        Mode::Unnecessary => {
            return Err(bad(format!("{number} has more than {decimals} decimal places")));
        }
    };
    if goes_up {
        increment(&mut whole);
    }
    let whole = String::from_utf8_lossy(&whole);
    let sign = if number < 0.0 { "-" } else { "" };
    let zero = if whole.is_empty() { "0" } else { "" };
    Ok(format!("{sign}{zero}{whole}e{}", -decimals).parse().unwrap_or(number))
}

/// Digits behind a point, compared with a half. The last is not 0.
fn half(digits: &[u8]) -> Ordering {
    match digits {
        [] => Ordering::Less,
        [first, rest @ ..] => first.cmp(&b'5').then(rest.len().cmp(&0)),
    }
}

/// The next whole number, as digits.
fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(number: f64, others: &[Value]) -> Value {
        let arguments: Vec<Value> = [Value::F64(number)].iter().chain(others).cloned().collect();
        Function::RoundTo.call(&arguments).expect("rounds")
    }

    #[test]
    fn a_half_goes_as_the_mode_says() {
        for (mode, results) in [
            ("UP", [1.3, -1.3, 1.3, 1.2]),
            ("DOWN", [1.2, -1.2, 1.2, 1.1]),
            ("CEILING", [1.3, -1.2, 1.3, 1.2]),
            ("FLOOR", [1.2, -1.3, 1.2, 1.1]),
            ("HALF_UP", [1.3, -1.3, 1.3, 1.2]),
            ("HALF_DOWN", [1.2, -1.2, 1.3, 1.1]),
            ("HALF_EVEN", [1.2, -1.2, 1.3, 1.2]),
        ] {
            let found = [1.25, -1.25, 1.251, 1.15]
                .map(|number| round(number, &[Value::I64(1), mode.into()]));
            assert_eq!(found, results.map(Value::F64), "{mode}");
        }
    }

    #[test]
    fn without_a_mode_a_half_goes_up_or_away_from_zero() {
        let whole = [-1.5, -2.5, 2.5, 0.49999999999999994, 1e300].map(|number| round(number, &[]));
        assert_eq!(whole, [-1.0, -2.0, 3.0, 0.0, 1e300].map(Value::F64));
        let one = Value::I64(1);
        let decimals = [-1.55, 0.05, 0.04, 9.96, 5e-300]
            .map(|number| round(number, std::slice::from_ref(&one)));
        assert_eq!(decimals, [-1.6, 0.1, 0.0, 10.0, 0.0].map(Value::F64));
        assert_eq!(Function::RoundTo.call(&[Value::I64(3)]), Ok(Value::F64(3.0)));
    }

    #[test]
    fn bad_modes_and_numbers_of_decimals_are_errors() {
        for others in [
            vec![Value::I64(-1)],
            vec![Value::F64(1.0)],
            vec![Value::I64(1), "half".into()],
            vec![Value::I64(1), "UNNECESSARY".into()],
        ] {
            let arguments: Vec<Value> = [Value::F64(1.25)].into_iter().chain(others).collect();
            Function::RoundTo.call(&arguments).expect_err("a bad argument");
        }
    }
}
