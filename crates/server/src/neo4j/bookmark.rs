//! Bookmarks: commits by the name of their graph and their position, as clients carry them from one transaction to
//! the next.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::{Database, Graph};
use millrace_model::{Error, ErrorKind, LogPosition, Result};

/// The beginning of each.
const PREFIX: &str = "millrace";

/// The bookmark of a commit.
pub(crate) fn write(graph: &str, position: LogPosition) -> String {
    format!("{PREFIX}:{graph}:{}", position.0)
}

/// A bookmark of a client.
pub(crate) struct Bookmark {
    graph: Arc<Graph>,
    position: LogPosition,
}

/// The bookmarks of commits that are not visible yet.
pub(crate) fn not_visible(database: &Database, texts: &[Arc<str>]) -> Result<Vec<Bookmark>> {
    let mut waiting = Vec::new();
    for text in texts {
        let mut parts = text.split(':');
        let (prefix, name, position) = (parts.next(), parts.next(), parts.next());
        let position = position.and_then(|position| position.parse().ok());
        let (Some(PREFIX), Some(name), Some(position), None) =
            (prefix, name, position, parts.next())
        else {
            return Err(invalid(text));
        };
        let position = LogPosition(position);
        let Some(graph) = database.find_graph(name)? else { return Err(invalid(text)) };
        if graph.visible_position() < position {
            waiting.push(Bookmark { graph, position });
        }
    }
    Ok(waiting)
}

/// Waits until all are visible.
pub(crate) fn wait(bookmarks: &[Bookmark], deadline: Option<Instant>) -> Result<()> {
    bookmarks.iter().try_for_each(|bookmark| {
        bookmark.graph.wait_until_visible(bookmark.position, deadline).map_err(|error| match error
            .kind
        {
            ErrorKind::DeadlineExceeded => {
                let detail = "the commit of a bookmark did not become visible in time";
                Error::new(ErrorKind::Unavailable, detail).with_name("BookmarkTimeout")
            }
            _ => error,
        })
    })
}

fn invalid(text: &str) -> Error {
    let shown: String = text.chars().take(40).collect();
    let detail = format!("`{}` is not a bookmark of this server", shown.escape_debug());
    Error::new(ErrorKind::BadInput, detail)
        .with_name("InvalidBookmark")
        .with_help("begin without the bookmarks of another server")
}

#[cfg(test)]
mod tests {
    use millrace_db::Settings;

    use super::*;

    #[test]
    fn a_bookmark_of_another_server_is_refused_and_a_visible_one_passes() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.create_graph("one").unwrap();
        let own = write("one", graph.visible_position());
        assert!(not_visible(&database, &[own.into()]).unwrap().is_empty());
        for text in ["", "FB:kcwQ", "millrace:g", "millrace:g:x", "millrace:h:1", "millrace:g:1:2"]
        {
            let error = not_visible(&database, &[text.into()]).err().unwrap();
            assert_eq!(error.name, Some("InvalidBookmark"), "{text}");
        }
        let later = write("one", LogPosition(u64::MAX));
        let waiting = not_visible(&database, &[later.into()]).unwrap();
        let error = wait(&waiting, Some(Instant::now())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable);
    }
}
