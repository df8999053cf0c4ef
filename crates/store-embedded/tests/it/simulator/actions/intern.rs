//! Names that were never used before get numbers, and keep them.

use std::sync::Arc;

use millrace_store::NameKind;
use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived, wrong};

pub(super) const INTERN: Action =
    Action { name: "intern", weight: 2, meets: &["names kept"], play, ..ORDINARY };

const KINDS: [NameKind; 3] = [NameKind::Label, NameKind::EdgeType, NameKind::Key];

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let (graph, store) = life.any_graph(rng);
    let store = Arc::clone(&store);
    let (kind, name) = (rng.index(KINDS.len()), format!("name{}", rng.below(6)));
    let number = match store.intern(&[(KINDS[kind], &name)]) {
        Ok(numbers) => numbers[0],
        Err(error) => return life.bear(&error),
    };
    life.tell(format_args!("{name} of {graph} is {number}"));
    let known = life.history(graph).numbers.insert(format!("{kind} {name}"), number);
    match known {
        None => Ok(()),
        Some(known) if known == number => {
            life.coverage.note("names kept");
            Ok(())
        }
        Some(known) => wrong(format!("{name} of {graph} was {known} and is {number}")),
    }
}
