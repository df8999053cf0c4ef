//! Circles and boxes, and how a cell lies to them.
//!
//! A cell that is called outside has no point of the area, also after rounding: distances on the earth are compared with a
//! margin. A cell that is called whole may have points outside the area; candidates are judged by their values.

use millrace_model::value::Point;

use super::grid::{CellGrid, Space};

/// The radius of the earth for distances, in metres, as Neo4j has it: that of the equator.
pub const EARTH_RADIUS_METRES: f64 = 6_378_140.0;

/// The margin of angles, about 60 cm on the ground: far more than a haversine formula rounds, also between antipodes.
pub const MARGIN_RADIANS: f64 = 1e-7;

/// An area that points are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    region: Region,
}

#[derive(Clone, Debug, PartialEq)]
enum Region {
    Nothing,
    Everything,
    /// Intervals of coordinates; two of longitudes where a box goes over the longitude 180.
    Boxes(Vec<CellBounds>),
    /// Points of a sphere within an angle, between two heights.
    Cap {
        longitude: f64,
        latitude: f64,
        angle: f64,
        heights: (f64, f64),
    },
    /// Points within a distance.
    Ball {
        centre: [f64; 3],
        radius: f64,
    },
}

/// Intervals of coordinates. Those that a cell of a plane does not have are 0 in the cell, and infinite in a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellBounds {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

/// How a cell lies to an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    None,
    Part,
    Whole,
}

impl CellBounds {
    pub(super) fn everything() -> CellBounds {
        CellBounds { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] }
    }

    fn overlap(&self, cell: &CellBounds) -> Overlap {
        let axes = || {
            (0..3).map(|axis| (self.low[axis], self.high[axis], cell.low[axis], cell.high[axis]))
        };
        if axes().any(|(low, high, from, to)| to < low || high < from) {
            Overlap::None
        } else if axes().all(|(low, high, from, to)| low <= from && to <= high) {
            Overlap::Whole
        } else {
            Overlap::Part
        }
    }
}

impl Area {
    /// Points of the grid's system at most `distance` from the centre: metres for geographic points, with a height on a sphere
    /// as high as the mean of both. A centre of another system has no points.
    pub fn within_distance(grid: &CellGrid, centre: &Point, distance: f64) -> Area {
        let fits = centre.srid == grid.srid() && centre.coordinates.len() == grid.dimension_count();
        let is_number =
            distance.is_finite() && centre.coordinates.iter().all(|own| own.is_finite());
        let region = match grid.space {
            _ if !fits || distance.is_nan() || distance < 0.0 => Region::Nothing,
            // An infinite distance, or from an odd point: nothing is said of the grid.
            _ if !is_number => Region::Everything,
            Space::Geographic => cap(&centre.coordinates, distance),
            Space::Cartesian(_) => {
                let axis = |axis: usize| centre.coordinates.get(axis).copied().unwrap_or(0.0);
                Region::Ball { centre: [0, 1, 2].map(axis), radius: distance }
            }
        };
        Area { region }
    }

    /// Points between two corners, edges included, as Neo4j's `point.withinBBox`: a box of geographic points goes over the
    /// longitude 180 if the lower left one is east of the upper right one; otherwise a corner above the other leaves
    /// nothing.
    pub fn within_box(grid: &CellGrid, lower_left: &Point, upper_right: &Point) -> Area {
        let count = grid.dimension_count();
        let fits = |corner: &Point| corner.srid == grid.srid() && corner.coordinates.len() == count;
        if !fits(lower_left) || !fits(upper_right) {
            return Area { region: Region::Nothing };
        }
        let mut whole = CellBounds::everything();
        whole.low[..count].copy_from_slice(&lower_left.coordinates);
        whole.high[..count].copy_from_slice(&upper_right.coordinates);
        let crosses = grid.space == Space::Geographic && whole.high[0] < whole.low[0];
        let first_checked = usize::from(crosses);
        // A corner that is no number encloses nothing.
        if !(first_checked..count).all(|axis| whole.low[axis] <= whole.high[axis]) {
            return Area { region: Region::Nothing };
        }
        if !crosses {
            return Area { region: Region::Boxes(vec![whole]) };
        }
        let (mut east, mut west) = (whole, whole);
        east.high[0] = f64::INFINITY;
        west.low[0] = f64::NEG_INFINITY;
        Area { region: Region::Boxes(vec![east, west]) }
    }

    pub(super) fn overlap(&self, cell: &CellBounds) -> Overlap {
        match &self.region {
            Region::Nothing => Overlap::None,
            Region::Everything => Overlap::Whole,
            Region::Boxes(boxes) => {
                let overlaps: Vec<_> = boxes.iter().map(|own| own.overlap(cell)).collect();
                let is = |wanted: Overlap| move |own: &Overlap| *own == wanted;
                if overlaps.iter().any(is(Overlap::Whole)) {
                    Overlap::Whole
                } else if overlaps.iter().all(is(Overlap::None)) {
                    Overlap::None
                } else {
                    Overlap::Part
                }
            }
            Region::Cap { longitude, latitude, angle, heights } => {
                let (low, high) = *heights;
                if cell.high[2] < low || high < cell.low[2] {
                    return Overlap::None;
                }
                if angle + MARGIN_RADIANS < nearest_angle(*longitude, *latitude, cell) {
                    Overlap::None
                } else if low <= cell.low[2]
                    && cell.high[2] <= high
                    && has_corners_of(*longitude, *latitude, *angle, cell)
                {
                    Overlap::Whole
                } else {
                    Overlap::Part
                }
            }
            Region::Ball { centre, radius } => ball_overlap(centre, *radius, cell),
        }
    }
}

