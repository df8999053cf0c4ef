//! What would leave the process says so first: on a thread that must not block nothing has happened.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::sync::Arc;
use std::sync::atomic::Ordering;

use millrace_model::{EdgeTypeId, Result, VertexId};
use millrace_store::memory::MemoryBackend;
use millrace_store::{
    Backend, Freshness, Isolation, Labels, NameKind, Store, StoreCall, Transaction, non_blocking,
};

use crate::proxy::Proxy;

/// A store that answers calls of one kind elsewhere.
fn far(call: StoreCall) -> Arc<Proxy> {
    let store = MemoryBackend::new().create_graph("graph").unwrap();
    Arc::new(Proxy { calls_out: vec![call], ..Proxy::new(store) })
}

fn begin(store: &Arc<Proxy>) -> Result<Transaction> {
    Transaction::begin(Arc::clone(store) as Arc<dyn Store>, Isolation::Snapshot)
}

type Work = fn(&Transaction) -> Result<()>;

#[test]
fn a_call_that_would_leave_the_process_is_refused_before_it_is_made() {
    let labels = || -> Labels { Arc::from([]) };
    let cases: [(StoreCall, Work); 5] = [
        (StoreCall::Intern, |transaction| {
            transaction.intern(&[(NameKind::Label, "Person")]).map(drop)
        }),
        (StoreCall::LeaseIds, |transaction| transaction.lease_vertices(1).map(drop)),
        (StoreCall::LeaseIds, |transaction| {
            transaction.create_vertices(&Arc::from([]), 1, &[]).map(drop)
        }),
        (StoreCall::LeaseIds, |transaction| {
            transaction.create_vertices_with_ids(&Arc::from([]), &[7], &[]).map(drop)
        }),
        (StoreCall::LeaseIds, |transaction| {
            transaction.lease_edges(EdgeTypeId(0), &[VertexId(1)]).map(drop)
        }),
    ];
    for (row, (call, work)) in cases.into_iter().enumerate() {
        let store = far(call);
        let transaction = begin(&store).unwrap();
        let before = store.passed.load(Ordering::Relaxed);
        assert!(non_blocking::try_run(|| work(&transaction).is_err()).is_none(), "case {row}");
        assert_eq!(store.passed.load(Ordering::Relaxed), before, "case {row} was passed on");
    }
    let store = far(StoreCall::Snapshot);
    assert!(non_blocking::try_run(|| begin(&store).is_err()).is_none());
    let newest = || store.snapshot_within(Freshness::Latest, None);
    assert!(non_blocking::try_run(|| newest().is_err()).is_none());
    assert_eq!(store.passed.load(Ordering::Relaxed), 0);
    assert!(newest().is_ok(), "a thread that may block asks");
    let store = far(StoreCall::Commit);
    let writing = |store: &Arc<Proxy>| {
        let transaction = begin(store)?;
        transaction.create_vertices(&labels(), 1, &[])?;
        Ok::<_, millrace_model::Error>(transaction)
    };
    let transaction = writing(&store).unwrap();
    assert!(non_blocking::try_run(|| transaction.commit().is_err()).is_none());
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 0, "not committed");
    writing(&store).unwrap().commit().unwrap().wait().unwrap();
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 1);
    let reading = begin(&store).unwrap();
    assert!(non_blocking::try_run(|| reading.commit().is_ok()).unwrap(), "nothing to commit");
}
