//! Patterns: found by hops from one node of each, created, and merged.
//!
//! ```text
//!   a pattern ──> the node to start from ──> hops to the right, then to the left ──> conditions, as early as known
//! ```
//!
//! A relationship is used at most once within one MATCH: each hop tests its edge against those before it. A pattern that
//! hangs together with the others by equal values only is joined to them by a hash (`joined`).
//!
//! Patterns that are written (`write`) are made by the operators of one element after the other. The clause around a pattern is
//! not known here.

mod alternating;
mod bound_list;
mod chain;
mod conditions;
mod equal_ends;
mod hop;
mod joined;
mod lengths;
mod node;
mod parts;
mod paths;
mod repeated;
mod searched;
mod shortest;
mod start;
mod write;

pub(crate) use write::{Given, Maker, edge_names, not_null};

use std::collections::BTreeSet;

use millrace_model::{Result, TextPosition};
use millrace_plan::op::{self, PathMode};
use millrace_plan::{ColumnId, Name};

use crate::translate::{Translator, unsupported};
use crate::tree::{self, PathPattern, Selector, Symbol};

/// What one MATCH has found so far.
#[derive(Default)]
pub(crate) struct Matching {
    /// The columns of its edges and lists of edges, each with its types; `None`: any.
    edges: Vec<(ColumnId, Option<Vec<Name>>)>,
    /// Whether an edge may be used twice.
    repeatable: bool,
    /// Variables that it will bind, and has not yet.
    pending: BTreeSet<Symbol>,
    /// All that it binds.
    own: BTreeSet<Symbol>,
    /// Conditions on variables that are pending.
    deferred: Vec<tree::Expr>,
    /// What WHERE demands of all rows.
    conjuncts: Vec<tree::Expr>,
    /// The numbers of those that were tested.
    tested: BTreeSet<usize>,
    /// The node that the chain of hops started from.
    start: Option<ColumnId>,
}

impl Matching {
    /// Lets a search of paths use an edge twice, where the MATCH does; it has an end then only by a greatest length.
    fn let_repeat(&self, at: TextPosition, path: &mut op::PathPattern) -> Result<()> {
        if !self.repeatable {
            return Ok(());
        }
        path.ways = PathMode::Walk;
        if path.max.is_none() {
            let what = "REPEATABLE ELEMENTS with a part without an upper bound";
            let help = "give the part an upper bound, such as {1,5}";
            return Err(unsupported(at, what, help));
        }
        Ok(())
    }
}

impl Translator<'_> {
    /// Finds patterns, each row once for every way.
    pub(crate) fn match_patterns(
        &mut self,
        patterns: &[PathPattern],
        repeatable: bool,
    ) -> Result<()> {
        self.match_where(patterns, None, repeatable)
    }

    /// The same with a condition on all of it.
    pub(crate) fn match_where(
        &mut self,
        patterns: &[PathPattern],
        test: Option<&tree::Expr>,
        repeatable: bool,
    ) -> Result<()> {
        let mut matching = Matching { repeatable, ..Matching::default() };
        if let Some(test) = test {
            conditions::conjuncts(test, &mut matching.conjuncts);
        }
        for variable in patterns.iter().flat_map(PathPattern::variables) {
            let symbol = variable.symbol.filter(|symbol| !self.columns.contains_key(symbol));
            matching.pending.extend(symbol);
        }
        matching.own = matching.pending.clone();
        let mut left: Vec<&PathPattern> = patterns.iter().collect();
        while !left.is_empty() {
            let pattern = left.remove(self.next_pattern(&left, &matching));
            match pattern.selector {
                Selector::All => {
                    let keys = self.join_keys(pattern, &matching);
                    match keys.is_empty() {
                        true => self.chain(pattern, &mut matching)?,
                        false => self.join_pattern(pattern, &keys, &mut matching)?,
                    }
                }
                _ => self.selected_paths(pattern, &mut matching).map(drop)?,
            }
            self.test_known(&mut matching)?;
        }
        self.test_rest(&mut matching)?;
        match test {
            Some(test) if matching.tested.is_empty() => self.filter(test),
            Some(_) => {
                let parts = matching.conjuncts.iter().enumerate();
                let mut rest = parts.filter(|(part, _)| !matching.tested.contains(part));
                rest.try_for_each(|(_, part)| self.filter(part))
            }
            None => Ok(()),
        }
    }

    /// The pattern to go on with: one that hangs together with what is bound, else that with the fewest candidates.
    /// Selected paths, such as shortest ones, come last: others may say what their ends are.
    fn next_pattern(&self, left: &[&PathPattern], matching: &Matching) -> usize {
        let is_bound = |pattern: &PathPattern| {
            pattern.variables().iter().any(|variable| self.bound_column(variable).is_some())
        };
        let cost = |pattern: &PathPattern| {
            let is_selected = !matches!(pattern.selector, Selector::All);
            (is_selected, !is_bound(pattern), self.candidates_of_start(pattern, matching))
        };
        let best = left.iter().enumerate().min_by_key(|(_, pattern)| match cost(pattern) {
            // In the order in which they are written.
            (is_selected, false, _) => (is_selected, false, 0),
            others => others,
        });
        best.map_or(0, |(index, _)| index)
    }
}
