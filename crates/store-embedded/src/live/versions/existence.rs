//! Which vertices are there as of the last commit applied: a bit each, read without a lock.
//!
//! Committers ask this of both ends of every new edge. The bits are ahead of every reader. That is
//! right for a committer, which asks whether its end is there when the commit is ordered: a vertex
//! deleted since its snapshot carries a mark that causes a write conflict.

use millrace_model::{Bits, LogPosition, Result, VertexId};

use crate::live::versions::state::State;
use crate::live::{Partition, Partitions, local, ordinal_of_vertex};
use crate::persistent::image::Records;
use crate::sync::OnceLock;
use crate::sync::atomic::{AtomicU64, Ordering};

const WORDS: usize = (1 << 16) / 64;

/// A bit for each local; made when first asked for.
#[derive(Debug, Default)]
pub(crate) struct ExistenceBitmap {
    words: OnceLock<Box<[AtomicU64]>>,
}

impl ExistenceBitmap {
    /// Notes that a vertex came or went. Only under the write lock of the partition.
    pub(crate) fn set(&self, local: u16, is_there: bool) {
        let Some(words) = self.words.get() else { return };
        let (word, bit) = (&words[usize::from(local) / 64], 1 << (local % 64));
        match is_there {
            true => word.fetch_or(bit, Ordering::Release),
            false => word.fetch_and(!bit, Ordering::Release),
        };
    }

    /// Notes the vertices of a transaction layer. Only under the write lock of the partition.
    pub(crate) fn add(&self, records: &Records) {
        for (word, own) in self.words.get().into_iter().flatten().zip(records.existing().words()) {
            word.fetch_or(*own, Ordering::Release);
        }
    }

    fn get(&self, local: u16) -> Option<bool> {
        let word = self.words.get()?[usize::from(local) / 64].load(Ordering::Acquire);
        Some(word >> (local % 64) & 1 == 1)
    }
}

/// The bits of a state; the caller holds its lock.
fn bits_of(state: &State) -> Result<Box<[AtomicU64]>> {
    let (root, newest) = (state.newest(), LogPosition(u64::MAX));
    let mut words = vec![0; WORDS];
    for image in root.images(newest) {
        let records = image.records.get()?;
        words.iter_mut().zip(records.existing().words()).for_each(|(word, own)| *word |= own);
    }
    for (local, record) in root.delta.vertices.iter() {
        if let Some(version) = record.at(newest) {
            let (word, bit) = (&mut words[usize::from(local) / 64], 1u64 << (local % 64));
            *word = if version.exists { *word | bit } else { *word & !bit };
        }
    }
    Ok(words.into_iter().map(AtomicU64::new).collect())
}

impl Partition {
    fn is_live(&self, local: u16) -> Result<bool> {
        if let Some(is_live) = self.live.get(local) {
            return Ok(is_live);
        }
        // The lock keeps writers out between the read and the new bits; later writers keep the bits
        // up to date.
        let state = self.state.read();
        let words = bits_of(&state)?;
        self.live.words.get_or_init(|| words);
        drop(state);
        Ok(self.live.get(local).unwrap_or(false))
    }
}

impl Partitions {
    /// Which of the vertices are there, as of the last commit applied.
    pub fn live(&self, vertices: &[VertexId]) -> Result<Bits> {
        let mut live = Bits::unset(vertices.len());
        for (row, vertex) in vertices.iter().enumerate() {
            if self.find_live([*vertex], true)?.is_some() {
                live.insert(row);
            }
        }
        Ok(live)
    }

    /// The first of the vertices that is there, or that is not, as of the last commit applied.
    pub fn find_live(
        &self,
        vertices: impl IntoIterator<Item = VertexId>,
        is_live: bool,
    ) -> Result<Option<VertexId>> {
        for vertex in vertices {
            let there = match self.get(ordinal_of_vertex(vertex)) {
                Some(partition) => partition.is_live(local(vertex))?,
                None => false,
            };
            if there == is_live {
                return Ok(Some(vertex));
            }
        }
        Ok(None)
    }
}

/// The mutant that a model must find: the bits are read, and only later published.
#[cfg(all(test, feature = "loom"))]
impl Partitions {
    pub(crate) fn live_unlocked(&self, vertex: VertexId) -> Result<bool> {
        let partition = self.get_or_create(ordinal_of_vertex(vertex).unwrap_or(0));
        let words = bits_of(&partition.state.read())?;
        partition.live.words.get_or_init(|| words);
        Ok(partition.live.get(local(vertex)).unwrap_or(false))
    }
}
