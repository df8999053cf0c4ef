//! `select(tags)`: the objects of tags, or entries of a map.

use millrace_bytecode::{Argument, Bytecode, SymbolFamily};
use millrace_model::Result;
use millrace_plan::{Comparison, Expr, Function, Name, Pop};

use crate::steps::{Fact, Step};
use crate::translate::elements::is_of_type;
use crate::translate::{At, By, Call, Kind, Tag, Traversal, name, symbol};

pub(super) const STEP: Step =
    Step::new("select", translate).modulators(&["by"]).facts(&[Fact::AsksTraverser]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (pop, names) = match call.arguments() {
        [first, rest @ ..] => match symbol(first, SymbolFamily::Pop) {
            Some(pop) => (pop, rest),
            None => ("last", call.arguments()),
        },
        [] => return Err(call.wrong("takes tags or a column")),
    };
    let pop = match pop {
        "first" => Pop::First,
        "last" => Pop::Last,
        "all" => Pop::All,
        _ => Pop::Mixed,
    };
    if let [Argument::Bytecode(inner)] = names {
        return select_key_of(traversal, call, inner, pop);
    }
    let bys = By::all(&call.modulators)?;
    if let [column] = names
        && symbol(column, SymbolFamily::Column).is_some()
    {
        let at = traversal.at(call)?;
        let (expr, kind) = traversal.by(&By::of(call.instruction, Some(column))?, at)?;
        traversal.moved_to("column", expr, kind);
        return Ok(());
    }
    let mut pairs = Vec::new();
    for (place, argument) in names.iter().enumerate() {
        let name = name(call.instruction, argument)?;
        let found = selected(traversal, call, &name, pop)?;
        traversal.keep_present(found.column);
        let by = bys.get(place % bys.len().max(1)).unwrap_or(&By::Identity);
        let value = traversal.by_column(by, found)?;
        traversal.keep_present(value.column);
        // A name that comes again stands for the same, with another by.
        pairs.retain(|(known, _)| *known != name);
        pairs.push((name, value));
    }
    if let ([_], [(_, value)]) = (names, pairs.as_slice()) {
        traversal.moved(value.column, value.kind);
        return Ok(());
    }
    let pairs = pairs.into_iter().map(|(name, at)| (name, Expr::Column(at.column)));
    traversal.moved_to("selected", Expr::Map(pairs.collect()), Kind::Map);
    Ok(())
}

/// The last object of a tag. Where the tag was not set, the value is absent or the row is dropped.
pub(super) fn tag(traversal: &mut Traversal<'_>, call: &Call<'_>, name: &Name) -> Result<At> {
    selected(traversal, call, name, Pop::Last)
}

/// The value of a name: an entry of the map the traverser is at, a side effect, or a tag.
fn selected(traversal: &mut Traversal<'_>, call: &Call<'_>, name: &Name, pop: Pop) -> Result<At> {
    let known = traversal.state.tag_named(name);
    if traversal.state.at.is_none()
        && let Some(kind) = traversal.shared.side_effects.get(name).cloned()
    {
        return super::cap::read(traversal, name, &kind);
    }
    let at = traversal.at(call)?;
    let map = matches!(at.kind, Kind::Map | Kind::Entry | Kind::Any).then_some(at.column);
    if let Some(kind) = traversal.shared.side_effects.get(name).cloned() {
        let read = super::cap::read(traversal, name, &kind)?;
        if at.kind != Kind::Map {
            return Ok(read);
        }
        let entry = crate::translate::elements::property(at, name);
        let absent = Expr::IsAbsent(Box::new(entry.clone()));
        let branches = vec![(absent, Expr::Column(read.column))];
        let either = Expr::Case { branches, otherwise: Some(Box::new(entry)) };
        return Ok(At::new(traversal.project("selected", either), Kind::Any));
    }
    let tag = known.map(|tag| popped(traversal, tag, pop));
    match (map, tag) {
        (None, Some(tag)) => {
            // It is null in rows that came by where it is not set.
            if let Some(Tag { at, may_miss: true, .. }) = known {
                traversal.plan.filter(Expr::IsNull(Box::new(Expr::Column(at.column))).negate());
            }
            Ok(tag)
        }
        (map, tag) => {
            let column = traversal.plan.lookup(name, map, tag.map(|tag| tag.column));
            Ok(At::new(column, Kind::Any))
        }
    }
}

fn popped(traversal: &mut Traversal<'_>, tag: Tag, pop: Pop) -> At {
    match (tag.many, pop) {
        (false, Pop::All) => {
            let list = traversal.tag_as_list(tag);
            At::new(list, Kind::List)
        }
        (false, _) => tag.at,
        (true, pop) => {
            let kind = if pop == Pop::All { Kind::List } else { Kind::Any };
            let expr = Expr::select(pop, tag.at.column);
            let column = traversal.project("selected", expr);
            At::new(column, kind)
        }
    }
}

/// The entry of a map under a key that a traversal finds, or the tag of that name.
fn select_key_of(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    inner: &Bytecode,
    pop: Pop,
) -> Result<()> {
    let at = traversal.at(call)?;
    let key = traversal.first_of(at, inner)?;
    traversal.keep_present(key.column);
    let [own, wanted] = [at.column, key.column].map(Expr::Column);
    let mut found = Vec::new();
    if matches!(at.kind, Kind::Map | Kind::Entry | Kind::Any) {
        let is_map = is_of_type(&own, "map");
        let keys = Expr::call(Function::Keys, vec![own.clone()]);
        let holds = Expr::InList { item: Box::new(wanted.clone()), list: Box::new(keys) };
        let holds = Expr::Case { branches: vec![(is_map, holds)], otherwise: None };
        found.push((holds, Expr::call(Function::Get, vec![own, wanted.clone()])));
    }
    for (name, tag) in traversal.state.tags.clone() {
        let tag = popped(traversal, tag, pop);
        let same = Expr::compare(Comparison::Equal, wanted.clone(), Expr::literal(&*name));
        found.push((same, Expr::Column(tag.column)));
    }
    let any = found.iter().map(|(holds, _)| holds.clone()).collect();
    traversal.plan.filter(Expr::Or(any));
    let value = Expr::Case { branches: found, otherwise: None };
    let value = At::new(traversal.project("entry", value), Kind::Any);
    let bys = By::all(&call.modulators)?;
    let found = traversal.by_column(bys.first().unwrap_or(&By::Identity), value)?;
    traversal.keep_present(found.column);
    traversal.moved(found.column, found.kind);
    Ok(())
}
