//! The engine over the memory store: every operator, scopes, weights, errors, writes.

mod apply;
mod barriers;
mod fixture;
mod goldens;
mod limits;
mod reading;
mod runner;
mod writes;
