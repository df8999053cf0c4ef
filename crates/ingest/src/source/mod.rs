//! Files and streams: unpacked, cut into blocks of whole lines, parsed by several threads in the order
//! of the file, with the memory that this takes. No format may enter here: a block is bytes between
//! line ends.

mod block;
mod memory;
mod pipeline;
mod unpack;

pub use block::{Block, BlockReader, LineEnds, Source};
pub(crate) use memory::{Parsing, hold, parsed_bytes};
pub(crate) use pipeline::run;
pub use unpack::plain;
