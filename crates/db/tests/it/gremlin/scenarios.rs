//! Scenarios: the meaning of their lines, and how they are run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_db::Results;
use millrace_db::languages::gremlin::{ArgumentBinding, LANG};
use millrace_db::session::Request;
use millrace_db::{Database, Graph, Settings};
use millrace_gremlin::bytecode::Argument;
use millrace_model::{DetachedElements, Error, Value, profile};
use millrace_testkit::features::{self, Step};

use super::answers::same;
use super::graphs::{Graphs, Names, limits};
use super::literals::{self, argument, literal};

/// All scenarios, file by file.
pub(super) fn read(suite: &Path) -> Vec<features::Scenario> {
    let files = features::feature_files(&suite.join("test/features")).expect("as the suite has it");
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("as the suite has it");
        features::scenarios(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", file.display()))
    };
    files.iter().flat_map(read).collect()
}

/// The state of a scenario so far.
#[derive(Default)]
struct World {
    graph: String,
    texts: HashMap<String, String>,
    given: Vec<(String, String)>,
    /// The last readable values of parameters: their elements may be gone since.
    known: RefCell<HashMap<String, Argument>>,
    traversal: String,
    next: bool,
    answer: Option<Result<Vec<Value>, Error>>,
}

/// Runs a scenario; why it fails, if it does.
pub(super) fn run_scenario(scenario: &features::Scenario, graphs: &Graphs) -> Result<(), String> {
    let mut world = World::default();
    for step in &scenario.steps {
        if !world.step(step, graphs)? {
            return Ok(());
        }
    }
    Ok(())
}

impl World {
    /// One line; whether there is more to do.
    fn step(&mut self, step: &Step, graphs: &Graphs) -> Result<bool, String> {
        let text = step.text.as_str();
        let doc = || step.docstring.clone().unwrap_or_default();
        if let Some(name) = text.strip_prefix("the ").and_then(|rest| rest.strip_suffix(" graph")) {
            name.clone_into(&mut self.graph);
            graphs.get(name);
        } else if text == "an unsupported test" {
            return Ok(false);
        } else if text == "the graph initializer of" {
            self.ask(graphs, &doc())?.map_err(|error| format!("the initializer: {error}"))?;
        } else if let Some(rest) = text.strip_prefix("using the parameter ") {
            let (name, value) = rest.split_once(" defined as ").ok_or("a parameter of no form")?;
            self.texts.insert(name.to_owned(), unquoted(value));
        } else if let Some(rest) = text.strip_prefix("using the side effect ") {
            let (name, value) =
                rest.split_once(" defined as ").ok_or("a side effect of no form")?;
            self.given.push((name.to_owned(), unquoted(value)));
        } else if text == "the traversal of" {
            self.traversal = doc();
        } else if text == "iterated to list" || text == "iterated next" {
            self.next = text == "iterated next";
            self.answer = Some(self.ask(graphs, &self.traversal.clone())?);
        } else if let Some(rest) = text.strip_prefix("the graph should return ") {
            self.check_graph(graphs, rest)?;
        } else if text.starts_with("the traversal will raise an error") {
            self.check_error(text)?;
        } else if text.starts_with("the result should") {
            self.check_result(graphs, text, step)?;
        } else if !text.starts_with("nothing should happen because") {
            return Err(format!("a line that is not understood: {text}"));
        }
        Ok(true)
    }

    /// Runs a text; the outer error says that it was not run.
    fn ask(&self, graphs: &Graphs, text: &str) -> Result<Result<Vec<Value>, Error>, String> {
        let names = Names::of(&current(graphs, &self.graph));
        let mut values = HashMap::new();
        for (name, value) in &self.texts {
            // The element that a parameter names may be created by the text that uses the other parameters.
            let mut known = self.known.borrow_mut();
            match argument(value, &names) {
                Ok(value) => {
                    known.insert(name.clone(), value.clone());
                    values.insert(name.clone(), value);
                }
                Err(_) => {
                    let before = known.get(name).map(|value| (name.clone(), value.clone()));
                    values.extend(before);
                }
            }
        }
        let mut given = Vec::new();
        for (name, value) in &self.given {
            given.push((name.clone(), literal(value, &names)?));
        }
        Ok(run(graphs.database(), &self.graph, text, &values, &given))
    }

