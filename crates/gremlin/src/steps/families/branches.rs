//! Shared by the steps that run traversals inside: one for all rows, and several side by side.

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::Result;
use millrace_plan::{ApplyKind, ColumnId, Expr, UnionPick, op};

use crate::translate::{At, Call, State, Sub, Tag, Traversal};

/// The arguments of a call, which are traversals.
pub(in crate::steps) fn traversals<'a>(call: &Call<'a>) -> Result<Vec<&'a Bytecode>> {
    let arguments = call.arguments().iter().map(|argument| match argument {
        Argument::Bytecode(inner) => Ok(inner),
        _ => Err(call.wrong("takes traversals")),
    });
    arguments.collect()
}

/// Whether each of a call's traversals has a result, as columns.
pub(in crate::steps) fn existing(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
) -> Result<Vec<Expr>> {
    let inner = traversals(call)?;
    inner.into_iter().map(|inner| traversal.exists(inner).map(Expr::Column)).collect()
}

/// All results of a traversal for each row; `remembers`: its steps stay in the path.
pub(in crate::steps) fn flat(
    traversal: &mut Traversal<'_>,
    inner: &Bytecode,
    remembers: bool,
) -> Result<()> {
    let outer = traversal.state.clone();
    let Sub { pipeline, state } = traversal.sub(inner)?;
    traversal.plan.push(op::Apply { sub: pipeline, kind: ApplyKind::Flat });
    let Some(at) = state.at else { return Ok(()) };
    if remembers {
        traversal.state = State { loops: outer.loops, ..state };
    } else {
        // The outer traverser keeps the state that the inner steps have forgotten.
        let mut tags = outer.tags.clone();
        tags.extend(state.tags);
        traversal.state = State { tags, ..outer };
        traversal.moved(at.column, at.kind);
    }
    Ok(())
}

/// The results of all traversals for all rows.
pub(in crate::steps) fn union(traversal: &mut Traversal<'_>, inner: &[&Bytecode]) -> Result<()> {
    let subs = inner.iter().map(|inner| traversal.sub(inner)).collect::<Result<Vec<_>>>()?;
    unite(traversal, subs, UnionPick::All);
    Ok(())
}

/// The results of the first traversal that has any, for each row.
pub(in crate::steps) fn coalesce(traversal: &mut Traversal<'_>, inner: &[&Bytecode]) -> Result<()> {
    let [first, rest @ ..] = inner else {
        traversal.plan.push(op::Range::of(0, Some(0)));
        return Ok(());
    };
    if rest.is_empty() {
        return flat(traversal, first, true);
    }
    let outer = traversal.state.clone();
    let mut sub = traversal.sub(first)?;
    let found = traversal.plan.column("found");
    sub.push(op::Project { columns: vec![(found, Expr::literal(true))] });
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Optional });
    let first = Sub { pipeline: Default::default(), state: sub.state };
    let otherwise = traversal.sub_from(outer, |inner| coalesce(inner, rest))?;
    let found = Expr::IsNull(Box::new(Expr::Column(found))).negate();
    unite(traversal, vec![first, otherwise], UnionPick::First(vec![found, Expr::literal(true)]));
    Ok(())
}

/// Puts branches side by side: the states of all get the same columns.
pub(in crate::steps) fn unite(traversal: &mut Traversal<'_>, subs: Vec<Sub>, pick: UnionPick) {
    let Some(mut united) = common(traversal, &subs) else {
        traversal.plan.push(op::Range::of(0, Some(0)));
        return;
    };
    for column in united.columns() {
        *column = traversal.plan.column("branch");
    }
    let branches = subs.into_iter().map(|mut sub| {
        let assigned = assignments(&united, &sub.state);
        sub.push(op::Project { columns: assigned });
        sub.pipeline
    });
    let branches = branches.collect();
    traversal.plan.push(op::Union { branches, pick });
    traversal.state = united;
}

/// The state of traversers, whichever branch they took.
fn common(traversal: &Traversal<'_>, subs: &[Sub]) -> Option<State> {
    let mut united = subs.first()?.state.clone();
    united.loops = traversal.state.loops.clone();
    if subs.iter().any(|sub| sub.state.loops.len() != united.loops.len()) {
        // One that made one object of many knows no rounds, and so none does.
        united.loops.clear();
    }
    united.other = None;
    united.property = None;
    for (name, tag) in &mut united.tags {
        tag.may_miss |= subs.iter().any(|sub| !sub.state.tags.contains_key(name));
    }
    for sub in subs {
        united.join_kinds(&sub.state);
        for (name, tag) in &sub.state.tags {
            // A tag that only a later branch sets is missing in rows of the first.
            let known = united.tags.entry(name.clone()).or_insert(Tag { may_miss: true, ..*tag });
            known.may_miss |= tag.may_miss;
            known.many |= tag.many;
            known.at.kind = known.at.kind.or(tag.at.kind);
        }
        united.path = united.path.or(sub.state.path);
        united.sack = united.sack.or(sub.state.sack);
        united.bulk_ordinal = united.bulk_ordinal.or(sub.state.bulk_ordinal);
    }
    Some(united)
}

/// The columns of `united` by those of a branch; null where the branch has none.
fn assignments(united: &State, branch: &State) -> Vec<(ColumnId, Expr)> {
    let null = || Expr::Literal(millrace_model::Value::Null);
    let at = |at: Option<At>| at.map_or_else(null, |at| Expr::Column(at.column));
    let mut assigned = Vec::new();
    assigned.extend(united.at.map(|to| (to.column, at(branch.at))));
    for (name, to) in &united.tags {
        let own = branch.tags.get(name).map_or_else(null, |tag| as_wide(*tag, *to));
        assigned.push((to.at.column, own));
    }
    let path = branch.path.map_or_else(null, Expr::Column);
    assigned.extend(united.path.map(|to| (to, path)));
    assigned.extend(united.sack.map(|to| (to.column, at(branch.sack))));
    let ordinal = branch.bulk_ordinal.map_or_else(null, Expr::Column);
    assigned.extend(united.bulk_ordinal.map(|to| (to, ordinal)));
    for ((_, to), (_, own)) in united.loops.iter().zip(&branch.loops) {
        assigned.push((*to, Expr::Column(*own)));
    }
    assigned
}

fn as_wide(tag: Tag, wide: Tag) -> Expr {
    let own = Expr::Column(tag.at.column);
    if wide.many && !tag.many { Expr::List(vec![own]) } else { own }
}
