//! Intervals of latitude and longitude around edges and areas.
//!
//! A bound is never too small, rounding included: what lies in an area lies in its bound.

use std::f64::consts::{FRAC_PI_2, PI};

use super::vector::Vector;

/// What the latitude of a point may be wrong by.
const LATITUDE_ERROR: f64 = 2.0 * f64::EPSILON;

/// What the greatest latitude of an edge may be wrong by, besides.
const HIGHEST_ERROR: f64 = 3.0 * f64::EPSILON;

/// Edges shorter than this have no direction that is certain; ways between opposite points neither.
const LENGTH_MIN: f64 = 2e-15;

/// Longitudes from one to another, eastward, above -π and up to π; the east end may be less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Longitudes {
    All,
    Arc { west: f64, east: f64 },
}

/// An interval of latitudes and one of longitudes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) south: f64,
    pub(super) north: f64,
    pub(super) longitudes: Longitudes,
}

impl Longitudes {
    pub(super) fn length(self) -> f64 {
        match self {
            Longitudes::All => 2.0 * PI,
            Longitudes::Arc { west, east } if west <= east => east - west,
            Longitudes::Arc { west, east } => east - west + 2.0 * PI,
        }
    }

    pub(super) fn contains(self, longitude: f64) -> bool {
        match self {
            Longitudes::All => true,
            Longitudes::Arc { west, east } if west <= east => (west..=east).contains(&longitude),
            Longitudes::Arc { west, east } => west <= longitude || longitude <= east,
        }
    }

    /// By the ends themselves, so that arcs with a common end are compared exactly.
    fn contains_all_of(self, other: Longitudes) -> bool {
        let (Longitudes::Arc { west, east }, Longitudes::Arc { west: from, east: to }) =
            (self, other)
        else {
            return self == Longitudes::All;
        };
        match (west <= east, from <= to) {
            (true, true) | (false, false) => west <= from && to <= east,
            (false, true) => west <= from || to <= east,
            (true, false) => false,
        }
    }

    pub(super) fn meets(self, other: Longitudes) -> bool {
        match (self, other) {
            (Longitudes::All, _) | (_, Longitudes::All) => true,
            (Longitudes::Arc { west, .. }, Longitudes::Arc { west: from, .. }) => {
                self.contains(from) || other.contains(west)
            }
        }
    }
}

impl Bounds {
    pub(super) const EVERYTHING: Bounds =
        Bounds { south: -FRAC_PI_2, north: FRAC_PI_2, longitudes: Longitudes::All };

    /// Around a chain of edges; the interior of a closed one may have a pole, which is not known here.
    pub(super) fn of_chain(vertices: impl IntoIterator<Item = Vector>) -> Bounds {
        let mut vertices = vertices.into_iter();
        let Some(first) = vertices.next() else { return Bounds::EVERYTHING };
        let longitude = first.longitude();
        let mut walk = Walk {
            at: longitude,
            east: 0.0,
            west_most: (0.0, longitude),
            east_most: (0.0, longitude),
            is_round: false,
        };
        let latitude = first.latitude();
        let (mut south, mut north) = (latitude, latitude);
        let mut last = first;
        for vertex in vertices {
            let is_directed = walk.to(last, vertex);
            let [low, high] = latitudes(last, vertex, is_directed);
            (south, north) = (south.min(low), north.max(high));
            last = vertex;
        }
        Bounds { south, north, longitudes: walk.longitudes() }.with_room()
    }

    /// With what its latitudes may be wrong by; at a pole all longitudes are one.
    fn with_room(self) -> Bounds {
        let south = (self.south - LATITUDE_ERROR).max(-FRAC_PI_2);
        let north = (self.north + LATITUDE_ERROR).min(FRAC_PI_2);
        let has_pole = south == -FRAC_PI_2 || north == FRAC_PI_2;
        let longitudes = if has_pole { Longitudes::All } else { self.longitudes };
        Bounds { south, north, longitudes }
    }

