//! Seeks, unique values, and indexes that follow what they index.

use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, ErrorKind, IndexId, KeyId, Owner, PropertyValues, Result, Value,
    VertexId,
};

use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{Fixture, commit, ints, refused, seek, texts, write};
use crate::conformance::{Case, Harness};
use crate::reads::SeekMatches;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a seek finds all equal values, 1 being 1.0, and null nothing", exact),
    ("an index of two keys wants both", two_keys),
    ("many rows of keys are sought at once, in order", many_rows),
    ("a second unique value is refused by label, key and value", unique),
    ("of two transactions with one unique value, one loses", unique_conflict),
    ("a unique value that was freed may be taken", unique_freed),
    ("unique values may be swapped in one call", unique_swapped),
    ("an index fills from existing data, and refuses duplicates", defined_late),
    ("an index follows labels", follows_labels),
    ("an index over all vertices knows no labels", all_vertices),
    ("edges have indexes of their own", of_edges),
    ("each value of a property is found, and unique", of_several_values),
    ("indexes outlive reopening, dropped ones do not", reopened),
];

impl Fixture {
    /// Commits an index, and gives its lasting number.
    pub(in crate::conformance) fn add_index(
        &self,
        owner: Owner,
        keys: &[KeyId],
        kind: IndexKind,
    ) -> Result<IndexId> {
        write(self, |transaction| define(transaction, owner, keys, kind).map(drop))?;
        let catalog = self.snapshot()?.catalog();
        Ok(catalog.index(owner, keys).expect("an index that was committed is there").id)
    }

    pub(in crate::conformance) fn add_unique_name(&self) -> Result<IndexId> {
        self.add_index(Owner::Label(self.person), &[self.name], IndexKind::Unique)
    }

    pub(in crate::conformance) fn create_named(
        &self,
        transaction: &Transaction,
        names: &[&str],
    ) -> Result<Vec<VertexId>> {
        let columns = texts(names);
        transaction.create_vertices(&self.people(), names.len(), &[(self.name, &columns)])
    }
}

fn define(
    transaction: &Transaction,
    owner: Owner,
    keys: &[KeyId],
    kind: IndexKind,
) -> Result<IndexId> {
    let index = IndexDefinition::new(owner, keys.to_vec(), kind);
    Ok(transaction.change_schema(&[CatalogChange::CreateIndex(index)])?[0])
}

fn exact(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index =
        fixture.add_index(Owner::Label(fixture.person), &[fixture.age], IndexKind::Exact)?;
    let values = [
        Value::I64(1),
        Value::F64(1.0),
        Value::I32(1),
        Value::from("1"),
        Value::Null,
        Value::F64(f64::NAN),
        Value::I64(9_007_199_254_740_993),
        Value::I64(9_007_199_254_740_992),
    ];
    let ages = Column::from_values(values);
    let transaction = fixture.begin()?;
    let people = transaction.create_vertices(&fixture.people(), 8, &[(fixture.age, &ages)])?;
    transaction.create_vertices(&fixture.people(), 2, &[])?;
    let numbers = |rows: &[usize]| rows.iter().map(|row| people[*row].0).collect::<Vec<_>>();
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        let find = |value: Value| seek(snapshot, index, &[value]);
        assert_eq!(find(Value::F64(1.0))?, numbers(&[0, 1, 2]));
        assert_eq!(find(Value::I8(1))?, numbers(&[0, 1, 2]));
        assert_eq!(find(Value::from("1"))?, numbers(&[3]));
        assert_eq!(find(Value::Null)?, []);
        assert_eq!(find(Value::F64(f64::NAN))?, numbers(&[5]));
        assert_eq!(find(Value::I64(9_007_199_254_740_993))?, numbers(&[6]));
        assert_eq!(find(Value::I64(2))?, []);
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)
}

