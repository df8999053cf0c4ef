//! The steps of scenarios: each line of a feature file as one of the kinds that the suite defines.
//!
//! A line that is none of them is an error, and so is one without the text or table that it needs. No step is
//! done here.

use millrace_testkit::features;

use crate::errors::ExpectedError;
use crate::procedure::Procedure;
use crate::values::{ListOrder, RowOrder, Table};

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step<'s> {
    /// The graph is empty, or may be.
    EmptyGraph,
    /// The graph is made by the scripts of this name.
    NamedGraph(&'s str),
    /// A query that prepares the graph.
    Prepare(&'s str),
    /// Parameters of the next queries: a name and a value in each row.
    Parameters(&'s Table),
    /// A procedure that the query calls.
    Procedure(Procedure),
    /// The query that the scenario is about, or a query that looks at its effects.
    Query(&'s str),
    /// The rows of its result.
    Rows { table: &'s Table, rows: RowOrder, lists: ListOrder },
    /// Its result has no rows.
    NoRows,
    /// The difference that it made: a kind of change and a count in each row.
    Effects(&'s [Vec<String>]),
    /// It fails.
    Error(ExpectedError<'s>),
}

impl<'s> Step<'s> {
    /// The kind of a step.
    pub(crate) fn of(step: &'s features::Step) -> Result<Step<'s>, String> {
        let line = step.text.as_str();
        let text = || step.docstring.as_deref().ok_or_else(|| format!("`{line}` has no text"));
        let rows = |rows, lists| Step::Rows { table: &step.table, rows, lists };
        Ok(match line {
            "an empty graph" | "any graph" => Step::EmptyGraph,
            "having executed:" => Step::Prepare(text()?),
            "parameters are:" => Step::Parameters(&step.table),
            "executing query:" | "executing control query:" => Step::Query(text()?),
            "the result should be empty" => Step::NoRows,
            "the result should be, in any order:" => rows(RowOrder::Ignored, ListOrder::Counts),
            "the result should be, in order:" => rows(RowOrder::Counts, ListOrder::Counts),
            "the result should be (ignoring element order for lists):" => {
                rows(RowOrder::Ignored, ListOrder::Ignored)
            }
            "the result should be, in order (ignoring element order for lists):" => {
                rows(RowOrder::Counts, ListOrder::Ignored)
            }
            "no side effects" => Step::Effects(&[]),
            "the side effects should be:" => Step::Effects(&step.table),
            line => return Step::of_pattern(line, &step.table),
        })
    }

    /// The kind of a line with a name in it.
    fn of_pattern(line: &'s str, table: &'s Table) -> Result<Step<'s>, String> {
        if let Some(signature) = line.strip_prefix("there exists a procedure ") {
            return Procedure::parse(signature, table).map(Step::Procedure);
        }
        let graph = line.strip_prefix("the ").and_then(|rest| rest.strip_suffix(" graph"));
        if let Some(name) = graph.filter(|name| !name.contains(' ')) {
            return Ok(Step::NamedGraph(name));
        }
        let error = ExpectedError::parse(line).map(Step::Error);
        error.ok_or_else(|| format!("there is no step `{line}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str, docstring: Option<&str>) -> features::Step {
        let docstring = docstring.map(str::to_owned);
        features::Step { text: text.to_owned(), docstring, table: vec![vec!["a".to_owned()]] }
    }

    #[test]
    fn each_line_has_its_kind() {
        let of = |line: &str| format!("{:?}", Step::of(&step(line, Some("RETURN 1"))));
        assert_eq!(of("any graph"), "Ok(EmptyGraph)");
        assert_eq!(of("an empty graph"), "Ok(EmptyGraph)");
        assert_eq!(of("the binary-tree-1 graph"), "Ok(NamedGraph(\"binary-tree-1\"))");
        assert_eq!(of("having executed:"), "Ok(Prepare(\"RETURN 1\"))");
        assert_eq!(of("parameters are:"), "Ok(Parameters([[\"a\"]]))");
        assert_eq!(of("executing query:"), "Ok(Query(\"RETURN 1\"))");
        assert_eq!(of("executing control query:"), "Ok(Query(\"RETURN 1\"))");
        assert_eq!(of("the result should be empty"), "Ok(NoRows)");
        assert_eq!(of("no side effects"), "Ok(Effects([]))");
        assert_eq!(of("the side effects should be:"), "Ok(Effects([[\"a\"]]))");
        assert!(of("there exists a procedure test.it() :: ():").starts_with("Ok(Procedure("));
        let error = of("a TypeError should be raised at runtime: InvalidArgumentType");
        assert!(error.starts_with("Ok(Error("), "{error}");
    }

    #[test]
    fn the_line_says_which_orders_count() {
        let (counts, ignored) = (ListOrder::Counts, ListOrder::Ignored);
        for (line, row_order, list_order) in [
            ("the result should be, in any order:", RowOrder::Ignored, counts),
            ("the result should be, in order:", RowOrder::Counts, counts),
            (
                "the result should be (ignoring element order for lists):",
                RowOrder::Ignored,
                ignored,
            ),
            (
                "the result should be, in order (ignoring element order for lists):",
                RowOrder::Counts,
                ignored,
            ),
        ] {
            let own = step(line, None);
            let Ok(Step::Rows { rows, lists, .. }) = Step::of(&own) else { panic!("{line}") };
            assert_eq!((rows, lists), (row_order, list_order), "{line}");
        }
    }

    #[test]
    fn an_unknown_line_and_a_missing_text_are_errors() {
        let refused = Step::of(&step("it works", None)).map(|_| ()).expect_err("unknown");
        assert_eq!(refused, "there is no step `it works`");
        let refused = Step::of(&step("executing query:", None)).map(|_| ()).expect_err("no text");
        assert_eq!(refused, "`executing query:` has no text");
    }
}
