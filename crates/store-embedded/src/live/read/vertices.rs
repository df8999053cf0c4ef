//! Vertex records of one partition at one position.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Column, KeyId, LabelId, Result, Value};
use millrace_store::Labels;

use crate::live::View;
use crate::live::list::local_map::PAGE_LOCALS;
use crate::live::read::numbers::Numbers;
use crate::live::versions::record::{Record, RecordVersion};
use crate::persistent::image::{Image, Pinned, PropertyColumn, Records};

/// Reads vertices; records are loaded once for a chunk.
pub(crate) struct VertexReader<'a> {
    view: View<'a>,
    base: Pinned<Records>,
    layer: Option<(&'a Image, Pinned<Records>)>,
}

/// A label, and which label sets of the images below have it.
pub(crate) struct WithLabel {
    label: LabelId,
    base: Vec<bool>,
    layer: Vec<bool>,
}

/// Where a vertex stands.
struct Place<'r> {
    version: Option<&'r RecordVersion>,
    /// The image with its record, and the labels there.
    below: Option<(&'r Image, &'r Labels)>,
}

impl<'a> View<'a> {
    pub(crate) fn vertices(self) -> Result<VertexReader<'a>> {
        let base = self.root.base.records.get()?;
        let layer = match self.root.layer_at(self.at) {
            Some(image) => Some((image, image.records.get()?)),
            None => None,
        };
        Ok(VertexReader { view: self, base, layer })
    }
}

impl<'a> VertexReader<'a> {
    pub(crate) fn exists(&self, local: u16) -> bool {
        match self.version(local) {
            Some(version) => version.exists,
            None => self.below(local).is_some(),
        }
    }

    /// The labels; `None` if there is no such vertex.
    pub(crate) fn labels(&self, local: u16) -> Option<&Labels> {
        let place = self.place(local)?;
        let own = place.version.and_then(|version| version.labels.as_ref());
        own.or_else(|| place.below.map(|(_, labels)| labels))
    }

    /// Appends the property of each local.
    pub(crate) fn gather(&self, locals: &Numbers<'_>, key: KeyId, out: &mut Column) -> Result<()> {
        let patches = self.patches(locals, key);
        if patches.is_empty() {
            return self.stored(locals, key, out);
        }
        let mut own = Column::default();
        self.stored(locals, key, &mut own)?;
        own.patch(&patches);
        out.append_range(&own, 0..locals.len());
        Ok(())
    }

    /// The same below the delta.
    fn stored(&self, locals: &Numbers<'_>, key: KeyId, out: &mut Column) -> Result<()> {
        let base = column(&self.view.root.base, key)?;
        let Some((image, _)) = &self.layer else {
            match (base, locals) {
                (None, _) => out.append_absents(locals.len()),
                (Some(column), Numbers::Range(range)) => column.append_range_to(range.clone(), out),
                (Some(column), Numbers::Each(locals)) => column.append_to(locals, out),
            }
            return Ok(());
        };
        let layer = column(image, key)?;
        // A vertex is in the base, or in the transaction layer.
        let is_base = |local: &u32| self.base.exists(*local as u16);
        let locals = locals.each();
        for of_one in locals.chunk_by(|left, right| is_base(left) == is_base(right)) {
            match if is_base(&of_one[0]) { &base } else { &layer } {
                Some(column) => column.append_to(of_one, out),
                None => out.append_absents(of_one.len()),
            }
        }
        Ok(())
    }

    /// What the delta says of the property, by place in `locals`.
    fn patches(&self, locals: &Numbers<'_>, key: KeyId) -> Vec<(u32, Option<Value>)> {
        let changed = &self.view.root.delta.vertices;
        let mut patches = Vec::new();
        if changed.is_empty() {
            return patches;
        }
        let mut add = |place: u32, record: &Record| match record.at(self.view.at) {
            Some(version) if !version.exists => patches.push((place, None)),
            Some(version) => {
                patches.extend(version.get(key).map(|own| (place, own.cloned())));
            }
            None => {}
        };
        let page = |local: u32| local as usize / PAGE_LOCALS;
        match locals {
            Numbers::Range(range) if range.is_empty() => {}
            Numbers::Range(range) => {
                for page in page(range.start)..=page(range.end - 1) {
                    let records = changed.page(page);
                    let records = records.filter(|(local, _)| range.contains(&u32::from(*local)));
                    records.for_each(|(local, record)| add(u32::from(local) - range.start, record));
                }
            }
            Numbers::Each(locals) => {
                let mut place = 0;
                for of_page in locals.chunk_by(|left, right| page(*left) == page(*right)) {
                    if let Some(records) = changed.around(of_page[0] as u16) {
                        for (local, place) in of_page.iter().zip(place..) {
                            if let Some(record) = records.get(*local as u16) {
                                add(place, record);
                            }
                        }
                    }
                    place += of_page.len() as u32;
                }
            }
        }
        patches
    }

