//! From things to JSON: types, collections, and which function writes which thing.
//!
//! In GraphSON 2 and without types a map is an object, so its keys become texts, an element's key its
//! id; a bulk set is an array that repeats each value as often as it occurs.

use millrace_model::geometry::geojson;
use millrace_model::property_values::plain_value;
use millrace_model::{Error, ErrorKind, Result, Value, parts, uuid};

use super::super::datum::{self, Datum, Tree, graph_without_elements};
use super::super::graphbinary::element::{edge_of, id_value, vertex_of};
use super::super::graphbinary::scalar::token_name;
use super::{Version, iso};
use crate::json::write_string;
use crate::limits::{ANSWER_NESTING_MAX, DATA_MAX};

/// Writes GraphSON.
pub(crate) struct Writer {
    written: String,
    pub(super) version: Version,
    depth: usize,
}

impl Writer {
    pub(crate) fn new(version: Version) -> Writer {
        Writer { written: String::new(), version, depth: 0 }
    }

    pub(crate) fn finish(self) -> String {
        self.written
    }

    /// JSON as it is.
    pub(crate) fn raw(&mut self, json: &str) {
        self.written.push_str(json);
    }

    pub(crate) fn string(&mut self, text: &str) {
        write_string(&mut self.written, text);
    }

    /// A key of an object, the first or a later one.
    pub(crate) fn key(&mut self, key: &str) {
        if !self.written.ends_with('{') {
            self.raw(",");
        }
        self.string(key);
        self.raw(":");
    }

    /// Writes a type's name, and its value behind it.
    pub(super) fn typed(&mut self, name: &str, write: impl FnOnce(&mut Writer)) {
        self.begin(name);
        write(self);
        self.end();
    }

    pub(super) fn typed_text(&mut self, name: &str, text: &str) {
        self.typed(name, |writer| writer.string(text));
    }

    /// The beginning of a typed value.
    pub(super) fn begin(&mut self, name: &str) {
        if self.version != Version::Untyped {
            self.raw("{\"@type\":");
            self.string(name);
            self.raw(",\"@value\":");
        }
    }

    pub(super) fn end(&mut self) {
        if self.version != Version::Untyped {
            self.raw("}");
        }
    }

