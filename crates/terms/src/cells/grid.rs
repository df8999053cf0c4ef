//! Points as cells of the finest grid.
//!
//! A coordinate becomes a number of 32 bits: its share of the extent, rounded down. What is outside the extent counts to
//! the outermost cells, which therefore reach to infinity. All is monotone, so intervals of coordinates are intervals of
//! numbers.

use std::fmt;

use millrace_model::value::Point;
use millrace_model::{Error, ErrorKind, Result};

use super::curve::curve_index;

/// The key of a point without a place on the grid. It is shorter than any other, and none begins with it.
pub const IRREGULAR: &[u8] = &[];

/// Plane or space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// Two coordinates.
    Two,
    /// Three coordinates.
    Three,
}

/// Where the points of a grid are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// Longitude and latitude in degrees of WGS-84, and a height in metres.
    Geographic,
    /// Any unit.
    Cartesian(PlaneExtent),
}

/// The coordinates between which a cartesian grid is fine; beyond, points share its outermost cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneExtent {
    least: f64,
    greatest: f64,
}

impl PlaneExtent {
    /// Neo4j's default, a million on each side of 0.
    pub const DEFAULT: PlaneExtent = PlaneExtent { least: -1e6, greatest: 1e6 };

    /// An extent that doubles can divide into 2^32 parts.
    pub fn new(least: f64, greatest: f64) -> Result<PlaneExtent> {
        let furthest = least.abs().max(greatest.abs());
        // Sixteen roundings must not make a step of the grid.
        let is_divisible = furthest * f64::EPSILON * 16.0 < (greatest - least) / STEPS;
        if least < greatest && (greatest - least).is_finite() && is_divisible {
            return Ok(PlaneExtent { least, greatest });
        }
        let detail = format!("the extent of a grid cannot be from {least:?} to {greatest:?}");
        Err(Error::new(ErrorKind::BadInput, detail).with_help(
            "give two numbers, the lower first, whose difference is not small against them",
        ))
    }

    /// The least and the greatest coordinate.
    pub fn bounds(self) -> (f64, f64) {
        (self.least, self.greatest)
    }
}

/// Steps of a coordinate.
const STEPS: f64 = 4_294_967_296.0;

/// Metres above and below the ellipsoid, as Neo4j's default has them.
const HEIGHTS: PlaneExtent = PlaneExtent { least: -1e6, greatest: 1e6 };

const LONGITUDES: PlaneExtent = PlaneExtent { least: -180.0, greatest: 180.0 };

const LATITUDES: PlaneExtent = PlaneExtent { least: -90.0, greatest: 90.0 };

/// A grid over points of one coordinate reference system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellGrid {
    /// Plane or space.
    pub dimensions: Dimensions,
    /// Where.
    pub space: Space,
}

impl CellGrid {
    /// The grids that an index of all points has, a grid for each reference system, with Neo4j's default extents.
    pub const DEFAULTS: [CellGrid; 4] = [
        CellGrid { dimensions: Dimensions::Two, space: Space::Geographic },
        CellGrid { dimensions: Dimensions::Three, space: Space::Geographic },
        CellGrid { dimensions: Dimensions::Two, space: Space::Cartesian(PlaneExtent::DEFAULT) },
        CellGrid { dimensions: Dimensions::Three, space: Space::Cartesian(PlaneExtent::DEFAULT) },
    ];

    /// The number of the reference system (EPSG, OGC) whose points it has.
    pub fn srid(&self) -> u32 {
        match (self.space, self.dimensions) {
            (Space::Geographic, Dimensions::Two) => 4326,
            (Space::Geographic, Dimensions::Three) => 4979,
            (Space::Cartesian(_), Dimensions::Two) => 7203,
            (Space::Cartesian(_), Dimensions::Three) => 9157,
        }
    }

    /// How many coordinates its points have.
    pub fn dimension_count(&self) -> usize {
        match self.dimensions {
            Dimensions::Two => 2,
            Dimensions::Three => 3,
        }
    }

    /// Appends the key of a point; false for one of another reference system, which has none.
    pub fn key_of(&self, point: &Point, key: &mut Vec<u8>) -> bool {
        if point.srid != self.srid() || point.coordinates.len() != self.dimension_count() {
            return false;
        }
        if !self.is_regular(&point.coordinates) {
            key.extend_from_slice(IRREGULAR);
            return true;
        }
        let steps = |axis: usize| self.extent(axis).step_of(point.coordinates[axis]);
        let index = match self.dimensions {
            Dimensions::Two => curve_index([0, 1].map(steps), 32),
            Dimensions::Three => curve_index([0, 1, 2].map(steps), 32),
        };
        self.put(index, key);
        true
    }

