//! The parts of the graph and the named collections that operators read and write, as far as a plan shows.
//!
//! Where one operator reads another's writes, the order in which rows go through them can be seen
//! (docs/design/algebra.md, section 2). When in doubt, they read and write.

use std::collections::BTreeSet;

use crate::base::{ElementKind, Name};
use crate::expr::{Expr, SetName};
use crate::op::{OwnerName, Properties};

/// Names of keys, or of labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// All there are, where only data knows them.
    pub all: bool,
    /// Those that the plan names.
    pub names: BTreeSet<Name>,
}

impl Keys {
    /// Whether one may be among both.
    pub fn overlap(&self, other: &Keys) -> bool {
        let some = |keys: &Keys| keys.all || !keys.names.is_empty();
        self.all && some(other) || other.all && some(self) || !self.names.is_disjoint(&other.names)
    }

    /// Adds the keys of some properties.
    pub fn add(&mut self, properties: &Properties) {
        self.all |= properties.map.is_some();
        self.names.extend(properties.keyed.iter().map(|(name, _)| name.clone()));
    }
}

/// The reads of an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Which vertices there are.
    pub vertices: bool,
    /// Which edges there are.
    pub edges: bool,
    /// The record of an element at hand, if only its existence.
    pub records: bool,
    /// Properties.
    pub keys: Keys,
    /// Which vertices have labels, or which labels a vertex has.
    pub labels: Keys,
    /// Named collections.
    pub side_effects: BTreeSet<Name>,
}

/// The writes of an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// Makes vertices.
    pub vertices: bool,
    /// Makes edges.
    pub edges: bool,
    /// Deletes elements.
    pub deletes: bool,
    /// Properties of elements that may have been there before.
    pub keys: Keys,
    /// Labels of vertices that may have been there before.
    pub labels: Keys,
    /// Named collections.
    pub side_effects: BTreeSet<Name>,
    /// The catalog.
    pub catalog: bool,
}

impl Reads {
    /// Adds which elements there are.
    pub fn add_elements(&mut self, kind: ElementKind) {
        match kind {
            ElementKind::Vertex => self.vertices = true,
            ElementKind::Edge => self.edges = true,
        }
    }

    /// Adds the label of an owner, if it has one.
    pub fn add_owner(&mut self, owner: &OwnerName) {
        self.add_elements(owner.kind());
        if let OwnerName::Label(label) = owner {
            self.labels.names.insert(label.clone());
        }
    }

    /// Adds what an expression reads.
    pub fn add_expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match expr {
            Expr::Property { key, .. } => {
                self.keys.names.insert(key.clone());
                self.records = true;
            }
            Expr::Properties { keys, .. } => {
                self.records = true;
                self.keys.all |= keys.is_none();
                self.keys.names.extend(keys.iter().flatten().cloned());
            }
            Expr::Labels(_) => (self.records, self.labels.all) = (true, true),
            Expr::HasLabel { label, .. } => {
                self.records = true;
                self.labels.names.insert(label.clone());
            }
            Expr::EdgeType(_) | Expr::EdgeEnd { .. } | Expr::Living { .. } => self.records = true,
            Expr::InSet { set: SetName::SideEffect(name), .. } => {
                self.side_effects.insert(name.clone());
            }
            Expr::InSet { set: SetName::Let(_), .. }
            | Expr::Column(_)
            | Expr::Literal(_)
            | Expr::Parameter(_)
            | Expr::Let { .. }
            | Expr::Id(_)
            | Expr::Compare { .. }
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_)
            | Expr::IsNull(_)
            | Expr::IsAbsent(_)
            | Expr::InList { .. }
            | Expr::Arithmetic { .. }
            | Expr::Call { .. }
            | Expr::AnyValue { .. }
            | Expr::SingleValue(_)
            | Expr::List(_)
            | Expr::Map(_)
            | Expr::Case { .. }
            | Expr::Over(_) => {}
        });
    }

    /// Whether this lists vertices or edges, and the other makes more of them.
    pub fn sees(&self, writes: &Writes) -> bool {
        self.vertices && writes.vertices || self.edges && writes.edges
    }

    /// Whether the other changes or deletes something that this reads.
    pub fn conflicts(&self, writes: &Writes) -> bool {
        (self.vertices || self.edges || self.records) && writes.deletes
            || self.keys.overlap(&writes.keys)
            || self.labels.overlap(&writes.labels)
            || !self.side_effects.is_disjoint(&writes.side_effects)
            || writes.catalog && (self.vertices || self.edges)
    }
}

impl Writes {
    /// Whether both may write the same of an element, so that the last one wins.
    pub fn overlap(&self, other: &Writes) -> bool {
        self.keys.overlap(&other.keys) || self.labels.overlap(&other.labels)
    }

    /// Adds that elements are made.
    pub fn add_elements(&mut self, kind: ElementKind) {
        match kind {
            ElementKind::Vertex => self.vertices = true,
            ElementKind::Edge => self.edges = true,
        }
    }
}