    fn check_graph(&self, graphs: &Graphs, rest: &str) -> Result<(), String> {
        let (count, text) = rest.split_once(" for count of ").ok_or("a count of no form")?;
        let text = format!("{}.count()", unquoted(text));
        let found = self.ask(graphs, &text)?.map_err(|error| format!("{text}: {error}"))?;
        let expected: i64 = count.parse().map_err(|_| "a count that is no number")?;
        if found == [Value::I64(expected)] {
            return Ok(());
        }
        Err(format!("{text} gives {found:?}, not {expected}"))
    }

    fn check_error(&self, text: &str) -> Result<(), String> {
        match &self.answer {
            Some(Err(error)) => {
                let Some((how, message)) = text.split_once(" text of ") else { return Ok(()) };
                let message = unquoted(message).to_lowercase();
                let found = error.to_string().to_lowercase();
                let fits = if how.ends_with("starting with") {
                    found.starts_with(&message)
                } else if how.ends_with("ending with") {
                    found.ends_with(&message)
                } else {
                    found.contains(&message)
                };
                if fits { Ok(()) } else { Err(format!("another error: {error}")) }
            }
            answer => Err(format!("no error but {answer:?}")),
        }
    }

    fn check_result(&self, graphs: &Graphs, text: &str, step: &Step) -> Result<(), String> {
        let found = match &self.answer {
            Some(Ok(values)) => values,
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err("nothing was asked".into()),
        };
        let found = match found.as_slice() {
            // The next of one collection is that collection's entries.
            [Value::List(entries), ..] if self.next => entries.to_vec(),
            [Value::Path(path), ..] if self.next => path.objects().into_owned(),
            [Value::Map(pairs), ..] if self.next && text.contains("a count of") => {
                pairs.iter().map(|pair| Value::map(vec![pair.clone()])).collect()
            }
            found => found.to_vec(),
        };
        let names = Names::of(&current(graphs, &self.graph));
        let rows = step.table.iter().skip(1);
        let cells: Vec<String> = rows.filter_map(|row| row.first().cloned()).collect();
        let expected =
            || cells.iter().map(|cell| literal(cell, &names)).collect::<Result<Vec<_>, _>>();
        if let Some(count) = text.strip_prefix("the result should have a count of ") {
            let expected: usize = count.parse().map_err(|_| "a count that is no number")?;
            let fits = found.len() == expected;
            return if fits {
                Ok(())
            } else {
                Err(format!("{} results, not {expected}", found.len()))
            };
        }
        match text {
            "the result should be a tree with a structure of" => {
                let text = step.docstring.clone().unwrap_or_default();
                let expected = literals::tree(&text, &names)?;
                match self.answer.as_ref().and_then(|answer| answer.as_ref().ok()) {
                    Some(found) if found.len() == 1 && same(&expected, &found[0]) => Ok(()),
                    found => Err(format!("{found:?}, not {expected:?}")),
                }
            }
            "the result should be a subgraph with the following" => {
                let expected = expected()?;
                let of = step.table.first().and_then(|row| row.first()).map_or("", String::as_str);
                match self.answer.as_ref().and_then(|answer| answer.as_ref().ok()?.first()) {
                    Some(Value::Subgraph(part)) => {
                        let vertices = part.vertices().iter().copied().map(Value::Vertex);
                        let edges = part.edges().iter().copied().map(Value::Edge);
                        let own: Vec<Value> =
                            if of == "edges" { edges.collect() } else { vertices.collect() };
                        let fits = unordered(&expected, &own);
                        if fits { Ok(()) } else { Err(format!("{own:?}, not {expected:?}")) }
                    }
                    found => Err(format!("{found:?} is no subgraph")),
                }
            }
            "the result should be empty" if found.is_empty() => Ok(()),
            "the result should be empty" => Err(format!("not empty: {found:?}")),
            "the result should be ordered" => {
                let expected = expected()?;
                let fits = expected.len() == found.len()
                    && expected.iter().zip(&found).all(|(left, right)| same(left, right));
                if fits { Ok(()) } else { Err(format!("{found:?}, not in order {expected:?}")) }
            }
            "the result should be unordered" => {
                let expected = expected()?;
                if unordered(&expected, &found) {
                    Ok(())
                } else {
                    Err(format!("{found:?}, not {expected:?}"))
                }
            }
            "the result should be of" => {
                let expected = expected()?;
                let fits = found.iter().all(|own| expected.iter().any(|other| same(other, own)));
                if fits { Ok(()) } else { Err(format!("{found:?}, not of {expected:?}")) }
            }
            other => Err(format!("a result that is not checked yet: {other}")),
        }
    }
}

