//! Every bound of this crate. A value here is a promise about memory, not a tuning hint; a bound is
//! never written where it is used.

/// Text handed from the reading thread to a parser at once. A line longer than this is refused
/// only when it exceeds [`LINE_BYTES_MAX`]; a block grows to hold a whole line.
pub const BLOCK_BYTES: usize = 1 << 20;

/// Read from a file, or written to one, at once.
pub const READ_BUFFER_BYTES: usize = 256 << 10;

/// The longest line (or quoted CSV record) that is accepted.
pub const LINE_BYTES_MAX: usize = 64 << 20;

/// Blocks that may be read or parsed ahead of the consumer.
pub const BLOCKS_AHEAD_MAX: usize = 8;

/// The part of the memory budget that blocks read or parsed ahead may hold: one in so many.
pub const PARSING_MEMORY_SHARE: u64 = 8;

/// Bytes of a value that was parsed, about, with its place in a list or a column that grows.
pub const BLOCK_CELL_BYTES: u64 = 48;

/// Places of the columns of one part, at most: a part is in memory as a whole.
pub const PIECE_CELLS_MAX: usize = 1 << 20;

/// Bytes of the values of one part, about, where it has several elements.
pub const PIECE_BYTES_MAX: u64 = 32 << 20;

/// Threads that parse. More than this only waits for the one consumer.
pub const PARSERS_MAX: usize = 8;

/// How deep tags of XML may be nested; a drawing by yEd needs about ten.
pub const XML_DEPTH_MAX: usize = 256;

/// Facets (or array elements) that one row may carry.
pub const ROW_PARTS_MAX: usize = 1 << 16;

/// Bad rows retained with their text; later ones are only counted.
pub const REJECTS_RETAINED_MAX: usize = 10_000;

/// Characters of a bad row's text that an error repeats.
pub const EXCERPT_CHARS_MAX: usize = millrace_quads::limits::EXCERPT_CHARS_MAX;

/// Datatypes that are not known and that a note names; values of further ones are counted together.
pub const DATATYPES_NAMED_MAX: usize = 20;

/// Keys that a note names; it counts further ones.
pub const KEYS_NAMED_MAX: usize = 20;

/// Vertices or edges handed to the store in one part.
pub const PART_ROWS: usize = 1 << 16;

/// A part is divided where fewer than one of so many places in its columns has a value.
pub const PIECE_FILL: usize = 16;

/// A part with so few places in its columns is not divided.
pub const PIECE_CELLS_MIN: usize = 1 << 12;

/// Rows of a table without types by which they are guessed.
pub const GUESS_ROWS: u64 = 10_000;

/// Bytes of these rows, about: they are in memory until they are loaded.
pub const GUESS_BYTES: u64 = 16 << 20;

/// Columns of rows of a query that a note names; values of others are counted together.
pub const COLUMNS_NAMED_MAX: usize = 16;

/// Columns of an edge list, with the two ids.
pub const LIST_COLUMNS_MAX: usize = 16;

/// Rows, or columns, of a matrix: a header of one line could say any number of nodes.
pub const MATRIX_NODES_MAX: u64 = 1 << 32;

/// Rows, or columns, that a matrix may have for each of its entries: a small file makes no large graph.
pub const MATRIX_NODES_PER_ENTRY: u64 = 1 << 10;

/// Rows, or columns, that a matrix may have with any number of entries.
pub const MATRIX_NODES_FREE: u64 = 1 << 20;

/// Files that a pattern of names may mean.
pub const PATTERN_FILES_MAX: usize = 10_000;

/// Bytes of a pattern of names, compiled.
pub const PATTERN_BYTES_MAX: usize = 1 << 20;

/// Columns of a Parquet file.
pub const PARQUET_COLUMNS_MAX: usize = 10_000;

/// Rows of a Parquet file that are read at once from each column.
pub const PARQUET_ROWS: usize = 1 << 10;

/// Bytes of lines made of them at once; a row may exceed it.
pub const PARQUET_TEXT_BYTES: usize = 64 << 10;

/// Names looked up in the store at once.
pub const SEEK_ROWS: usize = 1 << 14;

/// Ids that a load leases and does not use, so that later ones are behind the highest uid of its files.
pub const PASSED_IDS_MAX: u64 = 1 << 28;

/// How many of them at once.
pub const PASSED_IDS_STEP: u64 = 1 << 20;

/// Lines of one batch of a load in batches, at most: a batch is in memory as text and as columns.
pub const BATCH_ROWS_MAX: u64 = 1_000_000;

/// How often a batch is tried again after a write conflict.
pub const BATCH_ATTEMPTS_MAX: usize = 20;

/// Digits of a decimal behind the point.
pub const DECIMAL_SCALE_MAX: u32 = 4_096;
