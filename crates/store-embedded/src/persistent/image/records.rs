//! Which vertices of a partition exist, and the labels of each.
//!
//! Few label sets are in use, so a vertex holds a 2-byte code of its set; and none where all have
//! the same.

use std::collections::{BTreeMap, HashMap};

use millrace_model::{Bits, LabelId};
use millrace_store::Labels;

use crate::base::codec::{Malformed, Reader, put_bits, put_u16s, put_u32, put_u64};
use crate::base::error::Result;
use crate::persistent::image::PARTITION_LOCALS;
use crate::persistent::image::section::SectionBody;

/// Existence and labels, by local.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    exists: Bits,
    label_sets: Vec<Labels>,
    /// The set of each local up to the last that does not have the first set.
    codes: Vec<u16>,
}

impl Records {
    /// Whether a local has a record.
    #[inline]
    pub fn exists(&self, local: u16) -> bool {
        self.exists.get(local as usize)
    }

    /// The labels of a local; `None` if it has no record.
    #[inline]
    pub fn labels(&self, local: u16) -> Option<&Labels> {
        self.exists(local).then(|| &self.label_sets[self.code(local as usize)])
    }

    /// Which locals have a record.
    pub fn existing(&self) -> &Bits {
        &self.exists
    }

    /// The locals with a record, ascending, and their labels.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Labels)> + '_ {
        let labels = |local| &self.label_sets[self.code(local)];
        self.exists.ones().map(move |local| (local as u16, labels(local)))
    }

    /// The locals with a label (`None`: all), ascending.
    pub fn scan(&self, label: Option<LabelId>) -> impl Iterator<Item = u16> + '_ {
        let fits = |labels: &Labels| label.is_none_or(|label| labels.contains(&label));
        let fits: Vec<bool> = self.label_sets.iter().map(fits).collect();
        self.exists.ones().filter(move |&local| fits[self.code(local)]).map(|local| local as u16)
    }

    /// Which label sets have a label.
    pub fn sets_with(&self, label: LabelId) -> Vec<bool> {
        self.label_sets.iter().map(|labels| labels.contains(&label)).collect()
    }

    /// Which of the 64 locals of a page have a record with one of these label sets (`None`: any).
    pub fn page(&self, page: usize, sets: Option<&[bool]>) -> u64 {
        let word = self.exists.words().get(page).copied().unwrap_or(0);
        let Some(sets) = sets else { return word };
        if !sets.contains(&false) {
            return word;
        }
        let (mut left, mut found) = (if sets.contains(&true) { word } else { 0 }, 0);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            found |= u64::from(sets[self.code(page * 64 + bit as usize)]) << bit;
        }
        found
    }

    /// How many vertices there are, and how many have each label.
    pub fn counts(&self) -> (u64, BTreeMap<LabelId, u64>) {
        let mut sets = vec![0u64; self.label_sets.len()];
        for local in self.exists.ones() {
            sets[self.code(local)] += 1;
        }
        let mut labels = BTreeMap::new();
        for (set, &count) in self.label_sets.iter().zip(&sets) {
            for &label in set.iter() {
                *labels.entry(label).or_default() += count;
            }
        }
        labels.retain(|_, count| *count > 0);
        (sets.iter().sum(), labels)
    }

    #[inline]
    fn code(&self, local: usize) -> usize {
        self.codes.get(local).map_or(0, |&code| code.into())
    }
}

/// Builds records from sets of locals, in any order.
#[derive(Clone, Debug, Default)]
pub struct RecordsBuilder {
    records: Records,
    codes: HashMap<Labels, u16>,
}

impl RecordsBuilder {
    /// Starts from records that there are.
    pub fn from_records(records: &Records) -> RecordsBuilder {
        let codes = records.label_sets.iter().cloned().zip(0..).collect();
        RecordsBuilder { records: records.clone(), codes }
    }

    /// Gives locals a record with these labels (ascending), or replaces their labels.
    pub fn set(&mut self, locals: impl IntoIterator<Item = u16>, labels: &Labels) {
        let code = self.code(labels);
        for local in locals {
            let (local, codes) = (local as usize, &mut self.records.codes);
            self.records.exists.insert(local);
            if local < codes.len() {
                codes[local] = code;
            } else if code != 0 {
                codes.resize(local, 0);
                codes.push(code);
            }
        }
    }

    /// Takes records away.
    pub fn remove(&mut self, locals: impl IntoIterator<Item = u16>) {
        for local in locals {
            self.records.exists.remove(local as usize);
        }
    }

    /// Which locals have a record so far.
    pub fn existing(&self) -> &Bits {
        &self.records.exists
    }

    /// The records; sets that no vertex has any more are left out.
    pub fn finish(self) -> Records {
        self.compacted().records
    }

    /// A partition's vertices have at most 65,536 sets between them, but a builder may have seen
    /// more, of vertices that were labelled anew.
    fn code(&mut self, labels: &Labels) -> u16 {
        if let Some(&code) = self.codes.get(labels) {
            return code;
        }
        if self.records.label_sets.len() == PARTITION_LOCALS {
            *self = std::mem::take(self).compacted();
        }
        let code = self.records.label_sets.len() as u16;
        self.records.label_sets.push(labels.clone());
        self.codes.insert(labels.clone(), code);
        code
    }

    fn compacted(self) -> RecordsBuilder {
        let mut builder = RecordsBuilder::default();
        for (local, labels) in self.records.iter() {
            builder.set([local], labels);
        }
        builder
    }
}

impl SectionBody for Records {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_bits(bytes, &self.exists);
        put_u64(bytes, self.label_sets.len() as u64);
        for labels in &self.label_sets {
            put_u64(bytes, labels.len() as u64);
            labels.iter().for_each(|label| put_u32(bytes, label.0));
        }
        put_u16s(bytes, &self.codes);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Records, Malformed> {
        let exists = reader.bits()?;
        let sets = reader.count(8)?;
        let label_sets = (0..sets)
            .map(|_| Ok(reader.u32s()?.into_iter().map(LabelId).collect()))
            .collect::<std::result::Result<Vec<Labels>, Malformed>>()?;
        let mut codes = reader.u16s()?;
        // Up to version 4 all were written.
        codes.truncate(codes.iter().rposition(|code| *code != 0).map_or(0, |last| last + 1));
        codes.shrink_to_fit();
        let records = Records { exists, label_sets, codes };
        let is_coded = |local| records.code(local) < sets;
        if PARTITION_LOCALS < records.exists.len() || !records.exists.ones().all(is_coded) {
            return Err(reader.malformed("a vertex has labels that are not in the table"));
        }
        Ok(records)
    }

    fn byte_size(&self) -> usize {
        let sets = self.label_sets.iter().map(|set| size_of::<Labels>() + set.len() * 4 + 16);
        size_of::<Records>()
            + self.exists.words().len() * 8
            + sets.sum::<usize>()
            + self.codes.capacity() * 2
    }
}
