//! Names that stand for a graph: those that the languages have for their default graph.
//!
//! `g` is the graph of `gremlin.graph`, `neo4j` that of `cypher.graph`, wherever a graph is named: in a request, a
//! load, a queue, a path, a setting. No graph is made or dropped under such a name, as no client would reach it. A
//! setting that names the graph itself (`gremlin.graph = "g"`) makes it an ordinary name; `system` never is one.

use millrace_model::{Error, ErrorKind, Result};

use super::Settings;

/// The name that Gremlin's texts have for their graph, and every request where it names none.
pub const DEFAULT_GRAPH: &str = "g";

/// The name of Cypher's default database.
pub const CYPHER_DATABASE: &str = "neo4j";

/// The database that Cypher's clients send commands to. It has no data, so no graph stands for it.
pub const COMMAND_DATABASE: &str = "system";

const NAMES: &[&str] = &[DEFAULT_GRAPH, CYPHER_DATABASE, COMMAND_DATABASE];

impl Settings {
    /// The name of the graph that is the database `neo4j`.
    pub fn cypher_graph(&self) -> &str {
        match self.cypher.graph.as_str() {
            "" => &self.gremlin.graph,
            own => own,
        }
    }

    /// The name of the graph that a name stands for, which usually is the name itself; none for
    /// [`COMMAND_DATABASE`].
    pub fn graph_named<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match name {
            COMMAND_DATABASE => None,
            _ if name == self.gremlin.graph || name == self.cypher_graph() => Some(name),
            DEFAULT_GRAPH => Some(&self.gremlin.graph),
            CYPHER_DATABASE => Some(self.cypher_graph()),
            _ => Some(name),
        }
    }

    /// The graph that a name stands for, if that is a graph of another name.
    pub fn alias_of<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.graph_named(name).filter(|graph| *graph != name)
    }

    /// Whether no graph can have this name, since it stands for another, or for none.
    pub fn is_reserved(&self, name: &str) -> bool {
        self.graph_named(name) != Some(name)
    }

    /// Why a graph of a name is not made, emptied or dropped.
    pub(crate) fn reserved(&self, name: &str) -> Error {
        let Some(graph) = self.graph_named(name) else {
            let detail =
                format!("the database `{name}` is for commands of Cypher and has no graph");
            return Error::new(ErrorKind::BadInput, detail).with_help("write another name");
        };
        let setting = if name == DEFAULT_GRAPH { "gremlin.graph" } else { "cypher.graph" };
        let detail =
            format!("the name `{name}` stands for the graph `{graph}`, by the setting `{setting}`");
        let help = format!("write `{graph}`, or another name");
        Error::new(ErrorKind::AlreadyExists, detail).with_help(help)
    }

    /// Refuses default graphs by which one name would stand for two graphs.
    pub(crate) fn check_graph_names(&self) -> Result<()> {
        let (gremlin, cypher) = (self.gremlin.graph.as_str(), self.cypher_graph());
        let wrong = [(gremlin, CYPHER_DATABASE, cypher), (cypher, DEFAULT_GRAPH, gremlin)];
        let wrong = wrong.into_iter().find(|(own, name, of)| own == name && own != of);
        if self.graph_named(&self.dql.graph).is_none() {
            let detail = format!("dql.graph is `{}`, which is no name of a graph", self.dql.graph);
            return Err(Error::new(ErrorKind::BadInput, detail).with_help("write another name"));
        }
        let Some((name, _, other)) = wrong else { return Ok(()) };
        let detail = format!(
            "gremlin.graph is `{gremlin}` and cypher.graph is `{cypher}`: the name `{name}` would stand for both"
        );
        let help = format!(
            "set both to `{name}`, or write another name than `{name}` (`{other}`, for example)"
        );
        Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
    }

    /// Names that [`Settings::graph_named`] may give another meaning.
    pub(crate) fn reserved_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        NAMES.iter().copied().filter(|name| self.is_reserved(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(gremlin: &str, cypher: &str) -> Settings {
        let mut settings = Settings::default();
        settings.gremlin.graph = gremlin.to_owned();
        settings.cypher.graph = cypher.to_owned();
        settings
    }

    #[test]
    fn names_of_languages_stand_for_the_graphs_of_the_settings() {
        let settings = settings("films", "");
        let named =
            ["g", "neo4j", "system", "films", "other"].map(|name| settings.graph_named(name));
        assert_eq!(named, [Some("films"), Some("films"), None, Some("films"), Some("other")]);
        assert_eq!(settings.reserved_names().collect::<Vec<_>>(), ["g", "neo4j", "system"]);
    }

    #[test]
    fn a_setting_that_names_the_graph_itself_makes_it_reachable() {
        let settings = settings("g", "neo4j");
        let named = ["g", "neo4j", "system"].map(|name| settings.graph_named(name));
        assert_eq!(named, [Some("g"), Some("neo4j"), None]);
        assert_eq!(settings.reserved_names().collect::<Vec<_>>(), ["system"]);
    }

    #[test]
    fn no_setting_makes_the_database_of_commands_a_graph() {
        for (gremlin, cypher) in [("system", ""), ("graph", "system")] {
            assert_eq!(settings(gremlin, cypher).graph_named("system"), None);
        }
    }

    #[test]
    fn one_name_for_two_graphs_is_refused() {
        for (gremlin, cypher) in [("neo4j", "films"), ("films", "g")] {
            let refused = settings(gremlin, cypher).check_graph_names().unwrap_err();
            assert!(refused.detail.contains("would stand for both"), "{refused}");
        }
        for (gremlin, cypher) in [("neo4j", ""), ("g", ""), ("g", "neo4j"), ("a", "b")] {
            settings(gremlin, cypher).check_graph_names().unwrap();
        }
    }
}
