//! The tests of this crate over whole mutations, in one binary.

mod mutated;
mod vectors;
