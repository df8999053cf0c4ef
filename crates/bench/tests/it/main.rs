//! The experiments at a tiny size. Each checks its own answers against arrays or replayed samples, so a
//! row that comes back was right; these tests check that every row comes back, with its shape.

mod films;
mod gremlin;
mod scaling_writes;

use std::path::{Path, PathBuf};

use millrace_bench::{
    Arguments, BYTES_WRITTEN, JOB_VARIABLE, PEAK_MEMORY, Program, Report, Row, Unit, measure,
    run_job,
};
use millrace_testkit::{require, shared};

/// The bench starts itself again as this test, which then is the process of its own.
#[test]
fn a_process_of_its_own_does_its_job_and_refuses_to_work_without() {
    let given = std::env::var_os(JOB_VARIABLE).is_some();
    assert_eq!(run_job().is_ok(), given);
}

fn this_program() -> Program {
    let test = "a_process_of_its_own_does_its_job_and_refuses_to_work_without";
    let arguments = ["--exact", test, "--nocapture", "--test-threads=1"];
    Program { path: None, arguments: arguments.map(str::to_owned).to_vec() }
}

fn arguments(experiment: &str, data: &Path) -> Arguments {
    Arguments {
        experiment: experiment.to_owned(),
        only: None,
        json: None,
        data: data.to_owned(),
        scale: Some(0.002),
        threads: None,
        seconds: Some(0.3),
        films: None,
        scripts: None,
        amqp: None,
        program: this_program(),
    }
}

fn tiny(experiment: &str, change: impl FnOnce(&mut Arguments)) -> Report {
    let data = tempfile::tempdir().expect("there is room for a folder");
    let mut arguments = arguments(experiment, data.path());
    change(&mut arguments);
    let report = measure(&arguments).unwrap_or_else(|error| panic!("{experiment}: {error}"));
    let left = std::fs::read_dir(data.path()).expect("it is there").flatten();
    let left: Vec<PathBuf> = left.map(|entry| entry.path()).collect();
    let scratch = |path: &PathBuf| path.extension().is_some_and(|end| end == "scratch");
    assert!(!left.iter().any(scratch), "folders of a run remain: {left:?}");
    report
}

fn names(report: &Report) -> Vec<&str> {
    report.rows.iter().map(|row| row.name.as_str()).collect()
}

fn row<'a>(report: &'a Report, name: &str) -> &'a Row {
    let row = report.rows.iter().find(|row| row.name == name);
    row.unwrap_or_else(|| panic!("no row {name} in {:?}", names(report)))
}

#[test]
fn every_row_of_commit_is_measured_and_its_answers_hold() {
    let report = tiny("commit", |_| ());
    let sized = |name: &str| format!("{name}@0.002");
    let expected = [
        ("commit.small", Unit::PerSecond, true),
        ("commit.hub", Unit::PerSecond, true),
        ("commit.latency", Unit::Milliseconds, true),
        ("commit.beside", Unit::Milliseconds, true),
        ("memory", Unit::BytesPerEdge, false),
        ("memory.weight", Unit::BytesPerEdge, false),
        ("memory.inserts", Unit::BytesPerEdge, false),
        ("memory.weight.inserts", Unit::BytesPerEdge, false),
        ("recover", Unit::Milliseconds, false),
        ("scan.dirty", Unit::Milliseconds, true),
    ];
    assert_eq!(names(&report), expected.map(|(name, ..)| sized(name)));
    for (name, unit, has_reference) in expected {
        let row = row(&report, &sized(name));
        assert!(0.0 < row.value && row.value.is_finite(), "{row:?}");
        assert_eq!((row.unit, row.reference.is_some()), (unit, has_reference), "{row:?}");
        assert!(row.figure(PEAK_MEMORY).is_some_and(|bytes| 0.0 < bytes), "{row:?}");
        assert!(row.figure(BYTES_WRITTEN).is_some(), "{row:?}");
        assert_eq!((row.threshold, row.reached()), (None, true), "no threshold is judged: {row:?}");
    }
    assert_eq!(report.durability, "sync");
    let recover = row(&report, "recover@0.002");
    let (acknowledged, recovered) =
        (recover.figure("commits_acknowledged"), recover.figure("commits_recovered"));
    assert!(Some(1_000.0) < acknowledged && acknowledged <= recovered, "{recover:?}");
}

