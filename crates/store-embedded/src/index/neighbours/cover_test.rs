//! A graph of neighbours misses few of the nearest, and none for good: it follows bases that change.

use std::collections::BTreeMap;

use millrace_store::nearest::{Best, Near};
use millrace_terms::vectors::{Similarity, VectorQuery, VectorSpace};

use super::cover::Cover;
use super::graph::CoveredBase;
use crate::base::bytes::checksum;
use crate::base::random::SimNumbers;
use crate::persistent::image::Section;
use crate::persistent::segment::{BaseFile, RangeBaseBuilder};

const DIMENSIONS: usize = 40;
const WANTED: usize = 10;

/// Vectors around some points, as those of texts are.
pub(super) struct Source {
    random: SimNumbers,
    points: Vec<Vec<f32>>,
}

impl Source {
    pub(super) fn new(seed: u64) -> Source {
        let mut random = SimNumbers::new(seed);
        let points = (0..40).map(|_| (0..DIMENSIONS).map(|_| number(&mut random)).collect());
        Source { points: points.collect(), random }
    }

    pub(super) fn next(&mut self) -> Vec<f32> {
        let point = self.points[self.random.below(40) as usize].clone();
        point.into_iter().map(|own| own + 0.5 * number(&mut self.random)).collect()
    }
}

fn number(random: &mut SimNumbers) -> f32 {
    (random.below(2_001) as f32 - 1_000.0) / 1_000.0
}

pub(super) fn space() -> VectorSpace {
    VectorSpace::new(Some(DIMENSIONS as u64), Similarity::Euclidean).expect("in range")
}

/// The bases of some shards: elements by their first number.
pub(super) fn bases(vectors: &BTreeMap<u64, Vec<f32>>, shards: u64) -> Vec<CoveredBase> {
    (0..shards).map(|shard| base(vectors, |id| id % shards == shard)).collect()
}

pub(super) fn base(vectors: &BTreeMap<u64, Vec<f32>>, is_of: impl Fn(u64) -> bool) -> CoveredBase {
    let key = |(id, vector): (&u64, &Vec<f32>)| {
        let mut key = Vec::new();
        space().key_of(vector, &mut key);
        (key, *id)
    };
    let mut entries: Vec<_> = vectors.iter().filter(|(id, _)| is_of(**id)).map(key).collect();
    entries.sort_unstable();
    let mut builder = RangeBaseBuilder::default();
    entries.iter().for_each(|(key, id)| builder.push(key, *id));
    let built = builder.finish();
    // As if it were stored: the same content is the same file.
    let checksum = checksum(built.raw());
    let file = BaseFile { segment: 1, offset: 64, length: built.raw().len() as u64, checksum };
    let base = Section::of(built).get().expect("it is in memory");
    CoveredBase { base, file: Some(file), is_whole: true }
}

fn plainly(
    vectors: &BTreeMap<u64, Vec<f32>>,
    query: &VectorQuery,
    counts: &dyn Fn(u64) -> bool,
) -> Vec<u64> {
    let mut best = Best::new(WANTED);
    for (id, vector) in vectors.iter().filter(|(id, _)| counts(**id)) {
        let mut key = Vec::new();
        space().key_of(vector, &mut key);
        let nearness = query.nearness(&key).expect("of one length");
        best.push(Near { nearness, id: *id });
    }
    best.into_sorted().iter().map(|near| near.id).collect()
}

/// How many of the nearest are found, of all; none is found that is not there.
pub(super) fn recall(
    cover: &Cover,
    (vectors, bases): (&BTreeMap<u64, Vec<f32>>, &[CoveredBase]),
    source: &mut Source,
    counts: &dyn Fn(u64) -> bool,
) -> f64 {
    let now: Vec<u32> =
        bases.iter().map(|base| cover.number_of(&base.base).expect("it is covered")).collect();
    let (mut hits, mut all) = (0, 0);
    for _ in 0..25 {
        let query = space().query(&source.next()).expect("a vector");
        let expected = plainly(vectors, &query, counts);
        let found =
            cover.search(&query, (WANTED, 0), &|base, id| now.contains(&base) && counts(id));
        let found = found.expect("many count").into_sorted();
        assert!(found.iter().all(|near| vectors.contains_key(&near.id) && counts(near.id)));
        hits += expected.iter().filter(|id| found.iter().any(|near| near.id == **id)).count();
        all += expected.len();
    }
    hits as f64 / all as f64
}

