//! The same graph three times: without indexes, with indexes in memory, and with indexes in a folder; and the steps that
//! all of them take.

use std::fmt;

use millrace_db::languages::Entry;
use millrace_db::plan::{Definition, OwnerName};
use millrace_db::session::ExplicitTransaction;
use millrace_db::{Database, Query, Settings};
use millrace_model::{ErrorKind, Result, Value};

use super::super::{Graph, Rows, shown};
use crate::limits;

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// A statement, in Cypher or Gremlin, with the same result in all graphs. Without an order its rows are sorted.
    Same {
        language: &'static str,
        text: String,
        is_ordered: bool,
    },
    /// One that the graphs with indexes answer, and the one that gives the same rows without.
    Search {
        asked: String,
        plain: String,
    },
    /// One for the graphs with indexes alone, which may fail.
    Schema(String),
    /// An index of made keys by its method.
    Made {
        label: &'static str,
        key: &'static str,
        method: &'static str,
    },
    Begin,
    Commit,
    RollBack,
    Checkpoint,
    Reopen,
}

/// A graph and its open transaction.
struct Instance {
    name: &'static str,
    graph: Option<Graph>,
    open: Option<ExplicitTransaction>,
}

/// The three.
pub(super) struct World {
    plain: Instance,
    indexed: Instance,
    stored: Instance,
    folder: tempfile::TempDir,
}

/// What a statement gave: its rows, or the kind and name of its error and the error.
#[derive(Debug)]
enum Outcome {
    Rows(Vec<String>),
    Failed(ErrorKind, Option<&'static str>, String),
}

impl PartialEq for Outcome {
    fn eq(&self, other: &Outcome) -> bool {
        match (self, other) {
            (Outcome::Rows(one), Outcome::Rows(other)) => one == other,
            // Of several rows with an error, any may be the first.
            (Outcome::Failed(kind, name, _), Outcome::Failed(other_kind, other_name, _)) => {
                (kind, name) == (other_kind, other_name)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Rows(rows) => write!(f, "{rows:?}"),
            Outcome::Failed(kind, name, error) => write!(f, "{kind:?}, {name:?}: {error}"),
        }
    }
}

impl Instance {
    fn graph(&self) -> &Graph {
        self.graph.as_ref().expect("it is open")
    }

    fn run(&mut self, language: &str, text: &str, is_ordered: bool) -> Outcome {
        match self.try_run(language, text) {
            Ok(rows) => {
                let row = |row: &Vec<Value>| row.iter().map(shown).collect::<Vec<_>>().join(", ");
                let mut lines: Vec<String> = rows.rows.iter().map(row).collect();
                if !is_ordered {
                    lines.sort();
                }
                lines.extend(rows.text);
                Outcome::Rows(lines)
            }
            Err(error) => {
                assert_ne!(error.kind, ErrorKind::Bug, "{}: {text}: {error}", self.name);
                Outcome::Failed(error.kind, error.name, error.to_string())
            }
        }
    }

    fn try_run(&mut self, language: &str, text: &str) -> Result<Rows> {
        let Some(transaction) = &mut self.open else { return self.graph().run_in(language, text) };
        let mut rows = Rows::default();
        let query = Query {
            language: Entry::of_name(language)?,
            graph: "g1".to_owned(),
            text: text.into(),
            parameters: Vec::new(),
            is_read_only: false,
            is_profiled: false,
            limits: limits(),
        };
        let graph = self.graph.as_ref().expect("it is open");
        let ran = graph.0.query_in(transaction, &query, &mut rows);
        if ran.is_err() {
            self.open = None;
        }
        ran.map(|()| rows)
    }

    fn commit(&mut self) -> Outcome {
        let Some(transaction) = self.open.take() else { return Outcome::Rows(Vec::new()) };
        let done = transaction.commit();
        let done = done.and_then(|ticket| ticket.map_or(Ok(()), |own| own.wait().map(drop)));
        match done {
            Ok(()) => Outcome::Rows(Vec::new()),
            Err(error) => Outcome::Failed(error.kind, error.name, error.to_string()),
        }
    }
}

fn opened_in(folder: &tempfile::TempDir) -> Graph {
    let mut settings = Settings::default();
    if std::fs::read_dir(folder.path()).is_ok_and(|mut entries| entries.next().is_none()) {
        settings.data.durability = "async".to_owned();
    }
    let graph = Graph(Database::open(folder.path(), settings).expect("it opens"));
    if graph.0.graphs().is_empty() {
        graph.0.create_graph("g1").expect("is made");
    }
    graph
}

impl World {
    pub(super) fn new() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let instance = |name, graph| Instance { name, graph: Some(graph), open: None };
        let stored = instance("in a folder", opened_in(&folder));
        let (plain, indexed) = (instance("plain", Graph::new()), instance("indexed", Graph::new()));
        World { plain, indexed, stored, folder }
    }

