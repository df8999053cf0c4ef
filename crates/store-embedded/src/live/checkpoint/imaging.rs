//! The image of a partition at a checkpoint position, made step by step for a checkpoint to write.
//!
//! The state at a position stays as it is while a reader pins it, so a checkpoint is a reader at
//! its position, and the lock is taken for a piece at a time: appliers and readers wait for one
//! piece at most. Between two steps versions *are* freed and lists rewritten; only the versions
//! that the checkpoint reads stay.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, Error, ErrorKind, LogPosition, Result};

use crate::live::Partition;
use crate::live::checkpoint::image_at::{ElementPiece, Frozen};
use crate::live::checkpoint::moving::pieces_of_pages;
use crate::live::versions::root::{Entry, Root, Sections};
use crate::persistent::image::{Half, Image};

/// An image under way.
pub(in crate::live) struct Imaging {
    frozen: Frozen,
    /// The modified lists of the section under way.
    modified: Vec<(u16, Vec<Entry>)>,
    left: VecDeque<Piece>,
    image: Image,
}

/// A step: a piece read under one lock, or a section built without one.
enum Piece {
    Elements(ElementPiece),
    Lists((EdgeTypeId, Half), Range<usize>),
    BuildLists((EdgeTypeId, Half)),
    BuildElements,
}

impl Partition {
    /// The partition exactly at a checkpoint position that is visible and that a reader pins until
    /// the image is made. Readers and appliers go on meanwhile; a second checkpoint of the same
    /// partition must wait.
    pub fn image_at(&self, checkpoint: LogPosition) -> Result<Image> {
        let mut imaging = self.begin_image(checkpoint)?;
        while imaging.step(self)? {}
        Ok(imaging.finish())
    }

    pub(in crate::live) fn begin_image(&self, checkpoint: LogPosition) -> Result<Imaging> {
        let state = self.state.read();
        let root = state.root(checkpoint)?;
        let mut left: VecDeque<Piece> =
            Frozen::pieces(&root.delta).into_iter().map(Piece::Elements).collect();
        let stored = root.images(checkpoint).flat_map(|image| image.lists.keys());
        let keys: BTreeSet<_> = stored.chain(root.delta.lists.keys()).copied().collect();
        for key in keys {
            if root.delta.lists.contains_key(&key) {
                left.extend(pieces_of_pages().map(|pages| Piece::Lists(key, pages)));
            }
            left.push_back(Piece::BuildLists(key));
        }
        left.push_back(Piece::BuildElements);
        let frozen = Frozen::begin(root, checkpoint);
        let image =
            Image { counts: state.counts.at(checkpoint), ..Image::empty(self.ordinal, checkpoint) };
        Ok(Imaging { frozen, modified: Vec::new(), left, image })
    }
}

impl Imaging {
    /// Reads one piece, or builds sections from pieces read before; returns whether there is more.
    pub(in crate::live) fn step(&mut self, partition: &Partition) -> Result<bool> {
        let Some(piece) = self.left.pop_front() else { return Ok(false) };
        match piece {
            Piece::BuildLists(key) => {
                let modified = std::mem::take(&mut self.modified);
                self.frozen.add_lists(&mut self.image, key, modified)?;
            }
            Piece::BuildElements => {
                self.frozen.add_vertices(&mut self.image)?;
                self.frozen.add_edges(&mut self.image)?;
            }
            Piece::Elements(_) | Piece::Lists(..) => {
                let state = partition.state.read();
                let root = state.root(self.frozen.checkpoint)?;
                if !Arc::ptr_eq(&root.base, &self.frozen.base) {
                    return Err(Error::new(ErrorKind::Bug, "two checkpoints of one partition"));
                }
                self.look(root, piece)?;
            }
        }
        Ok(true)
    }

    #[cfg(test)]
    pub(in crate::live) fn ordinal(&self) -> u32 {
        self.image.ordinal
    }

    #[cfg(test)]
    pub(in crate::live) fn checkpoint(&self) -> LogPosition {
        self.frozen.checkpoint
    }

    /// The image, once there is no more to do.
    pub(in crate::live) fn finish(self) -> Image {
        self.image
    }

    fn look(&mut self, root: &Root, piece: Piece) -> Result<()> {
        let (delta, checkpoint) = (&root.delta, self.frozen.checkpoint);
        match piece {
            Piece::Elements(piece) => self.frozen.look(delta, piece),
            Piece::Lists(key, pages) => {
                let Some(lists) = delta.lists.get(&key) else { return Ok(()) };
                let sections = Sections::of(root, key, checkpoint)?;
                let lists = pages.flat_map(|page| lists.page(page));
                let changed = lists.filter(|(_, list)| !list.is_root_at(checkpoint));
                self.modified.extend(changed.map(|(local, list)| {
                    (local, list.view(checkpoint).entries(sections.lists(local)))
                }));
            }
            Piece::BuildLists(_) | Piece::BuildElements => unreachable!("nothing is looked at"),
        }
        Ok(())
    }
}