    pub(super) fn contains(&self, point: Vector) -> bool {
        (self.south..=self.north).contains(&point.latitude())
            && self.longitudes.contains(point.longitude())
    }

    pub(super) fn contains_all_of(&self, other: &Bounds) -> bool {
        self.south <= other.south
            && other.north <= self.north
            && self.longitudes.contains_all_of(other.longitudes)
    }

    pub(super) fn meets(&self, other: &Bounds) -> bool {
        self.south <= other.north
            && other.south <= self.north
            && self.longitudes.meets(other.longitudes)
    }

    /// Whether both together have all longitudes and latitudes.
    pub(super) fn fill_the_sphere_with(&self, other: &Bounds) -> bool {
        let has_poles =
            self.south.min(other.south) == -FRAC_PI_2 && self.north.max(other.north) == FRAC_PI_2;
        let is_round = match (self.longitudes, other.longitudes) {
            (Longitudes::All, _) | (_, Longitudes::All) => true,
            (Longitudes::Arc { west, east }, own @ Longitudes::Arc { west: from, east: to }) => {
                self.longitudes.contains(from)
                    && self.longitudes.contains(to)
                    && own.contains(west)
                    && own.contains(east)
            }
        };
        has_poles && is_round
    }

    /// Whether no cap of half the sphere, around its middle or a pole, holds it.
    pub(super) fn exceeds_a_hemisphere(&self) -> bool {
        let from_pole = if self.north + self.south < 0.0 {
            FRAC_PI_2 + self.north
        } else {
            FRAC_PI_2 - self.south
        };
        let around_middle = match self.longitudes {
            Longitudes::Arc { west, east } if self.longitudes.length() <= PI => {
                let middle = west + (self.longitudes.length()) / 2.0;
                let of = |longitude: f64, latitude: f64| {
                    Vector::of_position([longitude.to_degrees(), latitude.to_degrees()])
                };
                let centre = of(middle, (self.south + self.north) / 2.0);
                let corners = [of(west, self.south), of(east, self.north)];
                corners.iter().all(|corner| 0.0 <= centre.dot(*corner))
            }
            Longitudes::Arc { .. } | Longitudes::All => false,
        };
        FRAC_PI_2 < from_pole && !around_middle
    }
}

/// Longitudes along a chain, from its first vertex on.
struct Walk {
    at: f64,
    /// How far east of the first vertex it is.
    east: f64,
    west_most: (f64, f64),
    east_most: (f64, f64),
    is_round: bool,
}

impl Walk {
    /// Goes along an edge; whether the edge has a direction.
    fn to(&mut self, from: Vector, to: Vector) -> bool {
        let is_directed = LENGTH_MIN <= normal(from, to).length();
        let longitude = to.longitude();
        let mut step = longitude - self.at;
        if PI < step.abs() {
            step -= 2.0 * PI * step.signum();
        }
        let is_over_a_pole = PI - 2.0 * f64::EPSILON <= step.abs();
        let is_opposite = !is_directed && from.dot(to) < 0.0;
        self.is_round |= is_over_a_pole || is_opposite;
        (self.at, self.east) = (longitude, self.east + step);
        if self.east < self.west_most.0 {
            self.west_most = (self.east, longitude);
        }
        if self.east_most.0 < self.east {
            self.east_most = (self.east, longitude);
        }
        is_directed
    }

    fn longitudes(self) -> Longitudes {
        if self.is_round || 2.0 * PI <= self.east_most.0 - self.west_most.0 {
            return Longitudes::All;
        }
        Longitudes::Arc { west: self.west_most.1, east: self.east_most.1 }
    }
}

/// Twice the normal of the plane of an edge, without the cancellation of the plain product.
fn normal(from: Vector, to: Vector) -> Vector {
    from.minus(to).cross(from.plus(to))
}

