//! Random batches have the answers and leave the graph that their jobs have and leave as requests of their own.

use millrace_testkit::{Rng, run_seeds};
use serde_json::{Value, json};

use super::named::Talk;
use super::{ask, post, start, statements};

const BATCHES: u64 = 6;
const JOBS_MAX: u64 = 24;

/// What a job is about: an element by its name, or the one of a job of the batch.
#[derive(Clone)]
enum Of {
    Named(String),
    Job(usize),
}

/// A job whose elements have names.
struct Job {
    method: &'static str,
    of: Option<Of>,
    path: String,
    body: Value,
    /// The other node of a relationship.
    to: Option<Of>,
}

#[test]
fn random_batches_do_what_their_jobs_do_singly() {
    run_seeds(12, |_, random| {
        let (mut bulk, mut single) = (Talk::with(start()), Talk::with(start()));
        for _ in 0..BATCHES {
            let mut jobs = some_jobs(random, &single);
            let answers = singly(&mut single, &jobs);
            let reply = ask(&bulk.server, "POST", "/batch", &as_batch(&jobs, &bulk));
            if answers.len() < jobs.len() {
                // Singly the jobs before the one that failed are done.
                assert_eq!(reply.status, 500, "{reply:?}");
                assert_eq!(reply.json()["id"], answers.len() as u64, "{reply:?}");
                jobs.truncate(answers.len());
                let again = ask(&bulk.server, "POST", "/batch", &as_batch(&jobs, &bulk));
                assert_eq!(again.status, 200, "{again:?}");
                compare(&mut bulk, &again.json(), &answers);
            } else {
                assert_eq!(reply.status, 200, "{reply:?}");
                compare(&mut bulk, &reply.json(), &answers);
            }
            assert_eq!(graph(&mut bulk), graph(&mut single));
        }
    });
}

fn compare(bulk: &mut Talk, found: &Value, answers: &[(u16, Value)]) {
    let found = found.as_array().expect("a list");
    assert_eq!(found.len(), answers.len());
    for (answer, (status, body)) in found.iter().zip(answers) {
        let shown = sorted(bulk.shown(&answer["body"], false));
        assert_eq!((&answer["status"], &shown), (&json!(status), body), "{answer}");
    }
}

/// Runs jobs one after another up to the first that fails.
fn singly(single: &mut Talk, jobs: &[Job]) -> Vec<(u16, Value)> {
    let mut answers = Vec::new();
    let mut made: Vec<String> = Vec::new();
    for job in jobs {
        let own = job.of.as_ref().map(|of| single_path(single, &made, of)).unwrap_or_default();
        let path = format!("{own}{}", job.path);
        let mut body = job.body.clone();
        if let Some(to) = &job.to {
            body["to"] = json!(single_path(single, &made, to));
        }
        let reply = ask(&single.server, job.method, &path, &body);
        if 400 <= reply.status {
            break;
        }
        let location = reply.location.as_deref().map(|own| single.named(own));
        made.push(match location {
            Some(location) => {
                let name = location.rsplit('/').next().expect("a segment");
                format!("/{}", path_of(single, name))
            }
            None => own,
        });
        let body = if reply.body.is_empty() { Value::Null } else { reply.json() };
        answers.push((reply.status, sorted(single.shown(&body, false))));
    }
    answers
}

fn single_path(single: &Talk, made: &[String], of: &Of) -> String {
    match of {
        Of::Named(name) => format!("/{}", path_of(single, name)),
        Of::Job(index) => made[*index].clone(),
    }
}

fn as_batch(jobs: &[Job], talk: &Talk) -> Value {
    let address = |of: &Of| match of {
        Of::Named(name) => path_of(talk, name),
        Of::Job(index) => format!("{{{index}}}"),
    };
    let job = |(index, job): (usize, &Job)| {
        let mut body = job.body.clone();
        if let Some(to) = &job.to {
            body["to"] = json!(address(to));
        }
        let to = job.of.as_ref().map(&address).unwrap_or_default() + &job.path;
        json!({"id": index, "method": job.method, "to": to, "body": body})
    };
    jobs.iter().enumerate().map(job).collect()
}

fn path_of(talk: &Talk, name: &str) -> String {
    let found = talk.names.iter().find(|(_, own)| own == name);
    found.expect("an element with this name was made").0.clone()
}

