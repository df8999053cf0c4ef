//! Indexes of vectors: whatever happens to an element, the nearest are those that a comparison with all records finds.

use std::collections::BTreeMap;

use millrace_model::random::SplitMix64;
use millrace_model::schema::{IndexDefinition, KeyMethod};
use millrace_model::{CatalogChange, Column, ErrorKind, IndexId, Owner, Result, Value, VertexId};
use millrace_terms::vectors::{Similarity, VectorQuery, VectorSpace};
use rustc_hash::FxHashSet;

use crate::conformance::fixture::{Fixture, commit, conflicts as loses_against, refused, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::reads::nearest::{Best, Near, NearestMatches, NearestQuery};
use crate::snapshot::Snapshot;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("the nearest vectors are those of a comparison with all records", compared),
    ("elements are left out of a search, or are the only ones of it", restricted),
    ("what is no vector of the index is refused, and nothing is written", unfit),
    ("a vector index fills from existing data, and outlives reopening", reopened),
    ("a search for vectors loses against a writer of one", conflicts),
];

const DIMENSIONS: usize = 3;

impl Fixture {
    fn add_vectors(&self, method: &str) -> Result<IndexId> {
        let owner = Owner::Label(self.person);
        let index = IndexDefinition::made(owner, vec![self.name], KeyMethod(method.into()));
        write(self, |transaction| {
            transaction.change_schema(&[CatalogChange::CreateIndex(index)]).map(drop)
        })?;
        let catalog = self.snapshot()?.catalog();
        let index = catalog.indexes.iter().find(|index| index.method.is_some());
        Ok(index.map(|index| index.id).unwrap_or_default())
    }
}

fn space(similarity: Similarity) -> Result<VectorSpace> {
    VectorSpace::new(Some(DIMENSIONS as u64), similarity)
}

/// Few numbers, so that some vectors are equally near.
fn numbers(random: &mut SplitMix64) -> [f32; DIMENSIONS] {
    [(); DIMENSIONS].map(|()| 0.5 + random.index(4) as f32)
}

/// A vector, or a list of the same numbers.
fn value(random: &mut SplitMix64) -> Value {
    let numbers = numbers(random);
    match random.one_in(2) {
        true => Value::vector(&numbers),
        false => Value::list(numbers.map(|own| Value::F64(f64::from(own))).to_vec()),
    }
}

fn nearest(
    snapshot: &dyn Snapshot,
    index: IndexId,
    query: &NearestQuery<'_>,
) -> Result<NearestMatches> {
    let mut matches = NearestMatches::default();
    snapshot.nearest(index, query, &mut matches)?;
    Ok(matches)
}

fn all<'a>(vectors: &'a [VectorQuery], limit: usize) -> NearestQuery<'a> {
    NearestQuery { vectors, limit, within: None, without: None, breadth: 0, is_exact: true }
}

/// The same by the records of some vertices.
fn plainly(
    snapshot: &dyn Snapshot,
    fixture: &Fixture,
    (vertices, space): (&[VertexId], VectorSpace),
    query: &NearestQuery<'_>,
) -> Result<NearestMatches> {
    let labels = snapshot.labels(vertices)?;
    let values = snapshot.gather(Elements::Vertices(vertices), &[fixture.name])?.remove(0);
    let mut matches = NearestMatches::default();
    for (row, vector) in (0..).zip(query.vectors) {
        let mut best = Best::new(query.limit);
        for (at, vertex) in vertices.iter().enumerate() {
            let numbers = values.get(at).and_then(|value| value.as_vector());
            let Some(numbers) = numbers.filter(|_| labels[at].contains(&fixture.person)) else {
                continue;
            };
            let mut key = Vec::new();
            space.key_of(&numbers, &mut key);
            if let Some(nearness) = vector.nearness(&key).filter(|_| query.counts(vertex.0)) {
                best.push(Near { nearness, id: vertex.0 });
            }
        }
        best.into_sorted().into_iter().for_each(|near| matches.push(row, near));
    }
    Ok(matches)
}

