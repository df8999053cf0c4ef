//! MessagePack to a value.
//!
//! Every length is checked against the bytes that are left before memory is taken for it, so that a message of five
//! bytes cannot ask for four billion values. Extension types are refused: they mean what two programs agreed on.

use std::sync::Arc;

use millrace_model::{Error, Result, Value};
use millrace_wire::KnownKeys;
use rmp::Marker;

use crate::forms::bad;
use crate::limits::{MESSAGE_VALUES_MAX, NESTING_MAX};

/// The one value in these bytes.
pub fn decode(bytes: &[u8], keys: &mut KnownKeys) -> Result<Value> {
    let mut reader = Reader { bytes, keys, position: 0, values: 0 };
    let value = reader.value(0)?;
    match bytes.len() - reader.position {
        0 => Ok(value),
        rest => Err(reader.wrong(&format!("{rest} bytes follow the value"))),
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    keys: &'b mut KnownKeys,
    position: usize,
    values: usize,
}

impl<'b> Reader<'b> {
    fn wrong(&self, what: &str) -> Error {
        bad(format!("the message is no MessagePack: at byte {}, {what}", self.position))
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8]> {
        let left = &self.bytes[self.position..];
        if left.len() < length {
            let missing = length - left.len();
            return Err(self.wrong(&format!("it ends {missing} bytes too early")));
        }
        self.position += length;
        Ok(&left[..length])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// A length of `N` bytes.
    fn length<const N: usize>(&mut self) -> Result<usize> {
        let bytes = self.array::<N>()?;
        Ok(bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)))
    }

    /// What the next value is.
    fn marker(&mut self) -> Result<Marker> {
        self.values += 1;
        if MESSAGE_VALUES_MAX < self.values {
            return Err(bad(format!("the message has more than {MESSAGE_VALUES_MAX} values")));
        }
        Ok(Marker::from_u8(self.array::<1>()?[0]))
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if NESTING_MAX < depth {
            return Err(bad(format!("the message nests deeper than {NESTING_MAX}")));
        }
        let marker = self.marker()?;
        Ok(match marker {
            Marker::Null => Value::Null,
            Marker::True => Value::Bool(true),
            Marker::False => Value::Bool(false),
            Marker::FixPos(int) => Value::I64(i64::from(int)),
            Marker::FixNeg(int) => Value::I64(i64::from(int)),
            Marker::U8 => Value::I64(i64::from(self.array::<1>()?[0])),
            Marker::U16 => Value::I64(i64::from(u16::from_be_bytes(self.array()?))),
            Marker::U32 => Value::I64(i64::from(u32::from_be_bytes(self.array()?))),
            Marker::U64 => self.unsigned()?,
            Marker::I8 => Value::I64(i64::from(i8::from_be_bytes(self.array()?))),
            Marker::I16 => Value::I64(i64::from(i16::from_be_bytes(self.array()?))),
            Marker::I32 => Value::I64(i64::from(i32::from_be_bytes(self.array()?))),
            Marker::I64 => Value::I64(i64::from_be_bytes(self.array()?)),
            Marker::F32 => Value::F32(f32::from_be_bytes(self.array()?)),
            Marker::F64 => Value::F64(f64::from_be_bytes(self.array()?)),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                Value::from(self.text(marker)?)
            }
            Marker::Bin8 => {
                let length = self.length::<1>()?;
                self.blob(length)?
            }
            Marker::Bin16 => {
                let length = self.length::<2>()?;
                self.blob(length)?
            }
            Marker::Bin32 => {
                let length = self.length::<4>()?;
                self.blob(length)?
            }
            Marker::FixArray(length) => self.list(usize::from(length), depth)?,
            Marker::Array16 => {
                let length = self.length::<2>()?;
                self.list(length, depth)?
            }
            Marker::Array32 => {
                let length = self.length::<4>()?;
                self.list(length, depth)?
            }
            Marker::FixMap(length) => self.map(usize::from(length), depth)?,
            Marker::Map16 => {
                let length = self.length::<2>()?;
                self.map(length, depth)?
            }
            Marker::Map32 => {
                let length = self.length::<4>()?;
                self.map(length, depth)?
            }
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => {
                let error = bad("the message has an extension type of MessagePack".to_owned());
                return Err(error.with_help("send times as texts or numbers"));
            }
            Marker::Reserved => return Err(self.wrong("the byte c1 stands for nothing")),
        })
    }

    fn unsigned(&mut self) -> Result<Value> {
        let int = u64::from_be_bytes(self.array()?);
        let error = || bad(format!("{int} is not a 64-bit integer")).with_help("send it as a text");
        i64::try_from(int).map(Value::I64).map_err(|_| error())
    }

    /// The text of a marker that begins one.
    fn text(&mut self, marker: Marker) -> Result<&'b str> {
        let length = match marker {
            Marker::FixStr(length) => usize::from(length),
            Marker::Str8 => self.length::<1>()?,
            Marker::Str16 => self.length::<2>()?,
            Marker::Str32 => self.length::<4>()?,
            _ => return Err(self.wrong("a key of a map is no text")),
        };
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| {
            let error = self.wrong("a text that ends here is no UTF-8");
            error.with_help("send bytes as the binary type")
        })
    }

    fn blob(&mut self, length: usize) -> Result<Value> {
        self.take(length).map(|bytes| Value::Bytes(Arc::from(bytes)))
    }

    /// How much room to take for so many values: none that the bytes left could not fill.
    fn room(&self, length: usize) -> Result<usize> {
        let left = self.bytes.len() - self.position;
        match length <= left {
            true => Ok(length),
            false => Err(self.wrong(&format!("{length} values cannot stand in {left} bytes"))),
        }
    }

    fn list(&mut self, length: usize, depth: usize) -> Result<Value> {
        let mut values = Vec::with_capacity(self.room(length)?.min(MESSAGE_VALUES_MAX));
        for _ in 0..length {
            values.push(self.value(depth + 1)?);
        }
        Ok(Value::list(values))
    }

    fn map(&mut self, length: usize, depth: usize) -> Result<Value> {
        let room = self.room(length.saturating_mul(2))? / 2;
        let mut pairs: Vec<(Value, Value)> = Vec::with_capacity(room.min(MESSAGE_VALUES_MAX));
        for _ in 0..length {
            let marker = self.marker()?;
            let key = self.text(marker)?;
            let key = Value::String(self.keys.key(key));
            pairs.push((key, self.value(depth + 1)?));
        }
        Ok(Value::map(pairs))
    }
}
