//! Codes of entries: a type tag and 64 bits, equal exactly for identical entries, whatever representation a batch chose.
//!
//! Numbers and ids are their own codes. A text has the number under which it was met first, so codes of texts are dense;
//! other values likewise. Keys of users are hashed with a seed of each run, so that none can be chosen to collide.

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use millrace_model::{Column, ColumnValues, Strings, Value, compare, query_limits};
use std::hash::BuildHasher;

use super::sizes::table_bytes;

/// A type tag and 64 bits: equal for identical entries only.
pub(crate) type Code = (u8, u64);

pub(super) const ABSENT: u8 = 0;
pub(super) const NULL: u8 = 1;
const VERTEX: u8 = 2;
const EDGE: u8 = 3;
const BOOL: u8 = 4;
const I64: u8 = 5;
const F64: u8 = 6;
const TEXT: u8 = 7;
const OTHER: u8 = 8;
const UNLIKE: u8 = 9;

/// Codes of entries of one column, over many batches.
#[derive(Default)]
pub(crate) struct Codes {
    texts: Texts,
    /// Values without a code of their own, and texts that found no room.
    others: HashMap<Value, u64>,
    /// Bytes that those point to.
    others_bytes: u64,
    unlike: u64,
}

/// Texts, each once, by number.
#[derive(Default)]
struct Texts {
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
    texts: Strings,
}

impl Texts {
    /// The number of a text that was met.
    fn find(&self, text: &[u8]) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        let number =
            self.numbers.find(hash, |number| self.texts.bytes_of(*number as usize) == text);
        number.copied()
    }

    /// The number of a text, given now if it is new; `None` if there is no room for it.
    #[inline]
    fn number(&mut self, text: &str) -> Option<u32> {
        let Texts { hasher, numbers, texts } = self;
        let hash = hasher.hash_one(text.as_bytes());
        let is_same = |number: &u32| texts.bytes_of(*number as usize) == text.as_bytes();
        let hash_of = |number: &u32| hasher.hash_one(texts.bytes_of(*number as usize));
        match numbers.entry(hash, is_same, hash_of) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(_) if !texts.fits(text.len()) => None,
            Entry::Vacant(free) => {
                let number = texts.len() as u32;
                free.insert(number);
                texts.push(text);
                Some(number)
            }
        }
    }

    fn bytes(&self) -> u64 {
        let table = table_bytes(self.numbers.len(), self.numbers.capacity(), size_of::<u32>());
        // Texts that grow have room for as much again.
        table + 2 * self.texts.byte_size() as u64
    }
}

impl Codes {
    /// Writes the code of every entry.
    pub(crate) fn of_column(&mut self, column: &Column, codes: &mut Vec<Code>) {
        codes.clear();
        match &column.values {
            ColumnValues::Vertex(entries) => codes.extend(entries.iter().map(|id| (VERTEX, id.0))),
            ColumnValues::Edge(entries) => codes.extend(entries.iter().map(|id| (EDGE, id.0))),
            ColumnValues::Bool(entries) => {
                codes.extend(entries.iter().map(|&bit| (BOOL, u64::from(bit))));
            }
            ColumnValues::I64(entries) => {
                codes.extend(entries.iter().map(|&int| (I64, int as u64)));
            }
            ColumnValues::F64(entries) => codes.extend(entries.iter().map(|x| (F64, x.to_bits()))),
            ColumnValues::String(entries) => {
                codes.extend(entries.iter().map(|text| self.of_text(text)));
            }
            ColumnValues::Value(entries) => {
                codes.extend(entries.iter().map(|value| self.of_value(value)));
            }
            ColumnValues::Path(paths) => {
                let paths = (0..paths.last.len()).map(|row| column.values.value(row));
                codes.extend(paths.map(|path| self.of_value(&path)));
            }
            ColumnValues::Bag(bags) => self.each_its_own(bags.views.len(), codes),
            ColumnValues::Fields(entries) => self.each_its_own(entries.len(), codes),
        }
        mark_missing(column, codes);
    }

    /// The same, where equivalent entries have one code.
    pub(crate) fn of_equivalent(&mut self, column: &Column, codes: &mut Vec<Code>) {
        match &column.values {
            ColumnValues::F64(_) | ColumnValues::Value(_) | ColumnValues::Path(_) => {}
            ColumnValues::Vertex(_)
            | ColumnValues::Edge(_)
            | ColumnValues::Bool(_)
            | ColumnValues::I64(_)
            | ColumnValues::String(_)
            | ColumnValues::Bag(_)
            | ColumnValues::Fields(_) => return self.of_column(column, codes),
        }
        codes.clear();
        let key = |row| match column.get(row) {
            Some(value) => compare::equivalence_key(&value),
            None => Value::Null,
        };
        codes.extend((0..column.len()).map(|row| self.of_value(&key(row))));
        mark_missing(column, codes);
    }

