//! Symptom: a write set with a part that could not be spilled would commit without that part.
//! Shape: a store that fails to spill, and works otherwise. Bound: one part is enough.

use std::sync::Arc;

use millrace_model::{ErrorKind, Result};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, Store, Transaction};

use crate::proxy::Proxy;

#[test]
fn a_write_set_that_lost_a_part_cannot_commit() -> Result<()> {
    let store = MemoryBackend::new().create_graph("graph")?;
    let store: Arc<dyn Store> = Arc::new(Proxy { has_space: false, ..Proxy::new(store) });
    let transaction = Transaction::begin(store.clone(), Isolation::Snapshot)?;
    transaction.create_vertices(&Arc::from([]), 3, &[])?;
    let error = transaction.spill().expect_err("there is no space");
    assert_eq!(error.kind, ErrorKind::Io);
    transaction.create_vertices(&Arc::from([]), 1, &[])?;
    let error = transaction.commit().map(|ticket| ticket.position).expect_err("a part is lost");
    assert_eq!(error.kind, ErrorKind::Io);
    assert_eq!(store.snapshot()?.count_vertices(None)?, 0);
    Ok(())
}
