//! The anomalies of the LDBC ACID suite, and a few more, by their names there.
//!
//! Which level rules out which: snapshot isolation all but write skew and its kin, serializable
//! all. A case that both must pass runs under both.

use std::sync::Arc;

use millrace_model::schema::IndexKind;
use millrace_model::{Column, Direction, ErrorKind, Owner, Result, Value, VertexId};

use super::fixture::{Fixture, commit, conflicts, ints, neighbours, refused, scan, seek};
use super::{Case, Harness};
use crate::snapshot::{Elements, Snapshot};
use crate::transaction::Transaction;

pub(super) const CASES: &[Case] = &[
    ("atomicity: all of a commit or nothing (C, RB)", atomicity),
    ("G0: no dirty write", g0),
    ("G1a: no aborted read", g1a),
    ("G1b: no intermediate read", g1b),
    ("G1c: no circular information flow", g1c),
    ("IMP and PMP: items and predicates stay within a transaction", imp_pmp),
    ("OTV and FR: no vanishing transaction, no fractured read", otv_fr),
    ("LU: no lost update", lu),
    ("WS: write skew, only under snapshot isolation", ws),
    ("predicate write skew, only under snapshot isolation", predicate_write_skew),
    ("a phantom in a list, a label, an index is seen at commit", phantoms),
    ("a serializable reader of other things commits", unrelated_reads),
    ("long fork: two readers see two writes in one order", long_fork),
];

/// A transaction at each level, begun now.
fn both_levels(fixture: &Fixture) -> Result<[Transaction; 2]> {
    Ok([fixture.begin()?, fixture.serializable()?])
}

fn ages(fixture: &Fixture, snapshot: &dyn Snapshot, people: &[VertexId]) -> Result<Vec<i64>> {
    let column = &snapshot.gather(Elements::Vertices(people), &[fixture.age])?[0];
    let age = |row| column.get(row).and_then(|value: Value| value.as_int()).unwrap_or(0);
    Ok((0..people.len()).map(age).collect())
}

fn atomicity(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    for transaction in both_levels(&fixture)? {
        fixture.set_age(&transaction, people[0], 9)?;
        transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
        drop(transaction);
        assert_eq!(ages(&fixture, &*fixture.snapshot()?, &people)?, [0, 0]);
    }
    let transaction = fixture.serializable()?;
    transaction.set_vertex_properties(fixture.age, &people, &ints(&[1, 2]))?;
    transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
    commit(transaction)?;
    fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(ages(&fixture, &*snapshot, &people)?, [1, 2]);
    assert_eq!(neighbours(&*snapshot, people[1], None, Direction::In)?, people[..1]);
    Ok(())
}

fn g0(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let [first, second] = both_levels(&fixture)?;
    first.set_vertex_properties(fixture.age, &people[..1], &ints(&[1]))?;
    second.set_vertex_properties(fixture.age, &people, &ints(&[2, 2]))?;
    first.set_vertex_properties(fixture.age, &people[1..], &ints(&[1]))?;
    commit(first)?;
    refused(commit(second), ErrorKind::Conflict);
    assert_eq!(ages(&fixture, &*fixture.snapshot()?, &people)?, [1, 1]);
    Ok(())
}

fn g1a(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let writer = fixture.begin()?;
    fixture.set_age(&writer, people[0], 9)?;
    for reader in both_levels(&fixture)? {
        assert_eq!(ages(&fixture, &reader, &people)?, [0]);
    }
    drop(writer);
    assert_eq!(ages(&fixture, &*fixture.snapshot()?, &people)?, [0]);
    Ok(())
}

fn g1b(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let writer = fixture.begin()?;
    fixture.set_age(&writer, people[0], 1)?;
    let [one, two] = both_levels(&fixture)?;
    fixture.set_age(&writer, people[0], 2)?;
    commit(writer)?;
    for reader in [one, two] {
        assert_eq!(ages(&fixture, &reader, &people)?, [0], "of its own snapshot");
    }
    for reader in both_levels(&fixture)? {
        assert_eq!(ages(&fixture, &reader, &people)?, [2], "never the value between");
    }
    Ok(())
}

fn g1c(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let [first, second] = both_levels(&fixture)?;
    fixture.set_age(&first, people[0], 1)?;
    fixture.set_age(&second, people[1], 2)?;
    let seen_by_first = ages(&fixture, &first, &people[1..])?;
    let seen_by_second = ages(&fixture, &second, &people[..1])?;
    assert_eq!((seen_by_first, seen_by_second), (vec![0], vec![0]));
    commit(first)?;
    // The serializable one read what the first then wrote.
    assert!(conflicts(second)?);
    Ok(())
}

fn imp_pmp(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let readers = both_levels(&fixture)?;
    let read = |reader: &Transaction| -> Result<_> {
        let list = neighbours(reader, people[0], None, Direction::Both)?;
        Ok((ages(&fixture, reader, &people)?, scan(reader, Some(fixture.person), 10)?, list))
    };
    let before = [read(&readers[0])?, read(&readers[1])?];
    let writer = fixture.begin()?;
    writer.set_vertex_properties(fixture.age, &people, &ints(&[5, 6]))?;
    writer.create_vertices(&fixture.people(), 1, &[])?;
    writer.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
    commit(writer)?;
    for (reader, before) in readers.into_iter().zip(before) {
        assert_eq!(read(&reader)?, before);
        commit(reader).map(drop)?;
    }
    Ok(())
}

