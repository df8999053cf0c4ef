//! A part of a private write set that waits in a spill file for its commit.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, GraphId, Result};
use millrace_store::{Changes, SpilledChanges};

use crate::checkpoint::OpenFolder;
use crate::commit::Physical;
use crate::io::FileName;
use crate::persistent::bulk::{read_spill_file, write_spill_file};

/// A part in a spill file of its own, which goes when the part is dropped.
pub(crate) struct SpilledPart {
    open: Arc<OpenFolder>,
    graph: GraphId,
    file: FileName,
}

impl SpilledPart {
    /// Writes a part. It is not synced: a commit writes its own parts anew, sorted.
    pub(crate) fn write(open: &Arc<OpenFolder>, graph: GraphId, part: Changes) -> Result<Self> {
        let mut bytes = Vec::new();
        Physical { changes: part, ..Physical::default() }.encode(&mut bytes)?;
        let file = write_spill_file(&open.folder, graph, &bytes)?;
        Ok(Self { open: Arc::clone(open), graph, file })
    }
}

impl SpilledChanges for SpilledPart {
    fn read(&self) -> Result<Changes> {
        let bytes = read_spill_file(&self.open.folder, self.file, self.graph)?;
        let part = Physical::decode(&bytes).map_err(|wrong| {
            let path = self.open.folder.path_of(self.file);
            let detail = format!("{} at byte {}: {}", path.display(), wrong.offset, wrong.what);
            Error::new(ErrorKind::Corrupt, detail)
        })?;
        Ok(part.changes)
    }
}

impl Drop for SpilledPart {
    fn drop(&mut self) {
        if !self.open.folder.is_open() {
            return;
        }
        // Best effort: a file left behind is unreferenced and goes at the next open.
        let _ = self.open.machine.disk.remove(&self.open.folder.path_of(self.file));
    }
}
