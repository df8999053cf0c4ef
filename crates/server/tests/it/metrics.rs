//! `/metrics`, read by the rules of Prometheus's text format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_server::db::Database;

use crate::client::{settings, start_over, start_with_ann};

/// A family: its help and kind, the names of its labels, and its samples by name and labels.
#[derive(Debug, Default)]
struct Family {
    help: String,
    kind: String,
    labels: BTreeSet<String>,
    samples: BTreeMap<String, f64>,
}

fn is_name(text: &str) -> bool {
    let is_first = |sign: char| sign.is_ascii_alphabetic() || sign == '_' || sign == ':';
    text.starts_with(is_first) && text.chars().all(|sign| is_first(sign) || sign.is_ascii_digit())
}

/// The name, the labels in order, and the number of a sample.
fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let (series, number) = line.rsplit_once(' ').expect("a sample has a number");
    let number = number.replace("+Inf", "inf").parse().unwrap_or_else(|_| panic!("{line}"));
    let Some((name, labels)) = series.split_once('{') else {
        return (series.to_owned(), BTreeMap::new(), number);
    };
    let labels = labels.strip_suffix('}').unwrap_or_else(|| panic!("{line}"));
    let labels = labels.split(',').map(|label| {
        let (key, value) = label.split_once('=').unwrap_or_else(|| panic!("{line}"));
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        assert!(is_name(key) && !key.contains(':'), "{line}");
        (key.to_owned(), value.unwrap_or_else(|| panic!("{line}")).to_owned())
    });
    (name.to_owned(), labels.collect(), number)
}

/// All families, each of which stands once, with its help and its kind before its samples.
fn families(page: &str) -> BTreeMap<String, Family> {
    assert!(page.ends_with('\n'), "the last line ends, too");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut helped = BTreeSet::new();
    let (mut current, mut current_help) = (String::new(), String::new());
    for line in page.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, help) = help.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            assert!(is_name(name) && !help.trim().is_empty(), "{line}");
            assert!(helped.insert(name.to_owned()), "twice: {line}");
            name.clone_into(&mut current);
            help.clone_into(&mut current_help);
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            assert_eq!(name, current, "the kind stands behind the help");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            let (help, kind) = (current_help.clone(), kind.to_owned());
            let family = Family { help, kind, ..Family::default() };
            assert!(families.insert(name.to_owned(), family).is_none(), "twice: {line}");
        } else {
            let (name, labels, number) = sample(line);
            let family = families.get_mut(&current).unwrap_or_else(|| panic!("no kind: {line}"));
            let suffix = name.strip_prefix(&current).unwrap_or_else(|| panic!("a stray: {line}"));
            let suffixes: &[&str] =
                if family.kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
            assert!(suffixes.contains(&suffix), "{line}");
            let series = format!("{suffix}{labels:?}");
            family.labels.extend(labels.into_keys().filter(|label| label != "le"));
            assert!(family.samples.insert(series, number).is_none(), "twice: {line}");
        }
    }
    families
}

/// Symptom: HELP and TYPE of three families stood three times, which the format does not allow. Shape: one
/// family with samples from several places. Bound: none.
#[test]
fn each_family_stands_once_and_counters_are_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings();
    let server = start_over(Database::open(folder.path(), settings).unwrap());
    assert_eq!(server.post("/dbs/one", "").status, 200);
    server.run("NodeTypeInsert('P')\n1");
    let gremlin = format!("http://{}", server.gremlin);
    server.send_to(&gremlin, "GET", "/gremlin?gremlin=g.V().count()", &[], b"");
    server.send_to(&gremlin, "GET", "/gremlin?gremlin=g.wrong(", &[], b"");
    let families = families(&server.get("/metrics").body);
    for (name, family) in &families {
        assert!(!family.samples.is_empty(), "{name} has no sample");
        assert_eq!(name.ends_with("_total"), family.kind == "counter", "{name}: {}", family.kind);
        let numbers = family.samples.values();
        let is_sound = |number: &f64| number.is_finite() && 0.0 <= *number;
        assert!(family.kind == "gauge" || numbers.clone().all(is_sound), "{name}: {family:?}");
    }
    compare_with_page(&families);
    // What an operator needs: queries' memory, connections, logins, damage, and what was there before.
    for name in [
        "millrace_query_seconds",
        "millrace_memory_queries_bytes",
        "millrace_memory_used_bytes",
        "millrace_memory_answers_bytes",
        "millrace_connections_open",
        "millrace_logins_failed_total",
        "millrace_segment_damage_total",
        "millrace_statement_cache_entries",
        "millrace_statement_cache_hits_total",
        "millrace_statement_cache_misses_total",
    ] {
        assert!(families.contains_key(name), "{name}");
    }
}

