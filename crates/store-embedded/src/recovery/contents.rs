//! The contents of a folder without a manifest: from the segments, which name their graph, shard
//! and position, and from the log.
//!
//! ```text
//!   segment headers ──> the newest root of each partition ─┐
//!   the copy of names (NAMES), or ─────────────────────────┤
//!   log, names and graphs in it ──> names after its start ─┼─> contents as of the log's start
//!   names before the log's start ──> invented ─────────────┘
//! ```
//!
//! Without the copy, names and definitions that only the manifests held are lost. The invariant: a
//! name is invented only for a number that nothing names, so every name that can be read keeps its
//! number.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::schema::{IndexDefinition, Names};
use millrace_model::{Catalog, EXTERNAL_ID_KEY, GraphId, IndexId, Owner, Result};
use millrace_store::NameKind;

use crate::base::limits::FILE_NUMBERS_UNTOLD_END;
use crate::base::options::Durability;
use crate::checkpoint::{Contents, GraphContents};
use crate::commit::{Effect, new_edges};
use crate::folder::Folder;
use crate::graph::{Graph, NewName, names_of};
use crate::io::{FileKind, FileName};
use crate::log;
use crate::log::{Demand, Frame};
use crate::persistent::image::Image;
use crate::persistent::segment::{SegmentFile, Subject};
use crate::persistent::{Installed, ShardName};
use crate::recovery::Salvage;

const KINDS: [(NameKind, &str); 3] =
    [(NameKind::Label, "label"), (NameKind::EdgeType, "type"), (NameKind::Key, "key")];

/// The contents of a folder without its manifests, as of where its log begins, or of the copy of
/// its names if that is later.
pub(crate) fn contents_of_segments(folder: &Folder, salvage: &mut Salvage) -> Result<Contents> {
    folder.check_numbers(FILE_NUMBERS_UNTOLD_END)?;
    let mut roots = Roots::read(folder, salvage)?;
    let first = log::first_position(folder)?;
    let named = Named::read(folder, first)?;
    let mut contents =
        Contents::load_names(folder).unwrap_or_else(|| Contents::of_new_folder(Durability::Sync));
    // The copy is written when it changes: until the next, it holds.
    contents.position = contents.position.max(first - 1);
    contents.replay_from = first;
    for graph in &mut contents.graphs {
        let shards = roots.partitions.remove(&graph.id).unwrap_or_default();
        graph.installed = shards.into_values().collect();
        graph.next_index = graph.next_index.max(roots.next_index(graph.id));
    }
    // Of a graph that the copy could know and does not, only files are left: it was dropped.
    let known = contents.last_graph_id;
    roots.partitions.retain(|id, _| known < id.0);
    for (id, shards) in &roots.partitions {
        contents.graphs.push(named.graph(*id, shards, &roots, salvage));
    }
    if contents.graphs.is_empty() && named.graphs.is_empty() {
        salvage.losses.push("everything: neither a segment nor the log names a graph".into());
    }
    let last = roots.partitions.keys().map(|id| id.0).max().unwrap_or(0);
    contents.last_graph_id = known.max(last);
    Ok(contents)
}

/// The newest root of every partition.
#[derive(Default)]
struct Roots {
    partitions: BTreeMap<GraphId, BTreeMap<ShardName, Installed>>,
    /// Above every index that a file is of.
    next_index: BTreeMap<GraphId, u32>,
}

impl Roots {
    fn read(folder: &Folder, salvage: &mut Salvage) -> Result<Roots> {
        let mut roots = Roots::default();
        for name in folder.names(FileKind::Segment)? {
            match SegmentFile::open(folder, name) {
                Ok(file) => roots.add(&file, name),
                Err(error) => salvage.losses.push(format!("the contents of {name} ({error})")),
            }
        }
        Ok(roots)
    }

    fn next_index(&self, graph: GraphId) -> u32 {
        self.next_index.get(&graph).copied().unwrap_or(0)
    }

    fn add(&mut self, file: &SegmentFile, name: FileName) {
        let (graph, shard) = match file.subject {
            Subject::Partition { graph, ordinal } => (graph, ShardName::Partition(ordinal)),
            Subject::Index { graph, index, .. } | Subject::Neighbours { graph, index } => {
                let next = self.next_index.entry(graph).or_default();
                *next = (*next).max(index.0.saturating_add(1));
                return;
            }
        };
        let checkpoint = file.positions.checkpoint.0;
        // A file of an out-of-line commit is no root: the log names it, or a root holds its content
        // already.
        if checkpoint == 0 {
            return;
        }
        let installed = Installed { shard, checkpoint, file: name };
        let newest = self.partitions.entry(graph).or_default().entry(shard).or_insert(installed);
        if newest.checkpoint <= checkpoint {
            *newest = installed;
        }
    }
}

