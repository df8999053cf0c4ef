//! Vertex ids that the caller chose and that cannot be internal ids.
//!
//! No case asks which internal id a vertex has, only which external id it has and which vertex an
//! id finds.

use millrace_model::{Direction, ErrorKind, IndexId, Result, Value, VertexId};

use crate::base::limits::CHOSEN_AHEAD;
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, neighbours, refused, scan, texts, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a vertex has any id that was chosen, and is found by it", shown),
    ("a graph without external ids knows of none, and has no index of them", none),
    ("a chosen id that is in use is refused by name, wherever its vertex lies", taken),
    ("of two that choose one external id the first wins, though none was there before", contended),
    ("the first external id refuses no transaction that began before it", first_use),
    ("an external id may be chosen again once its vertex is gone", again),
    ("a snapshot shows the ids of the time it was taken", older),
    ("external ids are no properties, and outlast the removal of all of them", no_property),
    ("no lease gives an internal id whose number is an external id", passed_over),
    ("an id that is another's internal id names no vertex, and may be chosen", foreign_internal),
    ("freed internal ids are not given to a transaction that began before", freed_internal),
    ("a serializable reader of a missing vertex id loses to one that chooses it", phantom),
    ("external ids may be chosen in any number and order, among internal ids", many),
];

/// Ids that are internal ids of no store.
pub(in crate::conformance) const FAR: [u64; 4] =
    [10_000_000_000, i64::MAX as u64, u64::MAX - (1 << 40), u64::MAX];

pub(in crate::conformance) fn choose(
    fixture: &Fixture,
    transaction: &Transaction,
    ids: &[u64],
    name: &str,
) -> Result<Vec<VertexId>> {
    let names = texts(&vec![name; ids.len()]);
    transaction.create_vertices_with_ids(&fixture.people(), ids, &[(fixture.name, &names)])
}

/// Commits people of these ids.
fn add(fixture: &Fixture, ids: &[u64], name: &str) -> Result<Vec<VertexId>> {
    let transaction = fixture.begin()?;
    let vertices = choose(fixture, &transaction, ids, name)?;
    commit(transaction)?;
    Ok(vertices)
}

/// The external ids of vertices.
fn ids_of(snapshot: &dyn Snapshot, vertices: &[VertexId]) -> Result<Vec<u64>> {
    let external = snapshot.external_ids(vertices)?;
    Ok(external.unwrap_or_else(|| vertices.iter().map(|vertex| vertex.0).collect()))
}

/// Vertices by external ids, whether there are such or not.
fn find(snapshot: &dyn Snapshot, ids: &[u64]) -> Result<Vec<VertexId>> {
    let found = snapshot.find_external(ids)?;
    Ok(found.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect()))
}

/// The name of the vertex with an external id; checks that no other has it.
fn name_of(fixture: &Fixture, snapshot: &dyn Snapshot, id: u64) -> Result<Option<Value>> {
    let vertices = find(snapshot, &[id])?;
    assert_eq!(ids_of(snapshot, &vertices)?, [id], "what is found by an id has it");
    let all = scan(snapshot, None, 100)?;
    let shown = ids_of(snapshot, &all)?;
    let there = snapshot.exist(Elements::Vertices(&vertices))?.get(0);
    let count = shown.iter().filter(|shown| **shown == id).count();
    assert_eq!(count, usize::from(there), "one vertex at most has {id}");
    Ok(snapshot.gather(Elements::Vertices(&vertices), &[fixture.name])?[0].get(0))
}

fn named(name: &str) -> Option<Value> {
    Some(Value::from(name))
}

/// Every vertex has an id of its own, and found by it.
pub(in crate::conformance) fn check_all(snapshot: &dyn Snapshot) -> Result<()> {
    let all = scan(snapshot, None, 50)?;
    let mut shown = ids_of(snapshot, &all)?;
    assert_eq!(find(snapshot, &shown)?, all);
    shown.sort_unstable();
    assert!(
        shown.is_sorted_by(|left, right| left < right),
        "no two elements have one id: {shown:?}"
    );
    content(snapshot, &Naming::default()).map(drop)
}

