//! JanusGraph's own types: its predicates and shapes.
//!
//! A point is its coordinates; other shapes are GeoJSON, where a box is a polygon with four right angles. Longitudes stand before
//! latitudes.

use millrace_bytecode::{Geoshape, GeoshapeKind, Predicate, is_of_janusgraph};
use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::datum::Datum;
use super::super::graphbinary::janusgraph::{OTHER_GEOSHAPES, datum_of_geoshape, numbers_of};
use super::json::{Json, bad};
use super::process::of_json;
use super::read::{field, text, value};
use super::write::Writer;

const GEOSHAPE: &str = "janusgraph:Geoshape";

pub(super) fn predicate(json: &Json) -> Result<Predicate> {
    let name = text(field(json, "predicate")?)?;
    if !is_of_janusgraph(&name) {
        let shown: String = name.chars().take(60).collect();
        return Err(bad(format!("JanusGraph has no predicate `{shown}`")));
    }
    Ok(Predicate { name, arguments: vec![of_json(field(json, "value")?)?] })
}

/// A shape: its coordinates if it is a point, else GeoJSON under `geometry`.
pub(super) fn geoshape(json: &Json) -> Result<Datum> {
    let geoshape = match json.get("coordinates") {
        Some(coordinates) => point(&value(coordinates)?)?,
        None => geometry(&value(field(json, "geometry")?)?)?,
    };
    datum_of_geoshape(geoshape)
        .map_err(|error| Error { help: error.help.clone(), ..bad(error.detail) })
}

fn geometry(geometry: &Value) -> Result<Geoshape> {
    let under = |name: &str| {
        let Value::Map(pairs) = geometry else { return None };
        pairs.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
    };
    let coordinates = under("coordinates").ok_or_else(|| bad("a geometry has `coordinates`"))?;
    match under("type").and_then(Value::as_str) {
        Some("Point") => point(coordinates),
        Some("Circle") => {
            let radius = under("radius").and_then(Value::as_double);
            let radius = radius.ok_or_else(|| bad("a circle has a `radius`"))?;
            let [longitude, latitude] = pair(coordinates)?;
            Ok(Geoshape::of_numbers(GeoshapeKind::Circle, &[latitude, longitude, radius]))
        }
        Some("Polygon") => rectangle(coordinates)?.ok_or_else(|| unsupported("Polygon")),
        Some(other) => Err(unsupported(other)),
        None => Err(bad("a geometry has a `type`")),
    }
}

fn unsupported(kind: &str) -> Error {
    let shown: String = kind.chars().take(60).collect();
    let detail = format!("GraphSON: a shape of the type {shown} is not supported");
    Error::new(ErrorKind::Unsupported, detail).with_help(OTHER_GEOSHAPES)
}

fn point(coordinates: &Value) -> Result<Geoshape> {
    let [longitude, latitude] = pair(coordinates)?;
    Ok(Geoshape::of_numbers(GeoshapeKind::Point, &[latitude, longitude]))
}

fn pair(coordinates: &Value) -> Result<[f64; 2]> {
    if let Value::List(both) = coordinates
        && let [longitude, latitude] = &**both
        && let (Some(longitude), Some(latitude)) = (longitude.as_double(), latitude.as_double())
    {
        return Ok([longitude, latitude]);
    }
    Err(bad("coordinates are a longitude and a latitude"))
}

/// The box that a polygon is; `None`: it is another polygon. Its first corner is the south-western one, so that a box which
/// goes over the longitude 180 keeps its sides.
fn rectangle(rings: &Value) -> Result<Option<Geoshape>> {
    let Value::List(rings) = rings else { return Err(bad("a polygon has rings")) };
    let [Value::List(ring)] = &**rings else { return Ok(None) };
    if ring.len() != 5 {
        return Ok(None);
    }
    let corners: Vec<[f64; 2]> = ring.iter().map(pair).collect::<Result<_>>()?;
    let [first, second, third, fourth, last] = corners.as_slice() else { return Ok(None) };
    // Around it either way.
    let is_around = |left: &[f64; 2], right: &[f64; 2]| {
        *left == [first[0], third[1]] && *right == [third[0], first[1]]
    };
    let is_box = first == last && (is_around(second, fourth) || is_around(fourth, second));
    let ([west, south], [east, north]) = (*first, *third);
    // A box over the longitude 180 is narrow; any other one began at its east.
    let is_turned = east < west && west - east <= 180.0;
    let (west, east) = if is_turned { (east, west) } else { (west, east) };
    let numbers = [south, west, north, east];
    Ok((is_box && south <= north).then(|| Geoshape::of_numbers(GeoshapeKind::Box, &numbers)))
}

impl Writer {
    pub(super) fn geoshape(&mut self, geoshape: &Geoshape) -> Result<()> {
        let pair = |longitude: f64, latitude: f64| {
            Value::list(vec![Value::F64(longitude), Value::F64(latitude)])
        };
        let (key, content) = match (geoshape.kind, numbers_of(geoshape)?.as_slice()) {
            (GeoshapeKind::Circle, [latitude, longitude, radius]) => {
                let units = vec![("radius_units".into(), "km".into())];
                let pairs = vec![
                    ("type".into(), "Circle".into()),
                    ("coordinates".into(), pair(*longitude, *latitude)),
                    ("radius".into(), Value::F64(*radius)),
                    ("properties".into(), Value::map(units)),
                ];
                ("geometry", Value::map(pairs))
            }
            (GeoshapeKind::Box, [south, west, north, east]) => {
                let corners = [(west, south), (west, north), (east, north), (east, south)];
                let around = corners.into_iter().chain([(west, south)]);
                let ring = around.map(|(longitude, latitude)| pair(*longitude, *latitude));
                let rings = Value::list(vec![Value::list(ring.collect())]);
                let pairs = vec![("type".into(), "Polygon".into()), ("coordinates".into(), rings)];
                ("geometry", Value::map(pairs))
            }
            (_, numbers) => ("coordinates", pair(numbers[1], numbers[0])),
        };
        self.begin(GEOSHAPE);
        self.raw("{");
        self.key(key);
        self.value(&content)?;
        self.raw("}");
        self.end();
        Ok(())
    }
}
