//! Cells: the keys of points.
//!
//! ```text
//!   points      points of all reference systems in one index
//!   geometry    circles and boxes: is a cell outside, inside, or neither
//!   covering    the ranges of keys that cover an area
//!   grid        a coordinate as a number of 32 bits, and back as an interval
//!   curve       numbers to the place on Hilbert's curve, of which every cell is one run
//! ```
//!
//! A point's key is the place of its cell of the finest grid on a Hilbert curve, as bytes in its order. A larger cell, half as
//! fine in each direction, is a run of the curve, so an area is covered by ranges of keys. Geographic grids are of
//! longitude and latitude: boxes are exact on them, and near a pole cells get narrow, which costs candidates and no
//! result. Libraries of cells on a sphere (S2) have neither boxes of longitude and latitude nor heights nor planes.
//!
//! A point that has no place on the grid (a coordinate that is no number, a latitude beyond a pole) has the key
//! [`IRREGULAR`], which every question asks for, so that no rule of a grid decides what a record's value says.

mod covering;
mod curve;
mod geometry;
mod grid;
mod points;
#[cfg(test)]
mod tests;

pub(crate) use curve::curve_index;
pub use geometry::{Area, EARTH_RADIUS_METRES, MARGIN_RADIANS};
pub use grid::{CellGrid, Dimensions, IRREGULAR, PlaneExtent, Space};
pub(crate) use points::key_of_point;
pub use points::question_of_points;
