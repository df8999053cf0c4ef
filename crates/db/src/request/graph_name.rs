//! Which names a graph may have.

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::GRAPH_NAME_CHARS_MAX;

/// Names stand in paths of URLs and in messages.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let length = name.chars().count();
    // Clients and proxies resolve `.` and `..` in paths.
    let is_name = (1..=GRAPH_NAME_CHARS_MAX).contains(&length)
        && !name.starts_with('.')
        && name.chars().all(fits);
    if !is_name {
        let detail = format!("`{}` is not a valid graph name", name.escape_debug());
        let help = format!(
            "use 1 to {GRAPH_NAME_CHARS_MAX} letters, digits, `_`, `-` and `.`, not beginning with `.`"
        );
        return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
    }
    Ok(())
}