fn shown(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let before = fixture.add_people(3)?;
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &FAR, "far")?;
    transaction.create_edges(fixture.knows, &made[..1], &before[..1], &[])?;
    assert_eq!(ids_of(&transaction, &made)?, FAR, "own writes have their ids, too");
    assert_eq!(find(&transaction, &FAR)?, made);
    assert_eq!(ids_of(&transaction, &before)?, before.iter().map(|v| v.0).collect::<Vec<_>>());
    check_all(&transaction)?;
    commit(transaction)?;
    for round in 0..3 {
        if round == 1 {
            harness.backend().checkpoint()?;
        }
        let snapshot = fixture.snapshot()?;
        assert_eq!(
            (ids_of(&*snapshot, &made)?, find(&*snapshot, &FAR)?),
            (FAR.to_vec(), made.clone())
        );
        assert_eq!(neighbours(&*snapshot, made[0], None, Direction::Out)?, before[..1]);
        assert_eq!(name_of(&fixture, &*snapshot, FAR[3])?, named("far"));
        assert!(snapshot.id_space().bound < FAR[0], "lists and runs stay dense");
        check_all(&*snapshot)?;
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(find(&*fixture.snapshot()?, &FAR)?, made);
    fixture.add_people(5)?;
    add(&fixture, &[FAR[0] + 1], "more")?;
    harness.backend().checkpoint()?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(name_of(&fixture, &*snapshot, FAR[0] + 1)?, named("more"));
    check_all(&*snapshot)
}

fn none(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let near = people[1].0 + 10;
    assert_eq!(add(&fixture, &[near], "near")?, [VertexId(near)], "it is its internal id");
    let snapshot = fixture.snapshot()?;
    assert_eq!(snapshot.external_ids(&people)?, None);
    assert_eq!(snapshot.find_external(&FAR)?, None);
    assert_eq!(snapshot.catalog().indexes, []);
    let transaction = fixture.begin()?;
    assert_eq!(transaction.find_external(&FAR)?, None);
    Ok(())
}

fn taken(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    add(&fixture, &FAR[..2], "far")?;
    let transaction = fixture.begin()?;
    let again = |ids: &[u64]| choose(&fixture, &transaction, ids, "again");
    let error = refused(again(&[FAR[2], FAR[1]]), ErrorKind::AlreadyExists);
    assert!(error.detail.contains(&FAR[1].to_string()), "{error}");
    refused(again(&[people[1].0]), ErrorKind::AlreadyExists);
    refused(again(&[FAR[2], FAR[2]]), ErrorKind::AlreadyExists);
    refused(again(&[FAR[2], 0]), ErrorKind::BadInput);
    let own = again(&[FAR[2]])?;
    refused(again(&[FAR[2]]), ErrorKind::AlreadyExists);
    let gone = find(&transaction, &FAR[..1])?;
    transaction.delete_vertices(&gone, false)?;
    assert_eq!(ids_of(&transaction, &gone)?, FAR[..1], "a deleted vertex still has its id");
    refused(again(&FAR[..1]), ErrorKind::Unsupported);
    transaction.delete_vertices(&own, false)?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(name_of(&fixture, &*snapshot, FAR[0])?, None);
    assert_eq!(name_of(&fixture, &*snapshot, FAR[2])?, None);
    check_all(&*snapshot)
}

fn contended(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(1)?;
    // The first use of all, then later ones; ids beyond every internal id, and ids far from all
    // internal ids.
    for id in [FAR[0], 1 << 30, FAR[3]] {
        let (first, second, other) = (fixture.begin()?, fixture.begin()?, fixture.begin()?);
        choose(&fixture, &first, &[id], "first")?;
        choose(&fixture, &second, &[id], "second")?;
        choose(&fixture, &other, &[id - 1], "other")?;
        drop({
            let rolled_back = fixture.begin()?;
            choose(&fixture, &rolled_back, &[id - 2], "never")?;
            rolled_back
        });
        let ticket = first.commit()?;
        assert!(conflicts(second)?, "before the first is visible, and after");
        ticket.wait()?;
        commit(other)?;
        add(&fixture, &[id - 2], "late")?;
        let late = choose(&fixture, &fixture.begin()?, &[id], "late");
        refused(late, ErrorKind::AlreadyExists);
        let snapshot = fixture.snapshot()?;
        for (id, name) in [(id, "first"), (id - 1, "other"), (id - 2, "late")] {
            assert_eq!(name_of(&fixture, &*snapshot, id)?, named(name));
        }
    }
    check_all(&*fixture.snapshot()?)
}