    /// An array of things.
    pub(crate) fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Writer, T) -> Result<()>,
    ) -> Result<()> {
        self.raw("[");
        for (index, item) in items.into_iter().enumerate() {
            if 0 < index {
                self.raw(",");
            }
            write(self, item)?;
        }
        self.raw("]");
        Ok(())
    }

    /// An array that says it is a list or a set, where the version has such types.
    pub(super) fn collection<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Writer, T) -> Result<()>,
    ) -> Result<()> {
        if self.version != Version::V3 {
            return self.array(items, write);
        }
        self.begin(name);
        self.array(items, write)?;
        self.end();
        Ok(())
    }

    /// A map, in the form that the version has.
    pub(super) fn map<T>(
        &mut self,
        pairs: &[(T, T)],
        text: fn(&T) -> Result<String>,
        write: fn(&mut Writer, &T) -> Result<()>,
    ) -> Result<()> {
        if self.version == Version::V3 {
            let items = pairs.iter().flat_map(|(key, value)| [key, value]);
            return self.collection("g:Map", items, write);
        }
        self.raw("{");
        for (key, value) in pairs {
            self.key(&text(key)?);
            write(self, value)?;
        }
        self.raw("}");
        Ok(())
    }

    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if ANSWER_NESTING_MAX <= self.depth {
            let detail = format!("it nests deeper than {ANSWER_NESTING_MAX}");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    /// Writes a thing.
    pub(crate) fn datum(&mut self, datum: &Datum) -> Result<()> {
        self.nested(|writer| writer.any_datum(datum))
    }

    fn any_datum(&mut self, datum: &Datum) -> Result<()> {
        match datum {
            Datum::Value(value) => self.value(value),
            Datum::List(data) => self.collection("g:List", data, Writer::datum),
            Datum::Set(data) => self.collection("g:Set", data, Writer::datum),
            Datum::Map(pairs) => self.map(pairs, datum_text, Writer::datum),
            Datum::Vertex(vertex) => self.vertex(vertex),
            Datum::Edge(edge) => self.edge(edge),
            Datum::VertexProperty(property) => self.vertex_property(property),
            Datum::Property(property) => self.property(&property.0, &property.1),
            Datum::Path(path) => self.path(path),
            Datum::Tree(tree) => self.tree(tree),
            Datum::BulkSet(items) => self.bulk_set(items),
            Datum::Graph(graph) => self.graph(graph),
            Datum::Traverser(traverser) => self.traverser(traverser),
            Datum::Metrics(metrics) => self.metrics(metrics),
            Datum::TraversalMetrics(metrics) => self.traversal_metrics(metrics),
            Datum::Argument(argument) => self.argument(argument),
        }
    }

    /// Writes a value.
    pub(crate) fn value(&mut self, value: &Value) -> Result<()> {
        self.nested(|writer| writer.any_value(value))
    }

    fn any_value(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Null => self.raw("null"),
            Value::Bool(truth) => self.raw(if *truth { "true" } else { "false" }),
            Value::I8(int) => self.number("gx:Byte", int),
            Value::I16(int) => self.number("gx:Int16", int),
            Value::I32(int) => self.number("g:Int32", int),
            Value::I64(int) => self.number("g:Int64", int),
            Value::F32(double) => {
                self.double("g:Float", f64::from(*double), &format!("{double:?}"));
            }
            Value::F64(double) => self.double("g:Double", *double, &format!("{double:?}")),
            Value::Decimal(decimal) => self.decimal(**decimal),
            Value::String(text) => self.string(text),
            Value::Bytes(bytes) => self.bytes(bytes),
            Value::Uuid(bytes) => self.typed_text("g:UUID", &uuid::text(*bytes)),
            Value::Date(date) => self.typed_text("gx:LocalDate", &date.to_string()),
            Value::Time(time) => {
                let is_local = time.offset_seconds.is_none();
                let name = if is_local { "gx:LocalTime" } else { "gx:OffsetTime" };
                self.typed_text(name, &iso::padded(&time.to_string()));
            }
            Value::DateTime(timestamp) => self.timestamp(*timestamp, None)?,
            Value::ZonedDateTime(zoned) => self.timestamp(zoned.0, Some(&zoned.1))?,
            Value::Duration(duration) => self.duration(value, duration),
            // No version has a type for points, or for shapes: these are maps as GeoJSON has them.
            Value::Point(point) => self.string(&point.to_string()),
            Value::Geometry(shape) => self.value(&shape.as_map())?,
            Value::List(values) => self.collection("g:List", values.iter(), Writer::value)?,
            Value::Vector(_) => self.value(&value.clone().vectors_as_lists())?,
            Value::Set(values) => self.collection("g:Set", values.iter(), Writer::value)?,
            Value::Map(pairs) => self.map(pairs, value_text, Writer::value)?,
            Value::MapEntry(entry) => {
                self.map(std::slice::from_ref(&**entry), value_text, Writer::value)?;
            }
            Value::Vertex(vertex) => self.vertex(&vertex_of(id_value(vertex.0)))?,
            Value::Edge(edge) => self.edge(&edge_of(id_value(edge.0)))?,
            Value::Path(path) => self.path(&datum::Path::from(&**path))?,
            Value::VertexProperty(property) => {
                let detail = format!("the property {} is sent without its value", property.key);
                return Err(Error::new(ErrorKind::Unsupported, detail));
            }
            Value::Property(property) => self.property(&property.key, &property.value)?,
            Value::Tree(tree) => self.value_tree(tree)?,
            entries @ Value::PropertyValues(_) => self.value(&plain_value(entries))?,
            Value::Subgraph(_) => return Err(graph_without_elements()),
            Value::Token(token) => {
                let (family, name) = token_name(*token);
                self.typed_text(&format!("g:{family}"), name);
            }
        }
        Ok(())
    }

    pub(super) fn number(&mut self, name: &str, number: impl std::fmt::Display) {
        self.begin(name);
        self.raw(&number.to_string());
        self.end();
    }

    fn bulk_set(&mut self, items: &[(Datum, u64)]) -> Result<()> {
        if self.version == Version::V3 {
            self.begin("g:BulkSet");
            self.array(items, |writer, (datum, bulk)| {
                writer.datum(datum)?;
                writer.raw(",");
                writer.number("g:Int64", bulk);
                Ok(())
            })?;
            self.end();
            return Ok(());
        }
        let total = items.iter().try_fold(0u64, |total, (_, bulk)| total.checked_add(*bulk));
        if total.is_none_or(|total| DATA_MAX as u64 <= total) {
            let detail =
                format!("a bulk set of {DATA_MAX} items or more is sent by GraphSON 3 only");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        let each = items.iter().flat_map(|(datum, bulk)| (0..*bulk).map(move |_| datum));
        self.array(each, Writer::datum)
    }

    fn tree(&mut self, tree: &Tree) -> Result<()> {
        self.begin("g:Tree");
        self.array(&tree.branches, |writer, (key, below)| {
            writer.raw("{\"key\":");
            writer.datum(key)?;
            writer.raw(",\"value\":");
            writer.nested(|writer| writer.tree(below))?;
            writer.raw("}");
            Ok(())
        })?;
        self.end();
        Ok(())
    }

    fn value_tree(&mut self, tree: &parts::Tree) -> Result<()> {
        self.begin("g:Tree");
        self.array(&tree.branches, |writer, (key, below)| {
            writer.raw("{\"key\":");
            writer.value(key)?;
            writer.raw(",\"value\":");
            writer.nested(|writer| writer.value_tree(below))?;
            writer.raw("}");
            Ok(())
        })?;
        self.end();
        Ok(())
    }
}

/// The text of a key where only texts are keys.
fn datum_text(datum: &Datum) -> Result<String> {
    match datum {
        Datum::Value(value) => value_text(value),
        Datum::Vertex(vertex) => value_text(&vertex.id),
        Datum::Edge(edge) => value_text(&edge.id),
        Datum::VertexProperty(property) => value_text(&property.id),
        other => {
            let mut writer = Writer::new(Version::Untyped);
            writer.datum(other)?;
            Ok(writer.finish())
        }
    }
}

fn value_text(value: &Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.to_string()),
        Value::Vertex(vertex) => Ok(vertex.to_string()),
        Value::Edge(edge) => Ok(edge.to_string()),
        Value::Geometry(shape) => Ok(geojson::text(shape)),
        value => {
            let mut writer = Writer::new(Version::Untyped);
            writer.value(value)?;
            Ok(writer.finish().trim_matches('"').to_owned())
        }
    }
}
