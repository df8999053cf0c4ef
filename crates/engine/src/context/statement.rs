//! The environment of one statement or script: a graph, a deadline, a memory budget, a cancel flag.
//!
//! A context is used by one thread at a time; the budget and the flag may be shared with others.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use millrace_model::compare::CompareMode;
use millrace_model::query_limits::{Enforced, QueryLimits, enforce};
use millrace_model::random::mix;
use millrace_model::{Catalog, Error, ErrorKind, MemoryBudget, Result};
use millrace_plan::{Notice, WriteCounts};
use millrace_store::{Isolation, NameKind, ScanCursor, Snapshot, Transaction};

use super::caller::Caller;
use super::guard::{CancelFlag, Guard, Limits};
use super::procedure::Procedures;
use super::watch::RunWatcher;
use crate::limits;

/// The graph that a query reads, and may write.
enum Graph {
    Snapshot(Arc<dyn Snapshot>),
    Transaction(Box<Transaction>),
}

/// Begins and commits the transactions of batches of rows: the engine itself never commits.
pub trait BatchTransactions: Send + Sync {
    /// Runs `body` in a transaction, commits that, and returns once the commit is visible. After a write conflict it
    /// runs again.
    fn run(&self, body: &mut dyn FnMut(Transaction) -> Result<Transaction>) -> Result<()>;

    /// The graph as of now.
    fn snapshot(&self) -> Result<Arc<dyn Snapshot>>;
}

/// The graph at a later time, which a run goes on with.
struct NewerGraph {
    snapshot: Arc<dyn Snapshot>,
    newer: OnceCell<Box<NewerGraph>>,
}

/// Where a query runs.
pub struct Context {
    graph: Graph,
    /// One for each operator of a run that committed batches, the newest innermost.
    newer: OnceCell<Box<NewerGraph>>,
    batch_transactions: Option<Arc<dyn BatchTransactions>>,
    guard: Arc<Guard>,
    pulls: Cell<u32>,
    catalog: RefCell<Option<(u64, Arc<Catalog>)>>,
    seed: Cell<u64>,
    memory: Option<MemoryBudget>,
    watcher: Option<Arc<dyn RunWatcher>>,
    /// Those that were registered; none: the engine's own.
    procedures: Option<Procedures>,
    caller: Option<Arc<Caller>>,
    pub(crate) written: Cell<WriteCounts>,
    notices: RefCell<Vec<Notice>>,
    /// The piece of its first scan that a run in this context lists; none: all of it.
    piece: Cell<Option<ScanCursor>>,
    /// Bytes that runs hold which are pulled and not at their end.
    cursor_bytes: Cell<u64>,
}

/// What threads share that read for one query: each makes a context of its own of it.
pub(crate) struct SharedContext {
    snapshot: Arc<dyn Snapshot>,
    guard: Arc<Guard>,
    catalog: Option<(u64, Arc<Catalog>)>,
}

impl SharedContext {
    /// A context in which a run lists a piece of its first scan.
    pub(crate) fn of_piece(&self, piece: ScanCursor) -> Context {
        let mut context = Context::reading(self.snapshot.clone());
        context.guard = self.guard.clone();
        context.catalog = RefCell::new(self.catalog.clone());
        context.piece.set(Some(piece));
        context
    }
}

impl Context {
    /// A context that reads a snapshot; writes in it are refused.
    pub fn reading(snapshot: Arc<dyn Snapshot>) -> Context {
        Context::over(Graph::Snapshot(snapshot))
    }

    /// A context that reads and writes in a transaction.
    pub fn writing(transaction: Transaction) -> Context {
        Context::over(Graph::Transaction(Box::new(transaction)))
    }

    fn over(graph: Graph) -> Context {
        let guard = Guard::new(Limits::default(), CancelFlag::default(), None);
        Context {
            graph,
            newer: OnceCell::new(),
            batch_transactions: None,
            guard: Arc::new(guard),
            pulls: Cell::new(0),
            catalog: RefCell::new(None),
            // Another one for each context, from where the standard library has its own.
            seed: Cell::new(RandomState::new().hash_one(())),
            memory: None,
            watcher: None,
            procedures: None,
            caller: None,
            written: Cell::default(),
            notices: RefCell::default(),
            piece: Cell::new(None),
            cursor_bytes: Cell::new(0),
        }
    }

    /// From now on its runs are measured and reported, or no longer.
    pub fn set_watcher(&mut self, watcher: Option<Arc<dyn RunWatcher>>) {
        self.watcher = watcher;
    }

    pub(crate) fn watcher(&self) -> Option<&dyn RunWatcher> {
        self.watcher.as_deref()
    }

