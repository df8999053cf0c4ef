//! Values that plans look up as ids: ids, values that equal an id without being one, and others.

use std::sync::Arc;

use millrace_model::{Decimal, Value, element_id};
use millrace_plan::op::IdForm;
use millrace_plan::{ColumnId, Comparison, ElementKind, Expr, Function, LookupMode, Name, Op, op};
use millrace_testkit::Rng;

use super::expressions::{Kind, Sight};
use super::generate::Generator;
use super::graph::{LABELS, TYPES};
use super::writes::any_chosen;

/// The elements that values may name.
#[derive(Clone, Copy)]
struct Named {
    /// Whether elements may have ids that were chosen.
    chosen: bool,
    /// Numbers that are tried are below.
    below: u64,
}

impl Named {
    /// Any element there is, or will be.
    fn any(writes: bool) -> Named {
        Named { chosen: writes, below: 9 }
    }

    /// Where the numbers of elements that a plan makes are unspecified: one that was there before.
    fn found(writes: bool) -> Named {
        Named { below: 2, ..Named::any(writes) }
    }
}

/// A value that may name an element.
fn id(rng: &mut Rng, named: Named) -> Value {
    match rng.below(12) {
        0 => Value::Null,
        1 => Value::from(*rng.pick(&["1", "", "a", "007"])),
        2 => Value::I32(rng.below(named.below.min(5)) as i32),
        3 => Value::I64(-1 - rng.below(3) as i64),
        _ if named.chosen && rng.chance(0.5) => Value::I64(any_chosen(rng)),
        _ => Value::I64(rng.below(named.below) as i64),
    }
}

/// The same, or a number of another type, whole or not.
fn equal_to_id(rng: &mut Rng, named: Named) -> Value {
    match rng.below(8) {
        0 => Value::F64(rng.below(2 * named.below - 1) as f64 / 2.0),
        1 => {
            let unscaled = i128::from(rng.below(10 * (named.below - 1) + 1));
            Value::Decimal(Arc::new(Decimal { unscaled, scale: 1 }))
        }
        2 => Value::list(vec![Value::I64(1)]),
        _ => id(rng, named),
    }
}

/// The same in a form.
fn equal_in_form(rng: &mut Rng, named: Named, form: IdForm) -> Value {
    match (form, equal_to_id(rng, named)) {
        (IdForm::Text, id) => {
            let text = id.as_str().map_or_else(|| format!("{:?}", id.as_int()), str::to_owned);
            let text = id.as_int().map_or(text, |number| number.to_string());
            let prefix = *rng.pick(&[element_id::NODE_PREFIX, element_id::RELATIONSHIP_PREFIX]);
            Value::from(&*format!("{prefix}{text}"))
        }
        (_, value) => value,
    }
}

/// Whether a vertex has a label, or an edge a type.
pub(super) fn asked_of_its_kind(rng: &mut Rng, element: ColumnId, kind: Kind) -> Expr {
    let own = Box::new(Expr::Column(element));
    match kind {
        Kind::Edge => {
            let wanted = Expr::literal(*rng.pick(&TYPES));
            Expr::compare(Comparison::Equal, Expr::EdgeType(own), wanted)
        }
        _ => Expr::HasLabel { vertex: own, label: Name::from(*rng.pick(&LABELS)) },
    }
}

impl Sight {
    /// A value that is one of two or three.
    pub(super) fn alternatives(&self, rng: &mut Rng) -> Expr {
        let item = self.any(rng);
        let equal = |other: Expr, rng: &mut Rng| match rng.chance(0.7) {
            true => Expr::compare(Comparison::Equal, item.clone(), other),
            false => Expr::compare(Comparison::Equal, other, item.clone()),
        };
        let values = (0..rng.range(2..4)).map(|_| equal(self.any(rng), rng));
        Expr::Or(values.collect())
    }

    /// A truth about the id of an element that is not in sight yet.
    pub(super) fn asked_of_an_id(&self, rng: &mut Rng, element: ColumnId) -> Expr {
        let form = *rng.pick(&[IdForm::Id, IdForm::Id, IdForm::Number, IdForm::Text]);
        let id = form.of(Expr::Column(element));
        let named = if self.writes { Named::found(true) } else { Named::any(false) };
        if rng.chance(0.6) {
            let several = |rng: &mut Rng| -> Vec<Value> {
                (0..rng.below(4)).map(|_| equal_in_form(rng, named, form)).collect()
            };
            let list = match rng.below(9) {
                0 => self.any(rng),
                1..=3 => Expr::Literal(Value::list(several(rng))),
                4..=6 => Expr::List(several(rng).into_iter().map(Expr::Literal).collect()),
                _ => {
                    let own = Expr::List(vec![self.any(rng), Expr::literal(1)]);
                    Expr::call(Function::Ids, vec![own])
                }
            };
            return Expr::InList { item: Box::new(id), list: Box::new(list) };
        }
        let other = match rng.below(3) {
            0 => self.any(rng),
            _ => Expr::Literal(equal_in_form(rng, named, form)),
        };
        if rng.chance(0.5) {
            Expr::compare(Comparison::Equal, id, other)
        } else {
            Expr::compare(Comparison::Equal, other, id)
        }
    }
}

impl Generator<'_> {
    /// Elements of ids, in each mode that refuses none.
    pub(super) fn ids(&mut self, sight: &Sight, to: ColumnId) -> (Op, Kind, u64) {
        let named = match self.makes_inside {
            true => Named::found(sight.writes),
            false => Named::any(sight.writes),
        };
        let mode = match self.rng.chance(0.4) {
            true => {
                let form = *self.rng.pick(&IdForm::ALL);
                LookupMode::Scanned { form, in_list: self.rng.chance(0.5) }
            }
            false => LookupMode::Checked,
        };
        let ids = (0..self.rng.range(1..4)).map(|_| match mode {
            LookupMode::Scanned { .. } => equal_to_id(self.rng, named),
            LookupMode::Checked | LookupMode::Unchecked => id(self.rng, named),
        });
        let ids = Expr::Literal(Value::list(ids.collect()));
        let (element, kind) = match self.rng.chance(0.7) {
            true => (ElementKind::Vertex, Kind::Vertex),
            false => (ElementKind::Edge, Kind::Edge),
        };
        (Op::LookupById(op::LookupById { element, ids, mode, to }), kind, 2)
    }
}