fn first_use(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let writer = fixture.begin()?;
    writer.set_vertex_properties(fixture.name, &people[..1], &texts(&["new"]))?;
    writer.create_vertices(&fixture.people(), 2, &[])?;
    let deleter = fixture.begin()?;
    deleter.delete_vertices(&people[1..2], false)?;
    let users = [fixture.begin()?, fixture.begin()?];
    let before = fixture.snapshot()?;
    for (user, id) in users.iter().zip(FAR) {
        choose(&fixture, user, &[id], "far")?;
    }
    for transaction in [writer, deleter].into_iter().chain(users) {
        commit(transaction)?;
    }
    assert_eq!(before.external_ids(&people)?, None);
    assert_eq!(fixture.snapshot()?.catalog().indexes.len(), 1, "made once");
    assert_eq!(scan(&*fixture.snapshot()?, None, 100)?.len(), 6);
    let dropped = millrace_model::CatalogChange::DropOwner(millrace_model::Owner::AllVertices);
    write(&fixture, |transaction| transaction.change_schema(&[dropped]).map(drop))?;
    assert!(fixture.snapshot()?.catalog().external_index().is_some(), "nobody drops it");
    check_all(&*fixture.snapshot()?)
}

fn again(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(2)?;
    let id = 1 << 40;
    add(&fixture, &[id], "round 0")?;
    for round in 1..4 {
        let before = fixture.snapshot()?;
        let there = find(&*before, &[id])?;
        write(&fixture, |transaction| transaction.delete_vertices(&there, true))?;
        if round == 2 {
            harness.backend().checkpoint()?;
        }
        let between = fixture.snapshot()?;
        assert_eq!(name_of(&fixture, &*between, id)?, None);
        // Two that saw it gone.
        let (first, second) = (fixture.begin()?, fixture.begin()?);
        choose(&fixture, &second, &[id], "second")?;
        choose(&fixture, &first, &[id], &format!("round {round}"))?;
        commit(first)?;
        assert!(conflicts(second)?);
        let now = fixture.snapshot()?;
        assert_eq!(name_of(&fixture, &*now, id)?, named(&format!("round {round}")));
        assert_eq!(name_of(&fixture, &*between, id)?, None);
        assert_eq!(name_of(&fixture, &*before, id)?, named(&format!("round {}", round - 1)));
        check_all(&*now)?;
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(name_of(&fixture, &*fixture.snapshot()?, id)?, named("round 3"));
    check_all(&*fixture.snapshot()?)
}

fn older(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let (before, transaction) = (fixture.snapshot()?, fixture.begin()?);
    let made = add(&fixture, &FAR[..1], "far")?;
    for old in [&*before, &transaction as &dyn Snapshot] {
        assert!(old.exist(Elements::Vertices(&find(old, &FAR[..1])?))?.ones().next().is_none());
        assert_eq!(ids_of(old, &people)?, people.iter().map(|v| v.0).collect::<Vec<_>>());
        assert!(!old.exist(Elements::Vertices(&made))?.get(0));
    }
    // It may choose others, and sees those only.
    choose(&fixture, &transaction, &FAR[1..2], "own")?;
    assert_eq!(name_of(&fixture, &transaction, FAR[1])?, named("own"));
    assert_eq!(name_of(&fixture, &transaction, FAR[0])?, None);
    refused(choose(&fixture, &transaction, &FAR[..1], "mine"), ErrorKind::AlreadyExists);
    commit(transaction)?;
    let now = fixture.snapshot()?;
    assert_eq!(name_of(&fixture, &*now, FAR[0])?, named("far"));
    assert_eq!(name_of(&fixture, &*now, FAR[1])?, named("own"));
    check_all(&*now)
}

fn no_property(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &FAR[..1], "far")?;
    let fields = |snapshot: &dyn Snapshot| -> Result<Vec<_>> {
        let fields = snapshot.fields(Elements::Vertices(&made))?;
        Ok(fields[0].iter().map(|field| field.key).collect())
    };
    assert_eq!(fields(&transaction)?, [fixture.name]);
    transaction.spill()?;
    assert_eq!(
        (fields(&transaction)?, ids_of(&transaction, &made)?),
        (vec![fixture.name], vec![FAR[0]])
    );
    commit(transaction)?;
    for round in 0..2 {
        assert_eq!(fields(&*fixture.snapshot()?)?, [fixture.name], "round {round}");
        harness.backend().checkpoint()?;
    }
    write(&fixture, |transaction| {
        let mut nothing = millrace_model::Column::default();
        nothing.push_entry(None);
        transaction.set_vertex_properties(fixture.name, &made, &nothing)?;
        transaction.set_labels(&[(made[0], std::sync::Arc::from([fixture.item]))])
    })?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(snapshot.fields(Elements::Vertices(&made))?[0].len(), 0);
    assert_eq!((ids_of(&*snapshot, &made)?, find(&*snapshot, &FAR[..1])?), (vec![FAR[0]], made));
    Ok(())
}