    /// All properties of each local, by key number. A column is asked once for all of them, and by its own entries where
    /// it has fewer: many keys may have a few values each.
    pub(crate) fn fields(&self, locals: &[u16]) -> Result<Vec<Arc<[Field]>>> {
        let places: Vec<Option<Place<'_>>> =
            locals.iter().map(|local| self.place(*local)).collect();
        let mut fields: Vec<Vec<(KeyId, Value)>> = vec![Vec::new(); locals.len()];
        for of_base in [true, false] {
            let is_below = |row: &usize| {
                let below = places[*row].as_ref().and_then(|place| place.below);
                below.is_some_and(|(image, _)| self.is_base(image) == of_base)
            };
            let mut rows: Vec<usize> = (0..locals.len()).filter(is_below).collect();
            rows.sort_unstable_by_key(|row| locals[*row]);
            let image = if of_base {
                Some(&*self.view.root.base)
            } else {
                self.layer.as_ref().map(|(image, _)| *image)
            };
            let Some(image) = image.filter(|_| !rows.is_empty()) else { continue };
            for (key, column) in &image.vertex_columns {
                add_values(*key, &*column.get()?, (locals, &rows), &mut fields);
            }
        }
        let all = fields.into_iter().zip(places);
        Ok(all
            .map(|(fields, place)| changed_fields(fields, place.and_then(|place| place.version)))
            .collect())
    }

    /// Which vertices have a label; to be asked of many pages.
    pub(crate) fn with_label(&self, label: LabelId) -> WithLabel {
        let layer =
            self.layer.as_ref().map_or_else(Vec::new, |(_, records)| records.sets_with(label));
        WithLabel { label, base: self.base.sets_with(label), layer }
    }

    /// Lets what a page of 64 locals needs come into the cache.
    pub(crate) fn fetch_page(&self, page: usize) {
        if let Ok(local) = u16::try_from(page * PAGE_LOCALS) {
            self.view.root.delta.vertices.fetch_page(local);
        }
    }

    /// A bit for each existing local of a page of 64; for those with a label where one is asked for.
    pub(crate) fn page(&self, page: usize, asked: Option<&WithLabel>) -> u64 {
        let mut bits = self.base.page(page, asked.map(|asked| &*asked.base));
        if let Some((_, records)) = &self.layer {
            let own = records.page(page, asked.map(|asked| &*asked.layer));
            bits |= own & !self.base.page(page, None);
        }
        for (local, record) in self.view.root.delta.vertices.marked(page) {
            let Some(version) = record.at(self.view.at) else { continue };
            let bit = 1 << (local % 64);
            match (version.exists, asked, &version.labels) {
                (false, ..) => bits &= !bit,
                (true, Some(asked), Some(labels)) => {
                    let is_meant = labels.contains(&asked.label);
                    bits = if is_meant { bits | bit } else { bits & !bit };
                }
                // The labels are those of the record below, which is in the word already.
                (true, Some(_), None) => {}
                (true, None, _) => bits |= bit,
            }
        }
        bits
    }

    #[inline]
    fn version(&self, local: u16) -> Option<&'a RecordVersion> {
        let record = self.view.root.delta.vertices.get(local)?;
        record.at(self.view.at)
    }

    fn below(&self, local: u16) -> Option<(&Image, &Labels)> {
        if let Some(labels) = self.base.labels(local) {
            return Some((&self.view.root.base, labels));
        }
        let (image, records) = self.layer.as_ref()?;
        Some((*image, records.labels(local)?))
    }

    /// Where an existing vertex stands.
    fn place(&self, local: u16) -> Option<Place<'_>> {
        let place = Place { version: self.version(local), below: self.below(local) };
        let exists = place.version.map_or(place.below.is_some(), |version| version.exists);
        exists.then_some(place)
    }

    fn is_base(&self, image: &Image) -> bool {
        std::ptr::eq(image, &*self.view.root.base)
    }
}

/// Adds the values of a column to the fields of rows, which are sorted by their locals.
fn add_values(
    key: KeyId,
    column: &PropertyColumn,
    (locals, rows): (&[u16], &[usize]),
    fields: &mut [Vec<(KeyId, Value)>],
) {
    let is_less = column.rows.as_ref().is_some_and(|listed| listed.len() < rows.len());
    if !is_less {
        for row in rows {
            let value = column.get(u32::from(locals[*row]));
            fields[*row].extend(value.map(|value| (key, value)));
        }
        return;
    }
    for (local, value) in column.iter() {
        let first = rows.partition_point(|row| u32::from(locals[*row]) < local);
        let same = rows[first..].iter().take_while(|row| u32::from(locals[**row]) == local);
        for row in same {
            fields[*row].push((key, value.clone()));
        }
    }
}

/// Fields from below with the changes of a version, by key number.
pub(crate) fn changed_fields(
    mut fields: Vec<(KeyId, Value)>,
    version: Option<&RecordVersion>,
) -> Arc<[Field]> {
    if let Some(version) = version {
        fields.retain(|(key, _)| version.get(*key).is_none());
        let own = version.fields.iter();
        fields.extend(own.filter_map(|(key, value)| Some((*key, value.clone()?))));
    }
    fields.sort_unstable_by_key(|(key, _)| *key);
    fields.into_iter().map(|(key, value)| Field { key, value }).collect()
}

fn column(image: &Image, key: KeyId) -> Result<Option<Pinned<PropertyColumn>>> {
    let column = image.vertex_columns.get(&key);
    Ok(column.map(|column| column.get()).transpose()?)
}
