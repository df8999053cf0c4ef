//! The payload of the manifest: the contents of the folder as of one position.
//!
//! ```text
//!   1  durability: 0 sync, 1 async
//!   8  position: names, leases, definitions and graphs are as of here
//!   8  replay from: records before this are in segments or in this manifest
//!   4  last graph id
//!   4  graphs: id u32, name, leased end u64, next index u32, catalog (base/codec/catalog.rs),
//!      shards u32 × (shard, checkpoint u64, file u64)
//! ```

use millrace_model::{Catalog, GraphId};

use crate::base::bytes::checksum;
use crate::base::codec::{
    Malformed, Reader, decode_catalog, encode_catalog, put_text, put_u32, put_u64,
};
use crate::base::error::Result;
use crate::base::format::Format;
use crate::base::options::Durability;
use crate::folder::Folder;
use crate::folder::manifest::Manifest;
use crate::log::Demand;
use crate::persistent::Installed;

/// The format this program writes and the newest it reads.
pub(crate) const CONTENTS_FORMAT: Format = Format { version: 3, flags: 0 };

/// The file with the copy of names and definitions: a manifest without files. Programs that do not
/// know it leave it alone.
pub(crate) const NAMES: &str = "NAMES";

type Decoded<T> = std::result::Result<T, Malformed>;

/// The contents of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) durability: Durability,
    pub(crate) position: u64,
    pub(crate) replay_from: u64,
    pub(crate) last_graph_id: u32,
    pub(crate) graphs: Vec<GraphContents>,
}

/// The contents of one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GraphContents {
    pub(crate) id: GraphId,
    pub(crate) name: String,
    pub(crate) leased_end: u64,
    /// Numbers of indexes below this were given, and are never given again.
    pub(crate) next_index: u32,
    pub(crate) catalog: Catalog,
    pub(crate) installed: Vec<Installed>,
}

impl Contents {
    /// The contents of a new folder.
    pub(crate) fn of_new_folder(durability: Durability) -> Contents {
        Contents { durability, position: 0, replay_from: 1, last_graph_id: 0, graphs: Vec::new() }
    }

    /// The records that must be in the log after this manifest.
    pub(crate) fn demand(&self) -> Demand {
        Demand { replay_from: self.replay_from, durable: self.position }
    }

    /// Makes this the newest manifest, and keeps a copy of its names.
    pub(crate) fn store(&self, folder: &Folder) -> Result<()> {
        self.store_names(folder);
        Manifest { format: CONTENTS_FORMAT, payload: self.encode() }.store(folder).map(|_| ())
    }

    /// Writes the copy of names and definitions that a repair needs where no manifest can be read,
    /// if they changed since it was written last. Best effort: nothing but a repair reads it.
    ///
    /// The first file of a new folder is its manifest: power loss that leaves only a file without a
    /// number would leave a folder that is taken for a stranger's. A new folder has no names yet.
    fn store_names(&self, folder: &Folder) {
        if self.position == 0 {
            return;
        }
        let bare = Contents { position: 0, replay_from: 0, ..self.names(|_| 0) };
        let sum = checksum(&bare.encode());
        if folder.has_names(sum) {
            return;
        }
        let payload = self.names(|graph| graph.leased_end).encode();
        let copy = Manifest { format: CONTENTS_FORMAT, payload };
        if copy.store_as(folder, NAMES).is_ok() {
            folder.note_names(sum);
        }
    }

    /// The contents without the installed files.
    fn names(&self, leased_end: impl Fn(&GraphContents) -> u64) -> Contents {
        let without_files = |graph: &GraphContents| GraphContents {
            leased_end: leased_end(graph),
            installed: Vec::new(),
            ..graph.clone()
        };
        Contents { graphs: self.graphs.iter().map(without_files).collect(), ..self.clone() }
    }

    /// The copy of names and definitions, a flipped bit put right; `None` if it cannot be read.
    pub(crate) fn load_names(folder: &Folder) -> Option<Contents> {
        let copy = Manifest::load_copy(folder, NAMES, CONTENTS_FORMAT).ok()??;
        Contents::decode(&copy.payload).ok()
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.push(match self.durability {
            Durability::Sync => 0,
            Durability::Async => 1,
        });
        put_u64(&mut bytes, self.position);
        put_u64(&mut bytes, self.replay_from);
        put_u32(&mut bytes, self.last_graph_id);
        put_u32(&mut bytes, self.graphs.len() as u32);
        for graph in &self.graphs {
            put_u32(&mut bytes, graph.id.0);
            put_text(&mut bytes, &graph.name);
            put_u64(&mut bytes, graph.leased_end);
            put_u32(&mut bytes, graph.next_index);
            encode_catalog(&mut bytes, &graph.catalog);
            put_u32(&mut bytes, graph.installed.len() as u32);
            graph.installed.iter().for_each(|installed| installed.encode(&mut bytes));
        }
        bytes
    }

    /// Takes all of a payload.
    pub(crate) fn decode(payload: &[u8]) -> Decoded<Contents> {
        let mut reader = Reader::new(payload);
        let durability = match reader.u8()? {
            0 => Durability::Sync,
            1 => Durability::Async,
            _ => return Err(reader.malformed("an unknown durability")),
        };
        let (position, replay_from) = (reader.u64()?, reader.u64()?);
        let last_graph_id = reader.u32()?;
        let graphs =
            (0..reader.u32()?).map(|_| decode_graph(&mut reader)).collect::<Decoded<_>>()?;
        reader.finish()?;
        Ok(Contents { durability, position, replay_from, last_graph_id, graphs })
    }
}

fn decode_graph(reader: &mut Reader<'_>) -> Decoded<GraphContents> {
    let (id, name) = (GraphId(reader.u32()?), reader.text()?.to_string());
    let (leased_end, next_index) = (reader.u64()?, reader.u32()?);
    let catalog = decode_catalog(reader)?;
    let installed =
        (0..reader.u32()?).map(|_| Installed::decode(reader)).collect::<Decoded<_>>()?;
    Ok(GraphContents { id, name, leased_end, next_index, catalog, installed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{FileKind, FileName};
    use crate::persistent::ShardName;

    #[test]
    fn contents_read_back() {
        let file = FileName { kind: FileKind::Segment, number: 9 };
        let mut catalog = Catalog::default();
        catalog.labels.intern("Person");
        catalog.notes.insert("load".into(), "line 7".into());
        let graph = GraphContents {
            id: GraphId(3),
            name: "films".to_string(),
            leased_end: 1 << 20,
            next_index: 4,
            catalog,
            installed: vec![Installed { shard: ShardName::Partition(2), checkpoint: 40, file }],
        };
        let contents = Contents {
            durability: Durability::Async,
            position: 77,
            replay_from: 41,
            last_graph_id: 5,
            graphs: vec![graph],
        };
        assert_eq!(Contents::decode(&contents.encode()), Ok(contents.clone()));
        let bytes = contents.encode();
        for length in 0..bytes.len() {
            assert!(Contents::decode(&bytes[..length]).is_err(), "{length}");
        }
    }
}