    /// Whether the grid has a place for these coordinates.
    fn is_regular(&self, coordinates: &[f64]) -> bool {
        let is_there = match self.space {
            Space::Geographic => (0..2).all(|axis| self.extent(axis).contains(coordinates[axis])),
            Space::Cartesian(_) => true,
        };
        is_there && coordinates.iter().all(|coordinate| coordinate.is_finite())
    }

    /// The extent of a coordinate.
    pub(super) fn extent(&self, axis: usize) -> PlaneExtent {
        match (self.space, axis) {
            (Space::Cartesian(extent), _) => extent,
            (Space::Geographic, 0) => LONGITUDES,
            (Space::Geographic, 1) => LATITUDES,
            (Space::Geographic, _) => HEIGHTS,
        }
    }

    /// Appends a place on the curve as bytes in its order: 8 in a plane, 12 in space.
    pub(super) fn put(&self, index: u128, key: &mut Vec<u8>) {
        key.extend_from_slice(&index.to_be_bytes()[16 - 4 * self.dimension_count()..]);
    }
}

impl PlaneExtent {
    fn contains(self, coordinate: f64) -> bool {
        (self.least..=self.greatest).contains(&coordinate)
    }

    /// The number of the cell; no number counts to the first. Casts saturate.
    pub(super) fn step_of(self, coordinate: f64) -> u32 {
        ((coordinate - self.least) / ((self.greatest - self.least) / STEPS)) as u32
    }

    /// Coordinates between which all of the cells from `first` to `last` lie, a step wider on each side than computed:
    /// the rounding of both ways is far below a step. The outermost cells have what is beyond the extent, too.
    pub(super) fn interval(self, first: u32, last: u32) -> (f64, f64) {
        let width = (self.greatest - self.least) / STEPS;
        let low = self.least + (f64::from(first) - 1.0) * width;
        let high = self.least + (f64::from(last) + 2.0) * width;
        let low = if first == 0 { f64::NEG_INFINITY } else { low };
        (low, if last == u32::MAX { f64::INFINITY } else { high })
    }
}

/// As a user writes it: `2d, geographic`, `3d, cartesian`, `2d, cartesian, -50.0, 50.0`.
impl fmt::Display for CellGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = match self.space {
            Space::Geographic => "geographic",
            Space::Cartesian(_) => "cartesian",
        };
        write!(f, "{}d, {space}", self.dimension_count())?;
        match self.space {
            Space::Cartesian(extent) if extent != PlaneExtent::DEFAULT => {
                write!(f, ", {:?}, {:?}", extent.least, extent.greatest)
            }
            Space::Cartesian(_) | Space::Geographic => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    #[test]
    fn a_coordinate_lies_in_the_interval_of_its_cell() {
        run_seeds(2_000, |_, random| {
            let least = (random.unit() - 0.5) * 10f64.powi(random.below(20) as i32 - 8);
            let Ok(extent) = PlaneExtent::new(
                least,
                least + random.unit() * 10f64.powi(random.below(20) as i32 - 8),
            ) else {
                return;
            };
            let (low, high) = extent.bounds();
            let coordinate = low + (random.unit() * 1.2 - 0.1) * (high - low);
            let step = extent.step_of(coordinate);
            let (from, to) = extent.interval(step, step);
            assert!(from <= coordinate && coordinate <= to, "{coordinate} {from} {to}");
        });
    }

    #[test]
    fn an_extent_that_doubles_cannot_divide_is_refused() {
        for (low, high) in
            [(1.0, 1.0), (2.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0), (1e15, 1e15 + 1.0)]
        {
            PlaneExtent::new(low, high).expect_err("no extent");
        }
    }

    #[test]
    fn points_of_other_systems_have_no_key_and_odd_ones_the_irregular() {
        let grid = CellGrid { dimensions: Dimensions::Two, space: Space::Geographic };
        let key = |srid, coordinates: &[f64]| {
            let mut key = Vec::new();
            let has = grid.key_of(&Point { srid, coordinates: coordinates.to_vec() }, &mut key);
            has.then_some(key)
        };
        assert_eq!(key(7203, &[1.0, 2.0]), None);
        assert_eq!(key(4326, &[1.0, 2.0, 3.0]), None);
        assert_eq!(key(4326, &[1.0, f64::NAN]).as_deref(), Some(IRREGULAR));
        assert_eq!(key(4326, &[1.0, 91.0]).as_deref(), Some(IRREGULAR));
        assert_eq!(key(4326, &[180.0, -90.0]).map(|key| key.len()), Some(8));
    }
}
