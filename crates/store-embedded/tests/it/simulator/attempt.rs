//! A transaction on its way: its reads, its writes and its possible outcomes.

use std::sync::Arc;

use millrace_model::{EdgeId, Error, ErrorKind, LogPosition, Result, VertexId};
use millrace_store::{
    Changes, ConflictUnit, Isolation, ReadUnit, SpilledChanges, Store, WriteBatch,
};
use millrace_testkit::Rng;

use super::life::{End, FailedSchemaChange, Life, Lived, Unknown, wrong};
use super::model::{Change, Model};
use super::overlap::Kind;
use super::reads::Read;
use super::suspended::{Answer, Suspended};

/// Edge ids from here on are of the overflow partitions of their partition.
const OVERFLOW: u64 = 1 << 48;

/// A transaction on its way.
pub(super) struct Attempt {
    /// Its name in the story.
    pub(super) what: &'static str,
    pub(super) graph: &'static str,
    /// Its row in the matrix of overlaps.
    pub(super) kind: Option<Kind>,
    /// The position of its snapshot.
    pub(super) snapshot: u64,
    pub(super) change: Change,
    /// Its reads, if it is serializable.
    pub(super) reads: Vec<Read>,
    /// The key that it looked for, did not find, and makes.
    pub(super) claim: Option<u64>,
    /// Parts of it that lie in files, kept until its outcome is known.
    pub(super) spilled: Vec<Arc<dyn SpilledChanges>>,
    /// Definitions under way when it came to be committed.
    pub(super) beside: Vec<Change>,
    /// The promised position when it came to be committed. It is judged by that state or a later
    /// one, and may be suspended after that.
    pub(super) promised: u64,
}

/// Where a transaction begins: a graph as some snapshot shows it.
pub(super) struct Begun {
    pub(super) graph: &'static str,
    pub(super) store: Arc<dyn Store>,
    pub(super) snapshot: u64,
    pub(super) model: Arc<Model>,
}

impl Life {
    /// Begins a transaction: now, or some commits ago.
    pub(super) fn begin(&mut self, rng: &mut Rng) -> Lived<Begun> {
        let (graph, store) = self.any_graph(rng);
        let is_of_graph =
            |reader: &&super::life::Reader| reader.graph == graph && !reader.is_of_dropped;
        let old = rng.chance(0.4);
        let old = self.open().readers.iter().find(is_of_graph).filter(|_| old);
        if let Some(reader) = old {
            let (snapshot, model) = (reader.snapshot.position().0, Arc::clone(&reader.model));
            self.coverage.note("commits from an old snapshot");
            return Ok(Begun { graph, store, snapshot, model });
        }
        let snapshot = store.snapshot().map_err(|error| self.end(&error))?.position().0;
        let model = self.history(graph).at(snapshot);
        Ok(Begun { graph, store, snapshot, model })
    }

    /// Takes fresh vertex ids; none if that is not possible now.
    pub(super) fn lease(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        wanted: u64,
    ) -> Lived<Option<Vec<u64>>> {
        if wanted == 0 {
            return Ok(Some(Vec::new()));
        }
        // Now and then a large gap, so that vertices lie in several partitions. Where there are
        // external ids, each internal id is sought among them, which costs more than all else.
        let has_external = !self.history(begun.graph).given.is_empty();
        let gaps = if has_external { 0.01 } else { 0.1 };
        let skipped = if rng.chance(gaps) { 30_000 } else { 0 };
        let ranges = match begun.store.lease_vertices(wanted + skipped) {
            Ok(ranges) => ranges,
            Err(error) => return self.bear(&error).map(|()| None),
        };
        let ids: Vec<u64> = ranges.into_iter().flatten().skip(skipped as usize).collect();
        self.check_leased(begun.graph, &ids)?;
        let history = self.history(begun.graph);
        let known = std::mem::replace(&mut history.leased, ids[ids.len() - 1] + 1);
        if ids[0] < known || ids[0] == 0 {
            return wrong(format!("vertex {} was leased twice", ids[0]));
        }
        Ok(Some(ids))
    }

    /// Commits the changes of an attempt, perhaps suspended on its way.
    pub(super) fn commit(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        mut attempt: Attempt,
    ) -> Lived<()> {
        self.note_overlaps(&attempt);
        self.come_to_commit(&mut attempt);
        if !self.choose_edge_ids(rng, begun, &mut attempt.change)?
            || !self.give_edge_ids(begun, &mut attempt.change)?
        {
            return Ok(());
        }
        let Some(batch) = self.batch(rng, begun, &attempt)? else { return Ok(()) };
        let may_be_out_of_line =
            !batch.spilled.is_empty() || self.options.out_of_line_bytes_min < 1 << 20;
        let store = Arc::clone(&begun.store);
        if may_be_out_of_line && !attempt.change.is_empty() {
            self.coverage.note("out-of-line commits beside the log");
        }
        if may_be_out_of_line || !self.open().suspended.is_empty() {
            attempt.spilled.clone_from(&batch.spilled);
            self.run_suspendable(rng, Some(attempt), move || Answer::Commit(store.commit(batch)))
        } else {
            let outcome = store.commit(batch).map(|ticket| ticket.position.0);
            self.judge_commit(attempt, outcome)
        }
    }

