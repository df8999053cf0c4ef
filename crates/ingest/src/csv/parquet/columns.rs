//! The columns of a file: what each holds, and what is not read, by its name.

use super::cells::Cell;
use crate::csv::value::{ElementType, FieldType};
use crate::limits::PARQUET_COLUMNS_MAX;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, SchemaDescriptor};

/// A column of the table.
pub(super) struct Column {
    pub(super) name: String,
    /// Its type; `None` if it is left out.
    pub(super) kind: Option<FieldType>,
    pub(super) leaf: Option<Leaf>,
    /// What the user should know of its type.
    pub(super) note: Option<String>,
}

/// Where the values of a column are, and how they are written.
pub(super) struct Leaf {
    pub(super) number: usize,
    pub(super) descriptor: ColumnDescPtr,
    pub(super) cell: Cell,
}

/// The columns of a schema, but for those that are left out.
pub(super) fn columns_of(
    schema: &SchemaDescriptor,
    is_left_out: &dyn Fn(&str) -> bool,
) -> Result<Vec<Column>, String> {
    let fields = schema.root_schema().get_fields();
    let count = schema.num_columns().max(fields.len());
    if PARQUET_COLUMNS_MAX < count {
        return Err(format!("a table has at most {PARQUET_COLUMNS_MAX} columns, this one {count}"));
    }
    let mut leaves: Vec<Vec<usize>> = vec![Vec::new(); fields.len()];
    for number in 0..schema.num_columns() {
        leaves[schema.get_column_root_idx(number)].push(number);
    }
    let columns = fields.iter().zip(leaves).map(|(field, leaves)| {
        let name = field.name().to_owned();
        if is_left_out(&name) {
            return Ok(Column { name, kind: None, leaf: None, note: None });
        }
        let refuse = |what: &str| {
            format!(
                "the column '{name}' is {what}, which no property holds: leave it out (--types \
                 '{name}:IGNORE'), or write it as columns of its own"
            )
        };
        let number = match (&leaves[..], is_of_lists(field)) {
            ([number], _) if field.is_primitive() => *number,
            ([number], true) if schema.column(*number).max_rep_level() == 1 => *number,
            (_, true) => return Err(refuse("a list of lists or of structs")),
            _ if is_of_maps(field) => return Err(refuse("a map")),
            _ => return Err(refuse("a struct")),
        };
        let descriptor = schema.column(number);
        let (cell, element) = cell_of(&descriptor).map_err(|what| refuse(&what))?;
        let kind = FieldType { element, array: descriptor.max_rep_level() != 0 };
        let note = (matches!(cell, Cell::Decimal { .. }) && element == ElementType::String).then(|| {
            format!(
                "'{name}' holds decimals of {} digits, more than a double holds: they are loaded as text \
                 (--types '{name}:double' makes them doubles)",
                descriptor.type_precision()
            )
        });
        Ok(Column { name: name.clone(), kind: Some(kind), leaf: Some(Leaf { number, descriptor, cell }), note })
    });
    columns.collect()
}

fn is_of_lists(field: &parquet::schema::types::Type) -> bool {
    let info = field.get_basic_info();
    info.logical_type_ref() == Some(&LogicalType::List)
        || info.converted_type() == ConvertedType::LIST
}

fn is_of_maps(field: &parquet::schema::types::Type) -> bool {
    let info = field.get_basic_info();
    info.logical_type_ref() == Some(&LogicalType::Map)
        || matches!(info.converted_type(), ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE)
}

/// Units of a second, by the unit of a time.
fn per_second(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}