/// The graphs and names in the log.
#[derive(Default)]
struct Named {
    graphs: BTreeMap<GraphId, String>,
    names: BTreeMap<GraphId, Vec<NewName>>,
}

impl Named {
    fn read(folder: &Folder, first: u64) -> Result<Named> {
        let mut named = Named::default();
        let visit = &mut |frame: Frame<'_>| {
            if new_edges(&frame).is_none() {
                named.note(&frame);
            }
            Ok(())
        };
        log::read_prefix(folder, Demand { replay_from: first, durable: 0 }, visit)?;
        Ok(named)
    }

    fn note(&mut self, frame: &Frame<'_>) {
        let graph = GraphId(frame.graph);
        match Effect::decode(frame.kind, frame.payload) {
            Ok(Effect::GraphCreated(name)) => drop(self.graphs.insert(graph, name)),
            Ok(Effect::Names(names)) => self.names.entry(graph).or_default().extend(names),
            // Replay reports records that can't be decoded.
            Err(_)
            | Ok(
                Effect::Changes(_)
                | Effect::OutOfLine(_)
                | Effect::Lease(_)
                | Effect::GraphDropped
                | Effect::Installed(_)
                | Effect::Split(_)
                | Effect::OwnerBegan(_),
            ) => {}
        }
    }

    /// A graph of which segments and the log tell.
    fn graph(
        &self,
        id: GraphId,
        shards: &BTreeMap<ShardName, Installed>,
        roots: &Roots,
        salvage: &mut Salvage,
    ) -> GraphContents {
        let name = self.graphs.get(&id).cloned().unwrap_or_else(|| {
            let is_taken = |name: &str| self.graphs.values().any(|known| known == name);
            let name = unused(&format!("recovered-{}", id.0), is_taken);
            salvage.losses.push(format!(
                "the name of graph {}, which is {name} now, its definitions, and the names that \
                 only a manifest held, which are made up by number",
                id.0
            ));
            name
        });
        GraphContents {
            id,
            name,
            leased_end: 0,
            next_index: roots.next_index(id),
            catalog: self.catalog_before(id),
            installed: shards.values().copied().collect(),
        }
    }

    /// The catalog of a graph where the log begins: made-up names below the first that the log
    /// gives.
    fn catalog_before(&self, graph: GraphId) -> Catalog {
        let mut catalog = Catalog::default();
        let logged = self.names.get(&graph).map_or(&[][..], Vec::as_slice);
        let taken: BTreeSet<&str> = logged.iter().map(|name| &*name.name).collect();
        for (kind, word) in KINDS {
            let of_kind = logged.iter().filter(|name| name.kind == kind);
            let first = of_kind.map(|name| name.number).min().unwrap_or(0);
            invent(names_of(&mut catalog, kind), word, first, |name| taken.contains(name));
        }
        catalog
    }
}

/// Makes up names for labels, types and keys in images that have no known name, and defines the
/// indexes of the external ids that are there.
pub(crate) fn complete_catalog(
    catalog: &mut Catalog,
    graph: &Graph,
    images: &[Image],
) -> Result<()> {
    let mut used = [0_u32; 3];
    let mut external = [false; 2];
    let mut raise = |place: usize, number: u32| used[place] = used[place].max(number + 1);
    for image in images {
        for (_, labels) in image.records.get()?.iter() {
            labels.iter().for_each(|label| raise(0, label.0));
        }
        image.edges.keys().for_each(|edge_type| raise(1, edge_type.0));
        image.lists.keys().for_each(|(edge_type, _)| raise(1, edge_type.0));
        let of_vertices = image.vertex_columns.keys().map(|key| (0, *key));
        for (of_edges, key) in
            of_vertices.chain(image.edge_columns.keys().map(|(_, key)| (1, *key)))
        {
            match key == EXTERNAL_ID_KEY {
                true => external[of_edges] = true,
                false => raise(2, key.0),
            }
        }
    }
    for ((kind, word), end) in KINDS.into_iter().zip(used) {
        invent(names_of(catalog, kind), word, end, |_| false);
    }
    for (owner, is_there) in [Owner::AllVertices, Owner::AllEdges].into_iter().zip(external) {
        if is_there && catalog.external_index_of(owner).is_none() {
            let id = IndexId(graph.new_index());
            catalog
                .indexes
                .push(IndexDefinition { id, ..IndexDefinition::of_external_ids_of(owner) });
        }
    }
    Ok(())
}

fn invent(names: &mut Names, word: &str, end: u32, is_taken: impl Fn(&str) -> bool) {
    while (names.len() as u32) < end {
        let name = unused(&format!("{word}-{}", names.len()), |name| {
            names.number(name).is_some() || is_taken(name)
        });
        names.intern(&name);
    }
}

/// The name, or a longer one that is not taken.
fn unused(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push_str("-lost");
    }
    name
}
