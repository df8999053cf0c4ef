//! `cap(names)`: the value of a side effect.

use millrace_model::{Result, Value};
use millrace_plan::functions::{IndexMode, Outside, Reduction};
use millrace_plan::{ApplyKind, ColumnId, Comparison, Expr, Fold, Function, Name, op};

use crate::steps::{Fact, MANY, Step};
use crate::translate::{At, Call, Kind, SideEffectKind, SourceValue, State, Traversal};

pub(super) const STEP: Step = Step::new("cap", translate).arguments(1, MANY).facts(&[Fact::Waits]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let names = call.names()?;
    traversal.plan.aggregate(&[], "all", Fold::Count);
    traversal.state.forget();
    let mut found = Vec::new();
    for name in names {
        let Some(kind) = traversal.shared.side_effects.get(&name).cloned() else {
            return Err(call.wrong(format!("knows no side effect '{name}'")));
        };
        found.push((name.clone(), read(traversal, &name, &kind)?));
    }
    if let [(_, one)] = found.as_slice() {
        traversal.reduced(one.column, one.kind);
        return Ok(());
    }
    let pairs = found.into_iter().map(|(name, at)| (name, Expr::Column(at.column)));
    let map = traversal.plan.project("all", Expr::Map(pairs.collect()));
    traversal.reduced(map, Kind::Map);
    Ok(())
}

/// The value of a side effect.
pub(super) fn read(
    traversal: &mut Traversal<'_>,
    name: &Name,
    kind: &SideEffectKind,
) -> Result<At> {
    let seed = traversal.shared.seeds.get(name).cloned();
    let collected = list(traversal, name, kind, seed.as_ref());
    let at = At::new(collected, Kind::List);
    match (kind, seed) {
        (SideEffectKind::List, Some(seed)) if seed.is_set() => {
            let set = super::dedup::as_set(Expr::Column(collected));
            return Ok(At::new(traversal.plan.project("set", set), Kind::Any));
        }
        (SideEffectKind::List, None) => return Ok(At::new(collected, Kind::Collected)),
        (SideEffectKind::List, Some(_)) => return Ok(At::new(collected, Kind::Any)),
        (SideEffectKind::GroupCount, _) => {
            let map = Expr::call(Function::MapOfPairs, vec![Expr::Column(collected)]);
            return Ok(At::new(traversal.plan.project("map", map), Kind::Map));
        }
        (SideEffectKind::Tree, _) => {
            let tree = Expr::call(Function::TreeOf, vec![Expr::Column(collected)]);
            return Ok(At::new(traversal.plan.project("tree", tree), Kind::Scalar));
        }
        (SideEffectKind::Subgraph, _) => {
            let part = Expr::call(Function::GraphOf, vec![Expr::Column(collected)]);
            return Ok(At::new(traversal.plan.project("graph", part), Kind::Scalar));
        }
        (SideEffectKind::Reduced(reduction), seed) => {
            let first = seed.map_or(Expr::Literal(Value::Null), |seed| seed.value);
            return Ok(reduced(traversal, at, *reduction, first));
        }
        _ => {}
    }
    grouped(traversal, kind, at)
}

/// The collected objects of a side effect, behind its initial value.
fn list(
    traversal: &mut Traversal<'_>,
    name: &Name,
    kind: &SideEffectKind,
    seed: Option<&SourceValue>,
) -> ColumnId {
    let collected = match kind {
        SideEffectKind::GroupCount => traversal.plan.lookup_counted(name),
        _ => traversal.plan.lookup(name, None, None),
    };
    let absent = Expr::IsAbsent(Box::new(Expr::Column(collected)));
    let absent_before = absent.clone();
    let otherwise = Some(Box::new(Expr::Column(collected)));
    let first = match (kind, seed) {
        (SideEffectKind::List, Some(seed)) => seed.value.clone(),
        _ => Expr::List(Vec::new()),
    };
    let collected =
        traversal.plan.project(name, Expr::Case { branches: vec![(absent, first)], otherwise });
    match (kind, seed) {
        (SideEffectKind::List, Some(first)) if first.is_list() || first.is_set() => {
            seeded(traversal, first, collected, absent_before)
        }
        _ => collected,
    }
}

/// The collected objects as a map by their keys.
fn grouped(traversal: &mut Traversal<'_>, kind: &SideEffectKind, at: At) -> Result<At> {
    let mut map = None;
    let state = State { at: Some(at), ..State::default() };
    let sub = traversal.sub_from(state, |inner| {
        let entry = inner.entries(at);
        map = Some(match kind {
            SideEffectKind::List
            | SideEffectKind::Tree
            | SideEffectKind::Subgraph
            | SideEffectKind::Reduced(_)
            | SideEffectKind::GroupCount => return Ok(()),
            SideEffectKind::Group { kind, values, lists } => {
                let key = inner.project("key", part_of(entry, 0));
                let mut object = inner.project("object", part_of(entry, 1));
                if *lists {
                    let list = Expr::Column(object);
                    object = inner.plan.column("entry");
                    inner.plan.push(op::Unwind { list, to: object, position: None });
                }
                let (key, object) = (At::new(key, Kind::Any), At::new(object, *kind));
                super::group::groups(inner, key, object, values.as_ref())?
            }
        });
        Ok(())
    })?;
    let Some(map) = map else { return Ok(at) };
    let to = traversal.plan.column("map");
    let fold = Fold::First(Expr::Column(map));
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Value { fold, to } });
    Ok(At::new(to, Kind::Map))
}

/// The collected objects behind an initial collection; a set stays one.
fn seeded(
    traversal: &mut Traversal<'_>,
    first: &SourceValue,
    collected: ColumnId,
    none_collected: Expr,
) -> ColumnId {
    let begin = Expr::call(Function::Unfold, vec![first.value.clone()]);
    let all = Expr::call(Function::ConcatLists, vec![begin, Expr::Column(collected)]);
    let all = if first.is_set() { Expr::call(Function::Distinct, vec![all]) } else { all };
    let branches = vec![(none_collected, first.value.clone())];
    let all = Expr::Case { branches, otherwise: Some(Box::new(all)) };
    traversal.plan.project("seeded", all)
}

/// The reduction of a first value and all collected objects.
fn reduced(traversal: &mut Traversal<'_>, all: At, reduction: Reduction, first: Expr) -> At {
    let all = Expr::Column(all.column);
    let (value, kind) = match reduction {
        // Objects are collected one by one, and go into a collection as they are.
        Reduction::Join => (Expr::call(Function::ConcatLists, vec![first, all]), Kind::List),
        // Each entry is a list, and replaces the one before.
        Reduction::Last => {
            let none = Expr::call(Function::Size, vec![all.clone()]);
            let none = Expr::compare(Comparison::Equal, none, Expr::literal(0_i64));
            let branches = vec![(none, first)];
            let last = super::path::entry_at(all, -1);
            (Expr::Case { branches, otherwise: Some(Box::new(last)) }, Kind::Any)
        }
        _ => (Expr::call(Function::Reduce(reduction), vec![first, all]), Kind::Scalar),
    };
    At::new(traversal.project("reduced", value), kind)
}

fn part_of(pair: At, place: i64) -> Expr {
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    Expr::call(Function::ElementAt(mode), vec![Expr::Column(pair.column), Expr::literal(place)])
}
