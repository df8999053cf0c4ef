//! Cypher in an embedded database: whole statements, from text to rows.

mod acid;
mod alternatives;
mod apoc;
mod by_ids;
mod dynamic_names;
mod fulltext_index;
mod in_transactions;
mod joins;
mod load_csv;
mod long_lists;
mod long_names;
mod merged;
mod nested;
mod normal_forms;
mod ordered_reads;
mod point_index;
mod random;
mod random_indexes;
mod read_only;
mod refused;
mod repeated_paths;
mod sampled;
mod schema;
mod schema_transactions;
mod selected_paths;
mod shared_memory;
mod shows;
mod small_log;
mod smoke;
mod text_index;
mod three_languages;
mod unfit_for_indexes;
mod vector_index;

use std::time::{Duration, Instant};

use millrace_db::languages::Entry;
use millrace_db::plan::WriteCounts;
use millrace_db::session::Started;
use millrace_db::{Database, Query, RequestLimits, ResultHead, Results, Settings};
use millrace_model::{DetachedElements, Profile, Result, Value};

use crate::limits;

/// The rows of a result, as text.
#[derive(Default)]
struct Rows {
    width: usize,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    text: Option<String>,
    counts: WriteCounts,
}

impl Results for Rows {
    fn begin(&mut self, _streams: bool) {
        *self = Rows::default();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.width = head.width();
        let columns = head.columns.iter().flat_map(|columns| columns.iter());
        self.columns = columns.map(ToString::to_string).collect();
    }

    fn take(&mut self, values: &[Value], weights: &[u64], _: &DetachedElements) -> Result<()> {
        for (row, &weight) in values.chunks(self.width.max(1)).zip(weights) {
            self.rows.extend(std::iter::repeat_n(row.to_vec(), weight as usize));
        }
        Ok(())
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.counts = *counts;
    }

    fn take_explanation(&mut self, text: &str, _: Option<&Profile>) -> Result<()> {
        self.text = Some(text.to_owned());
        Ok(())
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.text = Some(format!("{profile:?}"));
        Ok(())
    }
}

struct Graph(Database);

impl Graph {
    fn new() -> Graph {
        Graph::with(Settings::default())
    }

    fn with(settings: Settings) -> Graph {
        let database = Database::in_memory(settings).expect("opens");
        database.create_graph("g1").expect("is made");
        Graph(database)
    }

    fn run(&self, text: &str) -> Result<Rows> {
        self.run_in("cypher", text)
    }

    fn run_in(&self, language: &str, text: &str) -> Result<Rows> {
        self.run_limited(language, text, limits())
    }

    /// The same with a deadline of its own.
    fn run_within(&self, text: &str, deadline: Duration) -> Result<Rows> {
        let limits = RequestLimits { deadline: Instant::now().checked_add(deadline), ..limits() };
        self.run_limited("cypher", text, limits)
    }

    fn run_limited(&self, language: &str, text: &str, limits: RequestLimits) -> Result<Rows> {
        let mut rows = Rows::default();
        let query = Query {
            language: Entry::of_name(language)?,
            graph: "g1".to_owned(),
            text: text.into(),
            parameters: Vec::new(),
            is_read_only: false,
            is_profiled: false,
            limits,
        };
        match self.0.query(&query, &mut rows)? {
            Started::Done(ticket) => ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop))?,
            Started::Streaming(mut stream) => while stream.next(&self.0, &mut rows)? {},
        }
        Ok(rows)
    }

    /// Its rows, entries with commas between; or its error.
    fn ask(&self, text: &str) -> Vec<String> {
        match self.run(text) {
            Ok(rows) => {
                let row = |row: &Vec<Value>| row.iter().map(shown).collect::<Vec<_>>().join(", ");
                rows.text.into_iter().chain(rows.rows.iter().map(row)).collect()
            }
            Err(error) => vec![format!("error {}: {error}", error.name.unwrap_or("-"))],
        }
    }
}

/// A value as a test writes it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::I64(number) => number.to_string(),
        Value::F64(number) => format!("{number:?}"),
        Value::String(text) => text.to_string(),
        Value::List(entries) => {
            format!("[{}]", entries.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| format!("{}: {}", shown(key), shown(value));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}