fn two_keys(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let keys = [fixture.name, fixture.age];
    let index = fixture.add_index(Owner::Label(fixture.person), &keys, IndexKind::Unique)?;
    let transaction = fixture.begin()?;
    let names = texts(&["a", "a", "b"]);
    let properties = [(fixture.age, &ints(&[1, 2, 1])), (fixture.name, &names)];
    let people = transaction.create_vertices(&fixture.people(), 3, &properties)?;
    // Without one of the keys there is no entry, so these two are not equal.
    transaction.create_vertices(&fixture.people(), 2, &[(fixture.name, &texts(&["a", "a"]))])?;
    let properties = [(fixture.age, &ints(&[1])), (fixture.name, &texts(&["a"]))];
    let again = transaction.create_vertices(&fixture.people(), 1, &properties);
    let error = refused(again, ErrorKind::Constraint);
    assert!(error.detail.contains("name") && error.detail.contains("age"), "{error}");
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let find = |name: &str, age| seek(&*snapshot, index, &[Value::from(name), Value::I64(age)]);
    assert_eq!(find("a", 2)?, [people[1].0]);
    assert_eq!(find("b", 1)?, [people[2].0]);
    assert_eq!(find("b", 2)?, []);
    Ok(())
}

fn many_rows(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index =
        fixture.add_index(Owner::Label(fixture.person), &[fixture.name], IndexKind::Exact)?;
    let transaction = fixture.begin()?;
    let people = fixture.create_named(&transaction, &["x", "y", "x"])?;
    commit(transaction)?;
    let mut keys = texts(&["y", "z"]);
    keys.push_absent();
    keys.push(Value::Null);
    keys.push(Value::from("x"));
    keys.push(Value::from("y"));
    let mut matches = SeekMatches::default();
    fixture.snapshot()?.seek(index, &[&keys], &mut matches)?;
    assert_eq!(matches.rows, [0, 4, 4, 5]);
    let ids = [people[1], people[0], people[2], people[1]].map(|person| person.0);
    assert_eq!(matches.ids, ids);
    Ok(())
}

fn unique(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    write(&fixture, |transaction| fixture.create_named(transaction, &["ann", "bob"]).map(drop))?;
    let transaction = fixture.begin()?;
    let names_it = |error: millrace_model::Error| {
        for word in ["Person", "name", "ann"] {
            assert!(error.detail.contains(word), "{error}");
        }
    };
    let second = fixture.create_named(&transaction, &["cid", "ann"]);
    names_it(refused(second, ErrorKind::Constraint));
    let twice = fixture.create_named(&transaction, &["eve", "eve"]);
    refused(twice, ErrorKind::Constraint);
    let cid = fixture.create_named(&transaction, &["cid"])?;
    let set = transaction.set_vertex_properties(fixture.name, &cid, &texts(&["ann"]));
    names_it(refused(set, ErrorKind::Constraint));
    assert_eq!(seek(&transaction, index, &[Value::from("cid")])?, [cid[0].0]);
    // Another label may have the same name.
    let labels = Arc::from([fixture.item]);
    transaction.create_vertices(&labels, 1, &[(fixture.name, &texts(&["ann"]))])?;
    commit(transaction)?;
    assert_eq!(fixture.snapshot()?.count_vertices(Some(fixture.person))?, 3);
    Ok(())
}

fn unique_conflict(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    let winner = fixture.create_named(&first, &["ann"])?;
    fixture.create_named(&second, &["ann"])?;
    let third = fixture.begin()?;
    fixture.create_named(&third, &["bob"])?;
    commit(first)?;
    refused(commit(second), ErrorKind::Conflict);
    commit(third)?;
    assert_eq!(seek(&*fixture.snapshot()?, index, &[Value::from("ann")])?, [winner[0].0]);
    let again = fixture.begin()?;
    refused(fixture.create_named(&again, &["ann"]), ErrorKind::Constraint);
    Ok(())
}

fn unique_freed(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let transaction = fixture.begin()?;
    let people = fixture.create_named(&transaction, &["a", "b", "c"])?;
    commit(transaction)?;
    let transaction = fixture.begin()?;
    transaction.delete_vertices(&people[..1], false)?;
    transaction.set_vertex_properties(fixture.name, &people[1..2], &texts(&["d"]))?;
    transaction.set_labels(&[(people[2], Arc::from([fixture.item]))])?;
    let fresh = fixture.create_named(&transaction, &["a", "b", "c"])?;
    transaction.delete_vertices(&fresh[..1], false)?;
    let last = fixture.create_named(&transaction, &["a"])?;
    assert_eq!(seek(&transaction, index, &[Value::from("a")])?, [last[0].0]);
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let expected = [("a", last[0]), ("b", fresh[1]), ("c", fresh[2]), ("d", people[1])];
    for (name, vertex) in expected {
        assert_eq!(seek(&*snapshot, index, &[Value::from(name)])?, [vertex.0], "{name}");
    }
    content(&*snapshot, &Naming::default()).map(drop)
}

