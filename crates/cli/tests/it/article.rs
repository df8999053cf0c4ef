//! The scripts of the bulk traversal article, run as they are printed.
//!
//! `load.lua` is 10.1 million writes in one transaction, which is more than a write set may hold in
//! memory. By default it is run with fewer people; `MILLRACE_ARTICLE_PEOPLE=100000` leaves it
//! unchanged.

use std::fs;
use std::path::PathBuf;

use millrace_testkit::{require, shared};

use crate::program::{Served, serve};

/// People of the script as it is printed.
const PEOPLE_PRINTED: u64 = 100_000;
const PEOPLE_DEFAULT: u64 = 2_000;
const LIKES_A_PERSON: u64 = 100;
const ITEMS: u64 = 2_000;

#[test]
fn the_article_scripts_run_and_their_data_survives_kill_nine() {
    let scripts = shared().map(|shared| shared.join("suites/lua")).filter(|path| path.is_dir());
    if !require("the article's scripts (../shared/suites/lua)", scripts.is_some()) {
        return;
    }
    let scripts = scripts.expect("required above");
    let people = people();
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path());
    assert_eq!(server.post("/dbs/rage", "").unwrap().0, 200);
    let schema = server.ask("rage", &script(&scripts, "schema", people));
    assert_eq!(
        schema,
        "[[\"Person\", \"Item\"], [\"LIKES\"], {\"username\": \"string\"}, {\"name\": \"string\"}, \
         {\"weight\": \"double\"}]"
    );
    let loaded = server.ask("rage", &script(&scripts, "load", people));
    let counts = [format!("[{ITEMS}, "), format!(", {people}, "), format!(", {}]", likes(people))];
    assert!(counts.iter().all(|count| loaded.contains(count)), "{loaded}");
    check_queries(&server, &scripts, people);
    server.kill();
    let server = serve(folder.path());
    let counts = server.ask("rage", "AllNodesCounts(), AllRelationshipsCount('LIKES')");
    let expected = format!("[{{\"Item\": {ITEMS}, \"Person\": {people}}}, {}]", likes(people));
    assert_eq!(counts, expected);
    check_queries(&server, &scripts, people);
}

fn people() -> u64 {
    match std::env::var("MILLRACE_ARTICLE_PEOPLE") {
        Ok(text) => text.parse().expect("MILLRACE_ARTICLE_PEOPLE is a number"),
        Err(_) => PEOPLE_DEFAULT,
    }
}

fn likes(people: u64) -> u64 {
    people * LIKES_A_PERSON
}

fn script(folder: &std::path::Path, name: &str, people: u64) -> String {
    let path: PathBuf = folder.join(format!("{name}.lua"));
    let text = fs::read_to_string(path).expect("the article has this script");
    if people == PEOPLE_PRINTED { text } else { text.replace("100000", &people.to_string()) }
}

/// Both queries count the paths of three hops of a random person: about
/// likes a person × likes an item × likes a person.
fn check_queries(server: &Served, scripts: &std::path::Path, people: u64) {
    let expected = LIKES_A_PERSON * (likes(people) / ITEMS) * LIKES_A_PERSON;
    for name in ["bulk", "single"] {
        let answer = server.ask("rage", &script(scripts, name, people));
        let paths: u64 = answer.parse().unwrap_or_else(|_| panic!("{name}: {answer}"));
        let near = expected * 8 / 10..expected * 12 / 10;
        assert!(near.contains(&paths), "{name} counts {paths} paths, about {expected} are there");
    }
}
