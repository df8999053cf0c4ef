//! Listeners, a folder for each, and the list of them.

pub(crate) mod gremlin;
mod page;
mod ragedb;

use crate::listener::Listener;

/// All listeners, by name.
pub(crate) static ALL: &[&dyn Listener] = &[&gremlin::GREMLIN, &ragedb::RAGEDB];
