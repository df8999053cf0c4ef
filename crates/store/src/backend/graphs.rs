//! A backend holds graphs; each is a [`Store`].

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{
    Bits, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId, LogPosition, MemoryBudget, Phase,
    Result, VertexId,
};

use crate::backend::{CallsOut, Guarantees, StoreCall, Ticket, Watermark};
use crate::base::limits::NAME_BYTES_MAX;
use crate::changes::{Changes, SpilledChanges, WriteBatch};
use crate::conflict_queue::ConflictTicket;
use crate::reads::non_blocking;
use crate::snapshot::{Freshness, Snapshot};

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// A label.
    Label,
    /// An edge type.
    EdgeType,
    /// A property key.
    Key,
}

impl NameKind {
    /// The word for it in messages.
    fn word(self) -> &'static str {
        match self {
            NameKind::Label => "label",
            NameKind::EdgeType => "type",
            NameKind::Key => "key",
        }
    }
}

/// `LimitReached` for a name that is longer than [`NAME_BYTES_MAX`]. A store asks it of each name
/// that is new, before it makes any of a call.
pub fn check_new_name(kind: NameKind, name: &str) -> Result<()> {
    if name.len() <= NAME_BYTES_MAX {
        return Ok(());
    }
    let (word, bytes) = (kind.word(), name.len());
    let begin: String = name.chars().take(SHOWN_CHARS).collect();
    let detail = format!(
        "the {word} that begins with {begin:?} has {bytes} bytes, and a new name has at most \
         {NAME_BYTES_MAX}"
    );
    let help = "give it a shorter name, and keep the long text as the value of a property";
    Err(Error::new(ErrorKind::LimitReached, detail).with_help(help))
}

/// Characters of a name that is too long in the message about it.
const SHOWN_CHARS: usize = 32;

/// Named graphs that live together: a data folder, a keyspace. Which there are is for the backend to
/// say: another process may make and drop graphs of it ([`Guarantees::graphs_change_elsewhere`]).
pub trait Backend: Send + Sync {
    /// The names of all graphs, ascending.
    fn graphs(&self) -> Vec<String>;

    /// The graph of a name; `NotFound` if there is none.
    fn graph(&self, name: &str) -> Result<Arc<dyn Store>>;

    /// Makes an empty graph, durably; `AlreadyExists` if there is one of that name.
    fn create_graph(&self, name: &str) -> Result<Arc<dyn Store>>;

    /// Drops a graph, durably; `NotFound` if there is none. Open snapshots of it go on.
    fn drop_graph(&self, name: &str) -> Result<()>;

    /// Writes what is only in the log to segments, for a fast next start. Never needed for safety.
    fn checkpoint(&self) -> Result<()>;

    /// What it promises, as it is open now.
    fn guarantees(&self) -> Guarantees;

    /// Counters and gauges for `/metrics`: (name, help, value).
    fn metrics(&self) -> Vec<(&'static str, &'static str, f64)>;
}

/// The name of the error of a call on a graph that was dropped.
pub const GRAPH_DROPPED: &str = "GraphDropped";

/// One graph. After it was dropped, by whomever, all calls but [`Store::watermark`] fail with
/// `NotFound`, named [`GRAPH_DROPPED`], and its name, also if there is another graph of that name.
///
/// A store that needs another process for a call announces it first ([`CallsOut`]).
pub trait Store: CallsOut + Send + Sync {
    /// Whether the graph was dropped, as far as this process knows. Cheap, and waits for nothing.
    fn is_dropped(&self) -> bool;

    /// The budget of which write sets and loads of this store take shares.
    fn memory(&self) -> MemoryBudget {
        MemoryBudget::unbounded()
    }

    /// The graph as of now: everything acknowledged is in it.
    fn snapshot(&self) -> Result<Arc<dyn Snapshot>>;