fn compared(harness: &mut dyn Harness) -> Result<()> {
    for (seed, similarity) in (0..).zip(Similarity::ALL) {
        let fixture = Fixture::named(harness, similarity.0)?;
        let index = fixture.add_vectors(&format!("vector({DIMENSIONS}, {})", similarity.0))?;
        let (space, mut random) = (space(similarity.1)?, SplitMix64::new(seed));
        let mut vertices: Vec<VertexId> = Vec::new();
        let before = fixture.snapshot()?;
        for _ in 0..6 {
            let transaction = fixture.begin()?;
            let names = Column::from_values((0..12).map(|_| value(&mut random)));
            vertices.extend(transaction.create_vertices(
                &fixture.people(),
                12,
                &[(fixture.name, &names)],
            )?);
            let mut some = |count: usize| -> Vec<VertexId> {
                let drawn = (0..count).map(|_| vertices[random.index(vertices.len())]);
                let drawn: BTreeMap<u64, VertexId> = drawn.map(|own| (own.0, own)).collect();
                drawn.into_values().collect()
            };
            let (changed, unset, moved, deleted) = (some(4), some(2), some(3), some(2));
            let values = Column::from_values(changed.iter().map(|_| value(&mut random)));
            transaction.set_vertex_properties(fixture.name, &changed, &values)?;
            let mut gone = Column::default();
            unset.iter().for_each(|_| gone.push_absent());
            transaction.set_vertex_properties(fixture.name, &unset, &gone)?;
            let labels = [fixture.item].into_iter().collect::<crate::changes::Labels>();
            let moved: Vec<_> = moved.into_iter().map(|own| (own, labels.clone())).collect();
            transaction.set_labels(&moved)?;
            transaction.delete_vertices(&deleted, true)?;
            vertices.retain(|own| !deleted.contains(own));
            let vectors = (0..3).map(|_| space.query(&numbers(&mut random)));
            let vectors = vectors.collect::<Result<Vec<_>>>()?;
            let of = (vertices.as_slice(), space);
            let queries = [1, 5, 1_000].map(|limit| all(&vectors, limit));
            let mut found = Vec::new();
            for query in &queries {
                found.push(nearest(&transaction, index, query)?);
                assert_eq!(found.last(), Some(&plainly(&transaction, &fixture, of, query)?));
            }
            commit(transaction)?;
            let snapshot = fixture.snapshot()?;
            for (query, found) in queries.iter().zip(found) {
                assert_eq!(nearest(&*snapshot, index, query)?, found);
            }
            assert!(nearest(&*before, index, &queries[0])?.ids.is_empty(), "before the first");
        }
    }
    Ok(())
}

fn restricted(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_vectors("vector(3, euclidean)")?;
    let (space, mut random) = (space(Similarity::Euclidean)?, SplitMix64::new(7));
    let mut vertices = Vec::new();
    write(&fixture, |transaction| {
        let names = Column::from_values((0..40).map(|_| value(&mut random)));
        vertices = transaction.create_vertices(&fixture.people(), 40, &[(fixture.name, &names)])?;
        Ok(())
    })?;
    let vectors = [space.query(&[1.0, 2.0, 3.0])?];
    let transaction = fixture.begin()?;
    let values = Column::from_values([value(&mut random)]);
    transaction.set_vertex_properties(fixture.name, &vertices[3..4], &values)?;
    let few: FxHashSet<u64> = vertices.iter().step_by(3).map(|own| own.0).collect();
    let none = FxHashSet::default();
    for (within, without) in [(Some(&few), None), (None, Some(&few)), (Some(&none), None)] {
        for limit in [0, 1, 4, 100] {
            let query = NearestQuery { within, without, is_exact: false, ..all(&vectors, limit) };
            for snapshot in [&transaction as &dyn Snapshot, &*fixture.snapshot()?] {
                let expected = plainly(snapshot, &fixture, (&vertices, space), &query)?;
                assert_eq!(nearest(snapshot, index, &query)?, expected);
            }
        }
    }
    Ok(())
}

