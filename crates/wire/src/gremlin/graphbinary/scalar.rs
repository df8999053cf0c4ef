//! Values without parts: truths, characters, bytes, exact numbers, tokens.
//!
//! A BigInteger and a BigDecimal are both a decimal; one without digits behind the point is written
//! as a BigInteger (decision 0051). A Char is read as text.

use std::sync::Arc;

use millrace_model::value::Point;
use millrace_model::{Decimal, Direction, Result, Token, Value};

use super::code;
use super::reader::Reader;
use super::writer::Writer;
use crate::limits::DECIMAL_SCALE_MAX;

/// Bytes of the largest exact integer.
const INTEGER_BYTES_MAX: usize = size_of::<i128>();

/// Constants of `T`, by name.
const TOKENS: [(&str, Token); 4] =
    [("id", Token::Id), ("label", Token::Label), ("key", Token::Key), ("value", Token::Value)];

/// Constants of `Direction`, by name; drivers know the last two as other names of the first.
const DIRECTIONS: [(&str, Direction); 5] = [
    ("OUT", Direction::Out),
    ("IN", Direction::In),
    ("BOTH", Direction::Both),
    ("from", Direction::Out),
    ("to", Direction::In),
];

/// The token of a constant of `T`.
pub(crate) fn token_of(name: &str) -> Option<Token> {
    TOKENS.iter().find(|(known, _)| *known == name).map(|(_, token)| *token)
}

/// The token of a constant of `Direction`.
pub(crate) fn end_of(name: &str) -> Option<Token> {
    let found = DIRECTIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, direction)| Token::End(*direction))
}

/// The enumeration and the name of a token's constant.
pub(crate) fn token_name(token: Token) -> (&'static str, &'static str) {
    match token {
        Token::Id => ("T", "id"),
        Token::Label => ("T", "label"),
        Token::Key => ("T", "key"),
        Token::Value => ("T", "value"),
        Token::End(Direction::Out) => ("Direction", "OUT"),
        Token::End(Direction::In) => ("Direction", "IN"),
        Token::End(Direction::Both) => ("Direction", "BOTH"),
    }
}

/// A decimal of any sign of scale, if it is in range.
pub(crate) fn decimal_of(unscaled: i128, scale: i64) -> Option<Decimal> {
    if scale < 0 {
        let power = 10i128.checked_pow(u32::try_from(-scale).ok()?)?;
        return Some(Decimal { unscaled: unscaled.checked_mul(power)?, scale: 0 });
    }
    let scale = u32::try_from(scale).ok().filter(|scale| *scale <= DECIMAL_SCALE_MAX)?;
    Some(Decimal { unscaled, scale })
}

/// A BigDecimal as a decimal: one without digits behind the point gets a zero there, since without it
/// it would be a BigInteger. One too long for the zero becomes one.
pub(crate) fn of_big_decimal(decimal: Decimal) -> Decimal {
    match (decimal.scale, decimal.unscaled.checked_mul(10)) {
        (0, Some(unscaled)) => Decimal { unscaled, scale: 1 },
        _ => decimal,
    }
}

/// The same the other way: the one zero behind the point is not written.
pub(crate) fn to_big_decimal(decimal: Decimal) -> Decimal {
    match (decimal.scale, decimal.unscaled % 10) {
        (1, 0) => Decimal { unscaled: decimal.unscaled / 10, scale: 0 },
        _ => decimal,
    }
}

