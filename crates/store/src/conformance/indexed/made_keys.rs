//! Indexes of keys that are made from values: whatever happens to an element, no candidate is missed.

use millrace_model::schema::{IndexDefinition, KeyMethod};
use millrace_model::{
    CatalogChange, Column, ErrorKind, IndexId, KeyId, Owner, Result, Value, VertexId,
};

use millrace_terms::trigrams::{Case as Letters, of_literal};
use millrace_terms::{KeyPattern, KeyQuestion};

use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts as loses_against, refused, seek, texts, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::SeekMatches;
use crate::reads::key_range::ByteRange;
use crate::reads::ordered_keys::of_property;
use crate::snapshot::Snapshot;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("trigrams find what holds them all, in a transaction too", found),
    ("made keys follow values, labels and deletes", followed),
    ("made keys of several properties are kept apart", of_two_properties),
    ("an index of made keys fills from existing data, and is asked for nothing else", filled),
    ("of many candidates the first are given", limited),
    ("a reader of made keys loses against a writer of such a key, and of no other", conflicts),
    ("an index says what it holds, by range too", counted),
    ("made keys outlive reopening", reopened),
];

impl Fixture {
    fn add_trigrams(&self, keys: &[KeyId]) -> Result<IndexId> {
        let index = IndexDefinition::made(
            Owner::Label(self.person),
            keys.to_vec(),
            KeyMethod("trigrams".into()),
        );
        write(self, |transaction| {
            transaction.change_schema(&[CatalogChange::CreateIndex(index)]).map(drop)
        })?;
        let catalog = self.snapshot()?.catalog();
        let index = catalog.indexes.iter().find(|index| index.method.is_some());
        Ok(index.map(|index| index.id).unwrap_or_default())
    }
}

/// The elements that hold all of these keys.
fn holding(snapshot: &dyn Snapshot, index: IndexId, keys: &[&str]) -> Result<Vec<u64>> {
    let question = KeyQuestion::all(keys.iter().map(|key| of_literal(key, Letters::Sensitive)));
    ask(snapshot, index, question, usize::MAX)
}

fn ask(
    snapshot: &dyn Snapshot,
    index: IndexId,
    question: KeyQuestion,
    limit: usize,
) -> Result<Vec<u64>> {
    let nothing = key("???");
    let mut matches = SeekMatches::default();
    snapshot.candidates(index, &[nothing, question], limit, &mut matches)?;
    assert!(matches.rows.iter().all(|row| *row == 1) && matches.ids.is_sorted());
    Ok(matches.ids)
}

fn key(text: &str) -> KeyQuestion {
    KeyQuestion::Key(text.as_bytes().to_vec())
}

fn ids(vertices: &[VertexId], rows: &[usize]) -> Vec<u64> {
    rows.iter().map(|row| vertices[*row].0).collect()
}

fn found(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    let transaction = fixture.begin()?;
    let mut names = texts(&["graph", "paragraph", "grape", "gr", "ĝrá́ph", ""]);
    names.push(Value::I64(7));
    names.push(Value::Null);
    let people = transaction.create_vertices(&fixture.people(), 8, &[(fixture.name, &names)])?;
    transaction.create_vertices(&fixture.people(), 1, &[])?;
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        assert_eq!(holding(snapshot, index, &["gra"])?, ids(&people, &[0, 1, 2]));
        assert_eq!(holding(snapshot, index, &["gra", "aph"])?, ids(&people, &[0, 1]));
        assert_eq!(holding(snapshot, index, &["par", "ape"])?, []);
        assert_eq!(holding(snapshot, index, &["ĝrá"])?, ids(&people, &[4]));
        let either = KeyQuestion::any(["ape", "agr"].map(key));
        assert_eq!(ask(snapshot, index, either, usize::MAX)?, ids(&people, &[1, 2]));
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)
}

fn followed(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    let mut people = Vec::new();
    write(&fixture, |transaction| {
        people = fixture.create_named(transaction, &["abcd", "bcde", "abcx", "abcy"])?;
        Ok(())
    })?;
    let before = fixture.snapshot()?;
    let transaction = fixture.begin()?;
    transaction.set_vertex_properties(fixture.name, &people[..1], &texts(&["bcdf"]))?;
    transaction.set_labels(&[(people[1], [fixture.item].into_iter().collect())])?;
    transaction.delete_vertices(&people[2..3], true)?;
    let mut gone = Column::default();
    gone.push_absent();
    transaction.set_vertex_properties(fixture.name, &people[3..], &gone)?;
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        assert_eq!(holding(snapshot, index, &["abc"])?, []);
        assert_eq!(holding(snapshot, index, &["bcd"])?, ids(&people, &[0]));
        assert_eq!(holding(snapshot, index, &["cde"])?, []);
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)?;
    assert_eq!(holding(&*before, index, &["abc"])?, ids(&people, &[0, 2, 3]));
    assert_eq!(holding(&*before, index, &["bcd"])?, ids(&people, &[0, 1]));
    write(&fixture, |transaction| {
        transaction.set_labels(&[(people[1], fixture.people())])?;
        transaction.set_vertex_properties(fixture.name, &people[3..], &texts(&["abcz"]))
    })?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(holding(&*snapshot, index, &["bcd"])?, ids(&people, &[0, 1]));
    assert_eq!(holding(&*snapshot, index, &["abc"])?, ids(&people, &[3]));
    Ok(())
}

