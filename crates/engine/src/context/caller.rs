//! The client behind a statement, as far as procedures tell of it or note something about it.
//!
//! Statements of one transaction have one caller, so what one of them notes the next one sees.

use std::sync::Arc;

use millrace_model::Value;
use parking_lot::Mutex;

/// A client.
#[derive(Debug)]
pub struct Caller {
    /// The name that logged in; none where no login was needed.
    pub user: Option<Arc<str>>,
    /// The address at which the client finds the server, where its protocol has one.
    pub address: Option<Arc<str>>,
    /// What is noted about the transaction: a map.
    metadata: Mutex<Value>,
}

impl Caller {
    /// A client whose transaction has this note, a map.
    pub fn new(user: Option<Arc<str>>, address: Option<Arc<str>>, metadata: Value) -> Caller {
        Caller { user, address, metadata: Mutex::new(metadata) }
    }

    /// What is noted about the transaction.
    pub fn metadata(&self) -> Value {
        self.metadata.lock().clone()
    }

    /// Notes another map.
    pub fn set_metadata(&self, metadata: Value) {
        *self.metadata.lock() = metadata;
    }
}
