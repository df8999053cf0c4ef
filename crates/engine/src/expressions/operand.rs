//! The result of an expression: a column, or one value for all rows.

use std::sync::Arc;

use millrace_model::{Bits, Column, ColumnValues, Strings, Value};

/// Bytes of a text that is repeated as it is; a longer one is shared by the rows.
const COPIED_BYTES_MAX: usize = 1 << 20;

/// A column, or one value that stands for a column of any length.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Column(Arc<Column>),
    Constant(Value),
}

impl Operand {
    pub(crate) fn of(column: Column) -> Operand {
        Operand::Column(Arc::new(column))
    }

    /// Truths, three-valued: `None` is unknown.
    pub(crate) fn truths(truths: impl ExactSizeIterator<Item = Option<bool>>) -> Operand {
        let len = truths.len();
        let mut nulls: Option<Bits> = None;
        let bits = truths
            .enumerate()
            .map(|(index, truth)| {
                if truth.is_none() {
                    nulls.get_or_insert_with(|| Bits::unset(len)).insert(index);
                }
                truth.unwrap_or(false)
            })
            .collect();
        Operand::of(Column { values: ColumnValues::Bool(bits), nulls, absents: None })
    }

    /// The entry of a row; `None` is absent.
    pub(crate) fn get(&self, row: usize) -> Option<Value> {
        match self {
            Operand::Column(column) => column.get(row),
            Operand::Constant(value) => Some(value.clone()),
        }
    }

    /// Whether the entry of a row is absent.
    pub(crate) fn is_absent(&self, row: usize) -> bool {
        match self {
            Operand::Column(column) => column.is_absent(row),
            Operand::Constant(_) => false,
        }
    }

    /// The entry of a row, absent read as null.
    pub(crate) fn value(&self, row: usize) -> Value {
        self.get(row).unwrap_or_default()
    }

    /// Whether no entry is null or absent.
    pub(crate) fn is_complete(&self) -> bool {
        match self {
            Operand::Column(column) => column.nulls.is_none() && column.absents.is_none(),
            Operand::Constant(value) => !value.is_null(),
        }
    }

    /// As a column of `len` entries.
    pub(crate) fn into_column(self, len: usize) -> Arc<Column> {
        match self {
            Operand::Column(column) => column,
            Operand::Constant(value) => Arc::new(repeat(&value, len)),
        }
    }
}

fn repeat(value: &Value, len: usize) -> Column {
    match value {
        Value::Null => crate::rows::nulls(len),
        Value::Vertex(vertex) => Column::vertices(vec![*vertex; len]),
        Value::Edge(edge) => Column::edges(vec![*edge; len]),
        Value::Bool(truth) => Column::of(ColumnValues::Bool(vec![*truth; len])),
        Value::I64(int) => Column::of(ColumnValues::I64(vec![*int; len])),
        Value::F64(double) => Column::of(ColumnValues::F64(vec![*double; len])),
        Value::String(text) if text.len().saturating_mul(len) < COPIED_BYTES_MAX => {
            let texts: Strings = std::iter::repeat_n(&**text, len).collect();
            Column::of(ColumnValues::String(texts))
        }
        other => Column::of(ColumnValues::Value(vec![other.clone(); len])),
    }
}