    /// Runs work that makes a plan ready, and reports to the watcher how long it took.
    pub(crate) fn preparing<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(watcher) = self.watcher() else { return work() };
        let began = Instant::now();
        let done = work();
        watcher.prepared(began.elapsed());
        done
    }

    /// The same, where the memory of queries is a share of a budget, from the next limits on.
    pub fn sharing(mut self, memory: &MemoryBudget) -> Context {
        self.memory = Some(memory.clone());
        self
    }

    /// The same, where plans may call these procedures.
    pub fn calling(mut self, procedures: &Procedures) -> Context {
        self.procedures = Some(procedures.clone());
        self
    }

    /// The procedures that its plans may call, if any were registered.
    pub(crate) fn registered_procedures(&self) -> Option<&Procedures> {
        self.procedures.as_ref()
    }

    /// The same of a client.
    pub fn for_caller(mut self, caller: Option<Arc<Caller>>) -> Context {
        self.caller = caller;
        self
    }

    /// The client that it runs for, where one is known.
    pub fn caller(&self) -> Option<&Caller> {
        self.caller.as_deref()
    }

    /// The name of the user that it runs for; none where no login was needed.
    pub fn user(&self) -> Option<&Arc<str>> {
        self.caller()?.user.as_ref()
    }

    /// Reports something to the client beside the results; beyond a bound nothing more.
    pub(crate) fn notify(&self, notice: Notice) {
        let mut notices = self.notices.borrow_mut();
        if notices.len() < limits::NOTICES_MAX {
            notices.push(notice);
        }
    }

    /// What statements reported since it was asked last.
    pub(crate) fn take_notices(&self) -> Vec<Notice> {
        self.notices.take()
    }

    /// The same with limits and a flag that cancels it.
    pub fn with_limits(mut self, limits: Limits, cancel: CancelFlag) -> Context {
        self.set_limits(limits, cancel);
        self
    }

    /// Other limits for what runs from now on; what cursors hold stays counted.
    pub fn set_limits(&mut self, limits: Limits, cancel: CancelFlag) {
        let guard = match self.cursor_bytes.get() {
            0 => Guard::new(limits, cancel, self.memory.as_ref()),
            held => self.guard.followed_by(limits, cancel, held),
        };
        self.guard = Arc::new(guard);
    }

    /// Counts what a cursor holds now, beyond what it held before.
    pub(crate) fn count_cursor(&self, before: u64, now: u64) {
        let others = self.cursor_bytes.get().saturating_sub(before);
        self.cursor_bytes.set(others + now);
    }

    /// The same with a seed: the random numbers of its queries are then the same each time.
    pub fn with_seed(self, seed: u64) -> Context {
        self.seed.set(seed);
        self
    }

    /// The seed of the next run: runs of one context have different random numbers.
    pub(crate) fn next_seed(&self) -> u64 {
        let seed = self.seed.get();
        self.seed.set(mix(seed.wrapping_add(1)));
        seed
    }

    /// Fails once the query was cancelled or its time is up.
    pub fn check(&self) -> Result<()> {
        self.guard.check()
    }

    /// Counts bytes that a front end holds for the query; negative bytes give back.
    pub fn charge(&self, bytes: i64) -> Result<()> {
        match u64::try_from(bytes) {
            Ok(bytes) => self.guard.charge(bytes),
            Err(_) => {
                self.guard.release(bytes.unsigned_abs());
                Ok(())
            }
        }
    }

    /// Bytes the query holds now.
    pub fn reserved_bytes(&self) -> u64 {
        self.guard.reserved_bytes()
    }

    /// The same, where plans may run batches of rows in transactions of their own.
    pub fn with_batch_transactions(mut self, own: Arc<dyn BatchTransactions>) -> Context {
        self.batch_transactions = Some(own);
        self
    }

    pub(crate) fn batch_transactions(&self) -> Result<Arc<dyn BatchTransactions>> {
        self.batch_transactions.clone().ok_or_else(|| {
            let detail = "a batch of rows in a transaction of its own where there can be none";
            Error::new(ErrorKind::Unsupported, detail).with_help("run it without a transaction")
        })
    }

    /// A context for a batch of rows in a transaction of its own, within the limits of this one.
    pub(crate) fn of_batch(&self, transaction: Transaction) -> Context {
        let mut context = Context::writing(transaction);
        context.procedures.clone_from(&self.procedures);
        context.guard = Arc::clone(&self.guard);
        context.memory.clone_from(&self.memory);
        context.with_seed(self.next_seed())
    }

    /// From now on the graph is read as of then. What was read before stays.
    pub(crate) fn read_from(&self, snapshot: Arc<dyn Snapshot>) {
        let mut last = &self.newer;
        while let Some(own) = last.get() {
            last = &own.newer;
        }
        let _set = last.set(Box::new(NewerGraph { snapshot, newer: OnceCell::new() }));
        self.refresh_catalog();
    }

    /// The graph, to read.
    pub fn graph(&self) -> &dyn Snapshot {
        if let Some(mut newest) = self.newer.get() {
            while let Some(own) = newest.newer.get() {
                newest = own;
            }
            return &*newest.snapshot;
        }
        match &self.graph {
            Graph::Snapshot(snapshot) => &**snapshot,
            Graph::Transaction(transaction) => &**transaction,
        }
    }

    /// The same graph for other threads to read; `None` where this query has changed it, or its reads are recorded.
    pub(crate) fn shared(&self) -> Option<SharedContext> {
        let snapshot = match &self.graph {
            _ if self.newer.get().is_some() => None,
            Graph::Snapshot(snapshot) => Some(snapshot.clone()),
            Graph::Transaction(transaction) => transaction.unchanged(),
        };
        let (guard, catalog) = (self.guard.clone(), self.catalog.borrow().clone());
        snapshot.map(|snapshot| SharedContext { snapshot, guard, catalog })
    }

    /// The piece of its first scan that a run here lists.
    pub(crate) fn piece(&self) -> Option<ScanCursor> {
        self.piece.get()
    }

    /// The graph, to write; refused where the context only reads.
    pub fn transaction(&self) -> Result<&Transaction> {
        match &self.graph {
            Graph::Transaction(transaction) => Ok(transaction),
            Graph::Snapshot(_) => {
                Err(Error::new(ErrorKind::Forbidden, "a write where only reading is allowed")
                    .with_help("run it in a transaction that may write"))
            }
        }
    }

    /// Tells the transaction, if there is one, how a plan that writes takes values of other types than definitions have:
    /// the language whose null is unknown converts none.
    pub(crate) fn takes_values_as(&self, compare: CompareMode) {
        if let Graph::Transaction(transaction) = &self.graph {
            transaction.set_exact_types(compare == CompareMode::NullIsUnknown);
        }
    }

    /// Makes an unknown name, if the transaction validates its reads at commit; whether it is known now.
    pub(crate) fn makes_name(&self, kind: NameKind, name: &str) -> bool {
        let Graph::Transaction(transaction) = &self.graph else { return false };
        if transaction.isolation() != Isolation::Serializable {
            return false;
        }
        // A name that cannot be made is unknown to all.
        let is_made = transaction.intern(&[(kind, name)]).is_ok();
        if is_made {
            self.refresh_catalog();
        }
        is_made
    }

    /// Names and declarations as of now, the transaction's own included.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.refresh_catalog();
        self.catalog.borrow().as_ref().expect("refreshed above").1.clone()
    }

    /// Checks the conditions that must hold at the end of a statement; none for one that only reads.
    pub(crate) fn finish_statement(&self) -> Result<()> {
        match &self.graph {
            Graph::Transaction(transaction) => transaction.finish_statement(),
            Graph::Snapshot(_) => Ok(()),
        }
    }

    /// The query's transaction, to commit it; `None` if it only reads.
    pub fn into_transaction(self) -> Option<Transaction> {
        match self.graph {
            Graph::Transaction(transaction) => Some(*transaction),
            Graph::Snapshot(_) => None,
        }
    }

    /// Puts the query's limits in force for the thread, for loops that know no query.
    pub(crate) fn enforce_limits(&self) -> Enforced {
        enforce(self.guard.clone())
    }

    /// The query's limits, for work that outlives the context.
    pub fn limits(&self) -> Arc<dyn QueryLimits> {
        self.guard.clone()
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    /// A check cheap enough for every pull.
    pub(crate) fn check_pull(&self) -> Result<()> {
        let pulls = self.pulls.get().wrapping_add(1);
        self.pulls.set(pulls);
        if pulls.is_multiple_of(limits::CHECK_PULLS) {
            self.guard.check()
        } else {
            self.guard.check_cancelled()
        }
    }

    /// The number of the catalog version in use: unique in the process, so names that were resolved
    /// under one number need not be resolved again under the same.
    pub(crate) fn catalog_generation(&self) -> u64 {
        self.catalog.borrow().as_ref().map_or(0, |(generation, _)| *generation)
    }

    /// Looks at the catalog again; done when a run starts and after each write.
    pub(crate) fn refresh_catalog(&self) {
        static GENERATIONS: AtomicU64 = AtomicU64::new(1);
        let catalog = self.graph().catalog();
        let mut known = self.catalog.borrow_mut();
        if known.as_ref().is_some_and(|(_, known)| Arc::ptr_eq(known, &catalog)) {
            return;
        }
        *known = Some((GENERATIONS.fetch_add(1, Ordering::Relaxed), catalog));
    }

    /// Asks the catalog in use.
    pub(crate) fn look<T>(&self, ask: impl FnOnce(&Catalog) -> T) -> T {
        let catalog = self.catalog.borrow();
        ask(&catalog.as_ref().expect("a run begins with a look at the catalog").1)
    }
}