/// The attack: an external id that later is the number of another vertex's internal id. Ids are
/// chosen just too far ahead to be internal ids, committed, rolled back and left open, before and
/// after a restart; then so many are leased that internal ids come there.
fn passed_over(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(1)?;
    let first = fixture.store.lease_vertices(1)?[0].start + 2 * CHOSEN_AHEAD;
    let (durable, deleted) = (first + 5, first + 9);
    let made = add(&fixture, &[durable, deleted], "before")?;
    assert!(made.iter().all(|vertex| vertex.0 < durable));
    let fixture = fixture.reopen(harness)?;
    let open = fixture.begin()?;
    let late = first + 5 * CHOSEN_AHEAD / 4;
    let gone = late + 1;
    choose(&fixture, &open, &[late], "late")?;
    let rolled_back = fixture.begin()?;
    choose(&fixture, &rolled_back, &[gone], "never")?;
    drop(rolled_back);
    let old = fixture.begin()?;
    let there = find(&*fixture.snapshot()?, &[deleted])?;
    write(&fixture, |transaction| transaction.delete_vertices(&there, false))?;
    let mut leased = lease_to(&fixture, durable - 1)?;
    // Internal ids come to `durable`, also in a transaction that still sees `deleted`.
    let own = old.create_vertices(&fixture.people(), 20, &[])?;
    check_all(&old)?;
    assert!(own.iter().all(|vertex| ![durable, deleted].contains(&vertex.0)), "{own:?}");
    commit(old)?;
    leased.extend(lease_to(&fixture, late + 10)?);
    for external in [durable, late] {
        assert!(!leased.iter().any(|range| range.contains(&external)), "{external} was chosen");
    }
    commit(open)?;
    // Behind the cursor the rule holds on: what was an external id is chosen as one again.
    add(&fixture, &[gone], "again")?;
    let error = refused(add(&fixture, &[durable], "second"), ErrorKind::AlreadyExists);
    assert!(error.detail.contains(&durable.to_string()), "{error}");
    let snapshot = fixture.snapshot()?;
    for (id, name) in [(durable, "before"), (late, "late"), (gone, "again")] {
        assert_eq!(name_of(&fixture, &*snapshot, id)?, named(name));
    }
    check_all(&*snapshot)
}

/// Leases up to an internal id; what was leased.
fn lease_to(fixture: &Fixture, internal_id: u64) -> Result<Vec<std::ops::Range<u64>>> {
    let mut leased = Vec::new();
    loop {
        let one = fixture.store.lease_vertices(1)?;
        let next = one[0].end;
        leased.extend(one);
        if internal_id <= next {
            return Ok(leased);
        }
        leased.extend(fixture.store.lease_vertices((internal_id - next).min(1 << 18))?);
    }
}

/// The attack: an internal id with a number that names no vertex, as the vertex in it has an
/// external id.
fn foreign_internal(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(1)?;
    let internal_id = add(&fixture, &FAR[..1], "far")?[0];
    let snapshot = fixture.snapshot()?;
    assert_eq!(name_of(&fixture, &*snapshot, internal_id.0)?, None, "it names no vertex");
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &[internal_id.0], "chosen")?[0];
    assert_ne!(made, internal_id);
    // The same with an internal id that is this transaction's own.
    let own = choose(&fixture, &transaction, &FAR[1..2], "own")?[0];
    choose(&fixture, &transaction, &[own.0], "second")?;
    check_all(&transaction)?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let expected = [(internal_id.0, "chosen"), (FAR[0], "far"), (FAR[1], "own"), (own.0, "second")];
    for (id, name) in expected {
        assert_eq!(name_of(&fixture, &*snapshot, id)?, named(name));
    }
    // The internal id becomes free, and its number stays what it is.
    write(&fixture, |transaction| transaction.delete_vertices(&[internal_id], true))?;
    refused(add(&fixture, &[internal_id.0], "third"), ErrorKind::AlreadyExists);
    let fixture = fixture.reopen(harness)?;
    refused(add(&fixture, &[internal_id.0], "third"), ErrorKind::AlreadyExists);
    write(&fixture, |transaction| transaction.delete_vertices(&[made], true))?;
    add(&fixture, &[internal_id.0], "third")?;
    assert_eq!(name_of(&fixture, &*fixture.snapshot()?, internal_id.0)?, named("third"));
    check_all(&*fixture.snapshot()?)
}