fn current(graphs: &Graphs, name: &str) -> Arc<Graph> {
    graphs.open_graph(name)
}

fn unordered(expected: &[Value], found: &[Value]) -> bool {
    let mut left: Vec<&Value> = found.iter().collect();
    expected.len() == found.len()
        && expected.iter().all(|wanted| {
            let place = left.iter().position(|own| same(wanted, own));
            place.map(|place| left.remove(place)).is_some()
        })
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    inner.replace("\\\"", "\"")
}

/// A request in which `g` is a graph.
fn request(text: &str, graph: &str) -> Request {
    let mut request = Request::text(&LANG, text, &Settings::default().gremlin.graph, limits());
    request.graphs.aliases.push(("g".to_owned(), graph.to_owned()));
    request
}

/// The results of a text, as a server would have them.
pub(super) fn run(
    database: &Database,
    graph: &str,
    text: &str,
    values: &HashMap<String, Argument>,
    given: &[(String, Value)],
) -> Result<Vec<Value>, Error> {
    let mut bindings: Vec<(Arc<str>, Argument)> =
        values.iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone())).collect();
    let mut source = String::from("g");
    for (number, (name, value)) in given.iter().enumerate() {
        source.push_str(&format!(".withSideEffect('{name}', given{number})"));
        bindings.push((format!("given{number}").into(), Argument::Value(value.clone())));
    }
    let text = match (given.is_empty(), text.trim().strip_prefix('g')) {
        (false, Some(rest)) => format!("{source}{rest}"),
        _ => text.to_owned(),
    };
    let bind = |(name, argument)| (name, ArgumentBinding::of(argument));
    let bindings = bindings.into_iter().map(bind).collect();
    let request = Request { bindings, ..request(&text, graph) };
    let mut answer = Answer::default();
    if let Some(ticket) = database.run(&request, &mut answer)? {
        ticket.wait()?;
    }
    Ok(answer.values)
}

/// The metrics of a text that ends with `profile()`.
pub(super) fn profile(database: &Database, graph: &str, text: &str) -> profile::Profile {
    let request = request(text, graph);
    let mut metrics = Measured::default();
    let ticket = database.run(&request, &mut metrics).expect("it runs");
    if let Some(ticket) = ticket {
        ticket.wait().expect("it is durable");
    }
    metrics.0
}

/// The profile of a request.
#[derive(Default)]
struct Measured(profile::Profile);

impl Results for Measured {
    fn begin(&mut self, _streams: bool) {}

    fn take(&mut self, values: &[Value], _: &[u64], _: &DetachedElements) -> Result<(), Error> {
        panic!("only what it did is asked for: {values:?}")
    }

    fn take_profile(&mut self, metrics: &profile::Profile) -> Result<(), Error> {
        self.0 = metrics.clone();
        Ok(())
    }
}

/// Results, each as often as its bulk says.
#[derive(Default)]
struct Answer {
    values: Vec<Value>,
}

impl Results for Answer {
    fn begin(&mut self, _streams: bool) {
        self.values.clear();
    }

    fn take(
        &mut self,
        values: &[Value],
        bulks: &[u64],
        _shown: &DetachedElements,
    ) -> Result<(), Error> {
        for (value, bulk) in values.iter().zip(bulks) {
            self.values.extend((0..*bulk).map(|_| value.clone()));
        }
        Ok(())
    }

    fn take_profile(&mut self, metrics: &profile::Profile) -> Result<(), Error> {
        panic!("no scenario asks for what it did: {metrics:?}")
    }
}
