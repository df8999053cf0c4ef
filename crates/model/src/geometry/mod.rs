//! Geometries: points, polygons and multipolygons on the earth, by longitude and latitude as GeoJSON has them, and their text.
//!
//! A geometry is well formed once it is made: rings are closed and have four points or more, coordinates are numbers on the
//! earth, and there are at most [`POINTS_MAX`] of them. What lies within what is said by the crate `terms`; no
//! [`Value`](crate::Value) and no error of a query enters.

mod checked;
pub mod geojson;
mod scanner;

pub use checked::{Coordinates, Geometry, GeometryFault, POINTS_MAX, Polygon, Ring};