/// The angle under which the distance lies, at the least height that a point in it may have.
fn cap(centre: &[f64], distance: f64) -> Region {
    let (longitude, latitude) = (centre[0], centre[1]);
    let (sphere, heights) = match centre.get(2) {
        None => (EARTH_RADIUS_METRES, (f64::NEG_INFINITY, f64::INFINITY)),
        Some(height) => {
            // The other point is at most so much lower or higher; the sphere is as high as the mean.
            let lowest = EARTH_RADIUS_METRES + height - distance / 2.0;
            let highest = EARTH_RADIUS_METRES + height + distance / 2.0;
            let sphere =
                if lowest <= 0.0 && 0.0 <= highest { 0.0 } else { lowest.abs().min(highest.abs()) };
            let slack = (height.abs() + distance) * 1e-9;
            (sphere, (height - distance - slack, height + distance + slack))
        }
    };
    let angle = distance / sphere;
    let is_regular = (-90.0..=90.0).contains(&latitude) && longitude.abs() <= 1e6;
    if !is_regular || angle.is_nan() || std::f64::consts::PI <= angle {
        return Region::Everything;
    }
    Region::Cap { longitude, latitude, angle: angle * (1.0 + 1e-9), heights }
}

/// The least angle between a place and a cell of longitudes and latitudes.
///
/// On the longitude of the place, the way is along the meridian. Elsewhere the nearest point of each latitude lies on the
/// nearer edge of the cell, a meridian: there `cos angle = a sin latitude + b cos latitude`, greatest at
/// `atan2(a, b)`.
fn nearest_angle(longitude: f64, latitude: f64, cell: &CellBounds) -> f64 {
    let [west, east] = [cell.low[0].max(-180.0), cell.high[0].min(180.0)];
    let [south, north] = [cell.low[1].max(-90.0).to_radians(), cell.high[1].min(90.0).to_radians()];
    let own = latitude.to_radians();
    let eastward = (longitude - west).rem_euclid(360.0);
    if eastward <= east - west {
        return (south - own).max(own - north).max(0.0);
    }
    let edge = |edge: f64| {
        let across = (longitude - edge).to_radians();
        let (along_sin, along_cos) = (own.sin(), own.cos() * across.cos());
        let highest = along_sin.atan2(along_cos);
        let ends = [south, north].map(|end| angle_between(own, end, across));
        if south <= highest && highest <= north {
            angle_between(own, highest, across).min(ends[0]).min(ends[1])
        } else {
            ends[0].min(ends[1])
        }
    };
    edge(west).min(edge(east))
}

/// Whether the corners of a cell lie within an angle; then nothing is won by splitting it.
fn has_corners_of(longitude: f64, latitude: f64, angle: f64, cell: &CellBounds) -> bool {
    let corners =
        [cell.low[1], cell.high[1]].map(|latitude| latitude.clamp(-90.0, 90.0).to_radians());
    let [west, east] = [cell.low[0].max(-180.0), cell.high[0].min(180.0)];
    let is_within = |edge: f64| {
        let across = (longitude - edge).to_radians();
        corners.iter().all(|corner| angle_between(latitude.to_radians(), *corner, across) <= angle)
    };
    east - west <= 90.0 && is_within(west) && is_within(east)
}

/// The haversine formula.
fn angle_between(from: f64, to: f64, across: f64) -> f64 {
    let half = |angle: f64| (angle / 2.0).sin().powi(2);
    let share = half(to - from) + from.cos() * to.cos() * half(across);
    2.0 * share.max(0.0).sqrt().min(1.0).asin()
}

/// By the nearest and the furthest point of the cell. Rounding is below a billionth of the numbers.
fn ball_overlap(centre: &[f64; 3], radius: f64, cell: &CellBounds) -> Overlap {
    let (mut nearest, mut furthest) = (0f64, 0f64);
    let mut magnitude = radius;
    for (axis, centre) in centre.iter().enumerate() {
        let (low, high) = (cell.low[axis], cell.high[axis]);
        let apart = (low - centre).max(centre - high).max(0.0);
        nearest = nearest.hypot(apart);
        furthest = furthest.hypot((centre - low).max(high - centre));
        magnitude = magnitude.max(centre.abs());
    }
    match () {
        () if radius + magnitude * 1e-9 < nearest => Overlap::None,
        () if furthest <= radius => Overlap::Whole,
        () => Overlap::Part,
    }
}
