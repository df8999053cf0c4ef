//! One total order and one equality for all values, and the named modes in which languages differ.
//!
//! - [`total`]: every pair has an order; equal means *identical* (type and bits). Numbers are
//!   ordered by exact value first, so `1 < 1.0 < 1.5 < 2`, and by width only between equals.
//! - [`order`]: the same without the width: `1` and `1.0` are equal. `Sort` uses it.
//! - [`order_of`], [`total_of`]: the two as a mode has them. Where null is unknown they are Cypher's, with types
//!   in another order; what the store keeps is always in the first one.
//! - [`equal`], [`relate`]: a language's `=` and `<`, which may answer *unknown*.
//! - [`equivalence_key`]: by its identity Cypher groups values.
//!
//! Only comparing enters, also of values as bytes (`order_key`). A column and a schema are above.

mod equivalence;
mod identity;
mod mode;
pub mod order_key;
mod property_values;
mod ranked;
mod relation;
mod three_valued;
mod total_order;

pub use equivalence::equivalence_key;
pub use mode::{compare, equal, order_of, relate, total_of};
pub use relation::{CompareMode, Relation};
pub use total_order::{order, total};
