//! Queries that ask for less than another one: each lacks one block, child, condition, page or directive of it.

use millrace_db::languages::dql::parse;
use millrace_db::languages::dql::tree::{
    Block, Child, Directives, Document, Filter, Item, Order, Page, Selection,
};

/// The smaller texts of a query.
pub(super) fn smaller(text: &str) -> Vec<String> {
    let Ok(whole) = parse(text) else { return Vec::new() };
    let mut all = Vec::new();
    loop {
        let mut document: Document = whole.clone();
        let mut reduction = Reduction { left: all.len(), is_done: false };
        for item in &mut document.items {
            if let Item::Query(query) = item {
                reduction.blocks(&mut query.blocks);
            }
        }
        if !reduction.is_done {
            return all;
        }
        all.push(document.to_string());
    }
}

/// One reduction: the first `left` that are possible are passed over.
struct Reduction {
    left: usize,
    is_done: bool,
}

impl Reduction {
    fn hits(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        self.is_done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.is_done
    }

    /// Takes away what is there.
    fn clears<T>(&mut self, own: &mut Option<T>) {
        if own.is_some() && self.hits() {
            *own = None;
        }
    }

    /// Takes one away.
    fn shortens<T>(&mut self, own: &mut Vec<T>, least: usize) {
        for place in 0..own.len() {
            if least < own.len() && self.hits() {
                own.remove(place);
                return;
            }
        }
    }

    fn blocks(&mut self, blocks: &mut Vec<Block>) {
        self.shortens(blocks, 1);
        for block in blocks {
            self.clears(&mut block.variable);
            self.level(
                (&mut block.page, &mut block.order, &mut block.directives),
                &mut block.children,
            );
        }
    }

    fn level(
        &mut self,
        (page, order, directives): (&mut Page, &mut Vec<Order>, &mut Directives),
        children: &mut Vec<Child>,
    ) {
        self.clears(&mut page.first);
        self.clears(&mut page.offset);
        self.clears(&mut page.after);
        self.shortens(order, 0);
        self.clears(&mut directives.filter);
        if let Some(filter) = &mut directives.filter {
            self.filter(filter);
        }
        self.shortens(&mut directives.facets, 0);
        self.clears(&mut directives.group_by);
        self.clears(&mut directives.cascade);
        self.clears(&mut directives.normalize);
        self.clears(&mut directives.ignore_reflex);
        self.clears(&mut directives.recursion);
        self.children(children);
    }

    fn children(&mut self, children: &mut Vec<Child>) {
        self.shortens(children, 1);
        for child in children {
            self.clears(&mut child.variable);
            self.clears(&mut child.alias);
            match &mut child.selection {
                Selection::Predicate(own) | Selection::Count(own) => self
                    .level((&mut own.page, &mut own.order, &mut own.directives), &mut own.children),
                Selection::Expand(own) => self
                    .level((&mut own.page, &mut own.order, &mut own.directives), &mut own.children),
                Selection::Uid
                | Selection::Variable(_)
                | Selection::CountUid
                | Selection::Aggregate(..)
                | Selection::Math(_)
                | Selection::PasswordCheck(_)
                | Selection::Fragment(_) => {}
            }
        }
    }

    /// A part of a condition in its place.
    fn filter(&mut self, filter: &mut Filter) {
        let parts: Vec<Filter> = match filter {
            Filter::Function(_) => return,
            Filter::Not { of, .. } => vec![(**of).clone()],
            Filter::And(all) | Filter::Or(all) => all.clone(),
        };
        for part in parts {
            if self.hits() {
                *filter = part;
                return;
            }
        }
        match filter {
            Filter::Function(_) => {}
            Filter::Not { of, .. } => self.filter(of),
            Filter::And(all) | Filter::Or(all) => all.iter_mut().for_each(|own| self.filter(own)),
        }
    }
}
