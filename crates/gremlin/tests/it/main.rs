//! Gremlin from outside: one integration binary.

mod parameterize;
mod reference;
mod replacements;
mod show;
mod text;
mod translated;
