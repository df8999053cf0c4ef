//! A geometry, and the checks that it passes.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Positions in a geometry: 1 MiB of coordinates. The border of the United States in detail has 36,000.
pub const POINTS_MAX: usize = 1 << 16;

/// Positions of a ring, with the first one again at the end.
const RING_POINTS_MIN: usize = 4;

/// Degrees of longitude either way: a shape that goes over the antimeridian may count on.
const LONGITUDE_MAX: f64 = 360.0;

/// Longitude and latitude in degrees.
pub type Coordinates = [f64; 2];

/// A closed line: its last position is the first.
pub type Ring = Vec<Coordinates>;

/// The outer ring, then those of holes.
pub type Polygon = Vec<Ring>;

/// A shape on the earth (WGS 84).
#[derive(Clone, Debug)]
pub enum Geometry {
    /// A place.
    Point(Coordinates),
    /// An area.
    Polygon(Polygon),
    /// Several areas.
    MultiPolygon(Vec<Polygon>),
}

/// Why positions are no geometry.
#[derive(Clone, Debug, PartialEq)]
pub enum GeometryFault {
    /// A text is not GeoJSON: where, in bytes, and what was expected there.
    Text {
        /// Bytes from the start of the text.
        at: usize,
        /// The form that was expected.
        expected: &'static str,
    },
    /// A type of geometry that is not supported.
    Type(String),
    /// The coordinates are not nested as those of the type are.
    Nesting {
        /// The type.
        name: &'static str,
        /// Its levels of arrays.
        levels: usize,
    },
    /// A position with more or fewer than two numbers.
    Dimensions(usize),
    /// A longitude that is no number, or too far away.
    Longitude(f64),
    /// A latitude that is no number, or beyond a pole.
    Latitude(f64),
    /// A polygon without rings, or a multipolygon without polygons.
    Empty(&'static str),
    /// A ring of too few positions.
    ShortRing(usize),
    /// A ring whose last position is not its first.
    OpenRing {
        /// The first position.
        first: Coordinates,
        /// The last one.
        last: Coordinates,
    },
    /// More than [`POINTS_MAX`] positions.
    TooManyPoints,
}

impl Geometry {
    /// The type as GeoJSON names it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Geometry::Point(_) => "Point",
            Geometry::Polygon(_) => "Polygon",
            Geometry::MultiPolygon(_) => "MultiPolygon",
        }
    }

    /// Its polygons: none of a point.
    pub fn polygons(&self) -> &[Polygon] {
        match self {
            Geometry::Point(_) => &[],
            Geometry::Polygon(polygon) => std::slice::from_ref(polygon),
            Geometry::MultiPolygon(polygons) => polygons,
        }
    }

    /// How many positions it has.
    pub fn point_count(&self) -> usize {
        match self {
            Geometry::Point(_) => 1,
            Geometry::Polygon(_) | Geometry::MultiPolygon(_) => {
                self.polygons().iter().flatten().map(Vec::len).sum()
            }
        }
    }

    /// The geometry, if it is well formed.
    pub fn checked(self) -> Result<Geometry, GeometryFault> {
        match &self {
            Geometry::Point(position) => check_position(*position)?,
            Geometry::Polygon(rings) => check_polygon(rings)?,
            Geometry::MultiPolygon(polygons) if polygons.is_empty() => {
                return Err(GeometryFault::Empty("a multipolygon without a polygon"));
            }
            Geometry::MultiPolygon(polygons) => {
                polygons.iter().try_for_each(|rings| check_polygon(rings))?;
            }
        }
        if POINTS_MAX < self.point_count() {
            return Err(GeometryFault::TooManyPoints);
        }
        Ok(self)
    }

    /// The place of its type in the one order; it is part of file formats.
    pub fn type_number(&self) -> u8 {
        match self {
            Geometry::Point(_) => 0,
            Geometry::Polygon(_) => 1,
            Geometry::MultiPolygon(_) => 2,
        }
    }
}

fn check_polygon(rings: &[Ring]) -> Result<(), GeometryFault> {
    if rings.is_empty() {
        return Err(GeometryFault::Empty("a polygon without a ring"));
    }
    rings.iter().try_for_each(|ring| {
        ring.iter().try_for_each(|position| check_position(*position))?;
        match (ring.first(), ring.last()) {
            (Some(first), Some(last)) if RING_POINTS_MIN <= ring.len() && first == last => Ok(()),
            (Some(first), Some(last)) if RING_POINTS_MIN <= ring.len() => {
                Err(GeometryFault::OpenRing { first: *first, last: *last })
            }
            _ => Err(GeometryFault::ShortRing(ring.len())),
        }
    })
}

fn check_position([longitude, latitude]: Coordinates) -> Result<(), GeometryFault> {
    if !(-LONGITUDE_MAX..=LONGITUDE_MAX).contains(&longitude) {
        return Err(GeometryFault::Longitude(longitude));
    }
    if !(-90.0..=90.0).contains(&latitude) {
        return Err(GeometryFault::Latitude(latitude));
    }
    Ok(())
}

