//! `apoc.periodic.iterate`: the rows of one statement go through another in batches, each in a transaction of its own.

use super::inner::{replaced, single};
use super::{Expanded, ExpandedProcedure, Expanding, LINES};
use crate::tree::{Clause, Expr, ExprKind, Literal, Projection, Variable};

const COLUMNS: &[&str] = &[
    "batches",
    "total",
    "timeTaken",
    "committedOperations",
    "failedOperations",
    "failedBatches",
    "retries",
    "errorMessages",
    "batch",
    "operations",
    "wasTerminated",
    "failedParams",
    "updateStatistics",
];

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[ExpandedProcedure {
    name: "apoc.periodic.iterate",
    arguments: &["cypherIterate", "cypherAction", "config"],
    required: 3,
    columns: COLUMNS,
    about: "Runs the second statement for the rows of the first, batch by batch, each in a transaction.",
    expand: iterate,
}];

/// Rows of a batch where the call does not say.
const BATCH_ROWS_DEFAULT: &str = "10000";

fn iterate(call: &Expanding<'_>) -> Expanded {
    if call.has_rows {
        let help = "write CALL (…) { … } IN TRANSACTIONS";
        return Err(call.refused(call.call.at, "a call behind another clause", help));
    }
    let (mut rows, mut params) = (BATCH_ROWS_DEFAULT.to_owned(), Vec::new());
    for (key, value) in call.pairs(2)? {
        match (key, &value.kind) {
            ("batchSize", _) => rows = value.to_string(),
            ("params", ExprKind::Map(pairs)) => params = pairs.clone(),
            // Batches run one after the other, each once; a write conflict is retried anyway.
            ("parallel" | "concurrency" | "retries" | "iterateList", ExprKind::Literal(_)) => {}
            ("batchMode", ExprKind::Literal(Literal::String(mode))) if &**mode == "BATCH" => {}
            ("failedParams", ExprKind::Literal(Literal::Integer(-1))) => {}
            _ => {
                let detail = format!("the setting `{key}`, or this value of it");
                let help = "batchSize, params, parallel, retries and iterateList are known";
                return Err(call.refused(value.at, &detail, help));
            }
        }
    }
    let given = |name: &str| {
        let own = params.iter().find(|(key, _)| &**key == name);
        own.map(|(_, value)| format!("({})", Expr::to_string(value)))
    };
    let first = call.number * LINES;
    let outer = replaced(call.literal(0)?, &given)?;
    let mut clauses = single(&outer, first)?.clauses;
    let Some(Clause::Return(result)) = clauses.pop() else {
        let help = "end it with RETURN";
        return Err(call.refused(call.arguments[0].at, "a first statement without a result", help));
    };
    let result = with_names(result);
    let names: Vec<String> = result
        .items
        .iter()
        .filter_map(|item| Some(item.alias.as_ref()?.name.to_string()))
        .collect();
    clauses.push(Clause::With(result));
    // A column is a variable of the second statement, and a parameter of its name.
    let column = |name: &str| names.iter().any(|own| own == name).then(|| format!("`{name}`"));
    let action = replaced(call.literal(1)?, &|name| column(name).or_else(|| given(name)))?;
    let mut action = single(&action, first)?.clauses;
    if let Some(Clause::Return(result)) = action.last() {
        let end = Clause::Finish(result.at);
        action.pop();
        action.push(end);
    }
    let action: Vec<String> = action.iter().map(ToString::to_string).collect();
    let status = "` status`";
    let text = format!(
        "CALL (*) {{ {} }} IN TRANSACTIONS OF {rows} ROWS ON ERROR CONTINUE REPORT STATUS AS {status} {}",
        action.join(" "),
        summary(call, status)
    );
    let mut lines: Vec<String> = clauses.iter().map(ToString::to_string).collect();
    lines.push(text);
    call.clauses(&lines.join(" "))
}

/// A result as a `WITH`: each item has a name.
pub(super) fn with_names(mut result: Projection) -> Projection {
    for item in &mut result.items {
        if item.alias.is_none() {
            let variable = Variable { at: item.expr.at, name: item.text.clone(), symbol: None };
            item.alias = Some(variable);
        }
    }
    result
}

/// Counts of the batches and rows, by the status of each row.
fn summary(call: &Expanding<'_>, status: &str) -> String {
    let failed = format!("CASE WHEN NOT {status}.committed THEN");
    let counts = format!(
        "WITH count(DISTINCT {status}.transactionId) AS batches, count(*) AS total, \
         count(CASE WHEN {status}.committed THEN 1 END) AS committedOperations, \
         count({failed} 1 END) AS failedOperations, \
         count(DISTINCT {failed} {status}.transactionId END) AS failedBatches, \
         collect({status}.errorMessage) AS errors \
         WITH *, apoc.map.fromPairs([message IN apoc.coll.toSet(errors) | \
         [message, size([error IN errors WHERE error = message])]]) AS errorMessages"
    );
    let column = |name: &&str| {
        let value = match *name {
            // The driver's summary of the result has the time and the counts of changes.
            "timeTaken" | "updateStatistics" => "null".to_owned(),
            "retries" => "0".to_owned(),
            "wasTerminated" => "false".to_owned(),
            "failedParams" => "{}".to_owned(),
            "batch" => "{total: batches, committed: batches - failedBatches, failed: failedBatches, errors: errorMessages}".to_owned(),
            "operations" => "{total: total, committed: committedOperations, failed: failedOperations, errors: errorMessages}".to_owned(),
            own => own.to_owned(),
        };
        Some(format!("{value} AS {}", call.yielded(name)?))
    };
    let columns: Vec<String> = COLUMNS.iter().filter_map(column).collect();
    match columns.is_empty() {
        true => counts,
        false => format!("{counts} WITH {}", columns.join(", ")),
    }
}
