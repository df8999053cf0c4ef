//! Which function reads a type, and which writes a thing: the two tables of GraphBinary.

use millrace_model::property_values::plain_value;
use millrace_model::{Result, Value};

use super::super::datum::{self, Datum, graph_without_elements};
use super::code;
use super::reader::Reader;
use super::writer::Writer;

impl Reader<'_> {
    pub(super) fn is_known(&self, code: u8) -> bool {
        matches!(code, code::INT..=0x30 | code::CHAR..=0x8e | code::NULL)
    }

    /// The content behind a type code and its flag.
    pub(super) fn bare(&mut self, code: u8) -> Result<Datum> {
        let value = match code {
            code::INT => Value::I32(self.i32("an Int")?),
            code::LONG => Value::I64(self.i64("a Long")?),
            code::STRING => Value::String(self.text()?),
            code::DATE | code::TIMESTAMP => self.date()?,
            code::DOUBLE => Value::F64(f64::from_be_bytes(self.array("a Double")?)),
            code::FLOAT => Value::F32(f32::from_be_bytes(self.array("a Float")?)),
            code::UUID => Value::Uuid(self.array("a UUID")?),
            code::T => self.token()?,
            code::DIRECTION => self.direction()?,
            code::BIG_DECIMAL => self.big_decimal()?,
            code::BIG_INTEGER => self.big_integer()?,
            code::BYTE => Value::I8(i8::from_be_bytes(self.array("a Byte")?)),
            code::BYTE_BUFFER => self.byte_buffer()?,
            code::SHORT => Value::I16(i16::from_be_bytes(self.array("a Short")?)),
            code::BOOLEAN => self.boolean()?,
            code::CHAR => self.char()?,
            code::DURATION => self.duration()?,
            code::INSTANT => self.instant()?,
            code::LOCAL_DATE => Value::Date(self.local_date()?),
            code::LOCAL_DATE_TIME => self.local_date_time()?,
            code::LOCAL_TIME => self.local_time()?,
            code::OFFSET_DATE_TIME | code::ZONED_DATE_TIME => self.offset_date_time()?,
            code::OFFSET_TIME => self.offset_time()?,
            code::PERIOD => self.period()?,
            _ => return self.bare_structure(code),
        };
        Ok(Datum::Value(value))
    }

    fn bare_structure(&mut self, code: u8) -> Result<Datum> {
        match code {
            code::LIST => self.list().map(Datum::list),
            code::SET => self.list().map(Datum::set),
            code::MAP => self.map().map(Datum::map),
            code::BULK_SET => self.bulk_set(),
            code::EDGE => self.edge(),
            code::PATH => self.path(),
            code::PROPERTY => Ok(Datum::Property(Box::new(self.property()?))),
            code::GRAPH => self.graph(),
            code::VERTEX => self.vertex(),
            code::VERTEX_PROPERTY => self.vertex_property().map(Datum::VertexProperty),
            code::TREE => self.tree().map(Datum::Tree),
            code::TRAVERSER => self.traverser(),
            code::METRICS => Ok(Datum::Metrics(Box::new(self.metrics()?))),
            code::TRAVERSAL_METRICS => self.traversal_metrics(),
            code => self.bare_argument(code),
        }
    }
}

impl Writer {
    /// Writes something with its type in front.
    pub fn datum(&mut self, datum: &Datum) -> Result<()> {
        self.nested(|writer| writer.any_datum(datum))
    }

