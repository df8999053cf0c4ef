//! Values of the wire as values of results, and parameters the other way.
//!
//! Dates and times become their texts, since scenarios write them so.

use std::sync::Arc;

use millrace_model::Value as Model;
use millrace_model::detached::Properties as ModelProperties;
use millrace_model::temporal::{DateTime, Time};
use millrace_wire::bolt::packstream as wire;

use crate::values::{
    Hop, Instant, Node, Path, Properties, Relationship, Value, date, duration, local_date_time,
    local_time, offset,
};

/// A datum of a record.
pub(super) fn decode(datum: &wire::Datum) -> Value {
    match datum {
        wire::Datum::Value(value) => of_model(value),
        wire::Datum::List(items) => Value::List(items.iter().map(decode).collect()),
        wire::Datum::Map(pairs) => {
            Value::Map(pairs.iter().map(|(key, datum)| (key.to_string(), decode(datum))).collect())
        }
        wire::Datum::Node(own) => Value::Node(node(own)),
        wire::Datum::Relationship(own) => Value::Relationship(relationship(own)),
        wire::Datum::Path(own) => path(own),
    }
}

/// A parameter.
pub(super) fn encode(value: &Value) -> Model {
    match value {
        Value::Null => Model::Null,
        Value::Boolean(truth) => Model::Bool(*truth),
        Value::Integer(int) => Model::I64(*int),
        Value::Float(float) => Model::F64(*float),
        Value::List(values) => Model::list(values.iter().map(encode).collect()),
        Value::Map(map) => {
            let pair = |(key, value): (&String, &Value)| (Model::string(key), encode(value));
            Model::map(map.iter().map(pair).collect())
        }
        Value::String(text) | Value::Temporal(text) | Value::Other(text) => Model::string(text),
        // No parameter of the suite is one of these.
        Value::Node(_) | Value::Relationship(_) | Value::Path(_) | Value::Zoned(_) => {
            Model::string(&value.to_string())
        }
    }
}

/// A plain value.
pub(super) fn of_model(value: &Model) -> Value {
    match value {
        Model::Null => Value::Null,
        Model::Bool(truth) => Value::Boolean(*truth),
        Model::I64(int) => Value::Integer(*int),
        Model::F64(float) => Value::Float(*float),
        Model::String(text) => Value::String(text.to_string()),
        Model::List(values) => Value::List(values.iter().map(of_model).collect()),
        Model::Map(pairs) => {
            let pair =
                |(key, value): &(Model, Model)| Some((key.as_str()?.to_owned(), of_model(value)));
            Value::Map(pairs.iter().filter_map(pair).collect())
        }
        Model::Date(own) => Value::Temporal(date(own.days)),
        Model::Time(own) => Value::Temporal(time(own)),
        Model::DateTime(own) => Value::Temporal(date_time(own)),
        Model::ZonedDateTime(own) => {
            let (own, zone) = own.as_ref();
            let (seconds, nanos) = (own.seconds, i64::from(own.nanos));
            Value::Zoned(Instant { seconds, nanos, zone: zone.to_string() })
        }
        Model::Duration(own) => {
            Value::Temporal(duration(own.months, own.days, own.seconds, i64::from(own.nanos)))
        }
        other => Value::Other(format!("{} {other:?}", other.type_name())),
    }
}

fn time(own: &Time) -> String {
    let nanos = i64::try_from(own.nanos).unwrap_or_default();
    let zone = own.offset_seconds.map(|seconds| offset(i64::from(seconds)));
    format!("{}{}", local_time(nanos), zone.unwrap_or_default())
}

/// The seconds are of UTC if there is an offset, else of the local clock.
fn date_time(own: &DateTime) -> String {
    let nanos = i64::from(own.nanos);
    if own.offset_seconds == DateTime::LOCAL {
        return local_date_time(own.seconds, nanos);
    }
    let east = i64::from(own.offset_seconds);
    format!("{}{}", local_date_time(own.seconds + east, nanos), offset(east))
}

fn properties(own: &ModelProperties) -> Properties {
    own.iter().map(|(key, value)| (key.to_string(), of_model(value))).collect()
}

fn node(own: &wire::Node) -> Node {
    Node {
        id: own.element_id.to_string(),
        labels: own.labels.iter().map(|label| label.to_string()).collect(),
        properties: properties(&own.properties),
    }
}

