//! The invariants within the image of one partition.
//!
//! An overflow partition has no vertices: its lists and edges belong to the vertices of the
//! ordinal that it lies above.
//!
//! The target of an edge usually lies in another partition. The check of that partition proves that
//! it exists: its in list belongs to a vertex with a record, and both directions agree.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use millrace_model::{EXTERNAL_ID_KEY, EdgeTypeId, KeyId, LogPosition, Result, VertexId};
use millrace_store::run::PARTITION_BITS;

use super::GraphCheck;
use super::directions::{Directions, Place};
use crate::persistent::home;
use crate::persistent::image::{EdgeSection, Half, Image, ListSection, Records};

/// How many single elements are named where many have one fault.
const NAMED_MAX: usize = 3;

/// Things of one kind that have one fault: how many, and the first.
#[derive(Default)]
pub(super) struct Several {
    count: u64,
    named: Vec<String>,
}

impl Several {
    pub(super) fn add(&mut self, what: impl fmt::Display) {
        self.count += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push(what.to_string());
        }
    }

    /// "3 edges (a, b, c) have no target", if there are any.
    pub(super) fn tell(self, things: &str, fault: &str) -> Option<String> {
        let more = if self.count as usize == self.named.len() { "" } else { ", …" };
        (self.count != 0)
            .then(|| format!("{} {things} ({}{more}) {fault}", self.count, self.named.join(", ")))
    }
}

/// Checks an image, and adds its lists to the sums that are compared between partitions.
pub(super) fn check(
    graph: &mut GraphCheck<'_, '_, '_, '_>,
    image: &Image,
    directions: &mut Directions,
) -> Result<()> {
    let records = image.records.get()?;
    let of_home = match home(image.ordinal) {
        ordinal if ordinal == image.ordinal => None,
        ordinal => image_of(graph, ordinal, graph.view.at)?,
    };
    let owners = match of_home {
        Some(of_home) => of_home.records.get()?,
        None => records.clone(),
    };
    let mut check = ImageCheck { graph, image, records: &records, owners: &owners };
    check.records();
    check.vertex_columns()?;
    for (&edge_type, edges) in &image.edges {
        let edges = edges.get()?;
        check.edges(edge_type, &edges)?;
    }
    for (&(edge_type, half), lists) in &image.lists {
        let lists = lists.get()?;
        check.lists(edge_type, half, &lists);
        directions.add(image.ordinal, edge_type, half, &lists);
    }
    check.counts()?;
    Ok(())
}

struct ImageCheck<'c, 'a, 'f, 'w, 'p> {
    graph: &'c mut GraphCheck<'a, 'f, 'w, 'p>,
    image: &'c Image,
    records: &'c Records,
    /// Of the vertices that these lists and edges belong to.
    owners: &'c Records,
}

