//! The fields of the SUCCESS that ends a result.

use std::time::Instant;

use millrace_db::plan::WriteCounts;
use millrace_model::Value;
use millrace_wire::bolt::plan::plan;
use millrace_wire::bolt::{Notification, Version};

use super::records::Records;
use super::result::OpenResult;

/// The column of a language with single values as rows.
const COLUMN: &str = "value";

/// The fields of the SUCCESS of RUN; `query` is the number of a result in a transaction.
pub(super) fn begun(result: &OpenResult, query: Option<i64>) -> Vec<(&'static str, Value)> {
    let columns = match &result.records.head.columns {
        Some(columns) => columns.iter().map(|name| Value::String(name.clone())).collect(),
        None if result.records.plan.is_some() => Vec::new(),
        None => vec![Value::from(COLUMN)],
    };
    let first = millis_since(result.request.began);
    let mut fields = vec![("fields", Value::list(columns)), ("t_first", first)];
    let query = query.filter(|_| result.records.form.version.has_amounts());
    fields.extend(query.map(|query| ("qid", Value::I64(query))));
    fields
}

/// The fields of the last SUCCESS of a result.
pub(super) fn ended(result: &OpenResult, bookmark: Option<String>) -> Vec<(&'static str, Value)> {
    let records = &result.records;
    let last = millis_since(result.made.unwrap_or(result.request.began));
    let mut fields = vec![("type", Value::from(kind(records))), ("t_last", last)];
    if records.form.version.has_amounts() {
        fields.push(("db", Value::String(result.target.database.clone())));
    }
    let notifications = records.notifications.iter();
    if records.form.version.has_statuses() {
        let statuses = notifications.map(Notification::to_status).chain([status(records)]);
        fields.push(("statuses", Value::list(statuses.collect())));
    } else if !records.notifications.is_empty() {
        let notifications = notifications.map(Notification::to_value);
        fields.push(("notifications", Value::list(notifications.collect())));
    }
    fields.extend(bookmark.map(|bookmark| ("bookmark", Value::from(bookmark.as_str()))));
    fields.extend(
        records.counts.as_ref().map(|counts| ("stats", stats(counts, records.form.version))),
    );
    fields.extend(records.plan.as_ref().map(|tree| ("plan", plan(tree))));
    fields.extend(records.profile.as_ref().map(|profile| ("profile", plan(profile))));
    fields
}

/// Whole milliseconds since a result began.
fn millis_since(began: Instant) -> Value {
    Value::I64(i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX))
}

/// `s`: a command, or a procedure of the program; `r`: nothing can be changed; `w`: something can be, and there are no
/// records; else `rw`.
fn kind(records: &Records) -> &'static str {
    match (&records.head.columns, records.head.only_reads) {
        _ if records.head.is_administrative || changes_schema(records) => "s",
        (_, true) => "r",
        (Some(columns), false) if columns.is_empty() => "w",
        (Some(_) | None, false) => "rw",
    }
}

/// Whether indexes or constraints were made or dropped, in whatever language.
fn changes_schema(records: &Records) -> bool {
    records.counts.as_ref().is_some_and(|counts| {
        let WriteCounts {
            indexes_added,
            indexes_removed,
            constraints_added,
            constraints_removed,
            ..
        } = counts;
        0 < indexes_added + indexes_removed + constraints_added + constraints_removed
    })
}

/// GQL's status of a result: no columns, no records, or some. A query that is explained has no result.
fn status(records: &Records) -> Value {
    let columns = records.head.columns.as_ref();
    let has_columns = records.plan.is_none() && columns.is_none_or(|columns| !columns.is_empty());
    let (status, description) = match (has_columns, records.had_record) {
        (_, true) => ("00000", "note: successful completion"),
        (true, false) => ("02000", "note: no data"),
        (false, false) => ("00001", "note: successful completion - omitted result"),
    };
    let pairs = [("gql_status", status), ("status_description", description)];
    Value::map(pairs.map(|(name, text)| (Value::from(name), Value::from(text))).into())
}

/// Counters by Neo4j's names; those that are 0 are left out. Older drivers fail at names that they do not know.
fn stats(counts: &WriteCounts, version: Version) -> Value {
    let all = [
        ("nodes-created", counts.vertices_created),
        ("nodes-deleted", counts.vertices_deleted),
        ("relationships-created", counts.edges_created),
        ("relationships-deleted", counts.edges_deleted),
        ("properties-set", counts.properties_set),
        ("labels-added", counts.labels_added),
        ("labels-removed", counts.labels_removed),
        ("indexes-added", counts.indexes_added),
        ("indexes-removed", counts.indexes_removed),
        ("constraints-added", counts.constraints_added),
        ("constraints-removed", counts.constraints_removed),
    ];
    let counted = all.into_iter().filter(|(_, count)| 0 < *count);
    let number = |count: u64| Value::I64(i64::try_from(count).unwrap_or(i64::MAX));
    let mut pairs: Vec<(Value, Value)> =
        counted.map(|(name, count)| (Value::from(name), number(count))).collect();
    if version.has_update_flags() {
        pairs.push((Value::from("contains-updates"), Value::Bool(true)));
    }
    Value::map(pairs)
}
