//! Workshop for tests: goldens, seeded randomness, runs compared, skips by name.
//!
//! A dev-dependency of every crate and a normal dependency of none (`cargo xtask tidy` checks it).
//! Temporary folders are not here: they come from the `tempfile` crate.
//!
//! ```text
//!   small_disk, read_only_mount, require, seeds, golden, injected_bugs   what tests run with
//!   acid, dql_suite, features, named                    data of tests, and forms of it; they know no test
//!   variables                                           what steers a run
//! ```
//!
//! A module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and `cargo xtask tidy`
//! checks it.

pub mod acid;
pub mod dql_suite;
pub mod features;
pub mod golden;
mod injected_bugs;
pub mod named;
mod read_only_mount;
mod require;
mod seeds;
pub mod small_disk;
mod variables;

pub use injected_bugs::{INJECTED_BUGS, InjectedBug};
pub use millrace_model::random::SplitMix64 as Rng;
pub use read_only_mount::ReadOnlyMount;
pub use require::{
    gremlin_graphs, gremlin_suite, require, require_component, runtime, shared, workspace,
};
pub use seeds::{run_seeds, run_seeds_on_all_jobs};
pub use variables::number;
