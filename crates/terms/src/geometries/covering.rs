//! Geometries as cells of a grid of longitude and latitude, each of which has four of the next finer level.
//!
//! ```text
//!   cover     cells that hold all of a geometry: a point's finest cell, coarse cells inside an area, finer ones at its edge
//!   parents   the cover, and the cells around it up to the coarsest level
//!
//!   an index holds   c and each cell of the cover, p and each of its parents
//!   a question asks  p and each cell of its cover, c and each of its parents
//! ```
//!
//! Two geometries with a point in common have a cell around it each, one of which is in the other: so the question finds
//! the index by the one or the other. Of a value two areas are covered, the one on the sphere and the one on the map, since
//! a point may be asked for in either.

use std::collections::{BTreeSet, VecDeque};
use std::f64::consts::PI;

use millrace_model::geometry::{Coordinates, Geometry, Polygon};
use millrace_model::{Result, query_limits};

use super::boundary::Boundary;
use super::bounds::{Bounds, Longitudes};
use super::region::{Region, boundaries, is_on_map};
use super::vector::Vector;
use crate::cells::curve_index;
use crate::limits::{GEOMETRY_CELLS_MAX, GEOMETRY_LEVELS};
use crate::question::KeyQuestion;

/// What marks a cell of a cover.
const COVER: u8 = b'c';

/// What marks a parent.
const PARENT: u8 = b'p';

/// Angles by which cells are wider than they are: far more than any rounding.
const MARGIN: f64 = 1e-9;

/// Parts that the long edges of a short boundary are cut into, for bounds that fit well.
const EDGE_PARTS_MAX: usize = 16;

/// Parts of all edges, but for one of each.
const PARTS_MAX: usize = 4_096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    level: u32,
    axes: [u32; 2],
}

/// What is covered.
#[derive(Default)]
struct Covered<'g> {
    points: Vec<Coordinates>,
    areas: Vec<&'g Boundary>,
    /// Areas on the map.
    polygons: &'g [Polygon],
    /// Around the parts of all edges.
    edges: Vec<Bounds>,
}

/// Calls back with the keys of a geometry, each once.
pub(crate) fn keys_of_geometry(
    geometry: &Geometry,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let areas = boundaries(geometry);
    let mut covered = Covered::of_areas(&areas);
    match geometry {
        Geometry::Point(at) => covered.points.push(*at),
        Geometry::Polygon(_) | Geometry::MultiPolygon(_) => {
            covered.polygons = geometry.polygons();
            covered.add_lines_of_map();
        }
    }
    let cover = covered.cover()?;
    cover.iter().try_for_each(|cell| sink(&cell.key(COVER)))?;
    parents(&cover).iter().try_for_each(|cell| sink(&cell.key(PARENT)))
}

/// The question for the geometries that a region accepts.
pub fn question_of_geometries(region: &Region) -> Result<KeyQuestion> {
    let mut covered = Covered::of_areas(&region.areas);
    covered.points.extend(region.point);
    let cover = covered.cover()?;
    let of_cover = cover.iter().map(|cell| cell.key(PARENT));
    let parents = parents(&cover);
    let of_parents = parents.iter().map(|cell| cell.key(COVER));
    let keys = of_cover.chain(of_parents).map(|key| KeyQuestion::Key(key.to_vec()));
    Ok(KeyQuestion::any(keys))
}

/// The cells with those around them.
fn parents(cover: &[Cell]) -> BTreeSet<Cell> {
    let mut parents = BTreeSet::new();
    for cell in cover {
        let mut cell = *cell;
        while parents.insert(cell) && GEOMETRY_LEVELS.start() < &cell.level {
            cell = Cell { level: cell.level - 1, axes: cell.axes.map(|axis| axis >> 1) };
        }
    }
    parents
}

