//! The bodies of answers, around rows that are text already.

use std::fmt::Write;
use std::sync::Arc;

use super::accept::TransactionForm;
use super::plan::Plan;
use crate::bolt::notification::{CATEGORY, SEVERITY};
use crate::bolt::{Failure, Notification};
use crate::json::write_string;

/// The answer to a query of the Query API.
#[derive(Clone, Debug, Default)]
pub struct QueryReply<'a> {
    /// The names of the columns.
    pub columns: &'a [Arc<str>],
    /// The rows, with commas between them.
    pub rows: &'a str,
    /// Counters, as JSON.
    pub counters: Option<String>,
    /// The operators of its plan.
    pub plan: Option<&'a Plan>,
    /// Its notifications.
    pub notifications: &'a [Notification],
    /// The commit, or what was visible.
    pub bookmark: Option<&'a str>,
}

/// The result of a statement of a transaction.
#[derive(Clone, Debug, Default)]
pub struct StatementReply<'a> {
    /// The names of the columns.
    pub columns: &'a [Arc<str>],
    /// The rows, with the separators of their form between them.
    pub rows: &'a str,
    /// Counters, as JSON.
    pub stats: Option<String>,
    /// The operators of its plan.
    pub plan: Option<&'a Plan>,
    /// Whether it failed behind these rows.
    pub is_partial: bool,
}

/// The answer to a request of a transaction.
#[derive(Clone, Debug, Default)]
pub struct TransactionReply<'a> {
    /// Results of its statements, as text.
    pub results: &'a [String],
    /// Whether the last of them is that of a statement which failed behind some rows.
    pub is_partial: bool,
    /// Their notifications.
    pub notifications: &'a [Notification],
    /// The failure that rolled it back.
    pub failure: Option<&'a Failure>,
    /// Where it is committed, and when it is rolled back without a request, if it is open.
    pub open: Option<(&'a str, &'a str)>,
    /// Its commit.
    pub bookmark: Option<&'a str>,
}

/// Counters by their names in the database, in the Query API, and beside the result of a statement.
const COUNTERS: [(&str, &str, &str); 11] = [
    ("vertices_created", "nodesCreated", "nodes_created"),
    ("vertices_deleted", "nodesDeleted", "nodes_deleted"),
    ("properties_set", "propertiesSet", "properties_set"),
    ("edges_created", "relationshipsCreated", "relationships_created"),
    ("edges_deleted", "relationshipsDeleted", "relationship_deleted"),
    ("labels_added", "labelsAdded", "labels_added"),
    ("labels_removed", "labelsRemoved", "labels_removed"),
    ("indexes_added", "indexesAdded", "indexes_added"),
    ("indexes_removed", "indexesRemoved", "indexes_removed"),
    ("constraints_added", "constraintsAdded", "constraints_added"),
    ("constraints_removed", "constraintsRemoved", "constraints_removed"),
];

/// The body of an answer of the Query API.
pub fn query_reply(reply: &QueryReply<'_>) -> String {
    let QueryReply { columns, rows, counters, plan, notifications, bookmark } = reply;
    let mut out = String::with_capacity(rows.len() + 128);
    out.push_str("{\"data\":{\"fields\":");
    write_texts(&mut out, columns.iter().map(|column| &**column));
    out.push_str(",\"values\":[");
    out.push_str(rows);
    out.push_str("]}");
    if let Some(counters) = counters {
        out.push_str(",\"counters\":");
        out.push_str(counters);
    }
    if let Some(plan) = plan {
        plan.write_of_query(&mut out);
    }
    write_notifications(&mut out, notifications, true);
    out.push_str(",\"bookmarks\":");
    write_texts(&mut out, bookmark.iter().copied());
    out.push('}');
    out
}

/// The body of an answer of the Query API to a query that failed.
pub fn error_reply(failure: &Failure) -> String {
    let mut out = String::from("{\"errors\":[");
    write_failure(&mut out, failure);
    out.push_str("]}");
    out
}

impl TransactionReply<'_> {
    /// How many statements were done.
    pub(super) fn whole_results(&self) -> usize {
        self.results.len() - usize::from(self.is_partial).min(self.results.len())
    }
}

/// The result of a statement.
pub fn statement_reply(form: TransactionForm, reply: &StatementReply<'_>) -> String {
    let StatementReply { columns, rows, stats, plan, is_partial } = reply;
    if let TransactionForm::Jolt(jolt) = form {
        let summary = (!is_partial).then_some((stats.as_deref(), *plan));
        return jolt.statement(columns, rows, summary);
    }
    let mut out = String::with_capacity(rows.len() + 64);
    out.push_str("{\"columns\":");
    write_texts(&mut out, columns.iter().map(|column| &**column));
    out.push_str(",\"data\":[");
    out.push_str(rows);
    out.push(']');
    if let Some(stats) = stats {
        out.push_str(",\"stats\":");
        out.push_str(stats);
    }
    if let Some(plan) = plan {
        plan.write_of_statement(&mut out);
    }
    out.push('}');
    out
}