fn unique_swapped(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let transaction = fixture.begin()?;
    let people = fixture.create_named(&transaction, &["a", "b"])?;
    commit(transaction)?;
    write(&fixture, |transaction| {
        transaction.set_vertex_properties(fixture.name, &people, &texts(&["b", "a"]))
    })?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(seek(&*snapshot, index, &[Value::from("a")])?, [people[1].0]);
    content(&*snapshot, &Naming::default()).map(drop)
}

fn defined_late(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let people = fixture.create_named(&transaction, &["a", "b"])?;
    commit(transaction)?;
    let transaction = fixture.begin()?;
    let more = fixture.create_named(&transaction, &["c"])?;
    let owner = Owner::Label(fixture.person);
    let index = define(&transaction, owner, &[fixture.name], IndexKind::Unique)?;
    assert_eq!(seek(&transaction, index, &[Value::from("b")])?, [people[1].0]);
    assert_eq!(seek(&transaction, index, &[Value::from("c")])?, [more[0].0]);
    refused(fixture.create_named(&transaction, &["a"]), ErrorKind::Constraint);
    commit(transaction)?;
    let lasting = fixture.snapshot()?.catalog().indexes[0].id;
    assert_eq!(seek(&*fixture.snapshot()?, lasting, &[Value::from("c")])?, [more[0].0]);
    let ages = fixture.begin()?;
    ages.set_vertex_properties(fixture.age, &people, &ints(&[5, 5]))?;
    commit(ages)?;
    let transaction = fixture.begin()?;
    let refusal = define(&transaction, owner, &[fixture.age], IndexKind::Unique);
    let error = refused(refusal, ErrorKind::Constraint);
    assert!(error.detail.contains('5'), "{error}");
    Ok(())
}

fn follows_labels(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let person = fixture.add_unique_name()?;
    let item = fixture.add_index(Owner::Label(fixture.item), &[fixture.name], IndexKind::Exact)?;
    let transaction = fixture.begin()?;
    let vertex = fixture.create_named(&transaction, &["a"])?[0];
    commit(transaction)?;
    let both: Arc<[_]> = Arc::from([fixture.person, fixture.item]);
    let steps = [
        (both, vec![vertex.0], vec![vertex.0]),
        (Arc::from([fixture.item]), vec![], vec![vertex.0]),
        (Arc::from([]), vec![], vec![]),
        (fixture.people(), vec![vertex.0], vec![]),
    ];
    for (labels, as_person, as_item) in steps {
        let transaction = fixture.begin()?;
        transaction.set_labels(&[(vertex, labels)])?;
        let check = |snapshot: &dyn Snapshot| -> Result<()> {
            assert_eq!(seek(snapshot, person, &[Value::from("a")])?, as_person);
            assert_eq!(seek(snapshot, item, &[Value::from("a")])?, as_item);
            content(snapshot, &Naming::default()).map(drop)
        };
        check(&transaction)?;
        commit(transaction)?;
        check(&*fixture.snapshot()?)?;
    }
    Ok(())
}

fn all_vertices(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_index(Owner::AllVertices, &[fixture.name], IndexKind::Unique)?;
    let transaction = fixture.begin()?;
    let person = fixture.create_named(&transaction, &["x"])?;
    let columns = texts(&["x"]);
    let labels = Arc::from([fixture.item]);
    let item = transaction.create_vertices(&labels, 1, &[(fixture.name, &columns)]);
    refused(item, ErrorKind::Constraint);
    commit(transaction)?;
    assert_eq!(seek(&*fixture.snapshot()?, index, &[Value::from("x")])?, [person[0].0]);
    Ok(())
}

