//! The JSON of a mutation to statements. An object is a node: its members are values, nested nodes and lists of
//! either.
//!
//! ```text
//!   {"uid": "0x1", "name@en": "Ann", "age": 33,     <0x1> <name> "Ann"@en .  <0x1> <age> 33 .
//!    "friend": [{"name": "Bo", "friend|close": true}]}   <0x1> <friend> _:dg.7.1 (close=true) .
//!                                                   _:dg.7.1 <name> "Bo" .
//! ```
//!
//! Where it deletes, `null` stands for all values of its predicate, and an object with nothing but a uid for all of
//! its node. Which predicates are lists, and which types their values have, is for those with a schema.

mod facets;
mod fault;
mod lists;
mod node;
mod statements;
#[cfg(test)]
mod tests;

pub use fault::JsonFault;
pub use lists::lists_of;
pub use node::BlankNames;
pub use statements::{Action, statements_of};