#[test]
fn a_server_under_attack_is_measured_beside_a_quiet_one() {
    let report = tiny("serve", |arguments| arguments.scale = Some(0.01));
    let row = row(&report, "serve.hostile@0.01");
    assert!(row.fault.is_none() && row.reference.is_some() && 0.0 < row.value, "{row:?}");
    assert!(row.figure("attackers_sent").is_some_and(|bytes| 1e6 < bytes), "{row:?}");
    assert!(row.figure("requests_attacked").is_some_and(|count| 0.0 < count), "{row:?}");
    assert!(row.figure(PEAK_MEMORY).is_some_and(|bytes| 0.0 < bytes), "{row:?}");
}

#[test]
fn every_row_of_load_is_measured_and_one_that_lacks_its_file_is_left_out_by_name() {
    let report = tiny("load", |_| ());
    assert_eq!(names(&report), ["load.csv@0.002", "load.quads@0.002"]);
    assert!(report.notes[0].starts_with("load.films is left out: --films"), "{:?}", report.notes);
    let csv = row(&report, "load.csv@0.002");
    assert_eq!(csv.figure("relationships"), Some(20_000.0));
    assert!(csv.reference.is_some() && csv.figure(PEAK_MEMORY).is_some(), "{csv:?}");
    let missing = tiny("load", |arguments| arguments.films = Some("nowhere.nq".into()));
    let failed = row(&missing, "load.films@0.002");
    assert!(failed.fault.as_ref().is_some_and(|why| why.contains("nowhere.nq")), "{failed:?}");
    assert!(!failed.reached() && row(&missing, "load.csv@0.002").reached(), "the others go on");
    let film = "<film.1>\t<name>\t\"Seven Samurai\"@en\t.\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("films.nq");
    std::fs::write(&file, film).unwrap();
    let report = tiny("load", |arguments| {
        (arguments.only, arguments.films) = (Some("load.films".into()), Some(file));
    });
    assert_eq!(row(&report, "load.films@0.002").figure("rows"), Some(1.0));
}

#[test]
fn every_row_of_likes_is_measured_and_its_answers_hold() {
    let report = tiny("likes", |arguments| arguments.scale = Some(0.01));
    let expected = [
        "likes.recommend",
        "likes.recommend.gremlin",
        "likes.recommend.dirty",
        "likes.count",
        "likes.touch",
        "twohop.random",
        "twohop.random.dirty",
        "point",
    ];
    assert_eq!(names(&report), expected.map(|name| format!("{name}@0.01")));
    for row in &report.rows {
        assert!(row.reference.is_some() && 0.0 < row.value && row.fault.is_none(), "{row:?}");
    }
    assert!(report.notes[0].starts_with("likes.script.bulk is left out: --scripts DIR"));
    let alone = tiny("likes", |arguments| {
        (arguments.only, arguments.threads) = (Some("likes.count".into()), Some(1));
        arguments.scale = Some(0.01);
    });
    assert_eq!(names(&alone), ["likes.count@0.01@1thread"]);
}

#[test]
fn every_row_of_cypher_is_measured_and_its_answers_hold() {
    let report = tiny("cypher", |arguments| arguments.scale = Some(0.01));
    for name in [
        "cypher.recommend",
        "cypher.point",
        "cypher.node.bolt",
        "cypher.node.http",
        "cypher.node.http.10",
        "cypher.unwind",
        "cypher.edges",
        "cypher.merge.hub",
        "cypher.paths.limit",
        "cypher.paths.chain",
        "cypher.paths.exists",
        "cypher.shortest.where",
    ] {
        let row = row(&report, &format!("{name}@0.01"));
        assert!(row.reference.is_some() && 0.0 < row.value && row.fault.is_none(), "{row:?}");
    }
    let stream = row(&report, "cypher.stream@0.01");
    assert!(stream.figure("rows").is_some_and(|rate| 0.0 < rate), "{stream:?}");
    assert!(report.rows.iter().all(|row| row.fault.is_none()), "{:?}", report.rows);
}

