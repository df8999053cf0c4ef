//! Locks, conditions and atomics of whatever is more than data behind one lock: the plain ones, or
//! those of the model checker, which tries every order of their steps.
//!
//! Whoever writes such a structure takes its primitives from here and adds a model to `models`.
//! Nothing else enters: no helper, no new kind of lock. What a reader would get wrong: in a build of
//! users this is nothing but names; the checker's are there in tests with the feature `loom` only.

#[cfg(all(test, feature = "loom"))]
mod modelled;
#[cfg(not(all(test, feature = "loom")))]
mod plain;

#[cfg(all(test, feature = "loom"))]
pub(crate) use modelled::*;
#[cfg(not(all(test, feature = "loom")))]
pub(crate) use plain::*;
