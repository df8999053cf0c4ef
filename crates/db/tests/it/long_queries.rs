//! Queries that would run for long, in each language, end soon after their deadline or after they are cancelled:
//! every loop that can be long looks at both. Scripts that never end are in `deadline`.
//!
//! Only the work of a query's own thread after its deadline is bounded, so that other tests on the machine do not
//! matter; only Linux reports it.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use millrace_db::languages::Entry;
use millrace_db::session::Started;
use millrace_db::{CancelFlag, Database, Query, RequestLimits, Settings};
use millrace_model::{ErrorKind, Result};

use crate::shares::Ignored;

/// The time after which a query is to end.
const DEADLINE_MS: u64 = 100;

/// The promised bound of the work after it.
const LATE_MAX: Duration = Duration::from_millis(250);

/// Nodes of label `N`, with `g` of two values, an index on it, and a relationship to the next three.
const NODES: usize = 3_000;

const CYPHER: &[&str] = &[
    // Rows: products, comparisons of candidates, joins of many rows.
    "UNWIND range(1, 1000000000000) AS i RETURN count(i % 7)",
    "UNWIND range(1, 1000000000) AS i WITH i % 1000000 AS k, count(*) AS c RETURN max(c)",
    "UNWIND range(1, 1000000000) AS i RETURN count(DISTINCT i)",
    "UNWIND range(1, 100000000) AS i WITH DISTINCT i RETURN count(i)",
    "UNWIND range(1, 1000000000) AS i UNWIND range(1, 1000000000) AS k RETURN i, k SKIP 100000000000 LIMIT 1",
    "MATCH (a:N), (b:N), (c:N) WHERE a.i + b.i = c.i + 1 RETURN count(*)",
    "MATCH (a:N {g: 0}), (b:N {g: 1}), (c:N {g: 0}) WHERE a.i < b.i AND b.i < c.i RETURN count(*)",
    "MATCH (a), (b), (c) RETURN count(toString(a.i) + toString(b.i + c.i))",
    "UNWIND range(1, 100000000) AS i MATCH (n:N {g: i % 2}) RETURN count(n.i * 2)",
    "UNWIND range(1, 100000000) AS i MATCH (n:N {g: 0, i: i}) RETURN count(n)",
    "UNWIND range(1, 100000000) AS i MATCH (n) WHERE n.x = i RETURN count(n)",
    "UNWIND range(1, 100000000) AS i OPTIONAL MATCH (n:N {g: i}) RETURN count(n)",
    "MATCH (a:N), (b:N) WHERE EXISTS { MATCH (c:N) WHERE c.i = a.i + b.i } RETURN count(*)",
    "MATCH (a:N), (b:N) RETURN sum(COUNT { (a)-->()<--(b) })",
    "MATCH (a:N), (b:N) CALL (a, b) { MATCH (c:N {g: 1}) WHERE c.i > a.i + b.i RETURN count(c) AS k } RETURN sum(k)",
    "MATCH (a)-->(b)-->(c)-->(d)-->(e)-->(f)-->(h)-->(i)-->(j)-->(k)-->(l) RETURN count(a.i + l.i)",
    // Sorts and groups.
    "UNWIND range(1, 20000000) AS i RETURN i % 977 AS k ORDER BY k, -i SKIP 19999999",
    "UNWIND range(1, 20000000) AS i RETURN i ORDER BY toString(i) LIMIT 3",
    "UNWIND range(1, 20000000) AS i RETURN [i % 10, toString(i)] AS k ORDER BY k SKIP 19999999",
    "UNWIND range(1, 20000000) AS i RETURN percentileCont((i * 7919) % 1000003, 0.5)",
    "UNWIND range(1, 20000000) AS i RETURN stDev(i), avg(i), collect(i % 3)[7]",
    "UNWIND range(1, 20000000) AS i WITH [i, [i]] AS k RETURN count(DISTINCT k)",
    "WITH range(1, 1000000) AS a UNWIND range(1, 100000) AS i RETURN count(DISTINCT a)",
    "WITH range(1, 1000000) AS a UNWIND range(1, 100000) AS i WITH a + i AS b RETURN max(b)[0]",
    "WITH range(1, 1000000) AS a UNWIND range(1, 10000000) AS i WITH a, i ORDER BY a, -i RETURN i LIMIT 1",
    // Lists.
    "UNWIND range(1, 100000) AS i RETURN sum(size(range(1, 1000000)) + i)",
    "UNWIND range(1, 100000) AS i RETURN sum(size(range(i, 1000000)))",
    "UNWIND range(1, 100000) AS i RETURN sum(size([x IN range(1, 1000000) WHERE x % i = 1 | x * i]))",
    "UNWIND range(1, 100000) AS i RETURN sum(reduce(s = 0, x IN range(1, 1000000) | s + x % i))",
    "RETURN size([x IN range(1, 1000000) | size([y IN range(1, 1000000) WHERE y % x = 0 | y])])",
    "RETURN all(x IN range(1, 1000000) WHERE any(y IN range(1, 1000000) WHERE y = -x))",
    "RETURN reduce(a = [], x IN range(1, 1000000) | a + x)[0]",
    "RETURN size(reduce(a = '', x IN range(1, 1000000) | a + 'x'))",
    "WITH range(1, 1000000) AS a RETURN size([x IN a WHERE -x IN a])",
    "WITH [x IN range(1, 1000000) | toFloat(x)] AS a UNWIND range(1, 1000000) AS i RETURN count(i IN a)",
    "WITH range(1, 1000000) AS a UNWIND range(1, 1000000) AS i RETURN sum(size(tail(reverse(a))) + i)",
    "WITH range(1, 1000000) AS a UNWIND range(1, 1000000) AS i RETURN sum(size(a[1..]) + i)",
    "WITH range(1, 1000000) AS a, range(1, 1000000) AS b UNWIND range(1, 1000000) AS i RETURN count(a = b)",
    "UNWIND range(1, 100000) AS i RETURN sum(size(apoc.coll.sort([x IN range(1, 1000000) | (x * 7919 + i) % 1000003])))",
    "UNWIND range(1, 100000) AS i RETURN sum(size(apoc.coll.toSet([x IN range(1, 1000000) | x % 1000 + i])))",
    "WITH range(1, 1000000) AS a UNWIND range(1, 1000000) AS i RETURN sum(apoc.coll.indexOf(a, -i))",
    // In each other 2^40 times over.
    "WITH reduce(l = [1], i IN range(1, 40) | [l, l]) AS a, reduce(l = [1], i IN range(1, 40) | [l, l]) AS b RETURN a = b",
    // Texts.
    "WITH reduce(s = 'ab c', i IN range(1, 22) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(replace(t, 'b', toString(i % 10))))",
    "WITH reduce(s = 'ab c', i IN range(1, 22) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(toUpper(t)) + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 17) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(split(t, ' ')) + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(reverse(t)) + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN count(t =~ '(a|b|c| )*' + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(substring(t, i)))",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN count(t CONTAINS 'cc' + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(normalize(t)) + i)",
    "WITH reduce(s = 'ab c', i IN range(1, 20) | s + s) AS t UNWIND range(1, 100000) AS i RETURN sum(size(trim(t)) + i)",
    "UNWIND range(1, 100000000) AS i RETURN max(toString(i) + toUpper('x' + i))",
    // Writes.
    "UNWIND range(1, 100000000) AS i CREATE (:W {i: i})",
    "UNWIND range(1, 100000000) AS i MERGE (n:N {g: 0, i: i % 100000 - 100000})",
    "UNWIND range(1, 100000000) AS i MATCH (n:N {i: i % 3000}) SET n.x = i",
];

