//! What a block reads: predicates with their arguments, counts, aggregates, variables, math, expansions, fragments.

use super::arguments::arguments;
use super::directives::{directive, is_directive};
use super::functions::{languages, predicate, quoted_predicate, without_languages};
use super::lists::in_parentheses;
use super::math::math;
use super::values::{value, variable_behind, variable_in};
use crate::text::{Cursor, FoundName, Read, name};
use crate::tree::{
    Aggregate, AggregateOf, Child, Directives, Expand, ExpandOf, Name, Order, Page, PasswordCheck,
    Predicate, Selection, Traversal,
};

/// The children in the braces that come next. Commas between them are allowed.
pub(super) fn children(cursor: &mut Cursor<'_>) -> Read<Vec<Child>> {
    let opened = cursor.here();
    cursor.must_take('{', "before children")?;
    cursor.deeper(|cursor| {
        let mut children = Vec::new();
        while !cursor.take('}') {
            if cursor.is_end() {
                return Err(cursor
                    .error(opened, "Unclosed action")
                    .with_help("close this brace with `}`"));
            }
            cursor.count_node()?;
            children.push(child(cursor)?);
            cursor.take(',');
        }
        Ok(children)
    })
}

/// `x as alias: selection`.
fn child(cursor: &mut Cursor<'_>) -> Read<Child> {
    let offset = cursor.here();
    if cursor.take_all("...") {
        let selection = Selection::Fragment(name(cursor, "the name of a fragment")?.name);
        return Ok(Child { offset, variable: None, alias: None, selection });
    }
    let mut found = name(cursor, "a predicate, or `}`")?;
    let (mut variable, mut alias): (Option<Name>, Option<Name>) = (None, None);
    loop {
        let into = if variable.is_none() && cursor.take_word("as") {
            &mut variable
        } else if alias.is_none() && cursor.take(':') {
            &mut alias
        } else {
            break;
        };
        let next = name(cursor, "what it is the name of")?;
        *into = Some(std::mem::replace(&mut found, next).name);
    }
    let selection = selection(cursor, found)?;
    let child = Child { offset, variable, alias, selection };
    check_names(cursor, &child)?;
    Ok(child)
}

/// Whether a child may have the names that it has.
fn check_names(cursor: &Cursor<'_>, child: &Child) -> Read<()> {
    let is_assigned = child.variable.is_some();
    let detail = match &child.selection {
        Selection::Math(_) if !is_assigned && child.alias.is_none() => {
            "math() needs a variable or an alias"
        }
        Selection::Expand(_) if is_assigned || child.alias.is_some() => {
            "expand() cannot be used with a variable or an alias"
        }
        Selection::Variable(_) if is_assigned => "val() cannot be assigned to a variable",
        Selection::Predicate(traversal) if has_tagged_children(traversal) => {
            "a predicate with languages cannot have children"
        }
        Selection::Predicate(_)
        | Selection::Uid
        | Selection::Variable(_)
        | Selection::CountUid
        | Selection::Count(_)
        | Selection::Aggregate(..)
        | Selection::Math(_)
        | Selection::Expand(_)
        | Selection::PasswordCheck(_)
        | Selection::Fragment(_) => return Ok(()),
    };
    Err(cursor.error(child.offset, detail))
}

fn has_tagged_children(traversal: &Traversal) -> bool {
    !traversal.predicate.languages.is_empty() && !traversal.children.is_empty()
}

/// What is read; its first name is taken already.
fn selection(cursor: &mut Cursor<'_>, found: FoundName) -> Read<Selection> {
    if found.is_keyword("uid") && !cursor.is('(') {
        return Ok(Selection::Uid);
    }
    if found.is_iri || !cursor.is('(') {
        return predicate_behind(cursor, without_languages(found));
    }
    if let Some(aggregate) = Aggregate::ALL.into_iter().find(|one| found.is_keyword(one.word())) {
        return Ok(Selection::Aggregate(aggregate, aggregated(cursor)?));
    }
    match found.name.text.to_lowercase().as_str() {
        "val" => Ok(Selection::Variable(variable_behind(cursor, "val")?)),
        "count" => counted(cursor),
        "math" => Ok(Selection::Math(math(cursor)?)),
        "expand" => Ok(Selection::Expand(Box::new(expand(cursor)?))),
        "checkpwd" => Ok(Selection::PasswordCheck(Box::new(password_check(cursor)?))),
        _ => predicate_behind(cursor, without_languages(found)),
    }
}

