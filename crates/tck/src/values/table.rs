//! The rows of an answer beside those that a step's table expects.
//!
//! The head of the table has the names of the columns. Rows are compared in order or as a bag, as the step says.

use super::compare::in_any_order;
use super::{ListOrder, Value, matches, parse};

/// Rows of cells of a feature file.
pub(crate) type Table = Vec<Vec<String>>;

/// The rows that a query rereversed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// Whether the order of rows counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOrder {
    Counts,
    Ignored,
}

/// Rows of a message about a difference.
const ROWS_SHOWN: usize = 5;

/// Fails with both tables if the answer is not the expected one.
pub(crate) fn compare(
    table: &[Vec<String>],
    answer: &Answer,
    rows: RowOrder,
    lists: ListOrder,
) -> Result<(), String> {
    let (head, body) = table.split_first().ok_or("the step has no table")?;
    if *head != answer.columns {
        let (expected, actual) = (head.join(" | "), answer.columns.join(" | "));
        return Err(format!("expected the columns | {expected} |, not | {actual} |"));
    }
    let expected: Vec<Vec<Value>> = body
        .iter()
        .map(|row| row.iter().map(|cell| parse(cell)).collect())
        .collect::<Result<_, _>>()?;
    let is_equal = |expected: &Vec<Value>, actual: &Vec<Value>| {
        expected.len() == actual.len()
            && expected
                .iter()
                .zip(actual)
                .all(|(expected, actual)| matches(expected, actual, lists))
    };
    let equal = match rows {
        RowOrder::Ignored => in_any_order(&expected, &answer.rows, is_equal),
        RowOrder::Counts => {
            expected.len() == answer.rows.len()
                && expected.iter().zip(&answer.rows).all(|(row, own)| is_equal(row, own))
        }
    };
    if equal {
        return Ok(());
    }
    Err(format!("expected {}, not {}", shown(&expected), shown(&answer.rows)))
}

fn shown(rows: &[Vec<Value>]) -> String {
    let row = |row: &Vec<Value>| {
        let cells: Vec<String> = row.iter().map(Value::to_string).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().take(ROWS_SHOWN).map(row).collect();
    if ROWS_SHOWN < rows.len() {
        lines.push(format!("… {} rows", rows.len()));
    }
    if lines.is_empty() { "no rows".to_owned() } else { lines.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    fn answer(columns: &[&str], rows: &[&[&str]]) -> Answer {
        let values = |row: &&[&str]| row.iter().map(|cell| parse(cell).expect("a value")).collect();
        Answer {
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            rows: rows.iter().map(values).collect(),
        }
    }

    #[test]
    fn rows_are_compared_in_order_or_as_a_bag() {
        let wanted = table(&[&["a", "b"], &["1", "'x'"], &["2", "null"]]);
        let reversed = answer(&["a", "b"], &[&["2", "null"], &["1", "'x'"]]);
        let lists = ListOrder::Counts;
        assert_eq!(compare(&wanted, &reversed, RowOrder::Ignored, lists), Ok(()));
        let refused = compare(&wanted, &reversed, RowOrder::Counts, lists).expect_err("reversed");
        assert_eq!(refused, "expected | 1 | 'x' | | 2 | null |, not | 2 | null | | 1 | 'x' |");
        let twice = answer(&["a", "b"], &[&["1", "'x'"], &["1", "'x'"]]);
        assert!(compare(&wanted, &twice, RowOrder::Ignored, lists).is_err());
    }

    #[test]
    fn columns_and_the_number_of_rows_count() {
        let wanted = table(&[&["a"]]);
        let lists = ListOrder::Counts;
        assert_eq!(compare(&wanted, &answer(&["a"], &[]), RowOrder::Counts, lists), Ok(()));
        assert!(compare(&wanted, &answer(&["b"], &[]), RowOrder::Counts, lists).is_err());
        let many: Vec<&[&str]> = vec![&["1"]; 7];
        let refused = compare(&wanted, &answer(&["a"], &many), RowOrder::Ignored, lists);
        assert!(refused.expect_err("too many").ends_with("… 7 rows"));
        assert!(compare(&[], &answer(&["a"], &[]), RowOrder::Ignored, lists).is_err());
    }

    #[test]
    fn lists_may_be_compared_without_order() {
        let wanted = table(&[&["a"], &["[1, 2]"]]);
        let reversed = answer(&["a"], &[&["[2, 1]"]]);
        assert!(compare(&wanted, &reversed, RowOrder::Counts, ListOrder::Counts).is_err());
        assert_eq!(compare(&wanted, &reversed, RowOrder::Counts, ListOrder::Ignored), Ok(()));
    }
}
