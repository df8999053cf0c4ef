//! Ranges of ordered indexes: every type, several keys, bounds, order, limits, and visibility.

use std::cmp::Ordering;
use std::sync::Arc;

use millrace_model::compare::order;
use millrace_model::property_values::each_value;
use millrace_model::schema::IndexKind;
use millrace_model::{Column, ErrorKind, IndexId, Owner, Result, Value, VertexId};

use crate::conformance::compared::range_check::check_ranges;
use crate::conformance::fixture::{Fixture, commit, conflicts, ints, refused, seek, texts, write};
use crate::conformance::indexed::values::one_of_each;
use crate::conformance::{Case, Harness};
use crate::reads::{KeyRanges, RangeBound, SeekMatches};
use crate::snapshot::Snapshot;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("values of every type are found in their order", every_type),
    ("a bound holds comparable values only: no other type, no NaN, no null", comparable),
    ("the first keys are equal and the next has the range", of_two_keys),
    ("many ranges are sought at once, in order, up to a limit, from either side", many_rows),
    ("a range is of its snapshot, and follows values, labels and deletions", follows),
    ("a transaction's ranges hold its own writes, within a limit too", own_writes),
    ("a serializable range counts as the whole index", serializable),
    ("edges have ordered indexes of their own", of_edges),
    ("ordered indexes outlive reopening", reopened),
    ("only an ordered index answers ranges, of no more keys than it has", other_kinds),
];

/// One side of a range.
type Side = Option<(Value, bool)>;

/// What one range finds, ascending.
fn range(
    snapshot: &dyn Snapshot,
    index: IndexId,
    prefix: &[Value],
    lower: Side,
    upper: Side,
) -> Result<Vec<u64>> {
    let column = |value: &Value| Column::from_values([value.clone()]);
    let columns: Vec<Column> = prefix.iter().map(column).collect();
    let prefix: Vec<&Column> = columns.iter().collect();
    let side = |side: Side| side.map(|(value, inclusive)| (column(&value), inclusive));
    let (lower, upper) = (side(lower), side(upper));
    let ranges = KeyRanges {
        rows: 1,
        prefix: &prefix,
        lower: bound(&lower),
        upper: bound(&upper),
        descending: false,
        limit: usize::MAX,
    };
    let mut matches = SeekMatches::default();
    snapshot.seek_ranges(index, &ranges, &mut matches)?;
    assert!(matches.rows.iter().all(|row| *row == 0));
    Ok(matches.ids)
}

fn bound(side: &Option<(Column, bool)>) -> Option<RangeBound<'_>> {
    side.as_ref().map(|(values, inclusive)| RangeBound { values, inclusive: *inclusive })
}

fn numbers(people: &[VertexId], rows: &[usize]) -> Vec<u64> {
    rows.iter().map(|row| people[*row].0).collect()
}

impl Fixture {
    fn add_range(&self, owner: Owner, keys: &[millrace_model::KeyId]) -> Result<IndexId> {
        self.add_index(owner, keys, IndexKind::Range)
    }

    fn add_age_range(&self) -> Result<IndexId> {
        self.add_range(Owner::Label(self.person), &[self.age])
    }

    /// Commits people of these ages.
    fn add_aged(&self, ages: &[i64]) -> Result<Vec<VertexId>> {
        let transaction = self.begin()?;
        let columns = ints(ages);
        let properties = [(self.age, &columns)];
        let people = transaction.create_vertices(&self.people(), ages.len(), &properties)?;
        commit(transaction)?;
        Ok(people)
    }
}

