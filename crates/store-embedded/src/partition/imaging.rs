//! The image of a partition at a cut, step by step: what a checkpoint writes.
//!
//! The state at a position stays as it is while a reader holds it, so a checkpoint is a reader at
//! its cut, and the lock is taken for a piece at a time: appliers and readers wait for one piece at
//! most. What a reader would get wrong: between two steps versions *are* freed and lists rewritten;
//! only what the cut takes stays.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, Error, ErrorKind, Position, Result};

use super::Partition;
use super::image_at::Frozen;
use super::moving::pieces_of_pages;
use super::root::{Entry, Root, Sections};
use crate::image::{Half, Image};
use crate::limits::PIECE_ELEMENTS;

/// An image under way.
pub(super) struct Imaging {
    frozen: Frozen,
    /// The touched lists of the section under way.
    touched: Vec<(u16, Vec<Entry>)>,
    left: VecDeque<Piece>,
    image: Image,
}

/// What is looked at under one lock, or built without one.
enum Piece {
    Vertices(Range<usize>),
    Edges(Vec<u32>),
    Lists((EdgeTypeId, Half), Range<usize>),
    BuildLists((EdgeTypeId, Half)),
    BuildElements,
}

impl Partition {
    /// The partition exactly at a cut that is visible and that a reader holds until the image is
    /// made. Readers and appliers go on meanwhile; a second checkpoint of the same partition must
    /// wait.
    pub fn image_at(&self, cut: Position) -> Result<Image> {
        let mut imaging = self.begin_image(cut)?;
        while imaging.step(self)? {}
        Ok(imaging.finish())
    }

    pub(super) fn begin_image(&self, cut: Position) -> Result<Imaging> {
        let state = self.state.read();
        let root = state.root(cut)?;
        let pages = || pieces_of_pages();
        let mut left: VecDeque<Piece> = pages().map(Piece::Vertices).collect();
        let slots: Vec<u32> = root.delta.edges.keys().copied().collect();
        left.extend(slots.chunks(PIECE_ELEMENTS).map(|slots| Piece::Edges(slots.to_vec())));
        let stored = root.images(cut).flat_map(|image| image.lists.keys());
        let keys: BTreeSet<_> = stored.chain(root.delta.lists.keys()).copied().collect();
        for key in keys {
            if root.delta.lists.contains_key(&key) {
                left.extend(pages().map(|pages| Piece::Lists(key, pages)));
            }
            left.push_back(Piece::BuildLists(key));
        }
        left.push_back(Piece::BuildElements);
        let overlay = root.overlay.as_ref().filter(|overlay| overlay.at <= cut);
        let frozen = Frozen {
            cut,
            base: root.base.clone(),
            overlay: overlay.map(|overlay| overlay.image.clone()),
            vertices: Vec::new(),
            runs: root.delta.runs.iter().map(|(run, edges)| (*run, edges.clone())).collect(),
            edges: BTreeMap::new(),
        };
        let image = Image { counts: state.counts.at(cut), ..Image::empty(self.ordinal, cut) };
        Ok(Imaging { frozen, touched: Vec::new(), left, image })
    }
}

impl Imaging {
    /// Looks at a piece, or builds what was looked at; says whether there is more.
    pub(super) fn step(&mut self, partition: &Partition) -> Result<bool> {
        let Some(piece) = self.left.pop_front() else { return Ok(false) };
        match piece {
            Piece::BuildLists(key) => {
                let touched = std::mem::take(&mut self.touched);
                self.frozen.add_lists(&mut self.image, key, touched)?;
            }
            Piece::BuildElements => {
                self.frozen.add_vertices(&mut self.image)?;
                self.frozen.add_edges(&mut self.image)?;
            }
            Piece::Vertices(_) | Piece::Edges(_) | Piece::Lists(..) => {
                let state = partition.state.read();
                let root = state.root(self.frozen.cut)?;
                if !Arc::ptr_eq(&root.base, &self.frozen.base) {
                    return Err(Error::new(ErrorKind::Bug, "two checkpoints of one partition"));
                }
                self.look(root, piece)?;
            }
        }
        Ok(true)
    }

    #[cfg(test)]
    pub(super) fn ordinal(&self) -> u32 {
        self.image.ordinal
    }

    #[cfg(test)]
    pub(super) fn cut(&self) -> Position {
        self.frozen.cut
    }

    /// The image, once there is no more to do.
    pub(super) fn finish(self) -> Image {
        self.image
    }

    fn look(&mut self, root: &Root, piece: Piece) -> Result<()> {
        let (delta, cut) = (&root.delta, self.frozen.cut);
        match piece {
            Piece::Vertices(pages) => {
                let records = pages.flat_map(|page| delta.vertices.page(page));
                let versions =
                    records.filter_map(|(local, record)| Some((local, record.at(cut)?.clone())));
                self.frozen.vertices.extend(versions);
            }
            Piece::Edges(slots) => {
                let version = |slot: u32| Some((slot, delta.edges.get(&slot)?.at(cut)?.clone()));
                self.frozen.edges.extend(slots.into_iter().filter_map(version));
            }
            Piece::Lists(key, pages) => {
                let Some(lists) = delta.lists.get(&key) else { return Ok(()) };
                let sections = Sections::of(root, key, cut)?;
                let lists = pages.flat_map(|page| lists.page(page));
                let changed = lists.filter(|(_, list)| !list.is_root_at(cut));
                self.touched.extend(
                    changed.map(|(local, list)| {
                        (local, list.view(cut).entries(sections.lists(local)))
                    }),
                );
            }
            Piece::BuildLists(_) | Piece::BuildElements => unreachable!("nothing is looked at"),
        }
        Ok(())
    }
}
