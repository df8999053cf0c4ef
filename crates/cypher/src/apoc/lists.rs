//! The entries of a list as rows: `UNWIND` of what a function gives.

use super::{Expanded, ExpandedProcedure, Expanding};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.coll.partition",
        arguments: &["values", "batchSize"],
        required: 2,
        columns: &["value"],
        about: "Parts of a list, of so many values.",
        expand: |call| {
            let (list, size) = (call.argument(0, "[]"), call.argument(1, "1"));
            entries(call, &format!("apoc.coll.partition({list}, {size})"))
        },
    },
    ExpandedProcedure {
        name: "apoc.coll.zipToRows",
        arguments: &["list1", "list2"],
        required: 2,
        columns: &["value"],
        about: "The pairs of the values of two lists.",
        expand: |call| {
            let (one, other) = (call.argument(0, "[]"), call.argument(1, "[]"));
            entries(call, &format!("apoc.coll.zip({one}, {other})"))
        },
    },
];

fn entries(call: &Expanding<'_>, list: &str) -> Expanded {
    let value = call.yielded("value").unwrap_or_else(|| format!("` value{}`", call.number));
    call.clauses(&format!("UNWIND {list} AS {value}"))
}
