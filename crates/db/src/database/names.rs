//! Names that requests have for graphs: the graph of a name, and what to do where there is none.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::Database;
use crate::graph::Graph;
use crate::request::check_name;

impl Database {
    /// The graph of a name; `NotFound` if there is none.
    pub fn graph(&self, name: &str) -> Result<Arc<Graph>> {
        self.find_graph(name)?.ok_or_else(|| {
            let error = Error::new(ErrorKind::NotFound, format!("there is no graph named {name}"));
            if self.is_read_only() {
                return error.with_help("the data folder is open to be read only, so none is made");
            }
            let known = format!("graphs: {}", self.graphs().join(", "));
            let how_to_make = format!("create it with PUT /graphs/{name} at the admin address (`listen.admin`), or POST /dbs/{name} at RageDB's");
            error.with_help(self.help_of_missing(name, &known, &how_to_make))
        })
    }

    /// What to do about a graph that is missing: the names that there are, and how to make it if that is possible.
    pub fn help_of_missing(&self, name: &str, known: &str, how_to_make: &str) -> String {
        let can_be_made = !self.is_read_only()
            && check_name(name).is_ok()
            && self.settings().graph_named(name).is_some();
        if can_be_made { format!("{known}; {how_to_make}") } else { known.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn only_a_name_that_a_graph_could_have_is_made() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let help = |name: &str| database.help_of_missing(name, "graphs: g", "make it");
        assert_eq!(["new", "g"].map(help), ["graphs: g; make it", "graphs: g; make it"]);
        assert_eq!(["system", "a b"].map(help), ["graphs: g", "graphs: g"]);
    }
}
