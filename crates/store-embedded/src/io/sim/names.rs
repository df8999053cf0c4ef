//! The names of a simulated disk: the ones that programs see, and the changes that no folder sync
//! has covered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::random::SimNumbers;
use crate::io::folder_of;

pub(super) type InodeId = usize;

#[derive(Debug, Clone)]
enum Change {
    Create(PathBuf, InodeId),
    Rename(PathBuf, PathBuf, InodeId),
    Remove(PathBuf),
}

#[derive(Debug, Default, Clone)]
pub(super) struct Names {
    seen: BTreeMap<PathBuf, InodeId>,
    durable: BTreeMap<PathBuf, InodeId>,
    unsynced: Vec<Change>,
}

impl Names {
    pub(super) fn get(&self, path: &Path) -> Option<InodeId> {
        self.seen.get(path).copied()
    }

    pub(super) fn create(&mut self, path: &Path, inode: InodeId) {
        self.make(Change::Create(path.to_path_buf(), inode));
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path, inode: InodeId) {
        self.make(Change::Rename(from.to_path_buf(), to.to_path_buf(), inode));
    }

    pub(super) fn remove(&mut self, path: &Path) {
        self.make(Change::Remove(path.to_path_buf()));
    }

    fn make(&mut self, change: Change) {
        apply(&mut self.seen, &change);
        self.unsynced.push(change);
    }

    pub(super) fn list(&self, folder: &Path) -> Vec<String> {
        let inside = self.seen.keys().filter(|path| path.parent() == Some(folder));
        inside.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = (&PathBuf, InodeId)> {
        self.seen.iter().map(|(path, inode)| (path, *inode))
    }

    pub(super) fn sync(&mut self, folder: &Path) {
        let (synced, rest): (Vec<_>, Vec<_>) =
            self.unsynced.drain(..).partition(|change| change.folder() == folder);
        synced.iter().for_each(|change| apply(&mut self.durable, change));
        self.unsynced = rest;
    }

    /// The power goes: a prefix of the unsynced changes is there (a journal), or any subset.
    pub(super) fn power_loss(&mut self, random: &mut SimNumbers) {
        let changes = std::mem::take(&mut self.unsynced);
        let journal = random.chance(1, 2);
        let prefix = random.below(changes.len() as u64 + 1) as usize;
        for (i, change) in changes.iter().enumerate() {
            if if journal { i < prefix } else { random.chance(1, 2) } {
                apply(&mut self.durable, change);
            }
        }
        self.seen.clone_from(&self.durable);
    }
}

impl Change {
    fn folder(&self) -> PathBuf {
        match self {
            Self::Create(path, _) | Self::Rename(path, _, _) | Self::Remove(path) => {
                folder_of(path)
            }
        }
    }
}

fn apply(names: &mut BTreeMap<PathBuf, InodeId>, change: &Change) {
    match change {
        Change::Create(path, inode) => {
            names.insert(path.clone(), *inode);
        }
        Change::Rename(from, to, inode) => {
            if names.get(from) == Some(inode) {
                names.remove(from);
            }
            names.insert(to.clone(), *inode);
        }
        Change::Remove(path) => {
            names.remove(path);
        }
    }
}
