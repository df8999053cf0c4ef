//! Geometries as values of languages: a map as GeoJSON has it, for languages and protocols without a type of their own.

use std::sync::Arc;

use super::value::Value;
use crate::geometry::{Coordinates, Geometry, Ring};

impl Geometry {
    /// `{type: "Point", coordinates: [1.5, 2.0]}`, coordinates nested as those of the type are.
    pub fn as_map(&self) -> Value {
        let coordinates = match self {
            Geometry::Point(position) => position_list(position),
            Geometry::Polygon(rings) => polygon_list(rings),
            Geometry::MultiPolygon(polygons) => {
                Value::list(polygons.iter().map(|rings| polygon_list(rings)).collect())
            }
        };
        Value::map(vec![
            (Value::from("type"), Value::from(self.type_name())),
            (Value::from("coordinates"), coordinates),
        ])
    }
}

fn polygon_list(rings: &[Ring]) -> Value {
    let ring_list = |ring: &Ring| Value::list(ring.iter().map(position_list).collect());
    Value::list(rings.iter().map(ring_list).collect())
}

fn position_list(position: &Coordinates) -> Value {
    Value::list(position.map(Value::F64).to_vec())
}

impl From<Geometry> for Value {
    fn from(geometry: Geometry) -> Value {
        Value::Geometry(Arc::new(geometry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::geojson;

    #[test]
    fn a_geometry_is_a_map_to_languages() {
        let list = |values: &[Value]| Value::list(values.to_vec());
        let position = |x: f64, y: f64| list(&[x.into(), y.into()]);
        let map = |kind: &str, coordinates: Value| {
            Value::map(vec![("type".into(), kind.into()), ("coordinates".into(), coordinates)])
        };
        let of = |text: &str| geojson::parse_argument(text).expect(text).as_map();
        assert_eq!(of("[1,2.5]"), map("Point", position(1.0, 2.5)));
        let ring =
            list(&[position(0.0, 0.0), position(1.0, 0.0), position(1.0, 1.0), position(0.0, 0.0)]);
        let polygon = list(&[ring]);
        assert_eq!(of("[[[0,0],[1,0],[1,1],[0,0]]]"), map("Polygon", polygon.clone()));
        assert_eq!(of("[[[[0,0],[1,0],[1,1],[0,0]]]]"), map("MultiPolygon", list(&[polygon])));
    }
}