/// The reference page lists each family.
fn compare_with_page(families: &BTreeMap<String, Family>) {
    let mut wanted = String::from(
        "# Metrics\n\nWhat `GET /metrics` shows, in the text format of Prometheus. Generated from a server's \
         answer; do not edit.\n\n| name | kind | labels | what it says |\n|---|---|---|---|\n",
    );
    for (name, Family { help, kind, labels, .. }) in families {
        let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
        wanted.push_str(&format!("| `{name}` | {kind} | {} | {help} |\n", labels.join(", ")));
    }
    let path = millrace_testkit::workspace().join("docs/reference/metrics.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &wanted).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "docs/reference/metrics.md: MILLRACE_REWRITE_GOLDENS=1 mends it");
}

#[test]
fn a_histogram_counts_up_to_all() {
    let server = start_with_ann(|_| {});
    let known = [("authorization", "Basic YW5uOnNlY3JldA==")];
    for _ in 0..3 {
        assert_eq!(server.send("GET", "/dbs", &known, b"").status, 200);
    }
    let page = server.send("GET", "/metrics", &known, b"").body;
    families(&page);
    let buckets: Vec<f64> = page
        .lines()
        .filter(|line| line.starts_with("millrace_http_request_seconds_bucket{route=\"graphs\""))
        .map(|line| sample(line).2)
        .collect();
    assert!(buckets.is_sorted() && buckets.last() == Some(&3.0), "{buckets:?}");
    let count = page
        .lines()
        .find(|line| line.starts_with("millrace_http_request_seconds_count{route=\"graphs\""));
    assert_eq!(count.map(|line| sample(line).2), Some(3.0));
}

#[test]
fn queries_are_timed_by_language_kind_and_outcome() {
    let server = crate::client::start();
    server.run("NodeTypeInsert('P')\n1");
    assert_ne!(server.post("/db/one/lua", "error('no')").status, 200);
    let gremlin = format!("http://{}", server.gremlin);
    server.send_to(&gremlin, "POST", "/gremlin", &[], br#"{"gremlin": "g.addV('P')"}"#);
    for _ in 0..2 {
        server.send_to(&gremlin, "GET", "/gremlin?gremlin=g.wrong(", &[], b"");
    }
    let page = server.get("/metrics").body;
    for (labels, wanted) in [
        ("language=\"lua\",kind=\"lua\",outcome=\"answered\"", 1.0),
        ("language=\"lua\",kind=\"lua\",outcome=\"refused\"", 1.0),
        ("language=\"gremlin\",kind=\"gremlin-http\",outcome=\"answered\"", 1.0),
        ("language=\"gremlin\",kind=\"gremlin-http\",outcome=\"refused\"", 2.0),
    ] {
        let series = format!("millrace_query_seconds_count{{{labels}}} ");
        let count = page.lines().find(|line| line.starts_with(&series));
        assert_eq!(count.map(|line| sample(line).2), Some(wanted), "{series}\n{page}");
    }
    let answered = page.lines().filter(|line| line.starts_with("millrace_query_seconds_count"));
    assert_eq!(answered.count(), 4, "nothing but queries: {page}");
}

/// A query that holds memory is seen while it runs.
#[test]
fn the_memory_of_queries_is_shown_while_they_hold_it() {
    let server = Arc::new(crate::client::start());
    let gauge = |server: &crate::client::Running| {
        let page = server.get("/metrics").body;
        let line = page.lines().find(|line| line.starts_with("millrace_memory_queries_bytes "));
        sample(line.expect("it is there")).2
    };
    assert!(gauge(&server) < 1e6);
    let own = Arc::clone(&server);
    let running = std::thread::spawn(move || {
        own.post(
            "/db/one/lua",
            "local t = {} for i = 1, 300000 do t[i] = i end\n\
             local s = os.clock() while os.clock() - s < 2 do NodeTypesGetCount() end\n#t",
        )
    });
    let began = std::time::Instant::now();
    while gauge(&server) < 2e6 {
        assert!(!running.is_finished() && began.elapsed().as_secs() < 60, "it is never seen");
    }
    assert_eq!(running.join().unwrap().body, "300000");
    while 1e6 <= gauge(&server) {
        assert!(began.elapsed().as_secs() < 120, "it is never given back");
    }
}
