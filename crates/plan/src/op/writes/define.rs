//! Changes of the catalog.

use millrace_model::PropertyType;
use millrace_model::schema::IndexKind;

use crate::base::{ColumnSet, Name};
use crate::op::facts::{Effect, Facts, Writes};
use crate::op::{Demand, OwnerName};
use crate::printer::Printer;

/// Changes the catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// The change.
    pub definition: Definition,
}

/// A change of the catalog, by names.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// Declare a label or edge type.
    CreateOwner(OwnerName),
    /// Declare it no more; its elements must be gone.
    DropOwner(OwnerName),
    /// Declare a property.
    CreateProperty {
        /// Its owner.
        owner: OwnerName,
        /// Which.
        key: Name,
        /// The type of its values.
        kind: PropertyType,
        /// Whether it must be there.
        required: bool,
    },
    /// Declare it no more.
    DropProperty {
        /// Its owner.
        owner: OwnerName,
        /// Which.
        key: Name,
    },
    /// Make an index over present and future elements.
    CreateIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// How it finds.
        kind: IndexKind,
    },
    /// Make an index over keys that are made of values, as a method says.
    CreateMadeIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// How its keys are made, in the words of `terms`: `trigrams`, `words(english)`.
        method: Name,
    },
    /// End such an index.
    DropMadeIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// How its keys are made.
        method: Name,
    },
    /// End an index.
    DropIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// Of which kind; `None`: whichever there is.
        kind: Option<IndexKind>,
    },
}

impl Definition {
    fn print(&self) -> String {
        match self {
            Definition::CreateOwner(owner) => format!("owner {}", owner.print()),
            Definition::DropOwner(owner) => format!("drop owner {}", owner.print()),
            Definition::CreateProperty { owner, key, kind, required } => {
                let required = if *required { " required" } else { "" };
                format!("property {}.{key}: {kind}{required}", owner.print())
            }
            Definition::DropProperty { owner, key } => {
                format!("drop property {}.{key}", owner.print())
            }
            Definition::CreateIndex { owner, keys, kind } => {
                let kind = format!("{kind:?}").to_lowercase();
                format!("{kind} index {}({})", owner.print(), keys.join(", "))
            }
            Definition::CreateMadeIndex { owner, keys, method } => {
                format!("index of {method} {}({})", owner.print(), keys.join(", "))
            }
            Definition::DropMadeIndex { owner, keys, method } => {
                format!("drop index of {method} {}({})", owner.print(), keys.join(", "))
            }
            Definition::DropIndex { owner, keys, kind } => {
                let kind = kind.map_or(String::new(), |kind| format!("{kind:?} ").to_lowercase());
                format!("drop {kind}index {}({})", owner.print(), keys.join(", "))
            }
        }
    }
}

impl Facts for Define {
    fn print(&self, _printer: &Printer<'_>) -> String {
        format!("Define {}", self.definition.print())
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn writes(&self, writes: &mut Writes) {
        writes.catalog = true;
    }
}