const GREMLIN: &[&str] = &[
    "g.V().repeat(both()).times(1000000).count()",
    "g.V().as('a').V().as('b').V().as('c').where('a', eq('b')).count()",
    "g.V().repeat(both().simplePath()).times(30).path().count()",
    "g.V().V().V().order().by('i').limit(3)",
    "g.V().V().V().group().by('g').by(count())",
    "g.V().V().V().dedup().by('x').count()",
    "g.V().V().V().values('i').fold().count(local)",
    "g.V().V().V().has('i', gt(100000)).count()",
    "g.V().V().V().map(union(values('i'), values('g')).sum()).max()",
    "g.V().repeat(union(out(), both())).times(1000000).values('i').sum()",
];

const LUA: &[&str] = &[
    "local n = 0 for i = 1, 1e12 do n = n + i % 7 end\n1",
    "local t = {} for i = 1, 1e9 do t[i % 1000] = AllNodeIds('N', 0, 3000) end\n1",
    "while true do NodeIdsGetNeighborIds(AllNodeIds('N', 0, 3000)) end\n1",
    "while true do Traversal.all():both():both():both():count() end\n1",
    "local s = ('ab c'):rep(1 << 18) while true do s:upper():lower():reverse() end\n1",
    "local t = {} for i = 1, 90000 do t[i] = -i end while true do table.sort(t) end\n1",
];

