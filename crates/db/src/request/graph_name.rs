//! Which names a graph may have, and which none that a client names has.

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::GRAPH_NAME_CHARS_MAX;

/// How the name of a twin begins, which no client's name does: the graph that has what another one keeps while that is emptied.
pub(crate) const TWIN: &str = "emptied:";

/// The name of the twin of a graph.
pub(crate) fn twin_of(graph: &str) -> String {
    format!("{TWIN}{graph}")
}

/// Whether a graph is a twin, which clients do not see.
pub(crate) fn is_twin(name: &str) -> bool {
    name.starts_with(TWIN)
}

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
