//! A query's budget counts the memory that the query takes from the machine: measured in a process of its own,
//! so that the peak is the query's.

use std::process::Command;

use millrace_db::{Database, RequestLimits, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

use crate::{ask, gremlin_request};

/// The budget of a query.
const BYTES_MAX: u64 = 48 << 20;

/// Memory of a process besides: one batch under way, the stacks of threads, the allocator's reserve.
const BESIDE_BYTES: u64 = 40 << 20;

/// Names the query that a process of its own runs.
const VARIABLE: &str = "MILLRACE_MEMORY_OF_QUERY";

const QUERIES: [&str; 9] = [
    "g.V().as('a').V().as('b').select('a','b').fold().count(local)",
    "g.V().as('a').V().as('b').select('a','b').fold()",
    "g.V().as('a').V().as('b').group().by(select('a')).by(select('a','b').fold()).count(local)",
    "g.V().as('a').V().group().by('name').by(elementMap().fold()).count(local)",
    "g.V().as('a').V().elementMap().fold().count(local)",
    "g.V().as('a').V().as('b').project('x','y').by(select('a').id()).by(id()).fold().count(local)",
    "g.V().as('a').V().as('b').path().fold().count(local)",
    "g.V().as('a').V().as('b').select('a','b').aggregate('x').cap('x').count(local)",
    "g.V().as('a').V().as('b').map(select('a','b').fold()).dedup().count()",
];

struct Ignored;

impl Results for Ignored {
    fn begin(&mut self, _streams: bool) {}

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

/// A line of `/proc/self/status`, in bytes.
fn of_process(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("as the test has it");
    let found = status.lines().find_map(|own| own.strip_prefix(line)).expect("as the test has it");
    found
        .trim_matches([':', '\t', ' '])
        .trim_end_matches(" kB")
        .trim()
        .parse::<u64>()
        .expect("as the test has it")
        << 10
}

/// In a process of its own only: the query that it names, and how far the process grew meanwhile.
#[test]
fn a_query_in_a_process_of_its_own() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let database = Database::in_memory(Settings::default()).expect("as the test has it");
    let graph = database.create_graph("graph").expect("as the test has it");
    ask(&graph, "for i = 1, 4000 do NodeAdd('P', 'n' .. i, '{\"name\": \"a name\"}') end\n1");
    let limits = RequestLimits {
        bytes_max: BYTES_MAX,
        ..RequestLimits::within(600_000, &Settings::default())
    };
    let before = of_process("VmRSS");
    let error = database.run(&gremlin_request(&text, limits), &mut Ignored).map(drop).unwrap_err();
    let grown = of_process("VmHWM").saturating_sub(before);
    assert_eq!(error.kind, ErrorKind::LimitReached, "{text}: {error}");
    assert!(error.detail.contains("memory limit"), "{text}: {error}");
    println!("grown: {grown} ({text}: {error})");
    assert!(grown <= 2 * BYTES_MAX + BESIDE_BYTES, "{text}: {grown} bytes for {BYTES_MAX}");
}

#[test]
fn lists_maps_and_paths_that_a_query_holds_count_as_they_stand_in_memory() {
    for query in QUERIES {
        let mut own = Command::new(std::env::current_exe().expect("as the test has it"));
        own.args(["--exact", "memory::a_query_in_a_process_of_its_own", "--nocapture"]);
        let done = own.env(VARIABLE, query).output().expect("as the test has it");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        print!("{said}");
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && said.contains("grown: "), "{query}: {said} {errors}");
    }
}