fn relationship(own: &wire::Relationship) -> Relationship {
    Relationship {
        id: own.element_id.to_string(),
        kind: own.kind.to_string(),
        properties: properties(&own.properties),
    }
}

fn path(own: &wire::Path) -> Value {
    let mut nodes = own.nodes.iter();
    let Some(start) = nodes.next() else { return Value::Other("a path without nodes".to_owned()) };
    let mut from: &Arc<wire::Node> = start;
    let mut hops = Vec::new();
    for (edge, to) in own.relationships.iter().zip(nodes) {
        let forward = edge.start.1 == from.element_id;
        hops.push(Hop { relationship: relationship(edge), forward, node: node(to) });
        from = to;
    }
    Value::Path(Path { start: node(start), hops })
}

#[cfg(test)]
mod tests {
    use millrace_model::temporal::{Date, Duration};

    use super::*;

    fn shown(value: Model) -> String {
        decode(&wire::Datum::Value(value)).to_string()
    }

    fn wire_node(id: i64, label: &str) -> Arc<wire::Node> {
        let labels = vec![Arc::from(label)];
        let element_id = Arc::from(id.to_string());
        Arc::new(wire::Node { id, element_id, labels, properties: Vec::new() })
    }

    fn wire_relationship(from: &wire::Node, to: &wire::Node) -> Arc<wire::Relationship> {
        Arc::new(wire::Relationship {
            id: 9,
            element_id: Arc::from("9"),
            start: (from.id, Arc::clone(&from.element_id)),
            end: (to.id, Arc::clone(&to.element_id)),
            kind: Arc::from("T"),
            properties: vec![(Arc::from("k"), Model::I64(1))],
        })
    }

    #[test]
    fn plain_values_keep_their_kind() {
        assert_eq!(shown(Model::I64(1)), "1");
        assert_eq!(shown(Model::F64(1.0)), "1.0");
        assert_eq!(shown(Model::list(vec![Model::Null, Model::string("x")])), "[null, 'x']");
        assert_eq!(shown(Model::map(vec![(Model::string("a"), Model::Bool(true))])), "{a: true}");
        assert!(shown(Model::Uuid([0; 16])).starts_with("uuid "));
    }

    #[test]
    fn dates_and_times_are_their_texts() {
        assert_eq!(shown(Model::Date(Date { days: 5_397 })), "1984-10-11");
        let time = Time { nanos: 45_074_645_000_000, offset_seconds: None };
        assert_eq!(shown(Model::Time(time)), "12:31:14.645");
        let time = Time { offset_seconds: Some(3_600), ..time };
        assert_eq!(shown(Model::Time(time)), "12:31:14.645+01:00");
        let local = DateTime { seconds: 0, nanos: 0, offset_seconds: DateTime::LOCAL };
        assert_eq!(shown(Model::DateTime(local)), "1970-01-01T00:00");
        let east = DateTime { offset_seconds: 3_600, ..local };
        assert_eq!(shown(Model::DateTime(east)), "1970-01-01T01:00+01:00");
        let zoned = Model::ZonedDateTime(Arc::new((east, Arc::from("Europe/Paris"))));
        assert_eq!(shown(zoned), "1970-01-01T00:00Z[Europe/Paris]");
        let amount = Duration { months: 13, days: 0, seconds: -1, nanos: 600_000_000 };
        assert_eq!(shown(Model::Duration(Arc::new(amount))), "P1Y1MT-0.4S");
    }

    #[test]
    fn a_path_has_the_directions_of_its_relationships() {
        let (a, b, c) = (wire_node(1, "A"), wire_node(2, "B"), wire_node(3, "C"));
        let relationships = vec![wire_relationship(&a, &b), wire_relationship(&c, &b)];
        let path = wire::Path { nodes: vec![a, b, c], relationships };
        let shown = decode(&wire::Datum::Path(Arc::new(path))).to_string();
        assert_eq!(shown, "<(:A)-[:T {k: 1}]->(:B)<-[:T {k: 1}]-(:C)>");
    }

    #[test]
    fn a_parameter_comes_back_as_it_was() {
        for text in ["null", "[1, 2.5, 'x']", "{a: {b: [true]}}", "-7"] {
            let value = crate::values::parse(text).expect("a value");
            assert_eq!(shown(encode(&value)), text);
        }
    }
}
