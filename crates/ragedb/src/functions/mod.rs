//! RageDB's functions: one table, from which sandboxes, aliases and the reference page are made.
//!
//! A function is one entry in its family's list. Unknown ids never raise: 0, empty or nil comes
//! back.
//!
//! ```text
//!   families ──> register (with aliases) ──> a sandbox
//!      │
//!      ├─ schema, elements, walks, dates, load, traversals     a list each, or several
//!      │                    └──> call       steps that they share
//!      └─ function      an entry; how it is called
//! ```
//!
//! A function reads arguments, runs plans, and makes results; plans are in `plans`. Sandboxes never enter:
//! a function does not know the other names that a script has.

mod aliases;
mod call;
mod dates;
mod elements;
mod families;
mod function;
mod load;
mod register;
mod schema;
mod traversals;
mod types;
mod walks;

pub(crate) use aliases::aliases;
pub(crate) use families::FAMILIES;
pub(crate) use register::register;
pub(crate) use types::{TYPES, register as register_types};
