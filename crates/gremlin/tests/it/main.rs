//! Gremlin from outside: one integration binary.
