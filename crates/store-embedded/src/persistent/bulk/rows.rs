//! Rows of one partition as they came: vertices and, for each type, edges.

use millrace_model::LabelId;
use millrace_store::Labels;

use super::key_columns::KeyColumns;
use super::pile::Rows;
use crate::base::codec::{Malformed, Reader, put_u16s, put_u32, put_u32s, put_u64};
use crate::base::error::Result;
use crate::persistent::image::SectionBody;

/// A slot the store has yet to assign. No slot is that high: an ordinal ends at three quarters.
pub(super) const UNASSIGNED: u32 = u32::MAX;

/// Edges of one type with ids of one ordinal, and so with sources in one partition.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeRows {
    pub(super) sources: Vec<u16>,
    pub(super) targets: Vec<u32>,
    /// Empty while no row has one: then all are unassigned.
    pub(super) slots: Vec<u32>,
    pub(super) columns: KeyColumns,
}

/// Vertices of one partition.
#[derive(Clone, Debug, Default)]
pub(super) struct VertexRows {
    pub(super) locals: Vec<u16>,
    /// How many rows, in order, have which labels.
    pub(super) labels: Vec<(u32, Labels)>,
    pub(super) columns: KeyColumns,
}

/// Rows of in lists: edges of one type that one partition has in the lists of their targets.
#[derive(Clone, Debug, Default)]
pub(super) struct InRows {
    pub(super) targets: Vec<u16>,
    pub(super) sources: Vec<u32>,
    pub(super) slots: Vec<u32>,
}

impl EdgeRows {
    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    /// Makes room for slots, now that some row has one.
    pub(super) fn has_slots(&mut self) {
        self.slots.resize(self.sources.len(), UNASSIGNED);
    }

    /// How many rows have no slot yet.
    pub(super) fn unassigned(&self) -> usize {
        match self.slots.is_empty() {
            true => self.len(),
            false => self.slots.iter().filter(|slot| **slot == UNASSIGNED).count(),
        }
    }

    /// Takes the rows out that have no slot, but for the first `fit` of them.
    pub(super) fn split_unassigned(&mut self, fit: usize) -> EdgeRows {
        let (mut kept, mut moved, mut seen) = (Vec::new(), Vec::new(), 0);
        for row in 0..self.len() as u32 {
            let is_free = self.slots.get(row as usize).is_none_or(|slot| *slot == UNASSIGNED);
            seen += usize::from(is_free);
            if is_free && fit < seen { moved.push(row) } else { kept.push(row) }
        }
        let rest = EdgeRows { slots: Vec::new(), ..self.picked(&moved) };
        *self = self.picked(&kept);
        rest
    }

    fn picked(&self, rows: &[u32]) -> EdgeRows {
        let picked = |row: &u32| *row as usize;
        let slots = if self.slots.is_empty() { &[] } else { rows };
        EdgeRows {
            sources: rows.iter().map(|row| self.sources[picked(row)]).collect(),
            targets: rows.iter().map(|row| self.targets[picked(row)]).collect(),
            slots: slots.iter().map(|row| self.slots[picked(row)]).collect(),
            columns: self.columns.picked(rows),
        }
    }
}

impl Rows for EdgeRows {
    fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    fn absorb(&mut self, mut later: EdgeRows) {
        if !self.slots.is_empty() || !later.slots.is_empty() {
            self.has_slots();
            later.has_slots();
            self.slots.append(&mut later.slots);
        }
        self.columns.absorb(self.sources.len(), later.columns);
        self.sources.append(&mut later.sources);
        self.targets.append(&mut later.targets);
    }
}

impl Rows for VertexRows {
    fn is_empty(&self) -> bool {
        self.locals.is_empty()
    }

    fn absorb(&mut self, mut later: VertexRows) {
        self.columns.absorb(self.locals.len(), later.columns);
        self.locals.append(&mut later.locals);
        self.labels.append(&mut later.labels);
    }
}

impl Rows for InRows {
    fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    fn absorb(&mut self, mut later: InRows) {
        if self.is_empty() {
            *self = later;
            return;
        }
        self.targets.append(&mut later.targets);
        self.sources.append(&mut later.sources);
        self.slots.append(&mut later.slots);
    }
}

type Decoded<T> = std::result::Result<T, Malformed>;

impl SectionBody for EdgeRows {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u16s(bytes, &self.sources);
        put_u32s(bytes, &self.targets);
        put_u32s(bytes, &self.slots);
        self.columns.encode(bytes)
    }

    fn decode(reader: &mut Reader<'_>) -> Decoded<EdgeRows> {
        Ok(EdgeRows {
            sources: reader.u16s()?,
            targets: reader.u32s()?,
            slots: reader.u32s()?,
            columns: KeyColumns::decode(reader)?,
        })
    }

    fn byte_size(&self) -> usize {
        self.len() * 6 + self.slots.len() * 4
    }
}

impl SectionBody for VertexRows {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u16s(bytes, &self.locals);
        put_u64(bytes, self.labels.len() as u64);
        for (rows, labels) in &self.labels {
            put_u32(bytes, *rows);
            put_u32s(bytes, &labels.iter().map(|label| label.0).collect::<Vec<_>>());
        }
        self.columns.encode(bytes)
    }

    fn decode(reader: &mut Reader<'_>) -> Decoded<VertexRows> {
        let locals = reader.u16s()?;
        let blocks = reader.count(12)?;
        let labels = (0..blocks)
            .map(|_| Ok((reader.u32()?, reader.u32s()?.into_iter().map(LabelId).collect())));
        let labels = labels.collect::<Decoded<Vec<_>>>()?;
        Ok(VertexRows { locals, labels, columns: KeyColumns::decode(reader)? })
    }

    fn byte_size(&self) -> usize {
        self.locals.len() * 2
    }
}

impl SectionBody for InRows {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u16s(bytes, &self.targets);
        put_u32s(bytes, &self.sources);
        put_u32s(bytes, &self.slots);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> Decoded<InRows> {
        Ok(InRows { targets: reader.u16s()?, sources: reader.u32s()?, slots: reader.u32s()? })
    }

    fn byte_size(&self) -> usize {
        self.targets.len() * 10
    }
}
