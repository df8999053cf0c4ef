//! Bulk loads and spilled write sets: all or nothing.

use millrace_model::{
    Column, Direction, EdgeId, ErrorKind, KeyId, PropertyValues, Result, Value, VertexId,
};

use super::fixture::{Fixture, commit, ints, neighbours, refused, seek, texts};
use super::{Case, Harness};
use crate::backend::Store;
use crate::changes::{Changes, EdgeBlock, VertexBlock, WriteBatch};
use crate::conformance::compared::content::{Naming, content};
use crate::snapshot::Snapshot;

pub(super) const CASES: &[Case] = &[
    ("a bulk load is visible as one, and outlives reopening", load),
    ("a bulk load with a bad end fails, says which, and leaves nothing", bad_end),
    ("a bulk load with an equal unique value leaves nothing", bad_value),
    ("a bulk load that is dropped leaves nothing", dropped),
    ("a bulk load takes new elements only", refused_parts),
    ("spilled parts commit before the rest, in order", spilled),
    ("a key with several values or null is noted by a load and by a write", irregular_keys),
];

/// A chain of named people; `ends` are added by number.
fn part(fixture: &Fixture, vertices: &[VertexId], ends: &[(usize, usize)]) -> Changes {
    let names: Vec<_> = (0..vertices.len()).map(|number| format!("n{number}")).collect();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    let ids = vertices.to_vec();
    let properties = vec![(fixture.name, texts(&names))];
    let (sources, targets) = ends.iter().map(|(s, t)| (vertices[*s], vertices[*t])).unzip();
    let weights: Vec<_> = (0..ends.len() as i64).collect();
    let edges = EdgeBlock {
        edge_type: fixture.knows,
        ids: Vec::new(),
        sources,
        targets,
        properties: vec![(fixture.age, ints(&weights))],
    };
    Changes {
        vertices: vec![VertexBlock { labels: fixture.people(), ids, properties }],
        edges: vec![edges],
        ..Changes::default()
    }
}

fn lease(store: &dyn Store, count: u64) -> Result<Vec<VertexId>> {
    Ok(store.lease_vertices(count)?.into_iter().flatten().map(VertexId).collect())
}

fn load(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let before = fixture.snapshot()?;
    let vertices = lease(&*fixture.store, 100)?;
    let mut load = fixture.store.begin_bulk_load()?;
    // Edges come before the vertices that are their ends.
    let mut edges = part(&fixture, &vertices, &(0..99).map(|n| (n, n + 1)).collect::<Vec<_>>());
    let vertices_only =
        Changes { vertices: std::mem::take(&mut edges.vertices), ..Changes::default() };
    load.push(edges)?;
    assert_eq!(fixture.snapshot()?.count_edges(None)?, 0);
    load.push(vertices_only)?;
    let position = load.finish()?;
    assert!(position <= fixture.snapshot()?.position());
    assert_eq!(before.count_vertices(None)?, 0, "an old snapshot does not see the load");
    drop(before);
    let loaded = content(&*fixture.snapshot()?, &Naming::default())?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    loaded.assert_same(&content(&*snapshot, &Naming::default())?, "after reopening");
    assert_eq!((snapshot.count_vertices(None)?, snapshot.count_edges(None)?), (100, 99));
    assert_eq!(neighbours(&*snapshot, vertices[50], None, Direction::Out)?, [vertices[51]]);
    assert_eq!(seek(&*snapshot, index, &["n7".into()])?, [vertices[7].0]);
    fixture.add_edges(fixture.knows, &[(vertices[50], vertices[50])])?;
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

/// Runs a load that must fail, and checks that nothing of it is left.
fn must_fail(
    fixture: &Fixture,
    kind: ErrorKind,
    changes: Changes,
) -> Result<millrace_model::Error> {
    let before = content(&*fixture.snapshot()?, &Naming::default())?;
    let mut load = fixture.store.begin_bulk_load()?;
    let error = match load.push(changes) {
        Err(error) => refused::<()>(Err(error), kind),
        Ok(()) => refused(load.finish(), kind),
    };
    let after = content(&*fixture.snapshot()?, &Naming::default())?;
    before.assert_same(&after, "after a load that failed");
    Ok(error)
}

fn bad_end(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let vertices = lease(&*fixture.store, 10)?;
    let mut changes = part(&fixture, &vertices, &[(0, 1), (1, 2)]);
    let missing = VertexId(vertices[9].0 + 1_000);
    changes.edges[0].targets[1] = missing;
    let error = must_fail(&fixture, ErrorKind::NotFound, changes)?;
    assert!(error.detail.contains(&missing.to_string()), "{error}");
    let fixture = fixture.reopen(harness)?;
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 2);
    // An end that was there before the load is good.
    let vertices = lease(&*fixture.store, 10)?;
    let mut changes = part(&fixture, &vertices, &[(0, 1)]);
    changes.edges[0].targets[0] = people[0];
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(changes)?;
    load.finish()?;
    let found = neighbours(&*fixture.snapshot()?, people[0], None, Direction::In)?;
    assert_eq!(found, [vertices[0]]);
    Ok(())
}