impl Reader<'_> {
    pub(super) fn boolean(&mut self) -> Result<Value> {
        match self.u8("a Boolean")? {
            0 => Ok(Value::Bool(false)),
            1 => Ok(Value::Bool(true)),
            other => Err(self.bad(format!("a Boolean is 0 or 1, and not {other}"))),
        }
    }

    pub(super) fn char(&mut self) -> Result<Value> {
        let first = self.u8("a Char")?;
        let more = match first {
            0x00..=0x7f => 0,
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            _ => return Err(self.bad("a Char that is not UTF-8")),
        };
        let mut bytes = vec![first];
        bytes.extend_from_slice(self.take(more, "the rest of a Char")?);
        let text = std::str::from_utf8(&bytes).map_err(|_| self.bad("a Char that is not UTF-8"))?;
        Ok(Value::from(text))
    }

    pub(super) fn byte_buffer(&mut self) -> Result<Value> {
        let count = self.count(1, "the length of a ByteBuffer")?;
        Ok(Value::Bytes(Arc::from(self.take(count, "a ByteBuffer")?)))
    }

    pub(super) fn big_integer(&mut self) -> Result<Value> {
        let unscaled = self.integer()?;
        Ok(Value::Decimal(Arc::new(Decimal { unscaled, scale: 0 })))
    }

    pub(super) fn big_decimal(&mut self) -> Result<Value> {
        let scale = self.i32("the scale of a BigDecimal")?;
        let unscaled = self.integer()?;
        let decimal = decimal_of(unscaled, scale.into());
        let decimal = decimal.ok_or_else(|| {
            self.unsupported(format!("a BigDecimal of scale {scale} is larger than a decimal"))
        })?;
        Ok(Value::Decimal(Arc::new(of_big_decimal(decimal))))
    }

    fn integer(&mut self) -> Result<i128> {
        let count = self.count(1, "the length of a BigInteger")?;
        let bytes = self.take(count, "a BigInteger")?;
        let (first, rest) = match bytes.split_first() {
            None => return Err(self.bad("a BigInteger has at least one byte")),
            Some((first, rest)) => (*first as i8, rest),
        };
        if INTEGER_BYTES_MAX < count {
            return Err(self.unsupported(format!(
                "a BigInteger of {count} bytes, and a decimal has at most {INTEGER_BYTES_MAX}"
            )));
        }
        Ok(rest.iter().fold(i128::from(first), |integer, byte| integer << 8 | i128::from(*byte)))
    }

    /// The name of a constant: a String with its type.
    pub(super) fn constant(&mut self) -> Result<Arc<str>> {
        self.datum_of(code::STRING, "the name of a constant, a String")?;
        self.text()
    }

    pub(super) fn token(&mut self) -> Result<Value> {
        let name = self.constant()?;
        let token = token_of(&name).ok_or_else(|| self.bad(format!("there is no T.{name}")))?;
        Ok(Value::Token(token))
    }

    pub(super) fn direction(&mut self) -> Result<Value> {
        let name = self.constant()?;
        let end = end_of(&name).ok_or_else(|| self.bad(format!("there is no Direction.{name}")))?;
        Ok(Value::Token(end))
    }
}

impl Writer {
    pub(super) fn decimal(&mut self, decimal: Decimal) -> Result<()> {
        let unscaled = if decimal.scale == 0 {
            self.typed(code::BIG_INTEGER);
            decimal.unscaled
        } else {
            let Decimal { unscaled, scale } = to_big_decimal(decimal);
            self.typed(code::BIG_DECIMAL).count(scale as usize)?;
            unscaled
        };
        let bytes = unscaled.to_be_bytes();
        // The shortest bytes that keep the sign.
        let sign = if unscaled < 0 { 0xff } else { 0 };
        let is_needed = |at: usize| bytes[at] != sign || (bytes[at + 1] ^ sign) & 0x80 != 0;
        let start = (0..INTEGER_BYTES_MAX - 1).find(|at| is_needed(*at));
        self.bytes(&bytes[start.unwrap_or(INTEGER_BYTES_MAX - 1)..])
    }

    pub(super) fn token(&mut self, token: Token) -> Result<()> {
        let (family, name) = token_name(token);
        let code = if family == "T" { code::T } else { code::DIRECTION };
        self.typed(code).typed(code::STRING).text(name)
    }

    /// The format has no points.
    pub(super) fn point(&mut self, point: &Point) -> Result<()> {
        self.value(&Value::from(point.to_string().as_str()))
    }
}