    fn any_datum(&mut self, datum: &Datum) -> Result<()> {
        match datum {
            Datum::Value(value) => return self.value(value),
            Datum::List(data) => self.typed(code::LIST).items(data, Writer::datum)?,
            Datum::Set(data) => self.typed(code::SET).items(data, Writer::datum)?,
            Datum::Map(pairs) => self.typed(code::MAP).pairs(pairs, Writer::datum)?,
            Datum::Vertex(vertex) => self.typed(code::VERTEX).vertex(vertex)?,
            Datum::Edge(edge) => self.typed(code::EDGE).edge(edge)?,
            Datum::VertexProperty(property) => {
                self.typed(code::VERTEX_PROPERTY).vertex_property(property)?;
            }
            Datum::Property(property) => {
                self.typed(code::PROPERTY).property(&property.0, &property.1)?;
            }
            Datum::Path(path) => self.typed(code::PATH).path(path)?,
            Datum::Tree(tree) => self.typed(code::TREE).tree(tree)?,
            Datum::BulkSet(items) => self.typed(code::BULK_SET).bulk_set(items)?,
            Datum::Graph(graph) => self.typed(code::GRAPH).graph(graph)?,
            Datum::Traverser(traverser) => self.typed(code::TRAVERSER).traverser(traverser)?,
            Datum::Metrics(metrics) => self.typed(code::METRICS).metrics(metrics)?,
            Datum::TraversalMetrics(metrics) => {
                self.typed(code::TRAVERSAL_METRICS).traversal_metrics(metrics)?;
            }
            Datum::Argument(argument) => return self.argument(argument),
        }
        Ok(())
    }

    /// Writes a value with its type in front.
    pub fn value(&mut self, value: &Value) -> Result<()> {
        self.nested(|writer| writer.any_value(value))
    }

    fn any_value(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Null => self.null(),
            Value::Bool(truth) => self.typed(code::BOOLEAN).put(&[u8::from(*truth)]),
            Value::I8(int) => self.typed(code::BYTE).put(&int.to_be_bytes()),
            Value::I16(int) => self.typed(code::SHORT).put(&int.to_be_bytes()),
            Value::I32(int) => self.typed(code::INT).put(&int.to_be_bytes()),
            Value::I64(int) => self.typed(code::LONG).put(&int.to_be_bytes()),
            Value::F32(double) => self.typed(code::FLOAT).put(&double.to_be_bytes()),
            Value::F64(double) => self.typed(code::DOUBLE).put(&double.to_be_bytes()),
            Value::Decimal(decimal) => self.decimal(**decimal)?,
            Value::String(text) => self.typed(code::STRING).text(text)?,
            Value::Bytes(bytes) => self.typed(code::BYTE_BUFFER).bytes(bytes)?,
            Value::Uuid(bytes) => self.typed(code::UUID).put(bytes),
            Value::Date(date) => self.typed(code::LOCAL_DATE).date(*date),
            Value::Time(time) => self.time(*time),
            Value::DateTime(timestamp) => self.timestamp(*timestamp, code::OFFSET_DATE_TIME)?,
            Value::ZonedDateTime(zoned) => self.timestamp(zoned.0, code::ZONED_DATE_TIME)?,
            Value::Duration(duration) => self.duration(value, duration)?,
            Value::Point(point) => self.point(point)?,
            // No version has a type for shapes: a map as GeoJSON has it.
            Value::Geometry(shape) => self.value(&shape.as_map())?,
            Value::List(values) => self.typed(code::LIST).items(values, Writer::value)?,
            Value::Vector(_) => self.value(&value.clone().vectors_as_lists())?,
            Value::Set(values) => self.typed(code::SET).items(values, Writer::value)?,
            Value::Map(pairs) => self.typed(code::MAP).pairs(pairs, Writer::value)?,
            Value::MapEntry(entry) => {
                self.typed(code::MAP).pairs(std::slice::from_ref(&**entry), Writer::value)?;
            }
            Value::Vertex(vertex) => self.vertex_reference(*vertex)?,
            Value::Edge(edge) => self.edge_reference(*edge)?,
            Value::Path(path) => self.typed(code::PATH).path(&datum::Path::from(&**path))?,
            Value::VertexProperty(property) => self.vertex_property_reference(property)?,
            Value::Property(property) => {
                self.typed(code::PROPERTY).property(&property.key, &property.value)?;
            }
            Value::Tree(tree) => self.typed(code::TREE).value_tree(tree)?,
            Value::Subgraph(_) => return Err(graph_without_elements()),
            Value::Token(token) => self.token(*token)?,
            entries @ Value::PropertyValues(_) => self.value(&plain_value(entries))?,
        }
        Ok(())
    }
}
