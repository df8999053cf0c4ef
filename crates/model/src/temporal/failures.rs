//! The errors of functions on dates and times: the value or the fields are wrong.

use crate::errors::error::{Error, ErrorKind};

/// An error of the query, as all functions here raise it.
pub(super) fn bad(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}

/// A result beyond the years that dates have.
pub(super) fn out_of_range() -> Error {
    bad("the result is further off than there are dates")
        .with_help("years reach from -999999999 to 999999999")
}
