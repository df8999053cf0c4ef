//! Graphs, names and ids: made, listed, dropped, never reused.

use std::collections::BTreeSet;

use millrace_model::{Bits, ErrorKind, LogPosition, Result, VertexId};

use super::fixture::{Fixture, commit, refused, scan};
use super::{Case, Harness};
use crate::backend::NameKind;
use crate::base::limits::NAME_BYTES_MAX;
use crate::changes::{Changes, Isolation, WriteBatch};
use crate::snapshot::Freshness;

pub(super) const CASES: &[Case] = &[
    ("graphs are made, listed and dropped by name", by_name),
    ("graphs share nothing", apart),
    ("a snapshot outlives its graph", outlived),
    ("a backend says what it promises, and keeps to its bounds", guarantees),
    ("names are given once, by many threads at once too", names),
    ("a name that is too long is refused, and none beside it is made", long_names),
    ("leased ids ascend, are never 0 and never come again", leases),
];

fn by_name(harness: &mut dyn Harness) -> Result<()> {
    let backend = harness.backend();
    assert!(backend.graphs().is_empty());
    for name in ["b", "a", "żółw 7"] {
        backend.create_graph(name)?;
    }
    assert_eq!(backend.graphs(), ["a", "b", "żółw 7"]);
    let others = [1, 2].map(|number| harness.handle(number));
    assert!(others.iter().all(|other| other.graphs() == ["a", "b", "żółw 7"]));
    let error = refused(others[0].create_graph("a"), ErrorKind::AlreadyExists);
    assert!(error.detail.contains('a'), "{error}");
    refused(backend.graph("c"), ErrorKind::NotFound);
    refused(backend.drop_graph("c"), ErrorKind::NotFound);
    others[0].drop_graph("b")?;
    others.iter().for_each(|other| _ = refused(other.graph("b"), ErrorKind::NotFound));
    drop((backend, others));
    harness.reopen();
    let backend = harness.backend();
    assert_eq!(backend.graphs(), ["a", "żółw 7"]);
    refused(backend.graph("b"), ErrorKind::NotFound);
    backend.create_graph("b")?;
    let names: BTreeSet<_> = backend.metrics().into_iter().map(|(name, _, _)| name).collect();
    assert_eq!(names.len(), backend.metrics().len(), "a metric has one name");
    Ok(())
}

fn apart(harness: &mut dyn Harness) -> Result<()> {
    let backend = harness.backend();
    let one = Fixture::of(backend.create_graph("one")?)?;
    one.store.intern(&[(NameKind::Label, "OnlyHere")])?;
    one.add_people(3)?;
    let two = Fixture::of(backend.create_graph("two")?)?;
    assert_eq!(two.snapshot()?.count_vertices(None)?, 0);
    assert_eq!(two.snapshot()?.catalog().label("OnlyHere"), None);
    two.add_people(1)?;
    assert_eq!(one.snapshot()?.count_vertices(None)?, 3);
    assert!(!one.store.is_dropped() && !two.store.is_dropped());
    harness.handle(1).drop_graph("one")?;
    assert!(one.store.is_dropped() && !two.store.is_dropped());
    gone(&one)?;
    let again = Fixture::of(backend.create_graph("one")?)?;
    assert_eq!(again.snapshot()?.count_vertices(None)?, 0, "a new graph of an old name is new");
    assert!(!again.store.is_dropped() && one.store.is_dropped());
    gone(&one)
}

/// Every call of a graph that was dropped fails, and says which graph it was.
fn gone(graph: &Fixture) -> Result<()> {
    let store = &graph.store;
    let errors = [
        refused(store.snapshot(), ErrorKind::NotFound),
        refused(store.snapshot_within(Freshness::Seen(LogPosition(0)), None), ErrorKind::NotFound),
        refused(store.intern(&[(NameKind::Label, "Late")]), ErrorKind::NotFound),
        refused(store.lease_vertices(1), ErrorKind::NotFound),
        refused(store.lease_edges(graph.knows, &[VertexId(1)]), ErrorKind::NotFound),
        refused(store.claim_vertices(&[77], &Bits::unset(1)), ErrorKind::NotFound),
        refused(store.commit(WriteBatch::default()).map(drop), ErrorKind::NotFound),
        refused(store.take_ticket(&[1], None), ErrorKind::NotFound),
        refused(store.spill(Changes::default()), ErrorKind::NotFound),
        refused(store.begin_bulk_load(), ErrorKind::NotFound),
    ];
    for error in errors {
        assert!(error.detail.contains("one"), "{error}");
    }
    Ok(())
}

fn outlived(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let snapshot = fixture.snapshot()?;
    let transaction = fixture.begin()?;
    transaction.create_vertices(&fixture.people(), 1, &[])?;
    let backend = harness.backend();
    backend.drop_graph(&backend.graphs()[0])?;
    assert_eq!(scan(&*snapshot, None, 10)?, people);
    assert!(transaction.commit().is_err(), "a dropped graph takes no commit");
    Ok(())
}

