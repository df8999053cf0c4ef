//! Parquet as a table: its rows become lines of the CSV that they would be, and everything behind that is the
//! same for both: roles of columns, bad rows, batches, unique values.
//!
//! ```text
//!   footer ──> columns with types ──> a header
//!   row group ──some rows of each column at once──> lines ──> blocks, as of any table
//! ```
//!
//! A list is an array of JSON in its field, since it may be empty and hold any text. A row group takes memory of
//! the budget before it is read, by the sizes that the footer states; pages that exceed them are refused. The
//! library may panic on a damaged file; that is caught here and is an error like any other.

mod cells;
mod columns;
mod guard;
mod leaf;
mod rows;
mod table;

pub(super) use table::open_table;
