//! Segments: every section of a file is read and walked.

use std::path::Path;
use std::sync::Arc;

use millrace_store_embedded::base::error::Result;
use millrace_store_embedded::folder::{FileKind, FileName, Folder};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::persistent::segment::{
    SegmentFile, Subject, open_image, open_index_base, read_neighbours, verify,
};

use crate::folder::{FOLDER, disk_with, sound};

const NAME: FileName = FileName { kind: FileKind::Segment, number: 1 };

/// The segments of a sound folder: a partition, and shards of an index.
pub fn seeds() -> Vec<Vec<u8>> {
    sound(".mseg")
}

/// Opens the file as the kind that it claims to be and reads all of it.
pub fn run(bytes: &[u8]) {
    let path = Path::new(FOLDER).join(NAME.to_string());
    let disk = disk_with(&[(path, bytes)]);
    // Any error is a right answer; a panic is not.
    let _outcome = read(&disk);
}

fn read(disk: &SimDisk) -> Result<()> {
    let folder = Folder::open(Arc::new(disk.clone()), Path::new(FOLDER))?;
    let file = SegmentFile::open(&folder, NAME)?;
    verify(&file)?;
    match file.subject {
        Subject::Partition { graph, ordinal } => {
            let (_, image) = open_image(&folder, NAME, graph, ordinal)?;
            walk(&image)
        }
        Subject::Neighbours { .. } => read_neighbours(&file, u64::MAX).map(drop),
        Subject::Index { graph, index, shard } => {
            let (_, base) = open_index_base(&folder, NAME, (graph, index, shard))?;
            let base = base.get()?;
            base.iter().for_each(|(hash, id)| assert!(base.ids(hash).contains(&id)));
            Ok(())
        }
    }
}

fn walk(image: &millrace_store_embedded::persistent::image::Image) -> Result<()> {
    let records = image.records.get()?;
    assert!(records.iter().all(|(local, _)| records.exists(local)));
    for column in image.vertex_columns.values().chain(image.edge_columns.values()) {
        let column = column.get()?;
        assert_eq!(column.iter().count(), column.count());
    }
    for lists in image.lists.values() {
        let lists = lists.get()?;
        let entries: usize = lists.iter().map(|(_, list)| list.iter().count()).sum();
        assert_eq!(entries, lists.neighbours().len());
    }
    for (&edge_type, edges) in &image.edges {
        let slots: Vec<u32> = edges.get()?.slots.iter().map(|(_, slot)| slot).collect();
        image.ends(edge_type, &slots)?;
    }
    Ok(())
}
