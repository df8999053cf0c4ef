//! Serializable transactions: which ones are not refused, and graphs that demand them of every
//! client.

use millrace_model::schema::IndexKind;
use millrace_model::{CatalogChange, EdgeId, ErrorKind, Owner, Result, Value};

use crate::changes::{Changes, PropertyBlock, WriteBatch};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, ints, neighbours, refused, scan, seek, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::reads::run::EDGE_SLOT_BITS;
use crate::snapshot::Snapshot;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a serializable reader of other things commits", unrelated_reads),
    ("a reader is never refused, and holds nothing", read_only),
    ("an edge that was not there is looked for at commit", missing_edges),
    ("a reader of an index loses to a writer after the index was dropped", dropped_index),
    ("a graph that demands it makes everyone serializable", demanded),
    ("a transaction that began before the demand runs again", began_before),
    ("a batch without a read set is refused where it needs one", silent_batches),
];

impl Fixture {
    fn demand(&self, demanded: bool) -> Result<()> {
        write(self, |transaction| {
            transaction.change_schema(&[CatalogChange::DemandSerializable(demanded)]).map(drop)
        })
        .map(drop)
    }
}

fn unrelated_reads(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(4)?;
    let reader = fixture.serializable()?;
    fixture.age(&reader, people[0])?;
    neighbours(&reader, people[0], None, millrace_model::Direction::Both)?;
    scan(&reader, Some(fixture.item), 10)?;
    reader.count_edges(Some(fixture.likes))?;
    // What it made itself concerns no other transaction.
    let own = reader.create_edges(fixture.knows, &people[..1], &people[1..2], &[])?;
    reader.ends(&own)?;
    fixture.set_age(&reader, people[0], 1)?;
    write(&fixture, |writer| {
        fixture.set_age(writer, people[1], 1)?;
        writer.create_edges(fixture.knows, &people[2..3], &people[3..], &[])?;
        fixture.create_named(writer, &["new"]).map(drop)
    })?;
    assert!(!conflicts(reader)?);
    Ok(())
}

fn read_only(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let reader = fixture.serializable()?;
    scan(&reader, None, 10)?;
    fixture.age(&reader, people[0])?;
    let writer = fixture.serializable()?;
    fixture.set_age(&writer, people[0], 5)?;
    assert!(!conflicts(writer)?, "no reader is in the way of a writer");
    assert!(!conflicts(reader)?);
    Ok(())
}

fn missing_edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let known = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0];
    let slots = 1u64 << EDGE_SLOT_BITS;
    // Ids close to one that is there: the next edge has one of them, or one of its partition.
    let near: Vec<EdgeId> = (1..2_000).map(|next| EdgeId(known.0 + next % (slots / 2))).collect();
    let reader = fixture.serializable()?;
    assert_eq!(reader.exist(Elements::Edges(&near))?.ones().count(), 0);
    fixture.set_age(&reader, people[0], 1)?;
    fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    assert!(conflicts(reader)?);
    Ok(())
}

/// A writer after the end of an index knows nothing of it, so the reader conflicts with that end.
fn dropped_index(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?;
    let owner = Owner::EdgeType(fixture.knows);
    for (kind, age) in [(IndexKind::Exact, 7), (IndexKind::Range, 8)] {
        let index = fixture.add_index(owner, &[fixture.age], kind)?;
        let reader = fixture.serializable()?;
        assert_eq!(seek(&reader, index, &[Value::I64(age)])?, []);
        // Its own write does not modify the index.
        fixture.set_age(&reader, people[0], 1)?;
        write(&fixture, |writer| {
            writer.change_schema(&[CatalogChange::DropIndex(index)]).map(drop)
        })?;
        write(&fixture, |writer| writer.set_edge_properties(fixture.age, &edges, &ints(&[age])))?;
        assert!(conflicts(reader)?, "{kind:?}");
    }
    Ok(())
}

fn demanded(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    fixture.demand(true)?;
    let fixture = fixture.reopen(harness)?;
    assert!(fixture.snapshot()?.catalog().serializable);
    for demanded in [true, false] {
        fixture.demand(demanded)?;
        let (first, second) = (fixture.begin()?, fixture.begin()?);
        for (transaction, target) in [(&first, people[0]), (&second, people[1])] {
            transaction.gather(Elements::Vertices(&people), &[fixture.age])?;
            fixture.set_age(transaction, target, 1)?;
        }
        commit(first)?;
        assert_eq!(conflicts(second)?, demanded, "write skew, where it is not demanded");
    }
    Ok(())
}

fn began_before(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let (early, reader) = (fixture.begin()?, fixture.begin()?);
    fixture.set_age(&early, people[0], 1)?;
    scan(&reader, None, 10)?;
    fixture.demand(true)?;
    assert!(conflicts(early)?, "nobody knows what it read");
    assert!(!conflicts(reader)?, "it writes nothing");
    let again = fixture.begin()?;
    fixture.set_age(&again, people[0], 1)?;
    assert!(!conflicts(again)?);
    Ok(())
}

fn silent_batches(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    fixture.demand(true)?;
    let snapshot = fixture.snapshot()?;
    let block = PropertyBlock { key: fixture.age, owners: people, values: ints(&[1]) };
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: snapshot.catalog().version,
        changes: Changes { vertex_properties: vec![block], ..Changes::default() },
        ..WriteBatch::default()
    };
    refused(fixture.store.commit(batch), ErrorKind::BadInput);
    Ok(())
}