fn unfit(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_vectors("vector(3, cosine)")?;
    let fits = Value::vector(&[1.0, 2.0, 3.0]);
    for (numbers, why) in [
        (&[1.0, 2.0][..], "vectors of 3 dimensions are wanted, and this one has 2"),
        (&[0.0, 0.0, 0.0], "zeros"),
        (&[0.0, f32::NAN, 1.0], "dimension 1"),
    ] {
        let transaction = fixture.begin()?;
        let names = Column::from_values([fits.clone(), Value::vector(numbers)]);
        let made = transaction.create_vertices(&fixture.people(), 2, &[(fixture.name, &names)]);
        let error = refused(made, ErrorKind::BadInput);
        assert!(error.detail.contains(why), "{error}");
        let items = [fixture.item].into_iter().collect();
        let vertices = transaction.create_vertices(&items, 2, &[(fixture.name, &names)])?;
        let labels = vertices.iter().map(|own| (*own, fixture.people())).collect::<Vec<_>>();
        refused(transaction.set_labels(&labels), ErrorKind::BadInput);
        let vectors = [space(Similarity::Cosine)?.query(&[1.0, 1.0, 1.0])?];
        assert!(nearest(&transaction, index, &all(&vectors, 9))?.ids.is_empty());
    }
    let trigrams = IndexDefinition::made(
        Owner::Label(fixture.item),
        vec![fixture.name],
        KeyMethod("trigrams".into()),
    );
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::CreateIndex(trigrams)]).map(drop)
    })?;
    let snapshot = fixture.snapshot()?;
    let catalog = snapshot.catalog();
    let other = catalog.indexes.iter().find(|own| own.id != index);
    let other = other.map(|own| own.id).unwrap_or_default();
    let vectors = [space(Similarity::Cosine)?.query(&[1.0, 1.0, 1.0])?];
    refused(nearest(&*snapshot, other, &all(&vectors, 9)), ErrorKind::Unsupported);
    Ok(())
}

fn reopened(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let (space, mut random) = (space(Similarity::Cosine)?, SplitMix64::new(11));
    let mut vertices = Vec::new();
    let mut add = |fixture: &Fixture| {
        write(fixture, |transaction| {
            let names = Column::from_values((0..20).map(|_| value(&mut random)));
            let made =
                transaction.create_vertices(&fixture.people(), 20, &[(fixture.name, &names)])?;
            vertices.extend(made);
            Ok(())
        })
    };
    add(&fixture)?;
    let index = fixture.add_vectors("vector(3, cosine)")?;
    add(&fixture)?;
    let vectors = [space.query(&[1.0, 2.0, 3.0])?, space.query(&[3.0, -1.0, 0.0])?];
    let found = nearest(&*fixture.snapshot()?, index, &all(&vectors, 7))?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(found.ids.len(), 14);
    assert_eq!(nearest(&*snapshot, index, &all(&vectors, 7))?, found);
    assert_eq!(plainly(&*snapshot, &fixture, (&vertices, space), &all(&vectors, 7))?, found);
    Ok(())
}

fn conflicts(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_vectors("vector(3, cosine)")?;
    let vectors = [space(Similarity::Cosine)?.query(&[1.0, 2.0, 3.0])?];
    for (value, loses) in [(Value::vector(&[1.0, 2.0, 2.0]), true), (Value::from("x"), false)] {
        let reader = fixture.serializable()?;
        nearest(&reader, index, &all(&vectors, 1))?;
        reader.create_vertices(&fixture.people(), 1, &[])?;
        write(&fixture, |transaction| {
            let names = Column::from_values([value.clone()]);
            transaction.create_vertices(&fixture.people(), 1, &[(fixture.name, &names)]).map(drop)
        })?;
        assert_eq!(loses_against(reader)?, loses, "{value:?}");
    }
    Ok(())
}
