//! Vertex ids that the caller of a bulk load chose.
//!
//! A load has no snapshot while it chooses ids, so it must find at its end what came and went until
//! then.

use millrace_model::{Bits, EXTERNAL_ID_KEY, ErrorKind, Result};

use crate::backend::BulkLoad;
use crate::changes::{Changes, VertexBlock};
use crate::conformance::fixture::{Fixture, commit, refused, scan, write};
use crate::conformance::ids::external_ids::{FAR, check_all, choose, name_of_unscanned};
use crate::conformance::{Case, Harness};
use crate::external_ids;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a bulk load makes vertices of external ids, all or none", loaded),
    ("of two bulk loads of one id the first wins, internal or not by then", loaded_twice),
];

/// Begins a load of people of these ids.
fn load(fixture: &Fixture, ids: &[u64]) -> Result<Box<dyn BulkLoad>> {
    let internal_ids = fixture.store.claim_vertices(ids, &Bits::unset(ids.len()))?;
    let kept = external_ids::kept_of(ids, &internal_ids).map(|kept| (EXTERNAL_ID_KEY, kept));
    let properties = kept.into_iter().collect();
    let block = VertexBlock { labels: fixture.people(), ids: internal_ids, properties };
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![block], ..Changes::default() })?;
    Ok(load)
}

/// A load takes external ids like any property; the index is there once they are claimed.
fn loaded(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(1)?;
    let load = |ids: &[u64]| load(&fixture, ids);
    let (first, second) = (load(&FAR[..2])?, load(&FAR[1..3])?);
    first.finish()?;
    let twice = second.finish().err().map(|error| error.kind);
    assert!(matches!(twice, Some(ErrorKind::AlreadyExists | ErrorKind::Conflict)), "{twice:?}");
    let late = load(&FAR[..1]).map(drop);
    refused(late, ErrorKind::AlreadyExists);
    let fixture = fixture.reopen(harness)?;
    assert_eq!(scan(&*fixture.snapshot()?, None, 100)?.len(), 3);
    assert_eq!(name_of_unscanned(&*fixture.snapshot()?, FAR[2])?, None);
    assert!(name_of_unscanned(&*fixture.snapshot()?, FAR[1])?.is_some());
    check_all(&*fixture.snapshot()?)
}

/// The attack: one load takes an internal id's number for the internal id, before a vertex of an
/// external id comes to lie there, and another one takes it for an external id, as long as that is
/// there. Neither has a snapshot by which it would lose to what came and went meanwhile.
fn loaded_twice(harness: &mut dyn Harness) -> Result<()> {
    for internal_first in [false, true] {
        let graph = if internal_first { "internal id first" } else { "external id first" };
        let fixture = Fixture::named(harness, graph)?;
        fixture.add_people(1)?;
        let transaction = fixture.begin()?;
        let internal_id = choose(&fixture, &transaction, &FAR[..1], "far")?[0];
        let as_internal = load(&fixture, &[internal_id.0])?;
        commit(transaction)?;
        let as_external = load(&fixture, &[internal_id.0])?;
        write(&fixture, |transaction| transaction.delete_vertices(&[internal_id], true))?;
        let (one, other) =
            if internal_first { (as_internal, as_external) } else { (as_external, as_internal) };
        one.finish()?;
        let twice = other.finish().err().map(|error| error.kind);
        assert!(matches!(twice, Some(ErrorKind::AlreadyExists | ErrorKind::Conflict)), "{twice:?}");
        let snapshot = fixture.snapshot()?;
        assert_eq!(scan(&*snapshot, None, 100)?.len(), 2);
        check_all(&*snapshot)?;
    }
    Ok(())
}
