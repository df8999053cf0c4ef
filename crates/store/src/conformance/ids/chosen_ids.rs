//! Vertex ids that the caller chose.

use millrace_model::{Bits, Direction, ErrorKind, Result, Value, VertexId};

use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, ints, neighbours, refused, scan, texts, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a chosen id is the id, and no lease gives it", chosen),
    ("an id that is there is refused by name, and so is 0", taken),
    ("of two that choose one id the first wins", contended),
    ("an id may be chosen again after its vertex is gone, and nothing of that is left", again),
    ("ids may be chosen in any number and order", many),
    ("a chosen id may be one that was leased and never used", leased),
];

fn chosen(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let first = fixture.add_people(1)?[0];
    let numbers = [3, 4, 900].map(|more| first.0 + more);
    let ids = numbers.map(VertexId);
    let transaction = fixture.begin()?;
    let names = [(fixture.name, &texts(&["a", "b", "c"]))];
    let internal_ids = transaction.create_vertices_with_ids(&fixture.people(), &numbers, &names)?;
    assert_eq!(internal_ids, ids);
    transaction.create_edges(fixture.knows, &ids[..1], &ids[2..], &[])?;
    let made = transaction.create_vertices(&fixture.people(), 20, &[])?;
    assert!(made.iter().all(|id| !ids.contains(id)), "{made:?}");
    assert_eq!(neighbours(&transaction, ids[0], None, Direction::Out)?, ids[2..]);
    commit(transaction)?;
    let leased: Vec<u64> = fixture.store.lease_vertices(2_000)?.into_iter().flatten().collect();
    assert!(leased.iter().all(|id| !ids.contains(&VertexId(*id))));
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert!(ids[2].0 < snapshot.id_space().bound);
    let found = snapshot.gather(Elements::Vertices(&ids), &[fixture.name])?;
    let found: Vec<_> = (0..3).map(|row| found[0].get(row)).collect();
    assert_eq!(found, ["a", "b", "c"].map(|name| Some(Value::from(name))));
    assert_eq!(scan(&*snapshot, None, 10)?.len(), 24);
    let more = fixture.add_people(50)?;
    assert!(more.iter().all(|id| !ids.contains(id)));
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn taken(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let free = VertexId(people[1].0 + 10);
    let transaction = fixture.begin()?;
    let choose = |ids: &[VertexId]| {
        let ids: Vec<u64> = ids.iter().map(|id| id.0).collect();
        transaction.create_vertices_with_ids(&fixture.people(), &ids, &[])
    };
    let error = refused(choose(&[free, people[1]]), ErrorKind::AlreadyExists);
    assert!(error.detail.contains(&people[1].to_string()), "{error}");
    refused(choose(&[free, free]), ErrorKind::AlreadyExists);
    refused(choose(&[VertexId(0)]), ErrorKind::BadInput);
    choose(&[free])?;
    refused(choose(&[free]), ErrorKind::AlreadyExists);
    transaction.delete_vertices(&[free], false)?;
    refused(choose(&[free]), ErrorKind::Unsupported);
    let claimed = fixture.store.claim_vertices(&[people[0].0], &Bits::unset(1));
    refused(claimed, ErrorKind::AlreadyExists);
    commit(transaction)?;
    assert_eq!(scan(&*fixture.snapshot()?, None, 10)?, people);
    Ok(())
}

fn contended(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let id = VertexId(fixture.add_people(1)?[0].0 + 7);
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    for (transaction, name) in [(&first, "first"), (&second, "second")] {
        let name = texts(&[name]);
        transaction.create_vertices_with_ids(
            &fixture.people(),
            &[id.0],
            &[(fixture.name, &name)],
        )?;
    }
    let rolled_back = fixture.begin()?;
    let other = VertexId(id.0 + 1);
    rolled_back.create_vertices_with_ids(&fixture.people(), &[other.0], &[])?;
    drop(rolled_back);
    let ticket = first.commit()?;
    assert!(conflicts(second)?, "before the first is visible, and after");
    ticket.wait()?;
    write(&fixture, |transaction| {
        transaction.create_vertices_with_ids(&fixture.people(), &[other.0], &[]).map(drop)
    })?;
    let late = fixture.begin()?.create_vertices_with_ids(&fixture.people(), &[id.0], &[]);
    refused(late, ErrorKind::AlreadyExists);
    let column = &fixture.snapshot()?.gather(Elements::Vertices(&[id]), &[fixture.name])?[0];
    assert_eq!(column.get(0), Some(Value::from("first")));
    Ok(())
}

fn again(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let people = fixture.add_people(2)?;
    write(&fixture, |transaction| {
        transaction.set_vertex_properties(fixture.age, &people, &ints(&[1, 2]))?;
        transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[]).map(drop)
    })?;
    harness.backend().checkpoint()?;
    let id = people[0];
    for round in 0..3 {
        write(&fixture, |transaction| transaction.delete_vertices(&[id], true))?;
        if round == 1 {
            harness.backend().checkpoint()?;
        }
        let before = fixture.snapshot()?;
        let name = texts(&["again"]);
        write(&fixture, |transaction| {
            let labels = std::sync::Arc::from([fixture.person, fixture.item]);
            transaction
                .create_vertices_with_ids(&labels, &[id.0], &[(fixture.name, &name)])
                .map(drop)
        })?;
        assert!(before.exist(Elements::Vertices(&[id]))?.ones().next().is_none());
        let snapshot = fixture.snapshot()?;
        let columns = snapshot.gather(Elements::Vertices(&[id]), &[fixture.name, fixture.age])?;
        assert_eq!(columns[0].get(0), Some(Value::from("again")));
        assert_eq!(columns[1].get(0), None, "the age was another's");
        assert_eq!(snapshot.fields(Elements::Vertices(&[id]))?[0].len(), 1);
        assert_eq!(neighbours(&*snapshot, id, None, Direction::Both)?, []);
        assert_eq!(crate::conformance::fixture::seek(&*snapshot, index, &[Value::from("p0")])?, []);
        assert_eq!(
            crate::conformance::fixture::seek(&*snapshot, index, &[Value::from("again")])?,
            [id.0]
        );
        content(&*snapshot, &Naming::default())?;
    }
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(snapshot.fields(Elements::Vertices(&[id]))?[0].len(), 1);
    harness.backend().checkpoint()?;
    assert_eq!(fixture.snapshot()?.fields(Elements::Vertices(&[id]))?[0].len(), 1);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn many(harness: &mut dyn Harness) -> Result<()> {
    const COUNT: u64 = 5_000;
    let fixture = Fixture::new(harness)?;
    let first = fixture.add_people(1)?[0].0 + 1;
    // Every other one, from both ends.
    let numbers: Vec<u64> = (0..COUNT).map(|at| first + at * 7919 % COUNT * 2).collect();
    let ids: Vec<VertexId> = numbers.iter().copied().map(VertexId).collect();
    let ages: Vec<i64> = (0..COUNT as i64).collect();
    write(&fixture, |transaction| {
        let ages = ints(&ages);
        transaction
            .create_vertices_with_ids(&fixture.people(), &numbers, &[(fixture.age, &ages)])
            .map(drop)
    })?;
    let between = fixture.add_people(COUNT as usize)?;
    let mut all: Vec<VertexId> = ids.iter().chain(&between).copied().collect();
    all.push(VertexId(first - 1));
    all.sort_unstable();
    all.dedup();
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(scan(&*snapshot, None, 1_000)?, all);
    let column = &snapshot.gather(Elements::Vertices(&ids), &[fixture.age])?[0];
    assert!((0..COUNT as usize).all(|row| column.get(row) == Some(Value::I64(row as i64))));
    Ok(())
}

fn leased(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let unused = VertexId(fixture.store.lease_vertices(5)?[0].start + 2);
    fixture.add_people(1)?;
    let fixture = fixture.reopen(harness)?;
    write(&fixture, |transaction| {
        transaction.create_vertices_with_ids(&fixture.people(), &[unused.0], &[]).map(drop)
    })?;
    assert!(fixture.snapshot()?.exist(Elements::Vertices(&[unused]))?.get(0));
    Ok(())
}
