//! Gremlin from outside: one integration binary.

mod lift;
mod show;
mod text;
mod translated;
