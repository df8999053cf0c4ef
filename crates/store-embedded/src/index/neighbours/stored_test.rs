//! A graph that was stored finds what it found, over the bases that are there when it is read.

use std::collections::BTreeMap;

use super::cover::Cover;
use super::cover_test::{Source, base, bases, recall, space};
use super::graph::CoveredBase;
use crate::base::codec::Reader;
use crate::persistent::image::SectionBody;
use crate::persistent::segment::StoredNeighbours;

type Vectors = BTreeMap<u64, Vec<f32>>;

fn vectors(source: &mut Source, count: u64) -> Vectors {
    (0..count).map(|id| (id, source.next())).collect()
}

/// The graph as it is read from its file's bytes.
fn stored(cover: &Cover) -> StoredNeighbours {
    let (before, mut bytes) = (cover.to_stored().expect("all bases are stored"), Vec::new());
    before.encode(&mut bytes).expect("it is encoded");
    let mut reader = Reader::new(&bytes);
    let stored = StoredNeighbours::decode(&mut reader).expect("it is sound");
    reader.finish().expect("nothing is left");
    assert_eq!(stored, before);
    stored
}

/// Ids of what is found for some vectors, in order.
fn found(cover: &Cover, bases: &[CoveredBase], source: &mut Source) -> Vec<Vec<u64>> {
    let now: Vec<u32> =
        bases.iter().map(|own| cover.number_of(&own.base).expect("it is covered")).collect();
    let search = |vector: Vec<f32>| {
        let query = space().query(&vector).expect("a vector");
        let best = cover.search(&query, (10, 0), &|base, _| now.contains(&base));
        best.expect("all count").into_sorted().iter().map(|near| near.id).collect()
    };
    (0..20).map(|_| search(source.next())).collect()
}

#[test]
fn a_graph_over_the_same_bases_finds_the_same_and_links_nothing() {
    let vectors = vectors(&mut Source::new(7), 900);
    let before = bases(&vectors, 3);
    let made = Cover::over(&before, space(), None, &|| true).expect("it is wanted");
    assert_eq!(made.linked(), 900);
    // Read again, and in another order, as shards that were split are.
    let mut now = bases(&vectors, 3);
    now.reverse();
    let read = Cover::of_stored(&stored(&made), space(), &now).expect("it is of these");
    assert_eq!(read.linked(), 0);
    let mut source = Source::new(8);
    let expected = found(&made, &before, &mut source);
    assert_eq!(found(&read, &now, &mut Source::new(8)), expected);
    let again = stored(&read);
    assert_eq!(again.ids, stored(&made).ids);
}

#[test]
fn a_graph_that_is_older_than_its_bases_keeps_what_did_not_change() {
    let mut source = Source::new(9);
    let mut vectors = vectors(&mut source, 1_200);
    let made = Cover::over(&bases(&vectors, 4), space(), None, &|| true).expect("it is wanted");
    let file = stored(&made);
    // Every base is another: few entries went, few changed, few came.
    for id in 0..40 {
        vectors.remove(&(id * 17));
        let other = source.next();
        vectors.insert(id * 13 + 1, other);
        vectors.insert(5_000 + id, source.next());
    }
    let now = bases(&vectors, 4);
    let read = Cover::of_stored(&file, space(), &now).expect("most is as it was");
    assert!((40..=120).contains(&read.linked()), "{} are new", read.linked());
    let share = recall(&read, (&vectors, &now), &mut source, &|_| true);
    assert!(0.95 <= share, "{share}");
    let odd = recall(&read, (&vectors, &now), &mut source, &|id| id % 2 == 1);
    assert!(0.95 <= odd, "{odd}");
    // Many are new: what is as it was leads on, and the new base is compared until the graph has followed.
    vectors.extend((10_000..10_400).map(|id| (id, source.next())));
    let mut more = now.clone();
    more[1] = base(&vectors, |id| id % 4 == 1 || 10_000 <= id);
    more[0] = base(&vectors, |id| id % 4 == 0 && id < 10_000);
    let part = Cover::of_stored(&stored(&read), space(), &more).expect("most is as it was");
    assert!(part.number_of(&more[1].base).is_none() && part.number_of(&more[2].base).is_some());
    assert!(part.to_stored().is_none(), "it is of a part");
    let whole = Cover::over(&more, space(), Some(&part), &|| true).expect("it is wanted");
    assert_eq!(whole.linked(), 300 + 100, "those of the base and nothing else");
    let share = recall(&whole, (&vectors, &more), &mut source, &|_| true);
    assert!(0.95 <= share, "{share}");
}

#[test]
fn a_graph_of_other_vectors_or_of_few_that_are_left_is_not_taken() {
    let mut source = Source::new(11);
    let mut vectors = vectors(&mut source, 600);
    let before = bases(&vectors, 2);
    let made = Cover::over(&before, space(), None, &|| true).expect("it is wanted");
    let file = stored(&made);
    let linked_otherwise = space().with_degrees(8, 50).expect("in range");
    assert!(Cover::of_stored(&file, linked_otherwise, &before).is_none());
    for id in 0..200 {
        vectors.insert(id, source.next());
    }
    assert!(Cover::of_stored(&file, space(), &bases(&vectors, 2)).is_none());
}

#[test]
fn what_names_more_than_there_is_is_refused() {
    let vectors = vectors(&mut Source::new(13), 200);
    let made = Cover::over(&bases(&vectors, 2), space(), None, &|| true).expect("it is wanted");
    let sound = stored(&made);
    let refused = |change: &dyn Fn(&mut StoredNeighbours)| {
        let (mut wrong, mut bytes) = (sound.clone(), Vec::new());
        change(&mut wrong);
        wrong.encode(&mut bytes).expect("it is encoded");
        StoredNeighbours::decode(&mut Reader::new(&bytes)).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|own| own.links[5] = 200));
    assert!(refused(&|own| own.locations[5] = 2));
    assert!(refused(&|own| own.counts[5] += 1));
    assert!(refused(&|own| own.key_bytes = 0));
    assert!(refused(&|own| own.entry = None));
    assert!(refused(&|own| own.entry = Some((200, 0))));
    assert!(refused(&|own| own.above[0] = 200));
    assert!(refused(&|own| own.above.push(3)));
    assert!(refused(&|own| {
        own.locations[5] |= 1 << 31;
        own.firsts[5] = u32::MAX;
    }));
    assert!(refused(&|own| own.ids.truncate(199)));
    let mut bytes = Vec::new();
    sound.encode(&mut bytes).expect("it is encoded");
    for length in (0..bytes.len()).step_by(97) {
        assert!(StoredNeighbours::decode(&mut Reader::new(&bytes[..length])).is_err(), "{length}");
    }
}
