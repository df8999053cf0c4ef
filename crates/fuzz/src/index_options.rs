//! Indexes as they are asked for: `OPTIONS` of Cypher's commands, and the bodies of `/schema` on administration. Each gives
//! an index or an error by name; an index that Cypher shows as a command is made again by it.

use std::cell::RefCell;
use std::time::Duration;

use millrace_cypher::normal_text;
use millrace_db::languages::Entry;
use millrace_db::plan::{Definition, OwnerName};
use millrace_db::session::Started;
use millrace_db::{Database, Query, RequestLimits, ResultHead, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};
use millrace_wire::admin::{self, Request, SchemaChange, SchemaOwner};

/// What stands before the options.
const COMMANDS: [&str; 6] = [
    "CREATE VECTOR INDEX i FOR (n:A) ON (n.x) OPTIONS ",
    "CREATE FULLTEXT INDEX i FOR (n:A|B) ON EACH [n.x, n.y] OPTIONS ",
    "CREATE POINT INDEX i FOR ()-[r:R]-() ON (r.x) OPTIONS ",
    "CREATE TEXT INDEX i FOR (n:A) ON (n.x) OPTIONS ",
    "CREATE RANGE INDEX i FOR (n:A) ON (n.x, n.y) OPTIONS ",
    "CREATE CONSTRAINT i FOR (n:A) REQUIRE n.x IS UNIQUE OPTIONS ",
];

/// Says that a body for administration follows.
const IS_BODY: u8 = 255;

/// Statements that share a graph: its catalog grows with each name.
const RUNS_OF_A_GRAPH: u32 = 500;

/// Options for each command, and bodies.
pub fn seeds() -> Vec<Vec<u8>> {
    let options = [
        "{indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean', `vector.hnsw.m`: 8, `vector.hnsw.ef_construction`: 64, `vector.quantization.enabled`: true}, indexProvider: 'vector-2.0'}",
        "{indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}",
        "{indexConfig: {`spatial.cartesian.min`: [-1000000.0, -1000000.0], `spatial.wgs-84.max`: [180.0, 90.0]}}",
        "{indexProvider: 'text-2.0'}",
        "{indexProvider: 'native-btree-1.0', indexConfig: {}}",
        "{}",
    ];
    let bodies = [
        r#"{"changes": [{"change": "create_index", "label": "A", "keys": ["x"], "kind": "made", "method": "words(standard)"}]}"#,
        r#"{"changes": [{"change": "create_index", "edge_type": "R", "keys": ["x", "y"], "method": "cells(2d, cartesian, -5.0, 5.0)"}, {"change": "drop_index", "edge_type": "R", "keys": ["x", "y"], "method": "cells(2d, cartesian, -5.0, 5.0)"}]}"#,
        r#"{"changes": [{"change": "create_index", "label": "A", "keys": ["x"], "method": "vector(4, cosine, 8, 32)"}, {"change": "create_unique", "label": "A", "keys": ["y"]}]}"#,
        r#"{"changes": [{"change": "create_property", "label": "A", "key": "x", "type": "integer", "required": true}, {"change": "create_index", "label": "A", "keys": ["x"], "kind": "range"}]}"#,
    ];
    let options = options.iter().enumerate();
    let options = options.map(|(number, text)| [&[number as u8], text.as_bytes()].concat());
    options.chain(bodies.map(|body| [&[IS_BODY], body.as_bytes()].concat())).collect()
}

/// The first byte says what follows.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    Empty::with(|graph| match choice {
        IS_BODY => graph.change(rest),
        _ => graph.command(usize::from(choice) % COMMANDS.len(), &String::from_utf8_lossy(rest)),
    });
}

/// A database with a graph that has no elements.
struct Empty {
    database: Database,
    runs: u32,
}

thread_local! {
    static EMPTY: RefCell<Option<Empty>> = const { RefCell::new(None) };
}

impl Empty {
    fn with(run: impl FnOnce(&Empty)) {
        EMPTY.with_borrow_mut(|own| {
            if own.as_ref().is_some_and(|own| RUNS_OF_A_GRAPH < own.runs) {
                *own = None;
            }
            let graph = own.get_or_insert_with(|| {
                let database = Database::in_memory(Settings::default()).expect("it opens");
                database.create_graph("one").expect("it is the first");
                Empty { database, runs: 0 }
            });
            graph.runs += 1;
            run(graph);
        });
    }

    fn limits(&self) -> RequestLimits {
        let ms = Duration::from_secs(5).as_millis() as u64;
        RequestLimits::within(ms, self.database.settings())
    }

