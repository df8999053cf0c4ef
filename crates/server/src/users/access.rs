//! Access to the users file: its owner and a group of the server can read it, and no other account.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use millrace_model::{Error, ErrorKind, Result};
use rustix::process::{getegid, getgroups};

use super::account::Account;

/// What a file may have: its owner reads and writes it, its group reads it.
pub(super) const MODE_MAX: u32 = 0o640;

/// The read permission of the group.
const GROUP_READS: u32 = 0o040;

/// The mode of a file that had another before, if there was one; `has_readers`: its group may read it.
pub(super) fn mode(before: Option<u32>, has_readers: bool) -> u32 {
    let kept = before.unwrap_or(MODE_MAX & !GROUP_READS) & MODE_MAX;
    if has_readers { kept | GROUP_READS } else { kept }
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

/// The owner that the file needs, where the server may not read it.
pub(super) fn remedy(path: &Path) -> String {
    let (own, group, path) = (Account::own(), getegid().as_raw(), path.display());
    format!(
        "the server runs as `{own}`: the file has to be its own, or that of a group that it runs in: \
         chown {own} {path}; or chgrp {group} {path} && chmod 640 {path}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_of_its_mode_what_a_server_takes() {
        for (before, kept, with_group) in [
            (None, 0o600, 0o640),
            (Some(0o600), 0o600, 0o640),
            (Some(0o640), 0o640, 0o640),
            (Some(0o400), 0o400, 0o440),
            (Some(0o666), 0o640, 0o640),
            (Some(0o100_755), 0o640, 0o640),
        ] {
            assert_eq!(mode(before, false), kept, "{before:?}");
            assert_eq!(mode(before, true), with_group, "{before:?}");
        }
    }
}