fn of_edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let owner = Owner::EdgeType(fixture.knows);
    let index = fixture.add_index(owner, &[fixture.age], IndexKind::Unique)?;
    let transaction = fixture.begin()?;
    let (sources, targets) = ([people[0]; 2], [people[1]; 2]);
    let properties = [(fixture.age, &ints(&[1, 2]))];
    let edges = transaction.create_edges(fixture.knows, &sources, &targets, &properties)?;
    // Another type is not in the index.
    transaction.create_edges(fixture.likes, &sources, &targets, &properties)?;
    commit(transaction)?;
    let transaction = fixture.begin()?;
    let taken = transaction.set_edge_properties(fixture.age, &edges[..1], &ints(&[2]));
    refused(taken, ErrorKind::Constraint);
    transaction.delete_edges(&edges[1..])?;
    transaction.set_edge_properties(fixture.age, &edges[..1], &ints(&[2]))?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(seek(&*snapshot, index, &[Value::I64(2)])?, [edges[0].0]);
    assert_eq!(seek(&*snapshot, index, &[Value::I64(1)])?, []);
    content(&*snapshot, &Naming::default()).map(drop)
}

/// A multi-valued property.
fn several(values: &[&str]) -> Column {
    let mut property = PropertyValues::default();
    values.iter().for_each(|value| property.append(&Value::from(*value), &[]));
    Column::from_values(property.into_value())
}

fn of_several_values(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let transaction = fixture.begin()?;
    let names = [(fixture.name, &several(&["a", "b", "b"]))];
    let one = transaction.create_vertices(&fixture.people(), 1, &names)?;
    let other = fixture.create_named(&transaction, &["c"])?;
    let check = |snapshot: &dyn Snapshot, expected: &[(&str, &[VertexId])]| -> Result<()> {
        for (name, owners) in expected {
            let ids: Vec<u64> = owners.iter().map(|owner| owner.0).collect();
            assert_eq!(seek(snapshot, index, &[Value::from(*name)])?, ids, "{name}");
        }
        content(snapshot, &Naming::default()).map(drop)
    };
    check(&transaction, &[("a", &one), ("b", &one), ("c", &other)])?;
    commit(transaction)?;
    check(&*fixture.snapshot()?, &[("a", &one), ("b", &one), ("c", &other)])?;
    let transaction = fixture.begin()?;
    let taken = transaction.set_vertex_properties(fixture.name, &other, &several(&["d", "b"]));
    refused(taken, ErrorKind::Constraint);
    transaction.set_vertex_properties(fixture.name, &one, &several(&["a", "d"]))?;
    transaction.set_vertex_properties(fixture.name, &other, &several(&["b", "c"]))?;
    check(&transaction, &[("a", &one), ("b", &other), ("c", &other), ("d", &one)])?;
    commit(transaction)?;
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        check(&*snapshot, &[("a", &one), ("b", &other), ("c", &other), ("d", &one)])?;
        drop(snapshot);
        fixture = fixture.reopen(harness)?;
    }
    // Of two that take a value at once one loses, though neither has it first.
    let [first, second] = [fixture.begin()?, fixture.begin()?];
    first.set_vertex_properties(fixture.name, &one, &several(&["a", "e"]))?;
    second.set_vertex_properties(fixture.name, &other, &several(&["e", "c"]))?;
    commit(first)?;
    assert!(commit(second).is_err(), "both have the value e");
    check(&*fixture.snapshot()?, &[("a", &one), ("e", &one), ("d", &[])])
}

fn reopened(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let owner = Owner::Label(fixture.person);
    let dropped = fixture.add_index(owner, &[fixture.age], IndexKind::Exact)?;
    assert_ne!(index, dropped);
    let transaction = fixture.begin()?;
    let person = fixture.create_named(&transaction, &["a"])?[0];
    commit(transaction)?;
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::DropIndex(dropped)]).map(drop)
    })?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(seek(&*snapshot, index, &[Value::from("a")])?, [person.0]);
    assert_eq!(snapshot.catalog().indexes.len(), 1);
    let later = fixture.add_index(owner, &[fixture.age], IndexKind::Exact)?;
    assert!(later != index && later != dropped, "index numbers are never reused");
    Ok(())
}
