//! Films with published counts: each count, the fan-outs, and a load of the files.

use millrace_ingest::generate::{PredicateNames, PublishedFilms};
use millrace_ingest::source::plain;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::Path;

const SMALL: PublishedFilms =
    PublishedFilms { scale: 0.01, seed: 1, names: PredicateNames::Short, uids: false, xids: false };

/// The statements, as subject, predicate and object.
fn statements(films: PublishedFilms, folder: &Path) -> Vec<[String; 3]> {
    let (paths, count) = films.write_files(folder).unwrap();
    let mut text = String::new();
    let packed = fs::File::open(&paths[0]).unwrap();
    plain(packed).unwrap().read_to_string(&mut text).unwrap();
    let parts = |line: &str| {
        let mut parts = line.split('\t').map(|part| part.trim_matches(['<', '>']).to_owned());
        [(); 3].map(|()| parts.next().unwrap())
    };
    let statements: Vec<_> = text.lines().map(parts).collect();
    assert_eq!(statements.len() as u64, count);
    statements
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// How often each subject has a predicate, largest first.
fn fan_outs(statements: &[[String; 3]], predicate: &str) -> Vec<u32> {
    let mut counts = HashMap::<&str, u32>::new();
    let own = statements.iter().filter(|[_, own, _]| own == predicate);
    own.for_each(|[subject, ..]| *counts.entry(subject).or_default() += 1);
    let mut counts: Vec<u32> = counts.into_values().collect();
    counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
    counts
}

fn mean(fan_outs: &[u32]) -> f64 {
    f64::from(fan_outs.iter().sum::<u32>()) / fan_outs.len() as f64
}

#[test]
fn counts_and_fan_outs_are_the_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    let statements = statements(SMALL, folder.path());
    let actors = fan_outs(&statements, "actor.film");
    let casts = fan_outs(&statements, "starring");
    let directors = fan_outs(&statements, "director.film");
    let genres = fan_outs(&statements, "genre");
    assert_eq!((actors.len(), actors.iter().sum()), (4_800, 14_000));
    assert_eq!((casts.len(), casts.iter().sum()), (2_400, 14_000));
    assert_eq!((genres.len(), genres.iter().sum()), (2_400, 5_480));
    assert_eq!((directors.len(), directors.iter().sum()), (1_000, 2_580));
    assert!((mean(&directors) - 2.58).abs() < 0.01);
    // The tails: of a power law the busiest have many times the mean, and most have one.
    let ones = directors.iter().filter(|count| **count == 1).count();
    assert!((550..750).contains(&ones), "{ones} directors of 1,000 have one film");
    assert!((18..33).contains(&directors[10]), "p99 of films per director: {}", directors[10]);
    assert!(50 < actors[0] && 50 < casts[0], "{} and {}", actors[0], casts[0]);
    assert!((200_000..220_000).contains(&statements.len()), "{}", statements.len());
}

#[test]
fn names_are_in_55_languages_and_edges_are_a_set() {
    let folder = tempfile::tempdir().unwrap();
    let statements = statements(SMALL, folder.path());
    let names = statements.iter().filter(|[_, predicate, _]| predicate == "name");
    let tags: HashSet<&str> = names.map(|[.., text]| text.rsplit_once("\"@").unwrap().1).collect();
    assert_eq!(tags.len(), 55);
    let distinct: HashSet<&[String; 3]> = statements.iter().collect();
    assert_eq!(distinct.len(), statements.len());
    // Each id of a list is the subject of the edges that the list is for.
    for (list, predicate) in [("actors.txt", "actor.film"), ("directors.txt", "director.film")] {
        let own = statements.iter().filter(|[_, own, _]| own == predicate);
        let subjects: HashSet<&str> = own.map(|[subject, ..]| &**subject).collect();
        let ids = lines(&folder.path().join(list));
        assert_eq!(ids.iter().map(|id| &**id).collect::<HashSet<_>>(), subjects, "{list}");
    }
}

#[test]
fn a_seed_is_a_graph_and_its_names_may_be_the_published_ones() {
    let folders = [(); 4].map(|()| tempfile::tempdir().unwrap());
    let tiny = PublishedFilms { scale: 0.0004, ..SMALL };
    let of = |at: usize, films| statements(films, folders[at].path());
    let first = of(0, tiny);
    assert_eq!(first, of(1, tiny));
    assert_ne!(first, of(2, PublishedFilms { seed: 2, ..tiny }));
    let freebase = PublishedFilms { names: PredicateNames::Freebase, uids: true, ..tiny };
    let other = of(3, freebase);
    assert_eq!(other.len(), first.len());
    let predicates: HashSet<&str> = other.iter().map(|[_, predicate, _]| &**predicate).collect();
    for name in
        ["type.object.name.en", "film.actor.film", "film.performance.film", "film.film.genre"]
    {
        assert!(predicates.contains(name), "{name}");
    }
    let is_uid = |text: &String| text.starts_with("0x");
    assert!(other.iter().all(|[subject, ..]| is_uid(subject)));
    assert!(lines(&folders[3].path().join("actors.txt")).iter().all(is_uid));
    let subjects = |all: &[[String; 3]]| {
        all.iter().map(|[subject, ..]| subject.clone()).collect::<HashSet<_>>().len()
    };
    assert_eq!(subjects(&first), subjects(&other), "uids of different kinds differ");
}

#[test]
fn an_xid_is_the_text_of_a_person_and_stands_behind_a_uid_in_the_lists() {
    let folder = tempfile::tempdir().unwrap();
    let films = PublishedFilms { scale: 0.0004, uids: true, xids: true, ..SMALL };
    let statements = statements(films, folder.path());
    let listed = lines(&folder.path().join("directors.txt"));
    for line in &listed {
        let (uid, xid) = line.split_once(' ').unwrap();
        let own = [uid.to_owned(), "xid".to_owned(), format!("\"{xid}\"")];
        assert!(xid.starts_with("person.") && statements.contains(&own), "{line}");
    }
    let schema = lines(&folder.path().join("films.schema"));
    assert!(schema.contains(&"<xid>: string @index(hash) .".to_owned()));
}
