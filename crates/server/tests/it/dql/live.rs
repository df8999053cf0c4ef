//! Dgraph's own loader, `dgraph live`, against the server. What it loads is asked for afterwards; a Dgraph answers the same
//! after the same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use millrace_server::db::{Database, Settings};
use millrace_testkit::{require, runtime};
use serde_json::{Value, json};

use super::{DQL, pack, post};
use crate::client::{Running, settings, start_over, start_with_ann};

const SCHEMA: &str = "\
name: string @index(term, exact) @lang .
age: int @index(int) .
born: datetime @index(year) .
nick: [string] .
friend: [uid] @reverse @count .
boss: uid .
alive: bool .
loc: geo .
xid: string @index(exact) @upsert .
type Person {
  name
  age
  friend
}
";

const PEOPLE: &str = r#"<0x5001> <name> "Ann" .
<0x5001> <name> "Anna"@de .
<0x5001> <age> "31"^^<xs:int> .
<0x5001> <dgraph.type> "Person" .
<0x5001> <friend> _:bo (since=2020-01-02, close=true, weight=0.5) .
_:bo <name> "Bo \"the\" Brave" (origin="north") .
_:bo <nick> "bb" .
_:bo <nick> "brave" .
_:bo <born> "1990-05-06"^^<xs:dateTime> .
_:bo <boss> <0x5001> .
_:bo <dgraph.type> "Person" .
_:bo <alive> "true"^^<xs:boolean> .
<http://example.org/cy> <name> "Cy" .
<http://example.org/cy> <friend> <0x5001> .
<http://example.org/cy> <friend> _:bo .
<http://example.org/cy> <loc> "{'type':'Point','coordinates':[1.5,2.5]}"^^<geo:geojson> .
"#;

const MORE: &str = r#"[
  {"uid": "_:di", "name": "Di", "name@fr": "Didi", "age": 44, "dgraph.type": "Person",
   "nick": ["d1", "d2"],
   "friend": [{"uid": "0x5001", "friend|weight": 2.5}, {"uid": "_:ed", "name": "Ed", "alive": false}]},
  {"uid": "0x5001", "age": 32, "age|sure": true}
]"#;

const NAMED: &str = "_:gil <name> \"Gil\" .
_:gil <friend> _:hal (since=2021) .
<m.0123> <name> \"Ida\" .
<m.0123> <friend> _:gil .
_:hal <name> \"Hal\" .
";

/// The nodes of the ring that are loaded besides: several requests that name each other's nodes, at once.
const RING: u32 = 3_000;

fn ring() -> String {
    let node = |number: u32| format!("<0x{:x}>", 0x6000 + number);
    let statements = |number: u32| {
        let (own, next) = (node(number), node(number % RING + 1));
        format!(
            "{own} <name> \"N{number}\" .\n{own} <age> \"{}\" .\n{own} <friend> {next} .\n",
            number % 90
        )
    };
    (1..=RING).map(statements).collect()
}

fn on(settings: &mut Settings) {
    settings.listen.set("dql", "127.0.0.1:0");
    settings.listen.set("dql-grpc", "127.0.0.1:0");
}

fn start() -> Running {
    let mut settings = settings();
    on(&mut settings);
    start_over(Database::in_memory(settings).expect("it opens"))
}

