//! Runs plans in bulk over a store.
