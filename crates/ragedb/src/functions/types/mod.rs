//! Types that a script makes values of: `Link`, `Node`, `Relationship` and `Roar`.
//!
//! Here are constructors, the methods that take arguments as functions do, and what the reference page says
//! of all methods. The types themselves are in `columns` and `results`.

mod constructors;
mod methods;
mod roar;

pub(crate) use constructors::register;
pub(crate) use methods::TYPES;
