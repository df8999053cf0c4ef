//! The contents of a data folder, for people: its files, their subjects and sizes. They are plain
//! values, which the caller shows as text or as JSON.
//!
//! Each file is read by itself, so that a damaged folder can be inspected too. Whether the files
//! fit together is for the check to find out.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_store::CommitOrigin;

use crate::checkpoint::{CONTENTS_FORMAT, Contents, GraphContents, NAMES};
use crate::commit::Effect;
use crate::folder::Folder;
use crate::folder::manifest::Manifest;
use crate::io::{FileKind, FileName, Machine};
use crate::log;
use crate::persistent::image::Image;
use crate::persistent::segment::{SegmentFile, Subject, open_image, open_index_base};
use crate::persistent::{Installed, ShardName};

/// The contents of a folder that no process has open: its manifest, graphs, partitions, files and
/// sizes.
pub fn inspect_folder(machine: &Machine, path: &Path) -> Result<Value> {
    let folder = Folder::open_to_read(Arc::clone(&machine.disk), path)?;
    let mut pairs = vec![("folder", text(&path.display().to_string()))];
    match Manifest::load(&folder, CONTENTS_FORMAT) {
        Ok(None) => return Err(no_data(path)),
        Ok(Some(loaded)) => {
            pairs.push(("manifest", text(&loaded.name.to_string())));
            let damaged = loaded.newer_damaged.map(|error| error.to_string());
            pairs.extend(damaged.map(|error| ("newer_manifest", text(&error))));
            match Contents::decode(&loaded.manifest.payload) {
                Ok(contents) => pairs.extend(contents_pairs(&folder, &contents)),
                Err(wrong) => pairs.push(("manifest_damaged", text(wrong.what))),
            }
        }
        Err(error) => pairs.push(("manifest_damaged", text(&error.to_string()))),
    }
    let mut logs = Vec::new();
    for name in folder.names(FileKind::Log)? {
        logs.push(log_value(&folder, name, None));
    }
    pairs.push(("log", Value::list(logs)));
    for (word, kind) in [
        ("segment_files", FileKind::Segment),
        ("spill_files", FileKind::Spill),
        ("neighbour_files", FileKind::Neighbours),
    ] {
        let names = folder.names(kind)?;
        let bytes = names.iter().map(|name| size(&folder, *name)).sum();
        pairs
            .push((word, map(vec![("files", whole(names.len() as u64)), ("bytes", whole(bytes))])));
    }
    Ok(map(pairs))
}

/// The contents of one file of a folder; of a log file every frame.
pub fn inspect_file(machine: &Machine, path: &Path, name: &str) -> Result<Value> {
    let folder = Folder::open_to_read(Arc::clone(&machine.disk), path)?;
    if name == NAMES {
        return inspect_names(&folder);
    }
    let known = FileName::parse(name).ok_or_else(|| {
        let detail = format!("{name} is not a file of a data folder");
        Error::new(ErrorKind::BadInput, detail)
    })?;
    if !folder.names(known.kind)?.contains(&known) {
        let detail = format!("there is no {name} in {}", path.display());
        return Err(Error::new(ErrorKind::NotFound, detail));
    }
    match known.kind {
        FileKind::Log => Ok(log_value(&folder, known, Some(()))),
        FileKind::Segment | FileKind::Neighbours => {
            Ok(segment_value(&SegmentFile::open(&folder, known)?))
        }
        FileKind::Spill => {
            crate::persistent::bulk::verify_spill_file(&folder, known)?;
            Ok(file_value(&folder, known, vec![("checksum", text("right"))]))
        }
        FileKind::Manifest => {
            let manifest = Manifest::read(&folder, known, CONTENTS_FORMAT)?;
            let contents = Contents::decode(&manifest.payload).map_err(|wrong| {
                Error::new(ErrorKind::Corrupt, format!("{name}: {}", wrong.what))
            })?;
            Ok(file_value(&folder, known, contents_pairs(&folder, &contents)))
        }
    }
}

