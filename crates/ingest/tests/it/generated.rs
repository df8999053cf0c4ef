//! Generated graphs: the same each time, the shape they promise, and loadable.

use millrace_ingest::generate::{Films, Likes, People, WORDS};
use millrace_ingest::load::{LoadOptions, load, quiet};
use millrace_ingest::reading::{Reading, input_of_files};
use millrace_store::{Backend, Store, memory::MemoryBackend};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

fn loaded(paths: &[&std::path::Path]) -> (Arc<dyn Store>, u64, u64) {
    let store = MemoryBackend::default().create_graph("g").unwrap();
    let input = input_of_files(paths, &Reading::default()).unwrap();
    let summary = load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    assert_eq!(summary.bad_rows, 0);
    (store, summary.vertices, summary.edges)
}

fn films_text(films: Films) -> String {
    let mut text = Vec::new();
    films.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn likes_files_hold_what_the_iterator_says() {
    let likes = Likes { people: 30, items: 7, likes_a_person: 5, seed: 3 };
    let folder = tempfile::tempdir().unwrap();
    let files = likes.write_files(folder.path(), true).unwrap();
    let (store, vertices, edges) = loaded(&files.paths());
    assert_eq!((vertices, edges), (37, likes.edge_count()));
    let dump = crate::dump::dump(&*store);
    let person = |person: u32| 1 + person;
    let item = |item: u32| 31 + item;
    let mut lines: Vec<String> = likes
        .edges()
        .map(|like| {
            let (person, item) = (person(like.person), item(like.item));
            format!("({person})-[LIKES {{weight: {:?}}}]->({item})", like.weight)
        })
        .collect();
    lines.sort();
    let found: Vec<_> = dump.lines().filter(|line| line.contains("LIKES")).collect();
    assert_eq!(found, lines);
    assert!(dump.starts_with("(1:Person {username: \"person1\"})\n"));
    assert!(likes.edges().all(|like| (0.0..10.0).contains(&like.weight)));
}

#[test]
fn people_files_hold_what_the_iterators_say() {
    let people = People { people: 40, acquaintances_a_person: 3, seed: 5 };
    let folder = tempfile::tempdir().unwrap();
    let files = people.write_files(folder.path()).unwrap();
    let (store, vertices, edges) = loaded(&files.paths());
    assert_eq!((vertices, edges), (40, 120));
    let dump = crate::dump::dump(&*store);
    for (number, person) in (1..).zip(people.people()) {
        let line = dump.lines().find(|line| line.starts_with(&format!("({number}:Person")));
        let line = line.unwrap_or_else(|| panic!("no {number} in {dump}"));
        for property in [
            format!("uid: {}", person.uid),
            format!("name: {:?}", person.name),
            format!("age: {}", person.age),
            format!("city: {:?}", person.city),
            format!("score: {:?}", person.score),
            format!("email: {:?}", person.email),
            format!("bio: {:?}", person.bio),
            format!("joined: {}", person.joined),
        ] {
            assert!(line.contains(&property), "no {property} in {line}");
        }
        assert!((18..=90).contains(&person.age) && (0.0..100.0).contains(&person.score));
        assert!(person.bio.split(' ').all(|word| WORDS.contains(&word)), "{person:?}");
    }
    let expected = people.acquaintances().map(|own| {
        let properties = format!("since: {}, w: {:?}, year: {}", own.since, own.w, own.year);
        format!("({})-[KNOWS {{{properties}}}]->({})", own.source + 1, own.target + 1)
    });
    let mut expected: Vec<String> = expected.collect();
    expected.sort();
    let found: Vec<&str> = dump.lines().filter(|line| line.contains("KNOWS")).collect();
    assert_eq!(found, expected);
    let cities: HashSet<String> = People::default().people().map(|person| person.city).collect();
    assert_eq!(cities.len(), 200);
}

#[test]
fn a_seed_makes_the_same_graph_and_another_seed_another() {
    let likes = Likes { people: 50, ..Likes::default() };
    assert!(likes.edges().eq(likes.edges()));
    assert!(!likes.edges().eq(Likes { seed: 2, ..likes }.edges()));
    let films = Films::default();
    assert_eq!(films_text(films), films_text(films));
    assert_ne!(films_text(films), films_text(Films { seed: 2, ..films }));
}

#[test]
fn films_have_power_laws_languages_and_the_promised_names() {
    let films = Films { scale: 3, seed: 1 };
    let text = films_text(films);
    let mut films_of = HashMap::<&str, u32>::new();
    let mut tags = HashSet::new();
    for line in text.lines() {
        let parts: Vec<_> = line.split('\t').collect();
        match parts[1] {
            "<director.film>" => *films_of.entry(parts[0]).or_default() += 1,
            "<name>" => drop(tags.insert(parts[2].rsplit_once('@').unwrap().1)),
            _ => {}
        }
    }
    assert_eq!(films_of.values().sum::<u32>(), films.film_count());
    let once = films_of.values().filter(|count| **count == 1).count();
    let share = once as f64 / films_of.len() as f64;
    assert!((0.55..0.75).contains(&share), "{share} of the directors made one film");
    assert!(20 <= *films_of.values().max().unwrap());
    assert_eq!(tags, HashSet::from(["en", "de", "fr", "ja"]));
    for name in [films.busy_director(), films.busy_actor()] {
        assert!(text.contains(&format!("<name>\t\"{name}\"@en")), "{name}");
    }
}

#[test]
fn films_load_from_a_packed_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("films.rdf.gz");
    Films::default().write_file(&path).unwrap();
    let (store, vertices, edges) = loaded(&[&path]);
    let snapshot = store.snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), vertices);
    assert_eq!(snapshot.count_edges(None).unwrap(), edges);
    let film = snapshot.catalog().label("Film");
    assert_eq!(snapshot.count_vertices(film).unwrap(), 1000);
    let undone = folder.path().join("films.rdf.gz.unfinished");
    assert!(!undone.exists());
}