    /// The texts of the first column.
    fn ask(&self, text: &str) -> Result<Vec<String>> {
        let mut rows = Rows::default();
        let query = Query {
            language: Entry::of_name("cypher")?,
            graph: "one".to_owned(),
            text: text.into(),
            parameters: Vec::new(),
            is_read_only: false,
            is_profiled: false,
            limits: self.limits(),
        };
        match self.database.query(&query, &mut rows)? {
            Started::Done(ticket) => ticket.map_or(Ok(()), |own| own.wait().map(drop))?,
            Started::Streaming(mut stream) => while stream.next(&self.database, &mut rows)? {},
        }
        let first = rows.values.chunks(rows.width.max(1));
        Ok(first.filter_map(|row| row[0].as_str().map(str::to_owned)).collect())
    }

    fn command(&self, number: usize, options: &str) {
        let text = format!("{}{options}", COMMANDS[number]);
        // A text that is more than one statement is another target's.
        if normal_text(&text).is_ok_and(|statements| statements.len() != 1) {
            return;
        }
        if let Err(error) = self.ask(&text) {
            assert_ne!(error.kind, ErrorKind::Bug, "{error}: {text}");
            assert!(!error.detail.is_empty(), "{text}");
            return;
        }
        let shown = match text.contains("CONSTRAINT") {
            true => "SHOW CONSTRAINTS YIELD createStatement RETURN createStatement",
            false => {
                "SHOW INDEXES YIELD type, createStatement WHERE type <> 'LOOKUP' RETURN createStatement"
            }
        };
        let made = self.ask(shown).expect("it is shown");
        self.drop_all();
        for statement in &made {
            let again = self.ask(statement);
            again.unwrap_or_else(|error| panic!("{error}: {statement}, made by {text}"));
        }
        assert_eq!(self.ask(shown), Ok(made), "made by {text}");
        self.drop_all();
    }

    fn drop_all(&self) {
        let names = |text: &str| self.ask(text).expect("it is shown");
        for name in names("SHOW CONSTRAINTS YIELD name RETURN name") {
            self.ask(&format!("DROP CONSTRAINT `{name}`")).expect("it is there");
        }
        for name in names("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name") {
            self.ask(&format!("DROP INDEX `{name}`")).expect("it is there");
        }
    }

    fn change(&self, body: &[u8]) {
        let changes = match admin::parse("POST", "/graphs/one/schema", None, body) {
            Ok(Request::ChangeSchema { changes, .. }) => changes,
            Ok(_) => panic!("another request"),
            Err(refusal) => {
                assert!(400 <= refusal.response().status, "a refusal is an error");
                return;
            }
        };
        let definitions: Vec<Definition> = changes.into_iter().map(definition).collect();
        let graph = self.database.graph("one").expect("it is there");
        match graph.change_schema(&definitions, &self.limits()) {
            Ok(()) => {
                graph.schema().expect("it is shown");
                self.database.empty_graph("one").expect("it is there");
            }
            Err(error) => assert_ne!(error.kind, ErrorKind::Bug, "{error}: {definitions:?}"),
        }
    }
}

fn definition(change: SchemaChange) -> Definition {
    let names = |keys: Vec<String>| keys.iter().map(|key| key.as_str().into()).collect();
    let owner = |owner| match owner {
        SchemaOwner::Label(name) => OwnerName::Label(name.as_str().into()),
        SchemaOwner::EdgeType(name) => OwnerName::EdgeType(name.as_str().into()),
    };
    match change {
        SchemaChange::CreateType(of) => Definition::CreateOwner(owner(of)),
        SchemaChange::DropType(of) => Definition::DropOwner(owner(of)),
        SchemaChange::CreateIndex(of, keys, kind) => {
            Definition::CreateIndex { owner: owner(of), keys: names(keys), kind }
        }
        SchemaChange::CreateMadeIndex(of, keys, method) => Definition::CreateMadeIndex {
            owner: owner(of),
            keys: names(keys),
            method: method.as_str().into(),
        },
        SchemaChange::DropMadeIndex(of, keys, method) => Definition::DropMadeIndex {
            owner: owner(of),
            keys: names(keys),
            method: method.as_str().into(),
        },
        SchemaChange::DropIndex(of, keys, kind) => {
            Definition::DropIndex { owner: owner(of), keys: names(keys), kind }
        }
        SchemaChange::CreateProperty(of, key, kind, required) => Definition::CreateProperty {
            owner: owner(of),
            key: key.as_str().into(),
            kind,
            required,
        },
        SchemaChange::DropProperty(of, key) => {
            Definition::DropProperty { owner: owner(of), key: key.as_str().into() }
        }
    }
}

/// The values of a result.
#[derive(Default)]
struct Rows {
    width: usize,
    values: Vec<Value>,
}

impl Results for Rows {
    fn begin(&mut self, _streams: bool) {
        *self = Rows::default();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.width = head.width();
    }

    fn take(&mut self, values: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        self.values.extend_from_slice(values);
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}
