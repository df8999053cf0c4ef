//! `apoc.cypher`: a statement for each row, which is a subquery.

use super::{ExpandedProcedure, choose};

const ARGUMENTS: &[&str] = &["statement", "params"];

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.cypher.doIt",
        arguments: ARGUMENTS,
        required: 1,
        columns: &["value"],
        about: "Runs a statement, which may write.",
        expand: choose::always,
    },
    ExpandedProcedure {
        name: "apoc.cypher.run",
        arguments: ARGUMENTS,
        required: 1,
        columns: &["value"],
        about: "Runs a statement, which reads.",
        expand: choose::always,
    },
];
