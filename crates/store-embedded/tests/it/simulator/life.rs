//! One seed: lives of one data folder, each ending badly, each judged by the state that the next
//! one finds.
//!
//! An error is not a failure. Each is compared with the faults that were injected: an error that
//! they explain is accepted, or ends the life; any other is the store's fault.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind};
use millrace_store::{Backend, Snapshot, Store};
use millrace_store_embedded::base::limits::{EDGE_RUNS_MAX, MERGE_PERCENT};
use millrace_store_embedded::io::Bug;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{Durability, EmbeddedBackend, Options};
use millrace_testkit::Rng;

use super::coverage::Coverage;
use super::history::History;
use super::judge::{Wrong, judge};
use super::load::Load;
use super::model::{Change, Model};
use super::schema::Names;
use super::script::Script;
use super::suspended::Suspended;

/// The lives of one folder.
pub(super) struct Life {
    pub(super) disk: SimDisk,
    pub(super) options: Options,
    is_async: bool,
    /// The graphs that were acknowledged, by name.
    pub(super) graphs: BTreeMap<&'static str, History>,
    /// Changes of unknown outcome: the last things before a crash.
    pub(super) unknown: Vec<Unknown>,
    /// The position up to which commits were acknowledged, or seen by a reader.
    pub(super) promised: u64,
    /// The position of the newest commit that was accepted, in any graph.
    pub(super) newest: u64,
    /// The position up to which a batch on disk vouches for the log.
    pub(super) vouched: u64,
    /// Whether the opening found a full disk.
    pub(super) opened_full: bool,
    /// The current action, for the report of a panic.
    pub(super) action: &'static str,
    /// Whether this life met an error that a fault explains.
    pub(super) met_errors: bool,
    /// Whether the last life ended in order.
    pub(super) closed: bool,
    /// The folder while it is open.
    pub(super) open: Option<Open>,
    pub(super) coverage: Coverage,
    /// The events so far, for the report of a failure.
    pub(super) story: Vec<String>,
}

/// The folder while it is open.
pub(super) struct Open {
    pub(super) backend: Arc<EmbeddedBackend>,
    pub(super) stores: BTreeMap<&'static str, Arc<dyn Store>>,
    pub(super) readers: Vec<Reader>,
    pub(super) loads: Vec<Load>,
    pub(super) suspended: Vec<Suspended>,
    /// Schema changes that were refused.
    pub(super) failed_schema_changes: Vec<FailedSchemaChange>,
    /// The visible position when the last checkpoint was done.
    pub(super) checkpointed: Option<u64>,
    /// A step that is not done for a while: which, and for how many actions more.
    pub(super) delayed: Option<(millrace_store_embedded::Step, u64)>,
}

/// A schema change that was refused. Writers keep to it until a record that takes it back is
/// visible.
pub(super) struct FailedSchemaChange {
    pub(super) graph: &'static str,
    pub(super) change: Change,
    /// The last position given when it was refused: that of the record, if there is one.
    pub(super) taken_back: u64,
}

impl Open {
    /// Whether writers keep to a schema change that was refused: the record that takes it back
    /// waits for room on the disk, or will never be.
    pub(super) fn is_binding(&self, failed: &FailedSchemaChange) -> bool {
        self.metric("millrace_log_position_visible") < failed.taken_back
            || self.metric("millrace_log_failed") != 0
    }

    /// One of the numbers that the store tells of itself.
    pub(super) fn metric(&self, wanted: &str) -> u64 {
        let metrics = self.backend.metrics();
        let found = metrics.iter().find(|(name, ..)| *name == wanted);
        found.expect("a number of that name is told").2 as u64
    }
}

/// An open snapshot, and the model that it must show for as long as it is open.
pub(super) struct Reader {
    pub(super) graph: &'static str,
    pub(super) snapshot: Arc<dyn Snapshot>,
    pub(super) names: Names,
    pub(super) model: Arc<Model>,
    /// Whether its graph was dropped since; another may have the name.
    pub(super) is_of_dropped: bool,
}