fn run(database: &Database, (language, text): (&str, &str), limits: RequestLimits) -> Result<()> {
    let query = Query {
        language: Entry::of_name(language)?,
        graph: "one".to_owned(),
        text: text.into(),
        parameters: Vec::new(),
        is_read_only: false,
        is_profiled: false,
        limits,
    };
    let mut results = Ignored;
    match database.query(&query, &mut results)? {
        Started::Done(ticket) => ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop)),
        Started::Streaming(mut stream) => {
            while stream.next(database, &mut results)? {}
            Ok(())
        }
    }
}

fn database() -> Database {
    let database = Database::in_memory(Settings::default()).expect("opens");
    database.create_graph("one").expect("is made");
    for text in [
        "CREATE INDEX FOR (n:N) ON (n.g)".to_owned(),
        format!("UNWIND range(1, {NODES}) AS i CREATE (:N {{i: i, g: i % 2}})"),
        format!(
            "MATCH (a:N) UNWIND [1, 2, 3] AS d MATCH (b:N) WHERE b.i = (a.i + d * 7) % {NODES} + 1 \
             CREATE (a)-[:R]->(b)"
        ),
    ] {
        let limits = RequestLimits::within(60_000, &Settings::default());
        run(&database, ("cypher", &text), limits).expect("is made");
    }
    database
}

/// The file in which the system reports what this thread worked; any thread of the process may read it.
fn statistics() -> PathBuf {
    let own = std::fs::read_link("/proc/thread-self").expect("the system has a folder of a thread");
    Path::new("/proc").join(own).join("schedstat")
}

/// The CPU time of a thread so far; waiting for a core does not count.
fn worked(statistics: &Path) -> Duration {
    let statistics = std::fs::read_to_string(statistics).ok();
    let nanos = statistics.and_then(|statistics| statistics.split(' ').next()?.parse().ok());
    Duration::from_nanos(nanos.expect("the system reports what a thread worked"))
}

/// The bound is one of optimized code: a build without optimization, in which a loop of nothing takes some ten times
/// as long, is given as much more.
fn late_max() -> Duration {
    let statistics = statistics();
    let begun = worked(&statistics);
    for i in 0..2_000_000u64 {
        black_box(black_box(i).wrapping_mul(7));
    }
    let is_optimized = worked(&statistics) - begun < Duration::from_millis(12);
    if is_optimized { LATE_MAX } else { 8 * LATE_MAX }
}

fn long_queries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of = |language, texts: &'static [&str]| texts.iter().map(move |text| (language, *text));
    of("cypher", CYPHER).chain(of("gremlin", GREMLIN)).chain(of("lua", LUA))
}

/// What a query had worked when it was to end.
type Ended = JoinHandle<Duration>;

/// Runs all, and reports those that end late or otherwise than they should.
fn check(wanted: ErrorKind, limited: impl Fn(&Path) -> (RequestLimits, Ended)) {
    let (database, late_max, statistics) = (database(), late_max(), statistics());
    let mut wrong = Vec::new();
    for query in long_queries() {
        let (limits, to_end) = limited(&statistics);
        let ended = run(&database, query, limits).map_err(|error| error.kind);
        // A script runs on a thread of its interpreter; `deadline` measures the work of that.
        let worked = worked(&statistics);
        let late = worked.saturating_sub(to_end.join().expect("it sleeps"));
        if ended != Err(wanted) || late_max < late {
            wrong.push(format!("{} {ended:?}, {late:?} late", query.1));
        }
    }
    assert!(wrong.is_empty(), "{} of {late_max:?}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_query_ends_within_a_quarter_second_of_its_deadline() {
    assert!(60 <= long_queries().count());
    check(ErrorKind::DeadlineExceeded, |statistics| {
        let limits = RequestLimits::within(DEADLINE_MS, &Settings::default());
        // From when on the deadline counts: whatever is worked later is late.
        let begun = worked(statistics);
        (limits, thread::spawn(move || begun + Duration::from_millis(DEADLINE_MS)))
    });
}

#[test]
fn a_query_ends_within_a_quarter_second_of_being_cancelled() {
    check(ErrorKind::Cancelled, |statistics| {
        let limits = RequestLimits::within(600_000, &Settings::default());
        let flag: CancelFlag = limits.cancel.clone();
        let statistics = statistics.to_owned();
        let to_end = thread::spawn(move || {
            thread::sleep(Duration::from_millis(DEADLINE_MS));
            // On a machine with much to do it wakes late.
            let worked = worked(&statistics);
            flag.cancel();
            worked
        });
        (limits, to_end)
    });
}
