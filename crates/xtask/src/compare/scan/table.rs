//! Answers side by side, and times in turn.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::measure::Runs;
use super::super::options::Options;
use super::answers::compare;
use super::databases::Asked;
use super::queries::Query;

/// Runs of all databases before their times count: a JVM compiles meanwhile.
const WARM_UP: Duration = Duration::from_secs(4);

/// A database, where it could be opened.
pub(super) struct Column<'a> {
    pub(super) name: &'static str,
    pub(super) asked: Option<&'a mut dyn Asked>,
}

/// The medians of a query in milliseconds: Neo4j, Kuzu, Millrace. NaN where there is none.
type Times = [f64; 3];

/// The rows so far, printed as they come.
pub(super) struct Table {
    warm_up: Duration,
    rows: Vec<(&'static str, Times)>,
    failures: Vec<String>,
}

impl Table {
    /// Prints the head.
    pub(super) fn begin() -> Table {
        println!("| query | Neo4j, ms | Kuzu, ms | Millrace, ms | × Neo4j | × Kuzu |");
        println!("|---|---:|---:|---:|---:|---:|");
        Table { warm_up: WARM_UP, rows: Vec::new(), failures: Vec::new() }
    }

    /// Adds a row. A query that fails, or that has two answers, has no times.
    pub(super) fn measure(&mut self, query: &Query, columns: &mut [Column<'_>; 3], runs: usize) {
        let name = query.name;
        match times(query, columns, self.warm_up, runs) {
            Ok(times) => {
                let [neo4j, kuzu, millrace] = times;
                let ratios = [millrace / neo4j, millrace / kuzu].map(shown);
                let times_shown = times.map(shown);
                println!("| {name} | {} | {} |", times_shown.join(" | "), ratios.join(" | "));
                self.rows.push((name, times));
            }
            Err(why) => {
                println!("| {name} | failed | – | – | – | – |");
                self.failures.push(format!("{name}: {why}"));
            }
        }
    }

    /// The same for programs.
    pub(super) fn json(&self, options: &Options) -> String {
        let row = |(name, [neo4j, kuzu, millrace]): &(&str, Times)| json!({ "name": name, "neo4j_ms": neo4j, "kuzu_ms": kuzu, "millrace_ms": millrace });
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let table = json!({
            "scale": options.scale, "runs": options.runs, "rows": rows, "failures": self.failures,
        });
        format!("{table:#}\n")
    }

    /// Says which queries are slower than those of another database; an error if a row failed.
    pub(super) fn end(self) -> Result<(), String> {
        for (at, name) in ["Neo4j", "Kuzu"].into_iter().enumerate() {
            let is_slower = |(_, times): &&(&str, Times)| times[at] < times[2];
            let slower: Vec<&str> =
                self.rows.iter().filter(is_slower).map(|(name, _)| *name).collect();
            if !slower.is_empty() {
                eprintln!("slower than {name}: {}", slower.join(", "));
            }
        }
        if self.failures.is_empty() { Ok(()) } else { Err(self.failures.join("\n")) }
    }
}

fn times(
    query: &Query,
    columns: &mut [Column<'_>; 3],
    warm_up: Duration,
    runs: usize,
) -> Result<Times, String> {
    let mut right: Option<(&str, Vec<Value>)> = None;
    for column in columns.iter_mut() {
        let Some(asked) = column.asked.as_mut() else { continue };
        let name = column.name;
        let rows = asked.rows(query).map_err(|error| format!("{name}: {error}"))?;
        match &right {
            None => right = Some((name, rows)),
            Some((other, expected)) => compare(expected, &rows, query.is_ordered())
                .map_err(|why| format!("{other} and {name} differ: {why}"))?,
        }
    }
    let began = Instant::now();
    let mut all: [Vec<f64>; 3] = Default::default();
    let mut is_warm = false;
    while all[2].len() < runs {
        for (column, times) in columns.iter_mut().zip(&mut all) {
            let Some(asked) = column.asked.as_mut() else { continue };
            let ms = asked.time(query).map_err(|error| format!("{}: {error}", column.name))?;
            if is_warm {
                times.push(ms);
            }
        }
        is_warm = is_warm || warm_up < began.elapsed();
    }
    Ok(all.map(|times| Runs(times).median()))
}

/// A figure, or a dash where the database was not there.
fn shown(figure: f64) -> String {
    if figure.is_nan() { "–".to_owned() } else { format!("{figure:.2}") }
}

#[cfg(test)]
mod tests {
    use super::super::queries::{LIKES, PEOPLE};
    use super::*;

    struct Fake {
        rows: Result<Value, String>,
        asked: usize,
    }

    impl Asked for Fake {
        fn rows(&mut self, _: &Query) -> Result<Vec<Value>, String> {
            Ok(vec![json!([self.rows.clone()?])])
        }

        fn time(&mut self, _: &Query) -> Result<f64, String> {
            self.asked += 1;
            Ok(self.asked as f64)
        }
    }

    fn fake(rows: Value) -> Fake {
        Fake { rows: Ok(rows), asked: 0 }
    }

    fn measured(fakes: [Option<&mut Fake>; 3], runs: usize) -> Table {
        let mut names = ["Neo4j", "Kuzu", "Millrace"].into_iter();
        let mut columns = fakes.map(|fake| Column {
            name: names.next().unwrap_or_default(),
            asked: fake.map(|fake| fake as &mut dyn Asked),
        });
        let mut table = Table { warm_up: Duration::ZERO, ..Table::begin() };
        table.measure(&PEOPLE[0], &mut columns, runs);
        table
    }

    #[test]
    fn times_are_medians_after_the_runs_that_warm_up() {
        let [mut neo4j, mut kuzu, mut own] = [json!(1.5), json!(1.5), json!(1.5)].map(fake);
        let table = measured([Some(&mut neo4j), Some(&mut kuzu), Some(&mut own)], 1);
        assert_eq!(table.rows, [("fold", [2.0, 2.0, 2.0])]);
        assert_eq!(table.end(), Ok(()));
    }

    #[test]
    fn answers_that_differ_fail_by_the_names_of_both() {
        let [mut neo4j, mut own] = [json!(7), json!(8)].map(fake);
        let table = measured([Some(&mut neo4j), None, Some(&mut own)], 1);
        assert_eq!((neo4j.asked, own.asked), (0, 0));
        assert_eq!(table.end(), Err("fold: Neo4j and Millrace differ: [7] and [8]".to_owned()));
        let mut broken = Fake { rows: Err("no memory".to_owned()), asked: 0 };
        let table = measured([None, Some(&mut broken), Some(&mut fake(json!(8)))], 1);
        assert_eq!(table.end(), Err("fold: Kuzu: no memory".to_owned()));
    }

    #[test]
    fn a_database_that_is_not_there_has_no_figure_in_the_json() {
        let rows = vec![("fold", [f64::NAN, 1.0, 2.0])];
        let table = Table { rows, ..Table::begin() };
        let text = ["--scan", "--runs", "2"].map(str::to_owned).into_iter();
        let options = Options::take(&mut crate::arguments::Arguments::new(text)).unwrap();
        let json: Value = serde_json::from_str(&table.json(&options)).unwrap();
        let row = json!({ "name": "fold", "neo4j_ms": null, "kuzu_ms": 1.0, "millrace_ms": 2.0 });
        assert_eq!((&json["rows"][0], &json["runs"]), (&row, &json!(2)));
    }

    #[test]
    fn names_are_unique_and_orders_are_known() {
        let mut names: Vec<&str> = PEOPLE.iter().chain(LIKES).map(|query| query.name).collect();
        let ordered = PEOPLE.iter().filter(|query| query.is_ordered()).map(|query| query.name);
        assert_eq!(ordered.collect::<Vec<_>>(), ["top", "edges.degree"]);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PEOPLE.len() + LIKES.len());
    }
}
