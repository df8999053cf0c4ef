//! The files of each shard, and the files that are no longer needed.
//!
//! ```text
//!   a root replaced ──> replaced ──(next manifest)──> leaving ──(the manifest after)──> removed
//! ```
//!
//! A file that no manifest names may still be needed. If the newest manifest turns out damaged, the
//! one before is opened and the log after it replayed, and that installs the roots of *then*. So a
//! file replaced between two manifests outlives the second.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use millrace_model::GraphId;

use crate::checkpoint::Contents;
use crate::io::FileName;
use crate::persistent::{Installed, ShardName};

/// A shard of a graph.
pub(crate) type ShardKey = (GraphId, ShardName);

/// The newest root of a shard.
#[derive(Clone, Debug)]
pub(crate) struct RootFiles {
    pub(crate) installed: Installed,
    /// Older files with sections of it.
    pub(crate) older: Vec<FileName>,
}

/// The files of the folder, by the shard or commit that they hold.
#[derive(Default)]
pub(crate) struct Files {
    /// The newest root of each shard.
    pub(crate) roots: BTreeMap<ShardKey, RootFiles>,
    /// Files of out-of-line commits, by position.
    pub(crate) out_of_line: BTreeMap<u64, Vec<FileName>>,
    /// The files that the newest manifest names, and the position from which it replays.
    manifest: (BTreeSet<FileName>, u64),
    /// Of roots replaced since the newest manifest.
    replaced: BTreeSet<FileName>,
    /// Of roots replaced before it.
    leaving: BTreeSet<FileName>,
}

impl RootFiles {
    fn all(&self) -> impl Iterator<Item = FileName> + '_ {
        [self.installed.file].into_iter().chain(self.older.iter().copied())
    }
}

impl Files {
    /// The files of a folder with a manifest that replays the log from a position on.
    pub(crate) fn new(replay_from: u64) -> Files {
        Files { manifest: (BTreeSet::new(), replay_from), ..Files::default() }
    }

    /// Takes a root that the manifest names.
    pub(crate) fn add_named(&mut self, key: ShardKey, root: RootFiles) {
        self.manifest.0.extend(root.all());
        self.roots.insert(key, root);
    }

    /// Takes a newer root of a shard.
    pub(crate) fn replace(&mut self, key: ShardKey, root: RootFiles) {
        if let Some(before) = self.roots.insert(key, root) {
            self.replaced.extend(before.all());
        }
    }

    /// Goes over to a new manifest. Returns the files that are needed no more, and the position
    /// from which on the log still is.
    pub(crate) fn rotate(&mut self, contents: &Contents) -> (Vec<FileName>, u64) {
        let named: BTreeSet<FileName> = contents
            .graphs
            .iter()
            .flat_map(|graph| graph.installed.iter().map(|installed| (graph.id, installed.shard)))
            .filter_map(|key| self.roots.get(&key))
            .flat_map(RootFiles::all)
            .collect();
        self.drop_lost(contents);
        let before = std::mem::replace(&mut self.manifest, (named, contents.replay_from));
        let replay_from = before.1.min(contents.replay_from);
        // The log before is given up, and with it the files that it names.
        let kept = self.out_of_line.split_off(&replay_from);
        let released = std::mem::replace(&mut self.out_of_line, kept).into_values().flatten();
        let leaving: Vec<FileName> =
            std::mem::take(&mut self.leaving).into_iter().chain(released).collect();
        let needed = self.needed(&before.0);
        let stays = |file: &FileName| needed.contains(file) || self.replaced.contains(file);
        let (stay, gone): (Vec<_>, Vec<_>) = leaving.into_iter().partition(stays);
        self.leaving = stay.into_iter().collect();
        self.leaving.append(&mut self.replaced);
        (gone, replay_from)
    }

    /// Every file that something names.
    pub(crate) fn all(&self) -> HashSet<FileName> {
        let more = self.replaced.iter().chain(&self.leaving).copied();
        self.needed(&self.manifest.0).into_iter().chain(more).collect()
    }

