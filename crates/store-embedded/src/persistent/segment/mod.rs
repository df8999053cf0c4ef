//! Segment files: immutable data on disk. One file holds one partition at one checkpoint
//! position, or one shard of an index.
//!
//! All numbers are little-endian. Sections follow one another without gaps, in any order.
//!
//! ```text
//!   header, 64 bytes                            directory entry, 40 bytes
//!    0  8  magic "MILLSEG\0"                     0  2  kind: 1 summary  2 records  3 vertex column
//!    8  4  version                                           4 list  5 edges  6 edge column
//!   12  4  flags 0                                           7 index base  8 bounds  9 range base
//!                                                            10 neighbours  16 delta
//!   16  4  subject: 1 partition, 2 index shard,  2  2  half: 0 out, 1 in
//!          3 graph of neighbours
//!   20  4  graph                                 4  4  edge type
//!   24  4  partition ordinal, or shard           8  4  key
//!   28  4  index, or 0                          12  4  checksum of the section
//!   32  8  checkpoint                           16  8  offset
//!   40  8  that of the base: less if there is    24  8  length
//!          a delta                              32  8  number of the file it is in; 0: this one
//!   48 12  zeros                                (numbers a kind has no use for are 0)
//!   60  4  checksum of 0..60
//!   64     sections
//!          directory: entries                   trailer, the last 32 bytes
//!          trailer                               0  8  offset of the directory
//!                                                8  8  length of the file
//!                                               16  4  entries
//!                                               20  4  checksum of the directory
//!                                               24  4  the header's checksum again
//!                                               28  4  checksum of 0..28
//! ```
//!
//! Every byte is under exactly one checksum, and the trailer's checksum vouches for all others: it
//! is the file's [`SegmentFile::fingerprint`], which tells a right file from a sound stranger.
//! The bytes inside sections are defined by the `encode` of each body in `image/`; a summary is the
//! counts of the base, then the table of runs; a delta has the changes since
//! (live/checkpoint/delta_at.rs), with the bytes of a commit in the log (commit/physical.rs); that
//! of a shard of an ordered index has the entries that came and went (range_file.rs, from format 7
//! on).
//!
//! **A root is one file, and up to four older ones** that hold sections which did not change: its
//! directory has their places and checksums. A file that holds little else of use is not kept
//! alive: its sections in use are copied. A *delta layer* is a root with a base that is all in
//! older files.
//!
//! Opening reads header, directory and summary only. A damaged section is found when it is read, or
//! by [`verify`].

mod image_file;
mod index_base;
mod layout;
mod neighbours;
mod range_base;
#[cfg(test)]
mod range_base_test;
mod range_builder;
mod range_file;
mod reader;
mod reuse;
#[cfg(test)]
mod root_tests;
#[cfg(test)]
mod tests;
mod writer;

pub use image_file::{open_image, write_delta, write_image};
pub use index_base::{IndexBase, open_index_base, stored_index_base, write_index_base};
pub use layout::{FilePositions, SectionKey, Subject};
pub use neighbours::{
    BaseFile, LOCATION_COPIED, LOCATION_DEAD, NEIGHBOUR_LAYERS_MAX, StoredNeighbours,
    neighbours_of, read_neighbours, verify_neighbours, write_neighbours,
};
pub use range_base::{KeyLists, RangeBase, RangeBounds, RangeEntry};
pub use range_builder::RangeBaseBuilder;
pub use range_file::{
    RangeChanges, StoredRange, open_range, write_range_base, write_range_changes,
};
pub use reader::{SegmentFile, verify, verify_alone};
pub use writer::SegmentWriter;
