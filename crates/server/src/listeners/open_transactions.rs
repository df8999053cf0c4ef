//! Open transactions over HTTP, by number. One that waits for its client too long is rolled back; one that its client
//! leaves in the middle of a request, too. What a listener keeps of a transaction is its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::auth;
use tokio::task::AbortHandle;

use crate::limits::HTTP_TRANSACTIONS_MAX;

/// The client of a transaction: it alone finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) user: String,
    pub(super) database: String,
}

/// The user that has logged in; empty where there are no users.
pub(super) fn user_of(headers: &HeaderMap) -> String {
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    header.map(auth::basic).and_then(Result::ok).map(|own| own.user).unwrap_or_default()
}

/// All open transactions of a listener.
pub(super) struct OpenTransactions<T> {
    last: AtomicU64,
    all: Mutex<HashMap<u64, Known<T>>>,
}

impl<T> Default for OpenTransactions<T> {
    fn default() -> Self {
        OpenTransactions { last: AtomicU64::default(), all: Mutex::default() }
    }
}

struct Known<T> {
    owner: Owner,
    /// `None` while a request has it.
    waiting: Option<Waiting<T>>,
}

struct Waiting<T> {
    transaction: Box<T>,
    /// Of the task that rolls it back.
    expiry: AbortHandle,
    /// The number of the wait.
    wait: u64,
}

/// A transaction that a request has. Dropped, it is rolled back.
pub(super) struct Taken<T> {
    pub(super) id: u64,
    /// `None` while a thread works on it.
    pub(super) transaction: Option<Box<T>>,
    table: Arc<OpenTransactions<T>>,
}

impl<T: Send + 'static> OpenTransactions<T> {
    fn all(&self) -> MutexGuard<'_, HashMap<u64, Known<T>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins one.
    pub(super) fn begin(self: &Arc<Self>, owner: Owner, transaction: T) -> Result<Taken<T>> {
        let mut all = self.all();
        if HTTP_TRANSACTIONS_MAX <= all.len() {
            let detail = format!("{HTTP_TRANSACTIONS_MAX} transactions are open over HTTP");
            let error = Error::new(ErrorKind::Unavailable, detail);
            return Err(error.with_help("commit or roll back others first"));
        }
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        all.insert(id, Known { owner, waiting: None });
        drop(all);
        Ok(Taken { id, transaction: Some(Box::new(transaction)), table: Arc::clone(self) })
    }

    /// Takes one for a request.
    pub(super) fn take(self: &Arc<Self>, id: u64, owner: &Owner) -> Result<Taken<T>> {
        let mut all = self.all();
        let Some(known) = all.get_mut(&id).filter(|known| known.owner == *owner) else {
            let detail =
                format!("there is no open transaction {id}: it has ended, or was idle too long");
            let error = Error::new(ErrorKind::NotFound, detail);
            return Err(error.with_name("TransactionNotFound"));
        };
        let Some(Waiting { transaction, expiry, .. }) = known.waiting.take() else {
            let detail = format!("another request uses transaction {id}");
            let error = Error::new(ErrorKind::Unavailable, detail);
            return Err(error.with_name("TransactionAccessedConcurrently"));
        };
        drop(all);
        expiry.abort();
        Ok(Taken { id, transaction: Some(transaction), table: Arc::clone(self) })
    }

    /// Rolls back one that still waits as it did.
    fn expire(&self, id: u64, wait: u64) {
        let mut all = self.all();
        let waits = all.get(&id).and_then(|known| known.waiting.as_ref());
        let expired = waits.is_some_and(|own| own.wait == wait).then(|| all.remove(&id));
        drop(all);
        // Rolled back outside of the lock.
        drop(expired);
    }
}

impl<T: Send + 'static> Taken<T> {
    /// It waits for its next request, for so long at most.
    pub(super) fn put_back(mut self, idle: Duration) {
        let Some(transaction) = self.transaction.take() else { return };
        let (id, wait) = (self.id, self.table.last.fetch_add(1, Ordering::Relaxed) + 1);
        let table: Weak<OpenTransactions<T>> = Arc::downgrade(&self.table);
        let mut all = self.table.all();
        let Some(known) = all.get_mut(&id) else { return };
        // Begun under the lock, so that it finds the transaction.
        let expiring = tokio::spawn(async move {
            tokio::time::sleep(idle).await;
            if let Some(table) = table.upgrade() {
                table.expire(id, wait);
            }
        });
        known.waiting = Some(Waiting { transaction, expiry: expiring.abort_handle(), wait });
    }
}

impl<T> Drop for Taken<T> {
    fn drop(&mut self) {
        let mut all = self.table.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(&self.id).is_some_and(|known| known.waiting.is_none()) {
            all.remove(&self.id);
        }
    }
}
