//! `cargo xtask compare --lsqb`: the nine counting queries of LDBC's subgraph benchmark, on Kuzu and Millrace in turn.
//!
//! Both load the files of `millrace generate social`. A count that differs fails the command. Each query is asked once
//! before it is measured; Millrace is asked over HTTP, Kuzu in its process.

mod queries;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::process;

use super::http::Http;
use super::measure::Runs;
use super::options::Options;
use super::peers::{KuzuWorker, Setup, kuzu_worker};
use super::server::{Server, free_port};
use queries::{QUERIES, Query};

const GRAPH: &str = "social";

/// Kuzu may take twice as long for one query, but not for all together.
const RATIO_MAX: f64 = 2.0;

/// The files, and the counts and times.
pub(super) fn run(setup: &Setup<'_>, options: &Options) -> Result<(), String> {
    let folder = setup.folder.join(format!("social-{}", options.scale));
    let mut generate = Command::new(setup.program);
    generate.args(["generate", "social", "--scale", &options.scale.to_string(), "--out"]);
    let listed = process::output({
        generate.arg(&folder);
        generate
    })?;
    let files: Vec<PathBuf> = listed.lines().map(PathBuf::from).collect();
    // Without Kuzu Millrace's own times are shown.
    let kuzu = match kuzu_worker(setup) {
        Ok(worker) => Some(Kuzu::open(setup, worker, &folder)?),
        Err(reason) => {
            eprintln!("kuzu is left out: {reason}");
            None
        }
    };
    let mut millrace = Millrace::open(setup, &files)?;
    let mut kuzu = kuzu;
    println!("| query | count | Kuzu, ms | Millrace, ms | × |\n|---|---:|---:|---:|---:|");
    let (mut sums, mut slow) = ([0.0, 0.0], Vec::new());
    for query in &QUERIES {
        let row = Row::measure(query, &mut millrace, kuzu.as_mut(), options.runs)?;
        row.print();
        sums[0] += row.kuzu.unwrap_or(f64::NAN);
        sums[1] += row.millrace;
        slow.extend((RATIO_MAX < row.ratio()).then_some(query.name));
    }
    let [of_kuzu, own] = sums;
    println!("| all | | {of_kuzu:.1} | {own:.1} | {:.2} |", own / of_kuzu);
    if !slow.is_empty() || of_kuzu < own {
        eprintln!("slower than wanted: {}", slow.join(", "));
    }
    Ok(())
}

struct Row {
    name: &'static str,
    count: u64,
    kuzu: Option<f64>,
    millrace: f64,
}

impl Row {
    fn measure(
        query: &Query,
        millrace: &mut Millrace,
        mut kuzu: Option<&mut Kuzu>,
        runs: usize,
    ) -> Result<Row, String> {
        let (count, _) = millrace.count(query.cypher)?;
        if let Some(kuzu) = kuzu.as_mut() {
            let (right, _) = kuzu.count(query.kuzu)?;
            if right != count {
                let name = query.name;
                return Err(format!("{name}: Kuzu counts {right}, Millrace {count}"));
            }
        }
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            own.push(millrace.count(query.cypher)?.1);
            if let Some(kuzu) = kuzu.as_mut() {
                others.push(kuzu.count(query.kuzu)?.1);
            }
        }
        let kuzu = kuzu.map(|_| Runs(others).median());
        Ok(Row { name: query.name, count, kuzu, millrace: Runs(own).median() })
    }

    fn ratio(&self) -> f64 {
        self.kuzu.map_or(f64::NAN, |kuzu| self.millrace / kuzu)
    }

    fn print(&self) {
        let Row { name, count, kuzu, millrace } = self;
        let kuzu = kuzu.map_or_else(|| "–".to_owned(), |kuzu| format!("{kuzu:.1}"));
        println!("| {name} | {count} | {kuzu} | {millrace:.1} | {:.2} |", self.ratio());
    }
}

struct Kuzu {
    worker: KuzuWorker,
}

impl Kuzu {
    fn open(setup: &Setup<'_>, mut worker: KuzuWorker, files: &Path) -> Result<Kuzu, String> {
        let folder = setup.data("lsqb")?;
        let database = folder.join("social.kuzu");
        worker.ask(&json!({ "do": "load_social", "database": database, "files": files }))?;
        worker.ask(&json!({ "do": "start", "database": database }))?;
        Ok(Kuzu { worker })
    }

    fn count(&mut self, query: &str) -> Result<(u64, f64), String> {
        let answer = self.worker.ask(&json!({ "do": "time", "query": query }))?;
        let count = answer["count"].as_u64().zip(answer["ms"].as_f64());
        count.ok_or_else(|| format!("a count was expected, not {answer}"))
    }
}

struct Millrace {
    client: Http,
    _server: Server,
}

impl Millrace {
    fn open(setup: &Setup<'_>, files: &[PathBuf]) -> Result<Millrace, String> {
        let folder = setup.data("millrace-lsqb")?;
        let data = folder.join("data");
        let mut load = Command::new(setup.program);
        load.args(["load", "--graph", GRAPH, "--data"]).arg(&data).args(files);
        process::output(load)?;
        let port = free_port()?;
        let mut serve = Command::new(setup.program);
        serve.arg("serve").arg("--data").arg(&data);
        serve.args(["--listen", &format!("neo4j-http=127.0.0.1:{port}"), "--listen", "admin=off"]);
        let mut server = Server::start(serve, &folder.join("log"))?;
        let url = format!("http://127.0.0.1:{port}/db/{GRAPH}/tx/commit");
        let client = Http::new(url, "application/json");
        let mut millrace = {
            server.wait_until(|| ask(&client, "RETURN 1 AS count"))?;
            Millrace { client, _server: server }
        };
        millrace.count("MATCH (n) RETURN count(*) AS count")?;
        Ok(millrace)
    }

    fn count(&mut self, query: &str) -> Result<(u64, f64), String> {
        let began = Instant::now();
        let count = ask(&self.client, query)?;
        Ok((count, began.elapsed().as_secs_f64() * 1e3))
    }
}

fn ask(client: &Http, query: &str) -> Result<u64, String> {
    let answer = client.post(&json!({ "statements": [{ "statement": query }] }))?;
    let count = |answer: &Value| answer["results"][0]["data"][0]["row"][0].as_u64();
    count(&answer).ok_or_else(|| format!("{query}: a count was expected, not {answer}"))
}

/// Removes what a run leaves in the folder of a peer.
pub(super) fn clean(setup: &Setup<'_>) -> Result<(), String> {
    fs::remove_dir_all(setup.data_folder()).map_err(|error| format!("its data: {error}"))
}