    /// Bags and fields have no identity to compare: each entry is a group of its own.
    fn each_its_own(&mut self, len: usize, codes: &mut Vec<Code>) {
        codes.extend((self.unlike..).take(len).map(|number| (UNLIKE, number)));
        self.unlike += len as u64;
    }

    /// The code of a text.
    #[inline]
    fn of_text(&mut self, text: &str) -> Code {
        match self.texts.number(text) {
            Some(number) => (TEXT, u64::from(number)),
            None => self.of_other(&Value::string(text)),
        }
    }

    /// The code of a value.
    pub(crate) fn of_value(&mut self, value: &Value) -> Code {
        if let Some(code) = own_code(value) {
            return code;
        }
        // A query that has ended wants no code: its next question raises the error.
        if query_limits::is_over(query_limits::work_of(value)) {
            return (NULL, 0);
        }
        match value {
            Value::String(text) => self.of_text(text),
            other => self.of_other(other),
        }
    }

    fn of_other(&mut self, value: &Value) -> Code {
        if let Some(&code) = self.others.get(value) {
            return (OTHER, code);
        }
        let code = self.others.len() as u64;
        self.others_bytes += value.heap_size() as u64;
        self.others.insert(value.clone(), code);
        (OTHER, code)
    }

    /// Forgets all values, keeping memory.
    pub(super) fn clear(&mut self) {
        self.texts.numbers.clear();
        self.texts.texts = Strings::default();
        self.others.clear();
        self.others_bytes = 0;
    }

    /// Bytes used, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        let entry = size_of::<(Value, u64)>();
        let others = table_bytes(self.others.len(), self.others.capacity(), entry);
        self.others_bytes + others + self.texts.bytes()
    }

    /// The codes of all entries, of those that were seen before.
    pub(super) fn find_column(&self, column: &Column, codes: &mut Vec<Option<Code>>) {
        codes.clear();
        match &column.values {
            ColumnValues::Vertex(entries) => {
                codes.extend(entries.iter().map(|id| Some((VERTEX, id.0))));
            }
            ColumnValues::Edge(entries) => {
                codes.extend(entries.iter().map(|id| Some((EDGE, id.0))));
            }
            ColumnValues::I64(entries) => {
                codes.extend(entries.iter().map(|&int| Some((I64, int as u64))));
            }
            ColumnValues::Bool(_)
            | ColumnValues::F64(_)
            | ColumnValues::String(_)
            | ColumnValues::Value(_)
            | ColumnValues::Path(_)
            | ColumnValues::Bag(_)
            | ColumnValues::Fields(_) => {
                let entry = |row| match column.get(row) {
                    Some(value) => self.find(&value),
                    None => Some((ABSENT, 0)),
                };
                codes.extend((0..column.len()).map(entry));
            }
        }
        for (bits, code) in [(&column.nulls, (NULL, 0)), (&column.absents, (ABSENT, 0))] {
            for index in bits.iter().flat_map(|bits| bits.ones()) {
                codes[index] = Some(code);
            }
        }
    }

    /// The code of a value if it was seen before: for set tests, which must not grow the set.
    pub(crate) fn find(&self, value: &Value) -> Option<Code> {
        if let Some(code) = own_code(value) {
            return Some(code);
        }
        let text = value.as_str().and_then(|text| self.texts.find(text.as_bytes()));
        match text {
            Some(number) => Some((TEXT, u64::from(number))),
            None => self.others.get(value).map(|&code| (OTHER, code)),
        }
    }
}

/// The code of a value that is its own.
fn own_code(value: &Value) -> Option<Code> {
    Some(match value {
        Value::Null => (NULL, 0),
        Value::Vertex(id) => (VERTEX, id.0),
        Value::Edge(id) => (EDGE, id.0),
        Value::Bool(bit) => (BOOL, u64::from(*bit)),
        Value::I64(int) => (I64, *int as u64),
        Value::F64(double) => (F64, double.to_bits()),
        _ => return None,
    })
}

fn mark_missing(column: &Column, codes: &mut [Code]) {
    for (bits, code) in [(&column.nulls, (NULL, 0)), (&column.absents, (ABSENT, 0))] {
        for index in bits.iter().flat_map(|bits| bits.ones()) {
            codes[index] = code;
        }
    }
}
