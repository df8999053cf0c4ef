//! Property values of the edges of one run, by slot, filled in any order and never changed: a later
//! change is a record version.
//!
//! Cells take the type of their first value; a value of another type turns all of them into
//! plain values, so nothing loses its width.

use millrace_model::{Column, ColumnValues, Value};

use crate::base::limits::EDGE_RUN_BITS;

const LEN: usize = 1 << EDGE_RUN_BITS;

/// One key's values in one run.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    present: [u64; LEN / 64],
    values: Typed,
    /// Bytes that values point to.
    behind: usize,
}

#[derive(Clone, Debug)]
enum Typed {
    Bool(Box<[bool]>),
    I64(Box<[i64]>),
    F64(Box<[f64]>),
    Value(Box<[Value]>),
}

impl Typed {
    fn fitting(value: &Value) -> Typed {
        match value {
            Value::Bool(_) => Typed::Bool(vec![false; LEN].into_boxed_slice()),
            Value::I64(_) => Typed::I64(vec![0; LEN].into_boxed_slice()),
            Value::F64(_) => Typed::F64(vec![0.0; LEN].into_boxed_slice()),
            _ => Typed::Value(vec![Value::Null; LEN].into_boxed_slice()),
        }
    }

    fn get(&self, index: usize) -> Value {
        match self {
            Typed::Bool(cells) => Value::Bool(cells[index]),
            Typed::I64(cells) => Value::I64(cells[index]),
            Typed::F64(cells) => Value::F64(cells[index]),
            Typed::Value(cells) => cells[index].clone(),
        }
    }
}

impl Cells {
    /// No values yet, of the type that fits the first one.
    fn fitting(value: &Value) -> Cells {
        Cells { present: [0; LEN / 64], values: Typed::fitting(value), behind: 0 }
    }

    /// The value at a slot of the run; `None` where the edge has none.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        (self.present[index / 64] >> (index % 64) & 1 == 1).then(|| self.values.get(index))
    }

    fn set(&mut self, index: usize, value: Value) {
        self.present[index / 64] |= 1 << (index % 64);
        self.behind += value.heap_size();
        match (&mut self.values, value) {
            (Typed::Bool(cells), Value::Bool(truth)) => cells[index] = truth,
            (Typed::I64(cells), Value::I64(int)) => cells[index] = int,
            (Typed::F64(cells), Value::F64(double)) => cells[index] = double,
            (Typed::Value(cells), value) => cells[index] = value,
            (_, value) => {
                let mut cells: Box<[Value]> = (0..LEN).map(|at| self.values.get(at)).collect();
                cells[index] = value;
                self.values = Typed::Value(cells);
            }
        }
    }

    /// Takes the entry of a column, if it is not absent, into cells that may not exist yet.
    #[inline]
    pub(crate) fn fill(cells: &mut Option<Cells>, index: usize, column: &Column, row: usize) {
        if column.is_absent(row) {
            return;
        }
        if let (ColumnValues::F64(entries), false) = (&column.values, column.is_null(row))
            && let Some(Cells { present, values: Typed::F64(doubles), .. }) = cells
        {
            present[index / 64] |= 1 << (index % 64);
            doubles[index] = entries[row];
            return;
        }
        if let Some(value) = column.get(row) {
            cells.get_or_insert_with(|| Cells::fitting(&value)).set(index, value);
        }
    }

    /// Bytes beyond the cells themselves.
    pub(crate) fn byte_size(&self) -> usize {
        self.behind
            + match &self.values {
                Typed::Bool(cells) => cells.len(),
                Typed::I64(cells) => cells.len() * 8,
                Typed::F64(cells) => cells.len() * 8,
                Typed::Value(cells) => cells.len() * size_of::<Value>(),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_every_type_in_any_order() {
        let column = Column::from_values([Value::F64(1.5), Value::F64(2.5)]);
        let mixed = Column::from_values([Value::Null, Value::from("x"), Value::I32(7)]);
        let mut cells = None;
        Cells::fill(&mut cells, 1_023, &column, 1);
        Cells::fill(&mut cells, 0, &column, 0);
        for row in 0..3 {
            Cells::fill(&mut cells, 500 + row, &mixed, row);
        }
        let cells = cells.unwrap();
        assert_eq!(cells.get(0), Some(Value::F64(1.5)));
        assert_eq!(cells.get(1_023), Some(Value::F64(2.5)));
        assert_eq!(cells.get(500), Some(Value::Null));
        assert_eq!(cells.get(501), Some(Value::from("x")));
        assert_eq!(cells.get(502), Some(Value::I32(7)));
        assert_eq!(cells.get(1), None);
    }
}
