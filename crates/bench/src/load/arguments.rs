//! Checks of arguments that are numbers.

use millrace_model::{Error, ErrorKind, Result};

/// Refuses a number out of its bounds.
pub(crate) fn within(name: &str, value: f64, least: f64, most: f64) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::BadInput, format!("{name} is between {least} and {most}")))
}
