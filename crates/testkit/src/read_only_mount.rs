//! A folder shown a second time, where nothing of it can be written.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::require;

/// A read-only bind mount of a folder. Unmounted when dropped.
pub struct ReadOnlyMount {
    at: PathBuf,
}

impl ReadOnlyMount {
    /// Mounts a folder at a path that is not there yet, for a test, which is skipped by name where this
    /// process may not mount.
    pub fn for_test(folder: &Path, at: &Path) -> Option<ReadOnlyMount> {
        let mount = |arguments: &[&OsStr]| {
            let done = Command::new("mount").args(arguments).output();
            done.is_ok_and(|output| output.status.success())
        };
        let made =
            fs::create_dir(at).is_ok() && mount(&["--bind".as_ref(), folder.as_ref(), at.as_ref()]);
        let mounted = made
            .then(|| ReadOnlyMount { at: at.to_path_buf() })
            .filter(|_| mount(&["-o".as_ref(), "remount,bind,ro".as_ref(), at.as_ref()]));
        if require("a read-only bind mount", mounted.is_some()) { mounted } else { None }
    }
}

impl Drop for ReadOnlyMount {
    fn drop(&mut self) {
        // A mount that stays is in a folder of the test's own.
        let _done = Command::new("umount").arg(&self.at).output();
    }
}