#[test]
fn every_row_of_growth_is_measured_and_its_graphs_hold_what_was_acknowledged() {
    let report = tiny("growth", |arguments| arguments.scale = Some(0.01));
    let expected = [
        ("growth.labels", "new_at_10", "unseen_text_at_100"),
        ("growth.types", "read_at_10", "new_growth"),
        ("growth.keys", "write_at_10", "behind_at_100"),
        ("growth.names", "new_at_10", "unseen_pattern_at_100"),
        ("growth.indexes", "again_at_10", "making_at_100"),
        ("growth.constraints", "write_at_10", "listing_at_100"),
        ("growth.graphs", "write_at_10", "read_at_100"),
        ("growth.chain", "to_the_end_at_10", "shortest_at_1000"),
        ("growth.hub", "first_ten_at_10", "all_at_100000"),
        ("growth.spread", "disk_at_10", "memory_read_at_100"),
    ];
    assert_eq!(names(&report), expected.map(|(name, ..)| format!("{name}@0.01")));
    for (name, smallest, largest) in expected {
        let row = row(&report, &format!("{name}@0.01"));
        assert!(row.fault.is_none() && 0.0 < row.value && row.unit == Unit::Times, "{row:?}");
        for figure in [smallest, largest] {
            assert!(row.figure(figure).is_some_and(|cost| 0.0 < cost), "{figure}: {row:?}");
        }
    }
}

#[test]
fn every_row_of_scan_is_measured_and_its_answers_hold() {
    let report = tiny("scan", |arguments| arguments.scale = Some(0.01));
    for row in &report.rows {
        assert!(row.fault.is_none() && 0.0 <= row.value && row.value.is_finite(), "{row:?}");
        let has_reference = row.name != "scan.rows@0.01";
        assert_eq!(row.reference.is_some(), has_reference, "{row:?}");
        if row.name.contains(".dirty") {
            assert_eq!(row.figure("changed_nodes"), Some(1_000.0), "{row:?}");
        }
    }
    assert_eq!(report.rows.len(), 32, "{:?}", names(&report));
    assert_eq!(row(&report, "scan.rows@0.01").figure("rows"), Some(1_000.0));
}

#[test]
fn every_row_of_rest_is_measured_and_the_graph_holds_what_was_acknowledged() {
    let report = tiny("rest", |arguments| arguments.scale = Some(0.01));
    for name in ["rest.node", "rest.node.10", "rest.batch", "rest.batch.references"] {
        let row = row(&report, &format!("{name}@0.01"));
        assert!(row.reference.is_some() && 0.0 < row.value && row.fault.is_none(), "{row:?}");
    }
}

#[test]
fn the_articles_scripts_are_measured_and_their_counts_are_checked() {
    let scripts = shared().map(|shared| shared.join("suites/lua")).filter(|path| path.is_dir());
    if !require("the article's scripts (../shared/suites/lua)", scripts.is_some()) {
        return;
    }
    for name in ["likes.script.bulk", "likes.script.single", "likes.script.load"] {
        let report = tiny("likes", |arguments| {
            (arguments.only, arguments.scripts) = (Some(name.into()), scripts.clone());
            arguments.scale = Some(0.01);
        });
        assert!(report.rows.iter().all(|row| row.fault.is_none() && 0.0 < row.value));
    }
}

#[test]
fn misspelt_names_are_refused_with_the_known_ones() {
    let data = tempfile::tempdir().unwrap();
    let error = measure(&arguments("comit", data.path())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no experiment comit (there are: likes, commit, cypher, dql, growth, indexes, rest, load, queue, scan, serve)"
    );
    let mut arguments = arguments("likes", data.path());
    arguments.only = Some("load.csv".to_owned());
    let error = measure(&arguments).unwrap_err();
    assert!(error.to_string().starts_with("likes has no row load.csv"), "{error}");
    (arguments.only, arguments.scale) = (None, Some(20.0));
    assert!(measure(&arguments).unwrap_err().detail.contains("--scale"));
    (arguments.scale, arguments.seconds) = (None, Some(0.0));
    assert!(measure(&arguments).unwrap_err().detail.contains("--seconds"));
}
