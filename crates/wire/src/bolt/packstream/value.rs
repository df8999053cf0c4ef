//! Values as PackStream, with the elements in them detached. The forms are listed at the head of the folder.

use millrace_model::detached::DetachedElements;
use millrace_model::geometry::geojson;
use millrace_model::property_values::each_value;
use millrace_model::{
    Column, ColumnValues, Decimal, Error, ErrorKind, Result, Subgraph, Token, Tree, Value, uuid,
};

use super::numeric_id;
use super::writer::Writer;
use crate::limits::ANSWER_NESTING_MAX;

impl Writer<'_> {
    /// Writes a value.
    pub fn value(&mut self, value: &Value, elements: &DetachedElements) -> Result<()> {
        match value {
            Value::Null => self.null(),
            Value::Bool(truth) => self.bool(*truth),
            Value::I8(int) => self.int(i64::from(*int)),
            Value::I16(int) => self.int(i64::from(*int)),
            Value::I32(int) => self.int(i64::from(*int)),
            Value::I64(int) => self.int(*int),
            Value::F32(float) => self.float(f64::from(*float)),
            Value::F64(float) => self.float(*float),
            Value::Decimal(decimal) => self.decimal(**decimal),
            Value::String(text) => self.string(text)?,
            Value::Bytes(bytes) => self.bytes(bytes)?,
            Value::Uuid(bytes) => self.string(&uuid::text(*bytes))?,
            Value::Date(date) => self.date(*date),
            Value::Time(time) => self.time(*time),
            Value::DateTime(at) => self.date_time(*at),
            Value::ZonedDateTime(zoned) => self.date_time_in_zone(zoned.0, &zoned.1)?,
            Value::Duration(duration) => self.duration(duration),
            Value::Point(point) => self.point(point)?,
            Value::Geometry(shape) => self.value(&shape.as_map(), elements)?,
            Value::List(values) | Value::Set(values) => self.values(values, elements)?,
            Value::Vector(_) => self.value(&value.clone().vectors_as_lists(), elements)?,
            Value::Map(pairs) => self.nested(|writer| writer.pairs(pairs, elements))?,
            Value::Vertex(vertex) => self.vertex(*vertex, elements)?,
            Value::Edge(edge) => self.edge(*edge, elements)?,
            Value::Path(path) => self.nested(|writer| writer.path(path, elements))?,
            Value::VertexProperty(property) => match elements.properties.get(&**property) {
                Some(own) => self.value(&own.value, elements)?,
                None => self.null(),
            },
            Value::Property(property) => {
                let (key, value) = (&property.key, &property.value);
                self.nested(|writer| writer.only(key, value, elements))?;
            }
            Value::Tree(tree) => self.nested(|writer| writer.tree(tree, elements))?,
            Value::Token(token) => self.string(token_text(*token))?,
            Value::PropertyValues(_) => {
                let values: Vec<Value> = each_value(value).cloned().collect();
                self.values(&values, elements)?;
            }
            Value::Subgraph(part) => self.subgraph(part, elements)?,
            Value::MapEntry(entry) => {
                let (key, value) = &**entry;
                let key = key_text(key, elements);
                self.nested(|writer| writer.only(&key, value, elements))?;
            }
        }
        Ok(())
    }

    /// Writes an entry of a column; null where there is none.
    pub fn entry(&mut self, column: &Column, row: usize) -> Result<()> {
        if column.is_null(row) || column.is_absent(row) {
            self.null();
            return Ok(());
        }
        match &column.values {
            ColumnValues::Bool(bits) => self.bool(bits[row]),
            ColumnValues::I64(ints) => self.int(ints[row]),
            ColumnValues::F64(doubles) => self.float(doubles[row]),
            ColumnValues::String(texts) => self.string(texts.get(row))?,
            others => self.value(&others.value(row), &DetachedElements::default())?,
        }
        Ok(())
    }

    /// Writes values as a list.
    pub(super) fn values(&mut self, values: &[Value], elements: &DetachedElements) -> Result<()> {
        self.nested(|writer| {
            writer.list(values.len())?;
            values.iter().try_for_each(|value| writer.value(value, elements))
        })
    }

    fn pairs(&mut self, pairs: &[(Value, Value)], elements: &DetachedElements) -> Result<()> {
        self.map(pairs.len())?;
        pairs.iter().try_for_each(|(key, value)| {
            match key {
                Value::String(key) => self.string(key)?,
                other => self.string(&key_text(other, elements))?,
            }
            self.value(value, elements)
        })
    }

    /// A map of one.
    fn only(&mut self, key: &str, value: &Value, elements: &DetachedElements) -> Result<()> {
        self.map(1)?;
        self.string(key)?;
        self.value(value, elements)
    }

    fn decimal(&mut self, decimal: Decimal) {
        match i64::try_from(decimal.unscaled) {
            Ok(int) if decimal.scale == 0 => self.int(int),
            Ok(_) | Err(_) => self.float(decimal.to_f64()),
        }
    }

    fn tree(&mut self, tree: &Tree, elements: &DetachedElements) -> Result<()> {
        self.list(tree.branches.len())?;
        tree.branches.iter().try_for_each(|(value, below)| {
            self.map(2)?;
            self.string("value")?;
            self.value(value, elements)?;
            self.string("branches")?;
            self.nested(|writer| writer.tree(below, elements))
        })
    }

    fn subgraph(&mut self, part: &Subgraph, elements: &DetachedElements) -> Result<()> {
        self.map(2)?;
        self.string("nodes")?;
        self.list(part.vertices().len())?;
        part.vertices().iter().try_for_each(|vertex| self.vertex(*vertex, elements))?;
        self.string("relationships")?;
        self.list(part.edges().len())?;
        part.edges().iter().try_for_each(|edge| self.edge(*edge, elements))
    }

    /// Goes one level deeper, if it may.
    fn nested(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if ANSWER_NESTING_MAX <= self.depth {
            let detail = format!("a result nests deeper than {ANSWER_NESTING_MAX}");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }
}

fn token_text(token: Token) -> &'static str {
    use millrace_model::Direction;
    match token {
        Token::Id => "id",
        Token::Label => "label",
        Token::Key => "key",
        Token::Value => "value",
        Token::End(Direction::Out) => "OUT",
        Token::End(Direction::In) => "IN",
        Token::End(Direction::Both) => "BOTH",
    }
}

/// A key of a map as text: of an element its id.
fn key_text(key: &Value, elements: &DetachedElements) -> String {
    let float = |float: f64| if float == 0.0 { "0.0".to_owned() } else { format!("{float:?}") };
    match key {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::F32(own) => float(f64::from(*own)),
        Value::F64(own) => float(*own),
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => time.to_string(),
        Value::Duration(duration) => duration.to_string(),
        Value::Token(token) => token_text(*token).to_owned(),
        Value::Vertex(vertex) => match elements.vertices.get(vertex) {
            Some(own) => numeric_id::text_of(&own.id),
            None => vertex.to_string(),
        },
        Value::Edge(edge) => match elements.edges.get(edge) {
            Some(own) => numeric_id::text_of(&own.id),
            None => edge.to_string(),
        },
        Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::String(_)
        | Value::Uuid(_) => numeric_id::text_of(key),
        Value::Geometry(shape) => geojson::text(shape),
        Value::Bytes(_)
        | Value::DateTime(_)
        | Value::ZonedDateTime(_)
        | Value::Point(_)
        | Value::List(_)
        | Value::Vector(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Path(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::PropertyValues(_)
        | Value::Subgraph(_)
        | Value::MapEntry(_) => format!("{key:?}"),
    }
}
