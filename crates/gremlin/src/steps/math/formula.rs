//! The formulas of `math`: numbers, variables, `+ - * / % ^`, functions, parentheses.
//!
//! The rules are those of the library that TinkerPop reads them with: `^` binds to the right and before
//! a sign (`-2^2` is -4), a function without parentheses takes all that follows (`sin _ + 1` is the
//! sine of a sum), and nothing is multiplied without a `*`.

use crate::limits;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    /// A number.
    Number(f64),
    /// A variable, by its place among all.
    Variable(usize),
    /// With the other sign.
    Negated(Box<Formula>),
    /// A function of it.
    Applied(Known, Box<Formula>),
    /// Two with an operator between.
    Combined(Operator, Box<[Formula; 2]>),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `^`
    Power,
}

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Abs,
    Acos,
    Asin,
    Atan,
    Cbrt,
    Ceil,
    Cos,
    Cosh,
    Exp,
    Floor,
    Log,
    Log10,
    Log2,
    Signum,
    Sin,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
}

const KNOWN: &[(&str, Known)] = &[
    ("abs", Known::Abs),
    ("acos", Known::Acos),
    ("asin", Known::Asin),
    ("atan", Known::Atan),
    ("cbrt", Known::Cbrt),
    ("ceil", Known::Ceil),
    ("cos", Known::Cos),
    ("cosh", Known::Cosh),
    ("exp", Known::Exp),
    ("floor", Known::Floor),
    ("log", Known::Log),
    ("log10", Known::Log10),
    ("log2", Known::Log2),
    ("signum", Known::Signum),
    ("sin", Known::Sin),
    ("sinh", Known::Sinh),
    ("sqrt", Known::Sqrt),
    ("tan", Known::Tan),
    ("tanh", Known::Tanh),
];

/// How tight a sign binds; for operators it is [`Operator::binds`].
const SIGN: u8 = 3;

impl Operator {
    fn of(letter: u8) -> Option<Operator> {
        Some(match letter {
            b'+' => Operator::Add,
            b'-' => Operator::Subtract,
            b'*' => Operator::Multiply,
            b'/' => Operator::Divide,
            b'%' => Operator::Remainder,
            b'^' => Operator::Power,
            _ => return None,
        })
    }

    fn binds(self) -> u8 {
        match self {
            Operator::Add | Operator::Subtract => 1,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 2,
            Operator::Power => 4,
        }
    }
}