impl ImageCheck<'_, '_, '_, '_, '_> {
    fn tell(&mut self, fault: Option<String>) {
        if let Some(fault) = fault {
            self.graph.find(format!("partition {}", self.image.ordinal), fault);
        }
    }

    fn vertex(&self, local: u16) -> VertexId {
        VertexId(u64::from(home(self.image.ordinal)) << PARTITION_BITS | u64::from(local))
    }

    fn records(&mut self) {
        let (bound, labels) =
            (self.graph.view.graph.leases.bound(), self.graph.view.catalog.labels.len());
        let (mut unleased, mut nameless) = (Several::default(), Several::default());
        for (local, own) in self.records.iter() {
            let vertex = self.vertex(local);
            if vertex.0 == 0 || bound <= vertex.0 {
                unleased.add(vertex);
            }
            if own.iter().any(|label| labels <= label.0 as usize) {
                nameless.add(vertex);
            }
        }
        self.tell(unleased.tell("vertices", "were never leased"));
        self.tell(nameless.tell("vertices", "have a label without a name"));
    }

    fn vertex_columns(&mut self) -> Result<()> {
        for (key, column) in &self.image.vertex_columns {
            let column = column.get()?;
            let mut stray = Several::default();
            for (row, _) in column.iter() {
                let there = u16::try_from(row).is_ok_and(|local| self.records.exists(local));
                if !there {
                    stray.add(u64::from(self.image.ordinal) << PARTITION_BITS | u64::from(row));
                }
            }
            let fault = format!("have a value of {} and no record", self.key(*key));
            self.tell(stray.tell("vertices", &fault));
        }
        Ok(())
    }

    fn key(&self, key: KeyId) -> String {
        if key == EXTERNAL_ID_KEY {
            return "the ids that clients chose".into();
        }
        let name = self.graph.view.catalog.keys.name(key.0);
        name.map_or_else(|| format!("key {}, which has no name", key.0), |name| name.to_string())
    }

    fn edge_type(&self, edge_type: EdgeTypeId) -> String {
        let name = self.graph.view.catalog.edge_types.name(edge_type.0);
        name.map_or_else(|| format!("type {} without a name", edge_type.0), |name| name.to_string())
    }

    /// Edges against the run table, the records of their sources, their out lists and columns.
    fn edges(&mut self, edge_type: EdgeTypeId, edges: &EdgeSection) -> Result<()> {
        let slots: Vec<u32> = edges.slots.iter().map(|(slot, _)| slot).collect();
        let ends = self.image.ends(edge_type, &slots)?;
        let name = self.edge_type(edge_type);
        let (mut typeless, mut sourceless) = (Several::default(), Several::default());
        let mut rows = Vec::with_capacity(slots.len());
        for (slot, ends) in slots.iter().zip(ends) {
            if self.image.runs.edge_type(*slot) != Some(edge_type) {
                typeless.add(self.edge(*slot));
            }
            let Some((source, target)) = ends else { continue };
            if !self.owners.exists(source) {
                sourceless.add(self.edge(*slot));
            }
            rows.push((source, target, *slot));
        }
        self.tell(typeless.tell("edges", &format!("of type {name} lie in a run of another type")));
        self.tell(sourceless.tell("edges", &format!("of type {name} have no source")));
        self.compare_with_lists(edge_type, rows)?;
        for (&(_, key), column) in self.image.edge_columns.range(of_type(edge_type)) {
            let column = column.get()?;
            let live: HashSet<u32> = edges.slots.iter().map(|(_, row)| row).collect();
            let mut stray = Several::default();
            column
                .iter()
                .filter(|(row, _)| !live.contains(row))
                .for_each(|(row, _)| stray.add(row));
            let fault = format!("of type {name} have a value of {} and no edge", self.key(key));
            self.tell(stray.tell("rows", &fault));
        }
        Ok(())
    }

    fn edge(&self, slot: u32) -> u64 {
        u64::from(self.image.ordinal) << millrace_store::run::EDGE_SLOT_BITS | u64::from(slot)
    }

    fn compare_with_lists(
        &mut self,
        edge_type: EdgeTypeId,
        mut rows: Vec<(u16, u32, u32)>,
    ) -> Result<()> {
        let lists = self.image.lists.get(&(edge_type, Half::Out));
        let lists = lists.map(|lists| lists.get()).transpose()?;
        let mut listed = Vec::with_capacity(rows.len());
        for (local, list) in lists.iter().flat_map(|lists| lists.iter()) {
            listed.extend(list.iter().map(|(target, slot)| (local, target, slot)));
        }
        rows.sort_unstable();
        listed.sort_unstable();
        if rows == listed {
            return Ok(());
        }
        let (mut unlisted, mut unknown) = (Several::default(), Several::default());
        differences(&rows, &listed, |row| unlisted.add(self.edge(row.2)));
        differences(&listed, &rows, |row| unknown.add(self.edge(row.2)));
        let name = self.edge_type(edge_type);
        self.tell(
            unlisted.tell("edges", &format!("of type {name} are not in the list of their source")),
        );
        self.tell(unknown.tell("entries", &format!("of out lists of type {name} are of no edge")));
        Ok(())
    }

    /// Lists: of vertices that are there, sorted.
    fn lists(&mut self, edge_type: EdgeTypeId, half: Half, lists: &ListSection) {
        let (mut ownerless, mut unsorted) = (Several::default(), Several::default());
        for (local, list) in lists.iter() {
            if !self.owners.exists(local) {
                ownerless.add(self.vertex(local));
            }
            if !list.iter().is_sorted_by_key(|(neighbour, _)| neighbour) {
                unsorted.add(self.vertex(local));
            }
        }
        let way = match half {
            Half::Out => "out",
            Half::In => "in",
        };
        let name = self.edge_type(edge_type);
        self.tell(
            ownerless.tell("vertices", &format!("have {way} edges of type {name} and no record")),
        );
        self.tell(
            unsorted
                .tell("vertices", &format!("have an {way} list of type {name} that is not sorted")),
        );
    }

    /// The counts beside the content against the content.
    fn counts(&mut self) -> Result<()> {
        let (vertices, mut labels) = self.records.counts();
        let stated = &self.image.counts;
        let mut stated_labels = stated.labels.clone();
        stated_labels.retain(|_, count| *count != 0);
        labels.retain(|_, count| *count != 0);
        self.graph.checked.partitions += 1;
        self.graph.checked.vertices += vertices;
        if (stated.vertices, &stated_labels) != (vertices, &labels) {
            let fault = format!(
                "counts say {} vertices with labels {stated_labels:?}, records {vertices} with \
                 {labels:?}",
                stated.vertices
            );
            self.tell(Some(fault));
        }
        let mut edges = BTreeMap::new();
        for (&edge_type, section) in &self.image.edges {
            edges.insert(edge_type, section.get()?.slots.edge_count() as u64);
        }
        self.graph.checked.edges += edges.values().sum::<u64>();
        let mut stated_edges = stated.edges.clone();
        stated_edges.retain(|_, count| *count != 0);
        edges.retain(|_, count| *count != 0);
        if stated_edges != edges {
            self.tell(Some(format!("counts say edges {stated_edges:?}, there are {edges:?}")));
        }
        Ok(())
    }
}