    /// Notes the states that an attempt may be judged by, just before it is.
    pub(super) fn come_to_commit(&mut self, attempt: &mut Attempt) {
        attempt.beside = self.schema_changes_meanwhile(attempt.graph);
        attempt.promised = self.promised;
    }

    /// Whether work of a graph is suspended.
    pub(super) fn is_suspended(&mut self, graph: &str) -> bool {
        let of_graph = |suspended: &Suspended| {
            suspended.attempt.as_ref().is_some_and(|own| own.graph == graph)
        };
        self.open().suspended.iter().any(of_graph)
    }

    /// Definitions that bind writers of a graph although they are not committed: schema changes
    /// under way, and those that failed and are not taken back yet, as the log takes nothing or
    /// waits for room.
    pub(super) fn schema_changes_meanwhile(&self, graph: &str) -> Vec<Change> {
        let Some(open) = &self.open else { return Vec::new() };
        let attempts = open.suspended.iter().filter_map(|suspended| suspended.attempt.as_ref());
        let changing = attempts.filter(|own| own.graph == graph && own.change.changes_schema());
        let under_way = changing.map(|own| *own.change.schema_part());
        let failed = open.failed_schema_changes.iter().filter(|failed| failed.graph == graph);
        let binding = failed.filter(|failed| open.is_binding(failed));
        under_way.chain(binding.map(|failed| failed.change.clone())).collect()
    }

    fn note_overlaps(&mut self, attempt: &Attempt) {
        let Some(kind) = attempt.kind else { return };
        let history = &self.graphs[attempt.graph];
        let mut overtakers: Vec<Kind> = history.kinds_after(attempt.snapshot).collect();
        overtakers.sort_unstable();
        overtakers.dedup();
        overtakers.into_iter().for_each(|other| self.coverage.overlaps.note(kind, other));
        let suspended: Vec<Kind> =
            self.open().suspended.iter().filter_map(Suspended::kind).collect();
        suspended.into_iter().for_each(|other| self.coverage.overlaps.note(other, kind));
    }

    /// Whether there are ids for the edges.
    fn give_edge_ids(&mut self, begun: &Begun, change: &mut Change) -> Lived<bool> {
        let names = self.names(begun.graph);
        for kind in 0..names.types.len() {
            let rows = 0..change.edges.len();
            let of_kind: Vec<usize> =
                rows.filter(|row| change.edges[*row].1.kind == kind).collect();
            let sources: Vec<VertexId> =
                of_kind.iter().map(|row| VertexId(change.edges[*row].1.source)).collect();
            let ids: Vec<EdgeId> = match begun.store.lease_edges(names.types[kind], &sources) {
                Ok(ids) => ids,
                Err(error) => return self.bear(&error).map(|()| false),
            };
            for (row, id) in of_kind.into_iter().zip(ids) {
                change.edges[row].0 = Some(id.0);
            }
        }
        Ok(true)
    }

    /// The batch; a part of some is spilled first.
    fn batch(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        attempt: &Attempt,
    ) -> Lived<Option<WriteBatch>> {
        let names = self.names(begun.graph);
        let catalog = begun.store.snapshot().map_err(|error| self.end(&error))?.catalog();
        let reads: Vec<ReadUnit> =
            attempt.reads.iter().filter_map(|read| read.unit(names, &catalog)).collect();
        let mut changes = attempt.change.for_store(names, &catalog);
        let mut spilled = Vec::new();
        if rng.chance(0.1) && changes.catalog.is_empty() && !changes.vertices.is_empty() {
            let vertices = std::mem::take(&mut changes.vertices);
            match begun.store.spill(Changes { vertices, ..Changes::default() }) {
                Ok(part) => spilled.push(part),
                Err(error) => return self.bear(&error).map(|()| None),
            }
            self.coverage.note("spilled parts");
        }
        let isolation =
            if reads.is_empty() { Isolation::Snapshot } else { Isolation::Serializable };
        Ok(Some(WriteBatch {
            snapshot: LogPosition(attempt.snapshot),
            catalog_version: catalog.version,
            isolation,
            reads,
            claims: attempt.claim.into_iter().collect(),
            ticket: None,
            origin: None,
            unit: ConflictUnit::Record,
            spilled,
            changes,
        }))
    }

    /// A commit was accepted or refused.
    pub(super) fn judge_commit(&mut self, attempt: Attempt, outcome: Result<u64>) -> Lived<()> {
        match outcome {
            Ok(position) => self.accept(position, &attempt),
            Err(error) => self.refused(&error, attempt),
        }
    }

