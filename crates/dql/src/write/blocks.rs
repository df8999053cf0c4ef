//! Query blocks, pages, orders and directives.

use std::fmt::{self, Display, Formatter};

use super::children::Braces;
use super::names::Before;
use super::{Joined, Parenthesized};
use crate::tree::{
    Block, Cascade, Directives, GroupBy, GroupKey, Order, OrderKey, Page, PathEnd, Recursion, Root,
    ShortestPath, Value,
};

/// A block so many levels deep.
pub(super) struct BlockAt<'a>(pub(super) &'a Block, pub(super) usize);

impl Display for BlockAt<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let BlockAt(block, depth) = *self;
        let mut arguments = match &block.root {
            Root::Absent => Vec::new(),
            Root::Function(function) => vec![format!("func: {function}")],
            Root::Shortest(path) => path_arguments(path),
            Root::Id { key, value } => vec![format!("{key}: {value}")],
        };
        arguments.extend(page_and_order(&block.page, &block.order));
        write!(f, "{}{}({})", Before(&block.variable, " as "), block.name, arguments.join(", "))?;
        write!(f, "{} {}", block.directives, Braces(&block.children, depth))
    }
}

impl Display for Block {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", BlockAt(self, 0))
    }
}

fn path_arguments(path: &ShortestPath) -> Vec<String> {
    let end = |key: &str, end: &Option<PathEnd>| end.as_ref().map(|end| format!("{key}: {end}"));
    let mut arguments: Vec<String> =
        end("from", &path.from).into_iter().chain(end("to", &path.to)).collect();
    arguments.extend(options(&[
        ("numpaths", &path.path_count),
        ("depth", &path.depth),
        ("minweight", &path.weight_min),
        ("maxweight", &path.weight_max),
        ("maxfrontiersize", &path.frontier_size_max),
    ]));
    arguments
}

/// `key: value` of those that there are.
fn options(options: &[(&str, &Option<Value>)]) -> Vec<String> {
    let written = |(key, value): &(&str, &Option<Value>)| {
        value.as_ref().map(|value| format!("{key}: {value}"))
    };
    options.iter().filter_map(written).collect()
}

/// The arguments of a page and of orders.
pub(super) fn page_and_order(page: &Page, order: &[Order]) -> Vec<String> {
    let Page { first, offset, after } = page;
    let keys = [("first", first), ("offset", offset), ("after", after)];
    let written = |(key, value): (&str, &Option<Box<Value>>)| {
        value.as_ref().map(|value| format!("{key}: {value}"))
    };
    let mut arguments: Vec<String> = keys.into_iter().filter_map(written).collect();
    arguments.extend(order.iter().map(ToString::to_string));
    arguments
}

impl Display for PathEnd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PathEnd::Uid(uid) => write!(f, "{uid}"),
            PathEnd::Variable(name) => write!(f, "uid({name})"),
        }
    }
}

impl Display for Order {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_descending { "orderdesc: " } else { "orderasc: " })?;
        match &self.key {
            OrderKey::Predicate(predicate) => write!(f, "{predicate}"),
            OrderKey::Variable(name) => write!(f, "val({name})"),
            OrderKey::Parameter(value) => write!(f, "{value}"),
        }
    }
}

/// Each directive behind a space.
impl Display for Directives {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Directives { filter, facets, group_by, cascade, normalize, ignore_reflex, recursion } =
            self;
        facets.iter().try_for_each(|facets| write!(f, " {facets}"))?;
        filter.iter().try_for_each(|filter| write!(f, " @filter({filter})"))?;
        group_by.iter().try_for_each(|group_by| write!(f, " {group_by}"))?;
        cascade.iter().try_for_each(|cascade| write!(f, " {cascade}"))?;
        normalize.iter().try_for_each(|_| f.write_str(" @normalize"))?;
        ignore_reflex.iter().try_for_each(|_| f.write_str(" @ignorereflex"))?;
        recursion.iter().try_for_each(|recursion| write!(f, " {recursion}"))
    }
}

impl Display for GroupBy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "@groupby({})", Joined(&self.keys, ", "))
    }
}

impl Display for GroupKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Before(&self.alias, ": "), self.predicate)
    }
}

impl Display for Cascade {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "@cascade{}", Parenthesized(&self.predicates))
    }
}

impl Display for Recursion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "@recurse{}",
            Parenthesized(&options(&[("depth", &self.depth), ("loop", &self.is_loop)]))
        )
    }
}
