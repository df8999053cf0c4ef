//! Listeners, a folder for each, and the list of them.

mod admin;
pub(crate) mod gremlin;
mod ragedb;

use crate::listener::Listener;

/// All listeners, by name.
pub(crate) static ALL: &[&dyn Listener] = &[&admin::ADMIN, &gremlin::GREMLIN, &ragedb::RAGEDB];