fn bad_value(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_unique_name()?;
    let transaction = fixture.begin()?;
    fixture.create_named(&transaction, &["n3"])?;
    commit(transaction)?;
    let vertices = lease(&*fixture.store, 5)?;
    let changes = part(&fixture, &vertices, &[]);
    let error = must_fail(&fixture, ErrorKind::Constraint, changes)?;
    assert!(error.detail.contains("n3") && error.detail.contains("name"), "{error}");
    let vertices = lease(&*fixture.store, 2)?;
    let mut changes = part(&fixture, &vertices, &[]);
    changes.vertices[0].properties[0].1 = texts(&["twin", "twin"]);
    must_fail(&fixture, ErrorKind::Constraint, changes).map(drop)
}

fn dropped(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let vertices = lease(&*fixture.store, 50)?;
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(part(&fixture, &vertices, &[(0, 1)]))?;
    drop(load);
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 0);
    let fixture = fixture.reopen(harness)?;
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 0);
    fixture.add_people(3).map(drop)
}

fn refused_parts(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let labels = Changes { labels: vec![(people[0], fixture.people())], ..Changes::default() };
    let deletes = Changes { deleted_vertices: people, ..Changes::default() };
    for changes in [labels, deletes] {
        let mut load = fixture.store.begin_bulk_load()?;
        refused(load.push(changes), ErrorKind::Unsupported);
    }
    Ok(())
}

fn spilled(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let vertices = lease(&*fixture.store, 4)?;
    let snapshot = fixture.snapshot()?;
    let mut first = part(&fixture, &vertices, &[]);
    first.edges.clear();
    let mut second = part(&fixture, &vertices, &[(0, 1), (2, 3)]);
    second.vertices.clear();
    second.edges[0].ids = fixture.store.lease_edges(fixture.knows, &second.edges[0].sources)?;
    let edges: Vec<EdgeId> = second.edges[0].ids.clone();
    let block = crate::changes::PropertyBlock {
        key: fixture.age,
        owners: edges.clone(),
        values: ints(&[7, 8]),
    };
    let changes = Changes { edge_properties: vec![block], ..Changes::default() };
    let spilled = vec![fixture.store.spill(first)?, fixture.store.spill(second)?];
    drop(fixture.store.spill(part(&fixture, &vertices, &[]))?);
    let (catalog_version, snapshot) = (snapshot.catalog().version, snapshot.position());
    let batch = WriteBatch { snapshot, catalog_version, spilled, changes, ..Default::default() };
    fixture.store.commit(batch)?.wait()?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!((snapshot.count_vertices(None)?, snapshot.count_edges(None)?), (4, 2));
    let column = &snapshot.gather(crate::reads::Elements::Edges(&edges), &[fixture.age])?[0];
    assert_eq!([column.get(0), column.get(1)], [7, 8].map(|int| Some(int.into())));
    content(&*snapshot, &Naming::default()).map(drop)
}

fn irregular_keys(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let is_irregular = |fixture: &Fixture, key: KeyId| -> Result<bool> {
        Ok(fixture.snapshot()?.catalog().is_irregular(key))
    };
    let people = fixture.add_people(1)?;
    assert!(!is_irregular(&fixture, fixture.name)? && !is_irregular(&fixture, fixture.age)?);
    let mut several = PropertyValues::default();
    several.append(&Value::I64(1), &[]);
    several.append(&Value::I64(2), &[]);
    let several = several.into_value().unwrap_or_default();
    let vertices = lease(&*fixture.store, 2)?;
    let mut changes = part(&fixture, &vertices, &[]);
    let ages = Column::from_values([Value::I64(1), several]);
    changes.vertices[0].properties.push((fixture.age, ages));
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(changes)?;
    assert!(!is_irregular(&fixture, fixture.age)?, "a load is not visible before its end");
    load.finish()?;
    assert!(is_irregular(&fixture, fixture.age)? && !is_irregular(&fixture, fixture.name)?);
    let transaction = fixture.begin()?;
    let null = Column::from_values([Value::Null]);
    transaction.set_vertex_properties(fixture.name, &people, &null)?;
    assert!(transaction.catalog().is_irregular(fixture.name), "its own write is seen at once");
    assert!(!is_irregular(&fixture, fixture.name)?);
    commit(transaction)?;
    let fixture = fixture.reopen(harness)?;
    assert!(is_irregular(&fixture, fixture.name)? && is_irregular(&fixture, fixture.age)?);
    Ok(())
}