/// How the values of a column are written, and their type here.
fn cell_of(descriptor: &ColumnDescriptor) -> Result<(Cell, ElementType), String> {
    let physical = descriptor.physical_type();
    if let Some(logical) = descriptor.logical_type_ref() {
        let known = match (logical, physical) {
            (LogicalType::Integer(int), Physical::INT32 | Physical::INT64) => {
                Some((Cell::Integer { signed: int.is_signed }, ElementType::Integer))
            }
            (LogicalType::Date, Physical::INT32) => Some((Cell::Date, ElementType::Date)),
            (LogicalType::Time(time), Physical::INT32 | Physical::INT64) => {
                Some(time_of(per_second(&time.unit), time.is_adjusted_to_u_t_c))
            }
            (LogicalType::Timestamp(time), Physical::INT64) => {
                Some(timestamp_of(per_second(&time.unit), time.is_adjusted_to_u_t_c))
            }
            (LogicalType::Decimal(_), _) => Some(decimal_of(descriptor)?),
            (
                LogicalType::String | LogicalType::Enum | LogicalType::Json,
                Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY,
            ) => Some((Cell::Text, ElementType::String)),
            (LogicalType::Uuid, Physical::FIXED_LEN_BYTE_ARRAY) => {
                Some((Cell::Uuid, ElementType::String))
            }
            (LogicalType::Float16, Physical::FIXED_LEN_BYTE_ARRAY) => {
                Some((Cell::Half, ElementType::Double))
            }
            // Of a column of nulls, whose values no writer knew.
            (LogicalType::Unknown, _) => None,
            (other, _) => return Err(format!("of the type {other:?}")),
        };
        if let Some(known) = known {
            return Ok(known);
        }
    }
    Ok(match (descriptor.converted_type(), physical) {
        (ConvertedType::DATE, Physical::INT32) => (Cell::Date, ElementType::Date),
        (ConvertedType::TIME_MILLIS, Physical::INT32) => time_of(1_000, true),
        (ConvertedType::TIME_MICROS, Physical::INT64) => time_of(1_000_000, true),
        (ConvertedType::TIMESTAMP_MILLIS, Physical::INT64) => timestamp_of(1_000, true),
        (ConvertedType::TIMESTAMP_MICROS, Physical::INT64) => timestamp_of(1_000_000, true),
        (ConvertedType::DECIMAL, _) => decimal_of(descriptor)?,
        (ConvertedType::INTERVAL, Physical::FIXED_LEN_BYTE_ARRAY) => {
            (Cell::Interval, ElementType::Duration)
        }
        (ConvertedType::BSON, _) => return Err("BSON".into()),
        (
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64,
            Physical::INT32 | Physical::INT64,
        ) => (Cell::Integer { signed: false }, ElementType::Integer),
        (_, Physical::BOOLEAN) => (Cell::Boolean, ElementType::Boolean),
        (_, Physical::INT32 | Physical::INT64) => {
            (Cell::Integer { signed: true }, ElementType::Integer)
        }
        (_, Physical::INT96) => (Cell::Int96, ElementType::LocalDateTime),
        (_, Physical::FLOAT | Physical::DOUBLE) => (Cell::Float, ElementType::Double),
        // Text of writers that do not say so; bytes that are none are refused where they stand.
        (_, Physical::BYTE_ARRAY) => (Cell::Text, ElementType::String),
        (_, Physical::FIXED_LEN_BYTE_ARRAY) => return Err("bytes of a fixed length".into()),
    })
}

fn time_of(per_second: i64, utc: bool) -> (Cell, ElementType) {
    let element = if utc { ElementType::Time } else { ElementType::LocalTime };
    (Cell::Time { per_second, utc }, element)
}

fn timestamp_of(per_second: i64, utc: bool) -> (Cell, ElementType) {
    let element = if utc { ElementType::DateTime } else { ElementType::LocalDateTime };
    (Cell::Timestamp { per_second, utc }, element)
}

/// Digits that a double holds, whatever they are.
const DOUBLE_DIGITS: i32 = 15;

/// Digits of every whole number of 64 bits.
const LONG_DIGITS: i32 = 18;

fn decimal_of(descriptor: &ColumnDescriptor) -> Result<(Cell, ElementType), String> {
    let (precision, scale) = (descriptor.type_precision(), descriptor.type_scale());
    let Ok(digits) = u32::try_from(scale) else {
        return Err("a decimal of a negative scale".into());
    };
    let element = match (scale, precision) {
        (0, ..=LONG_DIGITS) => ElementType::Integer,
        (_, ..=DOUBLE_DIGITS) => ElementType::Double,
        _ => ElementType::String,
    };
    match precision {
        1..=38 => Ok((Cell::Decimal { scale: digits }, element)),
        _ => Err(format!("a decimal of {precision} digits")),
    }
}
