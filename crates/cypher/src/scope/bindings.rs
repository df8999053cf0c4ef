//! Which symbol a name means at a place.

use std::collections::BTreeMap;

use crate::tree::{Name, Symbol};

/// What names mean at a place of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// Variables of an outer query: they are seen in all clauses, and `*` does not contain them.
    outer: BTreeMap<Name, Symbol>,
    /// The variables of the rows, in the order of `*`.
    rows: BTreeMap<Name, Symbol>,
}

impl Bindings {
    /// Those of a query inside: all that is visible here is its outer scope.
    pub(super) fn inside(&self) -> Bindings {
        let mut outer = self.outer.clone();
        outer.extend(self.rows.clone());
        Bindings { outer, rows: BTreeMap::new() }
    }

    /// A query inside that sees some variables in all of its clauses.
    pub(super) fn with_outer(outer: impl IntoIterator<Item = (Name, Symbol)>) -> Bindings {
        Bindings { outer: outer.into_iter().collect(), rows: BTreeMap::new() }
    }

    /// The same outer scope with other rows.
    pub(super) fn with_rows(&self, rows: impl IntoIterator<Item = (Name, Symbol)>) -> Bindings {
        Bindings { outer: self.outer.clone(), rows: rows.into_iter().collect() }
    }

    /// Both, where a name of `over` hides one of `self`.
    pub(super) fn overlaid(&self, over: &Bindings) -> Bindings {
        let mut both = self.clone();
        both.rows.extend(over.rows.clone());
        both
    }

    /// Binds a name.
    pub(super) fn bind(&mut self, name: &Name, symbol: Symbol) {
        self.rows.insert(name.clone(), symbol);
    }

    /// Forgets a name, also one of the outer scope.
    pub(super) fn hide(&mut self, name: &str) {
        self.rows.remove(name);
        self.outer.remove(name);
    }

    /// Takes a name out of the rows.
    pub(super) fn unbind(&mut self, name: &str) {
        self.rows.remove(name);
    }

    /// The symbol of a name.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        self.rows.get(name).or_else(|| self.outer.get(name)).copied()
    }

    /// The symbol of a name of the outer scope.
    pub(super) fn outer_symbol(&self, name: &str) -> Option<Symbol> {
        self.outer.get(name).copied()
    }

    /// The variables of the rows, in the order of `*`.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Name, Symbol)> {
        self.rows.iter().map(|(name, symbol)| (name, *symbol))
    }

    /// All variables, those of the rows first.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Name, Symbol)> {
        let outer = self.outer.iter().filter(|(name, _)| !self.rows.contains_key(*name));
        self.rows().chain(outer.map(|(name, symbol)| (name, *symbol)))
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().chain(self.outer.keys()).map(|name| &**name)
    }
}
