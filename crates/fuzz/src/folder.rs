//! A small data folder on a simulated disk: the source of seeds for the store's files, and of the sound
//! files beside a mutated one.

use std::path::{Path, PathBuf};

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, Column, EdgeTypeId, KeyId, LabelId, Owner, Value, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Labels, NameKind, PropertyBlock, Store, VertexBlock, WriteBatch,
};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

/// Where the folder is.
pub(crate) const FOLDER: &str = "/data";

/// The files of a sound folder, with bytes: segments, a log, manifests.
pub(crate) fn sound_files() -> Vec<(PathBuf, Vec<u8>)> {
    let disk = SimDisk::new(1);
    fill(&disk).expect("a disk without faults takes everything");
    let files = disk.files().into_iter();
    let files = files.filter_map(|(path, _)| Some((path.clone(), disk.contents(&path)?)));
    files.filter(|(path, _)| !path.ends_with("LOCK")).collect()
}

/// The bytes of the files with this part in their names.
pub(crate) fn sound(part: &str) -> Vec<Vec<u8>> {
    let named = |path: &Path| path.to_string_lossy().contains(part);
    sound_files().into_iter().filter(|(path, _)| named(path)).map(|(_, bytes)| bytes).collect()
}

/// A disk with these files in the folder, durably.
pub(crate) fn disk_with(files: &[(PathBuf, &[u8])]) -> SimDisk {
    let disk = SimDisk::new(2);
    put(&disk, files).expect("a disk without faults takes everything");
    disk
}

/// The options of all folders here: small files, so that seeds are small.
pub(crate) fn options() -> Options {
    let mut options = Options { conflict_bits: 8, ..Options::default() };
    options.log.first_file_bytes = 16 << 10;
    options.log.file_bytes = 32 << 10;
    options
}

fn put(
    disk: &SimDisk,
    files: &[(PathBuf, &[u8])],
) -> millrace_store_embedded::base::error::Result<()> {
    disk.create_folder(Path::new(FOLDER))?;
    for (path, bytes) in files {
        let file = disk.create(path)?;
        file.write_at(0, bytes)?;
        file.sync_data()?;
    }
    disk.sync_folder(Path::new(FOLDER))
}

fn fill(disk: &SimDisk) -> millrace_model::Result<()> {
    let folder = Path::new(FOLDER);
    let backend = EmbeddedBackend::open_stepped(disk.machine(1), folder, options())?;
    let store = backend.create_graph("graph")?;
    let names = Names::intern(&*store)?;
    commit(&*store, names.declarations())?;
    for step in [Some(Step::Checkpoint), None] {
        let ids = names.create(&*store)?;
        let renamed = PropertyBlock {
            key: names.name,
            owners: vec![ids[0]],
            values: Column::from_values([named("renamed", ids[0])]),
        };
        commit(&*store, Changes { vertex_properties: vec![renamed], ..Changes::default() })?;
        step.map(|step| backend.step(step)).transpose()?;
    }
    Ok(())
}

struct Names {
    person: LabelId,
    likes: EdgeTypeId,
    name: KeyId,
    weight: KeyId,
}

impl Names {
    fn intern(store: &dyn Store) -> millrace_model::Result<Names> {
        let wanted = [
            (NameKind::Label, "Person"),
            (NameKind::EdgeType, "LIKES"),
            (NameKind::Key, "name"),
            (NameKind::Key, "weight"),
        ];
        let numbers = store.intern(&wanted)?;
        Ok(Names {
            person: LabelId(numbers[0]),
            likes: EdgeTypeId(numbers[1]),
            name: KeyId(numbers[2]),
            weight: KeyId(numbers[3]),
        })
    }

    fn declarations(&self) -> Changes {
        let index =
            IndexDefinition::new(Owner::Label(self.person), vec![self.name], IndexKind::Unique);
        Changes { catalog: vec![CatalogChange::CreateIndex(index)], ..Changes::default() }
    }

    /// Creates three people, and an edge between each two of them.
    fn create(&self, store: &dyn Store) -> millrace_model::Result<Vec<VertexId>> {
        let ids: Vec<VertexId> =
            store.lease_vertices(3)?.into_iter().flatten().map(VertexId).collect();
        let names = ids.iter().map(|id| named("name", *id));
        let people = VertexBlock {
            labels: Labels::from(vec![self.person]),
            properties: vec![(self.name, Column::from_values(names))],
            ids: ids.clone(),
        };
        let sources = vec![ids[0], ids[0], ids[1]];
        let likes = EdgeBlock {
            edge_type: self.likes,
            ids: store.lease_edges(self.likes, &sources)?,
            sources,
            targets: vec![ids[1], ids[2], ids[2]],
            properties: vec![(self.weight, Column::from_values([0.5, 1.5, 2.5].map(Value::F64)))],
        };
        commit(
            store,
            Changes { vertices: vec![people], edges: vec![likes], ..Changes::default() },
        )?;
        Ok(ids)
    }
}

fn named(word: &str, id: VertexId) -> Value {
    Value::String(format!("{word} {}", id.0).into())
}

fn commit(store: &dyn Store, changes: Changes) -> millrace_model::Result<()> {
    let snapshot = store.snapshot()?;
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: snapshot.catalog().version,
        changes,
        ..WriteBatch::default()
    };
    store.commit(batch)?.wait().map(drop)
}
