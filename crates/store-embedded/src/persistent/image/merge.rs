//! A base and a transaction layer as one image.
//!
//! Sections that only one of them has are shared, not copied. Where both have edges of a type,
//! rows move, so its columns are laid out anew and its ends become explicit.

use std::collections::BTreeSet;

use millrace_model::{EdgeTypeId, KeyId, LogPosition};

use crate::base::error::Result;
use crate::persistent::image::edges::EdgeSection;
use crate::persistent::image::list::list_builder::ListBuilder;
use crate::persistent::image::list::{List, ListSection};
use crate::persistent::image::property::PropertyColumn;
use crate::persistent::image::records::RecordsBuilder;
use crate::persistent::image::section::Section;
use crate::persistent::image::{Half, Image};

impl Image {
    /// The contents of `base` and, above it, of `layer`, as one image at `checkpoint`.
    pub fn merge(base: &Image, layer: &Image, checkpoint: LogPosition) -> Result<Image> {
        let mut image = Image::empty(base.ordinal, checkpoint);
        merge_vertices(&mut image, base, layer)?;
        let types = |image: &Image| image.lists.keys().copied().collect::<BTreeSet<_>>();
        for (edge_type, half) in types(base).union(&types(layer)).copied() {
            let list =
                match (base.lists.get(&(edge_type, half)), layer.lists.get(&(edge_type, half))) {
                    (Some(below), Some(above)) => {
                        Section::of(merge_lists(&*below.get()?, &*above.get()?)?)
                    }
                    (Some(only), None) | (None, Some(only)) => only.share(),
                    (None, None) => continue,
                };
            image.lists.insert((edge_type, half), list);
            if half == Half::Out {
                merge_edges(&mut image, edge_type, base, layer)?;
            }
        }
        for (run, edge_type) in base.runs.iter().chain(layer.runs.iter()) {
            image.runs.lease(run, edge_type);
        }
        Ok(image)
    }
}

fn merge_vertices(image: &mut Image, base: &Image, layer: &Image) -> Result<()> {
    let mut records = RecordsBuilder::from_records(&*base.records.get()?);
    for (local, labels) in layer.records.get()?.iter() {
        records.set([local], labels);
    }
    let records = records.finish();
    (image.counts.vertices, image.counts.labels) = records.counts();
    image.records = Section::of(records);
    let keys: BTreeSet<KeyId> =
        base.vertex_columns.keys().chain(layer.vertex_columns.keys()).copied().collect();
    for key in keys {
        let column = match (base.vertex_columns.get(&key), layer.vertex_columns.get(&key)) {
            (Some(below), Some(above)) => {
                let above = above.get()?;
                let changes = above.iter().map(|(row, value)| (row, Some(value)));
                Section::of(below.get()?.patched(changes))
            }
            (Some(only), None) | (None, Some(only)) => only.share(),
            (None, None) => continue,
        };
        image.vertex_columns.insert(key, column);
    }
    Ok(())
}

/// Both sections' lists, each sorted by (neighbour, slot).
fn merge_lists(below: &ListSection, above: &ListSection) -> Result<ListSection> {
    let mut lists = ListBuilder::default();
    let locals: BTreeSet<u16> = below.locals().chain(above.locals()).collect();
    for local in locals {
        let (left, right) = (below.list(local), above.list(local));
        if left.is_empty() || right.is_empty() {
            lists.push_list(local, if left.is_empty() { right } else { left });
        } else {
            lists.push(local, merged(left, right));
        }
    }
    lists.finish()
}

/// The entries of two sorted lists, sorted.
fn merged<'a>(left: List<'a>, right: List<'a>) -> impl Iterator<Item = (u32, u32)> + 'a {
    let entry = |list: List<'a>, at: usize| {
        list.neighbours.get(at).map(|&neighbour| (neighbour, list.slots.get(at)))
    };
    let (mut left_at, mut right_at) = (0, 0);
    std::iter::from_fn(move || match (entry(left, left_at), entry(right, right_at)) {
        (Some(from_left), Some(from_right)) if from_right < from_left => {
            right_at += 1;
            Some(from_right)
        }
        (None, Some(from_right)) => {
            right_at += 1;
            Some(from_right)
        }
        (from_left, _) => {
            left_at += 1;
            from_left
        }
    })
}