#[test]
fn a_graph_finds_nearly_all_and_follows_its_bases() {
    let mut source = Source::new(3);
    let mut vectors: BTreeMap<u64, Vec<f32>> = (0..1_200).map(|id| (id, source.next())).collect();
    let mut now = bases(&vectors, 4);
    let mut cover = Cover::over(&now, space(), None, &|| true).expect("it is wanted");
    let first = recall(&cover, (&vectors, &now), &mut source, &|_| true);
    assert!(0.97 <= first, "{first}");
    let odd = recall(&cover, (&vectors, &now), &mut source, &|id| id % 2 == 1);
    assert!(0.97 <= odd, "of those that count: {odd}");
    // Of more that are weighed it misses fewer.
    let hits = |breadth: usize, source: &mut Source| {
        let queries = (0..20).map(|_| space().query(&source.next()).expect("a vector"));
        let found = queries.map(|query| {
            let found = cover.search(&query, (WANTED, breadth), &|_, _| true).expect("all count");
            let expected = plainly(&vectors, &query, &|_| true);
            let ids: Vec<u64> = found.into_sorted().iter().map(|near| near.id).collect();
            expected.iter().filter(|id| ids.contains(id)).count()
        });
        found.sum::<usize>()
    };
    let [narrow, wide] = [0, 200].map(|breadth| hits(breadth, &mut Source::new(8)));
    assert!(narrow <= wide && 199 * WANTED <= 10 * wide, "{narrow} {wide}");
    for round in 0..4_u64 {
        // A fifth of one shard goes, a fifth changes, and others come.
        let shard = round % 4;
        let own: Vec<u64> = vectors.keys().copied().filter(|id| id % 4 == shard).collect();
        for (number, id) in own.into_iter().enumerate() {
            match number % 5 {
                0 => drop(vectors.remove(&id)),
                1 => drop(vectors.insert(id, source.next())),
                _ => {}
            }
        }
        let new = 10_000 * (round + 1);
        vectors.extend((0..100).map(|own| (new + 4 * own + shard, source.next())));
        let before = now.clone();
        now[shard as usize] = base(&vectors, |id| id % 4 == shard);
        assert!(cover.number_of(&now[shard as usize].base).is_none(), "it is compared");
        cover = Cover::over(&now, space(), Some(&cover), &|| true).expect("it is wanted");
        assert!(cover.number_of(&before[shard as usize].base).is_none());
        let found = recall(&cover, (&vectors, &now), &mut source, &|_| true);
        assert!(0.96 <= found, "round {round}: {found}");
    }
    let links = cover.byte_size() as f64 / cover.len() as f64;
    println!("{links:.0} bytes a node beside its vector");
    assert!(links < 400.0, "{links}");
}

#[test]
fn equal_vectors_of_many_elements_are_found_and_few_that_count_are_left_to_others() {
    let mut source = Source::new(5);
    let one = source.next();
    let mut vectors: BTreeMap<u64, Vec<f32>> = (0..40).map(|id| (id, one.clone())).collect();
    vectors.extend((40..1_500).map(|id| (id, source.next())));
    let now = bases(&vectors, 2);
    let cover = Cover::over(&now, space(), None, &|| true).expect("it is wanted");
    let query = space().query(&one).expect("a vector");
    let found = cover.search(&query, (WANTED, 0), &|_, _| true).expect("all count").into_sorted();
    assert!(found.len() == WANTED && found.iter().all(|near| near.id < 40), "{found:?}");
    assert!(cover.search(&query, (WANTED, 0), &|_, id| id == 1_200).is_none(), "others compare");
    assert!(Cover::over(&now, space(), None, &|| false).is_none(), "it is not wanted");
}
