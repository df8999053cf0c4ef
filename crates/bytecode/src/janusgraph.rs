//! JanusGraph's predicates by name, and its shapes.
//!
//! The numbers of a shape may be variables, so a shape is checked when they are known.

use std::sync::Arc;

use millrace_model::value::Point;
use millrace_model::{Error, ErrorKind, Result, Value};

use crate::Argument;

/// JanusGraph's predicates: each has one argument, a text or a shape.
pub const JANUSGRAPH_PREDICATES: [&str; 20] = [
    "geoContains",
    "geoDisjoint",
    "geoIntersect",
    "geoWithin",
    "textContains",
    "textContainsFuzzy",
    "textContainsPhrase",
    "textContainsPrefix",
    "textContainsRegex",
    "textFuzzy",
    "textNotContains",
    "textNotContainsFuzzy",
    "textNotContainsPhrase",
    "textNotContainsPrefix",
    "textNotContainsRegex",
    "textNotFuzzy",
    "textNotPrefix",
    "textNotRegex",
    "textPrefix",
    "textRegex",
];

/// Whether a predicate is one of JanusGraph's.
pub fn is_of_janusgraph(predicate: &str) -> bool {
    JANUSGRAPH_PREDICATES.binary_search(&predicate).is_ok()
}

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeoshapeKind {
    /// A latitude and a longitude, in degrees.
    Point,
    /// A centre and a radius in kilometres.
    Circle,
    /// A south-western and a north-eastern corner.
    Box,
}

/// A shape on the earth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Geoshape {
    /// What it is.
    pub kind: GeoshapeKind,
    /// Its numbers as `Geoshape` takes them: latitudes before longitudes, the radius last.
    pub numbers: Vec<Argument>,
}

/// Degrees of the largest circle.
const ANGLE_MAX: f64 = 180.0;

/// The radius of the earth by which JanusGraph makes angles of kilometres.
pub const EARTH_RADIUS_KM: f64 = 6_371.008_771_4;

/// The reference system of longitudes and latitudes.
pub const WGS_84: u32 = 4_326;

impl GeoshapeKind {
    /// All of them.
    pub const ALL: [GeoshapeKind; 3] =
        [GeoshapeKind::Point, GeoshapeKind::Circle, GeoshapeKind::Box];

    /// Its name as a method of `Geoshape`.
    pub fn name(self) -> &'static str {
        match self {
            GeoshapeKind::Point => "point",
            GeoshapeKind::Circle => "circle",
            GeoshapeKind::Box => "box",
        }
    }

    /// Its numbers, in words.
    pub fn numbers(self) -> &'static [&'static str] {
        match self {
            GeoshapeKind::Point => &["latitude", "longitude"],
            GeoshapeKind::Circle => &["latitude", "longitude", "radius in kilometres"],
            GeoshapeKind::Box => &["south", "west", "north", "east"],
        }
    }
}

impl Geoshape {
    /// A shape of numbers that are known.
    pub fn of_numbers(kind: GeoshapeKind, numbers: &[f64]) -> Geoshape {
        let number = |number: &f64| Argument::Value(Value::F64(*number));
        Geoshape { kind, numbers: numbers.iter().map(number).collect() }
    }

    /// What a predicate compares with: a point; the centre and the radius of a circle; two corners of a box. `None`: a number
    /// is a variable still.
    pub fn operands(&self) -> Result<Option<Vec<Value>>> {
        let mut numbers = Vec::with_capacity(self.numbers.len());
        for argument in &self.numbers {
            match argument {
                Argument::Value(value) => {
                    numbers.push(value.as_double().ok_or_else(|| self.wrong("takes numbers"))?);
                }
                Argument::Binding(..) => return Ok(None),
                _ => return Err(self.wrong("takes numbers")),
            }
        }
        let operands = match (self.kind, numbers.as_slice()) {
            (GeoshapeKind::Point, [latitude, longitude]) => {
                vec![self.point(*latitude, *longitude)?]
            }
            (GeoshapeKind::Circle, [latitude, longitude, radius]) => {
                // Not a comparison with 0 alone: a radius that is no number is refused, too.
                let fits = 0.0 < *radius && (radius / EARTH_RADIUS_KM).to_degrees() <= ANGLE_MAX;
                if !fits {
                    let limit =
                        "has a radius above 0 and up to half of the earth, 20015 kilometres";
                    return Err(self.wrong(&format!("{limit}, and {radius} is not")));
                }
                vec![self.point(*latitude, *longitude)?, Value::F64(*radius)]
            }
            (GeoshapeKind::Box, [south, west, north, east]) => {
                let corners = vec![self.point(*south, *west)?, self.point(*north, *east)?];
                if north < south {
                    return Err(self.wrong("has its southern corner first"));
                }
                corners
            }
            (_, numbers) => {
                let found = numbers.len();
                return Err(self.wrong(&format!("takes other numbers than these {found}")));
            }
        };
        Ok(Some(operands))
    }

    fn point(&self, latitude: f64, longitude: f64) -> Result<Value> {
        if !(-90.0..=90.0).contains(&latitude) {
            let range = "has latitudes from -90 to 90";
            return Err(self.wrong(&format!("{range}, and {latitude} is not")));
        }
        if !(-180.0..=180.0).contains(&longitude) {
            let range = "has longitudes from -180 to 180";
            return Err(self.wrong(&format!("{range}, and {longitude} is not")));
        }
        Ok(Value::Point(Arc::new(Point { srid: WGS_84, coordinates: vec![longitude, latitude] })))
    }

    fn wrong(&self, detail: &str) -> Error {
        let name = self.kind.name();
        Error::new(ErrorKind::BadQuery, format!("Geoshape.{name} {detail}"))
            .with_help(format!("write Geoshape.{name}({})", self.kind.numbers().join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(kind: GeoshapeKind, numbers: &[f64]) -> Result<String> {
        let values = Geoshape::of_numbers(kind, numbers).operands()?.expect("numbers");
        let text = |value: &Value| match value {
            Value::Point(point) => point.to_string(),
            other => format!("{other:?}"),
        };
        Ok(values.iter().map(text).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn operands_are_points_and_numbers() {
        let text = operands(GeoshapeKind::Circle, &[50.0, 14.5, 3.0]).expect("a circle");
        assert_eq!(text, "SRID=4326;POINT (14.5 50.0) F64(3.0)");
        let text = operands(GeoshapeKind::Box, &[-1.0, 170.0, 1.0, -170.0]).expect("a box");
        assert_eq!(text, "SRID=4326;POINT (170.0 -1.0) SRID=4326;POINT (-170.0 1.0)");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for (kind, numbers) in [
            (GeoshapeKind::Point, &[91.0, 0.0][..]),
            (GeoshapeKind::Point, &[0.0, f64::NAN]),
            (GeoshapeKind::Point, &[0.0, 0.0, 0.0]),
            (GeoshapeKind::Circle, &[0.0, 0.0, 0.0]),
            (GeoshapeKind::Circle, &[0.0, 0.0, f64::NAN]),
            (GeoshapeKind::Circle, &[0.0, 0.0, 20_016.0]),
            (GeoshapeKind::Box, &[1.0, 0.0, 0.0, 0.0]),
        ] {
            operands(kind, numbers).expect_err("out of range");
        }
    }

    #[test]
    fn predicates_are_in_order() {
        assert!(JANUSGRAPH_PREDICATES.is_sorted());
        assert!(is_of_janusgraph("textNotRegex") && !is_of_janusgraph("regex"));
    }
}
