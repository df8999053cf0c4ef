//! Names that requests have for graphs: the graph of a name, and what to do where there is none.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::Database;
use crate::graph::Graph;
use crate::request::check_name;
use crate::settings::{COMMAND_DATABASE, CYPHER_DATABASE};

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

    /// The name that a name of Cypher's stands for, in which the case of ASCII letters means nothing: itself where a
    /// graph has exactly this name or a setting gives it a meaning, else the only one that differs in case. Itself
    /// also where several do, so that none of them is guessed.
    pub fn name_in_any_case<'a>(&self, name: &'a str) -> Result<Cow<'a, str>> {
        let settings = self.settings();
        let is_known = settings.is_reserved(name)
            || name == settings.cypher_graph()
            || name == settings.gremlin.graph
            || self.find_graph(name)?.is_some();
        if is_known {
            return Ok(Cow::Borrowed(name));
        }
        for own in [CYPHER_DATABASE, COMMAND_DATABASE] {
            if own.eq_ignore_ascii_case(name) {
                return Ok(Cow::Borrowed(own));
            }
        }
        let mut graphs = self.graphs();
        graphs.retain(|graph| graph.eq_ignore_ascii_case(name));
        match graphs.pop() {
            Some(only) if graphs.is_empty() => Ok(Cow::Owned(only)),
            _ => Ok(Cow::Borrowed(name)),
        }
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

    #[test]
    fn a_name_in_another_case_is_the_only_one_that_differs_so() {
        let database = Database::in_memory(Settings::default()).unwrap();
        for name in ["Films", "twice", "TWICE"] {
            database.create_graph(name).unwrap();
        }
        for (asked, meant) in [
            ("Films", "Films"),
            ("fILMS", "Films"),
            ("twice", "twice"),
            ("TWICE", "TWICE"),
            ("Twice", "Twice"),
            ("NEO4J", "neo4j"),
            ("System", "system"),
            ("other", "other"),
        ] {
            assert_eq!(database.name_in_any_case(asked).unwrap(), meant, "{asked}");
        }
    }
}
