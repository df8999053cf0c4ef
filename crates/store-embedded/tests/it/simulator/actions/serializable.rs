//! A transaction that must be as if it had run alone: its reads give the same results when it
//! commits.

use millrace_testkit::Rng;

use super::create::plain;
use super::set::values;
use super::{Action, ORDINARY};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::overlap::Kind;
use crate::simulator::reads::Read;

pub(super) const SERIALIZABLE: Action = Action {
    name: "serializable",
    weight: 6,
    meets: &["serializable transactions"],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let reads: Vec<Read> =
        (0..1 + rng.below(3)).filter_map(|_| Read::any(rng, &begun.model)).collect();
    let change = values(rng, &begun.model);
    // An index that another transaction dropped or made is another index.
    let newest = life.history(begun.graph).newest();
    if change.is_empty() || reads.is_empty() || newest.indexes != begun.model.indexes {
        return Ok(());
    }
    life.tell(format_args!("reading {reads:?}"));
    life.coverage.note("serializable transactions");
    let kind = Some(Kind::Set);
    let attempt = Attempt { reads, kind, ..plain("serializable", &begun, change) };
    life.commit(rng, &begun, attempt)
}
