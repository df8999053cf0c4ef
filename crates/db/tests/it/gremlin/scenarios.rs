//! Scenarios: what their lines ask for, and how they are run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use millrace_db::gremlin::text::{Expression, Language, RANDOM_UUID, parse};
use millrace_db::model::bytecode::{Argument, Instruction};
use millrace_db::model::{Error, Value};
use millrace_db::plan::Parameter;
use millrace_db::{Graph, gremlin};
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

/// What a scenario knows so far.
#[derive(Default)]
struct World {
    graph: String,
    texts: HashMap<String, String>,
    given: Vec<(String, String)>,
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
        let graph = current(graphs, &self.graph);
        let names = Names::of(&graph);
        // Whoever runs a script draws what it asks for without saying which.
        let drawn = Argument::Value(Value::Uuid([7; 16]));
        let mut values = HashMap::from([(RANDOM_UUID.to_owned(), drawn)]);
        for (name, value) in &self.texts {
            // What a parameter names may come to be by the text that uses others.
            if let Ok(value) = argument(value, &names) {
                values.insert(name.clone(), value);
            }
        }
        let mut given = Vec::new();
        for (name, value) in &self.given {
            given.push((name.clone(), literal(value, &names)?));
        }
        Ok(run(&graph, text, &values, &given))
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
            [Value::List(entries)] if self.next => entries.to_vec(),
            [Value::Path(path)] if self.next => path.objects.clone(),
            [Value::Map(pairs)] if self.next && text.contains("a count of") => {
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

fn current(graphs: &Graphs, name: &str) -> std::sync::Arc<Graph> {
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

/// The results of a text.
fn run(
    graph: &Graph,
    text: &str,
    values: &HashMap<String, Argument>,
    given: &[(String, Value)],
) -> Result<Vec<Value>, Error> {
    let script = parse(text, Language::Gremlin)?;
    let mut answer = Vec::new();
    for statement in &script.statements {
        let bound = statement.bind(&mut |name| values.get(name).cloned())?;
        let Expression::Traversal(mut traversal) = bound else { continue };
        traversal.bytecode.sources.extend(given.iter().map(|(name, value)| Instruction {
            name: "withSideEffect".into(),
            arguments: [Value::from(name.as_str()), value.clone()].map(Argument::Value).to_vec(),
            position: None,
        }));
        let translation = gremlin::translate(&traversal.bytecode)?;
        let parameters: Vec<Parameter> =
            translation.parameters.into_iter().map(|(_, value)| Parameter::Value(value)).collect();
        let batch =
            graph.write(&limits(), |runner| runner.run_once(&translation.plan, &parameters))?;
        answer.clear();
        for row in 0..batch.len {
            let Some(value) = batch.columns.first().and_then(|column| column.get(row)) else {
                continue;
            };
            for _ in 0..batch.weight(row) {
                answer.push(value.clone());
            }
        }
    }
    Ok(answer)
}
