//! Gremlin from outside: one integration binary.

mod lift;
mod reference;
mod replacements;
mod show;
mod text;
mod translated;
