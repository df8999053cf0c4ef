//! Conditions, with parentheses where one of another kind is inside.

use std::fmt::{self, Display, Formatter};

use super::Joined;
use super::names::Before;
use crate::tree::{FacetKey, Facets, FacetsKind, Filter};

/// How close a condition binds.
fn precedence(filter: &Filter) -> usize {
    match filter {
        Filter::Or(_) => 1,
        Filter::And(_) => 2,
        Filter::Not { .. } | Filter::Function(_) => 3,
    }
}

/// A condition inside of another one.
struct Inner<'a>(&'a Filter, usize);

impl Display for Inner<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if precedence(self.0) > self.1 {
            write!(f, "{}", self.0)
        } else {
            write!(f, "({})", self.0)
        }
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (inner, word) = match self {
            Filter::Function(function) => return write!(f, "{function}"),
            Filter::Not { of, .. } => return write!(f, "NOT {}", Inner(of, 2)),
            Filter::And(inner) => (inner, " AND "),
            Filter::Or(inner) => (inner, " OR "),
        };
        for (index, condition) in inner.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { word })?;
            write!(f, "{}", Inner(condition, precedence(self)))?;
        }
        Ok(())
    }
}

impl Display for Facets {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FacetsKind::All => f.write_str("@facets"),
            FacetsKind::Keys(keys) => write!(f, "@facets({})", Joined(keys, ", ")),
            FacetsKind::Filter(filter) => write!(f, "@facets({filter})"),
        }
    }
}

impl Display for FacetKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.is_descending {
            Some(true) => "orderdesc: ",
            Some(false) => "orderasc: ",
            None => "",
        })?;
        write!(f, "{}{}{}", Before(&self.alias, ": "), Before(&self.variable, " as "), self.key)
    }
}
