//! The one test binary of this crate.

mod random_plans;
