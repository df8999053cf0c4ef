//! Edges of one partition by slot, at one position.
//!
//! An edge stands in one of three places: a run of the delta, the transaction layer, the base. A
//! place says nothing about existence until the edge's record was asked, for a deleted edge keeps
//! its slot and its place until the next base.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{EdgeTypeId, KeyId, Result, Value};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::View;
use crate::live::read::elements::GatheredColumn;
use crate::live::read::vertices::changed_fields;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::record::RecordVersion;
use crate::persistent::image::{Image, Pinned, PinnedEdges, PropertyColumn};

/// Reads edges; sections are loaded once for each stretch of edges of one type.
pub(crate) struct EdgeReader<'a> {
    view: View<'a>,
    /// The last sections used, of the base and of the transaction layer.
    sections: [Option<Sections>; 2],
}

struct Sections {
    edge_type: EdgeTypeId,
    pinned: PinnedEdges,
}

/// An existing edge.
pub(crate) struct EdgePlace<'a> {
    pub(crate) edge_type: EdgeTypeId,
    pub(crate) source: u16,
    pub(crate) target: u32,
    version: Option<&'a RecordVersion>,
    below: Below<'a>,
}

/// The state of an edge below its record versions: the run that created it, or an image.
enum Below<'a> {
    Run(&'a EdgeRun, usize),
    Image(&'a Image, u32),
}

impl<'a> View<'a> {
    pub(crate) fn edges(self) -> EdgeReader<'a> {
        EdgeReader { view: self, sections: [None, None] }
    }
}

impl<'a> EdgeReader<'a> {
    /// The edge of a slot, if it exists.
    pub(crate) fn place(&mut self, slot: u32) -> Result<Option<EdgePlace<'a>>> {
        let View { at, root, .. } = self.view;
        let version = root.delta.edges.get(&slot).and_then(|record| record.at(at));
        if version.is_some_and(|version| !version.exists) {
            return Ok(None);
        }
        let index = (slot & ((1 << EDGE_RUN_BITS) - 1)) as usize;
        if let Some(run) = root.delta.runs.get(&(slot >> EDGE_RUN_BITS))
            && let Some((source, target)) = run.ends(at, index)
        {
            let (edge_type, below) = (run.edge_type, Below::Run(run, index));
            return Ok(Some(EdgePlace { edge_type, source, target, version, below }));
        }
        for (which, image) in root.images(at).enumerate() {
            let Some(edge_type) = image.runs.edge_type(slot) else { continue };
            let Some(sections) = self.sections(which, image, edge_type)? else { continue };
            if let Some(row) = sections.pinned.edges.slots.row(slot) {
                let (source, target) = sections.pinned.ends(row);
                let below = Below::Image(image, row);
                return Ok(Some(EdgePlace { edge_type, source, target, version, below }));
            }
        }
        Ok(None)
    }

    /// Appends the property of each edge.
    pub(crate) fn gather(
        &self,
        places: &[Option<EdgePlace<'a>>],
        key: KeyId,
        out: &mut GatheredColumn,
    ) -> Result<()> {
        let mut last: Option<(&Image, EdgeTypeId, Option<Pinned<PropertyColumn>>)> = None;
        for place in places {
            let Some(place) = place else {
                out.push(None);
                continue;
            };
            if let Some(own) = place.version.and_then(|version| version.get(key)) {
                out.push(own.cloned());
                continue;
            }
            match place.below {
                Below::Run(run, index) => out.push(run.get(index, key)),
                Below::Image(image, row) => {
                    let same = last.as_ref().is_some_and(|(before, edge_type, _)| {
                        std::ptr::eq(*before, image) && *edge_type == place.edge_type
                    });
                    if !same {
                        out.flush();
                        let column = image.edge_columns.get(&(place.edge_type, key));
                        let column = column.map(|column| column.get()).transpose()?;
                        last = Some((image, place.edge_type, column));
                    }
                    let column = last.as_ref().and_then(|(_, _, column)| column.as_ref());
                    out.push_stored(column, row);
                }
            }
        }
        out.flush();
        Ok(())
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
            *cached = Some(Sections { edge_type, pinned });
        }
        Ok(cached.as_ref())
    }
}

impl EdgePlace<'_> {
    /// All properties of the edge, by key number.
    pub(crate) fn fields(&self) -> Result<Arc<[Field]>> {
        let below: Vec<(KeyId, Value)> = match self.below {
            Below::Run(run, index) => run.fields(index).collect(),
            Below::Image(image, row) => {
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
