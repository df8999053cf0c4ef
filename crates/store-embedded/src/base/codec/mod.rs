//! Bytes of everything stored: little-endian, explicit, one encoding a type.
//!
//! ```text
//!   put_*  / Reader       integers and arrays of them
//!   ids                   lists of ids, many of them by their distance from the least
//!   value                 one value of any kind
//!   catalog               names, definitions and their changes
//!   column                a typed column with its null and absent marks
//! ```
//!
//! Decoding checks shape (lengths, tags, UTF-8), never integrity. A caller that reads from disk has
//! verified a checksum before, and turns [`Malformed`] into a `Corrupt` error that names the file.

mod catalog;
mod column;
mod geometry;
mod ids;
mod reader;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use catalog::{decode_catalog, decode_change, encode_catalog, encode_change};
pub use column::{decode_column, encode_column};
pub(crate) use ids::{EdgeIds, put_edge_ids, put_ids, take_ids};
pub use reader::{Malformed, Reader};
pub use value::{decode_value, encode_value};

use millrace_model::Bits;

/// Appends an integer.
macro_rules! put {
    ($(#[$doc:meta] $name:ident, $slice:ident, $int:ty);* $(;)?) => {$(
        #[$doc]
        pub fn $name(bytes: &mut Vec<u8>, int: $int) {
            bytes.extend_from_slice(&int.to_le_bytes());
        }

        /// Appends their count (u64) and the numbers.
        pub fn $slice(bytes: &mut Vec<u8>, ints: &[$int]) {
            put_u64(bytes, ints.len() as u64);
            let start = bytes.len();
            bytes.resize(start + size_of_val(ints), 0);
            // A loop over fixed-size chunks compiles to a plain copy.
            for (chunk, int) in bytes[start..].chunks_exact_mut(size_of::<$int>()).zip(ints) {
                chunk.copy_from_slice(&int.to_le_bytes());
            }
        }
    )*};
}

put! {
    /// Appends 2 bytes.
    put_u16, put_u16s, u16;
    /// Appends 4 bytes.
    put_u32, put_u32s, u32;
    /// Appends 8 bytes.
    put_u64, put_u64s, u64;
    /// Appends 8 bytes.
    put_i64, put_i64s, i64;
    /// Appends 8 bytes: the bits of the double, kept exactly, NaN payloads too.
    put_f64, put_f64s, f64;
}

/// Appends the length (u32) and the bytes of a text.
///
/// For names and the like, which are short; a value's text goes through [`encode_value`].
pub fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_bytes(bytes, text.as_bytes());
}

/// Appends the length (u32) and the bytes.
pub fn put_bytes(bytes: &mut Vec<u8>, content: &[u8]) {
    put_u32(bytes, u32::try_from(content.len()).expect("what is not checked before is short"));
    bytes.extend_from_slice(content);
}

/// Appends the number of bits (u64) and the words that hold them.
pub fn put_bits(bytes: &mut Vec<u8>, bits: &Bits) {
    put_u64(bytes, bits.len() as u64);
    put_u64s(bytes, bits.words());
}
