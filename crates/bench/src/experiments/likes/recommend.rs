//! Recommendations asked as a client asks: a script with a `Traversal`, over HTTP.

use std::collections::HashMap;

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, arrays, cached, edges, people, size};
use super::questions::limit_threads;
use crate::clients::http::{Connection, post};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::{Counted, TOP, recommend_bulked};
use crate::measure;
use crate::report::{Row, Unit};

/// Items at the third hop, counted by item, without the person's own: the best.
pub(in crate::experiments) fn recommend(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let arrays = arrays(&likes, &edges(&likes));
    let threads = limit_threads(people(&likes), |person, threads| {
        std::hint::black_box(recommend_bulked(&arrays, person, threads));
    });
    let mut server = served.connect()?;
    let items = items(&mut server, &likes)?;
    for person in people(&likes) {
        let answer = server.ask(&question(person))?;
        check(person, &counted(&answer, &items)?, &recommend_bulked(&arrays, person, threads))?;
    }
    let (mut asked, mut answered) = (people(&likes).cycle(), people(&likes).cycle());
    let medians = measure::side_by_side(
        conditions.seconds,
        || server.ask(&question(asked.next().unwrap_or(0))).map(|_| ()),
        || {
            std::hint::black_box(recommend_bulked(&arrays, answered.next().unwrap_or(0), threads));
            Ok(())
        },
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// The same as a traversal of Gremlin, over HTTP too, beside the script.
pub(in crate::experiments) fn recommend_gremlin(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let arrays = arrays(&likes, &edges(&likes));
    let (mut scripts, mut traversals) = (served.connect()?, served.connect_gremlin()?);
    let items = items(&mut scripts, &likes)?;
    let mut asked = Vec::new();
    for person in people(&likes) {
        let id = scripts.ask(&script(&format!("NodeGetId('Person', 'person{}')", person + 1)))?;
        let traversal = traversal(&id);
        let answer = traversals.ask(&traversal)?;
        check(person, &counted_map(&answer, &items)?, &recommend_bulked(&arrays, person, 1))?;
        asked.push((traversal, question(person)));
    }
    let (mut turns, mut others) = (asked.iter().cycle(), asked.iter().cycle());
    let medians = measure::side_by_side(
        conditions.seconds,
        || turns.next().map_or(Ok(()), |(traversal, _)| traversals.ask(traversal).map(|_| ())),
        || others.next().map_or(Ok(()), |(_, script)| scripts.ask(script).map(|_| ())),
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

fn traversal(person: &str) -> Vec<u8> {
    let gremlin = format!(
        "g.V({person}).out('LIKES').aggregate('own').in('LIKES').out('LIKES')\
         .where(not(within('own'))).groupCount().order(local).by(values, desc).limit(local, {TOP})"
    );
    let aliases = serde_json::json!({ "g": GRAPH_NAME });
    let body = serde_json::json!({ "gremlin": gremlin, "aliases": aliases });
    post("/gremlin", &body.to_string())
}

/// The items of the one map in an answer in GraphSON 3, best first.
fn counted_map(answer: &str, items: &HashMap<String, u32>) -> Result<Vec<Counted>> {
    let json: serde_json::Value = serde_json::from_str(answer).map_err(|_| unexpected(answer))?;
    let map = &json["result"]["data"]["@value"][0]["@value"];
    let pairs = map.as_array().ok_or_else(|| unexpected(answer))?;
    let pair = |pair: &[serde_json::Value]| {
        let id = pair[0]["@value"]["id"]["@value"].as_u64()?.to_string();
        Some((*items.get(&id)?, pair[1]["@value"].as_u64()?))
    };
    let counts: Option<Vec<Counted>> = pairs.chunks_exact(2).map(pair).collect();
    let mut counts = counts.ok_or_else(|| unexpected(answer))?;
    counts.sort_unstable_by_key(|(item, count)| (std::cmp::Reverse(*count), *item));
    Ok(counts)
}

pub(in crate::experiments) fn script(text: &str) -> Vec<u8> {
    post(&format!("/ro/{GRAPH_NAME}/lua"), text)
}

pub(in crate::experiments) fn question(person: u32) -> Vec<u8> {
    script(&format!(
        "local mine = Traversal.from('Person', 'person{}'):out('LIKES')\n\
         mine:in_('LIKES'):out('LIKES'):except(mine):groupCount():top({TOP}):counts()",
        person + 1
    ))
}

/// The number of each item's node.
pub(super) fn items(server: &mut Connection, likes: &Likes) -> Result<HashMap<String, u32>> {
    let text = format!(
        "local ids = {{}}\nfor i = 1, {} do ids[i] = NodeGetId('Item', 'item' .. i) end\nids",
        likes.items
    );
    let answer = server.ask(&script(&text))?;
    let ids: Vec<u64> = serde_json::from_str(&answer).map_err(|_| unexpected(&answer))?;
    Ok(ids.iter().zip(0..).map(|(id, number)| (id.to_string(), number)).collect())
}

/// The items of an answer, best first.
pub(super) fn counted(answer: &str, items: &HashMap<String, u32>) -> Result<Vec<Counted>> {
    let counts: HashMap<String, u64> =
        serde_json::from_str(answer).map_err(|_| unexpected(answer))?;
    let item = |(id, count): (String, u64)| items.get(&id).map(|item| (*item, count));
    let counts: Option<Vec<Counted>> = counts.into_iter().map(item).collect();
    let mut counts = counts.ok_or_else(|| unexpected(answer))?;
    counts.sort_unstable_by_key(|(item, count)| (std::cmp::Reverse(*count), *item));
    Ok(counts)
}

/// Of items with the count of the last one, any may be named.
pub(in crate::experiments) fn check(
    person: u32,
    answer: &[Counted],
    expected: &[Counted],
) -> Result<()> {
    let counts = |all: &[Counted]| -> Vec<u64> { all.iter().map(|(_, count)| *count).collect() };
    let last = expected.last().map_or(0, |(_, count)| *count);
    let sure = |all: &[Counted]| -> Vec<Counted> {
        all.iter().filter(|(_, count)| last < *count).copied().collect()
    };
    if counts(answer) == counts(expected) && sure(answer) == sure(expected) {
        return Ok(());
    }
    let detail = format!("person {person}: the script answers {answer:?}, arrays {expected:?}");
    Err(Error::new(ErrorKind::Bug, detail))
}

fn unexpected(answer: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("an unexpected answer: {answer}"))
}