    /// A snapshot that is at least so new, waiting for it until the deadline: `DeadlineExceeded` if
    /// what it has to have is not visible by then. As it is, this waits for the position of
    /// [`Freshness::Seen`] and gives the newest snapshot, which is right for a backend whose
    /// [`Store::snapshot`] has everything acknowledged.
    fn snapshot_within(
        &self,
        freshness: Freshness,
        deadline: Option<Instant>,
    ) -> Result<Arc<dyn Snapshot>> {
        match freshness {
            Freshness::Latest | Freshness::Within(_) => self.announce(StoreCall::Snapshot)?,
            Freshness::Seen(position) => {
                let watermark = self.watermark();
                if watermark.visible() < position {
                    non_blocking::would_block()?;
                    watermark.wait(position, deadline).map_err(|error| unseen(position, error))?;
                }
            }
        }
        self.snapshot()
    }

    /// The numbers of names, made where they are new: append-only, logged before the call returns,
    /// no part of any transaction, so a first use has no conflicts. If a new one is too long
    /// ([`check_new_name`]) none is made; where the limits of the query end the call, some may be.
    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>>;

    /// Takes `count` fresh vertex ids; ranges ascend and are few. Id 0 is never leased: several
    /// protocols use it for "no such element".
    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>>;

    /// Takes vertex ids that the caller chose, each once, and answers the internal ids that
    /// vertices of these ids are to be made in: the id itself where it can be an internal id, so
    /// that no lease gives it; else another, and the id goes into the index of external ids
    /// ([`external_ids::kept_of`]), which is there then, and no lease gives an internal id that has
    /// its number. `apart` are rows with an internal id that, as the caller knows, belongs to a
    /// vertex with another external id. The transaction that creates them may still lose to one
    /// that chose the same. `AlreadyExists` names the first that is a vertex now; id 0 is refused.
    ///
    /// [`external_ids::kept_of`]: crate::external_ids::kept_of
    fn claim_vertices(&self, ids: &[u64], apart: &Bits) -> Result<Vec<VertexId>>;

    /// Notes ids that the caller chose for edges which a transaction is going to make. The index of
    /// external ids of edges is there then, and no lease gives an edge one of these numbers as long
    /// as the claim is young. The transaction that creates them may still lose to one that chose
    /// the same, or that made an edge of this number.
    fn claim_edges(&self, ids: &[ExternalId]) -> Result<()>;

    /// Takes a fresh edge id for an edge of the type from each source; never 0, nor the external id
    /// of another edge. An id that is not committed before the store is closed may be leased again
    /// after it is opened.
    fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>>;

    /// Validates and orders a transaction. `Conflict` when another was first (with the write
    /// conflict), `Constraint` when a defined rule forbids it; else a ticket, which resolves when
    /// the commit is visible.
    fn commit(&self, batch: WriteBatch) -> Result<Ticket>;

    /// Queues for what a transaction had conflicts on (the keys of its
    /// [`WriteConflict`](millrace_model::WriteConflict)s). Until the ticket is dropped or lapses,
    /// commits of others that change one of these wait, and those that have a ticket themselves are
    /// sent back. A transaction that begins once the ticket's position is visible, and commits with
    /// the ticket, meets no write conflict on them. `DeadlineExceeded` if the ticket is not granted
    /// in time.
    fn take_ticket(&self, keys: &[u64], deadline: Option<Instant>) -> Result<ConflictTicket>;

    /// Reports how far commits are visible.
    fn watermark(&self) -> Arc<dyn Watermark>;

    /// Moves a part of a private write set out of memory. Dropped without commit, it is gone.
    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>>;

    /// Begins a load that becomes visible as one commit, all or nothing.
    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>>;
}

/// A load under way; dropped before `finish`, nothing of it remains.
pub trait BulkLoad: Send {
    /// Takes created vertices and edges (with or without edge ids); catalog changes, label sets,
    /// property blocks and deletes are refused. Ends may come in a later part.
    fn push(&mut self, part: Changes) -> Result<()>;

    /// Makes everything pushed durable and visible. An end that does not exist, or a value that a
    /// constraint forbids, fails the load and says which.
    fn finish(self: Box<Self>) -> Result<LogPosition>;
}

/// The error of a reader that waited for a position: the watermark's speaks of a commit.
fn unseen(position: LogPosition, error: Error) -> Error {
    if error.kind != ErrorKind::DeadlineExceeded {
        return error;
    }
    let detail = format!("log position {} was not visible by the deadline", position.0);
    let error = Error::new(ErrorKind::DeadlineExceeded, detail).in_phase(Phase::Run);
    error.with_help("ask again, or for an earlier position: one that was seen in this database")
}
