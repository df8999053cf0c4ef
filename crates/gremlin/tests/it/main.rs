//! Gremlin from outside: one integration binary.

mod lift;
mod reference;
mod show;
mod text;
mod translated;