fn of_two_properties(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name, fixture.age])?;
    let transaction = fixture.begin()?;
    let of_name = [(fixture.name, &texts(&["abc"]))];
    let of_age = [(fixture.age, &texts(&["abc"]))];
    let by_name = transaction.create_vertices(&fixture.people(), 1, &of_name)?;
    let by_age = transaction.create_vertices(&fixture.people(), 1, &of_age)?;
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        let catalog = snapshot.catalog();
        let definition = catalog.indexes.iter().find(|own| own.id == index);
        let Some(definition) = definition else { panic!("it was committed") };
        let of = |field| of_property(definition, field, key("abc"));
        assert_eq!(ask(snapshot, index, of(0), usize::MAX)?, ids(&by_name, &[0]));
        assert_eq!(ask(snapshot, index, of(1), usize::MAX)?, ids(&by_age, &[0]));
        let every = KeyQuestion::prefix(b"ab", KeyPattern::Any);
        let every = of_property(definition, 0, every);
        assert_eq!(ask(snapshot, index, every, usize::MAX)?, ids(&by_name, &[0]));
        let any = KeyQuestion::any([of(0), of(1)]);
        assert_eq!(ask(snapshot, index, any, usize::MAX)?.len(), 2);
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)
}

fn filled(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    write(&fixture, |transaction| {
        fixture.create_named(transaction, &["before", "befall", "other"]).map(drop)
    })?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    write(&fixture, |transaction| fixture.create_named(transaction, &["befit"]).map(drop))?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(holding(&*snapshot, index, &["bef"])?.len(), 3);
    assert_eq!(seek(&*snapshot, index, &[Value::from("other")])?, []);
    let whole = fixture.add_unique_name()?;
    let asked = holding(&*fixture.snapshot()?, whole, &["bef"]);
    refused(asked, ErrorKind::Unsupported);
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::DropIndex(index)]).map(drop)
    })?;
    assert_eq!(holding(&*fixture.snapshot()?, index, &["bef"])?, []);
    Ok(())
}

fn limited(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    let mut people = Vec::new();
    write(&fixture, |transaction| {
        people = fixture.create_named(transaction, &["abc", "abcd", "abcde"])?;
        Ok(())
    })?;
    let transaction = fixture.begin()?;
    transaction.set_vertex_properties(fixture.name, &people[..1], &texts(&["xyz"]))?;
    let last = fixture.create_named(&transaction, &["abcdef"])?;
    let expected = [ids(&people, &[1, 2]), ids(&last, &[0])].concat();
    assert_eq!(ask(&transaction, index, key("abc"), 2)?, expected[..2]);
    assert_eq!(ask(&transaction, index, key("abc"), 3)?, expected);
    commit(transaction)?;
    assert_eq!(ask(&*fixture.snapshot()?, index, key("abc"), 1)?, expected[..1]);
    Ok(())
}

fn counted(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    let mut people = Vec::new();
    write(&fixture, |transaction| {
        people = fixture.create_named(transaction, &["abcd", "bcde", "bcdef"])?;
        Ok(())
    })?;
    let check = |entries: u64, bcd: u64, of_a: u64| -> Result<()> {
        let snapshot = fixture.snapshot()?;
        let usage = snapshot.index_usage(&[index])?.remove(0);
        assert_eq!((usage.index, usage.entries, usage.percent()), (index, entries, 100.0));
        assert!(usage.bytes != 0);
        let ranges = [
            ByteRange::of_key(b"bcd"),
            ByteRange::of_key(b"???"),
            ByteRange::of_keys(b"a", b"b"),
            ByteRange { start: Vec::new(), end: None },
        ];
        assert_eq!(snapshot.count_entries(index, &ranges)?, [bcd, 0, of_a, entries]);
        Ok(())
    };
    check(7, 3, 1)?;
    write(&fixture, |transaction| transaction.delete_vertices(&people[..1], true))?;
    check(5, 2, 0)
}

fn conflicts(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name])?;
    let mut people = Vec::new();
    write(&fixture, |transaction| {
        people = fixture.create_named(transaction, &["abcd"])?;
        Ok(())
    })?;
    for (name, loses) in [("abce", true), ("ab", true), ("cd", false)] {
        let reader = fixture.serializable()?;
        holding(&reader, index, &["xyz"])?;
        reader.create_vertices(&fixture.people(), 1, &[])?;
        write(&fixture, |transaction| {
            transaction.set_vertex_properties(fixture.name, &people, &texts(&[name]))
        })?;
        assert_eq!(loses_against(reader)?, loses, "{name}");
    }
    Ok(())
}

fn reopened(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_trigrams(&[fixture.name, fixture.age])?;
    write(&fixture, |transaction| {
        fixture.create_named(transaction, &["kept", "kepi", "left"]).map(drop)
    })?;
    let before = content(&*fixture.snapshot()?, &Naming::default())?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(content(&*snapshot, &Naming::default())?, before);
    let key = KeyQuestion::Key([&[0][..], b"kep"].concat());
    assert_eq!(ask(&*snapshot, index, key, usize::MAX)?.len(), 2);
    Ok(())
}
