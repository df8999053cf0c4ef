//! GraphBinary 1: each thing is a type code, a flag that says whether it is null, and its bytes.
//!
//! ```text
//!   01 00 00000007     an Int: 7              {code}{flag}{bytes}
//!   01 01              an Int that is null
//!   fe 01              a null of no type
//!   09 00 00000002     a List of two: each in the same form again
//! ```
//!
//! The specification calls a value without its code and its flag "bare"; "text" in a structure is always
//! bare. The specification: <https://tinkerpop.apache.org/docs/3.8.1/dev/io/#graphbinary>.

mod code;
mod collection;
pub(crate) mod element;
pub(crate) mod janusgraph;
mod message;
pub(crate) mod process;
mod reader;
pub(crate) mod scalar;
pub(crate) mod temporal;
mod types;
mod writer;

use millrace_model::Result;

use super::datum::Datum;
pub use reader::Reader;
pub use writer::Writer;

/// Reads one thing, which is all there is.
pub fn read(bytes: &[u8]) -> Result<Datum> {
    let mut reader = Reader::new(bytes);
    let datum = reader.datum()?;
    reader.end()?;
    Ok(datum)
}

/// Writes one thing.
pub fn write(datum: &Datum) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    writer.datum(datum)?;
    Ok(writer.finish())
}