    /// The files that roots, manifests and the log name.
    fn needed(&self, before: &BTreeSet<FileName>) -> HashSet<FileName> {
        let roots = self.roots.values().flat_map(RootFiles::all);
        let named = self.manifest.0.iter().chain(before).copied();
        roots.chain(named).chain(self.out_of_line.values().flatten().copied()).collect()
    }

    /// Lets go of the shards of graphs and indexes that are no more.
    fn drop_lost(&mut self, contents: &Contents) {
        let lives: HashSet<ShardKey> = contents
            .graphs
            .iter()
            .flat_map(|graph| graph.installed.iter().map(|installed| (graph.id, installed.shard)))
            .collect();
        let lost: Vec<ShardKey> =
            self.roots.keys().filter(|key| !lives.contains(key)).copied().collect();
        for root in lost.iter().filter_map(|key| self.roots.remove(key)) {
            self.replaced.extend(root.all());
        }
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Catalog;

    use super::*;
    use crate::base::options::Durability;
    use crate::checkpoint::GraphContents;
    use crate::io::FileKind;

    const KEY: ShardKey = (GraphId(1), ShardName::Partition(0));

    fn file(number: u64) -> FileName {
        FileName { kind: FileKind::Segment, number }
    }

    fn root(number: u64, older: &[u64]) -> RootFiles {
        let installed = Installed { shard: KEY.1, checkpoint: number, file: file(number) };
        RootFiles { installed, older: older.iter().copied().map(file).collect() }
    }

    /// Stores a manifest of the current roots; returns the numbers of the files to remove.
    fn rotate(files: &mut Files, replay_from: u64) -> Vec<u64> {
        let graph = GraphContents {
            id: KEY.0,
            name: String::new(),
            leased_end: 0,
            next_index: 0,
            catalog: Catalog::default(),
            installed: files.roots.values().map(|root| root.installed).collect(),
        };
        let contents = Contents {
            durability: Durability::Sync,
            position: replay_from,
            replay_from,
            last_graph_id: 1,
            graphs: vec![graph],
        };
        let (mut gone, _) = files.rotate(&contents);
        gone.sort_unstable();
        gone.into_iter().map(|file| file.number).collect()
    }

    #[test]
    fn what_was_replaced_between_two_manifests_outlives_the_second() {
        let mut files = Files::new(1);
        files.add_named(KEY, root(1, &[]));
        files.replace(KEY, root(2, &[]));
        files.replace(KEY, root(3, &[]));
        // The manifest of 1 is the one to fall back on, and the log after it installs 2.
        assert_eq!(rotate(&mut files, 1), [0_u64; 0]);
        assert_eq!(rotate(&mut files, 1), [1, 2]);
        assert_eq!(files.all(), HashSet::from([file(3)]));
    }

    #[test]
    fn older_files_stay_as_long_as_a_root_has_sections_in_them() {
        let mut files = Files::new(1);
        files.add_named(KEY, root(1, &[]));
        files.replace(KEY, root(2, &[1]));
        for _ in 0..3 {
            assert_eq!(rotate(&mut files, 1), [0_u64; 0]);
        }
        files.replace(KEY, root(3, &[1]));
        assert_eq!((rotate(&mut files, 1), rotate(&mut files, 1)), (vec![], vec![2]));
        files.replace(KEY, root(4, &[]));
        assert_eq!((rotate(&mut files, 1), rotate(&mut files, 1)), (vec![], vec![1, 3]));
    }

    #[test]
    fn a_transaction_layer_that_a_root_keeps_sections_of_outlives_the_log_that_named_it() {
        let mut files = Files::new(1);
        files.out_of_line.insert(5, vec![file(10), file(11)]);
        files.add_named(KEY, root(12, &[10]));
        assert_eq!(rotate(&mut files, 9), [0_u64; 0], "the log to fall back on begins at 1");
        assert_eq!(rotate(&mut files, 9), [11]);
        files.replace(KEY, root(13, &[]));
        assert_eq!((rotate(&mut files, 9), rotate(&mut files, 9)), (vec![], vec![10, 12]));
    }
}
