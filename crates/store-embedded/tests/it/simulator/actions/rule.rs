//! A property is defined, required or of a type, over all the data there is; the same transaction
//! may mend elements that break it.

use millrace_testkit::Rng;

use super::create::plain;
use super::{AGES, Action, NAMES, ORDINARY, any_of};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Model};
use crate::simulator::overlap::Kind;
use crate::simulator::rules::RULES;
use crate::simulator::schema::Key;

pub(super) const RULE: Action = Action {
    name: "define property",
    weight: 4,
    meets: &["properties defined", "properties defined by who mends them"],
    play,
    ..ORDINARY
};

/// A transaction mends no more than this.
const MENDED_MAX: usize = 6;

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let defined = &begun.model.rules;
    let missing: Vec<usize> = (0..RULES.len()).filter(|rule| !defined.contains(rule)).collect();
    let Some(rule) = any_of(rng, &missing) else { return Ok(()) };
    let mut change = Change { rules: vec![rule], ..Change::default() };
    life.coverage.note("properties defined");
    let breaches = RULES[rule].breaches(&begun.model).len();
    if breaches != 0 && breaches <= MENDED_MAX && rng.chance(0.7) {
        mend(rng, &begun.model, rule, &mut change);
        life.coverage.note("properties defined by who mends them");
    }
    let attempt = Attempt { kind: Some(Kind::ChangeSchema), ..plain("rule", &begun, change) };
    life.commit(rng, &begun, attempt)
}

/// Gives every element that breaks a rule a value that keeps it.
fn mend(rng: &mut Rng, model: &Model, rule: usize, change: &mut Change) {
    for id in RULES[rule].breaches(model) {
        let number = Some(rng.below(AGES) as i64);
        match RULES[rule].key {
            Key::Age => change.ages.push((id, number)),
            Key::Name => change.names.push((id, Some(rng.below(NAMES) as u8))),
            Key::Weight => change.weights.push((id, number)),
        }
    }
}
