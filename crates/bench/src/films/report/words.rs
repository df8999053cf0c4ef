//! Settings and conditions in words.

use std::time::Duration;

use super::super::limits::CHECKED;
use super::super::outcome::Row;
use super::super::plan::Conditions;
use super::super::settings::{Databases, Settings};

/// A client that works for more than this share of its time is the limit of what it measures.
const CLIENT_SHARE_MAX: f64 = 0.9;

/// Conditions as the title of a table.
pub(in super::super) fn shown(conditions: &Conditions) -> String {
    let Conditions { cores, endpoints, connections } = *conditions;
    let count = |count: usize, thing: &str| match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    };
    let parts = [
        Some(count(connections, "connection")),
        Some(count(endpoints, "endpoint")),
        cores.map(|cores| count(cores, "processor")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The settings: name and value.
pub(in super::super) fn conditions(
    settings: &Settings,
    films: &str,
    run: Duration,
    warm_up: Duration,
) -> Vec<(&'static str, String)> {
    let mut conditions = match &settings.databases {
        Databases::Own(own) => vec![
            ("server", format!("Millrace over {}, durability sync", own.protocol.name())),
            ("films", format!("scale {}, seed {}: {films}", own.films.scale, own.films.seed)),
        ],
        Databases::Others { targets, films: folder } => {
            let mut given: Vec<_> =
                targets.iter().map(|target| ("server", target.name.clone())).collect();
            given.push(("films", format!("{}: {films}", folder.display())));
            given
        }
    };
    let (run, warm_up) = (run.as_secs_f64(), warm_up.as_secs_f64());
    conditions.extend([
        (
            "runs",
            format!("{} of {run:.2} s, after {warm_up:.2} s that do not count", settings.runs),
        ),
        ("client", format!("closed model, threads: {}", settings.client_threads)),
        (
            "checked",
            format!("up to {CHECKED} answers of each query, by each way, on each endpoint"),
        ),
    ]);
    conditions
}

/// What a reader has to know of the rows.
pub(in super::super) fn notes(settings: &Settings, rows: &[Row]) -> Vec<String> {
    let is_bound = |row: &&Row| {
        let share = row.figures.client.map(|micros| micros * row.figures.rate / 1e6);
        share.is_some_and(|share| CLIENT_SHARE_MAX * settings.client_threads as f64 <= share)
    };
    let bound = rows.iter().filter(is_bound).count();
    let client = format!(
        "in {bound} of {} rows the client was at work nearly all the time, and may be the limit: --client-threads",
        rows.len()
    );
    let has_server_time = rows.iter().any(|row| row.figures.server.is_some());
    let unknown =
        "the processes of the servers are not known here, so their processor time is missing";
    let mut notes = Vec::new();
    notes.extend((0 < bound).then_some(client));
    notes.extend((!has_server_time).then(|| unknown.to_owned()));
    notes
}
