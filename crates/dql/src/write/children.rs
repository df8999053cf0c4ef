//! Children in braces, a line each.

use std::fmt::{self, Display, Formatter};

use super::blocks::page_and_order;
use super::names::Before;
use super::{Joined, Line, Parenthesized};
use crate::tree::{AggregateOf, Child, Expand, ExpandOf, PasswordCheck, Selection, Traversal};

/// The braces of children, at a line so many levels deep.
pub(super) struct Braces<'a>(pub(super) &'a [Child], pub(super) usize);

impl Display for Braces<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Braces(children, depth) = *self;
        if children.is_empty() {
            return f.write_str("{}");
        }
        f.write_str("{")?;
        for child in children {
            write!(f, "{}{}", Line(depth + 1), ChildAt(child, depth + 1))?;
        }
        write!(f, "{}}}", Line(depth))
    }
}

/// A child so many levels deep.
struct ChildAt<'a>(&'a Child, usize);

impl Display for ChildAt<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ChildAt(child, depth) = *self;
        write!(f, "{}{}", Before(&child.variable, " as "), Before(&child.alias, ": "))?;
        match &child.selection {
            Selection::Predicate(traversal) => {
                write!(f, "{traversal}")?;
                write_children(f, &traversal.children, depth)
            }
            Selection::Uid => f.write_str("uid"),
            Selection::Variable(name) => write!(f, "val({name})"),
            Selection::CountUid => f.write_str("count(uid)"),
            Selection::Count(traversal) => write!(f, "count({traversal})"),
            Selection::Aggregate(aggregate, AggregateOf::Variable(name)) => {
                write!(f, "{}(val({name}))", aggregate.word())
            }
            Selection::Aggregate(aggregate, AggregateOf::Predicate(predicate)) => {
                write!(f, "{}({predicate})", aggregate.word())
            }
            Selection::Math(math) => write!(f, "math({math})"),
            Selection::Expand(expand) => {
                write!(f, "{expand}")?;
                write_children(f, &expand.children, depth)
            }
            Selection::PasswordCheck(check) => write!(f, "{check}"),
            Selection::Fragment(name) => write!(f, "...{name}"),
        }
    }
}

impl Display for Child {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", ChildAt(self, 0))
    }
}

fn write_children(f: &mut Formatter<'_>, children: &[Child], depth: usize) -> fmt::Result {
    if children.is_empty() { Ok(()) } else { write!(f, " {}", Braces(children, depth)) }
}

/// Without its children.
impl Display for Traversal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let arguments = page_and_order(&self.page, &self.order);
        write!(f, "{}", self.predicate)?;
        f.write_str(if arguments.is_empty() { "" } else { " " })?;
        write!(f, "{}{}", Parenthesized(&arguments), self.directives)
    }
}

/// Without its children.
impl Display for Expand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.of {
            ExpandOf::Variable(name) => write!(f, "expand(val({name}))")?,
            ExpandOf::Names(names) => write!(f, "expand({})", Joined(names, ", "))?,
        }
        let arguments = page_and_order(&self.page, &self.order);
        f.write_str(if arguments.is_empty() { "" } else { " " })?;
        write!(f, "{}{}", Parenthesized(&arguments), self.directives)
    }
}

impl Display for PasswordCheck {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "checkpwd({}, {})", self.predicate, self.password)
    }
}
