//! A root: a base, perhaps an overlay, and the delta above them.

use std::sync::Arc;

use millrace_model::{EdgeTypeId, Position, Result};
use millrace_store::Labels;

use super::delta::Delta;
use super::record::RecordVersion;
use super::touched_list::TouchedList;
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

/// Entries of a list: neighbour and slot, sorted.
pub(crate) type Entries = Vec<(u32, u32)>;

impl Root {
    pub(crate) fn cut(&self) -> Position {
        self.base.cut
    }

    /// The overlay, for a reader who sees it.
    #[inline]
    pub(crate) fn overlay_at(&self, at: Position) -> Option<&Image> {
        let overlay = self.overlay.as_ref().filter(|overlay| overlay.at <= at);
        overlay.map(|overlay| &*overlay.image)
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

/// The section of a type and direction, loaded.
pub(crate) fn section(
    image: &Image,
    edge_type: EdgeTypeId,
    half: Half,
) -> Result<Option<Held<ListSection>>> {
    let section = image.lists.get(&(edge_type, half));
    Ok(section.map(|section| section.get()).transpose()?)
}

/// The entries of one list from its parts, sorted; `stored` are base and overlay.
pub(crate) fn merged(
    touched: Option<&TouchedList>,
    local: u16,
    at: Position,
    [base, overlay]: [Option<&ListSection>; 2],
) -> Entries {
    let view = touched.map(|list| list.view(at));
    let (merged, tail) = view.map_or((None, None), |view| (view.merged, Some(view.tail)));
    let base = base.filter(|_| merged.is_none());
    let overlay = overlay.filter(|_| view.is_none_or(|view| view.overlay));
    let mut entries = Entries::new();
    entries.extend(merged.iter().flat_map(|pairs| pairs.iter()));
    entries.extend([base, overlay].iter().flatten().flat_map(|section| {
        let list = section.list(local);
        (0..list.len()).map(move |index| (list.neighbours[index], list.slots.get(index)))
    }));
    entries.extend(tail.iter().flat_map(|pairs| pairs.iter()));
    // A stable sort finds the parts that are sorted already and only merges them.
    entries.sort();
    entries
}
