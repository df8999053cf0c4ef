//! Scalar functions, written once for all languages; one file for each family, with a table of a row for each.
//!
//! A language maps its names to these. A difference between languages is a mode on the variant. An
//! argument that is null gives null, unless its row says otherwise; another of the wrong type is an error,
//! but for the tests of text, which are unknown then.
//!
//! Functions of values enter, never one that reads a row, an expression or the graph.

mod arguments;
mod arithmetic;
mod modes;

#[macro_use]
mod by_type;
#[macro_use]
mod collections;
#[macro_use]
mod conversions;
#[macro_use]
mod elements;
#[macro_use]
mod equivalence;
#[macro_use]
mod formats;
#[macro_use]
mod geometries;
#[macro_use]
mod janusgraph;
#[macro_use]
mod numbers;
#[macro_use]
mod points;
#[macro_use]
mod texts;
#[macro_use]
mod times;

use std::fmt;

use millrace_model::compare::CompareMode;
use millrace_model::temporal::{Span, TemporalKind};
use millrace_model::{Result, Value, query_limits};

use crate::base::ElementKind;

pub use arithmetic::Arithmetic;
pub use collections::NumberRange;
pub use millrace_terms::dgraph::WordTest;
pub use millrace_terms::geometries::GeometryTest;
pub use millrace_terms::janusgraph::TextTest;
pub use modes::{
    Cardinality, Collation, Conversion, DatePart, Division, Elementary, GeoTest, IndexMode,
    MonthEnd, NormalForm, NumberType, OnFailure, Outside, Overflow, Pairing, Reduction, Rounding,
    SetOperation, TextCode, TextDistance, VectorMetric, VectorOperation, Wanted, Which, WordCase,
};

/// Null in any place gives null.
const ALL: usize = usize::MAX;
/// Any number of arguments.
const MANY: usize = usize::MAX;

/// Whether a function may raise an error for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fails {
    /// It may.
    May,
    /// Not by itself: its arguments may.
    Not {
        /// Whether it gives a truth or null.
        truth: bool,
    },
    /// Unless one of its arguments behind the first differs from row to row: one that is bound wrongly fails for the whole
    /// plan. It gives a truth.
    UnlessBound,
    /// Unless all its arguments are columns that hold edges or null. It gives a truth.
    UnlessEdges,
}

/// Makes [`Function`] of the rows of all families. A row is a name, with a mode if it has one; how many
/// arguments it takes, at least and at most; of how many of them, from the first on, null gives null;
/// whether it may fail; and the Rust function that evaluates it, given the function and its arguments.
macro_rules! functions {
    ([] $(
        $(#[$doc:meta])*
        $name:ident $(($mode:ty))?: [$least:expr, $most:expr], $nulls:expr, $fails:expr => $value:path;
    )*) => {
        /// A scalar function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function {
            $($(#[$doc])* $name $(($mode))?,)*
        }

        impl Function {
            /// How many arguments it takes, at least and at most.
            pub fn arity(self) -> (usize, usize) {
                match self {
                    $(Function::$name { .. } => ($least, $most),)*
                }
            }

            /// Of how many arguments, from the first on, null gives null.
            fn nulls(self) -> usize {
                match self {
                    $(Function::$name { .. } => $nulls,)*
                }
            }

            /// Whether it may fail for a row.
            pub(crate) fn fails(self) -> Fails {
                match self {
                    $(Function::$name { .. } => $fails,)*
                }
            }

            fn evaluate(self, arguments: &[Value]) -> Result<Value> {
                match self {
                    $(Function::$name { .. } => $value(self, arguments),)*
                }
            }
        }
    };
}

// Each family adds its rows to those before it and hands them on; the last one makes the type.
strings_rows! {
    [
        patterns_rows, display_rows, numbers_rows, elementary_rows, equivalence_rows, rounding_rows,
        random_rows, lists_rows, sets_rows, maps_rows, reduce_rows, dates_rows, casts_rows,
        conversion_rows, wanted_rows, paths_rows, collections_rows, property_values_rows,
        points_rows, operators_rows, parts_rows, convert_rows, value_type_rows, temporal_rows, stored_rows,
        formats_rows, vectors_rows, map_edits_rows, list_edits_rows, text_edits_rows,
        janusgraph_rows, geometries_rows, functions
    ]
}

impl Function {
    /// The value for arguments.
    pub fn call(self, arguments: &[Value]) -> Result<Value> {
        self.check_count(arguments.len())?;
        if arguments.iter().take(self.nulls()).any(Value::is_null) {
            return Ok(Value::Null);
        }
        query_limits::step(arguments.iter().map(query_limits::work_of).sum())?;
        self.evaluate(arguments)
    }

    /// Whether it may raise an error for some arguments of the right number.
    pub fn may_fail(self) -> bool {
        !matches!(self.fails(), Fails::Not { .. })
    }

    /// Whether it gives nothing but truths and null, and no error.
    pub fn gives_truth(self) -> bool {
        matches!(self.fails(), Fails::Not { truth: true })
    }

    fn check_count(self, count: usize) -> Result<()> {
        let (least, most) = self.arity();
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
        Err(arguments::bad(format!("{self} takes {wanted} arguments and got {count}")))
    }
}

/// Its name with its modes, as plans and messages show it.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let debug = format!("{self:?}");
        // `Substring(IndexMode { … })`: the name in snake case, then the modes.
        let (name, modes) = debug.split_once('(').unwrap_or((&debug, ""));
        for (place, letter) in name.char_indices() {
            if letter.is_uppercase() && 0 < place {
                f.write_str("_")?;
            }
            write!(f, "{}", letter.to_lowercase())?;
        }
        if modes.is_empty() {
            return Ok(());
        }
        let modes = modes.trim_end_matches(')').replace("IndexMode { ", "").replace(" }", "");
        write!(f, "[{}]", modes.to_lowercase())
    }
}