/// Jobs about elements that have names, and about those of earlier jobs.
fn some_jobs(random: &mut Rng, talk: &Talk) -> Vec<Job> {
    let known = |letter: &str| {
        let names = talk.names.iter().map(|(_, name)| name).filter(|name| name.starts_with(letter));
        names.map(|name| Of::Named(name.clone())).collect::<Vec<_>>()
    };
    let (mut nodes, mut edges) = (known("n"), known("r"));
    let mut jobs: Vec<Job> = Vec::new();
    for index in 0..=random.below(JOBS_MAX) as usize {
        let job = some_job(random, &nodes, &edges);
        let makes = job.method == "POST";
        match (makes, &*job.path) {
            (true, "/node") => nodes.push(Of::Job(index)),
            (true, "/relationships") => edges.push(Of::Job(index)),
            // A job stands for the element that it is about, too.
            (false, "") if job.method == "GET" => {
                let is_node = matches!(&job.of, Some(Of::Named(name)) if name.starts_with('n'));
                if is_node {
                    nodes.push(Of::Job(index));
                }
            }
            _ => {}
        }
        jobs.push(job);
    }
    jobs
}

fn some_job(random: &mut Rng, nodes: &[Of], edges: &[Of]) -> Job {
    let job = |method, of: Option<&Of>, path: &str, body| Job {
        method,
        of: of.cloned(),
        path: path.to_owned(),
        body,
        to: None,
    };
    let mut pick = |all: &[Of]| {
        let count = all.len() as u64;
        (0 < count).then(|| all[random.below(count) as usize].clone())
    };
    let (node, other, edge) = (pick(nodes), pick(nodes), pick(edges));
    let key = ["a", "b"][random.below(2) as usize];
    let property = format!("/properties/{key}");
    let value = json!(random.below(5));
    let label = ["A", "B", "C"][random.below(3) as usize];
    let create = || job("POST", None, "/node", json!({"a": value.clone()}));
    let Some(node) = node else { return create() };
    let (of_node, of_edge) = (Some(&node), edge.as_ref());
    match random.below(24) {
        0..=3 => create(),
        4..=7 => Job {
            to: other,
            ..job("POST", of_node, "/relationships", json!({"type": label, "data": {"a": value}}))
        },
        8 | 9 => job("PUT", of_node, &property, value),
        10 => job("PUT", of_node, "/properties", json!({key: value})),
        11 => job("GET", of_node, "", Value::Null),
        12 => job("GET", of_node, "/properties", Value::Null),
        13 => job("POST", of_node, "/labels", json!([label])),
        14 => job("PUT", of_node, "/labels", json!([label, "D"])),
        15 => job("DELETE", of_node, &format!("/labels/{label}"), Value::Null),
        16 => job("GET", of_node, "/labels", Value::Null),
        17 => job("GET", of_node, "/degree/all", Value::Null),
        18 => job("GET", of_node, "/relationships/all", Value::Null),
        19 => job("GET", of_node, &format!("/relationships/out/{label}&D"), Value::Null),
        20 if random.below(4) == 0 => job("DELETE", of_node, "", Value::Null),
        20 => job("DELETE", of_node, "/properties", Value::Null),
        21 if of_edge.is_some() => job("PUT", of_edge, &property, value),
        22 if of_edge.is_some() && random.below(2) == 0 => job("DELETE", of_edge, "", Value::Null),
        23 => {
            let text = "MATCH (n) RETURN count(n), sum(n.a)";
            job("POST", None, "/cypher", json!({ "query": text }))
        }
        _ if of_edge.is_some() => job("GET", of_edge, "", Value::Null),
        _ => create(),
    }
}

/// Lists in an order of their own: that of relationships of a node is none.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(mut values) => {
            values.sort_by_key(Value::to_string);
            Value::Array(values)
        }
        other => other,
    }
}

/// All elements, with names.
fn graph(talk: &mut Talk) -> Vec<String> {
    let texts = ["MATCH (n) RETURN n", "MATCH ()-[r]->() RETURN r"];
    let mut body = statements(&texts);
    for index in 0..texts.len() {
        body["statements"][index]["resultDataContents"] = json!(["REST"]);
    }
    let answer = post(&talk.server, "/db/neo4j/tx/commit", &body).json();
    assert_eq!(answer["errors"], json!([]), "{answer}");
    let results = answer["results"].as_array().expect("a list").clone();
    let rows = results.iter().flat_map(|result| result["data"].as_array().expect("a list"));
    let mut all: Vec<String> =
        rows.map(|row| talk.shown(&row["rest"][0], false).to_string()).collect();
    all.sort();
    all
}
