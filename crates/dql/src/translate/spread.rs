//! How deep and how large a query is when its fragments are spread: a text is bounded, and what it says with fragments that
//! name each other is not. Judged before anything walks a fragment; which names which is all that is read here.

use std::collections::HashMap;

use millrace_model::{Error, ErrorKind, Phase, Result};

use super::uses::Fragments;
use crate::limits::{NESTING_MAX, SPREAD_NODES_MAX};
use crate::text::position;
use crate::tree::{Child, Fragment, Offset, Query, Selection};

/// The children of a fragment, with those of the fragments that it names.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    levels: usize,
}

/// Refuses a query that is too deep or too large.
pub(super) fn check(text: &str, query: &Query, fragments: &Fragments<'_>) -> Result<()> {
    let mut sizes = Sizes { text, fragments, known: HashMap::new() };
    let mut nodes = 0;
    for block in &query.blocks {
        nodes += sizes.of(&block.children, 1)?.nodes;
        if SPREAD_NODES_MAX < nodes {
            return Err(sizes.too_long(block.offset));
        }
    }
    Ok(())
}

struct Sizes<'a, 't> {
    text: &'a str,
    fragments: &'a Fragments<'t>,
    /// None: it is open, and its cycle is an error of its own.
    known: HashMap<&'t str, Option<Size>>,
}

impl<'t> Sizes<'_, 't> {
    /// The size of children that stand at a level.
    fn of<'c>(&mut self, children: &'c [Child], level: usize) -> Result<Size> {
        let mut all = Size::default();
        for child in children {
            if NESTING_MAX < level {
                let detail = format!(
                    "the fragments nest deeper than {NESTING_MAX} levels when they are spread"
                );
                return Err(self.beyond(child.offset, detail));
            }
            let below: &'c [Child] = match &child.selection {
                Selection::Predicate(own) | Selection::Count(own) => &own.children,
                Selection::Expand(own) => &own.children,
                Selection::Fragment(name) => {
                    let Some(fragment) = self.fragments.get(name.text.as_str()).copied() else {
                        continue;
                    };
                    let own = self.of_fragment(fragment, level)?;
                    self.add(&mut all, own, child.offset)?;
                    continue;
                }
                Selection::Uid
                | Selection::Variable(_)
                | Selection::CountUid
                | Selection::Aggregate(..)
                | Selection::Math(_)
                | Selection::PasswordCheck(_) => &[],
            };
            let own = self.of(below, level + 1)?;
            self.add(&mut all, own, child.offset)?;
        }
        Ok(all)
    }

    fn of_fragment(&mut self, fragment: &'t Fragment, level: usize) -> Result<Size> {
        let name = fragment.name.text.as_str();
        match self.known.get(name) {
            Some(None) => return Ok(Size::default()),
            Some(Some(own)) if level + own.levels <= NESTING_MAX => return Ok(*own),
            // One that is too deep here is walked again, for the position of what is too much.
            Some(Some(_)) | None => {}
        }
        self.known.insert(name, None);
        let own = self.of(&fragment.children, level + 1)?;
        self.known.insert(name, Some(own));
        Ok(own)
    }

    /// A child beside others, which is a level above its own.
    fn add(&self, all: &mut Size, own: Size, at: Offset) -> Result<()> {
        all.nodes = all.nodes.saturating_add(own.nodes).saturating_add(1);
        all.levels = all.levels.max(own.levels + 1);
        if SPREAD_NODES_MAX < all.nodes {
            return Err(self.too_long(at));
        }
        Ok(())
    }

    fn too_long(&self, at: Offset) -> Error {
        let detail = format!(
            "the query has more than {SPREAD_NODES_MAX} children when its fragments are spread"
        );
        self.beyond(at, detail)
    }

    fn beyond(&self, at: Offset, detail: String) -> Error {
        let error = Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Compile);
        error.at(position(self.text, at)).with_help("send several shorter queries")
    }
}
