//! Defined rules through out-of-line commits: broken in a part that was spilled, between two parts,
//! between an out-of-line commit and one that overtakes it, and by two that merge one key.
//!
//! No write set has checked the parts here, so the store itself must refuse them.

use millrace_model::schema::PropertyDefinition;
use millrace_model::{
    CatalogChange, Column, ErrorKind, Owner, PropertyType, Result, Value, VertexId,
};

use crate::changes::{Changes, Labels, PropertyBlock, VertexBlock, WriteBatch};
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{Fixture, ints, refused, scan, seek, texts, write};
use crate::conformance::{Case, Harness};

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a rule that one part of an out-of-line commit breaks refuses all of it", one_part),
    ("a rule holds between parts of an out-of-line commit; one may mend another", two_parts),
    ("an out-of-line commit and one that overtakes it never break a rule together", overtaken),
    ("an out-of-line commit older than a schema change never breaks it", schema_changed_meanwhile),
    ("of an out-of-line and a small Merge of one key the first wins", merges),
];

/// The claim of a `Merge` of the name "ann".
const ANN: u64 = 0xa99;

impl Fixture {
    /// Names are required and unique, ages are integers.
    fn add_rules(&self) -> Result<millrace_model::IndexId> {
        let owner = Owner::Label(self.person);
        let name = (self.name, PropertyType::String, true);
        let defined =
            [name, (self.age, PropertyType::Integer, false)].map(|(key, kind, required)| {
                CatalogChange::CreateProperty(PropertyDefinition { owner, key, kind, required })
            });
        write(self, |transaction| transaction.change_schema(&defined).map(drop))?;
        self.add_unique_name()
    }

    fn ids(&self, count: u64) -> Result<Vec<VertexId>> {
        Ok(self.store.lease_vertices(count)?.into_iter().flatten().map(VertexId).collect())
    }

    /// People of these names and ages; null is none.
    fn part_of(&self, ids: &[VertexId], names: &[Value], ages: &[Value]) -> Changes {
        let columns = [(self.name, names), (self.age, ages)];
        let columns = columns.map(|(key, values)| (key, Column::from_values(values.to_vec())));
        let (labels, ids) = (self.people(), ids.to_vec());
        let vertices = vec![VertexBlock { labels, ids, properties: columns.to_vec() }];
        Changes { vertices, ..Changes::default() }
    }

    /// An out-of-line commit as of now, of parts and what stayed in memory.
    fn out_of_line(&self, parts: Vec<Changes>, changes: Changes) -> Result<WriteBatch> {
        let snapshot = self.snapshot()?;
        let (catalog_version, snapshot) = (snapshot.catalog().version, snapshot.position());
        let spilled =
            parts.into_iter().map(|part| self.store.spill(part)).collect::<Result<_>>()?;
        Ok(WriteBatch { snapshot, catalog_version, spilled, changes, ..WriteBatch::default() })
    }

    fn commit(&self, batch: WriteBatch) -> Result<()> {
        self.store.commit(batch)?.wait().map(drop)
    }

    fn must_refuse(&self, batch: WriteBatch, words: &[&str]) -> Result<()> {
        let before = content(&*self.snapshot()?, &Naming::default())?;
        let error = refused(self.commit(batch), ErrorKind::Constraint);
        assert!(words.iter().all(|word| error.detail.contains(word)), "{error}");
        let after = content(&*self.snapshot()?, &Naming::default())?;
        before.assert_same(&after, "after an out-of-line commit that was refused");
        Ok(())
    }
}

fn text(text: &str) -> Value {
    Value::from(text)
}