impl<'g> Covered<'g> {
    fn of_areas(areas: &'g [Boundary]) -> Covered<'g> {
        let edge_count: usize = areas.iter().map(|area| area.edges().count()).sum();
        let parts = (PARTS_MAX / edge_count.max(1)).clamp(1, EDGE_PARTS_MAX);
        let edges = areas.iter().flat_map(Boundary::edges);
        let edges = edges.flat_map(|[from, to]| parts_of(from, to, parts)).collect();
        Covered { areas: areas.iter().collect(), edges, ..Covered::default() }
    }

    /// Straight lines of the map, each cut as edges are.
    fn add_lines_of_map(&mut self) {
        let rings = || self.polygons.iter().flatten();
        let line_count: usize = rings().map(Vec::len).sum();
        let parts = (PARTS_MAX / line_count.max(1)).clamp(1, EDGE_PARTS_MAX);
        let lines = rings().flat_map(|ring| ring.windows(2));
        let parts = lines.flat_map(|line| {
            let at = move |number: usize| {
                let share = number as f64 / parts as f64;
                [0, 1].map(|axis| line[0][axis] * (1.0 - share) + line[1][axis] * share)
            };
            (0..parts).map(move |number| bounds_on_map(at(number), at(number + 1)))
        });
        let parts: Vec<Bounds> = parts.collect();
        self.edges.extend(parts);
    }

    /// The cells that hold it, those inside the areas as coarse as they can be.
    fn cover(&self) -> Result<Vec<Cell>> {
        let mut cover: Vec<Cell> = self.points.iter().map(|at| Cell::of_position(*at)).collect();
        let all: Vec<u32> = (0..self.edges.len() as u32).collect();
        let mut open = VecDeque::new();
        if !self.areas.is_empty() {
            open.push_back((Cell { level: 0, axes: [0; 2] }, all));
        }
        while let Some((cell, edges)) = open.pop_front() {
            let is_coarse = cell.level < *GEOMETRY_LEVELS.start();
            if cell.level == *GEOMETRY_LEVELS.end() {
                cover.push(cell);
                continue;
            }
            let mut inside = Vec::new();
            let mut crossed = Vec::new();
            for part in cell.parts() {
                query_limits::step(edges.len() as u64)?;
                let bounds = part.bounds();
                let meets = |edge: &&u32| self.edges[**edge as usize].meets(&bounds);
                let left: Vec<u32> = edges.iter().filter(meets).copied().collect();
                if !left.is_empty() {
                    crossed.push((part, left));
                } else if self.has_inside(part.middle())? {
                    inside.push(part);
                }
            }
            let count = cover.len() + open.len() + inside.len() + crossed.len();
            if !is_coarse && GEOMETRY_CELLS_MAX < count {
                cover.push(cell);
                cover.extend(open.iter().map(|(cell, _)| *cell).filter(|cell| !cell.is_coarse()));
                open.retain(|(cell, _)| cell.is_coarse());
                continue;
            }
            inside.into_iter().for_each(|part| part.push_fine_enough(&mut cover));
            open.extend(crossed);
        }
        Ok(cover)
    }

    fn has_inside(&self, at: Coordinates) -> Result<bool> {
        let point = Vector::of_position(at);
        for area in &self.areas {
            if area.contains_point(point)? {
                return Ok(true);
            }
        }
        let [longitude, latitude] = at;
        // Longitudes of the map may count on beyond half a circle.
        let turns = [-360.0, 0.0, 360.0];
        Ok(turns.iter().any(|turn| is_on_map(self.polygons, [longitude + turn, latitude])))
    }
}

/// Around the parts of an edge.
fn parts_of(from: Vector, to: Vector, parts: usize) -> Vec<Bounds> {
    // Points between almost opposite ones are found badly.
    if parts == 1 || from.dot(to) < -0.9 {
        return vec![Bounds::of_chain([from, to])];
    }
    let at = |number: usize| {
        let share = number as f64 / parts as f64;
        from.times(1.0 - share).plus(to.times(share)).normalized()
    };
    (0..parts).map(|number| Bounds::of_chain([at(number), at(number + 1)])).collect()
}

fn bounds_on_map(from: Coordinates, to: Coordinates) -> Bounds {
    let [west, east] = [from[0].min(to[0]), from[0].max(to[0])].map(f64::to_radians);
    let [south, north] = [from[1].min(to[1]), from[1].max(to[1])].map(f64::to_radians);
    Bounds { south, north, longitudes: arc(west, east) }
}

/// Longitudes from one to another, which may count on.
fn arc(west: f64, east: f64) -> Longitudes {
    if 2.0 * PI <= east - west {
        return Longitudes::All;
    }
    let [west, east] = [west, east].map(|longitude| {
        let turned = longitude.rem_euclid(2.0 * PI);
        if PI < turned { turned - 2.0 * PI } else { turned }
    });
    Longitudes::Arc { west, east }
}

impl Cell {
    /// The finest cell with a position.
    fn of_position([longitude, latitude]: Coordinates) -> Cell {
        let turned = match longitude {
            east if 180.0 < east => east - 360.0,
            west if west < -180.0 => west + 360.0,
            own => own,
        };
        let level = *GEOMETRY_LEVELS.end();
        let count = 1u32 << level;
        // Casts saturate.
        let place = |share: f64| ((share * f64::from(count)) as u32).min(count - 1);
        let axes = [place((turned + 180.0) / 360.0), place((latitude + 90.0) / 180.0)];
        Cell { level, axes }
    }

    fn is_coarse(&self) -> bool {
        self.level < *GEOMETRY_LEVELS.start()
    }

    /// The cells of the next level.
    fn parts(self) -> [Cell; 4] {
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| Cell {
            level: self.level + 1,
            axes: [self.axes[0] << 1 | x, self.axes[1] << 1 | y],
        })
    }

    /// The cell, or its parts of the coarsest level that an index has.
    fn push_fine_enough(self, cover: &mut Vec<Cell>) {
        if self.is_coarse() {
            self.parts().into_iter().for_each(|part| part.push_fine_enough(cover));
        } else {
            cover.push(self);
        }
    }

    /// Its west and east, south and north, in degrees.
    fn degrees(self) -> [[f64; 2]; 2] {
        let count = f64::from(1u32 << self.level);
        let of = |axis: usize, extent: f64| {
            let ends = [self.axes[axis], self.axes[axis] + 1];
            ends.map(|end| f64::from(end) / count * extent - extent / 2.0)
        };
        [of(0, 360.0), of(1, 180.0)]
    }

    fn middle(self) -> Coordinates {
        self.degrees().map(|[low, high]| (low + high) / 2.0)
    }

    fn bounds(self) -> Bounds {
        let [[west, east], [south, north]] = self.degrees().map(|ends| ends.map(f64::to_radians));
        let longitudes = arc(west - MARGIN, east + MARGIN);
        Bounds { south: south - MARGIN, north: north + MARGIN, longitudes }
    }

    /// Mark, level, and place on Hilbert's curve.
    fn key(self, mark: u8) -> [u8; 7] {
        let place = curve_index(self.axes, self.level) as u64;
        let [.., a, b, c, d, e] = place.to_be_bytes();
        [mark, self.level as u8, a, b, c, d, e]
    }
}
