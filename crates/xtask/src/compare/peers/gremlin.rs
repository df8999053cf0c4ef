//! A client of any Gremlin server: questions and loads over HTTP, writes by `millrace bench gremlin` over WebSocket.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::process;

use super::super::clients::CLIENTS;
use super::super::http::Http;
use super::super::likes::{Counted, Edge, Likes, Tables};
use super::super::written::Written;

/// GraphSON 3 without types, which every server of 3.6 and later writes.
const ACCEPT: &str = "application/vnd.gremlin-v3.0+json;types=false";

/// The items of people that share an item with this person, without the person's own, by the number of paths.
const RECOMMEND: &str = "g.V().has('Person', 'username', person).out('LIKES').aggregate('own')\
    .in('LIKES').out('LIKES').where(without('own')).groupCount()\
    .order(local).by(values, desc).limit(local, 10)\
    .unfold().project('item', 'count').by(select(keys).values('name')).by(select(values))";

/// Rows that a request of a load carries.
const LOAD_ROWS: usize = 1_000;

const ADD_PEOPLE: &str = "rows.collect { g.addV('Person').property('username', it).next().id() }";
const ADD_ITEMS: &str = "rows.collect { g.addV('Item').property('name', it).next().id() }";
const ADD_LIKES: &str = "rows.each { g.V(it[0]).addE('LIKES').to(__.V(it[1])).property('weight', it[2]).iterate() }; rows.size()";

/// A client of one server.
pub(super) struct Gremlin {
    http: Http,
    socket: String,
    program: PathBuf,
    /// For the reports of the bench.
    folder: PathBuf,
    /// Copies of the graph that were loaded.
    copies: usize,
}

impl Gremlin {
    pub(super) fn new(program: &Path, folder: &Path, port: u16) -> Gremlin {
        Gremlin {
            http: Http::new(format!("http://127.0.0.1:{port}/gremlin"), ACCEPT),
            socket: format!("ws://127.0.0.1:{port}/gremlin"),
            program: program.to_owned(),
            folder: folder.to_owned(),
            copies: 0,
        }
    }

    /// The results of a script.
    pub(super) fn ask(
        &self,
        source: &str,
        script: &str,
        bindings: &Value,
    ) -> Result<Value, String> {
        ask(&self.http, source, script, bindings)
    }

    /// The one number that a script results in.
    pub(super) fn number(&self, source: &str, script: &str) -> Result<u64, String> {
        let answer = self.ask(source, script, &json!({}))?;
        answer[0].as_u64().ok_or_else(|| format!("{script}: a number was expected, not {answer}"))
    }

    /// The recommendation, in the graph that the server calls `source`.
    pub(super) fn recommend(&self, source: &str, person: &str) -> Result<Vec<Counted>, String> {
        let answer = self.ask(source, RECOMMEND, &json!({ "person": person }))?;
        let rows = answer.as_array().ok_or_else(|| format!("no rows: {answer}"))?;
        let counted =
            |row: &Value| Some((row["item"].as_str()?.to_owned(), row["count"].as_u64()?));
        let counted: Option<Vec<Counted>> = rows.iter().map(counted).collect();
        counted.ok_or_else(|| format!("items and counts were expected, not {answer}"))
    }

    /// Vertices that `write` added.
    pub(super) fn count(&self) -> Result<u64, String> {
        self.number("g", "g.V().hasLabel('person').count()")
    }

    /// Adds vertices with variables in GraphBinary; nothing is sent back but that it is done.
    pub(super) fn write(&self, vertices: u64, seconds: f64) -> Result<Written, String> {
        let report = self.folder.join("bench.json");
        let mut bench = std::process::Command::new(&self.program);
        bench.args(["bench", "gremlin", "--in-flight", "1", "--warm-up", "0", "--end", "iterate"]);
        bench.args(["--url", &self.socket, "--connections", &CLIENTS.to_string()]);
        bench.args(["--batch", &vertices.to_string(), "--seconds", &seconds.to_string()]);
        bench.arg("--json").arg(&report);
        process::output(bench)?;
        let text = fs::read_to_string(&report)
            .map_err(|error| format!("{}: {error}", report.display()))?;
        let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        written(&report, vertices)
    }

