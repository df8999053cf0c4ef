//! A graph as text: vertices by place, counted from 1, then edges by source, type and target. Behind `#`
//! is an id that is a text, and of an edge any that was chosen.

use millrace_model::geometry::geojson;
use millrace_model::temporal::{Seconds, text};
use millrace_model::{Catalog, Value, VertexId};
use millrace_store::{EdgeRows, Elements, ScanCursor, Store};
use std::fmt::Write;

/// Everything in a small graph.
pub(crate) fn dump(store: &dyn Store) -> String {
    let snapshot = store.snapshot().unwrap();
    let catalog = snapshot.catalog();
    let mut vertices = Vec::new();
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1000, &mut vertices).unwrap();
    }
    let labels = snapshot.labels(&vertices).unwrap();
    let fields = snapshot.fields(Elements::Vertices(&vertices)).unwrap();
    let ids = snapshot.external_id_values(Elements::Vertices(&vertices)).unwrap();
    let text_id = |row: usize| match ids.as_ref().and_then(|ids| ids.get(row)) {
        Some(Value::String(id)) => format!("#{id:?}"),
        _ => String::new(),
    };
    let mut text = String::new();
    let number = |vertex: &VertexId| vertices.binary_search(vertex).unwrap() + 1;
    for (row, ((vertex, labels), fields)) in vertices.iter().zip(labels).zip(fields).enumerate() {
        let vertex = number(vertex);
        let labels =
            labels.iter().map(|label| format!(":{}", catalog.labels.name(label.0).unwrap()));
        let mut labels: Vec<_> = labels.collect();
        labels.sort();
        let pairs = fields.iter().map(|field| (field.key.0, &field.value));
        let (labels, id) = (labels.concat(), text_id(row));
        writeln!(text, "({vertex}{labels}{id}{})", properties(&catalog, pairs)).unwrap();
    }
    let mut rows = EdgeRows::default();
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, 1000, &mut rows).unwrap();
    }
    let fields = snapshot.fields(Elements::Edges(&rows.edges)).unwrap();
    let ids = snapshot.external_id_values(Elements::Edges(&rows.edges)).unwrap();
    let chosen_id = |row: usize| match ids.as_ref().and_then(|ids| ids.get(row)) {
        Some(Value::I64(id)) if id as u64 == rows.edges[row].0 => String::new(),
        Some(id) => format!("#{}", show(&id)),
        None => String::new(),
    };
    let mut lines: Vec<_> = (0..rows.edges.len())
        .map(|row| {
            let edge_type = catalog.edge_types.name(rows.types[row].0).unwrap();
            let pairs = fields[row].iter().map(|field| (field.key.0, &field.value));
            let (source, target) = (number(&rows.sources[row]), number(&rows.targets[row]));
            let (id, own) = (chosen_id(row), properties(&catalog, pairs));
            format!("({source})-[{edge_type}{id}{own}]->({target})\n")
        })
        .collect();
    lines.sort();
    text + &lines.concat()
}

fn properties<'a>(catalog: &Catalog, pairs: impl Iterator<Item = (u32, &'a Value)>) -> String {
    let show = |(key, value)| format!("{}: {}", catalog.keys.name(key).unwrap(), show(value));
    let mut shown: Vec<_> = pairs.map(show).collect();
    shown.sort();
    if shown.is_empty() { String::new() } else { format!(" {{{}}}", shown.join(", ")) }
}

fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::F64(value) => format!("{value:?}"),
        Value::String(value) => format!("{value:?}"),
        Value::Date(value) => value.to_string(),
        Value::Time(value) => value.to_string(),
        Value::DateTime(value) => value.to_string(),
        Value::ZonedDateTime(_) => text(value, Seconds::Always).unwrap(),
        Value::Duration(value) => value.to_string(),
        Value::Point(value) => format!("point({}, {:?})", value.srid, value.coordinates),
        Value::Geometry(shape) => format!("geometry({})", geojson::text(shape)),
        Value::Vector(values) => format!("vector {values:?}"),
        Value::List(values) => {
            format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Value::I8(_) | Value::I16(_) | Value::I32(_) => {
            format!("{} {}", value.type_name(), value.as_int().unwrap())
        }
        Value::F32(value) => format!("float {value:?}"),
        Value::Decimal(value) => format!("decimal {value}"),
        Value::Uuid(bytes) => format!("uuid {:032x}", u128::from_be_bytes(*bytes)),
        Value::Set(values) => {
            format!("{{{}}}", values.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{}={}", show(key), show(value)));
            format!("map({})", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::PropertyValues(property) => {
            let values = property.values().iter().map(|one| {
                let own = one.meta.iter().map(|(key, value)| format!(" {key}={}", show(value)));
                format!("{}{}", show(&one.value), own.collect::<String>())
            });
            format!("values({})", values.collect::<Vec<_>>().join(", "))
        }
        other => panic!("no file holds a {}", other.type_name()),
    }
}

/// Everything in a small graph, without ids: a vertex is named by its content. For comparing graphs
/// that were made in different orders.
pub(crate) fn by_name(store: &dyn Store) -> String {
    let text = dump(store);
    let (vertices, edges): (Vec<_>, Vec<_>) = text.lines().partition(|line| !line.contains(")-["));
    let content = |line: &str| {
        let end = line.find([':', ' ', ')']).unwrap();
        (line[1..end].to_owned(), line[end..line.len() - 1].to_owned())
    };
    let names: std::collections::HashMap<String, String> =
        vertices.iter().map(|line| content(line)).collect();
    let mut lines: Vec<String> =
        vertices.iter().map(|line| format!("({}", content(line).1)).collect();
    lines.extend(edges.iter().map(|line| {
        let (source, rest) = line[1..].split_once(')').unwrap();
        let (middle, target) = rest.rsplit_once('(').unwrap();
        let target = target.trim_end_matches(')');
        format!("({}){middle}({})", names[source], names[target])
    }));
    lines.sort();
    lines.join("\n")
}
