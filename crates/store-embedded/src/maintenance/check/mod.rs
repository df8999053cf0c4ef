//! The check of a data folder: checksums of files, then the invariants between them.
//!
//! ```text
//!   check_folder  lock ─> files: every checksum of every file
//!                      ─> manifest, segments, log replayed in memory, nothing written
//!                      ─> for each graph:
//!   EmbeddedBackend::check ──┘   partition  records, lists, edges, columns, counts of one image
//!                                directions out lists = in lists, over all partitions
//!                                indexes    entries = records; unique values; defined rules
//!                                reading    (deep) results of reads = the images
//! ```
//!
//! Both directions are compared by a sum of hashes for each pair of partitions, so the check needs
//! memory for pairs and not for edges; a pair that differs is read again to name the edges.
//!
//! A check never repairs and never writes. A folder that an open would repair by itself (a torn
//! tail of the log, files that nothing names) is sound.

mod directions;
mod external_ids;
mod files;
mod indexes;
mod partition;
mod reading;
mod report;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{LogPosition, Result};

use crate::checkpoint::OpenFolder;
use crate::folder::Folder;
use crate::graph::{Graph, GraphView};
use crate::io::Machine;
use crate::recovery;
use directions::Directions;
pub(crate) use files::verify_file;
pub use report::{Finding, GraphChecked, Report, Stage, Watch};
use report::{Findings, Watcher};

/// Checks a data folder that no process has open: every file, then every graph. Faults are in the
/// report; an error means that the check could not look: the folder is in use, is none, or `watch`
/// asked to stop.
pub fn check_folder(
    machine: &Machine,
    path: &Path,
    deep: bool,
    watch: Watch<'_>,
) -> Result<Report> {
    let folder = Arc::new(Folder::open_to_read(Arc::clone(&machine.disk), path)?);
    let mut findings = Findings::default();
    let mut watcher = Watcher::new(watch);
    let mut report = Report::default();
    let mut damaged = files::check(&folder, &mut report, &mut watcher)?;
    let read = recovery::read(&folder);
    if let Ok(read) = &read {
        damaged.retain(|(name, _)| read.named.contains(name));
    }
    damaged.into_iter().for_each(|(name, what)| findings.add(None, &name.to_string(), what));
    match read {
        Ok(read) => {
            if let Some(damaged) = &read.newer_damaged {
                let what = format!("{damaged}; the one before it, {}, was used", read.manifest);
                findings.add(None, "manifest", what);
            }
            report.position = read.log.position_last;
            let at = LogPosition(report.position);
            for graph in read.graphs.all() {
                report.graphs.push(check_graph(&graph, at, deep, &mut findings, &mut watcher)?);
            }
        }
        Err(error) if findings.tells(&error.detail) => {}
        Err(error) if is_damage(&error) => findings.add(None, "opening", error.to_string()),
        Err(error) => return Err(error),
    }
    Ok(report.with(findings))
}

/// Checks an open folder at the position that is visible now. Writers go on meanwhile; checkpoints
/// wait, because an image is merged from one root.
pub(crate) fn check_open(open: &OpenFolder, deep: bool, watch: Watch<'_>) -> Result<Report> {
    let _no_checkpoint = open.checkpoints.pause();
    let pin = open.pin();
    let mut findings = Findings::default();
    let mut watcher = Watcher::new(watch);
    let mut report = Report { position: pin.position(), ..Report::default() };
    for graph in open.graphs.all() {
        let at = LogPosition(pin.position());
        report.graphs.push(check_graph(&graph, at, deep, &mut findings, &mut watcher)?);
    }
    Ok(report.with(findings))
}

/// Whether an error says that stored data is not as it was written.
fn is_damage(error: &millrace_model::Error) -> bool {
    use millrace_model::ErrorKind::{Corrupt, Io};
    matches!(error.kind, Corrupt | Io)
}

/// A graph at a position, under check.
struct GraphCheck<'a, 'f, 'w, 'p> {
    view: GraphView<'a>,
    findings: &'f mut Findings,
    watcher: &'w mut Watcher<'p>,
    checked: GraphChecked,
}

fn check_graph(
    graph: &Graph,
    at: LogPosition,
    deep: bool,
    findings: &mut Findings,
    watcher: &mut Watcher<'_>,
) -> Result<GraphChecked> {
    let view = GraphView { graph, at, catalog: graph.catalog.at(at.0) };
    let checked = GraphChecked { name: graph.name.clone(), ..GraphChecked::default() };
    let mut check = GraphCheck { view, findings, watcher, checked };
    let mut directions = Directions::default();
    check.partitions(&mut directions)?;
    check.directions(&directions)?;
    check.rules_and_indexes()?;
    if deep {
        check.reading(&directions)?;
    }
    Ok(check.checked)
}

impl GraphCheck<'_, '_, '_, '_> {
    fn find(&mut self, place: impl std::fmt::Display, what: impl Into<String>) {
        self.findings.add(Some(&self.checked.name), &place.to_string(), what.into());
    }

    /// Turns damage met on the way into a finding; other errors end the check.
    fn met<T>(&mut self, place: impl std::fmt::Display, outcome: Result<T>) -> Result<Option<T>> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(error) if is_damage(&error) => {
                if !self.findings.tells(&error.detail) {
                    self.find(place, error.to_string());
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn partitions(&mut self, directions: &mut Directions) -> Result<()> {
        let graph = self.view.graph;
        let total = graph.partitions.iter().count() as u64;
        for (done, partition) in graph.partitions.iter().enumerate() {
            self.watcher.step(Stage::Partitions, &self.checked.name, done as u64, total)?;
            let place = format!("partition {}", partition.ordinal());
            let image = self.met(&place, partition.image_at(self.view.at))?;
            let Some(image) = image else { continue };
            let outcome = partition::check(self, &image, directions);
            self.met(&place, outcome)?;
        }
        self.watcher.step(Stage::Partitions, &self.checked.name, total, total)
    }
}

/// A watcher that lets the check run on.
pub fn quiet(_: Stage, _: &str, _: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
