//! A row of a result, in any form.

use millrace_model::{DetachedElements, Result, Value};

use super::form::{Contents, Form};
use super::kind::write_list;
use super::{plain, represent, transaction_rows, typed};

/// Writes a row. `base` is the address of the interface of older versions, `http://host:port/db/data`, for the form that has
/// addresses.
pub fn write_row(
    out: &mut String,
    row: &[Value],
    elements: &DetachedElements,
    (form, base): (Form, &str),
) -> Result<()> {
    match form {
        Form::Plain => write_list(out, row, |out, value| plain::write(out, value, elements, 0)),
        Form::Typed => write_list(out, row, |out, value| typed::write(out, value, elements, 0)),
        Form::Transaction(contents) => write_transaction_row(out, row, elements, (contents, base)),
        Form::Jolt(jolt) => jolt.write_row(out, row, elements),
    }
}

/// Writes a row of a transaction as an object.
fn write_transaction_row(
    out: &mut String,
    row: &[Value],
    elements: &DetachedElements,
    (contents, base): (Contents, &str),
) -> Result<()> {
    out.push('{');
    if contents.has_row {
        out.push_str("\"row\":");
        write_list(out, row, |out, value| transaction_rows::write_value(out, value, elements, 0))?;
        out.push_str(",\"meta\":");
        transaction_rows::write_kinds(out, row, elements)?;
    }
    if contents.has_graph {
        out.push_str(if contents.has_row { ",\"graph\":" } else { "\"graph\":" });
        transaction_rows::write_graph(out, row, elements)?;
    }
    if contents.has_rest {
        let has_more = contents.has_row || contents.has_graph;
        out.push_str(if has_more { ",\"rest\":" } else { "\"rest\":" });
        write_list(out, row, |out, value| represent::write_value(out, value, elements, base))?;
    }
    out.push('}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use millrace_model::path::Path;
    use millrace_model::temporal::{self, TemporalKind};
    use millrace_model::temporal::{Date, Duration};
    use millrace_model::value::Point;
    use millrace_model::{
        DetachedEdge, DetachedProperty, DetachedVertex, EdgeId, Geometry, VertexId,
    };

    use super::*;
    use crate::neo4j_http::Contents;

    /// Two vertices and an edge between them.
    fn elements() -> DetachedElements {
        let mut elements = DetachedElements::default();
        for (number, name) in [(1, "Ann"), (2, "Bob")] {
            let property = DetachedProperty {
                id: Value::Null,
                key: "name".into(),
                value: Value::from(name),
                properties: None,
            };
            let vertex = DetachedVertex {
                id: Value::I64(number),
                label: "P".into(),
                properties: Some(vec![property]),
            };
            elements.vertices.insert(VertexId(number as u64), Arc::new(vertex));
        }
        let edge = DetachedEdge {
            id: Value::I64(7),
            label: "KNOWS".into(),
            source: (Value::I64(1), "P".into()),
            target: (Value::I64(2), "P".into()),
            properties: Some(vec![("since".into(), Value::I64(2020))]),
        };
        elements.edges.insert(EdgeId(7), Arc::new(edge));
        elements
    }

    fn path() -> Value {
        let objects =
            vec![Value::Vertex(VertexId(1)), Value::Edge(EdgeId(7)), Value::Vertex(VertexId(2))];
        Value::Path(Arc::new(Path::untagged(objects)))
    }

    fn written(row: &[Value], form: Form) -> String {
        let mut out = String::new();
        write_row(&mut out, row, &elements(), (form, "http://a/db/data")).unwrap();
        let parsed = serde_json::from_str::<serde_json::Value>(&out);
        assert!(parsed.is_ok(), "{out}");
        out
    }

    #[test]
    fn plain_values_are_the_nearest_of_json() {
        let row = [
            Value::Null,
            Value::I64(1),
            Value::F64(1.0),
            Value::F64(f64::NAN),
            Value::Bytes(vec![1].into()),
            Value::Date(Date { days: 0 }),
            Value::Duration(Arc::new(Duration { months: 0, days: 1, seconds: 0, nanos: 0 })),
            Value::Point(Arc::new(Point { srid: 7203, coordinates: vec![1.0, 2.5] })),
            Value::map(vec![(Value::from("k"), Value::list(vec![Value::Bool(true)]))]),
        ];
        assert_eq!(
            written(&row, Form::Plain),
            r#"[null,1,1.0,"NaN","AQ==","1970-01-01","P1D","SRID=7203;POINT (1.0 2.5)",{"k":[true]}]"#
        );
    }

    #[test]
    fn elements_have_ids_and_properties() {
        assert_eq!(
            written(&[Value::Vertex(VertexId(1)), Value::Edge(EdgeId(7))], Form::Plain),
            concat!(
                r#"[{"elementId":"4:0:1","labels":["P"],"properties":{"name":"Ann"}},"#,
                r#"{"elementId":"5:0:7","startNodeElementId":"4:0:1","endNodeElementId":"4:0:2","#,
                r#""type":"KNOWS","properties":{"since":2020}}]"#
            )
        );
        let path = written(&[path()], Form::Plain);
        assert!(path.starts_with(r#"[[{"elementId":"4:0:1""#), "{path}");
        let gone = written(&[Value::Vertex(VertexId(9))], Form::Plain);
        assert_eq!(gone, r#"[{"elementId":"4:0:9","labels":[],"properties":{}}]"#);
    }

    #[test]
    fn a_geometry_is_a_map_as_geojson_has_it() {
        let point = [Value::from(Geometry::Point([1.5, 2.0]))];
        assert_eq!(written(&point, Form::Plain), r#"[{"type":"Point","coordinates":[1.5,2.0]}]"#);
        assert_eq!(
            written(&point, Form::Transaction(Contents::ROW)),
            r#"{"row":[{"type":"Point","coordinates":[1.5,2.0]}],"meta":[null,null,null]}"#
        );
    }

    #[test]
    fn a_point_names_its_system_and_a_zone_is_left_to_typed_json() {
        let point = Value::Point(Arc::new(Point { srid: 4326, coordinates: vec![1.0, 2.0] }));
        assert_eq!(
            written(&[point], Form::Transaction(Contents::ROW)),
            concat!(
                r#"{"row":[{"type":"Point","coordinates":[1.0,2.0],"crs":{"srid":4326,"name":"wgs-84","type":"link","#,
                r#""properties":{"href":"https://spatialreference.org/ref/epsg/4326/ogcwkt/","type":"ogcwkt"}}}],"#,
                r#""meta":[{"type":"point"}]}"#
            )
        );
        let text = Value::from("2020-01-02T03:04:05[Europe/Berlin]");
        let zoned = temporal::make(TemporalKind::DateTime, &text, &Value::Null);
        assert_eq!(written(&[zoned.unwrap()], Form::Plain), r#"["2020-01-02T03:04:05+01:00"]"#);
    }

    #[test]
    fn types_are_named() {
        let row = [Value::I64(1), Value::F64(f64::INFINITY), Value::list(vec![Value::Null])];
        assert_eq!(
            written(&row, Form::Typed),
            concat!(
                r#"[{"$type":"Integer","_value":"1"},{"$type":"Float","_value":"Infinity"},"#,
                r#"{"$type":"List","_value":[{"$type":"Null","_value":null}]}]"#
            )
        );
        assert_eq!(
            written(&[Value::Vertex(VertexId(2))], Form::Typed),
            concat!(
                r#"[{"$type":"Node","_value":{"_element_id":"4:0:2","_labels":["P"],"#,
                r#""_properties":{"name":{"$type":"String","_value":"Bob"}}}}]"#
            )
        );
        let path = written(&[path()], Form::Typed);
        assert!(path.contains(r#""_start_node_element_id":"4:0:1""#), "{path}");
    }

    #[test]
    fn a_row_of_a_transaction_has_its_kinds_beside_it_and_its_graph() {
        let row = [Value::I64(1), Value::Vertex(VertexId(1)), Value::Date(Date { days: 0 })];
        assert_eq!(
            written(&row, Form::Transaction(Contents::ROW)),
            concat!(
                r#"{"row":[1,{"name":"Ann"},"1970-01-01"],"meta":[null,"#,
                r#"{"id":1,"elementId":"4:0:1","type":"node","deleted":false},{"type":"date"}]}"#
            )
        );
        let graph = Contents { has_row: false, has_graph: true, has_rest: false };
        assert_eq!(
            written(&[path(), Value::Vertex(VertexId(1))], Form::Transaction(graph)),
            concat!(
                r#"{"graph":{"nodes":[{"id":"1","elementId":"4:0:1","labels":["P"],"properties":{"name":"Ann"}},"#,
                r#"{"id":"2","elementId":"4:0:2","labels":["P"],"properties":{"name":"Bob"}}],"#,
                r#""relationships":[{"id":"7","elementId":"5:0:7","type":"KNOWS","startNode":"1","#,
                r#""startNodeElementId":"4:0:1","endNode":"2","endNodeElementId":"4:0:2","#,
                r#""properties":{"since":2020}}]}}"#
            )
        );
        let both = written(&[path()], Form::Transaction(Contents { has_row: true, ..graph }));
        assert!(
            both.starts_with(
                r#"{"row":[[{"name":"Ann"},{"since":2020},{"name":"Bob"}]],"meta":[[{"id":1"#
            ),
            "{both}"
        );
    }

    #[test]
    fn a_row_may_have_the_addresses_of_its_elements() {
        let rest = Contents { has_row: false, has_graph: false, has_rest: true };
        let row =
            written(&[Value::I64(1), Value::Edge(EdgeId(7)), path()], Form::Transaction(rest));
        assert!(
            row.starts_with(concat!(
                r#"{"rest":[1,{"extensions":{},"properties":"http://a/db/data/relationship/7/properties","#,
                r#""property":"http://a/db/data/relationship/7/properties/{key}","#,
                r#""self":"http://a/db/data/relationship/7","start":"http://a/db/data/node/1","#,
                r#""end":"http://a/db/data/node/2","type":"KNOWS","#,
                r#""metadata":{"id":7,"type":"KNOWS"},"data":{"since":2020}},"#
            )),
            "{row}"
        );
        assert!(row.contains(r#"{"directions":["->"],"start":"http://a/db/data/node/1""#), "{row}");
    }
}
