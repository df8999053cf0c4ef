//! The names of the soak's graph, as numbers.

use std::sync::Arc;

use millrace_model::{EdgeTypeId, KeyId, LabelId, Result};
use millrace_store::{Labels, NameKind, Store};

#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// Vertices of one writer.
    pub(super) own: LabelId,
    /// Vertices that all writers hang edges on.
    pub(super) hub: LabelId,
    /// Between vertices of one writer.
    pub(super) knows: EdgeTypeId,
    /// From a writer's vertex to a hub.
    pub(super) likes: EdgeTypeId,
    pub(super) age: KeyId,
    pub(super) weight: KeyId,
}

impl Names {
    pub(super) fn intern(store: &dyn Store) -> Result<Names> {
        let wanted = [
            (NameKind::Label, "Own"),
            (NameKind::Label, "Hub"),
            (NameKind::EdgeType, "KNOWS"),
            (NameKind::EdgeType, "LIKES"),
            (NameKind::Key, "age"),
            (NameKind::Key, "weight"),
        ];
        let numbers = store.intern(&wanted)?;
        Ok(Names {
            own: LabelId(numbers[0]),
            hub: LabelId(numbers[1]),
            knows: EdgeTypeId(numbers[2]),
            likes: EdgeTypeId(numbers[3]),
            age: KeyId(numbers[4]),
            weight: KeyId(numbers[5]),
        })
    }

    pub(super) fn own_labels(&self) -> Labels {
        Arc::from([self.own])
    }

    pub(super) fn hub_labels(&self) -> Labels {
        Arc::from([self.hub])
    }
}
