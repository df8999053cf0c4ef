//! Names of a plan and their numbers in a catalog: resolved once for each catalog version.
//!
//! A name that is unknown is no error: nothing has that label, type or key *yet*. It is asked
//! again when the catalog changes, for a write further up may have made it. A serializable transaction
//! makes the name: that nothing has it is then read like anything else, and another transaction that
//! commits the first element of that name conflicts with it.

use std::cell::Cell;

use millrace_model::{Catalog, EdgeTypeId, KeyId, LabelId};
use millrace_plan::Name;
use millrace_store::NameKind;

use super::statement::Context;

/// A name with the number it had when last asked.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<Id: Copy> {
    name: Name,
    known: Cell<(u64, Option<Id>)>,
}

impl<Id: Copy> Resolved<Id> {
    pub(crate) fn new(name: &Name) -> Resolved<Id> {
        Resolved { name: name.clone(), known: Cell::new((0, None)) }
    }

    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    fn resolve(
        &self,
        context: &Context,
        kind: NameKind,
        ask: impl Fn(&Catalog, &str) -> Option<Id>,
    ) -> Option<Id> {
        let generation = context.catalog_generation();
        let (asked, id) = self.known.get();
        if asked == generation {
            return id;
        }
        let mut id = context.look(|catalog| ask(catalog, &self.name));
        if id.is_none() && context.makes_name(kind, &self.name) {
            id = context.look(|catalog| ask(catalog, &self.name));
        }
        self.known.set((context.catalog_generation(), id));
        id
    }
}

impl Resolved<LabelId> {
    pub(crate) fn label(&self, context: &Context) -> Option<LabelId> {
        self.resolve(context, NameKind::Label, Catalog::label)
    }
}

impl Resolved<KeyId> {
    pub(crate) fn key(&self, context: &Context) -> Option<KeyId> {
        self.resolve(context, NameKind::Key, Catalog::key)
    }
}

/// The edge types of an expansion or scan; `None`: all.
#[derive(Clone, Debug)]
pub(crate) struct EdgeTypes {
    names: Option<Vec<Name>>,
    asked: u64,
    ids: Vec<EdgeTypeId>,
}

impl EdgeTypes {
    pub(crate) fn new(names: Option<&[Name]>) -> EdgeTypes {
        EdgeTypes { names: names.map(<[Name]>::to_vec), asked: 0, ids: Vec::new() }
    }

    /// The types as the store wants them, each once; an empty slice if none is known.
    pub(crate) fn resolve(&mut self, context: &Context) -> Option<&[EdgeTypeId]> {
        let names = self.names.as_ref()?;
        let generation = context.catalog_generation();
        if self.asked != generation {
            self.ids.clear();
            for name in names {
                let mut id = context.look(|catalog| catalog.edge_type(name));
                if id.is_none() && context.makes_name(NameKind::EdgeType, name) {
                    id = context.look(|catalog| catalog.edge_type(name));
                }
                if let Some(id) = id.filter(|id| !self.ids.contains(id)) {
                    self.ids.push(id);
                }
            }
            self.asked = context.catalog_generation();
        }
        Some(&self.ids)
    }
}