fn of_type(edge_type: EdgeTypeId) -> std::ops::RangeInclusive<(EdgeTypeId, KeyId)> {
    (edge_type, KeyId(0))..=(edge_type, KeyId(u32::MAX))
}

/// Calls `tell` with each element of `rows` that is not in `others`, both sorted.
fn differences<T: Ord>(rows: &[T], others: &[T], tell: impl FnMut(&T)) {
    rows.iter().filter(|row| others.binary_search(row).is_err()).for_each(tell);
}

/// An image of a partition again, for a second look.
pub(super) fn image_of(
    graph: &GraphCheck<'_, '_, '_, '_>,
    ordinal: u32,
    at: LogPosition,
) -> Result<Option<Image>> {
    let partition = graph.view.graph.partitions.get(Some(ordinal));
    partition.map(|partition| partition.image_at(at)).transpose()
}

/// Entries of a half that lead to one partition, as (source, target, slot), sorted.
pub(super) fn entries(image: &Image, place: Place, half: Half) -> Result<Vec<(u32, u32, u32)>> {
    let mut entries = Vec::new();
    let Some(lists) = image.lists.get(&(place.edge_type, half)) else { return Ok(entries) };
    let other = match half {
        Half::Out => place.target,
        Half::In => place.source,
    };
    for (local, list) in lists.get()?.iter() {
        let own = home(image.ordinal) << PARTITION_BITS | u32::from(local);
        for (neighbour, slot) in list.iter().filter(|(n, _)| n >> PARTITION_BITS == other) {
            entries.push(match half {
                Half::Out => (own, neighbour, slot),
                Half::In => (neighbour, own, slot),
            });
        }
    }
    entries.sort_unstable();
    Ok(entries)
}