fn guarantees(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_people(3)?;
    let says = harness.backend().guarantees();
    assert!(says.durability_modes.contains(&says.durability));
    assert!(says.isolation.contains(&Isolation::default()), "the level of whoever asks for none");
    for level in says.isolation {
        let transaction = fixture.begin_at(*level)?;
        transaction.create_vertices(&fixture.people(), 1, &[])?;
        commit(transaction)?;
    }
    let bound = fixture.snapshot()?.id_space().bound;
    assert!(says.vertices_max.is_none_or(|most| bound <= most), "{bound} of {says:?}");
    let names: BTreeSet<_> = says.rows().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), says.rows().len());
    Ok(())
}

fn names(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let texts: Vec<_> = (0..50).map(|number| format!("name{number}")).collect();
    let asked: Vec<_> = texts.iter().map(|text| (NameKind::Key, &**text)).collect();
    let store = &fixture.store;
    let given = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4).map(|_| scope.spawn(|| store.intern(&asked))).collect();
        let joined = askers.into_iter().map(|asker| asker.join().expect("an asker ends"));
        joined.collect::<Result<Vec<_>>>()
    })?;
    assert!(given.iter().all(|numbers| *numbers == given[0]));
    let distinct: BTreeSet<_> = given[0].iter().collect();
    assert_eq!(distinct.len(), texts.len());
    // The kinds count apart, and a name may be of several.
    fixture.store.intern(&[(NameKind::Label, "name0"), (NameKind::EdgeType, "name0")])?;
    for _ in 0..2 {
        let catalog = fixture.snapshot()?.catalog();
        for (text, number) in texts.iter().zip(&given[0]) {
            assert_eq!(catalog.keys.number(text), Some(*number));
        }
        assert!(catalog.label("name0").is_some() && catalog.edge_type("name0").is_some());
        assert_eq!(fixture.store.intern(&asked)?, given[0]);
        fixture = fixture.reopen(harness)?;
    }
    Ok(())
}

fn long_names(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let longest = "n".repeat(NAME_BYTES_MAX);
    let too_long = format!("{longest}n");
    for kind in [NameKind::Label, NameKind::EdgeType, NameKind::Key] {
        let asked = [(kind, "beside"), (kind, too_long.as_str())];
        let error = refused(fixture.store.intern(&asked), ErrorKind::LimitReached);
        assert!(error.to_string().contains(&NAME_BYTES_MAX.to_string()), "{error}");
        let catalog = fixture.snapshot()?.catalog();
        let names = [&catalog.labels, &catalog.edge_types, &catalog.keys];
        assert!(names.iter().all(|names| names.number(&too_long).is_none()));
        assert_eq!(fixture.store.intern(&[(kind, &longest)])?.len(), 1);
    }
    let catalog = fixture.snapshot()?.catalog();
    assert_eq!(catalog.label("beside"), None);
    assert_eq!(catalog.key("beside"), None);
    fixture.add_people(1)?;
    let fixture = fixture.reopen(harness)?;
    assert!(fixture.snapshot()?.catalog().label(&longest).is_some());
    Ok(())
}

fn leases(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let (mut vertices, mut edges) = (BTreeSet::new(), BTreeSet::new());
    let mut committed = BTreeSet::new();
    for round in 0..6 {
        let people = fixture.add_people(2)?;
        vertices.extend(people.iter().map(|person| person.0));
        for count in [1, 0, 1_000, 3] {
            let ranges = fixture.store.lease_vertices(count)?;
            assert!(ranges.is_sorted_by_key(|range| range.start), "{ranges:?}");
            let ids: Vec<_> = ranges.into_iter().flatten().collect();
            assert_eq!(ids.len() as u64, count);
            assert!(ids.iter().all(|id| *id != 0 && vertices.insert(*id)), "an id came twice");
        }
        let sources = [people[0], people[1], people[0], VertexId(people[0].0)];
        for edge_type in [fixture.knows, fixture.likes] {
            let ids = fixture.store.lease_edges(edge_type, &sources)?;
            assert_eq!(ids.len(), sources.len());
            let fresh = |id: &millrace_model::EdgeId| id.0 != 0 && id.0 >> 63 == 0;
            assert!(ids.iter().all(|id| fresh(id) && edges.insert(*id)), "an id came twice");
        }
        for edge in fixture.add_edges(fixture.knows, &[(people[0], people[1])])? {
            assert!(committed.insert(edge) && edges.insert(edge), "an id came twice");
        }
        if round % 2 == 1 {
            fixture = fixture.reopen(harness)?;
            // An edge id that was never committed belongs to no edge, and may be leased again by
            // the next process; one of a vertex is never.
            edges.clone_from(&committed);
        }
    }
    Ok(())
}
