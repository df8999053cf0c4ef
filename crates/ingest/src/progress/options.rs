//! How a load behaves, whatever its format.

use super::UnknownTypes;

/// How a load behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions {
    /// Rows that may be bad before the load stops. 0: the first bad row stops it.
    pub bad_rows_max: u64,
    /// Which way the graph goes into the store.
    pub path: LoadPath,
    /// What becomes of an N-Quads literal of an unknown datatype.
    pub unknown_types: UnknownTypes,
}

/// Ways into a store. Each makes the whole load visible at once, or nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadPath {
    /// The store's bulk load; N-Quads that name a vertex of the graph take the other one.
    #[default]
    Bulk,
    /// One transaction of any size, validated against the commits of others like any write.
    Transaction,
}