fn predicate_behind(cursor: &mut Cursor<'_>, predicate: Predicate) -> Read<Selection> {
    let mut traversal = traversal(predicate);
    details(cursor, &mut traversal)?;
    if cursor.is('{') {
        traversal.children = children(cursor)?;
    }
    Ok(Selection::Predicate(Box::new(traversal)))
}

fn traversal(predicate: Predicate) -> Traversal {
    Traversal {
        predicate,
        page: Page::default(),
        order: Vec::new(),
        directives: Directives::default(),
        children: Vec::new(),
    }
}

/// Languages, arguments and directives behind a predicate, in any order.
fn details(cursor: &mut Cursor<'_>, into: &mut Traversal) -> Read<()> {
    if cursor.is('@') && !is_directive_next(cursor) {
        cursor.take('@');
        let at = cursor.here();
        into.predicate.languages = languages(cursor)?;
        // A parenthesis without a space before it belongs to a directive that there is not; others have arguments.
        if cursor.next_character() == Some('(') {
            let written = into.predicate.languages.join(":");
            return Err(cursor.error(at, format!("there is no directive `@{written}`")));
        }
    }
    arguments_and_directives(cursor, &mut into.page, &mut into.order, &mut into.directives)
}

fn is_directive_next(cursor: &mut Cursor<'_>) -> bool {
    cursor.looking(|cursor| cursor.take('@') && is_directive(cursor))
}

fn arguments_and_directives(
    cursor: &mut Cursor<'_>,
    page: &mut Page,
    order: &mut Vec<Order>,
    directives: &mut Directives,
) -> Read<()> {
    loop {
        if cursor.is('(') {
            arguments(cursor, page, order)?;
        } else if cursor.take('@') {
            directive(cursor, directives)?;
        } else {
            return Ok(());
        }
    }
}

/// `(uid)`, or `(friend @filter(…))` and directives behind it.
fn counted(cursor: &mut Cursor<'_>) -> Read<Selection> {
    cursor.must_take('(', "behind count")?;
    if cursor.is_word_then("uid", ')') {
        cursor.take_word("uid");
        cursor.take(')');
        return Ok(Selection::CountUid);
    }
    let found = name(cursor, "a predicate, or `uid`")?;
    let mut counted = traversal(without_languages(found));
    details(cursor, &mut counted)?;
    cursor.must_take(')', "behind the predicate of count")?;
    arguments_and_directives(
        cursor,
        &mut counted.page,
        &mut counted.order,
        &mut counted.directives,
    )?;
    Ok(Selection::Count(Box::new(counted)))
}

/// `(val(x))`, or `(name)`.
fn aggregated(cursor: &mut Cursor<'_>) -> Read<AggregateOf> {
    cursor.must_take('(', "of an aggregate")?;
    let of = match cursor.is_word_then("val", '(') {
        true => AggregateOf::Variable(variable_in(cursor, "val")?),
        false => AggregateOf::Predicate(predicate(cursor)?),
    };
    cursor.must_take(')', "of an aggregate")?;
    Ok(of)
}

/// `(_all_) @filter(…) { … }`.
fn expand(cursor: &mut Cursor<'_>) -> Read<Expand> {
    let is_variable = cursor.looking(|cursor| cursor.take('(') && cursor.is_word_then("val", '('));
    let of = if is_variable {
        cursor.must_take('(', "behind expand")?;
        let variable = variable_in(cursor, "val")?;
        cursor.must_take(')', "of expand")?;
        ExpandOf::Variable(variable)
    } else {
        let at = cursor.here();
        let names = in_parentheses(cursor, "of expand", |cursor| {
            Ok(name(cursor, "a type, or `_all_`")?.name)
        })?;
        if names.is_empty() {
            return Err(cursor
                .error(at, "expand() has no argument")
                .with_help("write `expand(_all_)`"));
        }
        ExpandOf::Names(names)
    };
    let mut found = Expand {
        of,
        page: Page::default(),
        order: Vec::new(),
        directives: Directives::default(),
        children: Vec::new(),
    };
    arguments_and_directives(cursor, &mut found.page, &mut found.order, &mut found.directives)?;
    if cursor.is('{') {
        found.children = children(cursor)?;
    }
    Ok(found)
}

/// `(password, "secret")`.
fn password_check(cursor: &mut Cursor<'_>) -> Read<PasswordCheck> {
    cursor.must_take('(', "behind checkpwd")?;
    if cursor.is('"') {
        return Err(quoted_predicate(cursor));
    }
    let predicate = predicate(cursor)?;
    cursor.must_take(',', "before the password")?;
    let password = value(cursor)?;
    cursor.must_take(')', "behind the password")?;
    Ok(PasswordCheck { predicate, password })
}