/// The copy of names and definitions.
fn inspect_names(folder: &Folder) -> Result<Value> {
    let path = folder.path().join(NAMES);
    let bytes = folder.disk().open(&path).and_then(|file| file.size())?;
    let contents = Contents::load_names(folder).ok_or_else(|| {
        Error::new(ErrorKind::Corrupt, format!("{NAMES} cannot be read; a repair makes it anew"))
    })?;
    let mut pairs = vec![("file", text(NAMES)), ("bytes", whole(bytes))];
    pairs.extend(contents_pairs(folder, &contents));
    Ok(map(pairs))
}

fn no_data(path: &Path) -> Error {
    Error::new(ErrorKind::NotFound, format!("{} holds no data", path.display()))
}

fn text(text: &str) -> Value {
    Value::from(text)
}

fn whole(number: u64) -> Value {
    Value::I64(i64::try_from(number).unwrap_or(i64::MAX))
}

fn map(pairs: Vec<(&str, Value)>) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

fn size(folder: &Folder, name: FileName) -> u64 {
    let size = folder.disk().open(&folder.path_of(name)).and_then(|file| file.size());
    size.unwrap_or(0)
}

fn file_value(folder: &Folder, name: FileName, more: Vec<(&'static str, Value)>) -> Value {
    let mut pairs = vec![("file", text(&name.to_string())), ("bytes", whole(size(folder, name)))];
    pairs.extend(more);
    map(pairs)
}

fn contents_pairs(folder: &Folder, contents: &Contents) -> Vec<(&'static str, Value)> {
    let graphs = contents.graphs.iter().map(|graph| graph_value(folder, graph));
    vec![
        ("durability", text(contents.durability.word())),
        ("position", whole(contents.position)),
        ("replay_from", whole(contents.replay_from)),
        ("graphs", Value::list(graphs.collect())),
    ]
}

fn graph_value(folder: &Folder, graph: &GraphContents) -> Value {
    let catalog = &graph.catalog;
    let names = |names: &millrace_model::schema::Names| {
        Value::list(names.iter().map(|name| text(name)).collect())
    };
    let notes = catalog.notes.keys().map(|name| text(name)).collect();
    let shards = graph.installed.iter().map(|installed| shard_value(folder, graph, installed));
    map(vec![
        ("graph", text(&graph.name)),
        ("id", whole(u64::from(graph.id.0))),
        ("ids_leased_below", whole(graph.leased_end)),
        ("labels", names(&catalog.labels)),
        ("types", names(&catalog.edge_types)),
        ("keys", names(&catalog.keys)),
        ("indexes", whole(catalog.indexes.len() as u64)),
        ("notes", Value::list(notes)),
        ("shards", Value::list(shards.collect())),
    ])
}

fn shard_value(folder: &Folder, graph: &GraphContents, installed: &Installed) -> Value {
    let mut pairs = Vec::new();
    match installed.shard {
        ShardName::Partition(ordinal) => {
            pairs.push(("partition", whole(u64::from(ordinal))));
            match open_image(folder, installed.file, graph.id, ordinal) {
                Ok((_, image)) => pairs.extend(image_pairs(&image)),
                Err(error) => pairs.push(("damaged", text(&error.to_string()))),
            }
        }
        ShardName::Index(index, shard) => {
            pairs.push(("index", whole(u64::from(index.0))));
            pairs.push(("shard", whole(u64::from(shard))));
            let base = open_index_base(folder, installed.file, (graph.id, index, shard));
            match base.and_then(|(_, base)| base.get()) {
                Ok(base) => pairs.push(("entries", whole(base.len() as u64))),
                Err(error) => pairs.push(("damaged", text(&error.to_string()))),
            }
        }
    }
    pairs.push(("checkpoint", whole(installed.checkpoint)));
    pairs.push(("file", text(&installed.file.to_string())));
    pairs.push(("bytes", whole(size(folder, installed.file))));
    map(pairs)
}

fn image_pairs(image: &Image) -> Vec<(&'static str, Value)> {
    vec![
        ("nodes", whole(image.counts.vertices)),
        ("relationships", whole(image.counts.edges.values().sum())),
    ]
}

fn segment_value(file: &SegmentFile) -> Value {
    let mut pairs = vec![("file", text(&file.name.to_string())), ("bytes", whole(file.length))];
    match file.subject {
        Subject::Partition { graph, ordinal } => {
            pairs.push(("graph", whole(u64::from(graph.0))));
            pairs.push(("partition", whole(u64::from(ordinal))));
        }
        Subject::Index { graph, index, shard } => {
            pairs.push(("graph", whole(u64::from(graph.0))));
            pairs.push(("index", whole(u64::from(index.0))));
            pairs.push(("shard", whole(u64::from(shard))));
        }
        Subject::Neighbours { graph, index } => {
            pairs.push(("graph", whole(u64::from(graph.0))));
            pairs.push(("index", whole(u64::from(index.0))));
        }
    }
    pairs.push(("checkpoint", whole(file.positions.checkpoint.0)));
    let sections = file.keys().filter_map(|key| {
        let extent = file.extent(key).ok()?;
        let state = if extent.read().is_ok() { "right" } else { "WRONG" };
        Some(map(vec![
            ("section", text(&format!("{key:?}"))),
            ("offset", whole(extent.offset)),
            ("bytes", whole(extent.length)),
            ("checksum", text(state)),
        ]))
    });
    pairs.push(("sections", Value::list(sections.collect())));
    map(pairs)
}

/// A file of the log; its frames if they are asked for.
fn log_value(folder: &Folder, name: FileName, frames: Option<()>) -> Value {
    let mut listed = Vec::new();
    let (mut batches, mut first, mut last, mut end) = (0, None, 0, 0);
    let outcome = log::each_batch(folder, name, &mut |batch| {
        batches += 1;
        end = batch.end;
        for frame in batch.frames() {
            first.get_or_insert(frame.position);
            last = frame.position;
            if frames.is_some() {
                let (kind, from) = what_and_from(frame.kind, frame.payload);
                listed.push(map(vec![
                    ("offset", whole(batch.offset)),
                    ("batch", whole(batch.sequence)),
                    ("position", whole(frame.position)),
                    ("graph", whole(u64::from(frame.graph))),
                    ("kind", text(kind)),
                    ("from", from.as_deref().map_or(Value::Null, text)),
                    ("bytes", whole(frame.payload.len() as u64)),
                ]));
            }
        }
    });
    let mut pairs = vec![
        ("batches", whole(batches)),
        ("first_position", first.map_or(Value::Null, whole)),
        ("last_position", whole(last)),
        ("used_bytes", whole(end)),
    ];
    if let Err(error) = outcome {
        pairs.push(("damaged", text(&error.to_string())));
    }
    if frames.is_some() {
        pairs.push(("frames", Value::list(listed)));
    }
    file_value(folder, name, pairs)
}

/// The kind of a record, and where it comes from: server and number of a commit that was sent here,
/// server and address of an owner.
fn what_and_from(kind: u16, payload: &[u8]) -> (&'static str, Option<String>) {
    let sent = |origin: CommitOrigin| format!("{:032x}/{}", origin.server, origin.number);
    match Effect::decode(kind, payload) {
        Ok(Effect::Changes(changes)) => ("changes", changes.origin.map(sent)),
        Ok(Effect::OutOfLine(files)) => ("out-of-line commit", files.small.origin.map(sent)),
        Ok(Effect::Names(_)) => ("names", None),
        Ok(Effect::Lease(_)) => ("lease", None),
        Ok(Effect::GraphCreated(_)) => ("graph made", None),
        Ok(Effect::GraphDropped) => ("graph dropped", None),
        Ok(Effect::Installed(_)) => ("segment installed", None),
        Ok(Effect::Split(_)) => ("shard split", None),
        Ok(Effect::OwnerBegan(owner)) => {
            ("owner began", Some(format!("{:032x} at {}", owner.server, owner.address)))
        }
        Err(_) => ("unknown", None),
    }
}
