//! Edges of one partition by slot, at one position.
//!
//! An edge stands in one of three places: a run of the delta, the transaction layer, the base. A
//! place says nothing about existence until the edge's record was asked, for a deleted edge keeps
//! its slot and its place until the next base.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Column, EdgeTypeId, KeyId, Result, Value};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::View;
use crate::live::read::numbers::Numbers;
use crate::live::read::vertices::changed_fields;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::record::{Record, RecordVersion};
use crate::persistent::image::{Image, PinnedEdges};

/// Reads edges; sections are loaded once for each stretch of edges of one type.
pub(crate) struct EdgeReader<'a> {
    view: View<'a>,
    /// The last sections used, of the base and of the transaction layer.
    sections: [Option<Sections>; 2],
}

struct Sections {
    edge_type: EdgeTypeId,
    pinned: PinnedEdges,
    /// Where the ends of the edge before were found.
    near: usize,
}

/// An existing edge, its ends apart.
struct Found<'a> {
    edge_type: EdgeTypeId,
    version: Option<&'a RecordVersion>,
    below: Below<'a>,
}

/// An existing edge.
pub(crate) struct EdgePlace<'a> {
    pub(crate) edge_type: EdgeTypeId,
    pub(crate) source: u16,
    pub(crate) target: u32,
    version: Option<&'a RecordVersion>,
    below: Below<'a>,
}

