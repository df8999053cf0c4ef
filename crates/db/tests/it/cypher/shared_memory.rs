//! Memory that values share is charged once, and the bound is asked before a value grows beyond it.

use std::time::{Duration, Instant};

use millrace_db::languages::Entry;
use millrace_db::session::Started;
use millrace_db::{Query, RequestLimits, Settings};
use millrace_model::{ErrorKind, Result, Value};

use super::{Graph, Rows};

/// A list of a million integers takes 24 MB.
const BYTES_MAX: u64 = 128 << 20;

fn run(graph: &Graph, text: &str) -> Result<Vec<Vec<Value>>> {
    let query = Query {
        language: Entry::of_name("cypher")?,
        graph: "g1".to_owned(),
        text: text.into(),
        parameters: Vec::new(),
        is_read_only: false,
        is_profiled: false,
        limits: RequestLimits {
            bytes_max: BYTES_MAX,
            ..RequestLimits::within(60_000, &Settings::default())
        },
    };
    let mut rows = Rows::default();
    match graph.0.query(&query, &mut rows)? {
        Started::Done(_) => {}
        Started::Streaming(mut stream) => while stream.next(&graph.0, &mut rows)? {},
    }
    Ok(rows.rows)
}

#[test]
fn a_list_that_many_hold_is_charged_once() {
    let graph = Graph::new();
    for (text, count) in [
        ("WITH range(1, 1000000) AS a RETURN size([x IN a | a])", 1_000_000),
        ("WITH range(1, 1000000) AS a UNWIND range(1, 1000) AS i RETURN size(collect(a))", 1_000),
        (
            "WITH range(1, 1000000) AS a UNWIND range(1, 20000) AS i WITH a, i ORDER BY -i RETURN count(a)",
            20_000,
        ),
        (
            "WITH range(1, 1000000) AS a UNWIND range(1, 20000) AS i WITH a, i, rand() AS r ORDER BY r RETURN count(a)",
            20_000,
        ),
        // Counted part by part it would be 2^60.
        ("RETURN size(reduce(a = [1], i IN range(1, 60) | [a, a]))", 2),
        (
            "WITH reduce(a = [1], i IN range(1, 60) | [a, a]) AS a UNWIND [1, 2] AS i RETURN size(collect(a))",
            2,
        ),
        (
            "WITH reduce(s = 'x', i IN range(1, 24) | s + s) AS s UNWIND range(1, 1000) AS i RETURN size(collect(s))",
            1_000,
        ),
        (
            "WITH reduce(s = 'x', i IN range(1, 24) | s + s) AS s UNWIND range(1, 1000) AS i WITH s, i ORDER BY -i RETURN count(s)",
            1_000,
        ),
    ] {
        let begun = Instant::now();
        let rows = run(&graph, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(rows, [[Value::I64(count)]], "{text}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{text}: {took:?}");
    }
}

#[test]
fn the_bound_is_asked_before_a_value_grows() {
    let graph = Graph::new();
    for text in [
        "UNWIND range(1, 1000) AS i RETURN size(collect(range(i, 1000000)))",
        "UNWIND range(1, 1000) AS i WITH range(i, 1000000) AS a, i ORDER BY -i RETURN count(a)",
        "RETURN size([i IN range(1, 1000) | range(i, 1000000)])",
        "RETURN reduce(s = 'x', i IN range(1, 1000) | s + s)",
        "RETURN reduce(a = [1], i IN range(1, 1000) | a + a)",
        "RETURN [i IN range(1, 1000) | reduce(s = 'x' + i, k IN range(1, 22) | s + s)]",
        "UNWIND range(1, 100000) AS i WITH collect(i) AS a UNWIND a AS x UNWIND a AS y RETURN collect([x, y])",
        "UNWIND range(1, 1000) AS i RETURN replace(reduce(s = 'x' + i, k IN range(1, 20) | s + s), 'x', 'yyyyyyyy')",
    ] {
        let begun = Instant::now();
        let error = run(&graph, text).map(|_| ()).expect_err(text);
        assert_eq!(error.kind, ErrorKind::LimitReached, "{text}: {error}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{text}: {took:?}");
    }
}
