//! Gremlin from outside: one integration binary.

mod text;