impl fmt::Display for GeometryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeometryFault::Text { at, expected } => {
                write!(f, "expected {expected} at byte {at} of this GeoJSON")
            }
            GeometryFault::Type(name) => write!(
                f,
                "geometry of the type '{name}' is not supported: use Point, Polygon or MultiPolygon"
            ),
            GeometryFault::Nesting { name, levels } => {
                write!(f, "expected coordinates of {levels} levels of arrays, as a {name} has them")
            }
            GeometryFault::Dimensions(count) => write!(
                f,
                "a position has a longitude and a latitude, and this one has {count} numbers"
            ),
            GeometryFault::Longitude(found) => {
                write!(
                    f,
                    "a longitude is from -180 to 180 degrees, 360 at most, and {found} is not"
                )
            }
            GeometryFault::Latitude(found) => {
                write!(f, "a latitude is from -90 to 90 degrees, and {found} is not")
            }
            GeometryFault::Empty(what) => write!(f, "{what} is no geometry"),
            GeometryFault::ShortRing(count) => write!(
                f,
                "a ring has {RING_POINTS_MIN} positions or more, the last one equal to the first, and \
                 this one has {count}"
            ),
            GeometryFault::OpenRing { first, last } => write!(
                f,
                "a ring ends where it begins, and this one begins at {first:?} and ends at {last:?}"
            ),
            GeometryFault::TooManyPoints => {
                write!(f, "a geometry has {POINTS_MAX} positions at most: simplify it, or split it")
            }
        }
    }
}

impl std::error::Error for GeometryFault {}

/// By the bits of coordinates, so that it agrees with the hash.
impl Ord for Geometry {
    fn cmp(&self, other: &Geometry) -> Ordering {
        match (self, other) {
            (Geometry::Point(left), Geometry::Point(right)) => positions(&[*left], &[*right]),
            _ => {
                let types = self.type_number().cmp(&other.type_number());
                types.then_with(|| {
                    sequences(self.polygons(), other.polygons(), |left, right| {
                        sequences(left, right, |left, right| positions(left, right))
                    })
                })
            }
        }
    }
}

fn positions(left: &[Coordinates], right: &[Coordinates]) -> Ordering {
    sequences(left, right, |left, right| {
        left[0].total_cmp(&right[0]).then(left[1].total_cmp(&right[1]))
    })
}

/// The first pair that differs decides, then the lengths.
fn sequences<T>(left: &[T], right: &[T], order: impl Fn(&T, &T) -> Ordering) -> Ordering {
    let pairs = left.iter().zip(right).map(|(left, right)| order(left, right));
    let first = pairs.into_iter().find(|order| order.is_ne());
    first.unwrap_or_else(|| left.len().cmp(&right.len()))
}

impl PartialOrd for Geometry {
    fn partial_cmp(&self, other: &Geometry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Geometry {
    fn eq(&self, other: &Geometry) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Geometry {}

impl Hash for Geometry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.type_number());
        let mut write = |position: &Coordinates| {
            position.iter().for_each(|coordinate| state.write_u64(coordinate.to_bits()));
        };
        match self {
            Geometry::Point(position) => write(position),
            Geometry::Polygon(_) | Geometry::MultiPolygon(_) => {
                self.polygons().iter().flatten().flatten().for_each(write);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(west: f64, south: f64) -> Polygon {
        let (east, north) = (west + 1.0, south + 1.0);
        vec![vec![[west, south], [east, south], [east, north], [west, north], [west, south]]]
    }

    #[test]
    fn only_closed_rings_on_the_earth_are_polygons() {
        assert!(Geometry::Polygon(square(0.0, 0.0)).checked().is_ok());
        assert!(Geometry::Point([360.0, -90.0]).checked().is_ok());
        let mut open = square(0.0, 0.0);
        open[0][4] = [0.5, 0.0];
        let short = vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]];
        let mut nan = square(0.0, 0.0);
        nan[0][2][0] = f64::NAN;
        let mut second = square(0.0, 0.0);
        second.push(vec![]);
        for (geometry, fault) in [
            (Geometry::Polygon(open), "a ring ends where it begins"),
            (Geometry::Polygon(short), "4 positions or more"),
            (
                Geometry::Polygon(nan),
                "a longitude is from -180 to 180 degrees, 360 at most, and NaN",
            ),
            (
                Geometry::Polygon(square(0.0, 89.5)),
                "a latitude is from -90 to 90 degrees, and 90.5",
            ),
            (Geometry::Polygon(second), "and this one has 0"),
            (Geometry::Polygon(vec![]), "a polygon without a ring"),
            (Geometry::MultiPolygon(vec![]), "a multipolygon without a polygon"),
            (Geometry::MultiPolygon(vec![vec![]]), "a polygon without a ring"),
            (Geometry::Point([0.0, f64::INFINITY]), "a latitude"),
            (Geometry::Point([-361.0, 0.0]), "a longitude"),
            (Geometry::MultiPolygon(vec![square(0.0, 0.0); 13_108]), "65536 positions at most"),
        ] {
            let refused = geometry.checked().expect_err(fault).to_string();
            assert!(refused.contains(fault), "{refused}");
        }
        assert!(Geometry::MultiPolygon(vec![square(0.0, 0.0); 13_107]).checked().is_ok());
    }

    #[test]
    fn the_order_is_by_type_then_by_positions_then_by_length() {
        let more = vec![square(0.0, 0.0), square(0.0, 0.0)];
        let mut hole = square(0.0, 0.0);
        hole.push(square(0.2, 0.2).remove(0));
        let sorted = [
            Geometry::Point([-1.0, 5.0]),
            Geometry::Point([-0.0, 0.0]),
            Geometry::Point([0.0, 0.0]),
            Geometry::Point([0.0, 1.0]),
            Geometry::Polygon(square(-3.0, 0.0)),
            Geometry::Polygon(square(0.0, 0.0)),
            Geometry::Polygon(hole),
            Geometry::Polygon(square(0.0, 1.0)),
            Geometry::MultiPolygon(vec![square(0.0, 0.0)]),
            Geometry::MultiPolygon(more),
        ];
        for (i, left) in sorted.iter().enumerate() {
            for (j, right) in sorted.iter().enumerate() {
                assert_eq!(left.cmp(right), i.cmp(&j), "{left:?} to {right:?}");
            }
        }
    }
}
