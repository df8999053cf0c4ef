//! Hashes of passwords take long: never on a thread that must not block, and no longer than the request may.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_db::languages::Script;
use millrace_db::languages::dql::changes::{Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL};
use millrace_db::session::{Request, Source, Statements};
use millrace_db::{Database, RequestLimits};
use millrace_model::{ErrorKind, Result};

use super::{Answer, alter, mutate, query};
use crate::limits;

fn passwords(count: usize) -> Arc<dyn Script> {
    let quads = (1..=count).map(|node| format!("<{node}> <secret> \"password {node}\" .\n"));
    let quads: String = quads.collect();
    let mut mutation = Mutation::default();
    mutation.set.read_nquads(&quads, &quads, Default::default()).expect("it succeeds");
    let changes = Changes { query: Arc::from(""), mutations: vec![mutation] };
    language::changing(changes).expect("it succeeds")
}

fn request(statements: Statements, limits: RequestLimits) -> Request {
    let mut request = Request::text(&DQL, "", "dql", limits);
    request.source = Source { language: &DQL, statements };
    request
}

fn run(database: &Database, count: usize, limits: RequestLimits) -> Result<()> {
    let request = request(Statements::Decoded(passwords(count)), limits);
    database.run(&request, &mut Answer::default()).map(drop)
}

#[test]
fn a_thread_that_must_not_block_hashes_and_compares_no_password() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "secret: password .\nname: string .").unwrap();
    // Their plans are known then, which alone would keep them from such a thread.
    run(&database, 1, limits()).unwrap();
    let text = "{ q(func: uid(0x1)) { checkpwd(secret, \"password 1\") } }";
    let answer = query(&database, text).unwrap();
    assert_eq!(answer, r#"{"q":[{"checkpwd(secret)":true}]}"#);
    mutate(&database, "<1> <name> \"Ann\" .", "").unwrap();
    let name = "{ q(func: uid(0x1)) { name } }";
    query(&database, name).unwrap();
    let tried = |statements| {
        let mut request = request(statements, limits());
        database.try_answer(&mut request, &mut Answer::default()).is_some()
    };
    assert!(!tried(Statements::Decoded(passwords(1))));
    assert!(!tried(Statements::Text(text.into())));
    assert!(tried(Statements::Text(name.into())), "others are answered");
    // A value of a variable becomes one as the plan runs.
    let upsert = "upsert { query { q(func: uid(0x1)) { n as name } v as var(func: uid(0x1)) } \
                  mutation { set { uid(v) <secret> val(n) . } } }";
    mutate(&database, "<1> <name> \"long enough\" .", "").unwrap();
    let script = || Statements::Decoded(language::of_text(upsert).unwrap());
    database.run(&request(script(), limits()), &mut Answer::default()).unwrap();
    assert!(!tried(script()));
}

#[test]
fn many_passwords_end_at_the_deadline_or_where_they_are_cancelled() {
    const MANY: usize = 10_000;
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "secret: password .").unwrap();
    let began = Instant::now();
    let mut soon = limits();
    soon.deadline = Some(Instant::now() + Duration::from_millis(50));
    let late = run(&database, MANY, soon).unwrap_err();
    assert_eq!(late.kind, ErrorKind::DeadlineExceeded, "{late}");
    let own = limits();
    let cancel = own.cancel.clone();
    let cancelled = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&database, MANY, own));
        cancel.cancel();
        running.join().unwrap().unwrap_err()
    });
    assert_eq!(cancelled.kind, ErrorKind::Cancelled, "{cancelled}");
    assert!(began.elapsed() < Duration::from_secs(25), "it takes minutes to hash so many");
    let found = query(&database, "{ q(func: has(secret)) { count(uid) } }").unwrap();
    assert_eq!(found, r#"{"q":[{"count":0}]}"#);
}
