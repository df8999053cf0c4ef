//! What people do with a data folder beside using it: check, repair, inspect and back it up.
//!
//! This room reads what the rooms below wrote, through them. It serves no query and commits
//! nothing.

pub mod backup;
pub mod check;
pub mod inspect;
pub mod repair;
