//! Gremlin from outside: one integration binary.

mod parameterize;
mod reference;
mod replacements;
mod show;
mod steps;
mod text;
mod translated;
