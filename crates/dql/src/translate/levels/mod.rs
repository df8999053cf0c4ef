//! The levels of a block: its children, the edges between levels, and what a level keeps, orders, groups and shows.
//!
//! What walks a graph to any depth lives in `paths`; how a block begins in `roots`.

mod cascade;
mod children;
mod counts;
mod edges;
mod expand;
mod facets;
mod groups;
mod level;
mod pages;

pub(super) use cascade::LevelParts;
pub(super) use children::{Context, Fields};
pub(super) use expand::all_facets;
pub(super) use level::{BoundLevel, Level, LevelNumber, Levels, Rows};
pub(super) use pages::Comes;