fn merge_edges(
    image: &mut Image,
    edge_type: EdgeTypeId,
    base: &Image,
    layer: &Image,
) -> Result<()> {
    let count = |image: &Image| image.counts.edges.get(&edge_type).copied().unwrap_or(0);
    image.counts.edges.insert(edge_type, count(base) + count(layer));
    let (below, above) = match (base.edges.get(&edge_type), layer.edges.get(&edge_type)) {
        (Some(below), Some(above)) => (below.get()?, above.get()?),
        (Some(only), None) => return share_edges(image, edge_type, base, only),
        (None, Some(only)) => return share_edges(image, edge_type, layer, only),
        (None, None) => return Ok(()),
    };
    let mut slots: Vec<(u32, bool)> = Vec::with_capacity(below.slots.edge_count());
    slots.extend(below.slots.iter().map(|(slot, _)| (slot, false)));
    slots.extend(above.slots.iter().map(|(slot, _)| (slot, true)));
    slots.sort_unstable();
    let ends_of = |image: &Image, mine: bool| {
        let own = slots.iter().filter(|(_, above)| *above == mine);
        image.ends(edge_type, &own.map(|(slot, _)| *slot).collect::<Vec<_>>())
    };
    let (mut below_ends, mut above_ends) =
        (ends_of(base, false)?.into_iter(), ends_of(layer, true)?.into_iter());
    let ends = slots.iter().map(|(_, above)| {
        let end = if *above { above_ends.next() } else { below_ends.next() };
        end.flatten().expect("a slot of the section is an edge")
    });
    let plain: Vec<u32> = slots.iter().map(|(slot, _)| *slot).collect();
    let edges = EdgeSection::of_ascending(&plain, ends);
    for key in edge_keys(base, edge_type).union(&edge_keys(layer, edge_type)) {
        let parts = [(base, &*below), (layer, &*above)];
        let column = merge_edge_columns(&edges, parts, (edge_type, *key))?;
        image.add_edge_column(edge_type, *key, column);
    }
    image.edges.insert(edge_type, Section::of(edges));
    Ok(())
}

fn edge_keys(image: &Image, edge_type: EdgeTypeId) -> BTreeSet<KeyId> {
    let columns = image.edge_columns.range((edge_type, KeyId(0))..=(edge_type, KeyId(u32::MAX)));
    columns.map(|((_, key), _)| *key).collect()
}

fn share_edges(
    image: &mut Image,
    edge_type: EdgeTypeId,
    from: &Image,
    edges: &Section<EdgeSection>,
) -> Result<()> {
    image.edges.insert(edge_type, edges.share());
    for key in edge_keys(from, edge_type) {
        image.edge_columns.insert((edge_type, key), from.edge_columns[&(edge_type, key)].share());
    }
    Ok(())
}

/// The values of both parts, at the rows of the merged section.
fn merge_edge_columns(
    merged: &EdgeSection,
    parts: [(&Image, &EdgeSection); 2],
    column: (EdgeTypeId, KeyId),
) -> Result<PropertyColumn> {
    let mut values = Vec::with_capacity(merged.slots.edge_count());
    for (image, edges) in parts {
        let Some(column) = image.edge_columns.get(&column) else { continue };
        let column = column.get()?;
        values.extend(edges.slots.iter().filter_map(|(slot, row)| {
            let value = column.get(row)?;
            let row = merged.slots.row(slot).expect("every slot of a part is in the merged set");
            Some((row, value))
        }));
    }
    values.sort_unstable_by_key(|(row, _)| *row);
    Ok(PropertyColumn::of_ascending(values))
}
