//! Mutations of DQL as N-Quads and as JSON: any bytes are read or refused, and what is read changes a small graph, or is
//! refused by it.

use millrace_db::languages::dql::changes::{Changes, Mutation};
use millrace_db::languages::dql::language;
use millrace_db::languages::dql::quads::{Action, BlankNames};
use millrace_model::Result;

use crate::dql_graph;

/// More bytes are read, and not run.
const RUN_BYTES_MAX: usize = 4 << 10;

/// A choice, and data.
const SEEDS: &[(u8, &str)] = &[
    (
        0,
        "<0x1> <name@en> \"Ann \\u00e9\\\"\" (k=1.5, s=\"x y\", on=2020-02-29) .\n_:b <friend> _:c .\n<0x2> <age> \"33\"^^<xs:int> . # more\n<0x1> <home> \"{'type':'Point','coordinates':[1,2]}\"^^<geo:geojson> .\n",
    ),
    (
        0,
        "_:new <email> \"n@x\" .\n_:new <dgraph.type> \"A\" .\n<0x9> <anew> \"true\"^^<xs:boolean> .\n",
    ),
    (1, "<0x1> <nick> * .\n<0x1> <name@de> * .\n<0x2> * * .\n<0x1> <friend> <0x2> .\n"),
    (
        2,
        r#"[{"uid": "0x1", "name@en": "Ann", "name@en|k": 1, "age": 33, "friend": [{"uid": "_:a", "friend|close": true}],
        "nick": ["é", "b"], "nick|kind": {"0": "x", "1": "2020-01-01"}, "home": {"type": "Point", "coordinates": [1, 2]}},
        {"p": {"q": {"score": [1, 2]}}}]"#,
    ),
    (3, r#"[{"uid": "0x1", "age": null, "friend": [{"uid": "0x2"}]}, {"uid": "0x2"}]"#),
    (4, r#"{"uid": "uid(v)", "age": "val(a)"}"#),
    (5, "uid(v) <age> val(a) .\nuid(v) <friend> uid(v) .\n"),
];

/// The query beside some of them.
const QUERY: &str = "{ v as var(func: has(age)) { a as age } }";

/// The choice and the data, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|(choice, text)| [&[*choice], text.as_bytes()].concat()).collect()
}

/// The first byte says what the rest is.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let Ok(mutation) = read(choice % 6, &text) else { return };
    if text.len() <= RUN_BYTES_MAX {
        let query = if choice % 6 < 4 { "" } else { QUERY };
        let changes = Changes { query: query.into(), mutations: vec![mutation] };
        dql_graph::run_script(language::changing(changes).expect("the query is sound"));
    }
}

fn read(choice: u8, text: &str) -> Result<Mutation> {
    let mut mutation = Mutation::default();
    let mut names = BlankNames::new(1);
    match choice {
        0 | 5 => mutation.set.read_nquads(text, text, Default::default())?,
        1 => mutation.delete.read_nquads(text, text, Default::default())?,
        2 | 4 => mutation.set.read_json(text, Action::Set, &mut names)?,
        _ => mutation.delete.read_json(text, Action::Delete, &mut names)?,
    }
    Ok(mutation)
}