/// The state of an edge below its record versions: the run that created it, or an image, which is the base (0) or the
/// transaction layer (1), and the row there.
#[derive(Clone, Copy)]
enum Below<'a> {
    Run(&'a EdgeRun, usize),
    Image((usize, &'a Image), u32),
}

/// Edges that stand in one place, one behind the other.
enum Stretch<'a> {
    /// They do not exist.
    Nowhere(usize),
    /// Those of a run of the delta, by their index there.
    Run(&'a EdgeRun, Vec<usize>),
    /// Rows of a type in an image.
    Rows(&'a Image, EdgeTypeId, Vec<u32>),
    /// The same, beside one another.
    Range(&'a Image, EdgeTypeId, Range<u32>),
}

impl<'a> View<'a> {
    pub(crate) fn edges(self) -> EdgeReader<'a> {
        EdgeReader { view: self, sections: [None, None] }
    }
}

impl<'a> EdgeReader<'a> {
    /// Whether the edge of a slot exists.
    pub(crate) fn exists(&mut self, slot: u32) -> Result<bool> {
        Ok(self.find(slot)?.is_some())
    }

    /// The edge of a slot, if it exists.
    pub(crate) fn place(&mut self, slot: u32) -> Result<Option<EdgePlace<'a>>> {
        let Some(Found { edge_type, version, below }) = self.find(slot)? else { return Ok(None) };
        let ends = match below {
            Below::Run(run, index) => run.ends(self.view.at, index),
            Below::Image((which, _), row) => {
                let sections = self.sections[which].as_mut();
                sections.map(|own| own.pinned.ends(row, &mut own.near))
            }
        };
        let Some((source, target)) = ends else { return Ok(None) };
        Ok(Some(EdgePlace { edge_type, source, target, version, below }))
    }

    fn find(&mut self, slot: u32) -> Result<Option<Found<'a>>> {
        let View { at, root, .. } = self.view;
        let version = self.version(slot);
        if version.is_some_and(|version| !version.exists) {
            return Ok(None);
        }
        let index = index_in_run(slot);
        if let Some(run) = root.delta.runs.get(&(slot >> EDGE_RUN_BITS))
            && run.ends(at, index).is_some()
        {
            let (edge_type, below) = (run.edge_type, Below::Run(run, index));
            return Ok(Some(Found { edge_type, version, below }));
        }
        for (which, image) in root.images(at).enumerate() {
            let Some(edge_type) = image.runs.edge_type(slot) else { continue };
            let Some(sections) = self.sections(which, image, edge_type)? else { continue };
            if let Some(row) = sections.pinned.edges.slots.row(slot) {
                let below = Below::Image((which, image), row);
                return Ok(Some(Found { edge_type, version, below }));
            }
        }
        Ok(None)
    }

    /// The changes of an edge's record that the reader sees.
    fn version(&self, slot: u32) -> Option<&'a RecordVersion> {
        let View { at, root, .. } = self.view;
        root.delta.edges.get(slot).and_then(|record| record.at(at))
    }

    /// Appends properties of the edges of slots, a column for each key.
    pub(crate) fn gather(
        &mut self,
        slots: &Numbers<'_>,
        keys: &[KeyId],
        columns: &mut [Column],
    ) -> Result<()> {
        let stretches = match slots {
            Numbers::Range(slots) => self.stretches_of_range(slots)?,
            Numbers::Each(slots) => self.stretches(slots)?,
        };
        let mut versions: Vec<(u32, &RecordVersion)> = Vec::new();
        if !self.view.root.delta.edges.is_empty() {
            match slots {
                Numbers::Range(slots) => {
                    let changed = self.view.root.delta.edges.of_range(slots.clone());
                    let version = |(slot, record): (u32, &'a Record)| {
                        Some((slot - slots.start, record.at(self.view.at)?))
                    };
                    versions.extend(changed.filter_map(version));
                }
                Numbers::Each(slots) => {
                    let changed = slots.iter().zip(0..);
                    let version = |(slot, row): (&u32, u32)| Some((row, self.version(*slot)?));
                    versions.extend(changed.filter_map(version));
                }
            }
        }
        for (key, column) in keys.iter().zip(columns) {
            let patch = |(row, version): &(u32, &RecordVersion)| match version.exists {
                true => version.get(*key).map(|own| (*row, own.cloned())),
                false => Some((*row, None)),
            };
            let patches: Vec<_> = versions.iter().filter_map(patch).collect();
            if patches.is_empty() {
                append(&stretches, *key, column)?;
                continue;
            }
            let mut own = Column::default();
            append(&stretches, *key, &mut own)?;
            own.patch(&patches);
            column.append_range(&own, 0..slots.len());
        }
        Ok(())
    }

    /// The same for slots beside one another: a run that an image alone has is a range of its rows.
    fn stretches_of_range(&mut self, slots: &Range<u32>) -> Result<Vec<Stretch<'a>>> {
        let View { at, root, .. } = self.view;
        let mut stretches = Vec::new();
        let mut next = slots.start;
        while next < slots.end {
            let run = next >> EDGE_RUN_BITS;
            // In the last run of all the next would have no number.
            let of_run = next..((next | ((1 << EDGE_RUN_BITS) - 1)).min(slots.end - 1) + 1);
            next = of_run.end;
            let known = |(which, image): (usize, &'a Image)| {
                image.runs.edge_type(of_run.start).map(|edge_type| (which, image, edge_type))
            };
            let mut images = root.images(at).enumerate().filter_map(known);
            let (only, second) = (images.next(), images.next());
            if let (Some((which, image, edge_type)), None) = (only, second)
                && !root.delta.runs.contains_key(&run)
                && let Some(sections) = self.sections(which, image, edge_type)?
                && let Some(rows) = sections.pinned.edges.slots.rows_of_range(&of_run)
            {
                add_range(&mut stretches, (image, edge_type), rows);
                continue;
            }
            stretches.append(&mut self.stretches(&of_run.collect::<Vec<u32>>())?);
        }
        Ok(stretches)
    }

    /// Where the edges of slots stand, records apart: a run of slots has one type, so it is looked up once for slots that
    /// are beside one another.
    fn stretches(&mut self, slots: &[u32]) -> Result<Vec<Stretch<'a>>> {
        let View { at, root, .. } = self.view;
        let mut stretches = Vec::new();
        let run_of = |slot: u32| slot >> EDGE_RUN_BITS;
        for group in slots.chunk_by(|left, right| run_of(*left) == run_of(*right)) {
            let known = |(which, image): (usize, &'a Image)| {
                image.runs.edge_type(group[0]).map(|edge_type| (which, image, edge_type))
            };
            let mut images = root.images(at).enumerate().filter_map(known);
            let (first, second) = (images.next(), images.next());
            if second.is_some() || root.delta.runs.contains_key(&run_of(group[0])) {
                for slot in group {
                    match self.find(*slot)?.map(|found| (found.edge_type, found.below)) {
                        None => add_nowhere(&mut stretches),
                        Some((_, Below::Run(run, index))) => add_of_run(&mut stretches, run, index),
                        Some((edge_type, Below::Image((_, image), row))) => {
                            rows_of(&mut stretches, image, edge_type).push(row);
                        }
                    }
                }
                continue;
            }
            let sections = match first {
                Some((which, image, edge_type)) => self.sections(which, image, edge_type)?,
                None => None,
            };
            let (Some(sections), Some((_, image, edge_type))) = (sections, first) else {
                group.iter().for_each(|_| add_nowhere(&mut stretches));
                continue;
            };
            let mut left = group;
            while !left.is_empty() {
                let rows = rows_of(&mut stretches, image, edge_type);
                left = &left[sections.pinned.edges.slots.rows_of(left, rows)..];
                if let Some((_, rest)) = left.split_first() {
                    add_nowhere(&mut stretches);
                    left = rest;
                }
            }
        }
        Ok(stretches)
    }

    fn sections(
        &mut self,
        which: usize,
        image: &Image,
        edge_type: EdgeTypeId,
    ) -> Result<Option<&Sections>> {
        let cached = &mut self.sections[which];
        if cached.as_ref().is_none_or(|sections| sections.edge_type != edge_type) {
            let Some(pinned) = image.pinned_edges(edge_type)? else { return Ok(None) };
            *cached = Some(Sections { edge_type, pinned, near: 0 });
        }
        Ok(cached.as_ref())
    }
}

