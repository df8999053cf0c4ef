//! What stands behind `@` at a block or a child, in any case.

use super::facets::facets;
use super::filters;
use super::functions::{invalid_keyword, predicate, predicates};
use super::lists::{in_parentheses, set_once};
use super::values::value;
use crate::text::{Cursor, Described, Read, described, has_word, language, name, word};
use crate::tree::{Cascade, Directives, GroupBy, GroupKey, Name, Offset, Recursion};

/// The words that are directives, and no language.
#[rustfmt::skip]
pub(crate) const DIRECTIVES: [Described; 7] = [
    described("cascade", "@cascade(name, age)",
        "Leaves out nodes without one of the predicates; without a list, of all that the block reads, at each level below too."),
    described("facets", "@facets(w as weight, orderdesc: since)",
        "Shows facets of edges and values, binds them to variables, orders edges by one."),
    described("filter", "@filter(eq(age, 7) AND NOT has(friend))",
        "Leaves out nodes for which the condition does not hold."),
    described("groupby", "@groupby(kind: genre)",
        "Groups nodes by edges or values; a group has `count(uid)` and aggregates."),
    described("ignorereflex", "@ignoreReflex",
        "Leaves out, below a node, the node itself."),
    described("normalize", "@normalize",
        "One flat object for each path, with the fields that have an alias."),
    described("recurse", "@recurse(depth: 3, loop: false)",
        "Walks the edges of the block again from each node reached, to a depth or until none is new."),
];

/// Whether the text behind `@`, which comes next, is a directive and no language.
pub(super) fn is_directive(cursor: &mut Cursor<'_>) -> bool {
    let is_directive = |tag: String| has_word(&DIRECTIVES, &tag);
    cursor.looking(|cursor| language(cursor).is_ok_and(is_directive))
}

/// A directive, behind its `@`.
pub(super) fn directive(cursor: &mut Cursor<'_>, into: &mut Directives) -> Read<()> {
    cursor.count_node()?;
    let (offset, written) = word(cursor, "a directive")?;
    let key = Name { offset, text: format!("@{written}") };
    match written.to_lowercase().as_str() {
        "filter" => filter(cursor, &key, into),
        "facets" => {
            into.facets.push(facets(cursor, offset)?);
            Ok(())
        }
        "groupby" => {
            let found = group_by(cursor, offset)?;
            set_once(cursor, &mut into.group_by, &key, Box::new(found))
        }
        "cascade" => {
            let is_listed = cursor.is('(');
            let predicates =
                if is_listed { predicates(cursor, "of @cascade")? } else { Vec::new() };
            if is_listed && predicates.is_empty() {
                return Err(cursor.error(offset, "@cascade() has no predicate"));
            }
            set_once(cursor, &mut into.cascade, &key, Box::new(Cascade { offset, predicates }))
        }
        "normalize" => set_once(cursor, &mut into.normalize, &key, offset),
        "ignorereflex" => set_once(cursor, &mut into.ignore_reflex, &key, offset),
        "recurse" => {
            let found = recursion(cursor, offset)?;
            set_once(cursor, &mut into.recursion, &key, Box::new(found))
        }
        _ => Err(cursor.error(offset, format!("there is no directive `@{written}`"))),
    }
}

fn filter(cursor: &mut Cursor<'_>, key: &Name, into: &mut Directives) -> Read<()> {
    if into.filter.is_some() {
        let error = cursor.error(key.offset, "a block has one @filter");
        return Err(error.with_help("join conditions with AND and OR"));
    }
    into.filter = filters::in_parentheses(cursor, "of @filter")?.map(Box::new);
    Ok(())
}

fn group_by(cursor: &mut Cursor<'_>, offset: Offset) -> Read<GroupBy> {
    let keys = in_parentheses(cursor, "of @groupby", |cursor| {
        let is_aliased =
            cursor.looking(|cursor| name(cursor, "a predicate").is_ok() && cursor.is(':'));
        let mut alias = None;
        if is_aliased {
            alias = Some(name(cursor, "an alias")?.name);
            cursor.must_take(':', "behind an alias")?;
        }
        Ok(GroupKey { alias, predicate: predicate(cursor)? })
    })?;
    if keys.is_empty() {
        return Err(cursor.error(offset, "@groupby() has no predicate"));
    }
    Ok(GroupBy { offset, keys })
}

fn recursion(cursor: &mut Cursor<'_>, offset: Offset) -> Read<Recursion> {
    let mut found = Recursion { offset, depth: None, is_loop: None };
    if !cursor.is('(') {
        return Ok(found);
    }
    in_parentheses(cursor, "of @recurse", |cursor| {
        let key = name(cursor, "`depth` or `loop`")?.name;
        cursor.must_take(':', "behind the name of an option")?;
        let into = match key.text.to_lowercase().as_str() {
            "depth" => &mut found.depth,
            "loop" => &mut found.is_loop,
            _ => return Err(invalid_keyword(cursor, key.offset, &key.text)),
        };
        let option = value(cursor)?;
        set_once(cursor, into, &key, option)
    })?;
    Ok(found)
}