/// The body of an answer to a request of a transaction.
pub fn transaction_reply(form: TransactionForm, reply: &TransactionReply<'_>) -> String {
    let TransactionReply { results, notifications, failure, open, bookmark, .. } = reply;
    if let TransactionForm::Jolt(jolt) = form {
        return jolt.transaction(reply);
    }
    let mut out = String::from("{\"results\":[");
    for (index, result) in results.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        out.push_str(result);
    }
    out.push(']');
    write_notifications(&mut out, notifications, false);
    out.push_str(",\"errors\":[");
    if let Some(failure) = failure {
        write_failure(&mut out, failure);
    }
    out.push(']');
    if let Some((commit, expires)) = open {
        out.push_str(",\"commit\":");
        write_string(&mut out, commit);
        out.push_str(",\"transaction\":{\"expires\":");
        write_string(&mut out, expires);
        out.push('}');
    }
    if let Some(bookmark) = bookmark {
        out.push_str(",\"lastBookmarks\":");
        write_texts(&mut out, [*bookmark].into_iter());
    }
    out.push('}');
    out
}

/// Counters of the Query API, from the database's.
pub fn query_counters(counts: &[(&str, u64)]) -> String {
    let mut out = String::from("{\"containsUpdates\":");
    write_counters(&mut out, counts, |(_, name, _)| name);
    out.push_str(",\"containsSystemUpdates\":false,\"systemUpdates\":0}");
    out
}

/// Counters beside the result of a statement, from the database's.
pub fn transaction_counters(counts: &[(&str, u64)]) -> String {
    let mut out = String::from("{\"contains_updates\":");
    write_counters(&mut out, counts, |(_, _, name)| name);
    out.push_str(",\"contains_system_updates\":false,\"system_updates\":0}");
    out
}

fn write_counters(
    out: &mut String,
    counts: &[(&str, u64)],
    name_of: fn((&'static str, &'static str, &'static str)) -> &'static str,
) {
    out.push_str(if counts.iter().any(|(_, count)| 0 < *count) { "true" } else { "false" });
    for row in COUNTERS {
        let count = counts.iter().find(|(name, _)| *name == row.0).map_or(0, |(_, count)| *count);
        // Writing to a string does not fail.
        let _written = write!(out, ",\"{}\":{count}", name_of(row));
    }
}

fn write_texts<'t>(out: &mut String, texts: impl Iterator<Item = &'t str>) {
    out.push('[');
    for (index, text) in texts.enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_string(out, text);
    }
    out.push(']');
}

/// Writes the field of notifications, with a comma in front of it, if there are any.
fn write_notifications(out: &mut String, notifications: &[Notification], is_of_query: bool) {
    if !notifications.is_empty() {
        let all = notifications.iter().map(|own| notification(own, is_of_query));
        let all = all.collect::<Vec<_>>().join(",");
        // Writing to a string does not fail.
        let _written = write!(out, ",\"notifications\":[{all}]");
    }
}

/// A notification as an object; the two interfaces have different fields.
pub(super) fn notification(own: &Notification, is_of_query: bool) -> String {
    let severity = ("severity", SEVERITY);
    let (code, title) = (("code", own.code), ("title", &*own.title));
    let description = ("description", &*own.description);
    let fields = match is_of_query {
        true => [code, description, severity, title],
        false => [code, severity, title, description],
    };
    let mut out = String::from("{");
    for (index, (name, text)) in fields.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_string(&mut out, name);
        out.push(':');
        write_string(&mut out, text);
    }
    if is_of_query {
        out.push_str(",\"position\":null,\"category\":");
        write_string(&mut out, CATEGORY);
    }
    out.push('}');
    out
}

fn write_failure(out: &mut String, failure: &Failure) {
    out.push_str("{\"code\":");
    write_string(out, &failure.code);
    out.push_str(",\"message\":");
    write_string(out, &failure.message);
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: TransactionForm = TransactionForm::Json;

    #[test]
    fn a_query_has_data_and_bookmarks() {
        let columns = ["n".into()];
        let reply = QueryReply { columns: &columns, rows: "[1],[2]", ..QueryReply::default() };
        assert_eq!(
            query_reply(&reply),
            r#"{"data":{"fields":["n"],"values":[[1],[2]]},"bookmarks":[]}"#
        );
        let counters = Some(query_counters(&[("vertices_created", 2)]));
        let counted = query_reply(&QueryReply { counters, bookmark: Some("b"), ..reply });
        assert!(counted.contains(r#""containsUpdates":true,"nodesCreated":2"#), "{counted}");
        assert!(counted.ends_with(r#""bookmarks":["b"]}"#), "{counted}");
    }

    #[test]
    fn a_transaction_has_results_and_errors() {
        let columns = ["n".into()];
        let stats = Some(transaction_counters(&[]));
        let statement =
            StatementReply { columns: &columns, rows: "{}", stats, ..StatementReply::default() };
        let results = [statement_reply(JSON, &statement)];
        assert!(results[0].contains(r#""stats":{"contains_updates":false"#), "{}", results[0]);
        let open = Some(("http://a/db/neo4j/tx/1/commit", "then"));
        let reply =
            TransactionReply { results: &results[..0], open, ..TransactionReply::default() };
        assert_eq!(
            transaction_reply(JSON, &reply),
            concat!(
                r#"{"results":[],"errors":[],"commit":"http://a/db/neo4j/tx/1/commit","#,
                r#""transaction":{"expires":"then"}}"#
            )
        );
        let failure = Failure::new("Neo.ClientError.Statement.SyntaxError", "x");
        let failed = TransactionReply { failure: Some(&failure), ..TransactionReply::default() };
        assert_eq!(
            transaction_reply(JSON, &failed),
            r#"{"results":[],"errors":[{"code":"Neo.ClientError.Statement.SyntaxError","message":"x"}]}"#
        );
        assert!(error_reply(&failure).starts_with(r#"{"errors":[{"code""#));
    }
}
