//! Arguments of the program, which `cargo xtask tck` passes on.
//!
//! What an option means to a run never enters here.

use std::path::{Path, PathBuf};

use clap::Parser;
use millrace_testkit::shared;

/// Runs openCypher's compatibility scenarios over Bolt.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask tck")]
pub(crate) struct Arguments {
    /// The folder of the feature files; by default that of the shared suites.
    #[arg(long, value_name = "DIR")]
    features: Option<PathBuf>,
    /// The folder of the named graphs; by default that beside the features.
    #[arg(long, value_name = "DIR")]
    graphs: Option<PathBuf>,
    /// A server to run them on, such as bolt://127.0.0.1:7687. Its default graph is EMPTIED. By default servers
    /// inside this program.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The user to log in as.
    #[arg(long, value_name = "NAME", requires = "password")]
    pub(crate) user: Option<String>,
    /// The user's password.
    #[arg(long, value_name = "TEXT", requires = "user")]
    pub(crate) password: Option<String>,
    /// Only scenarios in folders with this in their path.
    #[arg(long, value_name = "NAME")]
    folder: Option<String>,
    /// Only scenarios with this in their id or name.
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,
    /// Show every failure, and the most frequent reasons.
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Detail names of errors count with --url, too. Neo4j does not send them.
    #[arg(long)]
    strict_names: bool,
    /// Detail names of errors do not count, but only the kind of an error.
    #[arg(long, conflicts_with = "strict_names")]
    lenient_names: bool,
    /// Remove scenarios that pass from the list of known failures; a missing list is written.
    #[arg(long)]
    pub(crate) record: bool,
    /// The list of known failures.
    #[arg(long, value_name = "FILE", default_value_os_t = default_list())]
    pub(crate) known: PathBuf,
    /// Threads, each with a server of its own; one with --url.
    #[arg(long, value_name = "COUNT")]
    jobs: Option<usize>,
}

impl Arguments {
    /// The folder of the feature files.
    pub(crate) fn features(&self) -> Result<PathBuf, String> {
        let shared = || shared().map(|shared| shared.join("suites/cypher/features"));
        let folder = self.features.clone().or_else(shared);
        folder.ok_or_else(|| "name the folder of the feature files: --features DIR".to_owned())
    }

    /// The folder of the named graphs.
    pub(crate) fn graphs(&self) -> Result<PathBuf, String> {
        match &self.graphs {
            Some(folder) => Ok(folder.clone()),
            None => Ok(self.features()?.join("../graphs")),
        }
    }

    /// Whether a scenario is to run.
    pub(crate) fn selects(&self, folder: &str, id: &str, name: &str) -> bool {
        let has = |text: &str, wanted: &Option<String>| {
            wanted.as_ref().is_none_or(|wanted| text.contains(wanted))
        };
        has(folder, &self.folder) && (has(id, &self.scenario) || has(name, &self.scenario))
    }

    /// Whether detail names of errors count: those of our own servers do.
    pub(crate) fn counts_names(&self) -> bool {
        self.strict_names || (self.url.is_none() && !self.lenient_names)
    }

    /// How many threads run scenarios.
    pub(crate) fn threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        match &self.url {
            Some(_) => 1,
            None => self.jobs.unwrap_or_else(processors).max(1),
        }
    }
}

fn default_list() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("known_failures.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Arguments {
        let words = std::iter::once("tck").chain(words.split_whitespace());
        Arguments::try_parse_from(words).expect("the options exist")
    }

    #[test]
    fn scenarios_are_selected_by_folder_and_by_id_or_name() {
        let arguments = parse("--folder temporal --scenario [3]");
        assert!(arguments.selects("expressions/temporal", "expressions/temporal/T1 [3]", ""));
        assert!(arguments.selects("expressions/temporal", "", "[3] Dates"));
        assert!(!arguments.selects("expressions/list", "", "[3] Dates"));
        assert!(!arguments.selects("expressions/temporal", "T1 [4]", "Dates"));
        assert!(parse("").selects("a", "b", "c"));
    }

    #[test]
    fn graphs_lie_beside_the_features_and_a_foreign_server_has_one_thread() {
        let arguments = parse("--features a/features --jobs 3");
        assert_eq!(arguments.graphs(), Ok(PathBuf::from("a/features/../graphs")));
        assert_eq!(arguments.threads(), 3);
        assert_eq!(parse("--jobs 3 --url bolt://127.0.0.1:7687").threads(), 1);
        assert!(parse("").counts_names() && !parse("--lenient-names").counts_names());
        assert!(!parse("--url bolt://127.0.0.1:7687").counts_names());
        assert!(parse("--url bolt://127.0.0.1:7687 --strict-names").counts_names());
        assert!(Arguments::try_parse_from(["tck", "--user", "ann"]).is_err());
        assert!(Arguments::try_parse_from(["tck", "--sedes"]).is_err());
    }
}
