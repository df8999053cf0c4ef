//! Words and ranges over the film data of `--films`, with indexes and without.

use std::path::Path;

use millrace_model::{Error, ErrorKind, Result};

use super::published::load;
use super::{answer, query, sound, wrong};
use crate::clients::http::Connection;
use crate::data::Scratch;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

/// Questions of one run, one behind the other.
const WORDS: [&str; 4] = ["love story", "night train", "secret garden", "last emperor"];
const YEARS: [&str; 4] = ["1921", "1948", "1975", "2001"];

/// Films by words of their names; the reference looks through all names.
pub(super) fn words(conditions: &Conditions) -> Result<Row> {
    let text = |words: &&str| format!("alloftext(name@en, \"{words}\")");
    let questions: Vec<String> = WORDS.iter().map(text).collect();
    beside_scan(conditions, "films.words", "name@en", &questions)
}

/// Films of a year; the reference looks through all dates.
pub(super) fn years(conditions: &Conditions) -> Result<Row> {
    let key = "initial_release_date";
    let text = |year: &&str| format!("between({key}, \"{year}-03-01\", \"{year}-03-31\")");
    let questions: Vec<String> = YEARS.iter().map(text).collect();
    beside_scan(conditions, "films.years", key, &questions)
}

fn beside_scan(conditions: &Conditions, row: &str, key: &str, questions: &[String]) -> Result<Row> {
    let none = || Error::new(ErrorKind::BadInput, format!("{row} wants --films FILE"));
    let file = conditions.films.as_deref().ok_or_else(none)?;
    let mut indexed = Films::open(
        conditions,
        &format!("{row}.indexed"),
        file,
        "name: string @index(fulltext) @lang .\ninitial_release_date: datetime @index(day) .\n",
        questions.iter().map(|question| format!("{{ q(func: {question}) {{ uid }} }}")).collect(),
    )?;
    let mut scanned = Films::open(
        conditions,
        row,
        file,
        "name: string @lang .\ninitial_release_date: datetime .\n",
        questions
            .iter()
            .map(|question| format!("{{ q(func: has({key})) @filter({question}) {{ uid }} }}"))
            .collect(),
    )?;
    let (by_index, by_scan) = (indexed.counts()?, scanned.counts()?);
    if by_index != by_scan || by_index.contains(&0) {
        return Err(wrong(format!("by index {by_index:?} nodes, by scan {by_scan:?}")));
    }
    let count = questions.len() as f64;
    let medians = measure::side_by_side(conditions.seconds, || indexed.ask(), || scanned.ask())?;
    Ok(Row::new(medians.value * 1e3 / count, Unit::Milliseconds)
        .beside(medians.reference * 1e3 / count))
}

/// The films with a schema, and what is asked.
struct Films {
    texts: Vec<String>,
    connection: Connection,
    served: Served,
    _folder: Scratch,
}

impl Films {
    fn open(
        conditions: &Conditions,
        name: &str,
        file: &Path,
        schema: &str,
        texts: Vec<String>,
    ) -> Result<Films> {
        let folder = Scratch::empty(&conditions.data, name)?;
        load(&[file], schema, folder.path())?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        let connection = Connection::open(served.dql())?;
        Ok(Films { texts, connection, served, _folder: folder })
    }

    /// How many nodes each answer has.
    fn counts(&self) -> Result<Vec<usize>> {
        let count = |text: &String| {
            let data = answer(&self.served, text)?;
            data["q"].as_array().map(Vec::len).ok_or_else(|| wrong(format!("{text}: {data}")))
        };
        self.texts.iter().map(count).collect()
    }

    fn ask(&mut self) -> Result<()> {
        for text in &self.texts {
            self.connection.send(&query(text))?;
            self.connection.receive(|answer| sound(answer).map(drop))?;
        }
        Ok(())
    }
}
