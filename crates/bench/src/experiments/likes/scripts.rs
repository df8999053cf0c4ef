//! The scripts of the bulk traversal article, sent as they are printed.

use std::collections::HashSet;
use std::fs;
use std::time::Instant;

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, arrays, cached, edges, size};
use crate::clients::http::post;
use crate::data::{Scratch, io_error};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::Likers;
use crate::measure;
use crate::report::{Row, Unit};

/// Why the scripts can't be sent.
pub(in crate::experiments) fn left_out(conditions: &Conditions) -> Option<&'static str> {
    let why = "--scripts DIR names the article's scripts: schema.lua load.lua bulk.lua single.lua";
    conditions.scripts.is_none().then_some(why)
}

/// Paths of three hops by bulk calls, counted in Lua.
pub(in crate::experiments) fn script_bulk(conditions: &Conditions) -> Result<Row> {
    counting(conditions, "bulk")
}

/// The same, one node at a time.
pub(in crate::experiments) fn script_single(conditions: &Conditions) -> Result<Row> {
    counting(conditions, "single")
}

fn counting(conditions: &Conditions, name: &str) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let request = post(&format!("/db/{GRAPH_NAME}/lua"), &script(conditions, name)?);
    let mut server = served.connect()?;
    let possible = path_counts(&arrays(&likes, &edges(&likes)));
    let median = measure::median_of(conditions.seconds, || {
        let answer = server.ask(&request)?;
        let is_right = answer.trim().parse().is_ok_and(|count: u64| possible.contains(&count));
        if is_right {
            return Ok(());
        }
        let detail = format!("{name} counts {answer} paths, which is no count of any person");
        Err(Error::new(ErrorKind::Bug, detail))
    })?;
    Ok(Row::new(median * 1e3, Unit::Milliseconds))
}

/// How many paths of three hops each person has: the script samples one of them.
fn path_counts(likes: &Likers) -> HashSet<u64> {
    let beyond = |item: u32| -> u64 {
        likes.into.list(item).iter().map(|person| u64::from(likes.out.degree(*person))).sum()
    };
    let by_item: Vec<u64> = (0..likes.into.len() as u32).map(beyond).collect();
    let of_person = |person: u32| likes.out.list(person).iter().map(|item| by_item[*item as usize]);
    (0..likes.out.len() as u32).map(|person| of_person(person).sum()).collect()
}

/// Ten million writes in one transaction, until they are durable and visible.
pub(in crate::experiments) fn script_load(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let folder = Scratch::empty(&conditions.data, "likes.script.load")?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    let mut server = served.connect()?;
    server.ask(&post(&format!("/dbs/{GRAPH_NAME}"), ""))?;
    let path = format!("/db/{GRAPH_NAME}/lua");
    server.ask(&post(&path, &script(conditions, "schema")?))?;
    let load = post(&path, &script(conditions, "load")?);
    let began = Instant::now();
    let answer = server.ask(&load)?;
    let seconds = began.elapsed().as_secs_f64();
    let Likes { people, items, .. } = likes;
    let counts =
        [format!("[{items}, "), format!(", {people}, "), format!(", {}]", likes.edge_count())];
    if !counts.iter().all(|count| answer.contains(count)) {
        return Err(Error::new(ErrorKind::Bug, format!("the load script answers {answer}")));
    }
    Ok(Row::new(seconds, Unit::Seconds).with(
        "relationships",
        likes.edge_count() as f64,
        Unit::Count,
    ))
}

/// A script as it is printed, but for the number of people at another size.
fn script(conditions: &Conditions, name: &str) -> Result<String> {
    let none = || Error::new(ErrorKind::BadInput, left_out(conditions).unwrap_or_default());
    let path = conditions.scripts.as_ref().ok_or_else(none)?.join(format!("{name}.lua"));
    let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
    let (printed, people) = (Likes::default().people, size(conditions).people);
    Ok(text.replace(&printed.to_string(), &people.to_string()))
}