    /// Takes a step; what differs.
    pub(super) fn take(&mut self, step: &Step) -> std::result::Result<(), String> {
        match step {
            Step::Same { language, text, is_ordered } => {
                let expected = self.plain.run(language, text, *is_ordered);
                for instance in [&mut self.indexed, &mut self.stored] {
                    let found = instance.run(language, text, *is_ordered);
                    same(instance.name, text, &found, &expected)?;
                }
                // Errors ended the transactions of all.
                Ok(())
            }
            Step::Search { asked, plain } => {
                let expected = self.plain.run("cypher", plain, true);
                for instance in [&mut self.indexed, &mut self.stored] {
                    let found = instance.run("cypher", asked, true);
                    // While steps are taken out, its index may be gone.
                    if matches!(found, Outcome::Failed(ErrorKind::NotFound, ..)) {
                        continue;
                    }
                    same(instance.name, &format!("{asked}\n  as {plain}"), &found, &expected)?;
                }
                Ok(())
            }
            Step::Schema(text) => {
                self.indexed.run("cypher", text, true);
                self.stored.run("cypher", text, true);
                Ok(())
            }
            Step::Made { label, key, method } => {
                for instance in [&self.indexed, &self.stored] {
                    let definition = Definition::CreateMadeIndex {
                        owner: OwnerName::Label((*label).into()),
                        keys: vec![(*key).into()],
                        method: (*method).into(),
                    };
                    let graph = instance.graph().0.graph("g1").expect("it is there");
                    // It may be there.
                    let _ = graph.change_schema(&[definition], &limits());
                }
                Ok(())
            }
            Step::Begin => {
                for instance in self.instances() {
                    instance.open.get_or_insert_with(|| ExplicitTransaction::begin(false));
                }
                Ok(())
            }
            Step::Commit => {
                let expected = self.plain.commit();
                for instance in [&mut self.indexed, &mut self.stored] {
                    let found = instance.commit();
                    same(instance.name, "commit", &found, &expected)?;
                }
                Ok(())
            }
            Step::RollBack => {
                for instance in self.instances() {
                    if let Some(mut transaction) = instance.open.take() {
                        transaction.roll_back();
                    }
                }
                Ok(())
            }
            Step::Checkpoint => {
                self.stored.graph().0.checkpoint().map_err(|error| format!("checkpoint: {error}"))
            }
            Step::Reopen => {
                if self.stored.open.is_none() {
                    let graph = self.stored.graph.take().expect("it is open");
                    graph.0.close();
                    drop(graph);
                    self.stored.graph = Some(opened_in(&self.folder));
                }
                Ok(())
            }
        }
    }

    fn instances(&mut self) -> [&mut Instance; 3] {
        [&mut self.plain, &mut self.indexed, &mut self.stored]
    }

    /// Whether the graph with indexes answers a question by one.
    pub(super) fn is_by_index(&mut self, text: &str) -> bool {
        let Ok(rows) = self.indexed.graph().run(&format!("PROFILE {text}")) else {
            return false;
        };
        let profile = rows.text.unwrap_or_default();
        profile.contains("Index (") || profile.contains("in order of")
    }

    /// The plan, for a person.
    pub(super) fn explained(&mut self, step: &Step) -> String {
        let Step::Same { language: "cypher", text, .. } = step else { return String::new() };
        let plan = |instance: &Instance| instance.graph().ask(&format!("EXPLAIN {text}")).concat();
        format!("{}\n{}", plan(&self.plain), plan(&self.indexed))
    }
}

fn same(
    name: &str,
    text: &str,
    found: &Outcome,
    expected: &Outcome,
) -> std::result::Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{name}: {text}\n  found {found}\n  plain {expected}")),
    }
}