fn every_type(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let values: Vec<Value> = one_of_each().into_iter().filter(|value| !value.is_null()).collect();
    let ages = Column::from_values(values.iter().cloned());
    let transaction = fixture.begin()?;
    let people =
        transaction.create_vertices(&fixture.people(), values.len(), &[(fixture.age, &ages)])?;
    transaction.create_vertices(&fixture.people(), 2, &[])?;
    let ids: Vec<u64> = people.iter().map(|person| person.0).collect();
    let defined = fixture.snapshot()?.catalog().indexes[0].clone();
    check_ranges(&transaction, &defined, &ids, &[&ages])?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    check_ranges(&*snapshot, &defined, &ids, &[&ages])?;
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    // What has several values stands at the first of them.
    let first = |row: usize| each_value(&values[row]).min_by(|left, right| order(left, right));
    sorted.sort_by(|left, right| {
        let pair = first(*left).zip(first(*right));
        pair.map_or(Ordering::Equal, |(left, right)| order(left, right)).then(left.cmp(right))
    });
    assert_eq!(range(&*snapshot, index, &[], None, None)?, numbers(&people, &sorted));
    Ok(())
}

fn comparable(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let ages = Column::from_values([
        Value::I64(5),
        Value::F64(5.5),
        Value::F64(f64::NAN),
        Value::from("6"),
        Value::Null,
        Value::F64(f64::INFINITY),
        Value::Bool(true),
        Value::I64(9_007_199_254_740_993),
    ]);
    let transaction = fixture.begin()?;
    let people = transaction.create_vertices(&fixture.people(), 8, &[(fixture.age, &ages)])?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let find = |lower: Side, upper: Side| range(&*snapshot, index, &[], lower, upper);
    let int = |int: i64, inclusive: bool| Some((Value::I64(int), inclusive));
    assert_eq!(find(int(5, true), None)?, numbers(&people, &[0, 1, 7, 5]));
    assert_eq!(find(int(5, false), None)?, numbers(&people, &[1, 7, 5]));
    assert_eq!(find(None, int(5, true))?, numbers(&people, &[0]));
    assert_eq!(find(None, int(5, false))?, []);
    assert_eq!(find(Some((Value::F64(5.0), true)), int(5, true))?, numbers(&people, &[0]));
    let two_53 = Value::F64(9_007_199_254_740_992.0);
    assert_eq!(find(Some((two_53.clone(), false)), None)?, numbers(&people, &[7, 5]));
    assert_eq!(find(int(6, true), Some((two_53, true)))?, []);
    assert_eq!(find(Some((Value::from(""), true)), None)?, numbers(&people, &[3]));
    assert_eq!(find(int(1, true), Some((Value::from("7"), true)))?, [], "two types");
    for nothing in [Value::Null, Value::F64(f64::NAN)] {
        assert_eq!(find(Some((nothing.clone(), true)), None)?, []);
        assert_eq!(find(None, Some((nothing, true)))?, []);
    }
    assert_eq!(find(int(9, true), int(1, true))?, [], "the wrong way round");
    Ok(())
}

fn of_two_keys(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let owner = Owner::Label(fixture.person);
    let index = fixture.add_range(owner, &[fixture.name, fixture.age])?;
    let names = texts(&["a", "a", "b", "a", "ab", "a"]);
    let ages = ints(&[3, 1, 2, -7, 2, 3]);
    let transaction = fixture.begin()?;
    let properties = [(fixture.age, &ages), (fixture.name, &names)];
    let people = transaction.create_vertices(&fixture.people(), 6, &properties)?;
    // Without one of the keys there is no entry.
    transaction.create_vertices(&fixture.people(), 1, &[(fixture.name, &texts(&["a"]))])?;
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        let (a, two) = ([Value::from("a")], || Some((Value::I64(2), true)));
        assert_eq!(range(snapshot, index, &a, None, None)?, numbers(&people, &[3, 1, 0, 5]));
        assert_eq!(range(snapshot, index, &a, two(), None)?, numbers(&people, &[0, 5]));
        assert_eq!(range(snapshot, index, &a, None, two())?, numbers(&people, &[3, 1]));
        let both = [Value::from("a"), Value::I64(3)];
        assert_eq!(range(snapshot, index, &both, None, None)?, numbers(&people, &[0, 5]));
        let names = range(snapshot, index, &[], Some((Value::from("ab"), true)), None)?;
        assert_eq!(names, numbers(&people, &[4, 2]), "a range of the first key");
        assert_eq!(seek(snapshot, index, &both)?, numbers(&people, &[0, 5]));
        assert_eq!(range(snapshot, index, &[Value::Null], None, None)?, []);
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)
}

