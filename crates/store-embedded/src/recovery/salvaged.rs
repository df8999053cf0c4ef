//! The remaining content of a damaged folder: everything that can be read, up to the break in its
//! log.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{GraphId, Result};

use super::Replay;
use crate::base::error::Error as StoreError;
use crate::base::limits::SALVAGE_SKIPS_MAX;
use crate::checkpoint::{CONTENTS_FORMAT, Contents};
use crate::commit::{Effect, Physical};
use crate::folder::Folder;
use crate::folder::manifest::Manifest;
use crate::graph::Graphs;
use crate::log;
use crate::log::Frame;
use crate::persistent::bulk::read_spill_file;
use crate::recovery::{Salvage, contents_of_segments};

/// The readable content of a folder.
pub(crate) struct Salvaged {
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) contents: Contents,
    pub(crate) salvage: Salvage,
    /// The last commit that anything holds.
    pub(crate) position: u64,
}

/// Commits that a salvage leaves out, because applying them violated an invariant of the code.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// These.
    pub(crate) commits: BTreeSet<u64>,
    /// And all from this on.
    pub(crate) from: Option<u64>,
    /// The commit that is being applied, for the handler of a panic; 0 if there is none.
    pub(crate) applying: AtomicU64,
}

impl LeftOut {
    /// Adds the commit that was being applied when it all broke down; false if there is none, or it
    /// was left out before. Where they become many, all from it on.
    pub(crate) fn add_applying(&mut self) -> bool {
        let position = self.applying.swap(0, Ordering::Relaxed);
        if position == 0 || self.holds(position) {
            return false;
        }
        match self.commits.len() < SALVAGE_SKIPS_MAX {
            true => drop(self.commits.insert(position)),
            false => self.from = Some(position),
        }
        true
    }

    fn holds(&self, position: u64) -> bool {
        self.commits.contains(&position) || self.from.is_some_and(|from| from <= position)
    }
}

/// Replays the readable part of a damaged folder, up to the break in its log.
pub(crate) fn salvage(folder: &Arc<Folder>, left_out: &LeftOut) -> Result<Salvaged> {
    let mut salvage = Salvage::default();
    let contents = load_contents(folder, &mut salvage)?;
    let graphs = Arc::new(Graphs::default());
    let mut replay = Replay::new(folder, &graphs, &contents);
    replay.salvage = Some(salvage);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    graphs.raise_last_id(contents.last_graph_id);
    let mut next = contents.replay_from;
    let mut is_incomplete = false;
    // Where something is missing, a later commit may contradict the state: each is applied by
    // itself, so that the one that does is known.
    let by_one = std::cell::Cell::new(!left_out.commits.is_empty() || left_out.from.is_some());
    let visit = &mut |frame: Frame<'_>| {
        // Only frames that follow without a hole count.
        is_incomplete |= next < frame.position;
        if is_incomplete {
            return Ok(());
        }
        next = frame.position + 1;
        let salvage = replay.salvage.get_or_insert_default();
        if left_out.holds(frame.position) {
            let what = "which contradicts the data left before it";
            salvage.losses.push(format!("commit {}, {what}", frame.position));
            return Ok(());
        }
        if let Some((why, loss)) = lost_part(folder, &frame) {
            salvage.broken.push(why);
            salvage.losses.push(loss);
            by_one.set(true);
            return Ok(());
        }
        left_out.applying.store(frame.position, Ordering::Relaxed);
        let outcome = replay.visit(frame);
        let outcome = if by_one.get() { outcome.and_then(|()| replay.flush()) } else { outcome };
        if let Err(error) = outcome {
            is_incomplete = true;
            next = frame.position;
            let salvage = replay.salvage.get_or_insert_default();
            salvage.broken.push(error.to_string());
            salvage.losses.push(format!("commit {} and all after it", frame.position));
        }
        Ok(())
    };
    let prefix = log::read_prefix(folder, contents.demand(), visit)?;
    replay.flush()?;
    left_out.applying.store(0, Ordering::Relaxed);
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let mut salvage = replay.salvage.take().unwrap_or_default();
    salvage.broken.extend(prefix.mended);
    if let Some(error) = prefix.broken {
        let last = prefix.position_last;
        salvage.broken.push(error.to_string());
        salvage.losses.push(format!("the commits after {last}, but for their parts in segments"));
    }
    let positions = replay.files.roots.values().map(|root| root.installed.checkpoint);
    let position = positions.fold(contents.position.max(next - 1), u64::max);
    Ok(Salvaged { graphs, contents, salvage, position })
}

/// The contents of the newest readable manifest, if need be with a flipped bit put right; else the
/// contents from the segments and the log.
fn load_contents(folder: &Folder, salvage: &mut Salvage) -> Result<Contents> {
    match Manifest::load(folder, CONTENTS_FORMAT) {
        Ok(Some(loaded)) => {
            if let Ok(contents) = Contents::decode(&loaded.manifest.payload) {
                return Ok(contents);
            }
        }
        Ok(None) | Err(StoreError::Corrupt { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    if let Some(manifest) = Manifest::load_mended(folder, CONTENTS_FORMAT)?
        && let Ok(contents) = Contents::decode(&manifest.payload)
    {
        salvage.broken.push("no manifest is whole; a flipped bit in one is put right".into());
        return Ok(contents);
    }
    salvage.broken.push("no manifest can be read".into());
    contents_of_segments(folder, salvage)
}

/// The damage of a part of an out-of-line commit, and the loss: all of the commit, because it is
/// applied whole or not at all.
fn lost_part(folder: &Folder, frame: &Frame<'_>) -> Option<(String, String)> {
    let Ok(Effect::OutOfLine(files)) = out_of_line(frame)? else { return None };
    let position = frame.position;
    files.parts.iter().find_map(|name| {
        let part = read_spill_file(folder, *name, GraphId(frame.graph));
        let wrong = match part {
            Ok(bytes) => Physical::decode(&bytes).err().map(|wrong| wrong.what.to_owned())?,
            Err(error) => error.to_string(),
        };
        let loss = format!(
            "commit {position}, an out-of-line commit whose part {name} cannot be read, but for \
             its parts in segments"
        );
        Some((wrong, loss))
    })
}

fn out_of_line(
    frame: &Frame<'_>,
) -> Option<std::result::Result<Effect, crate::base::codec::Malformed>> {
    Effect::is_out_of_line(frame.kind).then(|| Effect::decode(frame.kind, frame.payload))
}
