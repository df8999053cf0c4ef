//! The catalog of a graph over time: names, which only grow, and definitions by position.
//!
//! Names are in *every* version immediately, since they are not part of any transaction; only
//! definitions differ between versions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_model::{Catalog, CatalogChange};
use millrace_store::NameKind;
use parking_lot::RwLock;

/// A name and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewName {
    pub(crate) kind: NameKind,
    pub(crate) number: u32,
    pub(crate) name: Arc<str>,
}

/// All versions that some reader may need.
pub(crate) struct CatalogVersions {
    /// From which position on; ascending, never empty.
    versions: RwLock<Vec<(u64, Arc<Catalog>)>>,
    /// Whether some version defines something of vertices, or of edges.
    defines: [AtomicBool; 2],
}

impl CatalogVersions {
    /// One version, from `position` on.
    pub(crate) fn new(catalog: Catalog, position: u64) -> Self {
        let defines = [false, true].map(|of_edges| AtomicBool::new(catalog.defines(of_edges)));
        Self { versions: RwLock::new(vec![(position, Arc::new(catalog))]), defines }
    }

    /// Whether some version has properties or indexes of vertices, or of edges, ready or being
    /// made. Asked by every commit, so it takes no lock.
    pub(crate) fn defines(&self, of_edges: bool) -> bool {
        self.defines[usize::from(of_edges)].load(Ordering::Acquire)
    }

    /// The catalog as a reader at `position` knows it.
    pub(crate) fn at(&self, position: u64) -> Arc<Catalog> {
        let versions = self.versions.read();
        let next = versions.partition_point(|(from, _)| *from <= position);
        Arc::clone(&versions[next.saturating_sub(1)].1)
    }

    /// The newest version, visible or not.
    pub(crate) fn newest(&self) -> Arc<Catalog> {
        let versions = self.versions.read();
        Arc::clone(&versions.last().expect("there is always a version").1)
    }

    /// Applies the changes of a commit. A commit that the newest version covers is skipped.
    pub(crate) fn change(&self, position: u64, changes: &[CatalogChange]) {
        let mut versions = self.versions.write();
        let (from, newest) = versions.last().expect("there is always a version");
        if position <= *from {
            return;
        }
        let mut catalog = Catalog::clone(newest);
        if !changes.iter().all(CatalogChange::is_note) {
            catalog.version += 1;
        }
        changes.iter().for_each(|change| catalog.apply(change));
        for (of_edges, some) in [false, true].into_iter().zip(&self.defines) {
            some.fetch_or(catalog.defines(of_edges), Ordering::AcqRel);
        }
        versions.push((position, Arc::new(catalog)));
    }

    /// Adds names to every version; those it has already stay as they are.
    pub(crate) fn add_names(&self, names: &[NewName]) {
        for (_, catalog) in self.versions.write().iter_mut() {
            let catalog = Arc::make_mut(catalog);
            for name in names {
                let number = names_of(catalog, name.kind).intern(&name.name);
                debug_assert_eq!(number, name.number, "numbers are given in the order of the log");
            }
        }
    }

    /// Removes definitions that were unfinished when the process ended; there is no reader yet.
    pub(crate) fn abandon_builds(&self) {
        for (_, catalog) in self.versions.write().iter_mut() {
            if !(catalog.building.is_empty() && catalog.checking.is_empty()) {
                Arc::make_mut(catalog).abandon_builds();
            }
        }
    }

    /// Frees the versions that no reader at `oldest` or later takes.
    pub(crate) fn forget(&self, oldest: u64) {
        let mut versions = self.versions.write();
        let next = versions.partition_point(|(from, _)| *from <= oldest);
        versions.drain(..next.saturating_sub(1));
    }
}

/// The names of a kind.
pub(crate) fn names_of(
    catalog: &mut Catalog,
    kind: NameKind,
) -> &mut millrace_model::schema::Names {
    match kind {
        NameKind::Label => &mut catalog.labels,
        NameKind::EdgeType => &mut catalog.edge_types,
        NameKind::Key => &mut catalog.keys,
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::{LabelId, Owner};

    use super::*;

    #[test]
    fn schema_versions_have_a_position_and_names_do_not() {
        let catalog = CatalogVersions::new(Catalog::default(), 0);
        assert!(!catalog.defines(false) && !catalog.defines(true));
        catalog.change(5, &[CatalogChange::CreateOwner(Owner::Label(LabelId(0)))]);
        let name = NewName { kind: NameKind::Label, number: 0, name: Arc::from("Person") };
        catalog.add_names(&[name]);
        assert_eq!(catalog.at(4).owners, []);
        assert_eq!(catalog.at(5).owners, [Owner::Label(LabelId(0))]);
        assert_eq!((catalog.at(4).version, catalog.at(5).version), (0, 1));
        assert_eq!(catalog.at(4).label("Person"), Some(LabelId(0)));
        catalog.change(5, &[CatalogChange::DropOwner(Owner::Label(LabelId(0)))]);
        assert_eq!(catalog.newest().version, 1, "a replayed change counts once");
        catalog.forget(7);
        assert_eq!(catalog.at(1).version, 1);
    }
}
