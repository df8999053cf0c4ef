//! Scans in Gremlin and in Lua, over HTTP, beside plain array code on one thread.

use millrace_model::{Error, ErrorKind, Result};
use serde_json::Value as Json;

use super::graph::{GRAPH_NAME, arrays, cached, size};
use super::question::same_rows;
use crate::clients::http::{Connection, post};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::scans::{
    Answer, Cell, OLD, People, count_since, mean_age, people_by_city, people_older_than,
};
use crate::measure;
use crate::report::{Row, Unit};

/// People by city.
pub(super) fn gremlin_group(conditions: &Conditions) -> Result<Row> {
    gremlin(conditions, "g.V().groupCount().by('city')", people_by_city)
}

/// The mean age.
pub(super) fn gremlin_mean(conditions: &Conditions) -> Result<Row> {
    gremlin(conditions, "g.V().values('age').mean()", mean_age)
}

/// Relationships since a year.
pub(super) fn gremlin_edges(conditions: &Conditions) -> Result<Row> {
    gremlin(conditions, "g.V().outE().has('since', gte(2020)).count()", count_since)
}

/// People of an age or above, among all.
pub(super) fn lua_filter(conditions: &Conditions) -> Result<Row> {
    let people = size(conditions).people;
    let text = format!(
        "FilterNodeCount(AllNodeIds('Person', 0, {people}), 'Person', 'age', Operation.GTE, {OLD})"
    );
    let request = post(&format!("/ro/{GRAPH_NAME}/lua"), &text);
    compared(conditions, Served::connect, &text, &request, people_older_than, |json| {
        Some(vec![vec![Cell::Int(json[0].as_i64()?)]])
    })
}

fn gremlin(conditions: &Conditions, text: &str, arrays: fn(&People) -> Answer) -> Result<Row> {
    let aliases = serde_json::json!({ "g": GRAPH_NAME });
    let body = serde_json::json!({ "gremlin": text, "aliases": aliases });
    let request = post("/gremlin", &body.to_string());
    compared(conditions, Served::connect_gremlin, text, &request, arrays, |json| {
        let only = &json["result"]["data"]["@value"][0];
        if only["@type"] != "g:Map" {
            return Some(vec![vec![number(only)?]]);
        }
        let pairs = only["@value"].as_array()?.chunks_exact(2);
        let pair =
            |pair: &[Json]| Some(vec![Cell::Text(pair[0].as_str()?.to_owned()), number(&pair[1])?]);
        pairs.map(pair).collect()
    })
}

/// A number of GraphSON 3.
fn number(json: &Json) -> Option<Cell> {
    match json["@type"].as_str()? {
        "g:Double" => json["@value"].as_f64().map(Cell::Double),
        "g:Int64" | "g:Int32" => json["@value"].as_i64().map(Cell::Int),
        _ => None,
    }
}

/// The median times of a request and of arrays in turn, once their answers are compared.
fn compared(
    conditions: &Conditions,
    connect: fn(&Served) -> Result<Connection>,
    text: &str,
    request: &[u8],
    of_arrays: fn(&People) -> Answer,
    read: impl Fn(&Json) -> Option<Answer>,
) -> Result<Row> {
    let people = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &people)?)?;
    let arrays = arrays(&people);
    let mut connection = connect(&served)?;
    let answer = connection.ask(request)?;
    let found = serde_json::from_str(&answer).ok().and_then(|json| read(&json));
    let unexpected =
        || Error::new(ErrorKind::Bug, format!("{text}: an unexpected answer: {answer}"));
    same_rows(text, found.ok_or_else(unexpected)?, of_arrays(&arrays))?;
    let medians = measure::side_by_side(
        conditions.seconds,
        || connection.ask(request).map(drop),
        || {
            std::hint::black_box(of_arrays(std::hint::black_box(&arrays)));
            Ok(())
        },
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}
