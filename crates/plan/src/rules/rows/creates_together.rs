//! `Create`s of like vertices at the beginning of a plan are one, of as many rows.
//!
//! ```text
//!   Create (:person {name: $0}); Create (:person {name: $1})
//!   Unwind [$0, $1] as name; Create (:person {name}); Tail 1
//!
//! Where they have more keys, the values of the others are looked up by the row's place.
//! ```
//!
//! Proof: a plan begins with one row of weight 1, so each `Create` makes one vertex; rows are created in
//! order, so each vertex has the id it would have had; values read no column, so they are the same before
//! and after; and none of the vertices but the last is read, which `Tail` keeps. All or none is made
//! either way, as a statement is. Labels must be known, as one that a row gives may name another type.

use std::sync::Arc;

use crate::analysis::plan_liveness;
use crate::base::{ColumnId, Name};
use crate::expr::Expr;
use crate::functions::{Function, IndexMode, Outside};
use crate::op::{self, Label, Op, Properties, Template};
use crate::plan::Plan;
use crate::rules::{Phase, Rule};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "creates_together",
    phase: Phase::Columns,
    why: "ten vertices of one kind are one write of ten rows, not ten of one",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let count = alike_count(plan);
    if count < 2 {
        return false;
    }
    let mut creates: Vec<Op> = plan.root.ops.drain(..count).collect();
    let Some(Op::Create(op::Create {
        template: Template::Vertex { labels, properties }, to, ..
    })) = creates.pop()
    else {
        return false;
    };
    // The values of each key, those of the last vertex behind those of the others.
    let mut lists: Vec<Vec<Expr>> = vec![Vec::with_capacity(count); properties.keyed.len()];
    let others = creates.iter().filter_map(keyed);
    for keyed in others.chain([properties.keyed.as_slice()]) {
        lists.iter_mut().zip(keyed).for_each(|(list, (_, value))| list.push(value.clone()));
    }
    let mut column = |name: &str| {
        plan.columns.push(Arc::from(name));
        ColumnId(plan.columns.len() as u32 - 1)
    };
    let own: Vec<ColumnId> = properties.keyed.iter().map(|(key, _)| column(key)).collect();
    let place = (1 < own.len()).then(|| column("place"));
    let mut lists = own.iter().copied().zip(lists.into_iter().map(Expr::List));
    let Some((first, values)) = lists.next() else { return false };
    let others: Vec<(ColumnId, Expr)> = place
        .map(|place| lists.map(|(own, values)| (own, entry(values, place))).collect())
        .unwrap_or_default();
    let keyed = properties.keyed.iter().zip(&own);
    let keyed = keyed.map(|((key, _), own)| (key.clone(), Expr::Column(*own))).collect();
    let template = Template::Vertex { labels, properties: Properties { keyed, map: None } };
    let mut together = vec![Op::Unwind(op::Unwind { list: values, to: first, position: place })];
    if !others.is_empty() {
        together.push(Op::Project(op::Project { columns: others }));
    }
    together.extend([
        Op::Create(op::Create { template, id: None, to }),
        Op::Tail(op::Tail { count: 1.into() }),
    ]);
    plan.root.ops.splice(..0, together);
    true
}

/// How many `Create`s at the beginning are alike, and not read but for the last.
fn alike_count(plan: &Plan) -> usize {
    let ops = &plan.root.ops;
    let Some(first) = ops.first().and_then(kind) else { return 0 };
    let alike = ops.iter().take_while(|op| kind(op) == Some(first.clone())).count();
    if alike < 2 {
        return alike;
    }
    let liveness = plan_liveness(plan);
    let is_unread = |place: &usize| {
        let Op::Create(op::Create { to, .. }) = &ops[*place] else { return false };
        !liveness.root.after[*place].contains(to)
    };
    let unread = (0..alike - 1).take_while(is_unread).count();
    if unread == 0 { 0 } else { unread + 1 }
}

/// The labels and keys of a `Create` of a vertex, if its values read no column.
fn kind(op: &Op) -> Option<(Vec<Label>, Vec<&str>)> {
    let Op::Create(op::Create {
        template: Template::Vertex { labels, properties }, id: None, ..
    }) = op
    else {
        return None;
    };
    let Properties { keyed, map: None } = properties else { return None };
    let is_constant = |expr: &Expr| matches!(expr, Expr::Literal(_) | Expr::Parameter(_));
    let is_plain = labels.iter().all(|label| label.known().is_some())
        && !keyed.is_empty()
        && keyed.iter().all(|(_, value)| is_constant(value));
    is_plain.then(|| (labels.clone(), keyed.iter().map(|(key, _)| &**key).collect()))
}

fn keyed(op: &Op) -> Option<&[(Name, Expr)]> {
    let Op::Create(op::Create { template: Template::Vertex { properties, .. }, .. }) = op else {
        return None;
    };
    Some(&properties.keyed)
}

/// The value of a row's place.
fn entry(values: Expr, place: ColumnId) -> Expr {
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    Expr::call(Function::ElementAt(mode), vec![values, Expr::Column(place)])
}
