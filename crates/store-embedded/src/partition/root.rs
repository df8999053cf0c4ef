//! A root: a base, perhaps an overlay, and the delta above them.

use std::sync::Arc;

use millrace_model::{EdgeTypeId, Position, Result};
use millrace_store::Labels;

use super::delta::Delta;
use super::prefix::RootLists;
use super::record::RecordVersion;
use crate::image::{Half, Held, Image, ListSection};

/// Everything of a partition for readers from its cut on.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) base: Arc<Image>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) delta: Delta,
}

/// What one large commit created, for readers from its position on.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) at: Position,
    pub(crate) image: Arc<Image>,
}

/// An entry of a list: neighbour and slot.
pub(crate) type Entry = (u32, u32);

impl Root {
    pub(crate) fn cut(&self) -> Position {
        self.base.cut
    }

    /// The overlay, for a reader that sees it.
    #[inline]
    pub(crate) fn overlay_at(&self, at: Position) -> Option<&Image> {
        let overlay = self.overlay.as_ref().filter(|overlay| overlay.at <= at);
        overlay.map(|overlay| &*overlay.image)
    }

    /// Whether it has an overlay that a base with this cut does not hold.
    pub(crate) fn overlay_after(&self, cut: Position) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| cut < overlay.at)
    }

    /// The images a reader sees, lowest first.
    pub(crate) fn images(&self, at: Position) -> impl Iterator<Item = &Image> + '_ {
        [Some(&*self.base), self.overlay_at(at)].into_iter().flatten()
    }

    /// The types with lists in a direction, ascending.
    pub(crate) fn types(&self, half: Half, at: Position) -> Vec<EdgeTypeId> {
        let stored = self.images(at).flat_map(|image| image.lists.keys());
        let keys = stored.chain(self.delta.lists.keys());
        let mut types: Vec<EdgeTypeId> =
            keys.filter(|(_, own)| *own == half).map(|(edge_type, _)| *edge_type).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// The newest labels of a vertex, if it exists.
    pub(crate) fn newest_labels(&self, local: u16) -> Result<Option<Labels>> {
        let newest = Position(u64::MAX);
        let version = self.delta.vertices.get(local).and_then(|record| record.at(newest));
        match version {
            Some(RecordVersion { exists: false, .. }) => Ok(None),
            Some(RecordVersion { labels: Some(labels), .. }) => Ok(Some(labels.clone())),
            Some(RecordVersion { labels: None, .. }) | None => {
                for image in self.images(newest) {
                    if let Some(labels) = image.records.get()?.labels(local) {
                        return Ok(Some(labels.clone()));
                    }
                }
                Ok(None)
            }
        }
    }
}

/// The sections of a type and direction that a reader sees, loaded.
pub(crate) struct Sections {
    pub(crate) base: Option<Held<ListSection>>,
    pub(crate) overlay: Option<Held<ListSection>>,
    /// Whether there is an overlay at all.
    pub(crate) overlaid: bool,
}

impl Sections {
    pub(crate) fn of(root: &Root, key: (EdgeTypeId, Half), at: Position) -> Result<Sections> {
        let image = root.overlay_at(at);
        let overlay = image.map(|image| section(image, key.0, key.1)).transpose()?;
        Ok(Sections {
            base: section(&root.base, key.0, key.1)?,
            overlay: overlay.flatten(),
            overlaid: image.is_some(),
        })
    }

    /// What they have of one local.
    pub(crate) fn lists(&self, local: u16) -> RootLists<'_> {
        let (base, overlay) = (self.base.as_ref(), self.overlay.as_deref());
        RootLists { local, base, overlay, overlaid: self.overlaid }
    }
}

/// The section of a type and direction, loaded.
pub(crate) fn section(
    image: &Image,
    edge_type: EdgeTypeId,
    half: Half,
) -> Result<Option<Held<ListSection>>> {
    let section = image.lists.get(&(edge_type, half));
    Ok(section.map(|section| section.get()).transpose()?)
}