    /// Loads a copy by requests of many rows, from several clients at once: these servers read no CSV.
    pub(super) fn load(&mut self, likes: &Likes, clients: usize) -> Result<f64, String> {
        self.copies += 1;
        let mark = if self.copies == 1 { String::new() } else { format!("-{}", self.copies) };
        let began = Instant::now();
        let fresh = Tables::read(&likes.files)?;
        let people = self.add(ADD_PEOPLE, &fresh.people, &mark, clients)?;
        let items = self.add(ADD_ITEMS, &fresh.items, &mark, clients)?;
        let edge = |Edge { person, item, weight }: &Edge| {
            let [person, item] = [people.get(person)?, items.get(item)?];
            Some(json!([person, item, weight]))
        };
        let rows: Option<Vec<Value>> = fresh.edges.iter().map(edge).collect();
        let rows = rows.ok_or("a like names a person or an item that is not in the tables")?;
        self.in_chunks(ADD_LIKES, &rows, clients)?;
        let seconds = began.elapsed().as_secs_f64();
        self.check(likes)?;
        Ok(seconds)
    }

    /// Adds a vertex for each name, and gives the ids by name.
    fn add(
        &self,
        script: &str,
        names: &[String],
        mark: &str,
        clients: usize,
    ) -> Result<HashMap<String, Value>, String> {
        let rows: Vec<Value> = names.iter().map(|name| format!("{name}{mark}").into()).collect();
        let ids = self.in_chunks(script, &rows, clients)?;
        if ids.len() != names.len() {
            return Err(format!(
                "{} vertices were asked for, {} were made",
                names.len(),
                ids.len()
            ));
        }
        Ok(names.iter().cloned().zip(ids).collect())
    }

    /// The results of all chunks, in their order.
    fn in_chunks(
        &self,
        script: &str,
        rows: &[Value],
        clients: usize,
    ) -> Result<Vec<Value>, String> {
        let chunks: Vec<&[Value]> = rows.chunks(LOAD_ROWS).collect();
        let next = AtomicUsize::new(0);
        let client = || {
            let http = self.http.again();
            let mut done = Vec::new();
            while let Some((at, chunk)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                chunks.get(at).map(|chunk| (at, *chunk))
            } {
                done.push((at, ask(&http, "g", script, &json!({ "rows": chunk }))?));
            }
            Ok::<_, String>(done)
        };
        let mut all = Vec::new();
        thread::scope(|scope| {
            let running: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
            for thread in running {
                let done = thread.join().map_err(|_| "a client panicked".to_owned())?;
                all.extend(done?);
            }
            Ok::<(), String>(())
        })?;
        all.sort_by_key(|(at, _)| *at);
        Ok(all
            .into_iter()
            .flat_map(|(_, answer)| answer.as_array().cloned().unwrap_or_default())
            .collect())
    }

    fn check(&self, likes: &Likes) -> Result<(), String> {
        let Tables { people, items, edges } = &likes.tables;
        let expected = [people.len(), items.len(), edges.len()];
        let scripts = [
            "g.V().hasLabel('Person').count()",
            "g.V().hasLabel('Item').count()",
            "g.E().hasLabel('LIKES').count()",
        ];
        for (script, expected) in scripts.iter().zip(expected) {
            let (found, expected) = (self.number("g", script)?, (expected * self.copies) as u64);
            if found != expected {
                return Err(format!(
                    "{script} is {found} after the load, and should be {expected}"
                ));
            }
        }
        Ok(())
    }
}

fn ask(http: &Http, source: &str, script: &str, bindings: &Value) -> Result<Value, String> {
    let mut body = json!({ "gremlin": script, "bindings": bindings });
    if source != "g" {
        body["aliases"] = json!({ "g": source });
    }
    let answer = http.post(&body).map_err(|error| format!("{script}: {error}"))?;
    Ok(answer["result"]["data"].clone())
}

/// The outcome in a report of `millrace bench gremlin`.
fn written(report: &Value, vertices: u64) -> Result<Written, String> {
    let summary = &report["summary"];
    let number = |name: &str| {
        summary[name]
            .as_f64()
            .ok_or_else(|| format!("a report of the bench without {name}: {summary}"))
    };
    let errors = report["errors"].as_object().into_iter().flatten();
    let first =
        errors.map(|(code, error)| format!("{code} {}", error["first"].as_str().unwrap_or("")));
    Ok(Written {
        requests_per_second: number("answered_per_second")?,
        acknowledged: number("answered")? as u64 * vertices,
        failed: number("errors")? as u64 * vertices,
        first_failure: first.into_iter().next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_the_bench_is_read_with_its_errors() {
        let report = json!({
            "summary": { "answered": 40, "errors": 2, "answered_per_second": 80.5 },
            "errors": { "500": { "count": 2, "first": "locked" } },
        });
        let expected = Written {
            requests_per_second: 80.5,
            acknowledged: 400,
            failed: 20,
            first_failure: Some("500 locked".to_owned()),
        };
        assert_eq!(written(&report, 10), Ok(expected));
        assert!(written(&json!({}), 10).unwrap_err().contains("answered_per_second"));
    }
}
