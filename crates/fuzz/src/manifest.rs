//! The manifest, in a folder with sound other files: its content is accepted or refused.

use std::path::{Path, PathBuf};

use millrace_model::Direction;
use millrace_store::{Backend, ScanCursor, Snapshot};
use millrace_store_embedded::EmbeddedBackend;
use millrace_store_embedded::io::sim::SimDisk;

use crate::folder::{FOLDER, disk_with, options, sound, sound_files};

/// The manifests of a sound folder.
pub fn seeds() -> Vec<Vec<u8>> {
    sound("MANIFEST")
}

/// Opens the folder and reads every list.
pub fn run(bytes: &[u8]) {
    thread_local! {
        static SOUND: Vec<(PathBuf, Vec<u8>)> = sound_files();
    }
    let disk = SOUND.with(|sound| {
        let is_manifest = |path: &Path| path.to_string_lossy().contains("MANIFEST");
        let newest =
            sound.iter().rfind(|(path, _)| is_manifest(path)).map(|(path, _)| path.clone());
        let others = sound.iter().filter(|(path, _)| !is_manifest(path));
        let mut files: Vec<(PathBuf, &[u8])> =
            others.map(|(path, bytes)| (path.clone(), bytes.as_slice())).collect();
        files.extend(newest.map(|path| (path, bytes)));
        disk_with(&files)
    });
    // Any error is a right answer; a panic is not.
    let _outcome = read(&disk);
}

fn read(disk: &SimDisk) -> millrace_model::Result<()> {
    let folder = Path::new(FOLDER);
    let backend = EmbeddedBackend::open_stepped(disk.machine(4), folder, options())?;
    for name in backend.graphs() {
        read_graph(&*backend.graph(&name)?.snapshot()?)?;
    }
    Ok(())
}

fn read_graph(snapshot: &dyn Snapshot) -> millrace_model::Result<()> {
    let (mut vertices, mut cursor, mut degrees) = (Vec::new(), ScanCursor::default(), Vec::new());
    snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices)?;
    snapshot.degrees(&vertices, None, Direction::Both, &mut degrees)?;
    snapshot.labels(&vertices).map(drop)
}
