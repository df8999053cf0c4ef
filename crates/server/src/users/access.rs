//! Who may read the file of users: its owner, and a group that the server runs in. Nothing else may be able to.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use millrace_model::{Error, ErrorKind, Result};
use rustix::process::{getegid, geteuid, getgroups};

/// What a file may have: its owner reads and writes it, its group reads it.
pub(super) const MODE_MAX: u32 = 0o640;

/// The read permission of the group.
const GROUP_READS: u32 = 0o040;

/// Whose the file is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ownership {
    /// The number of the user; `None`: as it is.
    pub owner: Option<u32>,
    /// The number of the group, which may read the file; `None`: as it is.
    pub group: Option<u32>,
}

impl Ownership {
    /// Whether nothing is asked for.
    pub fn is_as_it_is(&self) -> bool {
        self.owner.is_none() && self.group.is_none()
    }

    /// The mode of a file with the mode `before`, if there was one.
    pub(super) fn mode(&self, before: Option<u32>) -> u32 {
        let kept = before.unwrap_or(MODE_MAX & !GROUP_READS) & MODE_MAX;
        if self.group.is_some() { kept | GROUP_READS } else { kept }
    }
}

/// Fails where more accounts than those of the server may read the file, or another may write it.
pub(super) fn check(path: &Path, file: &Metadata) -> Result<()> {
    let detail = if file.mode() & 0o777 & !MODE_MAX != 0 {
        "other accounts may read it or write to it"
    } else if file.mode() & GROUP_READS != 0 && !is_own_group(file.gid()) {
        "a group that the server does not run in may read it"
    } else {
        return Ok(());
    };
    let error = Error::new(ErrorKind::BadInput, format!("users file {}: {detail}", path.display()));
    let path = path.display();
    Err(error.with_help(format!("chmod 600 {path}; or 640, if its group is the server's")))
}

fn is_own_group(group: u32) -> bool {
    let further = getgroups().unwrap_or_default();
    getegid().as_raw() == group || further.iter().any(|own| own.as_raw() == group)
}

/// Whose the file has to be, where the server may not read it.
pub(super) fn remedy(path: &Path) -> String {
    let (user, group, path) = (geteuid().as_raw(), getegid().as_raw(), path.display());
    format!(
        "the server runs as user {user} in group {group}, and its file has to be that user's, or readable by \
         that group: chgrp {group} {path} && chmod 640 {path}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_of_its_mode_what_a_server_takes() {
        let as_it_is = Ownership::default();
        let for_a_group = Ownership { group: Some(7), ..as_it_is };
        for (before, kept, with_group) in [
            (None, 0o600, 0o640),
            (Some(0o600), 0o600, 0o640),
            (Some(0o640), 0o640, 0o640),
            (Some(0o400), 0o400, 0o440),
            (Some(0o666), 0o640, 0o640),
            (Some(0o100_755), 0o640, 0o640),
        ] {
            assert_eq!(as_it_is.mode(before), kept, "{before:?}");
            assert_eq!(for_a_group.mode(before), with_group, "{before:?}");
        }
    }
}
