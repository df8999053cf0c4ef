//! An index is declared, exact, unique or ordered, over all the data there is.

use millrace_model::schema::IndexKind;
use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_of};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;
use crate::simulator::race::Kind;
use crate::simulator::schema::INDEXES;

pub(super) const DECLARE: Action =
    Action { name: "declare", weight: 4, meets: &["ordered indexes declared"], play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let declared = &begun.model.indexes;
    let missing: Vec<usize> =
        (0..INDEXES.len()).filter(|index| !declared.contains(index)).collect();
    let Some(index) = any_of(rng, &missing) else { return Ok(()) };
    let change = Change { declares: vec![index], ..Change::default() };
    let attempt = Attempt { kind: Some(Kind::DeclareIndex), ..plain("declare", &begun, change) };
    if INDEXES[index].kind == IndexKind::Range {
        life.coverage.note("ordered indexes declared");
    }
    life.commit(rng, &begun, attempt)
}
