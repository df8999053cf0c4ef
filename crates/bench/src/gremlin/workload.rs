//! The requests of a run: vertices added in one traversal, or a script of the user's own.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::gremlin::bytecode::Argument;
use millrace_wire::gremlin::{Language, Operation};

use millrace_model::random::SplitMix64;

/// Where values of a script stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Script {
    /// In variables: every request has the same text.
    #[default]
    Parameterized,
    /// In the text: every request has another one.
    Literal,
}

/// How a traversal ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum End {
    /// `count()`: a number is sent back.
    Count,
    /// `iterate()`: nothing is sent back.
    #[default]
    Iterate,
    /// `id()`: the id of the last vertex is sent back.
    Ids,
    /// Nothing: the last vertex is sent back, with the properties that the server returns.
    None,
}

/// The requests of a run.
#[derive(Clone, Debug)]
pub(super) struct Workload {
    kind: Kind,
    /// For reports.
    pub(super) shown: String,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Each of so many vertices has a name and an age in variables.
    Parameterized { script: Arc<str>, names: Vec<[Arc<str>; 2]> },
    /// In the text.
    Literal { batch: usize, end: &'static str },
    /// A script, with rows of values for its variables.
    Own { script: Arc<str>, names: Vec<Arc<str>>, rows: Vec<Vec<Value>> },
}

impl Workload {
    /// Adds vertices.
    pub(super) fn insert(batch: usize, script: Script, end: End) -> Workload {
        let (ending, back) = match end {
            End::Count => (".count()", "a count is sent back"),
            End::Iterate => (".iterate()", "nothing is sent back"),
            End::Ids => (".id()", "an id is sent back"),
            End::None => ("", "a vertex is sent back"),
        };
        let how = match script {
            Script::Parameterized => "with variables",
            Script::Literal => "each text different",
        };
        let shown = format!("{batch} vertices a request, {how}, {back}");
        let kind = match script {
            Script::Literal => Kind::Literal { batch, end: ending },
            Script::Parameterized => {
                let mut text = "g".to_owned();
                for at in 0..batch {
                    let _ = write!(
                        text,
                        ".addV('person').property('name',n{at}).property('age',a{at})"
                    );
                }
                text.push_str(ending);
                let names = |at| [format!("n{at}").into(), format!("a{at}").into()];
                Kind::Parameterized { script: text.into(), names: (0..batch).map(names).collect() }
            }
        };
        Workload { kind, shown }
    }

    /// A user's own script and values.
    pub(super) fn of_files(query: &Path, bindings: Option<&Path>) -> Result<Workload> {
        let script = read(query)?;
        let (names, rows) = match bindings {
            Some(file) => table(file, &read(file)?)?,
            None => (Vec::new(), Vec::new()),
        };
        let shown = format!("{}, {} rows of values", query.display(), rows.len());
        Ok(Workload { kind: Kind::Own { script: script.trim().into(), names, rows }, shown })
    }

    /// The request of a number. Equal numbers and states of the generator make equal requests.
    pub(super) fn operation(&self, number: u64, random: &mut SplitMix64) -> Operation {
        let (script, bindings) = match &self.kind {
            Kind::Parameterized { script, names } => (Arc::clone(script), variables(names, random)),
            Kind::Literal { batch, end } => (literal(*batch, end, number, random), Vec::new()),
            Kind::Own { script, names, rows } => {
                let row = rows.get((number % rows.len().max(1) as u64) as usize);
                let values = row.into_iter().flatten().cloned().map(Argument::Value);
                (Arc::clone(script), names.iter().cloned().zip(values).collect())
            }
        };
        Operation::Eval { script, language: Language::Groovy, bindings, session: None }
    }
}

fn variables(names: &[[Arc<str>; 2]], random: &mut SplitMix64) -> Vec<(Arc<str>, Argument)> {
    let mut bindings = Vec::with_capacity(2 * names.len());
    for [of_name, of_age] in names {
        let name = Value::string(&name(random));
        bindings.push((Arc::clone(of_name), Argument::Value(name)));
        bindings.push((Arc::clone(of_age), Argument::Value(Value::I32(age(random)))));
    }
    bindings
}

fn literal(batch: usize, end: &str, number: u64, random: &mut SplitMix64) -> Arc<str> {
    let mut text = "g".to_owned();
    for at in 0..batch {
        let (name, age) = (name(random), age(random));
        // The number of the request makes texts differ even where chance does not.
        let mark = if at == 0 { format!("-{number}") } else { String::new() };
        let _ =
            write!(text, ".addV('person').property('name','{name}{mark}').property('age',{age})");
    }
    text.push_str(end);
    text.into()
}

fn name(random: &mut SplitMix64) -> String {
    format!("person-{:016x}", random.next_u64())
}

fn age(random: &mut SplitMix64) -> i32 {
    random.below(100) as i32
}

fn read(file: &Path) -> Result<String> {
    let kind = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    };
    fs::read_to_string(file)
        .map_err(|error| Error::new(kind(&error), format!("{}: {error}", file.display())))
}