/// Something of which only the next opening tells the outcome.
pub(super) enum Unknown {
    Change(&'static str, Box<Change>),
    Made(&'static str),
    Dropped(&'static str),
}

/// Why a life ends.
pub(super) enum End {
    /// The machine failed, as it was told to.
    Crash,
    /// The store is wrong.
    Wrong(String),
}

pub(super) type Lived<T> = Result<T, End>;

/// The store is wrong.
pub(super) fn wrong<T>(message: impl Into<String>) -> Lived<T> {
    Err(End::Wrong(message.into()))
}

impl Life {
    /// A life on a new machine, perhaps with a bug injected into the store.
    pub(super) fn new(seed: u64, injected: Option<Bug>) -> Life {
        let mut rng = Rng::new(!seed);
        let disk = SimDisk::new(rng.next_u64());
        let mut coverage = Coverage::default();
        if rng.chance(0.3) {
            disk.set_sector_bytes(4096);
            coverage.note("disks with sectors of 4 KiB");
        }
        let mut options = options(&mut rng);
        if seed.is_multiple_of(3) {
            // An opening carries most of the log over.
            options.log.first_file_bytes = 128 << 10;
        }
        if rng.chance(0.15) && injected.is_none() {
            options.durability = Some(Durability::Async);
            coverage.note("async folders");
        }
        if rng.chance(0.25) {
            disk.copy_on_write();
            coverage.note("disks on which every write takes room");
        }
        let is_async = options.durability.is_some();
        if let Some(bug) = injected {
            disk.inject(bug);
        }
        Life {
            disk,
            options,
            is_async,
            graphs: BTreeMap::new(),
            unknown: Vec::new(),
            promised: 0,
            newest: 0,
            vouched: 0,
            opened_full: false,
            action: "open",
            met_errors: false,
            closed: false,
            open: None,
            coverage,
            story: Vec::new(),
        }
    }

    /// Plays a script; the error describes the fault of the store.
    pub(super) fn play(&mut self, script: &Script) -> Result<(), String> {
        let mut rng = Rng::new(script.seed);
        let mut played = self.reopen(&mut rng);
        for act in &script.acts {
            let mut rng = Rng::new(act.seed);
            match played {
                Err(End::Wrong(wrong)) => return Err(wrong),
                Err(End::Crash) if !act.action.ends_life => continue,
                Err(End::Crash) | Ok(()) => {}
            }
            self.count_delay();
            self.action = act.action.name;
            played = (act.action.play)(self, &mut rng);
            if played.is_ok() {
                played = self.note_visible();
            }
        }
        if !matches!(played, Err(End::Wrong(_))) {
            played = self.restart(&mut rng);
        }
        if played.is_ok() {
            played = self.check_open(true);
        }
        match played {
            Err(End::Wrong(wrong)) => Err(wrong),
            Err(End::Crash) => Err("the last opening failed without a fault".to_string()),
            Ok(()) => Ok(()),
        }
    }

    pub(super) fn tell(&mut self, what: impl std::fmt::Display) {
        self.story.push(what.to_string());
    }

    /// The open folder; actions are played only while there is one.
    pub(super) fn open(&mut self) -> &mut Open {
        self.open.as_mut().expect("the folder is open while actions are played")
    }

    /// A graph that is there, with its store.
    pub(super) fn any_graph(&mut self, rng: &mut Rng) -> (&'static str, Arc<dyn Store>) {
        let stores = &self.open().stores;
        let (name, store) =
            stores.iter().nth(rng.index(stores.len())).expect("one is always there");
        (name, Arc::clone(store))
    }

    pub(super) fn history(&mut self, graph: &str) -> &mut History {
        self.graphs.get_mut(graph).expect("an open graph has a history")
    }

    pub(super) fn names(&self, graph: &str) -> Names {
        self.graphs[graph].names.expect("names are interned when a graph is opened")
    }

    pub(super) fn is_async(&self) -> bool {
        self.is_async
    }

    /// Visible commits are promised, since a reader can see them.
    pub(super) fn note_visible(&mut self) -> Lived<()> {
        let Some(open) = &self.open else { return Ok(()) };
        let store = open.stores.values().next().expect("one is always there");
        let position = match store.snapshot() {
            Ok(snapshot) => snapshot.position().0,
            Err(error) => return self.bear(&error),
        };
        if position < self.promised {
            return wrong(format!("{position} is visible, and {} was before", self.promised));
        }
        self.promised = position;
        Ok(())
    }

    /// Requires a reader to show its model.
    pub(super) fn judge_reader(&mut self, reader: &Reader) -> Lived<()> {
        let position = reader.snapshot.position().0;
        self.promised = self.promised.max(position);
        match judge(&*reader.snapshot, reader.names, &reader.model) {
            Ok(()) => Ok(()),
            Err(Wrong::Unreadable(error)) if error.kind == ErrorKind::Conflict => {
                self.coverage.note("readers told that their snapshot is too old");
                Ok(())
            }
            Err(Wrong::Unreadable(error)) => self.bear(&error),
            Err(Wrong::Different(message)) => {
                wrong(format!("a reader of {} at {position}: {message}", reader.graph))
            }
        }
    }

    /// An error that the machine's faults explain is borne or ends the life; no other is.
    pub(super) fn bear(&mut self, error: &Error) -> Lived<()> {
        self.tell(format_args!("  error: {error:?}"));
        self.met_errors = true;
        self.note_failed_syncs();
        if self.disk.is_crashed() {
            return Err(End::Crash);
        }
        match error.kind {
            // Accepted means that there is room for it.
            ErrorKind::OutcomeUnknown if error.detail.contains("there is no room") => {
                wrong(format!("something accepted waits for room: {error:?}"))
            }
            ErrorKind::ReadOnly if error.detail.contains("nearly full") => {
                self.coverage.note("writes refused on a full disk");
                Ok(())
            }
            ErrorKind::ReadOnly | ErrorKind::OutcomeUnknown | ErrorKind::Unavailable => {
                self.coverage.note("writes refused after a fault");
                Ok(())
            }
            // A write or sync that was told to fail, outside of the log.
            ErrorKind::Io => Ok(()),
            _ => wrong(format!("an error without a fault: {error:?}")),
        }
    }

    /// The same, where nothing can go on.
    pub(super) fn end(&mut self, error: &Error) -> End {
        match self.bear(error) {
            Ok(()) | Err(End::Crash) => End::Crash,
            Err(wrong) => wrong,
        }
    }

    pub(super) fn note_failed_syncs(&mut self) {
        use millrace_store_embedded::folder::FileKind;
        for failed in self.disk.take_failed_syncs() {
            self.coverage.note(match failed.file {
                Some(FileKind::Log) | None => "failed syncs of the log",
                Some(FileKind::Segment) => "failed syncs of a segment",
                Some(FileKind::Spill) => "failed syncs of a spill file",
                Some(FileKind::Manifest) => "failed syncs of a manifest",
                Some(FileKind::Neighbours) => "failed syncs of a graph of neighbours",
            });
        }
    }

    fn count_delay(&mut self) {
        let Some(open) = &mut self.open else { return };
        open.delayed = open.delayed.and_then(|(step, left)| Some((step, left.checked_sub(1)?)));
    }
}

fn options(rng: &mut Rng) -> Options {
    let mut options = Options {
        id_block_size: *rng.pick(&[40_000, 1_000]),
        out_of_line_bytes_min: *rng.pick(&[1, 250, 1 << 20, 1 << 20]),
        segment_bytes_max: *rng.pick(&[0, 20_000, 1 << 30]),
        layer_rows_min: *rng.pick(&[1, 4, 1 << 20]),
        // Every checkpoint merges, none does that has a base, or those of much change do.
        merge_percent: *rng.pick(&[0, 1 << 40, MERGE_PERCENT, 5]),
        edge_runs_max: *rng.pick(&[EDGE_RUNS_MAX, EDGE_RUNS_MAX, 1, 3]),
        range_shard_bytes: *rng.pick(&[48, 400, 4 << 20]),
        conflict_bits: 12,
        ..Options::default()
    };
    options.log.first_file_bytes = 16 << 10;
    options.log.file_bytes = 32 << 10;
    options
}
