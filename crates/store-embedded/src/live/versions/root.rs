//! A root: a base, perhaps a transaction layer, and the delta above them.

use std::sync::Arc;

use millrace_model::{EdgeTypeId, LogPosition, Result};
use millrace_store::Labels;

use crate::live::list::prefix::RootLists;
use crate::live::versions::delta::Delta;
use crate::live::versions::record::RecordVersion;
use crate::persistent::image::{Half, Image, ListSection, Pinned};

/// Everything of a partition for readers from its checkpoint position on.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) base: Arc<Image>,
    pub(crate) layer: Option<TransactionLayer>,
    pub(crate) delta: Delta,
}

/// The elements that one out-of-line commit created, for readers from its position on.
#[derive(Clone, Debug)]
pub(crate) struct TransactionLayer {
    pub(crate) at: LogPosition,
    pub(crate) image: Arc<Image>,
}

/// An entry of a list: neighbour and slot.
pub(crate) type Entry = (u32, u32);

impl Root {
    pub(crate) fn checkpoint(&self) -> LogPosition {
        self.base.checkpoint
    }

    /// The transaction layer, for a reader that sees it.
    #[inline]
    pub(crate) fn layer_at(&self, at: LogPosition) -> Option<&Image> {
        let layer = self.layer.as_ref().filter(|layer| layer.at <= at);
        layer.map(|layer| &*layer.image)
    }

    /// Whether it has a transaction layer that a base with this checkpoint position does not hold.
    pub(crate) fn layer_after(&self, checkpoint: LogPosition) -> bool {
        self.layer.as_ref().is_some_and(|layer| checkpoint < layer.at)
    }

    /// The images a reader sees, lowest first.
    pub(crate) fn images(&self, at: LogPosition) -> impl Iterator<Item = &Image> + '_ {
        [Some(&*self.base), self.layer_at(at)].into_iter().flatten()
    }

    /// The types with lists in a direction, ascending.
    pub(crate) fn types(&self, half: Half, at: LogPosition) -> Vec<EdgeTypeId> {
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
        let newest = LogPosition(u64::MAX);
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
    pub(crate) base: Option<Pinned<ListSection>>,
    pub(crate) layer: Option<Pinned<ListSection>>,
    /// Whether there is a transaction layer at all.
    pub(crate) has_layer: bool,
}

impl Sections {
    pub(crate) fn of(root: &Root, key: (EdgeTypeId, Half), at: LogPosition) -> Result<Sections> {
        let image = root.layer_at(at);
        let layer = image.map(|image| section(image, key.0, key.1)).transpose()?;
        Ok(Sections {
            base: section(&root.base, key.0, key.1)?,
            layer: layer.flatten(),
            has_layer: image.is_some(),
        })
    }

    /// The lists of one local.
    pub(crate) fn lists(&self, local: u16) -> RootLists<'_> {
        let (base, layer) = (self.base.as_ref(), self.layer.as_deref());
        RootLists { local, base, layer, has_layer: self.has_layer }
    }
}

/// The section of a type and direction, loaded.
pub(crate) fn section(
    image: &Image,
    edge_type: EdgeTypeId,
    half: Half,
) -> Result<Option<Pinned<ListSection>>> {
    let section = image.lists.get(&(edge_type, half));
    Ok(section.map(|section| section.get()).transpose()?)
}
