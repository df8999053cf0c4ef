//! Locks, conditions and atomics for every structure that is more than data behind one lock: the
//! plain ones, or those of the model checker, which tries every order of their steps.
//!
//! Such a structure takes its primitives from here, and has a model in `models`. Nothing else
//! enters: no helper, no new kind of lock. In a build for users this is nothing but names; the
//! checker's primitives are there only in tests with the feature `loom`.

#[cfg(all(test, feature = "loom"))]
mod modelled;
#[cfg(not(all(test, feature = "loom")))]
mod plain;

#[cfg(all(test, feature = "loom"))]
pub(crate) use modelled::*;
#[cfg(not(all(test, feature = "loom")))]
pub(crate) use plain::*;