/// The loader and a folder of its own; none where it is not installed.
struct Loader {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Loader {
    fn find() -> Option<Loader> {
        let runtime = runtime("dgraph");
        if !require("dgraph (cargo xtask runtimes)", runtime.is_some()) {
            return None;
        }
        let program = runtime?.join("bin/dgraph");
        Some(Loader { program, folder: tempfile::tempdir().expect("a folder") })
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// Loads a file.
    fn load(&self, server: &Running, file: &Path, words: &[&str]) {
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.args(["live", "--http", "127.0.0.1:0", "--alpha"]).arg(server.dql_grpc.to_string());
        command.arg("--files").arg(file).args(words);
        let output = command.output().expect("it runs");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}{errors}");
        assert!(!shown.contains("Error while") && !shown.contains("interrupted"), "{shown}");
    }
}

fn asked(server: &Running, query: &str) -> Value {
    let answer = post(server, "/query", DQL, query).json();
    assert!(answer.get("errors").is_none(), "{query}: {answer}");
    answer["data"].clone()
}

#[test]
fn dgraph_live_loads_quads_and_json_with_a_schema_facets_languages_and_chosen_uids() {
    let Some(loader) = Loader::find() else { return };
    let server = start();
    let schema = loader.write("people.schema", SCHEMA.as_bytes());
    let people = loader.write("people.rdf.gz", &pack(format!("{PEOPLE}{}", ring()).as_bytes()));
    let more = loader.write("more.json", MORE.as_bytes());
    loader.load(&server, &people, &["--schema", &schema.to_string_lossy(), "--batch", "500"]);
    loader.load(&server, &more, &[]);
    let query = "{ q(func: uid(0x5001)) { name name@de age @facets dgraph.type friend @facets \
                 { name @facets nick alive boss { name } } ~friend { count(uid) } } }";
    let bo = json!({
        "name|origin": "north", "name": "Bo \"the\" Brave", "nick": ["bb", "brave"], "alive": true,
        "boss": { "name": "Ann" },
        "friend|close": true, "friend|since": "2020-01-02T00:00:00Z", "friend|weight": 0.5,
    });
    let ann = json!({
        "name": "Ann", "name@de": "Anna", "age|sure": true, "age": 32, "dgraph.type": ["Person"],
        "friend": [bo], "~friend": [{ "count": 2 }],
    });
    assert_eq!(asked(&server, query), json!({ "q": [ann] }));
    let query = "{ q(func: eq(name, \"Cy\")) { name loc friend(orderasc: name) { name born } } }";
    let friends = json!([
        { "name": "Ann" }, { "name": "Bo \"the\" Brave", "born": "1990-05-06T00:00:00Z" },
    ]);
    let place = json!({ "type": "Point", "coordinates": [1.5, 2.5] });
    assert_eq!(
        asked(&server, query),
        json!({ "q": [{ "name": "Cy", "loc": place, "friend": friends }] })
    );
    let query = "{ q(func: eq(name, \"Di\")) { name name@fr age nick dgraph.type \
                 friend(orderasc: name) @facets { name alive } } }";
    let friends =
        json!([{ "name": "Ann", "friend|weight": 2.5 }, { "name": "Ed", "alive": false }]);
    let di = json!({
        "name": "Di", "name@fr": "Didi", "age": 44, "nick": ["d2", "d1"], "dgraph.type": ["Person"],
        "friend": friends,
    });
    assert_eq!(asked(&server, query), json!({ "q": [di] }));
    let query = "{ var(func: ge(age, 0)) { a as age } ages() { sum(val(a)) } \
                 names(func: has(name)) { count(uid) } friends(func: has(friend)) { count(uid) } \
                 people(func: type(Person)) { count(uid) } \
                 one(func: uid(0x6001)) { name age friend { uid } ~friend { uid } } }";
    let one = json!({
        "name": "N1", "age": 1, "friend": [{ "uid": "0x6002" }], "~friend": [{ "uid": "0x6bb8" }],
    });
    let counts = json!({
        "ages": [{ "sum(val(a))": 132_706 }],
        "names": [{ "count": RING + 5 }],
        "friends": [{ "count": RING + 3 }],
        "people": [{ "count": 3 }],
        "one": [one],
    });
    assert_eq!(asked(&server, query), counts);
}

#[test]
fn dgraph_live_finds_its_nodes_again_by_a_predicate_of_ids() {
    let Some(loader) = Loader::find() else { return };
    let server = start_with_ann(on);
    let schema = loader.write("named.schema", SCHEMA.as_bytes());
    let named = loader.write("named.rdf", NAMED.as_bytes());
    let schema = schema.to_string_lossy();
    for words in [&["--schema", &*schema][..], &[]] {
        let own = ["--upsertPredicate", "xid", "--creds", "user=ann;password=secret"];
        loader.load(&server, &named, &[&own[..], words].concat());
    }
    let query = "{ q(func: has(xid), orderasc: xid) { xid name friend @facets { xid } } }";
    let answer = server.send_to(
        &server.dql,
        "POST",
        "/query",
        &[DQL, ("authorization", "Basic YW5uOnNlY3JldA==")],
        query.as_bytes(),
    );
    let found = json!([
        {
            "xid": "_:gil", "name": "Gil",
            "friend": [{ "xid": "_:hal", "friend|since": 2021 }],
        },
        { "xid": "_:hal", "name": "Hal" },
        { "xid": "m.0123", "name": "Ida", "friend": [{ "xid": "_:gil" }] },
    ]);
    assert_eq!(answer.json()["data"], json!({ "q": found }));
}
