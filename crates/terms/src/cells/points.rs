//! Points of every reference system in one index.
//!
//! ```text
//!   key   the number of the grid (u8), then the cell on it
//!         nothing, for a point that no grid has: every question asks for it
//! ```

use millrace_model::value::Point;

use super::geometry::Area;
use super::grid::{CellGrid, IRREGULAR};
use crate::question::KeyQuestion;

/// Appends the key of a point.
pub(crate) fn key_of_point(point: &Point, key: &mut Vec<u8>) {
    let before = key.len();
    for (number, grid) in (0u8..).zip(CellGrid::DEFAULTS) {
        key.push(number);
        if grid.key_of(point, key) {
            return;
        }
        key.truncate(before);
    }
}

/// The question for the points of all reference systems that lie in an area of one of them. `area` makes it on the
/// grid of the system; a system without a grid has few points, which are all candidates.
pub fn question_of_points(srid: u32, area: impl FnOnce(&CellGrid) -> Area) -> KeyQuestion {
    let mut grids = (0u8..).zip(CellGrid::DEFAULTS);
    let found = grids.find(|(_, grid)| grid.srid() == srid);
    let own = found.map(|(number, grid)| grid.question_of(&area(&grid)).behind(&[number]));
    KeyQuestion::any(own.into_iter().chain([KeyQuestion::Key(IRREGULAR.to_vec())]))
}