/// Names and rows of values.
type Table = (Vec<Arc<str>>, Vec<Vec<Value>>);

fn table(file: &Path, text: &str) -> Result<Table> {
    let bad = |line: usize, detail: String| {
        let detail = format!("{}:{line}: {detail}", file.display());
        Error::new(ErrorKind::BadInput, detail)
    };
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let (_, header) = lines.next().ok_or_else(|| bad(1, "there is no header".into()))?;
    let names: Vec<Arc<str>> = header.split(',').map(|name| name.trim().into()).collect();
    let mut rows = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        if text.contains('"') {
            return Err(bad(line, "quotes are not read here: values end at commas".into()));
        }
        let row: Vec<Value> = text.split(',').map(|field| value(field.trim())).collect();
        if row.len() != names.len() {
            let (found, expected) = (row.len(), names.len());
            return Err(bad(line, format!("{found} values, and the header names {expected}")));
        }
        rows.push(row);
    }
    match rows.is_empty() {
        true => Err(bad(1, "there are no values below the header".into())),
        false => Ok((names, rows)),
    }
}

/// A whole number, a fraction, true or false, or a text.
fn value(field: &str) -> Value {
    let int = || field.parse().ok().map(Value::I32);
    let long = || field.parse().ok().map(Value::I64);
    let looks_numeric = field.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let double = || field.parse().ok().filter(|_| looks_numeric).map(Value::F64);
    let truth = || field.parse().ok().map(Value::Bool);
    int().or_else(long).or_else(double).or_else(truth).unwrap_or_else(|| Value::string(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn script(operation: Operation) -> (String, usize) {
        match operation {
            Operation::Eval { script, bindings, .. } => (script.to_string(), bindings.len()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_batch_is_one_traversal_with_its_values_in_variables() {
        let workload = Workload::insert(2, Script::Parameterized, End::Count);
        let (text, bindings) = script(workload.operation(0, &mut SplitMix64::new(1)));
        assert_eq!(
            text,
            "g.addV('person').property('name',n0).property('age',a0)\
             .addV('person').property('name',n1).property('age',a1).count()"
        );
        assert_eq!(bindings, 4);
        let (again, _) = script(workload.operation(1, &mut SplitMix64::new(2)));
        assert_eq!(again, text);
    }

    #[test]
    fn no_two_literal_texts_are_equal_even_where_their_values_are() {
        let workload = Workload::insert(1, Script::Literal, End::None);
        let texts: HashSet<String> = (0..100)
            .map(|number| script(workload.operation(number, &mut SplitMix64::new(7))).0)
            .collect();
        assert_eq!(texts.len(), 100);
        assert!(
            texts.iter().all(|text| text.starts_with("g.addV('person').property('name','person-"))
        );
    }

    #[test]
    fn rows_of_values_are_taken_in_turn() {
        let folder = tempfile::tempdir().unwrap();
        let [query, values] = ["q.gremlin", "v.csv"].map(|name| folder.path().join(name));
        fs::write(&query, "g.V().has('name', x).limit(y)\n").unwrap();
        fs::write(&values, "x, y\nann, 1\nbob, 2.5\n").unwrap();
        let workload = Workload::of_files(&query, Some(&values)).unwrap();
        let bindings = |number| match workload.operation(number, &mut SplitMix64::new(1)) {
            Operation::Eval { bindings, .. } => bindings,
            other => panic!("{other:?}"),
        };
        assert_eq!(bindings(0), bindings(2));
        let second = [
            ("x".into(), Argument::Value("bob".into())),
            ("y".into(), Argument::Value(2.5.into())),
        ];
        assert_eq!(bindings(1), second);
        for (text, said) in [
            ("", "no header"),
            ("x\n", "no values"),
            ("x\n\"a\"\n", ":2: quotes"),
            ("x,y\n1\n", ":2: 1 values, and the header names 2"),
        ] {
            fs::write(&values, text).unwrap();
            let error = Workload::of_files(&query, Some(&values)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let error = Workload::of_files(&folder.path().join("none"), None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound);
    }
}
