//! A small graph of DQL that requests may read and change: nothing of a change stays.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_db::languages::Script;
use millrace_db::languages::dql::changes::{Alter, Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL};
use millrace_db::session::{ExplicitTransaction, Request, Source, Statements};
use millrace_db::{Database, RequestLimits, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

/// A request may take this long: more is the error of a limit.
const REQUEST_MS_MAX: u64 = 2_000;

/// Requests, until the graph is made anew: names that were new in them stay in a catalog.
const REQUESTS_MAX: u32 = 5_000;

const SCHEMA: &str = "name: string @index(exact, term, fulltext, trigram, ngram) @lang .\n\
    age: int @index(int) .\nheight: float @index(float) .\nborn: datetime @index(day) .\n\
    worth: bigfloat @index(bigfloat) .\nalive: bool @index(bool) .\nnick: [string] @index(term) .\n\
    score: [int] @index(int) .\nhome: geo @index(geo) .\nemail: string @index(hash) @upsert @unique .\n\
    friend: [uid] @reverse @count .\nboss: uid @reverse .\ntype A {\n  name\n  friend\n}\n";

const QUADS: &str = r#"<0x1> <dgraph.type> "A" .
<0x1> <name> "Ann Lee" (origin="x") .
<0x1> <name> "Anna"@de .
<0x1> <age> "31" .
<0x1> <height> "1.75" .
<0x1> <born> "1995-02-03" .
<0x1> <worth> "5.5" .
<0x1> <nick> "an" (since=2010) .
<0x1> <nick> "annie" .
<0x1> <home> "{'type':'Point','coordinates':[1.5,2.5]}"^^<geo:geojson> .
<0x1> <email> "a@x" .
<0x1> <friend> <0x2> (weight=0.5, close=true) .
<0x1> <friend> <0x3> (weight=1) .
<0x1> <boss> <0x2> .
<0x2> <name> "Bo" .
<0x2> <age> "25" .
<0x2> <score> "7" .
<0x2> <score> "-3" .
<0x2> <friend> <0x3> .
<0x3> <friend> <0x1> .
"#;

thread_local! {
    static GRAPH: RefCell<Option<(Database, u32)>> = const { RefCell::new(None) };
}

/// Runs a text, in a transaction that is rolled back.
pub(crate) fn run_text(text: &str) {
    run(Statements::Text(text.into()));
}

/// Runs what was read, in a transaction that is rolled back.
pub(crate) fn run_script(script: Arc<dyn Script>) {
    run(Statements::Decoded(script));
}

fn run(statements: Statements) {
    GRAPH.with_borrow_mut(|graph| {
        if graph.as_ref().is_none_or(|(_, requests)| *requests == REQUESTS_MAX) {
            *graph = Some((made().expect("the graph is sound"), 0));
        }
        let Some((database, requests)) = graph else { return };
        *requests += 1;
        let mut transaction = ExplicitTransaction::begin(false);
        let request = request(statements);
        if let Err(error) = transaction.run_whole(database, &request, &mut Nothing) {
            assert_ne!(error.kind, ErrorKind::Bug, "{error}");
        }
        transaction.roll_back();
    });
}

fn request(statements: Statements) -> Request {
    let limits = RequestLimits::within(REQUEST_MS_MAX, &Settings::default());
    let mut request = Request::text(&DQL, "", "dql", limits);
    request.source = Source { language: &DQL, statements };
    request
}

fn made() -> Result<Database> {
    let database = Database::in_memory(Settings::default())?;
    let mut mutation = Mutation::default();
    mutation.set.read_nquads(QUADS, QUADS, Default::default())?;
    let changes = Changes { query: "".into(), mutations: vec![mutation] };
    for script in [language::altering(Alter::of_body(SCHEMA)?)?, language::changing(changes)?] {
        let ticket = database.run(&request(Statements::Decoded(script)), &mut Nothing)?;
        ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop))?;
    }
    Ok(database)
}

/// Takes an answer, and drops it.
struct Nothing;

impl Results for Nothing {
    fn begin(&mut self, _streams: bool) {}

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_json(&mut self, _answer: &str) -> Result<()> {
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}
