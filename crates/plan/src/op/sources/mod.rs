//! Operators that bring rows: each row they get, once for each element, row or value that they list.

pub(super) mod let_ref;
pub(super) mod lookup_by_id;
pub(super) mod rows;
pub(super) mod scan;
pub(super) mod seek;

pub use lookup_by_id::{IdForm, LookupMode};
pub use rows::RowsSource;
pub use scan::ScanSource;
pub use seek::{SeekBound, SeekRange};
