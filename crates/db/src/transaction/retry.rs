//! Retry after a write conflict: of an autocommit statement, or of a whole script.
//!
//! A retry starts once the commit that came first is visible; earlier it would only conflict again. After three
//! write conflicts the transaction queues for the contended keys ([`ConflictTicket`]), and conflicting commits
//! wait until it has finished.
//!
//! An explicit transaction is never retried: only its client knows how its writes depend on its reads, so the client
//! gets the error.

use std::borrow::Borrow;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{Error, ErrorKind, LogPosition, Phase, Result, WriteConflict};
use millrace_store::limits::{TICKET_KEYS_MAX, WRITE_CONFLICTS_MAX};
use millrace_store::{ConflictTicket, ConflictTicketId, Store, non_blocking};

use crate::monitoring::Counters;
use crate::request::RequestLimits;

/// Runs `attempt`, with a ticket once it needs one, until it commits without a write conflict or its time is up.
pub(crate) fn retrying<T, E: From<Error> + Borrow<Error>>(
    store: &Arc<dyn Store>,
    counters: &Counters,
    limits: &RequestLimits,
    mut attempt: impl FnMut(Option<ConflictTicketId>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let mut losses = Losses::default();
    let mut existed = 0;
    loop {
        let result = attempt(losses.ticket.as_ref().map(ConflictTicket::id));
        // An element of a chosen id that another made meanwhile is there in the next snapshot.
        if existed < WRITE_CONFLICTS_MAX && !limits.is_over() && is_there_already(&result) {
            non_blocking::would_block()?;
            existed += 1;
            // The commit that made it has its position, and may not be visible yet.
            let newest = store.take_ticket(&[], limits.deadline)?.position;
            store.watermark().wait(newest, limits.deadline)?;
            continue;
        }
        let Some(error) = write_conflict(&result) else { return result };
        if limits.is_over() {
            return result;
        }
        non_blocking::would_block()?;
        counters.write_conflict_met();
        let waited =
            losses.wait(&**store, error.write_conflict.as_deref().copied(), limits.deadline);
        waited.map_err(|error| limits.check().err().unwrap_or(error))?;
    }
}

fn write_conflict<T, E: Borrow<Error>>(result: &std::result::Result<T, E>) -> Option<Error> {
    let error: &Error = result.as_ref().err()?.borrow();
    (error.kind == ErrorKind::Conflict).then(|| error.clone())
}

/// Whether a commit found an element of a chosen id that its snapshot did not have.
fn is_there_already<T, E: Borrow<Error>>(result: &std::result::Result<T, E>) -> bool {
    let error: Option<&Error> = result.as_ref().err().map(Borrow::borrow);
    error
        .is_some_and(|error| error.kind == ErrorKind::AlreadyExists && error.phase == Phase::Commit)
}

/// The write conflicts of one script.
#[derive(Default)]
struct Losses {
    count: u32,
    /// The contended keys, the latest last.
    keys: Vec<u64>,
    ticket: Option<ConflictTicket>,
}

impl Losses {
    /// Waits until it makes sense to run again.
    fn wait(
        &mut self,
        store: &dyn Store,
        conflict: Option<WriteConflict>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        self.count += 1;
        // A snapshot that became too old is a conflict without a winner.
        let Some(conflict) = conflict else { return Ok(()) };
        if !self.keys.contains(&conflict.key) {
            self.keys.push(conflict.key);
            let surplus = self.keys.len().saturating_sub(TICKET_KEYS_MAX);
            self.keys.drain(..surplus);
        }
        let mut from: LogPosition = conflict.winner;
        if WRITE_CONFLICTS_MAX <= self.count {
            // All keys in one step: two tickets that each hold a key the other wants would deadlock.
            self.ticket = None;
            let ticket = store.take_ticket(&self.keys, deadline)?;
            from = from.max(ticket.position);
            self.ticket = Some(ticket);
        }
        store.watermark().wait(from, deadline)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use millrace_model::{Column, Direction, EdgeTypeId, KeyId, Value, VertexId};
    use millrace_store::memory::MemoryBackend;
    use millrace_store::{
        Backend, Elements, Isolation, Labels, NameKind, Snapshot, Ticket, Transaction,
    };
    use millrace_store_embedded::EmbeddedBackend;

    use super::*;
    use crate::settings::Settings;

    /// Allowed losses, then the ticket, and once more for a commit that passed before it was granted.
    const ATTEMPTS_MAX: u32 = WRITE_CONFLICTS_MAX + 2;

    const THREADS: usize = 64;

    struct Counted {
        store: Arc<dyn Store>,
        counters: Counters,
        attempts_max: AtomicU32,
    }

    impl Counted {
        fn new(store: Arc<dyn Store>) -> Counted {
            Counted { store, counters: Counters::default(), attempts_max: AtomicU32::new(0) }
        }

        /// Runs one script, and notes how many attempts it took.
        fn run(&self, script: impl Fn(&Transaction) -> Result<()>) {
            let limits = RequestLimits::within(60_000, &Settings::default());
            let mut attempts = 0;
            let done = retrying(&self.store, &self.counters, &limits, |ticket| {
                attempts += 1;
                let store = Arc::clone(&self.store);
                let transaction = Transaction::begin(store, Isolation::Snapshot)?;
                let transaction = match ticket {
                    Some(ticket) => transaction.with_ticket(ticket),
                    None => transaction,
                };
                script(&transaction)?;
                transaction.commit()
            });
            let ticket: Ticket = done.unwrap_or_else(|error: Error| panic!("{error:?}"));
            ticket.wait().unwrap();
            self.attempts_max.fetch_max(attempts, Ordering::Relaxed);
        }

        fn assert_bounded(&self) {
            let most = self.attempts_max.load(Ordering::Relaxed);
            assert!(most <= ATTEMPTS_MAX, "a script needed {most} attempts");
        }
    }

    fn vertices(store: &Arc<dyn Store>, count: usize) -> Vec<VertexId> {
        let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
        let labels: Labels = Arc::from([]);
        let made = transaction.create_vertices(&labels, count, &[]).unwrap();
        transaction.commit().unwrap().wait().unwrap();
        made
    }

    fn number(snapshot: &dyn Snapshot, key: KeyId, vertex: VertexId) -> i64 {
        let column = &snapshot.gather(Elements::Vertices(&[vertex]), &[key]).unwrap()[0];
        column.get(0).and_then(|value| value.as_int()).unwrap_or(0)
    }

    fn raise(transaction: &Transaction, key: KeyId, vertex: VertexId) -> Result<()> {
        let next = number(transaction, key, vertex) + 1;
        let values = Column::from_values([Value::I64(next)]);
        transaction.set_vertex_properties(key, &[vertex], &values)
    }

    /// Each of 64 threads raises one counter, and two more that it takes in an order of its own.
    fn counters_are_raised_by_all(store: Arc<dyn Store>) {
        let key = KeyId(store.intern(&[(NameKind::Key, "n")]).unwrap()[0]);
        let counters = vertices(&store, 3);
        let counted = Counted::new(store);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (counted, counters) = (&counted, &counters);
                scope.spawn(move || {
                    for _ in 0..3 {
                        counted.run(|transaction| raise(transaction, key, counters[0]));
                    }
                    counted.run(|transaction| {
                        raise(transaction, key, counters[1 + thread % 2])?;
                        raise(transaction, key, counters[2 - thread % 2])
                    });
                });
            }
        });
        let snapshot = counted.store.snapshot().unwrap();
        let found: Vec<i64> = counters.iter().map(|own| number(&*snapshot, key, *own)).collect();
        assert_eq!(found, [3 * THREADS as i64, THREADS as i64, THREADS as i64]);
        // A script that needs two keys may learn of the second one only with its ticket.
        let most = counted.attempts_max.load(Ordering::Relaxed);
        assert!(most <= ATTEMPTS_MAX + 1, "a script needed {most} attempts");
    }

    #[test]
    fn sixty_four_scripts_raise_one_counter_and_none_needs_many_attempts() {
        let folder = tempfile::tempdir().unwrap();
        let backend = EmbeddedBackend::open(folder.path(), Default::default()).unwrap();
        counters_are_raised_by_all(backend.create_graph("g").unwrap());
    }

    #[test]
    fn so_they_do_in_memory() {
        counters_are_raised_by_all(MemoryBackend::new().create_graph("g").unwrap());
    }

    #[test]
    fn a_hub_is_deleted_under_a_storm_of_edges_and_none_is_left_dangling() {
        let folder = tempfile::tempdir().unwrap();
        let backend = EmbeddedBackend::open(folder.path(), Default::default()).unwrap();
        let store = backend.create_graph("g").unwrap();
        let kind = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "KNOWS")]).unwrap()[0]);
        let people = vertices(&store, 9);
        let (hub, gone) = (people[0], AtomicBool::new(false));
        let deleted = Counted::new(Arc::clone(&store));
        std::thread::scope(|scope| {
            for person in &people[1..] {
                let (store, gone) = (&store, &gone);
                scope.spawn(move || {
                    let inserts = Counted::new(Arc::clone(store));
                    while !gone.load(Ordering::Acquire) {
                        inserts.run(|transaction| {
                            let there = transaction.exist(Elements::Vertices(&[hub]))?.get(0);
                            let source = [*person];
                            match there {
                                true => {
                                    transaction.create_edges(kind, &source, &[hub], &[]).map(drop)
                                }
                                false => Ok(()),
                            }
                        });
                    }
                    inserts.assert_bounded();
                });
            }
            while store.snapshot().unwrap().count_edges(None).unwrap() < 100 {
                std::thread::yield_now();
            }
            deleted.run(|transaction| transaction.delete_vertices(&[hub], true));
            gone.store(true, Ordering::Release);
        });
        deleted.assert_bounded();
        let snapshot = store.snapshot().unwrap();
        assert_eq!(snapshot.count_edges(None).unwrap(), 0, "every edge went with the hub");
        let mut degrees = Vec::new();
        snapshot.degrees(&people, None, Direction::Both, &mut degrees).unwrap();
        assert!(degrees.iter().all(|degree| *degree == 0), "{degrees:?}");
    }

    #[test]
    fn only_a_write_conflict_is_run_again() {
        let store = MemoryBackend::new().create_graph("g").unwrap();
        let limits = RequestLimits::within(60_000, &Settings::default());
        let mut attempts = 0;
        let failed: Result<()> = retrying(&store, &Counters::default(), &limits, |_| {
            attempts += 1;
            Err(Error::new(ErrorKind::Constraint, "no"))
        });
        assert_eq!((failed.unwrap_err().kind, attempts), (ErrorKind::Constraint, 1));
    }

    /// Another one makes the vertex behind the snapshot, or in front of the commit.
    fn the_id_of_a_client_is_found_again(store: &Arc<dyn Store>) {
        let make = |transaction: &Transaction, id: u64| {
            transaction.create_vertices_with_ids(&Arc::from([]), &[id], &[]).map(drop)
        };
        for (id, is_made_before) in [(7, true), (8, false), (1 << 40, true), ((1 << 40) + 1, false)]
        {
            let counted = Counted::new(Arc::clone(store));
            let others = AtomicBool::new(false);
            let other = || {
                if !others.swap(true, Ordering::Relaxed) {
                    let other = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
                    make(&other, id).unwrap();
                    other.commit().unwrap();
                }
            };
            counted.run(|transaction| {
                let found = transaction.find_external(&[id])?;
                let found = found.unwrap_or_else(|| vec![VertexId(id)]);
                let is_there = transaction.exist(Elements::Vertices(&found))?.get(0);
                if is_made_before {
                    other();
                }
                if !is_there {
                    make(transaction, id)?;
                }
                other();
                Ok(())
            });
            assert_eq!(counted.attempts_max.load(Ordering::Relaxed), 2, "{id}");
        }
    }

    #[test]
    fn an_id_that_another_client_took_meanwhile_is_found_in_the_second_attempt() {
        the_id_of_a_client_is_found_again(&MemoryBackend::new().create_graph("g").unwrap());
        let folder = tempfile::tempdir().unwrap();
        let backend = EmbeddedBackend::open(folder.path(), Default::default()).unwrap();
        the_id_of_a_client_is_found_again(&backend.create_graph("g").unwrap());
    }

    #[test]
    fn a_transaction_out_of_time_gets_the_conflict() {
        let store = MemoryBackend::new().create_graph("g").unwrap();
        let limits = RequestLimits::within(5, &Settings::default());
        let conflict = WriteConflict { winner: LogPosition(0), key: 7 };
        let failed: Result<()> = retrying(&store, &Counters::default(), &limits, |_| {
            Err(Error::new(ErrorKind::Conflict, "first").with_write_conflict(conflict))
        });
        let kind = failed.unwrap_err().kind;
        assert!(matches!(kind, ErrorKind::Conflict | ErrorKind::DeadlineExceeded), "{kind:?}");
    }
}
