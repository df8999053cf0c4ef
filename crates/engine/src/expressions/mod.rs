//! Expressions over a batch: a column in, a column out.
//!
//! The algebra leaves these points to the engine; they are decided once, here:
//!
//! - A comparison with an *absent* side is unknown in every mode; `IsNull` is true of absent.
//! - Arithmetic and functions treat absent as null; null in gives null out.
//! - `And`, `Or` and `Case` look at a later operand only for rows that the earlier ones left
//!   open, so an error of an unneeded operand is never raised. An operand that cannot fail is
//!   evaluated for the whole batch at once.
//! - A value that is no boolean where one is wanted is an error that names the type.
//!
//! ```text
//!   Expr ──compile──> Node (slots, resolved names, one Gather for each element column)
//!                       │ evaluate(batch)
//!                       v
//!                    Operand (a column, or one value for all rows)
//! ```
//!
//! No operator enters: an expression has a batch and the run, and gives a column.

mod arithmetic;
mod case;
mod choose;
mod comparison;
mod compile;
mod elements;
mod evaluate;
mod fields;
mod gather;
mod logic;
mod made;
mod operand;
mod over;
mod own_properties;
mod property_maps;
mod property_values;
mod sets;
mod texts;

pub(crate) use compile::{ExprCompiler, bug, slot_of};
pub(crate) use elements::deleted;
pub(crate) use evaluate::Exprs;
pub(crate) use fields::{field_keys, read_fields};
pub(crate) use gather::gather;
pub(crate) use logic::{count_selected, selected};
pub(crate) use made::{is_wide, operands_bytes};
pub(crate) use operand::Operand;
pub(crate) use property_values::only_value;