/// The least and the greatest latitude of an edge: those of its ends, or of the highest point of its great circle.
fn latitudes(from: Vector, to: Vector, is_directed: bool) -> [f64; 2] {
    let ends = [from.latitude(), to.latitude()];
    let [mut south, mut north] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    if !is_directed {
        return if from.dot(to) < 0.0 { [-FRAC_PI_2, FRAC_PI_2] } else { [south, north] };
    }
    let normal = normal(from, to);
    // Crossed with the axis it is in the plane of the equator, where the great circle is steepest; the circle is highest a
    // quarter of a turn further.
    let steepest = normal.cross(Vector([0.0, 0.0, 1.0]));
    let [first, second] = [steepest.dot(from), steepest.dot(to)];
    let error = 1e-15 * normal.length() + 1e-30;
    if first * second < 0.0 || first.abs() <= error || second.abs() <= error {
        let [x, y, z] = normal.0;
        let highest = ((x * x + y * y).sqrt().atan2(z.abs()) + HIGHEST_ERROR).min(FRAC_PI_2);
        // On a short edge the latitude changes little.
        let way = 2.0 * (0.5 * from.minus(to).length() * highest.sin()).min(1.0).asin();
        let room = 0.5 * (way - (north - south)) + f64::EPSILON;
        if first <= error && -error <= second {
            north = highest.min(north + room);
        }
        if second <= error && -error <= first {
            south = (-highest).max(south - room);
        }
    }
    [south, north]
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    fn chain(positions: &[[f64; 2]]) -> Bounds {
        Bounds::of_chain(positions.iter().map(|position| Vector::of_position(*position)))
    }

    #[test]
    fn an_edge_reaches_further_north_than_its_ends() {
        let bounds = chain(&[[-45.0, 45.0], [45.0, 45.0]]);
        assert!((bounds.north.to_degrees() - 54.735_610_317).abs() < 1e-6, "{bounds:?}");
        assert!((bounds.south.to_degrees() - 45.0).abs() < 1e-6, "{bounds:?}");
        let over_pole = chain(&[[0.0, 80.0], [180.0, 80.0]]);
        assert_eq!((over_pole.north, over_pole.longitudes), (FRAC_PI_2, Longitudes::All));
        let over_antimeridian = chain(&[[170.0, 0.0], [-170.0, 1.0]]);
        assert!(over_antimeridian.longitudes.contains(179f64.to_radians()));
        assert!(!over_antimeridian.longitudes.contains(0.0));
        assert!((over_antimeridian.longitudes.length().to_degrees() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn all_points_of_an_edge_lie_in_its_bound() {
        run_seeds(3_000, |_, random| {
            let mut point = || {
                Vector::of_position([random.unit() * 360.0 - 180.0, random.unit() * 180.0 - 90.0])
            };
            let ends = [point(), point()];
            let bounds = Bounds::of_chain(ends);
            assert!(ends.iter().all(|end| bounds.contains(*end)), "{ends:?} {bounds:?}");
            for share in (1..20).map(|step| f64::from(step) / 20.0) {
                let between = ends[0].times(1.0 - share).plus(ends[1].times(share)).normalized();
                assert!(bounds.contains(between), "{ends:?} {share} {bounds:?}");
            }
        });
    }

    #[test]
    fn intervals_of_longitude_go_round() {
        let arc = |west: f64, east: f64| Longitudes::Arc { west, east };
        let round = arc(3.0, -3.0);
        assert!(round.contains(3.1) && round.contains(-3.1) && !round.contains(0.0));
        assert!(round.contains_all_of(arc(3.0, 3.1)) && round.contains_all_of(arc(3.1, -3.0)));
        assert!(!round.contains_all_of(arc(2.9, 3.1)) && !arc(-1.0, 1.0).contains_all_of(round));
        assert!(!round.contains_all_of(arc(-2.0, 2.0)) && Longitudes::All.contains_all_of(round));
        assert!(round.meets(arc(-3.1, 0.0)) && !round.meets(arc(-2.0, 2.0)));
    }
}
