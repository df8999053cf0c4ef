//! A server on a small disk that others fill, asked in Cypher by Bolt and by Neo4j's HTTP interface: a write is
//! refused with the code of what a later try may cure, reads go on, and so do writes once there is room.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use millrace_model::Value as Cell;
use millrace_server::db::{Database, Settings};
use millrace_server::wire::bolt::TransactionOptions;
use millrace_server::wire::bolt::client::{ClientError, ClientResult};
use millrace_testkit::small_disk::{SmallDisk, Subject, live_on_a_small_disk};
use serde_json::{Value, json};

use crate::bolt::{open, parameter};
use crate::client::{Running, settings, start_speaking};

const DISK_BYTES: u64 = 400 << 20;

/// How many bytes others leave free: from nothing to seemingly enough.
const LEFTS: [u64; 3] = [0, 1 << 20, 20 << 20];

/// The code that drivers of Neo4j try again.
const REFUSAL: &str = "Neo.TransientError.General.DatabaseUnavailable";

const CREATE: &str = "CREATE (:Thing {number: $number, noise: $noise})";
const NUMBERS: &str = "MATCH (t:Thing) RETURN t.number AS number";

/// Text that a write adds, so that writes matter.
fn noise(number: u64) -> String {
    (0..2_000).map(|at| format!("{:x}", (at * 7 + 1) * number)).collect()
}

/// A server of a folder, and the listener that is asked.
struct Served<A> {
    folder: PathBuf,
    server: Option<Running>,
    asked: A,
}

/// A listener with queries in Cypher.
trait Asked {
    /// Writes a thing; the error is code and message.
    fn write(&self, server: &Running, number: u64) -> Result<(), String>;

    fn numbers(&self, server: &Running) -> BTreeSet<u64>;
}

fn serve(folder: &Path) -> Running {
    let mut settings: Settings = settings();
    settings.listen.set("neo4j-http", "127.0.0.1:0");
    let database = Database::open(folder, settings).expect("it opens on a disk with room");
    start_speaking(database, "cypher")
}

impl<A: Asked> Served<A> {
    fn new(folder: PathBuf, asked: A) -> Served<A> {
        let server = Some(serve(&folder));
        Served { folder, server, asked }
    }

    fn server(&self) -> &Running {
        self.server.as_ref().expect("it is stopped between two lives only")
    }
}

impl<A: Asked> Subject for Served<A> {
    fn write(&mut self, number: u64) -> Result<(), String> {
        self.asked.write(self.server(), number)
    }

    fn read(&mut self) -> BTreeSet<u64> {
        self.asked.numbers(self.server())
    }

    fn reopen(&mut self) {
        self.server = None;
        self.server = Some(serve(&self.folder));
    }
}

/// Bolt: every other write is a transaction that the client begins and commits.
struct Bolt;

impl Asked for Bolt {
    fn write(&self, server: &Running, number: u64) -> Result<(), String> {
        let mut client = open(server);
        let parameters = [
            parameter("number", Cell::I64(number as i64)),
            parameter("noise", Cell::from(noise(number).as_str())),
        ];
        let written: ClientResult<()> = if number.is_multiple_of(2) {
            client.run(CREATE, &parameters).map(drop)
        } else {
            let begun = client.begin(TransactionOptions::default());
            let run = begun.and_then(|()| client.run(CREATE, &parameters));
            run.and_then(|_| client.commit()).map(drop)
        };
        match written {
            Ok(()) => Ok(()),
            Err(ClientError::Failure(failure)) => {
                assert!(failure.is_transient(), "{failure:?}");
                Err(format!("{}: {}", failure.code, failure.message))
            }
            Err(broken) => panic!("{broken}"),
        }
    }

    fn numbers(&self, server: &Running) -> BTreeSet<u64> {
        let answer = open(server).run(NUMBERS, &[]).expect("reads go on");
        let number = |datum: Option<i64>| u64::try_from(datum.expect("a number")).expect("from 1");
        answer.records.iter().map(|record| number(record[0].as_int())).collect()
    }
}

/// HTTP: `tx/commit`, and `query/v2` for every other write.
struct Http;

impl Http {
    fn post(server: &Running, path: &str, body: &Value) -> (u16, Value) {
        let json = [("content-type", "application/json")];
        let body = body.to_string();
        let reply = server.send_to(&server.neo4j_http, "POST", path, &json, body.as_bytes());
        (reply.status, reply.json())
    }
}

impl Asked for Http {
    fn write(&self, server: &Running, number: u64) -> Result<(), String> {
        let parameters = json!({ "number": number, "noise": noise(number) });
        let statement = json!({ "statement": CREATE, "parameters": parameters });
        let (status, answer) = if number.is_multiple_of(2) {
            Http::post(server, "/db/neo4j/query/v2", &statement)
        } else {
            Http::post(server, "/db/neo4j/tx/commit", &json!({ "statements": [statement] }))
        };
        let Some(error) = answer["errors"].get(0) else { return Ok(()) };
        // `tx/commit` answers 200 whatever happened to its statements.
        let expected = if number.is_multiple_of(2) { 400 } else { 200 };
        assert_eq!(status, expected, "{answer}");
        Err(format!("{}: {}", error["code"], error["message"]))
    }

    fn numbers(&self, server: &Running) -> BTreeSet<u64> {
        let (_, answer) =
            Http::post(server, "/db/neo4j/query/v2", &json!({ "statement": NUMBERS }));
        let rows = answer["data"]["values"].as_array().unwrap_or_else(|| panic!("{answer}"));
        rows.iter().map(|row| row[0].as_u64().expect("a number")).collect()
    }
}

fn live(asked: impl Asked) {
    let what = "a server on a small disk that fills up (mkfs.ext4, mount -o loop)";
    let Some(disk) = SmallDisk::for_test(what, DISK_BYTES) else { return };
    let mut served = Served::new(disk.path().join("data"), asked);
    live_on_a_small_disk(&disk, &mut served, REFUSAL, &LEFTS);
    disk.fill(0);
    let why = (1_000_001..).find_map(|number| served.write(number).err()).expect("it is full");
    assert!(why.contains("disk is nearly full") && why.contains("free some space"), "{why}");
    served.server = None;
}

#[test]
fn bolt_refuses_writes_on_a_full_disk_as_transient_and_goes_on_when_there_is_room() {
    live(Bolt);
}

#[test]
fn neo4j_http_refuses_writes_on_a_full_disk_as_transient_and_goes_on_when_there_is_room() {
    live(Http);
}