fn many_rows(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let people = fixture.add_aged(&[1, 2, 3, 3, 4])?;
    let mut lower = ints(&[3, 9, 1]);
    lower.push_absent();
    lower.push(Value::Null);
    lower.push(Value::I64(4));
    let lower = RangeBound { values: &lower, inclusive: true };
    let snapshot = fixture.snapshot()?;
    let find = |descending, limit| -> Result<Vec<(u32, u64)>> {
        let (lower, upper) = (Some(lower), None);
        let ranges = KeyRanges { rows: 6, prefix: &[], lower, upper, descending, limit };
        let mut matches = SeekMatches::default();
        snapshot.seek_ranges(index, &ranges, &mut matches)?;
        Ok(matches.rows.into_iter().zip(matches.ids).collect())
    };
    let pairs = |rows: &[(u32, usize)]| -> Vec<(u32, u64)> {
        rows.iter().map(|(row, person)| (*row, people[*person].0)).collect()
    };
    let all = [(0, 2), (0, 3), (0, 4), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (5, 4)];
    assert_eq!(find(false, usize::MAX)?, pairs(&all));
    assert_eq!(find(false, 2)?, pairs(&[(0, 2), (0, 3), (2, 0), (2, 1), (5, 4)]));
    assert_eq!(find(true, 3)?, pairs(&[(0, 4), (0, 3), (0, 2), (2, 4), (2, 3), (2, 2), (5, 4)]));
    assert_eq!(find(true, 0)?, []);
    Ok(())
}

fn follows(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let people = fixture.add_aged(&[1, 2, 3, 4, 5])?;
    let before = fixture.snapshot()?;
    let transaction = fixture.begin()?;
    transaction.delete_vertices(&people[..1], false)?;
    transaction.set_labels(&[(people[1], Arc::from([fixture.item]))])?;
    let mut removed = Column::default();
    removed.push_absent();
    transaction.set_vertex_properties(fixture.age, &people[2..3], &removed)?;
    transaction.set_vertex_properties(fixture.age, &people[3..4], &ints(&[9]))?;
    commit(transaction)?;
    let all = |snapshot: &dyn Snapshot| range(snapshot, index, &[], None, None);
    assert_eq!(all(&*fixture.snapshot()?)?, numbers(&people, &[4, 3]));
    assert_eq!(all(&*before)?, numbers(&people, &[0, 1, 2, 3, 4]), "an older snapshot");
    let upper = Some((Value::I64(4), true));
    assert_eq!(range(&*before, index, &[], None, upper)?, numbers(&people, &[0, 1, 2, 3]));
    write(&fixture, |transaction| {
        transaction.set_labels(&[(people[1], fixture.people())])?;
        transaction.set_vertex_properties(fixture.age, &people[3..4], &ints(&[4]))
    })?;
    assert_eq!(all(&*fixture.snapshot()?)?, numbers(&people, &[1, 3, 4]));
    assert_eq!(all(&*before)?, numbers(&people, &[0, 1, 2, 3, 4]));
    Ok(())
}

