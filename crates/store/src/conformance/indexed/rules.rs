//! Defined properties: types, required ones, and errors that name what broke them.

use std::sync::Arc;

use millrace_model::schema::PropertyDefinition;
use millrace_model::{CatalogChange, Column, ErrorKind, KeyId, Owner, PropertyType, Result, Value};

use crate::changes::{Changes, PropertyBlock, WriteBatch};
use crate::conformance::fixture::{Fixture, commit, ints, refused, texts, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a defined type takes values that fit, in its own form", typed),
    ("a required property must be there when the statement ends", required),
    ("existing data must obey a new definition", defined_late),
    ("definitions end, and names stay", dropped),
    ("a note is part of its transaction, and hinders no other", notes),
    ("a store refuses the writes that a write set refuses", raw_batches),
];

impl Fixture {
    fn define_property(&self, key: KeyId, kind: PropertyType, required: bool) -> Result<()> {
        let owner = Owner::Label(self.person);
        let defined = PropertyDefinition { owner, key, kind, required };
        write(self, |transaction| {
            transaction.change_schema(&[CatalogChange::CreateProperty(defined)]).map(drop)
        })?;
        Ok(())
    }
}

fn typed(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.define_property(fixture.age, PropertyType::Double, false)?;
    let transaction = fixture.begin()?;
    let ages = Column::from_values([Value::I64(1), Value::Null, Value::F64(2.5)]);
    let people = transaction.create_vertices(&fixture.people(), 3, &[(fixture.age, &ages)])?;
    let bad = [(fixture.age, &texts(&["old"]))];
    let refusal = transaction.create_vertices(&fixture.people(), 1, &bad);
    let error = refused(refusal, ErrorKind::Constraint);
    for word in ["Person", "age", "old", "double"] {
        assert!(error.detail.contains(word), "{error}");
    }
    let set = transaction.set_vertex_properties(fixture.age, &people[..1], &texts(&["x"]));
    refused(set, ErrorKind::Constraint);
    // Another label has no such rule.
    transaction.create_vertices(&Arc::from([fixture.item]), 1, &bad)?;
    commit(transaction)?;
    let column = &fixture.snapshot()?.gather(Elements::Vertices(&people), &[fixture.age])?[0];
    let entries: Vec<_> = (0..3).map(|row| column.get(row)).collect();
    let expected = [Value::F64(1.0), Value::Null, Value::F64(2.5)].map(Some);
    assert_eq!(entries, expected);
    Ok(())
}

fn notes(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let set = |text: Option<&str>| [CatalogChange::SetNote(Arc::from("load"), text.map(Arc::from))];
    let note = |fixture: &Fixture| -> Result<Option<Arc<str>>> {
        Ok(fixture.snapshot()?.catalog().notes.get("load").cloned())
    };
    let version = fixture.snapshot()?.catalog().version;
    let (first, other) = (fixture.begin()?, fixture.begin()?);
    first.create_vertices(&fixture.people(), 1, &[])?;
    first.change_schema(&set(Some("line 7")))?;
    assert_eq!(note(&fixture)?, None);
    let before = fixture.snapshot()?;
    commit(first)?;
    assert_eq!(note(&fixture)?.as_deref(), Some("line 7"));
    assert_eq!(before.catalog().notes.len(), 0, "an older reader sees it");
    assert_eq!(fixture.snapshot()?.catalog().version, version);
    // The other one began before the note and commits after it.
    other.create_vertices(&fixture.people(), 1, &[])?;
    commit(other)?;
    let fixture = fixture.reopen(harness)?;
    assert_eq!(note(&fixture)?.as_deref(), Some("line 7"));
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 2);
    write(&fixture, |transaction| transaction.change_schema(&set(None)).map(drop))?;
    assert_eq!(note(&fixture)?, None);
    Ok(())
}

fn required(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.define_property(fixture.name, PropertyType::String, true)?;
    let transaction = fixture.begin()?;
    let people = transaction.create_vertices(&fixture.people(), 1, &[])?;
    let error = refused(transaction.finish_statement(), ErrorKind::Constraint);
    assert!(error.detail.contains("Person") && error.detail.contains("name"), "{error}");
    transaction.set_vertex_properties(fixture.name, &people, &texts(&["a"]))?;
    transaction.finish_statement()?;
    commit(transaction)?;
    for removed in [Some(Value::Null), None] {
        let transaction = fixture.begin()?;
        let mut column = Column::default();
        column.push_entry(removed);
        transaction.set_vertex_properties(fixture.name, &people, &column)?;
        refused(commit(transaction), ErrorKind::Constraint);
    }
    let transaction = fixture.begin()?;
    let item = transaction.create_vertices(&Arc::from([fixture.item]), 1, &[])?;
    transaction.set_labels(&[(item[0], fixture.people())])?;
    refused(commit(transaction), ErrorKind::Constraint);
    write(&fixture, |transaction| transaction.delete_vertices(&people, false))?;
    Ok(())
}

fn defined_late(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(2)?;
    let integer = fixture.define_property(fixture.name, PropertyType::Integer, false);
    refused(integer, ErrorKind::Constraint);
    let missing = fixture.define_property(fixture.age, PropertyType::Any, true);
    refused(missing, ErrorKind::Constraint);
    fixture.define_property(fixture.name, PropertyType::String, true)?;
    assert_eq!(fixture.snapshot()?.catalog().properties.len(), 1);
    Ok(())
}

fn dropped(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let owner = Owner::Label(fixture.person);
    fixture.define_property(fixture.age, PropertyType::Integer, true)?;
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::CreateOwner(owner)]).map(drop)
    })?;
    assert_eq!(fixture.snapshot()?.catalog().owners, [owner]);
    let before = fixture.snapshot()?.catalog().version;
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::DropProperty(owner, fixture.age)])?;
        transaction.change_schema(&[CatalogChange::DropOwner(owner)]).map(drop)
    })?;
    let fixture = fixture.reopen(harness)?;
    let catalog = fixture.snapshot()?.catalog();
    assert_eq!(catalog.version, before + 1, "one version for each transaction");
    assert!(catalog.owners.is_empty() && catalog.properties.is_empty());
    assert_eq!(catalog.label("Person"), Some(fixture.person));
    fixture.add_people(1).map(drop)
}

/// A backend is the last to judge: it is right even when the write set was wrong.
fn raw_batches(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    fixture.define_property(fixture.age, PropertyType::Integer, false)?;
    let people = fixture.add_people(2)?;
    let batch = |key, values: Column| -> Result<WriteBatch> {
        let snapshot = fixture.snapshot()?;
        let block = PropertyBlock { key, owners: people.clone(), values };
        let changes = Changes { vertex_properties: vec![block], ..Changes::default() };
        let catalog_version = snapshot.catalog().version;
        let snapshot = snapshot.position();
        Ok(WriteBatch { snapshot, catalog_version, changes, ..WriteBatch::default() })
    };
    let twice = fixture.store.commit(batch(fixture.name, texts(&["same", "same"]))?);
    assert!(twice.is_err(), "one value twice in a unique index");
    let text = fixture.store.commit(batch(fixture.age, texts(&["a", "b"]))?);
    refused(text, ErrorKind::Constraint);
    fixture.store.commit(batch(fixture.age, ints(&[1, 2]))?)?.wait()?;
    let found =
        crate::conformance::fixture::seek(&*fixture.snapshot()?, index, &[Value::from("p1")])?;
    assert_eq!(found, [people[1].0]);
    Ok(())
}