fn otv_fr(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(4)?;
    std::thread::scope(|scope| -> Result<()> {
        let (fixture, people) = (&fixture, &people);
        let writer = scope.spawn(move || -> Result<()> {
            for round in 1..=50 {
                let transaction = fixture.begin()?;
                let values = ints(&[round; 4]);
                transaction.set_vertex_properties(fixture.age, people, &values)?;
                commit(transaction)?;
            }
            Ok(())
        });
        let mut last = 0;
        while !writer.is_finished() {
            let snapshot = fixture.snapshot()?;
            let seen = ages(fixture, &*snapshot, people)?;
            assert!(seen.iter().all(|age| *age == seen[0]), "a fractured read: {seen:?}");
            assert!(last <= seen[0], "{} came after {last}: a commit vanished", seen[0]);
            last = seen[0];
        }
        writer.join().expect("the writer ends")
    })
}

fn lu(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let person = fixture.add_people(1)?[0];
    let transactions = both_levels(&fixture)?;
    for transaction in &transactions {
        let age = ages(&fixture, transaction, &[person])?[0];
        fixture.set_age(transaction, person, age + 1)?;
    }
    let [first, second] = transactions;
    commit(first)?;
    refused(commit(second), ErrorKind::Conflict);
    Ok(())
}

fn ws(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    for serializable in [false, true] {
        let people = fixture.add_people(2)?;
        let begin = || if serializable { fixture.serializable() } else { fixture.begin() };
        let (first, second) = (begin()?, begin()?);
        for (transaction, target) in [(&first, people[0]), (&second, people[1])] {
            assert_eq!(ages(&fixture, transaction, &people)?, [0, 0]);
            fixture.set_age(transaction, target, -100)?;
        }
        commit(first)?;
        assert_eq!(conflicts(second)?, serializable, "serializable: {serializable}");
    }
    Ok(())
}

fn predicate_write_skew(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    for serializable in [false, true] {
        let begin = || if serializable { fixture.serializable() } else { fixture.begin() };
        let (first, second) = (begin()?, begin()?);
        for transaction in [&first, &second] {
            let count = transaction.count_vertices(Some(fixture.person))?;
            let age = Column::from_values([Value::I64(count as i64)]);
            transaction.create_vertices(&fixture.people(), 1, &[(fixture.age, &age)])?;
        }
        commit(first)?;
        assert_eq!(conflicts(second)?, serializable, "serializable: {serializable}");
    }
    Ok(())
}

fn phantoms(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let owner = Owner::Label(fixture.person);
    let index = fixture.add_index(owner, &[fixture.name], IndexKind::Exact)?;
    let people = fixture.add_people(3)?;
    type Read<'a> = &'a dyn Fn(&Transaction) -> Result<()>;
    type Write<'a> = &'a dyn Fn(&Transaction) -> Result<()>;
    let (read_list, add_edge): (Read<'_>, Write<'_>) =
        (&|reader| neighbours(reader, people[0], None, Direction::Out).map(drop), &|writer| {
            writer.create_edges(fixture.knows, &people[..1], &people[1..2], &[]).map(drop)
        });
    let read_label: Read<'_> = &|reader| scan(reader, Some(fixture.item), 10).map(drop);
    let add_item: Write<'_> =
        &|writer| writer.create_vertices(&Arc::from([fixture.item]), 1, &[]).map(drop);
    let read_index: Read<'_> = &|reader| seek(reader, index, &[Value::from("new")]).map(drop);
    let add_name: Write<'_> = &|writer| fixture.create_named(writer, &["new"]).map(drop);
    for (read, write) in [(read_list, add_edge), (read_label, add_item), (read_index, add_name)] {
        let reader = fixture.serializable()?;
        read(&reader)?;
        fixture.set_age(&reader, people[2], 1)?;
        let writer = fixture.begin()?;
        write(&writer)?;
        commit(writer)?;
        assert!(conflicts(reader)?);
    }
    Ok(())
}

fn unrelated_reads(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let reader = fixture.serializable()?;
    ages(&fixture, &reader, &people[..1])?;
    fixture.set_age(&reader, people[0], 1)?;
    let writer = fixture.begin()?;
    fixture.set_age(&writer, people[1], 1)?;
    commit(writer)?;
    assert!(!conflicts(reader)?);
    let reader = fixture.serializable()?;
    scan(&reader, None, 10)?;
    let writer = fixture.begin()?;
    writer.create_vertices(&fixture.people(), 1, &[])?;
    commit(writer)?;
    assert!(!conflicts(reader)?, "who only reads is never refused");
    Ok(())
}

fn long_fork(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    fixture.set_age(&first, people[0], 1)?;
    fixture.set_age(&second, people[1], 1)?;
    commit(first)?;
    let between = fixture.snapshot()?;
    commit(second)?;
    assert_eq!(ages(&fixture, &*between, &people)?, [1, 0]);
    assert_eq!(ages(&fixture, &*fixture.snapshot()?, &people)?, [1, 1]);
    Ok(())
}
