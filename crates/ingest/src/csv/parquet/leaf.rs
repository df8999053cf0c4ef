//! The values of one column of a row group, some rows at a time.

use super::cells::{Cell, Raw};
use super::columns::Leaf;
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};

/// A column that is read.
pub(super) struct LeafReader {
    values: Values,
    cell: Cell,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    definition_max: i16,
    /// The definition level of a list that is there and has an element; 0 for a column without lists.
    list_level: i16,
    is_list: bool,
    /// The next level and the next value.
    level_at: usize,
    value_at: usize,
}

/// The field of a row.
pub(super) enum Field {
    Absent,
    /// One value, as text.
    One,
    /// A list; each element is text, or absent.
    List,
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

enum Values {
    Bool(Typed<BoolType>),
    Int32(Typed<Int32Type>),
    Int64(Typed<Int64Type>),
    Int96(Typed<Int96Type>),
    Float(Typed<FloatType>),
    Double(Typed<DoubleType>),
    Bytes(Typed<ByteArrayType>),
    Fixed(Typed<FixedLenByteArrayType>),
}

impl<T: DataType> Typed<T> {
    fn new(reader: ColumnReaderImpl<T>) -> Self {
        Self { reader, values: Vec::new() }
    }

    fn fill(&mut self, rows: usize, levels: [&mut Vec<i16>; 2]) -> Result<()> {
        let [definitions, repetitions] = levels;
        self.values.clear();
        let mut read = 0;
        while read < rows {
            let (more, ..) = self.reader.read_records(
                rows - read,
                Some(&mut *definitions),
                Some(&mut *repetitions),
                &mut self.values,
            )?;
            if more == 0 {
                return Err(ParquetError::EOF("a column has fewer rows than its row group".into()));
            }
            read += more;
        }
        Ok(())
    }
}

impl Values {
    fn of(reader: ColumnReader) -> Self {
        match reader {
            ColumnReader::BoolColumnReader(reader) => Self::Bool(Typed::new(reader)),
            ColumnReader::Int32ColumnReader(reader) => Self::Int32(Typed::new(reader)),
            ColumnReader::Int64ColumnReader(reader) => Self::Int64(Typed::new(reader)),
            ColumnReader::Int96ColumnReader(reader) => Self::Int96(Typed::new(reader)),
            ColumnReader::FloatColumnReader(reader) => Self::Float(Typed::new(reader)),
            ColumnReader::DoubleColumnReader(reader) => Self::Double(Typed::new(reader)),
            ColumnReader::ByteArrayColumnReader(reader) => Self::Bytes(Typed::new(reader)),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => Self::Fixed(Typed::new(reader)),
        }
    }

    fn fill(&mut self, rows: usize, levels: [&mut Vec<i16>; 2]) -> Result<()> {
        match self {
            Self::Bool(typed) => typed.fill(rows, levels),
            Self::Int32(typed) => typed.fill(rows, levels),
            Self::Int64(typed) => typed.fill(rows, levels),
            Self::Int96(typed) => typed.fill(rows, levels),
            Self::Float(typed) => typed.fill(rows, levels),
            Self::Double(typed) => typed.fill(rows, levels),
            Self::Bytes(typed) => typed.fill(rows, levels),
            Self::Fixed(typed) => typed.fill(rows, levels),
        }
    }

    fn get(&self, at: usize) -> Option<Raw<'_>> {
        Some(match self {
            Self::Bool(typed) => Raw::Boolean(*typed.values.get(at)?),
            Self::Int32(typed) => Raw::Int32(*typed.values.get(at)?),
            Self::Int64(typed) => Raw::Int64(*typed.values.get(at)?),
            Self::Int96(typed) => Raw::Int96(typed.values.get(at)?.data()),
            Self::Float(typed) => Raw::Float(f64::from(*typed.values.get(at)?)),
            Self::Double(typed) => Raw::Float(*typed.values.get(at)?),
            Self::Bytes(typed) => Raw::Bytes(typed.values.get(at)?.data()),
            Self::Fixed(typed) => Raw::Bytes(typed.values.get(at)?.data()),
        })
    }
}

/// A value that its levels announce is missing.
fn missing() -> String {
    "has fewer values than rows: the file is damaged".into()
}

impl LeafReader {
    pub(super) fn new(leaf: &Leaf, pages: Box<dyn PageReader>) -> Self {
        let descriptor = &leaf.descriptor;
        Self {
            values: Values::of(get_column_reader(descriptor.clone(), pages)),
            cell: leaf.cell,
            definitions: Vec::new(),
            repetitions: Vec::new(),
            definition_max: descriptor.max_def_level(),
            list_level: descriptor.repeated_ancestor_def_level(),
            is_list: descriptor.max_rep_level() != 0,
            level_at: 0,
            value_at: 0,
        }
    }

    /// Reads the next rows.
    pub(super) fn fill(&mut self, rows: usize) -> Result<()> {
        self.definitions.clear();
        self.repetitions.clear();
        (self.level_at, self.value_at) = (0, 0);
        self.values.fill(rows, [&mut self.definitions, &mut self.repetitions])
    }

    /// Takes the field of the next row: its value, or its elements, each behind the other in `text`, with the
    /// ends in `ends` (`None`: an absent element).
    pub(super) fn next(
        &mut self,
        text: &mut String,
        ends: &mut Vec<Option<usize>>,
    ) -> std::result::Result<Field, String> {
        text.clear();
        ends.clear();
        if !self.is_list {
            if self.definition_max != 0 {
                let level = *self.definitions.get(self.level_at).ok_or_else(missing)?;
                self.level_at += 1;
                if level != self.definition_max {
                    return Ok(Field::Absent);
                }
            }
            self.write(text)?;
            return Ok(Field::One);
        }
        let first = *self.definitions.get(self.level_at).ok_or_else(missing)?;
        if first < self.list_level {
            self.level_at += 1;
            let is_empty = first + 1 == self.list_level;
            return Ok(if is_empty { Field::List } else { Field::Absent });
        }
        loop {
            let level = *self.definitions.get(self.level_at).ok_or_else(missing)?;
            self.level_at += 1;
            if level == self.definition_max {
                self.write(text)?;
                ends.push(Some(text.len()));
            } else {
                ends.push(None);
            }
            if self.repetitions.get(self.level_at).is_none_or(|level| *level == 0) {
                return Ok(Field::List);
            }
        }
    }

    fn write(&mut self, text: &mut String) -> std::result::Result<(), String> {
        let raw = self.values.get(self.value_at).ok_or_else(missing)?;
        self.value_at += 1;
        self.cell.write(raw, text)
    }
}
