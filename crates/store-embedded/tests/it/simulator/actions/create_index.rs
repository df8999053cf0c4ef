//! An index is defined, exact, unique or ordered, over all the data there is.

use millrace_model::schema::IndexKind;
use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_of};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;
use crate::simulator::overlap::Kind;
use crate::simulator::schema::INDEXES;

pub(super) const CREATE_INDEX: Action = Action {
    name: "create index",
    weight: 4,
    meets: &["ordered indexes defined", "indexes of made keys defined"],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let defined = &begun.model.indexes;
    let missing: Vec<usize> = (0..INDEXES.len()).filter(|index| !defined.contains(index)).collect();
    let Some(index) = any_of(rng, &missing) else { return Ok(()) };
    let change = Change { creates: vec![index], ..Change::default() };
    let attempt =
        Attempt { kind: Some(Kind::ChangeSchema), ..plain("create index", &begun, change) };
    match INDEXES[index].kind {
        IndexKind::Range => life.coverage.note("ordered indexes defined"),
        IndexKind::Made => life.coverage.note("indexes of made keys defined"),
        IndexKind::Unique | IndexKind::Exact => {}
    }
    life.commit(rng, &begun, attempt)
}