/// The attack: one takes a number for an external id, as its snapshot has a vertex with that
/// internal id; the other, which sees the internal id free, takes it for an internal id.
fn freed_internal(harness: &mut dyn Harness) -> Result<()> {
    for old_first in [false, true] {
        let graph = if old_first { "old first" } else { "new first" };
        let fixture = Fixture::named(harness, graph)?;
        let internal_id = add(&fixture, &FAR[..1], "far")?[0];
        let old = fixture.begin()?;
        write(&fixture, |transaction| transaction.delete_vertices(&[internal_id], true))?;
        let new = fixture.begin()?;
        let by_old = |old: &Transaction| choose(&fixture, old, &[internal_id.0], "old");
        if old_first {
            refused(by_old(&old), ErrorKind::Conflict);
        }
        choose(&fixture, &new, &[internal_id.0], "new")?;
        commit(new)?;
        if !old_first {
            refused(by_old(&old), ErrorKind::AlreadyExists);
        }
        drop(old);
        assert_eq!(name_of(&fixture, &*fixture.snapshot()?, internal_id.0)?, named("new"));
        check_all(&*fixture.snapshot()?)?;
    }
    Ok(())
}

fn phantom(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(1)?;
    let index = |fixture: &Fixture| -> Result<Option<IndexId>> {
        Ok(fixture.snapshot()?.catalog().external_index().map(|index| index.id))
    };
    assert_eq!(index(&fixture)?, None, "the first round is before the first external id");
    for id in [FAR[0], FAR[1]] {
        let reader = fixture.serializable()?;
        assert_eq!(name_of_unscanned(&reader, id)?, None);
        reader.create_vertices(&fixture.people(), 1, &[])?;
        let bystander = fixture.serializable()?;
        assert_eq!(name_of_unscanned(&bystander, 1)?, Some(VertexId(1)));
        bystander.create_vertices(&fixture.people(), 1, &[])?;
        add(&fixture, &[id], "phantom")?;
        assert!(conflicts(reader)?, "{id}");
        commit(bystander)?;
    }
    assert!(index(&fixture)?.is_some());
    Ok(())
}

pub(in crate::conformance) fn name_of_unscanned(
    snapshot: &dyn Snapshot,
    id: u64,
) -> Result<Option<VertexId>> {
    let found = find(snapshot, &[id])?;
    Ok(snapshot.exist(Elements::Vertices(&found))?.get(0).then_some(found[0]))
}

fn many(harness: &mut dyn Harness) -> Result<()> {
    const COUNT: u64 = 3_000;
    let fixture = Fixture::new(harness)?;
    let near = fixture.add_people(1)?[0].0 + 1;
    let id = |at: u64| match at % 3 {
        0 => near + at,
        1 => (1 << 28) + at * 7919,
        _ => (at << 40) | 5,
    };
    let ids: Vec<u64> = (0..COUNT).map(|at| id(at * 1_201 % COUNT)).collect();
    let (some, rest) = ids.split_at(1_000);
    let transaction = fixture.begin()?;
    let mut made = choose(&fixture, &transaction, some, "some")?;
    made.extend(choose(&fixture, &transaction, rest, "rest")?);
    let between = transaction.create_vertices(&fixture.people(), 1_500, &[])?;
    check_all(&transaction)?;
    commit(transaction)?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!((ids_of(&*snapshot, &made)?, find(&*snapshot, &ids)?), (ids.clone(), made));
    assert!(between.iter().all(|vertex| !ids.contains(&vertex.0)));
    check_all(&*snapshot)
}
