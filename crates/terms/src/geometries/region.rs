//! The four predicates on geometries, with Dgraph's meaning.
//!
//! ```text
//!   within      the value is a point in one of the areas; each of its areas lies inside one of them
//!   contains    the value is an area with the point; or each of the areas lies inside one of the value's
//!   intersects  the value and one of the areas have a point in common
//!   near        it intersects a regular polygon of 100 corners at the distance
//! ```
//!
//! Holes count as filled, but for a point that is contained: there each ring is an area of its own, on the map. An area does not
//! lie inside itself.

use std::f64::consts::TAU;

use millrace_model::geometry::{Coordinates, Geometry, Polygon};
use millrace_model::{Error, ErrorKind, Result};

use super::boundary::Boundary;
use super::planar::is_in_ring;
use super::vector::Vector;

/// Metres from the centre of the earth.
const EARTH_RADIUS: f64 = 6_371_000.0;

/// Corners of the polygon that stands for a circle.
const CORNERS: usize = 100;

/// How a value lies to a geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeometryTest {
    /// At most so many metres away from a point.
    Near,
    /// In the areas.
    Within,
    /// Around the point or the areas.
    Contains,
    /// Touching the areas.
    Intersects,
}

/// A geometry that values are asked about, made ready for many of them.
#[derive(Clone, Debug)]
pub struct Region {
    test: GeometryTest,
    /// Of a question for what contains a point.
    pub(super) point: Option<Coordinates>,
    pub(super) areas: Vec<Boundary>,
}

impl Region {
    /// What a predicate asks by a geometry, and by metres if it is [`GeometryTest::Near`].
    pub fn new(test: GeometryTest, geometry: &Geometry, metres: Option<f64>) -> Result<Region> {
        let areas = boundaries(geometry);
        let (point, areas) = match (test, geometry) {
            (GeometryTest::Near, Geometry::Point(centre)) => (None, vec![circle(*centre, metres)?]),
            (GeometryTest::Near, _) => return Err(wrong(test, "a point", geometry)),
            (GeometryTest::Contains, Geometry::Point(point)) => (Some(*point), areas),
            (GeometryTest::Within | GeometryTest::Intersects, Geometry::Point(_)) => {
                return Err(wrong(test, "a polygon or a multipolygon", geometry));
            }
            (
                GeometryTest::Within | GeometryTest::Intersects | GeometryTest::Contains,
                Geometry::Polygon(_) | Geometry::MultiPolygon(_),
            ) => (None, areas),
        };
        Ok(Region { test, point, areas })
    }

    /// Whether a value passes.
    pub fn accepts(&self, value: &Geometry) -> Result<bool> {
        match self.test {
            GeometryTest::Within => self.is_around(value),
            GeometryTest::Contains => self.is_inside(value),
            GeometryTest::Near | GeometryTest::Intersects => self.meets(value),
        }
    }

    fn is_around(&self, value: &Geometry) -> Result<bool> {
        match value {
            Geometry::Point(at) => has_point(&self.areas, *at),
            Geometry::Polygon(_) | Geometry::MultiPolygon(_) => {
                all_inside(&boundaries(value), &self.areas)
            }
        }
    }

    fn is_inside(&self, value: &Geometry) -> Result<bool> {
        match (value, self.point) {
            (Geometry::Point(_), _) => Ok(false),
            (_, Some(point)) => Ok(is_on_map(value.polygons(), point)),
            (_, None) => all_inside(&self.areas, &boundaries(value)),
        }
    }

    fn meets(&self, value: &Geometry) -> Result<bool> {
        match value {
            Geometry::Point(at) => has_point(&self.areas, *at),
            Geometry::Polygon(_) | Geometry::MultiPolygon(_) => {
                any(&boundaries(value), |own| any(&self.areas, |area| own.intersects(area)))
            }
        }
    }
}

/// The boundary of each polygon's outer ring.
pub(super) fn boundaries(geometry: &Geometry) -> Vec<Boundary> {
    let outer = geometry.polygons().iter().filter_map(|rings| rings.first());
    outer.map(Boundary::of_ring).collect()
}

/// Whether one of the rings, as lines on the map, has a point.
pub(super) fn is_on_map(polygons: &[Polygon], at: Coordinates) -> bool {
    polygons.iter().flatten().any(|ring| is_in_ring(ring, at))
}

fn circle(centre: Coordinates, metres: Option<f64>) -> Result<Boundary> {
    let refused = |detail: String| Err(Error::new(ErrorKind::BadQuery, detail));
    let Some(metres) = metres else {
        return refused("near takes a point and a distance in metres".into());
    };
    if metres.is_nan() || metres <= 0.0 {
        return refused(format!("a distance in metres is above 0, and {metres} is not"));
    }
    // From half of the sphere's circumference on there is nothing that is further away.
    let angle = (metres / EARTH_RADIUS).min(std::f64::consts::PI * (1.0 - 1e-9));
    let up = Vector::of_position(centre);
    let north = up.reference();
    let east = north.cross(up);
    let (height, radius) = (angle.cos(), angle.sin());
    let corner = |number: usize| {
        let turned = TAU * number as f64 / CORNERS as f64;
        let aside = east.times(radius * turned.cos()).plus(north.times(radius * turned.sin()));
        aside.plus(up.times(height)).normalized()
    };
    Ok(Boundary::new((0..CORNERS).map(corner).collect()))
}

fn has_point(areas: &[Boundary], at: Coordinates) -> Result<bool> {
    let point = Vector::of_position(at);
    any(areas, |area| area.contains_point(point))
}

fn all_inside(inner: &[Boundary], outer: &[Boundary]) -> Result<bool> {
    let is_outside = |own: &Boundary| Ok(!any(outer, |area| area.contains(own))?);
    Ok(!any(inner, is_outside)?)
}

fn any<T>(all: &[T], test: impl Fn(&T) -> Result<bool>) -> Result<bool> {
    for own in all {
        if test(own)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn wrong(test: GeometryTest, wanted: &str, found: &Geometry) -> Error {
    let name = format!("{test:?}").to_lowercase();
    let detail = format!("{name} asks by {wanted}, and not by a {}", found.type_name());
    Error::new(ErrorKind::BadQuery, detail)
}
