//! What a damaged folder still holds: everything that can be read, up to where its log breaks off.

use std::sync::Arc;

use millrace_model::Result;

use super::{Replay, corrupt};
use crate::contents::{CONTENTS_FORMAT, Contents};
use crate::error::Error as StoreError;
use crate::folder::Folder;
use crate::graph::Graphs;
use crate::log::{self, Frame};
use crate::manifest::Manifest;
use crate::options::Durability;
use crate::repair::Salvage;

/// What could be read of a folder.
pub(crate) struct Salvaged {
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) contents: Contents,
    pub(crate) salvage: Salvage,
    /// The last commit that anything holds.
    pub(crate) position: u64,
}

/// Replays what can be read of a damaged folder, up to where its log breaks off.
pub(crate) fn salvage(folder: &Arc<Folder>) -> Result<Salvaged> {
    let mut salvage = Salvage::default();
    let contents = match Manifest::load(folder, CONTENTS_FORMAT) {
        Ok(Some(loaded)) => Contents::decode(&loaded.manifest.payload)
            .map_err(|wrong| corrupt(&folder.path_of(loaded.name), wrong))?,
        Ok(None) | Err(StoreError::Corrupt { .. }) => {
            salvage.broken.push("no manifest can be read".into());
            salvage.cut.push("everything that only a manifest and segments held".into());
            Contents::of_new_folder(Durability::Sync)
        }
        Err(error) => return Err(error.into()),
    };
    let graphs = Arc::new(Graphs::default());
    let mut replay = Replay::new(folder, &graphs, &contents);
    replay.salvage = Some(salvage);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    graphs.raise_last_id(contents.last_graph_id);
    let mut next = contents.replay_from;
    let mut is_cut = false;
    let visit = &mut |frame: Frame<'_>| {
        // Only what follows without a hole counts.
        is_cut |= next < frame.position;
        if is_cut {
            return Ok(());
        }
        if let Err(error) = replay.visit(frame) {
            is_cut = true;
            let salvage = replay.salvage.get_or_insert_default();
            salvage.broken.push(error.to_string());
            salvage.cut.push(format!("commit {} and all after it", frame.position));
        } else {
            next = frame.position + 1;
        }
        Ok(())
    };
    let (last, broken) = log::read_prefix(folder, contents.demand(), visit)?;
    replay.flush()?;
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let mut salvage = replay.salvage.take().unwrap_or_default();
    if let Some(error) = broken {
        salvage.broken.push(error.to_string());
        salvage.cut.push(format!("the commits after {last}, but for what segments hold of them"));
    }
    let cuts = replay.files.roots.values().map(|root| root.installed.cut);
    let position = cuts.fold(contents.position.max(next - 1), u64::max);
    Ok(Salvaged { graphs, contents, salvage, position })
}
