//! Answers side by side, and times in turn.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::measure::Runs;
use super::super::options::Options;
use super::databases::Asked;
use super::queries::Query;

/// Runs of a database before its times count: a JVM compiles meanwhile.
const WARM_UP: Duration = Duration::from_secs(2);

/// The rows so far, printed as they come.
#[derive(Default)]
pub(super) struct Table {
    failures: Vec<String>,
}

impl Table {
    /// Prints the head.
    pub(super) fn begin() -> Table {
        println!("| query | Neo4j, ms | Millrace, ms | × |\n|---|---:|---:|---:|");
        Table::default()
    }

    /// Adds a row. A query that fails, or that has two answers, has no times.
    pub(super) fn measure(
        &mut self,
        query: &Query,
        millrace: &mut dyn Asked,
        neo4j: Option<&mut (impl Asked + 'static)>,
        options: &Options,
    ) {
        let neo4j = neo4j.map(|neo4j| neo4j as &mut dyn Asked);
        match times(query, millrace, neo4j, options) {
            Ok([neo4j, millrace]) => {
                let ratio = shown(millrace / neo4j, 2);
                println!("| {} | {} | {millrace:.2} | {ratio} |", query.name, shown(neo4j, 2));
            }
            Err(why) => {
                println!("| {} | failed | – | – |", query.name);
                self.failures.push(format!("{}: {why}", query.name));
            }
        }
    }

    /// An error if a row failed.
    pub(super) fn end(self) -> Result<(), String> {
        if self.failures.is_empty() { Ok(()) } else { Err(self.failures.join("\n")) }
    }
}

/// The median times of Neo4j and Millrace, in milliseconds.
fn times(
    query: &Query,
    millrace: &mut dyn Asked,
    mut neo4j: Option<&mut dyn Asked>,
    options: &Options,
) -> Result<[f64; 2], String> {
    let began = Instant::now();
    let mut run = 0;
    while run < options.runs as u64 || began.elapsed() < WARM_UP {
        let own = ask(query, millrace, run).map_err(|error| format!("Millrace: {error}"))?.0;
        if let Some(neo4j) = neo4j.as_mut() {
            let right = ask(query, *neo4j, run).map_err(|error| format!("Neo4j: {error}"))?.0;
            if !is_same(query, &own, &right) {
                return Err(format!("Neo4j answers {right:?}, Millrace {own:?}"));
            }
        }
        run += 1;
    }
    let (mut own_runs, mut others) = (Vec::new(), Vec::new());
    for run in 0..options.runs as u64 {
        own_runs.push(ask(query, millrace, run)?.1);
        if let Some(neo4j) = neo4j.as_mut() {
            others.push(ask(query, *neo4j, run)?.1);
        }
    }
    Ok([others, own_runs].map(|runs| Runs(runs).median()))
}

fn is_same(query: &Query, own: &[Value], right: &[Value]) -> bool {
    if query.any_rows { own.len() == right.len() } else { own == right }
}

/// The rows, and the milliseconds they took.
fn ask(query: &Query, database: &mut dyn Asked, run: u64) -> Result<(Vec<Value>, f64), String> {
    let parameters = (query.parameters)(run);
    let began = Instant::now();
    let rows = database.rows(query.text, &parameters)?;
    Ok((rows, began.elapsed().as_secs_f64() * 1e3))
}

/// A figure, or a dash if Neo4j was not there.
fn shown(figure: f64, digits: usize) -> String {
    if figure.is_nan() { "–".to_owned() } else { format!("{figure:.digits$}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::queries::QUERIES;
    use super::*;

    struct Fake(Vec<Value>);

    impl Asked for Fake {
        fn rows(&mut self, _: &str, _: &Value) -> Result<Vec<Value>, String> {
            match &self.0[..] {
                [] => Err("no memory".to_owned()),
                rows => Ok(rows.to_vec()),
            }
        }
    }

    fn measured(query: &Query, own: &[i64], right: &[i64]) -> Result<(), String> {
        let fake = |rows: &[i64]| Fake(rows.iter().map(|row| json!([row])).collect());
        let text = ["--paths", "--runs", "2"].map(str::to_owned).into_iter();
        let options = Options::take(&mut crate::arguments::Arguments::new(text))?;
        let mut table = Table::begin();
        table.measure(query, &mut fake(own), Some(&mut fake(right)), &options);
        table.end()
    }

    #[test]
    fn answers_are_compared_and_of_any_rows_their_number() {
        let [limit, chain, ..] = &QUERIES;
        assert_eq!(measured(chain, &[7], &[7]), Ok(()));
        let failed = measured(chain, &[7], &[8]).unwrap_err();
        assert!(failed.starts_with("paths.chain: Neo4j answers [Array [Number(8)]]"), "{failed}");
        assert_eq!(measured(limit, &[7], &[8]), Ok(()));
        assert!(measured(limit, &[7], &[8, 9]).is_err());
        assert_eq!(measured(limit, &[7], &[]), Err("paths.limit: Neo4j: no memory".to_owned()));
    }
}