    /// Judges an accepted attempt by the order of commits: its changes must be allowed there, and
    /// its reads still hold.
    pub(super) fn accept(&mut self, position: u64, attempt: &Attempt) -> Lived<()> {
        let Attempt { what, graph, kind, snapshot, change, reads, claim, .. } = attempt;
        self.tell(format_args!("{what} in {graph}, commit {position} from {snapshot}: {change:?}"));
        if change.is_empty() && claim.is_none() {
            return Ok(());
        }
        let names = self.names(graph);
        let history = self.history(graph);
        let (before, began) = (history.newest(), history.at(*snapshot));
        for read in reads {
            if read.look(names, &before) != read.look(names, &began) {
                return wrong(format!("commit {position} read {read:?}, which had changed"));
            }
        }
        if claim.is_some_and(|key| history.merged_after(*snapshot, key)) {
            return wrong(format!("commit {position} merged what another one had merged"));
        }
        let after = before.after(change);
        let after = after.or_else(|message| wrong(format!("commit {position}: {message}")))?;
        self.note_external(attempt, &before, &after);
        self.note_edge_choices(change);
        let history = self.history(graph);
        history.push(position, after, *kind, *claim).or_else(wrong)?;
        self.newest = position;
        self.coverage.note("commits");
        let is_overflow = |id: Option<u64>| id.is_some_and(|id| OVERFLOW <= id);
        let overflow = change.edges.iter().filter(|(id, _)| is_overflow(*id)).count();
        self.coverage.note_many("edges of overflow partitions", overflow as u64);
        if *kind == Some(Kind::BulkLoad) {
            self.coverage.note_many("loaded edges of overflow partitions", overflow as u64);
        }
        Ok(())
    }

    /// A load had a write conflict over a number: a client chose one that no edge of the graph has,
    /// or the internal id of a vertex that the load makes.
    fn chose_an_internal_id(
        &mut self,
        graph: &'static str,
        change: &Change,
        message: &str,
    ) -> Lived<()> {
        let newest = self.history(graph).newest();
        let is_chosen = |internal_id: u64| {
            newest.vertices.values().any(|own| own.external == Some(internal_id))
        };
        let mut own = change.vertices.iter().filter(|(_, vertex)| vertex.external.is_none());
        if own.any(|(internal_id, _)| is_chosen(*internal_id)) {
            self.coverage.note("loads whose vertices' numbers were chosen");
            return Ok(());
        }
        self.coverage.note("loads whose edges' numbers were chosen");
        let mut chosen = newest.edges.values().filter_map(|edge| edge.external);
        match chosen.any(|number| !newest.edges.contains_key(&number)) {
            true => Ok(()),
            false => wrong(format!("nobody chose a number, and yet: {message}")),
        }
    }

    /// A refusal must have a reason; an unknown outcome must be resolved by the next life.
    pub(super) fn refused(&mut self, error: &Error, attempt: Attempt) -> Lived<()> {
        self.note_lost_external(error, &attempt);
        let Attempt { what, graph, kind, snapshot, change, mut beside, promised, .. } = attempt;
        self.tell(format_args!(
            "{what} in {graph} from {snapshot}, refused: {change:?}: {error:?}"
        ));
        if change.changes_schema() {
            // Its first records are withdrawn by a later one, which may conflict with others.
            self.newest = u64::MAX;
            let taken_back = self.open().metric("millrace_log_position_assigned");
            let change = *change.schema_part();
            self.open().failed_schema_changes.push(FailedSchemaChange {
                graph,
                change,
                taken_back,
            });
        }
        match error.kind {
            ErrorKind::Conflict => {
                self.coverage.note("conflicts");
                if kind == Some(Kind::BulkLoad) && error.write_conflict.is_none() {
                    return self.chose_an_internal_id(graph, &change, &error.detail);
                }
                let newest = self.newest;
                let is_alone = self.open().suspended.is_empty() && self.unknown.is_empty();
                if newest <= snapshot && is_alone && !self.disk.is_crashed() {
                    return wrong(format!("nobody was first, and yet: {error}"));
                }
                Ok(())
            }
            ErrorKind::NotFound | ErrorKind::Constraint | ErrorKind::AlreadyExists => {
                // A schema change binds writers before it is committed, and if it never is.
                beside.extend(self.schema_changes_meanwhile(graph));
                let forbids = |model: &Model| {
                    let under = |defined: &Change| {
                        let mut change = change.clone();
                        change.creates.extend(&defined.creates);
                        change.rules.extend(&defined.rules);
                        model.after(&change).is_err()
                    };
                    model.after(&change).is_err() || beside.iter().any(under)
                };
                let history = self.history(graph);
                // Any state since the earliest that it may be judged by can be the one that forbade
                // it.
                if forbids(&history.at(promised)) || history.models_after(promised).any(forbids) {
                    return Ok(());
                }
                wrong(format!("refused without a reason: {error}"))
            }
            ErrorKind::OutcomeUnknown => {
                self.unknown.push(Unknown::Change(graph, Box::new(change)));
                Err(End::Crash)
            }
            _ if self.disk.is_crashed() => {
                self.unknown.push(Unknown::Change(graph, Box::new(change)));
                Err(End::Crash)
            }
            _ => self.bear(error),
        }
    }
}