/// A formula with its variables in order of their first appearance. The error is the reason of a refusal.
pub(super) fn read(text: &str) -> Result<(Formula, Vec<&str>), String> {
    let mut reader = Reader { text, at: 0, variables: Vec::new(), depth: 0, parts: 0 };
    let formula = reader.formula(0)?;
    match reader.next() {
        None => Ok((formula, reader.variables)),
        Some(_) => Err(reader.unexpected("an operator")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    variables: Vec<&'t str>,
    depth: usize,
    parts: usize,
}

impl<'t> Reader<'t> {
    /// The next letter that is no space.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, letter: u8) -> bool {
        let found = self.next() == Some(letter);
        self.at += usize::from(found);
        found
    }

    fn unexpected(&self, wanted: &str) -> String {
        let rest: String =
            self.text[self.at..].chars().take(limits::SHOWN_CHARACTERS_MAX).collect();
        let place = self.text[..self.at].chars().count() + 1;
        match rest.is_empty() {
            true => format!("has a formula that ends where {wanted} is expected"),
            false => format!("has a formula with `{rest}` at {place}, where {wanted} is expected"),
        }
    }

    /// A formula of operators that bind tighter than a bound.
    fn formula(&mut self, bound: u8) -> Result<Formula, String> {
        self.depth += 1;
        if limits::NESTING_MAX < self.depth {
            return Err("has a formula that nests too deep".into());
        }
        let mut formula = self.operand()?;
        while let Some(operator) = self.next().and_then(Operator::of) {
            let binds = operator.binds();
            if binds <= bound {
                break;
            }
            self.at += 1;
            // A power is read from the right.
            let right =
                self.formula(if operator == Operator::Power { binds - 1 } else { binds })?;
            formula = Formula::Combined(operator, Box::new([formula, right]));
        }
        self.depth -= 1;
        Ok(formula)
    }

    fn operand(&mut self) -> Result<Formula, String> {
        self.parts += 1;
        if limits::FORMULA_PARTS_MAX < self.parts {
            return Err(format!("has a formula of more than {} parts", limits::FORMULA_PARTS_MAX));
        }
        match self.next() {
            Some(b'-') => {
                self.at += 1;
                Ok(Formula::Negated(Box::new(self.formula(SIGN)?)))
            }
            Some(b'+') => {
                self.at += 1;
                self.formula(SIGN)
            }
            Some(b'(') => self.parenthesized(),
            Some(letter) if letter.is_ascii_digit() || letter == b'.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() || letter == b'_' => self.word(),
            _ => Err(self.unexpected("a number, a variable or a function")),
        }
    }

    fn parenthesized(&mut self) -> Result<Formula, String> {
        self.at += 1;
        let inner = self.formula(0)?;
        if self.take(b')') { Ok(inner) } else { Err(self.unexpected("`)`")) }
    }

    fn number(&mut self) -> Result<Formula, String> {
        let rest = &self.text.as_bytes()[self.at..];
        let digits = |from: usize| {
            rest[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count()
        };
        let mut end = digits(0);
        if matches!(rest.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            end += if exponent == 0 { 0 } else { 1 + sign + exponent };
        }
        match self.text[self.at..self.at + end].parse() {
            Ok(number) => {
                self.at += end;
                Ok(Formula::Number(number))
            }
            Err(_) => Err(self.unexpected("a number")),
        }
    }

    fn word(&mut self) -> Result<Formula, String> {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        let Some((_, known)) = KNOWN.iter().find(|(name, _)| *name == word) else {
            let place = self.variables.iter().position(|own| *own == word);
            return Ok(Formula::Variable(place.unwrap_or_else(|| {
                self.variables.push(word);
                self.variables.len() - 1
            })));
        };
        let inner = match self.next() {
            Some(b'(') => self.parenthesized()?,
            _ => self.formula(0)?,
        };
        Ok(Formula::Applied(*known, Box::new(inner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With all parentheses, variables by place.
    fn shown(formula: &Formula) -> String {
        match formula {
            Formula::Number(number) => number.to_string(),
            Formula::Variable(place) => format!("x{place}"),
            Formula::Negated(inner) => format!("-({})", shown(inner)),
            Formula::Applied(known, inner) => format!("{known:?}({})", shown(inner)),
            Formula::Combined(operator, sides) => {
                format!("{operator:?}({}, {})", shown(&sides[0]), shown(&sides[1]))
            }
        }
    }

    #[test]
    fn operators_bind_as_in_exp4j() {
        for (text, read_as) in [
            ("1 - 2 - 3", "Subtract(Subtract(1, 2), 3)"),
            ("1+2*3", "Add(1, Multiply(2, 3))"),
            ("(1+2)*3", "Multiply(Add(1, 2), 3)"),
            ("2^3^4", "Power(2, Power(3, 4))"),
            ("-2^2", "-(Power(2, 2))"),
            ("-2*3", "Multiply(-(2), 3)"),
            ("2^-1*3", "Multiply(Power(2, -(1)), 3)"),
            ("7 % 4 / 2", "Divide(Remainder(7, 4), 2)"),
            ("0-_", "Subtract(0, x0)"),
            ("+1.5e1", "15"),
        ] {
            assert_eq!(
                read(text).map(|(formula, _)| shown(&formula)),
                Ok(read_as.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_function_takes_its_parentheses_or_all_that_follows() {
        for (text, read_as) in [
            ("sin _", "Sin(x0)"),
            ("sin _ + 1", "Sin(Add(x0, 1))"),
            ("sin(_) + 1", "Add(Sin(x0), 1)"),
            ("2 * (log2 8) - 1", "Subtract(Multiply(2, Log2(8)), 1)"),
            ("sqrt(_)^2", "Power(Sqrt(x0), 2)"),
        ] {
            assert_eq!(
                read(text).map(|(formula, _)| shown(&formula)),
                Ok(read_as.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn variables_are_those_that_are_no_functions() {
        let (formula, variables) = read("expected + sin(b_1) * expected").expect("reads");
        assert_eq!(variables, ["expected", "b_1"]);
        assert_eq!(shown(&formula), "Add(x0, Multiply(Sin(x1), x0))");
    }

    #[test]
    fn malformed_formulas_are_refused() {
        for text in ["", "1 +", "(1", "1)", "2 a", "1..2", "a $ b", "sin", "é", "* 1"] {
            read(text).expect_err(text);
        }
        let long = format!("1{}", "+1".repeat(limits::FORMULA_PARTS_MAX));
        read(&long).expect_err("too long");
        read(&"(".repeat(10_000)).expect_err("too deep");
        read(&"-".repeat(10_000)).expect_err("too deep");
    }
}
