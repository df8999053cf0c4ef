//! What a start would refuse of the graphs in its settings, as far as that is known before a folder is open.

use std::collections::BTreeSet;
use std::path::Path;

use millrace_ingest::source::Source;
use millrace_model::{Error, ErrorKind, Result};

use super::Database;
use crate::request::check_name;
use crate::settings::Settings;

impl Database {
    /// The names of graphs in settings under which no graph can be made.
    pub fn check_graph_names(settings: &Settings) -> Vec<Error> {
        let named = |setting: String, name: &str| {
            let checked = check_name(name).and_then(|()| match settings.graph_named(name) {
                Some(_) => Ok(()),
                None => Err(settings.reserved(name)),
            });
            checked.map_err(|error| of_setting(&setting, error)).err()
        };
        let defaults =
            [("gremlin.graph", &settings.gremlin.graph), ("cypher.graph", &settings.cypher.graph)];
        let defaults = defaults.into_iter().filter(|(_, name)| !name.is_empty());
        let defaults = defaults.filter_map(|(setting, name)| named(setting.to_owned(), name));
        let graphs = settings.graphs.iter().chain(&settings.isolations).chain(&settings.indexes);
        let graphs: BTreeSet<&str> = graphs.map(|(name, _)| name.as_str()).collect();
        let graphs = graphs.into_iter().filter_map(|name| named(format!("graphs.{name}"), name));
        defaults.chain(graphs).collect()
    }

    /// The files of settings that could not fill their graphs.
    pub fn check_graph_files(settings: &Settings) -> Vec<Error> {
        unreadable(settings, |_| true)
    }

    /// The same of the graphs that [`Database::make_graphs`] would fill: those that are empty.
    pub fn check_files_of_empty_graphs(&self) -> Vec<Error> {
        let has_vertices = |name: &str| self.graph_size(name).is_ok_and(|size| size.vertices != 0);
        unreadable(self.settings(), |name| !has_vertices(name))
    }
}

fn unreadable(settings: &Settings, is_read: impl Fn(&str) -> bool) -> Vec<Error> {
    let files = settings.graphs.iter().filter(|(name, file)| !file.is_empty() && is_read(name));
    let opened = |(name, file): &(String, String)| -> Result<()> {
        let opened = Source::file(Path::new(file)).map_err(Error::from);
        opened.map(drop).map_err(|error| of_setting(&format!("graphs.{name}"), error))
    };
    files.map(opened).filter_map(Result::err).collect()
}

/// An error of a setting: whatever is wrong with what it names, the setting is wrong.
fn of_setting(setting: &str, error: Error) -> Error {
    let detail = format!("{setting}: {}", error.detail);
    Error { kind: ErrorKind::BadInput, detail, ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_graphs_are_checked_by_their_settings() {
        let mut settings = Settings::default();
        assert_eq!(Database::check_graph_names(&settings), []);
        settings.gremlin.graph = "a b".to_owned();
        let own = |name: &str, file: &str| (name.to_owned(), file.to_owned());
        settings.graphs = vec![own("a/b", ""), own("g", "")];
        settings.isolations = vec![own("a/b", "snapshot"), own("system", "snapshot")];
        let wrong: Vec<String> =
            Database::check_graph_names(&settings).iter().map(Error::to_string).collect();
        let starts = ["gremlin.graph: `a b` is not", "graphs.a/b: `a/b` is not", "graphs.system: "];
        assert_eq!(wrong.len(), starts.len(), "{wrong:?}");
        assert!(wrong.iter().zip(starts).all(|(own, start)| own.starts_with(start)), "{wrong:?}");
        let mut settings = Settings::default();
        settings.gremlin.graph = "system".to_owned();
        settings.cypher.graph = "system".to_owned();
        let wrong: Vec<String> =
            Database::check_graph_names(&settings).iter().map(Error::to_string).collect();
        let starts =
            ["gremlin.graph: the database `system`", "cypher.graph: the database `system`"];
        assert_eq!(wrong.len(), starts.len(), "{wrong:?}");
        assert!(wrong.iter().zip(starts).all(|(own, start)| own.starts_with(start)), "{wrong:?}");
    }

    #[test]
    fn files_of_graphs_are_checked_by_their_settings() {
        let own = |name: &str, file: &str| (name.to_owned(), file.to_owned());
        let settings = Settings {
            graphs: vec![own("x", "no/file.json"), own("y", "/")],
            ..Settings::default()
        };
        let wrong: Vec<String> =
            Database::check_graph_files(&settings).iter().map(Error::to_string).collect();
        assert!(wrong[0].starts_with("graphs.x: no/file.json: there is no such file"), "{wrong:?}");
        assert!(wrong[1].starts_with("graphs.y: /: ") && wrong[1].contains("folder"), "{wrong:?}");
        assert_eq!(wrong.len(), 2);
    }
}