fn one_part(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_rules()?;
    let there = fixture.add_people(2)?;
    let ids = fixture.ids(2)?;
    let part = |names: [Value; 2], ages: [Value; 2]| fixture.part_of(&ids, &names, &ages);
    let none = || [Value::Null, Value::Null];
    let broken = [
        (part([text("new"), text("p0")], none()), ["name", "p0"]),
        (part([text("twin"), text("twin")], none()), ["name", "twin"]),
        (part([text("new"), Value::Null], none()), ["name", "required"]),
        (part([text("a"), text("b")], [Value::I64(1), text("old")]), ["age", "old"]),
    ];
    for (part, words) in broken {
        fixture.must_refuse(fixture.out_of_line(vec![part], Changes::default())?, &words)?;
    }
    // What was there breaks a rule by what a part sets.
    let set = |key, owner, value: Value| {
        let (owners, values) = (vec![owner], Column::from_values([value]));
        let block = PropertyBlock { key, owners, values };
        Changes { vertex_properties: vec![block], ..Changes::default() }
    };
    let broken = [
        (set(fixture.name, there[1], text("p0")), ["name", "p0"]),
        (set(fixture.name, there[1], Value::Null), ["name", "required"]),
        (set(fixture.age, there[1], text("old")), ["age", "old"]),
    ];
    for (part, words) in broken {
        fixture.must_refuse(fixture.out_of_line(vec![part], Changes::default())?, &words)?;
    }
    let items: Labels = [fixture.item].into();
    let relabelled = Changes { labels: vec![(there[0], items)], ..Changes::default() };
    let freed = part([text("p0"), text("p9")], none());
    // The label that goes takes its unique value with it.
    fixture.commit(fixture.out_of_line(vec![relabelled, freed], Changes::default())?)?;
    let fixture = fixture.reopen(harness)?;
    assert_eq!(scan(&*fixture.snapshot()?, Some(fixture.person), 10)?.len(), 3);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn two_parts(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_rules()?;
    let ids = fixture.ids(2)?;
    let one = |row: usize, name: Value| fixture.part_of(&ids[row..=row], &[name], &[Value::Null]);
    let twins = || (one(0, text("twin")), one(1, text("twin")));
    let (first, second) = twins();
    let words = ["name", "twin"];
    fixture.must_refuse(fixture.out_of_line(vec![first, second], Changes::default())?, &words)?;
    let (first, second) = twins();
    fixture.must_refuse(fixture.out_of_line(vec![first], second)?, &words)?;
    // A later part gives what is required, and takes back what is there twice.
    let block = |owner, name: &str| PropertyBlock {
        key: fixture.name,
        owners: vec![owner],
        values: texts(&[name]),
    };
    let rename = |owner, name: &str| Changes {
        vertex_properties: vec![block(owner, name)],
        ..Changes::default()
    };
    let parts = vec![one(0, Value::Null), one(1, text("twin")), rename(ids[0], "twin")];
    fixture.commit(fixture.out_of_line(parts, rename(ids[1], "other"))?)?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(seek(&*snapshot, index, &[text("twin")])?, [ids[0].0]);
    assert_eq!(seek(&*snapshot, index, &[text("other")])?, [ids[1].0]);
    content(&*snapshot, &Naming::default()).map(drop)
}

fn overtaken(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_rules()?;
    // (which is out of line, whether the first is visible when the second commits)
    for (round, (first_is_out_of_line, waits)) in
        [(true, true), (true, false), (false, true), (false, false)].into_iter().enumerate()
    {
        let name = format!("n{round}");
        let ids = fixture.ids(2)?;
        let one = |row: usize| fixture.part_of(&ids[row..=row], &[text(&name)], &[Value::Null]);
        let out_of_line = fixture.out_of_line(vec![one(0)], Changes::default())?;
        let small = fixture.out_of_line(Vec::new(), one(1))?;
        let (first, second, winner) = if first_is_out_of_line {
            (out_of_line, small, ids[0])
        } else {
            (small, out_of_line, ids[1])
        };
        let ticket = fixture.store.commit(first)?;
        if waits {
            ticket.wait()?;
        }
        // That another was first counts before what comes of it.
        refused(fixture.commit(second), ErrorKind::Conflict);
        ticket.wait()?;
        assert_eq!(seek(&*fixture.snapshot()?, index, &[text(&name)])?, [winner.0]);
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 4);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn schema_changed_meanwhile(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let ids = fixture.ids(4)?;
    let unnamed = fixture.part_of(&ids[..1], &[Value::Null], &[Value::Null]);
    let aged = fixture.part_of(&ids[1..2], &[text("x")], &[text("old")]);
    let twins = fixture.part_of(&ids[2..], &[text("twin"), text("twin")], &[1, 2].map(Value::I64));
    let early: Vec<WriteBatch> = [unnamed, aged, twins]
        .into_iter()
        .map(|part| fixture.out_of_line(vec![part], Changes::default()))
        .collect::<Result<_>>()?;
    fixture.add_rules()?;
    for batch in early {
        refused(fixture.commit(batch), ErrorKind::Conflict);
    }
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 0);
    // The other way round: what is there already fails the schema change.
    let fixture = Fixture::named(harness, "second")?;
    let part = fixture.part_of(&fixture.ids(2)?, &[text("a"), text("a")], &[1, 2].map(Value::I64));
    fixture.commit(fixture.out_of_line(vec![part], Changes::default())?)?;
    refused(fixture.add_rules(), ErrorKind::Constraint);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn merges(harness: &mut dyn Harness) -> Result<()> {
    for has_rules in [false, true] {
        for first_is_out_of_line in [true, false] {
            let name = if has_rules { "ruled" } else { "free" };
            let graph: &'static str = match (has_rules, first_is_out_of_line) {
                (false, true) => "a",
                (false, false) => "b",
                (true, true) => "c",
                (true, false) => "d",
            };
            let fixture = Fixture::named(harness, graph)?;
            if has_rules {
                fixture.add_rules()?;
            }
            let ids = fixture.ids(2)?;
            let one = |row: usize| fixture.part_of(&ids[row..=row], &[text(name)], &[Value::Null]);
            let claims = || vec![ANN];
            let out_of_line = fixture.out_of_line(vec![one(0)], Changes::default())?;
            let out_of_line = WriteBatch { claims: claims(), ..out_of_line };
            let small = WriteBatch { claims: claims(), ..fixture.out_of_line(Vec::new(), one(1))? };
            let (first, second) =
                if first_is_out_of_line { (out_of_line, small) } else { (small, out_of_line) };
            let ticket = fixture.store.commit(first)?;
            refused(fixture.commit(second), ErrorKind::Conflict);
            ticket.wait()?;
            assert_eq!(fixture.snapshot()?.count_vertices(None)?, 1);
            // A second look finds it, and changes what it found.
            let found = scan(&*fixture.snapshot()?, Some(fixture.person), 10)?;
            let (key, values) = (fixture.age, ints(&[7]));
            let block = PropertyBlock { key, owners: found.clone(), values };
            let set = Changes { vertex_properties: vec![block], ..Changes::default() };
            fixture.commit(fixture.out_of_line(vec![set], Changes::default())?)?;
            assert_eq!(fixture.age(&*fixture.snapshot()?, found[0])?, Some(Value::I64(7)));
        }
    }
    Ok(())
}
