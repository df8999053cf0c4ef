//! The base of all modules: ids, exact decimals, bits, texts side by side, a seeded generator, deep stacks.
//!
//! Nothing here knows a value, an error of the workspace or a graph, and nothing of the crate is imported.

pub mod bits;
pub mod decimal;
pub mod element_id;
pub mod ids;
pub mod java_float;
pub mod property_name;
pub mod random;
pub mod stack;
pub mod strings;
pub mod uuid;
