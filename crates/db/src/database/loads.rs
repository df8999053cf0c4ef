//! Loads under way and ended, as `GET /load/{id}` shows them.
//!
//! A load runs on its caller's thread; its state is shared with all that ask for it. A load that failed,
//! was cancelled or killed leaves nothing in the graph, unless it was in batches; then it can be
//! resumed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_ingest::load::{Input, Phase, Progress, Summary};
use millrace_model::{Error, ErrorKind, Result, Value};
use parking_lot::Mutex;

use crate::graph::{Graph, LoadWay};
use crate::limits::{FINISHED_LOADS_MAX, LOADS_MAX, REJECTS_SHOWN_MAX};
use crate::monitoring::Counters;

/// All loads of a process.
pub struct Loads {
    states: Mutex<States>,
    cancelled: AtomicBool,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct States {
    last: u64,
    loads: BTreeMap<u64, LoadState>,
}

/// How a load is.
#[derive(Clone, Debug)]
struct LoadState {
    graph: String,
    progress: Option<Progress>,
    result: Option<std::result::Result<Summary, Error>>,
}

impl Loads {
    pub(crate) fn new(counters: Arc<Counters>) -> Loads {
        Loads { states: Mutex::default(), cancelled: AtomicBool::new(false), counters }
    }

    /// Runs a load to its end, keeping its state for [`Loads::show`]. Returns its number and its summary.
    /// `watch` sees each step and may stop it.
    pub fn run(
        &self,
        graph: &Graph,
        input: Input,
        way: impl Into<LoadWay>,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<(u64, Summary)> {
        let id = self.begin(graph.name())?;
        let result = graph.load(input, way, &mut |progress| {
            self.note(id, |state| state.progress = Some(progress.clone()));
            match self.cancelled.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => watch(progress),
            }
        });
        self.counters.load_ended(result.as_ref().map_or(0, |summary| summary.rows));
        self.note(id, |state| state.result = Some(result.clone()));
        result.map(|summary| (id, summary))
    }

    /// Replaces the summary of a load that has ended: what came behind it had something to say, too.
    pub fn note_summary(&self, id: u64, summary: &Summary) {
        self.note(id, |state| state.result = Some(Ok(summary.clone())));
    }

    fn begin(&self, graph: &str) -> Result<u64> {
        let mut states = self.states.lock();
        let running = states.loads.values().filter(|state| state.result.is_none()).count();
        if LOADS_MAX <= running {
            let detail = format!("{running} loads are running; the limit is {LOADS_MAX}");
            return Err(Error::new(ErrorKind::Unavailable, detail).with_help("try again later"));
        }
        if FINISHED_LOADS_MAX <= states.loads.len() {
            let ended = states.loads.iter().find(|(_, state)| state.result.is_some());
            if let Some(oldest) = ended.map(|(id, _)| *id) {
                states.loads.remove(&oldest);
            }
        }
        states.last += 1;
        let id = states.last;
        let state = LoadState { graph: graph.to_owned(), progress: None, result: None };
        states.loads.insert(id, state);
        Ok(id)
    }

    fn note(&self, id: u64, change: impl FnOnce(&mut LoadState)) {
        if let Some(state) = self.states.lock().loads.get_mut(&id) {
            change(state);
        }
    }

    /// The state of a load, as a plain value.
    pub fn show(&self, id: u64) -> Result<Value> {
        let states = self.states.lock();
        let state = states.loads.get(&id).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("there is no load {id} in this process"))
        })?;
        Ok(state.value(id))
    }

    /// The states of all loads that are remembered, oldest first.
    pub fn list(&self) -> Value {
        let states = self.states.lock();
        Value::list(states.loads.iter().map(|(id, state)| state.value(*id)).collect())
    }

    /// Stops all loads at their next step.
    pub(crate) fn cancel_all(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl LoadState {
    fn value(&self, id: u64) -> Value {
        let mut pairs = vec![
            ("id", whole(id)),
            ("graph", Value::from(self.graph.as_str())),
            ("state", Value::from(self.word())),
        ];
        match (&self.result, &self.progress) {
            (Some(Ok(summary)), _) => pairs.extend(summary_pairs(summary)),
            (Some(Err(error)), _) => pairs.push(("error", Value::from(error.to_string().as_str()))),
            (None, Some(progress)) => pairs.extend(progress_pairs(progress)),
            (None, None) => {}
        }
        Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
    }

    fn word(&self) -> &'static str {
        match (&self.result, &self.progress) {
            (Some(Ok(_)), _) => "done",
            (Some(Err(_)), _) => "failed",
            (None, Some(progress)) => phase_word(progress.phase),
            (None, None) => "starting",
        }
    }
}

/// The word of a phase.
pub fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Reading => "reading",
        Phase::Storing => "storing",
        Phase::Finishing => "finishing",
    }
}

/// A count as an integer value.
fn whole(count: u64) -> Value {
    Value::I64(i64::try_from(count).unwrap_or(i64::MAX))
}

/// How far a load is, by name.
pub fn progress_pairs(progress: &Progress) -> Vec<(&'static str, Value)> {
    let mut pairs = vec![("bytes", whole(progress.bytes))];
    pairs.extend(progress.bytes_total.map(|total| ("bytes_total", whole(total))));
    pairs.extend([
        ("rows", whole(progress.rows)),
        ("bad_rows", whole(progress.bad_rows)),
        ("vertices", whole(progress.vertices)),
        ("edges", whole(progress.edges)),
        ("seconds", Value::F64(progress.elapsed.as_secs_f64())),
        ("rows_per_second", Value::F64(progress.rate())),
    ]);
    pairs
}

/// A load's summary as pairs of name and value.
pub fn summary_pairs(summary: &Summary) -> Vec<(&'static str, Value)> {
    let rejects = summary.rejects.iter().take(REJECTS_SHOWN_MAX);
    let rejects = rejects.map(|row| Value::from(row.to_string().as_str())).collect();
    let notes = summary.notes.iter().map(|note| Value::from(note.as_str())).collect();
    vec![
        ("rows", whole(summary.rows)),
        ("bad_rows", whole(summary.bad_rows)),
        ("vertices", whole(summary.vertices)),
        ("edges", whole(summary.edges)),
        ("seconds", Value::F64(summary.elapsed.as_secs_f64())),
        ("rows_per_second", Value::F64(summary.rate())),
        ("rejects", Value::list(rejects)),
        ("notes", Value::list(notes)),
    ]
}

/// The shown state of a load. Bad rows with a stored reason have `file`, `line`, `column`, `detail`; the
/// others have `file` and `line`.
pub fn with_rejects(shown: Value, summary: &Summary) -> Value {
    let place = |file: &str, line: u64| {
        vec![(Value::from("file"), Value::from(file)), (Value::from("line"), whole(line))]
    };
    let kept = summary.rejects.iter().map(|row| {
        let mut pairs = place(&row.file, row.line);
        pairs.push((Value::from("column"), whole(row.column)));
        pairs.push((Value::from("detail"), Value::from(row.detail.as_str())));
        Value::map(pairs)
    });
    let more = summary.more_rejects.iter().map(|(file, line)| Value::map(place(file, *line)));
    let Value::Map(map) = &shown else { return shown };
    let pairs = map.iter().map(|(name, value)| (name.clone(), value.clone()));
    let rejected = (Value::from("rejected"), Value::list(kept.chain(more).collect()));
    Value::map(pairs.chain([rejected]).collect())
}