fn own_writes(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let people = fixture.add_aged(&[1, 2, 3, 4])?;
    let transaction = fixture.begin()?;
    transaction.delete_vertices(&people[..1], false)?;
    transaction.set_vertex_properties(fixture.age, &people[1..2], &ints(&[7]))?;
    let ages = ints(&[3, 0]);
    let more = transaction.create_vertices(&fixture.people(), 2, &[(fixture.age, &ages)])?;
    let expected = [more[1], people[2], more[0], people[3], people[1]].map(|person| person.0);
    assert_eq!(range(&transaction, index, &[], None, None)?, expected);
    let find = |descending, limit| -> Result<Vec<u64>> {
        let ranges =
            KeyRanges { rows: 1, prefix: &[], lower: None, upper: None, descending, limit };
        let mut matches = SeekMatches::default();
        transaction.seek_ranges(index, &ranges, &mut matches)?;
        Ok(matches.ids)
    };
    assert_eq!(find(false, 2)?, expected[..2]);
    assert_eq!(find(true, 2)?, [expected[4], expected[3]]);
    transaction.delete_vertices(&more, false)?;
    assert_eq!(find(false, 9)?, numbers(&people, &[2, 3, 1]));
    let committed = fixture.snapshot()?;
    assert_eq!(range(&*committed, index, &[], None, None)?, numbers(&people, &[0, 1, 2, 3]));
    commit(transaction).map(drop)
}

fn serializable(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let people = fixture.add_aged(&[1, 2])?;
    for far in [false, true] {
        let reader = fixture.serializable()?;
        range(&reader, index, &[], Some((Value::I64(100), true)), None)?;
        fixture.set_age(&reader, people[1], 3)?;
        let writer = fixture.begin()?;
        if far {
            // Outside of the range that was read, and yet in the index.
            writer.create_vertices(&fixture.people(), 1, &[(fixture.age, &ints(&[50]))])?;
        } else {
            writer.create_vertices(&Arc::from([fixture.item]), 1, &[])?;
        }
        commit(writer)?;
        assert_eq!(conflicts(reader)?, far);
    }
    Ok(())
}

fn of_edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let index = fixture.add_range(Owner::EdgeType(fixture.knows), &[fixture.age])?;
    let transaction = fixture.begin()?;
    let (sources, targets) = ([people[0]; 3], [people[1]; 3]);
    let ages = ints(&[3, 1, 2]);
    let properties = [(fixture.age, &ages)];
    let edges = transaction.create_edges(fixture.knows, &sources, &targets, &properties)?;
    transaction.create_edges(fixture.likes, &sources, &targets, &properties)?;
    commit(transaction)?;
    write(&fixture, |transaction| transaction.delete_edges(&edges[..1]))?;
    let found = range(&*fixture.snapshot()?, index, &[], None, None)?;
    assert_eq!(found, [edges[1].0, edges[2].0]);
    Ok(())
}

fn reopened(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_age_range()?;
    let ages: Vec<i64> = (0..300).map(|at| at * 37 % 100).collect();
    let people = fixture.add_aged(&ages)?;
    let owner = Owner::Label(fixture.person);
    let late = fixture.add_range(owner, &[fixture.age, fixture.name])?;
    write(&fixture, |transaction| {
        transaction.set_vertex_properties(fixture.age, &people[..1], &ints(&[1_000]))
    })?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    let mut expected: Vec<usize> = (1..300).collect();
    expected.sort_by_key(|at| (ages[*at], *at));
    expected.push(0);
    assert_eq!(range(&*snapshot, index, &[], None, None)?, numbers(&people, &expected));
    assert_eq!(range(&*snapshot, late, &[], None, None)?, [], "nobody has a name");
    let found = range(&*snapshot, index, &[], Some((Value::I64(99), true)), None)?;
    assert_eq!(found.len(), 4);
    Ok(())
}

fn other_kinds(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let owner = Owner::Label(fixture.person);
    let exact = fixture.add_index(owner, &[fixture.name], IndexKind::Exact)?;
    let ordered = fixture.add_age_range()?;
    let transaction = fixture.begin()?;
    fixture.create_named(&transaction, &["a"])?;
    let one = [Value::I64(1)];
    for snapshot in [&transaction as &dyn Snapshot, &*fixture.snapshot()?] {
        refused(range(snapshot, exact, &[], None, None), ErrorKind::Unsupported);
        let lower = Some((Value::I64(1), true));
        refused(range(snapshot, ordered, &one, lower, None), ErrorKind::Unsupported);
    }
    Ok(())
}
