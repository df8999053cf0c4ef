//! The vertices a transaction created, in compact form: this stays in memory when parts spill.
//!
//! A created vertex has an *ordinal*, its place in the order of creation. A vertex that was deleted
//! again keeps its ordinal and is dead.

use millrace_model::{Bits, LabelId, VertexId};
use rustc_hash::FxHashMap;

use crate::changes::Labels;

const PAGE_IDS: u64 = 64;
const NONE: u32 = u32::MAX;

/// Ids, labels and life of created vertices.
#[derive(Default)]
pub(in crate::transaction) struct Created {
    pub(in crate::transaction) ids: Vec<VertexId>,
    label_codes: Vec<u32>,
    label_sets: Vec<Labels>,
    dead: Bits,
    dead_count: usize,
    unordered: bool,
    id_bound: u64,
    /// Ordinals by id, in pages, since leased ids come in ranges: about 5 bytes a vertex.
    pages: FxHashMap<u64, Box<[u32; PAGE_IDS as usize]>>,
}

impl Created {
    pub(in crate::transaction) fn push(&mut self, id: VertexId, labels: &Labels) {
        let ordinal = u32::try_from(self.ids.len()).expect("a transaction makes < 2^32 vertices");
        let code = self.label_code(labels);
        self.unordered |= self.ids.last().is_some_and(|last| id < *last);
        self.ids.push(id);
        self.label_codes.push(code);
        self.id_bound = self.id_bound.max(id.0 + 1);
        let page = self.pages.entry(id.0 / PAGE_IDS);
        page.or_insert_with(|| Box::new([NONE; PAGE_IDS as usize]))[(id.0 % PAGE_IDS) as usize] =
            ordinal;
    }

    /// The place in the order of creation, of a dead vertex too.
    #[inline]
    pub(in crate::transaction) fn ordinal(&self, id: VertexId) -> Option<u32> {
        let ordinal = self.pages.get(&(id.0 / PAGE_IDS))?[(id.0 % PAGE_IDS) as usize];
        (ordinal != NONE).then_some(ordinal)
    }

    /// Whether it was created here and not deleted since.
    #[inline]
    pub(in crate::transaction) fn is_alive(&self, id: VertexId) -> bool {
        self.ordinal(id).is_some_and(|ordinal| !self.dead.get(ordinal as usize))
    }

    pub(in crate::transaction) fn is_dead(&self, id: VertexId) -> bool {
        self.ordinal(id).is_some_and(|ordinal| self.dead.get(ordinal as usize))
    }

    pub(in crate::transaction) fn kill(&mut self, id: VertexId) {
        if let Some(ordinal) = self.ordinal(id)
            && self.dead.insert(ordinal as usize)
        {
            self.dead_count += 1;
        }
    }

    pub(in crate::transaction) fn has_dead(&self) -> bool {
        self.dead_count != 0
    }

    /// The labels it was created with.
    pub(in crate::transaction) fn labels(&self, id: VertexId) -> Option<&Labels> {
        let ordinal = self.ordinal(id)?;
        Some(&self.label_sets[self.label_codes[ordinal as usize] as usize])
    }

    /// Living vertices from an id on, ascending, that were created with a label.
    pub(in crate::transaction) fn scan(
        &self,
        first: VertexId,
        label: Option<LabelId>,
    ) -> impl Iterator<Item = VertexId> + '_ {
        let holding: Vec<bool> =
            self.label_sets.iter().map(|set| label.is_none_or(|l| set.contains(&l))).collect();
        let ordered = self.in_id_order(first);
        ordered
            .filter(move |ordinal| {
                holding[self.label_codes[*ordinal] as usize] && !self.dead.get(*ordinal)
            })
            .map(|ordinal| self.ids[ordinal])
    }

    /// Leases ascend, so creation order is id order but for ids from several blocks.
    fn in_id_order(&self, first: VertexId) -> Box<dyn Iterator<Item = usize> + '_> {
        if !self.unordered {
            let start = self.ids.partition_point(|id| *id < first);
            return Box::new(start..self.ids.len());
        }
        let mut ordinals: Vec<_> =
            (0..self.ids.len()).filter(|ordinal| first <= self.ids[*ordinal]).collect();
        ordinals.sort_unstable_by_key(|ordinal| self.ids[*ordinal]);
        Box::new(ordinals.into_iter())
    }

    /// Bytes that it holds, about.
    pub(in crate::transaction) fn byte_size(&self) -> usize {
        self.ids.len() * (size_of::<VertexId>() + size_of::<u32>()) * 3 / 2
            + self.pages.len() * (size_of::<[u32; PAGE_IDS as usize]>() + 32)
            + self.label_sets.len() * 48
    }

    pub(in crate::transaction) fn id_bound(&self) -> u64 {
        self.id_bound
    }

    fn label_code(&mut self, labels: &Labels) -> u32 {
        if let Some(last) = self.label_codes.last()
            && self.label_sets[*last as usize] == *labels
        {
            return *last;
        }
        let known = self.label_sets.iter().position(|known| known == labels);
        let code = known.unwrap_or_else(|| {
            self.label_sets.push(labels.clone());
            self.label_sets.len() - 1
        });
        code as u32
    }
}
