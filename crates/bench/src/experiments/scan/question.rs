//! A question in Cypher with the array code that answers it, and the check that both answers are the same.

use std::cmp::Ordering;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::packstream::Datum;

use crate::experiments::asked::AskedGraph;
use crate::experiments::measurement::Conditions;
use crate::limit::scans::{Answer, Cell};
use crate::measure;
use crate::report::{Row, Unit};

/// Sums in another order differ by less than this share.
const NEAR: f64 = 1e-9;

/// A question over arrays of a kind.
pub(super) struct Question<A> {
    /// In Cypher.
    pub(super) text: &'static str,
    /// On one thread.
    pub(super) arrays: fn(&A) -> Answer,
    /// Whether the rows have an order.
    pub(super) is_ordered: bool,
}

impl<A> Question<A> {
    /// A question with rows in any order.
    pub(super) const fn new(text: &'static str, arrays: fn(&A) -> Answer) -> Question<A> {
        Question { text, arrays, is_ordered: false }
    }

    /// The median times of a graph and of arrays in turn, once their answers are compared.
    pub(super) fn measure(
        &self,
        conditions: &Conditions,
        graph: &mut AskedGraph,
        arrays: &A,
    ) -> Result<Row> {
        let rows = self.check(graph, arrays)?;
        let request = [graph.request(self.text)?];
        let medians = measure::side_by_side(
            conditions.seconds,
            || graph.ask(&request, rows),
            || {
                std::hint::black_box((self.arrays)(std::hint::black_box(arrays)));
                Ok(())
            },
        )?;
        Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
    }

    /// How many rows the right answer has; an error if the graph has another.
    pub(super) fn check(&self, graph: &AskedGraph, arrays: &A) -> Result<u64> {
        let records = graph.records(self.text, &[])?;
        let found = records.iter().map(|record| cells(record)).collect::<Result<Answer>>()?;
        let (rows, expected) = (found.len() as u64, (self.arrays)(arrays));
        match self.is_ordered {
            true => same(self.text, &found, &expected)?,
            false => same_rows(self.text, found, expected)?,
        }
        Ok(rows)
    }
}

/// Whether an answer has the expected rows, in any order.
pub(super) fn same_rows(text: &str, mut found: Answer, mut expected: Answer) -> Result<()> {
    found.sort_by(order);
    expected.sort_by(order);
    same(text, &found, &expected)
}

/// Whether an answer is the expected one.
fn same(text: &str, found: &[Vec<Cell>], expected: &[Vec<Cell>]) -> Result<()> {
    if found.len() != expected.len() {
        let detail = format!("{text}: {} rows, by arrays {}", found.len(), expected.len());
        return Err(Error::new(ErrorKind::Bug, detail));
    }
    let differs = |(own, other): &(&Vec<Cell>, &Vec<Cell>)| {
        own.len() != other.len() || !own.iter().zip(*other).all(|(own, other)| is_same(own, other))
    };
    match found.iter().zip(expected).find(differs) {
        None => Ok(()),
        Some((own, other)) => {
            let detail = format!("{text}: {own:?}, by arrays {other:?}");
            Err(Error::new(ErrorKind::Bug, detail.chars().take(400).collect::<String>()))
        }
    }
}

fn is_same(own: &Cell, other: &Cell) -> bool {
    match (own, other) {
        (Cell::Double(own), Cell::Double(other)) => {
            (own - other).abs() <= NEAR * own.abs().max(other.abs())
        }
        (Cell::Ints(own), Cell::Ints(other)) => sorted(own) == sorted(other),
        (own, other) => own == other,
    }
}

fn sorted(numbers: &[i64]) -> Vec<i64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
}

/// By the first cell, which is a key where there are several rows.
fn order(own: &Vec<Cell>, other: &Vec<Cell>) -> Ordering {
    let text = |row: &Vec<Cell>| match row.first() {
        Some(Cell::Text(text)) => Some(text.clone()),
        Some(Cell::Int(_) | Cell::Double(_) | Cell::Ints(_)) | None => None,
    };
    let int = |row: &Vec<Cell>| match row.first() {
        Some(Cell::Int(int)) => Some(*int),
        Some(Cell::Text(_) | Cell::Double(_) | Cell::Ints(_)) | None => None,
    };
    int(own).cmp(&int(other)).then_with(|| text(own).cmp(&text(other)))
}

fn cells(record: &[Datum]) -> Result<Vec<Cell>> {
    record.iter().map(cell).collect()
}

fn cell(datum: &Datum) -> Result<Cell> {
    let cell = match datum {
        Datum::Value(Value::F64(number)) => Some(Cell::Double(*number)),
        Datum::Value(Value::List(list)) => {
            let ints: Option<Vec<i64>> = list.iter().map(Value::as_int).collect();
            ints.map(Cell::Ints)
        }
        datum => {
            let text = datum.as_str().map(|text| Cell::Text(text.to_owned()));
            datum.as_int().map(Cell::Int).or(text)
        }
    };
    cell.ok_or_else(|| Error::new(ErrorKind::Bug, format!("an answer has {datum:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_the_same_up_to_the_order_of_sums_and_lists() {
        let answer = |mean, list: &[i64]| {
            vec![vec![Cell::Text("x".into()), Cell::Double(mean), Cell::Ints(list.to_vec())]]
        };
        let right = answer(0.1 + 0.2, &[1, 2]);
        assert!(same("q", &answer(0.3, &[2, 1]), &right).is_ok());
        for wrong in [answer(0.301, &[1, 2]), answer(0.3, &[1, 2, 2]), Answer::new()] {
            assert!(same("q", &wrong, &right).unwrap_err().detail.starts_with("q: "));
        }
        let record = [Datum::Value(Value::I64(1)), Datum::Value(Value::Null)];
        assert!(cells(&record).unwrap_err().detail.contains("Null"));
        assert_eq!(cells(&record[..1]), Ok(vec![Cell::Int(1)]));
    }
}
