//! Graphs are made and dropped; a name may come back as another graph.

use std::sync::Arc;

use millrace_model::ErrorKind;
use millrace_store::Backend;
use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived, Unknown};

pub(super) const MAKE_GRAPH: Action =
    Action { name: "make graph", weight: 1, meets: &["graphs made"], play: make, ..ORDINARY };

pub(super) const DROP_GRAPH: Action =
    Action { name: "drop graph", weight: 1, meets: &["graphs dropped"], play: drop, ..ORDINARY };

/// Besides the one that is always there.
const NAMES: [&str; 2] = ["second", "third"];

fn make(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let name = *rng.pick(&NAMES);
    if life.graphs.contains_key(name) {
        return Ok(());
    }
    life.coverage.note("graphs made");
    life.make_graph(name)
}

fn drop(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let name = *rng.pick(&NAMES);
    if !life.graphs.contains_key(name) || rng.chance(0.5) || life.is_suspended(name) {
        return Ok(());
    }
    // Loads begun there cannot end any more; open snapshots go on.
    life.open().loads.retain(|load| load.attempt.graph != name);
    let backend = Arc::clone(&life.open().backend);
    match backend.drop_graph(name) {
        Ok(()) => {
            life.tell(format_args!("graph {name} is dropped"));
            life.graphs.remove(name);
            life.open().stores.remove(name);
            let readers = life.open().readers.iter_mut().filter(|reader| reader.graph == name);
            readers.for_each(|reader| reader.is_of_dropped = true);
            life.coverage.note("graphs dropped");
            Ok(())
        }
        Err(error) => {
            let is_unknown = error.kind == ErrorKind::OutcomeUnknown || life.disk.is_crashed();
            if is_unknown {
                life.unknown.push(Unknown::Dropped(name));
                return Err(life.end(&error));
            }
            life.bear(&error)
        }
    }
}
