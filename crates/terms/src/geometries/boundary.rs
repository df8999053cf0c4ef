//! A closed line of edges, and what is inside of it: to its left.
//!
//! A point is inside if the way to it from a fixed point crosses the line as often as says so: the fixed point is inside if
//! the line's second vertex would be on the wrong side otherwise.

use std::f64::consts::FRAC_PI_2;

use millrace_model::geometry::{Coordinates, Ring};
use millrace_model::{Result, query_limits};

use super::bounds::{Bounds, Longitudes};
use super::predicates::{contains_vertex, crosses};
use super::vector::Vector;

/// From where crossings are counted: near the north pole, on no line of round numbers.
const ORIGIN: Vector =
    Vector([-0.009_999_466_435_025_02, 0.002_592_454_260_932_412, 0.999_946_643_502_502]);

/// Edges that have a bound together.
const EDGES_OF_A_BOUND: usize = 32;

/// Points nearer than this are one.
const SAME_POINT: f64 = 1e-15;

/// A closed line.
#[derive(Clone, Debug)]
pub(super) struct Boundary {
    vertices: Vec<Vector>,
    is_origin_inside: bool,
    pub(super) bounds: Bounds,
    /// Of each run of edges.
    runs: Vec<Bounds>,
}

impl Boundary {
    /// The boundary of the smaller part of the sphere that a ring parts.
    pub(super) fn of_ring(ring: &Ring) -> Boundary {
        let mut vertices: Vec<Vector> =
            ring[..ring.len() - 1].iter().copied().map(Vector::of_position).collect();
        if is_clockwise(ring) {
            vertices.reverse();
        }
        let boundary = Boundary::new(vertices);
        // The order on the map misleads around poles, and where longitudes begin anew.
        if boundary.bounds.exceeds_a_hemisphere() { boundary.inverted() } else { boundary }
    }

    /// What is inside of vertices in order, to the left.
    pub(super) fn new(vertices: Vec<Vector>) -> Boundary {
        let mut boundary = Boundary {
            vertices,
            is_origin_inside: false,
            bounds: Bounds::EVERYTHING,
            runs: Vec::new(),
        };
        let [first, second, third] = [0, 1, 2].map(|place| boundary.vertex(place));
        let is_second_inside =
            first != second && third != second && contains_vertex(first, second, third);
        boundary.is_origin_inside = is_second_inside != boundary.counts_inside(second);
        boundary.runs = (0..boundary.vertices.len())
            .step_by(EDGES_OF_A_BOUND)
            .map(|start| {
                let end = boundary.vertices.len().min(start + EDGES_OF_A_BOUND);
                Bounds::of_chain((start..=end).map(|place| boundary.vertex(place)))
            })
            .collect();
        boundary.bounds = boundary.bounds_of_area();
        boundary
    }

    /// The rest of the sphere.
    fn inverted(mut self) -> Boundary {
        self.vertices.reverse();
        self.is_origin_inside = !self.is_origin_inside;
        let has_no_pole = -FRAC_PI_2 < self.bounds.south && self.bounds.north < FRAC_PI_2;
        let inverted = Boundary::new(self.vertices);
        // The rest of an area without a pole has both.
        let bounds = if has_no_pole { Bounds::EVERYTHING } else { inverted.bounds };
        Boundary { bounds, is_origin_inside: self.is_origin_inside, ..inverted }
    }

    fn bounds_of_area(&self) -> Bounds {
        let mut bounds =
            Bounds::of_chain((0..=self.vertices.len()).map(|place| self.vertex(place)));
        if self.counts_inside(Vector([0.0, 0.0, 1.0])) {
            bounds.north = FRAC_PI_2;
            bounds.longitudes = Longitudes::All;
        }
        if bounds.longitudes == Longitudes::All && self.counts_inside(Vector([0.0, 0.0, -1.0])) {
            bounds.south = -FRAC_PI_2;
        }
        bounds
    }

    /// The vertex of a number; they begin anew behind the last.
    fn vertex(&self, place: usize) -> Vector {
        self.vertices[place % self.vertices.len()]
    }

    /// Its edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = [Vector; 2]> {
        (0..self.vertices.len()).map(|place| [self.vertex(place), self.vertex(place + 1)])
    }

    fn counts_inside(&self, point: Vector) -> bool {
        let crossed = self.edges().filter(|[from, to]| crosses(ORIGIN, point, *from, *to));
        self.is_origin_inside ^ (crossed.count() % 2 == 1)
    }

    /// Whether a point is inside. Of areas side by side one has a point on the line between them.
    pub(super) fn contains_point(&self, point: Vector) -> Result<bool> {
        if !self.bounds.contains(point) {
            return Ok(false);
        }
        query_limits::step(self.vertices.len() as u64)?;
        Ok(self.counts_inside(point))
    }

    /// Whether the other line lies inside, and its area. A line does not lie inside itself.
    pub(super) fn contains(&self, other: &Boundary) -> Result<bool> {
        if !self.bounds.contains_all_of(&other.bounds) {
            return Ok(false);
        }
        let first = other.vertex(0);
        if !self.contains_point(first)? && !self.has_vertex_at(first) || self.crosses(other)? {
            return Ok(false);
        }
        // Each may have the boundary of the other, both together being the sphere.
        let first = self.vertex(0);
        Ok(!self.bounds.fill_the_sphere_with(&other.bounds)
            || !other.contains_point(first)?
            || other.has_vertex_at(first))
    }

    /// Whether both have a point in common.
    pub(super) fn intersects(&self, other: &Boundary) -> Result<bool> {
        let (more, fewer) = match self.vertices.len() < other.vertices.len() {
            true => (other, self),
            false => (self, other),
        };
        if !more.bounds.meets(&fewer.bounds) {
            return Ok(false);
        }
        Ok(more.contains_point(fewer.vertex(0))?
            || more.crosses(fewer)?
            || (fewer.bounds.contains_all_of(&more.bounds)
                && fewer.contains_point(more.vertex(0))?))
    }

    fn has_vertex_at(&self, point: Vector) -> bool {
        self.vertices.iter().any(|vertex| vertex.angle(point) <= SAME_POINT)
    }

    /// Whether an edge of the other crosses one of these, at a shared vertex too.
    fn crosses(&self, other: &Boundary) -> Result<bool> {
        for [from, to] in other.edges() {
            query_limits::step(self.runs.len() as u64)?;
            let bounds = Bounds::of_chain([from, to]);
            for (number, run) in self.runs.iter().enumerate() {
                if !run.meets(&bounds) {
                    continue;
                }
                query_limits::step(EDGES_OF_A_BOUND as u64)?;
                let start = number * EDGES_OF_A_BOUND;
                let end = self.vertices.len().min(start + EDGES_OF_A_BOUND);
                let mut edges =
                    (start..end).map(|place| [self.vertex(place), self.vertex(place + 1)]);
                if edges.any(|[first, second]| crosses(from, to, first, second)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether a ring goes clockwise on the map, by its area.
fn is_clockwise(ring: &[Coordinates]) -> bool {
    let next = ring.iter().cycle().skip(1);
    let doubled = ring.iter().zip(next).map(|(own, next)| (next[0] - own[0]) * (own[1] + next[1]));
    0.0 < doubled.sum::<f64>()
}
