//! Statements that run where a condition holds: branches of a subquery, each for all of its rows.

use millrace_model::Error;

use super::inner::{replaced, single};
use super::iterate::with_names;
use super::{Expanded, ExpandedProcedure, Expanding, LINES};
use crate::tree::{Clause, Expr, ExprKind};

const ARGUMENTS: &[&str] = &["condition", "ifQuery", "elseQuery", "params"];
const CASES: &[&str] = &["conditionals", "elseQuery", "params"];

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.case",
        arguments: CASES,
        required: 1,
        columns: &["value"],
        about: "Runs the statement behind the first condition that holds; it reads.",
        expand: case,
    },
    ExpandedProcedure {
        name: "apoc.do.case",
        arguments: CASES,
        required: 1,
        columns: &["value"],
        about: "Runs the statement behind the first condition that holds; it may write.",
        expand: case,
    },
    ExpandedProcedure {
        name: "apoc.do.when",
        arguments: ARGUMENTS,
        required: 2,
        columns: &["value"],
        about: "Runs one of two statements, by a condition; they may write.",
        expand: when,
    },
    ExpandedProcedure {
        name: "apoc.when",
        arguments: ARGUMENTS,
        required: 2,
        columns: &["value"],
        about: "Runs one of two statements, by a condition; they read.",
        expand: when,
    },
];

fn when(call: &Expanding<'_>) -> Expanded {
    let branches = vec![(call.argument(0, "false"), call.literal(1)?)];
    branched(call, &branches, call.literal(2)?, 3)
}

/// One statement, for all rows.
pub(super) fn always(call: &Expanding<'_>) -> Expanded {
    branched(call, &[], call.literal(0)?, 1)
}

fn case(call: &Expanding<'_>) -> Expanded {
    let ExprKind::List(entries) = &call.arguments[0].kind else {
        let help = "write [condition, 'statement', …] in the call";
        return Err(call.refused(
            call.arguments[0].at,
            "conditions that are not written in the call",
            help,
        ));
    };
    let mut branches = Vec::new();
    for pair in entries.chunks(2) {
        let [condition, statement] = pair else {
            let help = "write a statement behind each condition";
            return Err(call.refused(
                call.arguments[0].at,
                "a condition without a statement",
                help,
            ));
        };
        branches.push((condition.to_string(), call.literal_of(statement)?));
    }
    branched(call, &branches, call.literal(1)?, 2)
}

/// The first branch with a condition that holds, or the last statement.
fn branched(
    call: &Expanding<'_>,
    branches: &[(String, &str)],
    otherwise: &str,
    params: usize,
) -> Expanded {
    let params = call.pairs(params)?;
    let value = call.yielded("value").unwrap_or_else(|| format!("` value{}`", call.number));
    // Parameters of the inner statements are variables that only they see.
    let number = call.number;
    let own = |key: &str| own_name(key, number);
    let branch = own("branch");
    let mut conditions = String::new();
    for (index, (condition, _)) in branches.iter().enumerate() {
        conditions += &format!("WHEN {condition} THEN {index} ");
    }
    let (star, last) = (if call.has_rows { "*, " } else { "" }, branches.len());
    let mut text = format!("WITH {star}CASE {conditions}ELSE {last} END AS {branch}");
    let mut imports = vec![branch.clone()];
    for (key, expr) in &params {
        text += &format!(", {} AS {}", Expr::to_string(expr), own(key));
        imports.push(own(key));
    }
    let statements = branches.iter().map(|(_, text)| *text).chain([otherwise]);
    let mut parts = Vec::new();
    for (index, statement) in statements.enumerate() {
        parts.push(part(call, statement, &params, (&branch, index))?);
    }
    let imports = imports.join(", ");
    text += &format!(" CALL ({imports}) {{ {} }} ", parts.join(" UNION ALL "));
    // A statement without branches stands behind no condition.
    let text = match branches {
        [] => text.replacen("CASE ELSE 0 END", "0", 1),
        _ => text,
    };
    let text = text.replace(VALUE, &value);
    call.clauses(&text)
}

/// A variable that no text names.
fn own_name(key: &str, number: u32) -> String {
    format!("` {key}{number}`")
}

/// Stands for the variable of the value.
const VALUE: &str = "` value of a branch`";

/// One statement, for the rows of its branch, with its columns as one map.
fn part(
    call: &Expanding<'_>,
    statement: &str,
    params: &[(&str, &Expr)],
    (branch, index): (&str, usize),
) -> Result<String, Vec<Error>> {
    let own = |key: &str| own_name(key, call.number);
    let params: Vec<String> =
        params.iter().map(|(key, _)| format!("{} AS `{key}`", own(key))).collect();
    let mut text = format!(
        "WITH * WHERE {branch} = {index} WITH {}",
        match params.is_empty() {
            true => "1 AS ` one`".to_owned(),
            false => params.join(", "),
        }
    );
    if statement.trim().is_empty() {
        return Ok(text + &format!(" RETURN {{}} AS {VALUE}"));
    }
    let statement = replaced(statement, &|name| Some(format!("`{name}`")))?;
    let mut query = single(&statement, call.number * LINES)?;
    match query.clauses.pop() {
        Some(Clause::Return(result)) => {
            if result.all {
                let detail = "RETURN * in a statement inside of the call";
                return Err(call.refused(call.call.at, detail, "name the columns"));
            }
            for clause in &query.clauses {
                text += &format!(" {clause}");
            }
            let result = with_names(result);
            let names = result.items.iter().filter_map(|item| item.alias.as_ref());
            let names: Vec<String> = names.map(|name| format!("{name}: {name}")).collect();
            text += &format!(" WITH {result} RETURN {{{}}} AS {VALUE}", names.join(", "));
        }
        // Without a result there is no row.
        Some(last) => {
            for clause in query.clauses.iter().chain([&last]) {
                text += &format!(" {clause}");
            }
            text += &format!(" WITH {{}} AS {VALUE} WHERE false RETURN {VALUE}");
        }
        None => text += &format!(" RETURN {{}} AS {VALUE}"),
    }
    Ok(text)
}