#[inline]
fn index_in_run(slot: u32) -> usize {
    (slot & ((1 << EDGE_RUN_BITS) - 1)) as usize
}

fn add_nowhere(stretches: &mut Vec<Stretch<'_>>) {
    match stretches.last_mut() {
        Some(Stretch::Nowhere(count)) => *count += 1,
        _ => stretches.push(Stretch::Nowhere(1)),
    }
}

fn add_of_run<'a>(stretches: &mut Vec<Stretch<'a>>, run: &'a EdgeRun, index: usize) {
    match stretches.last_mut() {
        Some(Stretch::Run(own, indexes)) if std::ptr::eq(*own, run) => indexes.push(index),
        _ => stretches.push(Stretch::Run(run, vec![index])),
    }
}

fn add_range<'a>(
    stretches: &mut Vec<Stretch<'a>>,
    (image, edge_type): (&'a Image, EdgeTypeId),
    rows: Range<u32>,
) {
    match stretches.last_mut() {
        Some(Stretch::Range(own, of, before))
            if std::ptr::eq(*own, image) && *of == edge_type && before.end == rows.start =>
        {
            before.end = rows.end;
        }
        _ => stretches.push(Stretch::Range(image, edge_type, rows)),
    }
}

/// The rows at the end, if they are of an image and type; else new ones.
#[inline]
fn rows_of<'s, 'a>(
    stretches: &'s mut Vec<Stretch<'a>>,
    image: &'a Image,
    edge_type: EdgeTypeId,
) -> &'s mut Vec<u32> {
    let is_last = matches!(
        stretches.last(),
        Some(Stretch::Rows(own, of, _)) if std::ptr::eq(*own, image) && *of == edge_type
    );
    if !is_last {
        stretches.push(Stretch::Rows(image, edge_type, Vec::new()));
    }
    match stretches.last_mut() {
        Some(Stretch::Rows(_, _, rows)) => rows,
        _ => unreachable!("rows are the last"),
    }
}

/// Appends a property of edges as it stands below their records.
fn append(stretches: &[Stretch<'_>], key: KeyId, column: &mut Column) -> Result<()> {
    for stretch in stretches {
        match stretch {
            Stretch::Nowhere(count) => column.append_absents(*count),
            Stretch::Run(run, indexes) => {
                indexes.iter().for_each(|index| column.push_entry(run.get(*index, key)));
            }
            Stretch::Rows(image, edge_type, rows) => {
                match image.edge_columns.get(&(*edge_type, key)) {
                    Some(stored) => stored.get()?.append_to(rows, column),
                    None => column.append_absents(rows.len()),
                }
            }
            Stretch::Range(image, edge_type, rows) => {
                match image.edge_columns.get(&(*edge_type, key)) {
                    Some(stored) => stored.get()?.append_range_to(rows.clone(), column),
                    None => column.append_absents(rows.len()),
                }
            }
        }
    }
    Ok(())
}

impl EdgePlace<'_> {
    /// All properties of the edge, by key number.
    pub(crate) fn fields(&self) -> Result<Arc<[Field]>> {
        let below: Vec<(KeyId, Value)> = match self.below {
            Below::Run(run, index) => run.fields(index).collect(),
            Below::Image((_, image), row) => {
                let keys = (self.edge_type, KeyId(0))..=(self.edge_type, KeyId(u32::MAX));
                let mut fields = Vec::new();
                for ((_, key), column) in image.edge_columns.range(keys) {
                    fields.extend(column.get()?.get(row).map(|value| (*key, value)));
                }
                fields
            }
        };
        Ok(changed_fields(below, self.version))
    }
}
