//! The symbols of a statement.

use super::Type;
use crate::tree::{Name, Symbol};

/// The symbols of a statement: the name and the static type of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Symbols {
    entries: Vec<(Name, Type)>,
}

impl Symbols {
    /// A new symbol.
    pub(crate) fn define(&mut self, name: &Name, kind: Type) -> Symbol {
        self.entries.push((name.clone(), kind));
        Symbol(u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX))
    }

    /// The name of a symbol; of an unknown one nothing.
    pub(crate) fn name(&self, symbol: Symbol) -> Option<&Name> {
        self.entries.get(symbol.0 as usize).map(|(name, _)| name)
    }

    /// The static type of a symbol.
    pub(crate) fn type_of(&self, symbol: Symbol) -> &Type {
        self.entries.get(symbol.0 as usize).map_or(&Type::Any, |(_, kind)| kind)
    }

    /// Gives a symbol another type.
    pub(crate) fn retype(&mut self, symbol: Symbol, kind: Type) {
        if let Some(entry) = self.entries.get_mut(symbol.0 as usize) {
            entry.1 = kind;
        }
    }
}
