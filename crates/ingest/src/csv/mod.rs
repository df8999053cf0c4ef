//! CSV as `neo4j-admin database import` reads it: a typed header names the role and type of each field.
//!
//! ```text
//! username:ID(Person),age:int,tags:string[],:LABEL        nodes
//! :START_ID(Person),:END_ID(Item),:TYPE,weight:double     relationships
//! ```
//!
//! As there, an empty field is no value, ids are text unless asked otherwise, and a quoted field
//! stays on its line unless asked otherwise. All node tables are read before any relationship
//! table, whatever their order, because an end must be known when it is named.
//!
//! All of one format, from its syntax to its changes; which files make a table is said above, by options.

mod apoc;
mod batches;
mod consume;
mod delimiters;
mod dialect;
mod edges;
mod guess;
mod header;
mod hints;
mod load;
mod named;
mod nodes;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
mod record;
mod spaces;
mod table;
mod value;
mod whole_line;

pub(crate) use batches::load_batches;
pub use dialect::{CsvOptions, Dialect, NullWord};
pub(crate) use edges::Space;
pub(crate) use guess::Column as GuessedColumn;
pub use header::{Header, Role, parse_header};
pub(crate) use load::load;
pub use named::{NamedTable, array_delimiter, ascii_character, field_delimiter};
pub use options::{IdOptions, PropertyOptions};
pub use plain::{ColumnType, PlainColumns, PlainEnd, PlainRows};
pub(crate) use record::lines_of_records;
pub(crate) use spaces::{KnownSpaces, remember};
pub use table::{TableFiles, TableKind};
pub use value::{ElementType, FieldType, IdType};
