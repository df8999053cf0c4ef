//! The experiment `films` at a tiny size: its answers are checked by itself, and figures are not looked at but for being
//! there.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches, Parser};
use millrace_bench::films::{Arguments, run};
use millrace_db::dql::DqlSchema;
use millrace_db::ingest::generate::{PredicateNames, PublishedFilms};
use millrace_db::ingest::load::LoadOptions;
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::{Database, RequestLimits, Settings};
use millrace_model::Error;
use millrace_server::Server;
use serde_json::Value;

use super::this_program;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// A short experiment with these arguments; returns its report.
fn experiment(folder: &Path, line: &str) -> Result<Value, Error> {
    let (json, html) = (folder.join("report.json"), folder.join("report.html"));
    let line = format!(
        "films --seconds 0.1 --runs 2 --warm-up 0 --connections 2 --data {} --json {} --html {} {line}",
        folder.join("data").display(),
        json.display(),
        html.display(),
    );
    // What a test asks for wins.
    let command = Line::command().args_override_self(true);
    let matches = command.try_get_matches_from(line.split_whitespace()).unwrap();
    let mut arguments = Line::from_arg_matches(&matches).unwrap().arguments;
    arguments.program = this_program();
    run(&arguments)?;
    assert!(fs::read_to_string(html).unwrap().contains("answers/s"));
    Ok(serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap())
}

/// The rows as query, way, connections, processors and endpoints. Each was answered in each run.
fn rows(report: &Value) -> Vec<String> {
    let row = |row: &Value| {
        for run in row["runs"].as_array().unwrap() {
            for figure in ["answers_per_second", "mean_ms", "p50_ms", "p99_ms", "answer_bytes"] {
                assert!(run[figure].as_f64().is_some_and(|value| 0.0 < value), "{figure}: {row:#}");
            }
        }
        let word = |name: &str| row[name].as_str().unwrap_or("-").to_owned();
        let [connections, cores, endpoints] =
            ["connections", "cores", "endpoints"].map(|name| row[name].to_string());
        format!("{} {} {connections} {cores} {endpoints}", word("query"), word("by"))
    };
    report["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn its_own_servers_are_asked_in_every_way_and_conditions_vary_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--scale 0.001 --cores 1 --connections 2,5 --endpoints 1,2 --client-threads 2";
    let report = experiment(folder.path(), line).unwrap();
    let expected = [
        "/health - 2 1 1",
        "actor uid 2 1 1",
        "actor eq 2 1 1",
        "actor _xid_ 2 1 1",
        "director uid 2 1 1",
        "director eq 2 1 1",
        "director _xid_ 2 1 1",
        "/health - 5 1 1",
        "actor uid 5 1 1",
        "director uid 5 1 1",
        "/health - 2 1 2",
        "actor uid 2 1 2",
        "director uid 2 1 2",
    ];
    assert_eq!(rows(&report), expected);
    let left = fs::read_dir(folder.path().join("data")).unwrap().flatten();
    let left: Vec<String> = left.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.ends_with(".scratch")), "{left:?}");
}

#[test]
fn grpc_is_asked_beside_its_own_empty_call() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--scale 0.0005 --cores 1 --endpoints 1 --protocol grpc --predicates short \
                --by eq --queries director";
    let report = experiment(folder.path(), line).unwrap();
    assert_eq!(rows(&report), ["CheckVersion - 2 1 1", "director eq 2 1 1"]);
    assert_eq!(report["rows"][1]["protocol"], "grpc");
}

/// A server in this process, with films.
struct Served {
    http: String,
    grpc: String,
    server: Option<Server>,
}

impl Served {
    fn start(films: &Path) -> Served {
        let mut settings = Settings::default();
        for protocol in ["lua", "gremlin", "bolt", "neo4j-http", "admin"] {
            settings.listen.set(protocol, "off");
        }
        settings.listen.set("dql", "127.0.0.1:0");
        settings.listen.set("dql-grpc", "127.0.0.1:0");
        let database = Database::in_memory(settings).unwrap();
        let schema = fs::read_to_string(films.join("films.schema")).unwrap();
        let schema = DqlSchema::parse(&schema).unwrap();
        let reading = Reading { declared: Some(schema.declared()), ..Reading::default() };
        let input = input_of_files(&[&films.join("films.rdf.gz")], &reading).unwrap();
        let graph = database.ensure_graph(&database.settings().dql.graph).unwrap();
        let goes_on = &mut |_: &_| ControlFlow::Continue(());
        let loaded = graph.load(input, LoadOptions::default(), goes_on).unwrap();
        let limits = RequestLimits::within(u64::MAX, database.settings());
        graph.define_dql(&schema, &loaded.undeclared, &limits).unwrap();
        let server = Server::start(Arc::new(database)).unwrap();
        let address = |protocol| server.address(protocol).unwrap();
        let (http, grpc) = (address("dql"), address("dql-grpc"));
        Served {
            http: format!("http://{http}"),
            grpc: format!("grpc://{grpc}"),
            server: Some(server),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.take().into_iter().for_each(Server::stop);
    }
}

const FILMS: PublishedFilms = PublishedFilms {
    scale: 0.0005,
    seed: 1,
    names: PredicateNames::Freebase,
    uids: true,
    xids: true,
};

#[test]
fn several_databases_are_asked_by_one_client() {
    let folder = tempfile::tempdir().unwrap();
    let films = folder.path().join("films");
    fs::create_dir(&films).unwrap();
    FILMS.write_files(&films).unwrap();
    let served = Served::start(&films);
    let Served { http, grpc, .. } = &served;
    let line = format!("--url {http},{http} --url {grpc} --ids {}", films.display());
    let report = experiment(folder.path(), &line).unwrap();
    let expected = [
        "/health - 2 null 1",
        "actor uid 2 null 1",
        "actor eq 2 null 1",
        "director uid 2 null 1",
        "director eq 2 null 1",
        "CheckVersion - 2 null 1",
        "actor uid 2 null 1",
        "actor eq 2 null 1",
        "director uid 2 null 1",
        "director eq 2 null 1",
        "/health - 2 null 2",
        "actor uid 2 null 2",
        "director uid 2 null 2",
    ];
    assert_eq!(rows(&report), expected);
    let target = |row: usize| report["rows"][row]["target"].as_str().unwrap();
    assert_eq!((target(0), target(5)), (format!("{http},{http}").as_str(), grpc.as_str()));
}

#[test]
fn an_answer_that_the_films_do_not_give_is_refused_with_its_id_and_both() {
    let folder = tempfile::tempdir().unwrap();
    let [films, others] = [1, 2].map(|seed| {
        let films = folder.path().join(format!("films-{seed}"));
        fs::create_dir(&films).unwrap();
        PublishedFilms { seed, ..FILMS }.write_files(&films).unwrap();
        films
    });
    let served = Served::start(&films);
    let line = |ids: &Path, url: &str| format!("--url {url} --ids {} --by uid", ids.display());
    for url in [&served.http, &served.grpc] {
        let refused = experiment(folder.path(), &line(&others, url)).unwrap_err().to_string();
        for part in [url.as_str(), "actor 0x", "by uid: the answer is Fact", "should be Fact"] {
            assert!(refused.contains(part), "{part}: {refused}");
        }
    }
    let url = served.http.clone();
    drop(served);
    let gone = experiment(folder.path(), &line(&films, &url)).unwrap_err().to_string();
    assert!(gone.contains(&url), "{gone}");
}
