//! What a plan runs in: the graph, the limits of the query, names of the catalog, ids of elements, the client behind a
//! statement, the procedures that it may call, and the watcher of its runs.
//!
//! ```text
//!   statement (Context) ── procedure, called in a context; watch, which hears of its runs
//!     │       guard: deadline, memory, rows, cancel flag      caller
//!   names, element_ids, write_counter: questions to the graph of a context
//! ```
//!
//! No batch is grown here, no expression evaluated, and no operator is known. A procedure of the engine is in
//! `procedures`; here is only what one is.

mod arguments;
mod caller;
pub(crate) mod element_ids;
mod guard;
mod names;
mod procedure;
mod statement;
mod watch;
mod write_counter;

pub use arguments::Arguments;
pub use caller::Caller;
pub use guard::{CancelFlag, Limits};
pub use procedure::{Procedure, Procedures, RowStream, Yielded};
pub use statement::{BatchTransactions, Context};
pub use watch::{RunReport, RunWatcher};

pub(crate) use guard::Guard;
pub(crate) use names::{EdgeTypes, Resolved};
pub(crate) use watch::CountedOperators;
pub(crate) use write_counter::{present_entries, properties_set, schema_counts};
