//! The errors below the store, sorted by the caller's remedy.
//!
//! Every variant names its path. `Corrupt` is never a guess that was repaired on the way: it tells
//! the caller the truth, and nothing on disk was changed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use millrace_model::{ErrorKind, LogPosition, UNWRITABLE_FOLDER};

/// The result of everything below the store.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure below the store. The variant decides the caller's remedy.
#[derive(Debug)]
pub enum Error {
    /// The operating system refused an operation: nothing to do here but report it.
    Io {
        /// The file or folder that was operated on.
        path: PathBuf,
        /// The failed operation, as a verb: "read", "sync", "rename".
        operation: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// There is no room: free some and try again.
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
        /// The failed operation, as a verb.
        operation: &'static str,
    },
    /// The folder is open to be read only: open it where, and so that, it can be written.
    ReadOnly {
        /// The file or folder that was to be changed.
        path: PathBuf,
        /// The refused operation, as a verb.
        operation: &'static str,
    },
    /// A data folder can be read at most: become its owner, or mount its file system for writing.
    Unwritable {
        /// The data folder.
        path: PathBuf,
        /// The number of the user that it belongs to.
        owner: Option<u32>,
        /// What was refused.
        source: Box<Error>,
    },
    /// This process may not read a data folder: become its owner.
    Unreadable {
        /// The data folder.
        path: PathBuf,
        /// The number of the user that it belongs to.
        owner: Option<u32>,
        /// What was refused.
        source: Box<Error>,
    },
    /// The bytes on disk are not those that were written: restore from a backup.
    Corrupt {
        /// The damaged file.
        path: PathBuf,
        /// Where in the file, in bytes.
        offset: u64,
        /// The fault, and its proof.
        detail: String,
    },
    /// Another process has the data folder open: end it, or use another folder.
    InUse {
        /// The data folder.
        path: PathBuf,
        /// The process id that the holder wrote, if it could be read.
        holder: Option<String>,
    },
    /// The folder holds other things and no data: choose an empty one, or a new name.
    Foreign {
        /// The folder.
        path: PathBuf,
        /// One of the things in it.
        found: String,
    },
    /// A folder for something new holds things already: choose another, or empty it.
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// One of the things in it.
        found: String,
    },
    /// A file of the folder has a number that the folder cannot have given: move it away.
    StrayFile {
        /// The file.
        path: PathBuf,
        /// The number that the next file gets.
        number_next: u64,
    },
    /// A backup is not as it was made, or not whole: make another.
    DamagedBackup {
        /// The backup.
        path: PathBuf,
        /// Where in it, in bytes.
        offset: u64,
        /// The fault.
        detail: String,
    },
    /// A backup found damage in the data that it copies: check that data folder.
    FailedBackup {
        /// The backup.
        path: PathBuf,
        /// The damage and its place.
        detail: String,
    },
    /// The watcher asked to stop.
    Stopped {
        /// The operation that was stopped.
        what: &'static str,
    },
    /// A newer Millrace wrote this file: use that version.
    Version {
        /// The file.
        path: PathBuf,
        /// The format version, or the compatibility flags, found in it.
        found: u32,
        /// The newest this program reads.
        supported: u32,
    },
    /// One thing is larger than its place allows: split it, or send it another way.
    TooLarge {
        /// The thing that is too large.
        what: &'static str,
        /// Its size.
        bytes: u64,
        /// The largest that is taken.
        bytes_max: u64,
    },
    /// A value nests deeper than is stored: flatten it.
    TooDeep {
        /// The deepest that is taken.
        depth_max: usize,
    },
    /// It is not in memory, and the thread that asks must not wait.
    NotInMemory,
    /// The versions of a snapshot are not kept any more: begin again on a new snapshot.
    SnapshotTooOld {
        /// The commit it reads at.
        at: LogPosition,
    },
    /// An earlier write or sync failed: the state on disk is unknown until the folder is reopened.
    Poisoned {
        /// The file of the failed write or sync.
        path: PathBuf,
    },
}

impl Error {
    /// Wraps an error of the operating system; a full disk becomes `DiskFull`.
    pub fn io(path: &Path, operation: &'static str, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::DiskFull { path, operation }
            }
            _ => Self::Io { path, operation, source },
        }
    }

    /// Damage found at `offset` of `path`.
    pub fn corrupt(path: &Path, offset: u64, detail: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_path_buf(), offset, detail: detail.into() }
    }

    /// The same as the refusal of a data folder, which was opened to write or to read, if it is that
    /// the process may not, or that nobody can.
    pub fn of_opening(self, path: &Path, owner: Option<u32>, writes: bool) -> Self {
        let path = path.to_path_buf();
        match writes {
            true if self.is_unwritable() => {
                Self::Unwritable { path, owner, source: Box::new(self) }
            }
            false if self.is_permission_denied() => {
                Self::Unreadable { path, owner, source: Box::new(self) }
            }
            _ => self,
        }
    }

    /// Whether a file cannot be written here, though perhaps read.
    pub fn is_unwritable(&self) -> bool {
        self.is_permission_denied() || self.is_of_system(&[io::ErrorKind::ReadOnlyFilesystem])
    }

    /// Whether this process has no right to it.
    pub fn is_permission_denied(&self) -> bool {
        self.is_of_system(&[io::ErrorKind::PermissionDenied])
    }

    /// Whether the file system has no such operation.
    pub fn is_unsupported(&self) -> bool {
        self.is_of_system(&[io::ErrorKind::InvalidInput, io::ErrorKind::Unsupported])
    }

    /// Whether the file or folder simply is not there.
    pub fn is_not_found(&self) -> bool {
        self.is_of_system(&[io::ErrorKind::NotFound])
    }

    fn is_of_system(&self, kinds: &[io::ErrorKind]) -> bool {
        matches!(self, Self::Io { source, .. } if kinds.contains(&source.kind()))
    }
}

fn fmt_damaged_backup(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    (offset, detail): (u64, &str),
) -> fmt::Result {
    let path = path.display();
    write!(f, "the backup {path} is damaged at byte {offset}: {detail}; make another")
}

fn fmt_failed_backup(f: &mut fmt::Formatter<'_>, path: &Path, detail: &str) -> fmt::Result {
    write!(f, "the backup {} was given up where it was made: {detail}", path.display())
}

fn fmt_refused_folder(
    f: &mut fmt::Formatter<'_>,
    (path, owner): (&Path, Option<u32>),
    verb: &str,
    source: &Error,
) -> fmt::Result {
    let owner = owner.map_or_else(String::new, |owner| format!(" of user {owner}"));
    write!(f, "the data folder {}{owner} cannot be {verb}: {source}", path.display())
}

/// What to do about a folder that cannot be written, or not even be read.
fn help_of_refused_folder(error: &Error) -> Option<&'static str> {
    match error {
        Error::Unwritable { source, .. } if source.is_permission_denied() => Some(
            "run as the user that owns it, or change the owner with chown -R; `millrace serve \
             --read-only` needs only the right to read its files",
        ),
        Error::Unwritable { .. } => Some(
            "`millrace serve --read-only` serves it, and shell, export, check and backup read it; to \
             write, mount the file system for writing",
        ),
        Error::Unreadable { .. } => {
            Some("run as the user that owns it, or change the owner with chown -R")
        }
        _ => None,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, operation, source } => {
                write!(f, "cannot {operation} {}: {source}", path.display())
            }
            Self::DiskFull { path, operation } => write!(
                f,
                "cannot {operation} {}: the disk is full; free some space and try again",
                path.display()
            ),
            Self::Unwritable { path, owner, source } => {
                fmt_refused_folder(f, (path, *owner), "written", source)
            }
            Self::Unreadable { path, owner, source } => {
                fmt_refused_folder(f, (path, *owner), "read", source)
            }
            Self::ReadOnly { path, operation } => write!(
                f,
                "cannot {operation} {}: the data folder is open to be read only",
                path.display()
            ),
            Self::Corrupt { path, offset, detail } => write!(
                f,
                "{} is damaged at byte {offset}: {detail}; nothing was changed, restore the data \
                 folder from a backup",
                path.display()
            ),
            Self::InUse { path, holder } => {
                let holder = holder.as_deref().unwrap_or("another process");
                write!(
                    f,
                    "the data folder {} is in use by {holder}; stop it, or give another folder",
                    path.display()
                )
            }
            Self::Version { path, found, supported } => write!(
                f,
                "{} has format {found:#x}, this program reads up to {supported:#x}; open it with \
                 the newer Millrace that wrote it",
                path.display()
            ),
            Self::TooLarge { what, bytes, bytes_max } => {
                write!(f, "{what} has {bytes} bytes, at most {bytes_max} are taken")
            }
            Self::TooDeep { depth_max } => {
                write!(f, "a value nests deeper than {depth_max} levels; store it flatter")
            }
            Self::NotInMemory => f.write_str("this is not in memory, and cannot be waited for"),
            Self::Foreign { path, found } => write!(
                f,
                "{} is not a data folder, and not empty: it contains {found} (choose an empty folder, or \
                 a new name)",
                path.display()
            ),
            Self::NotEmpty { path, found } => write!(
                f,
                "{} is not empty: it holds {found} (choose an empty folder, or a new name)",
                path.display()
            ),
            Self::StrayFile { path, number_next } => write!(
                f,
                "{} is not a file of this data folder: its number is far above the next one, \
                 {number_next:#x}, and numbers would run out; nothing was changed, move the file to \
                 another folder",
                path.display()
            ),
            Self::DamagedBackup { path, offset, detail } => {
                fmt_damaged_backup(f, path, (*offset, detail))
            }
            Self::FailedBackup { path, detail } => fmt_failed_backup(f, path, detail),
            Self::Stopped { what } => write!(f, "{what} was stopped"),
            Self::SnapshotTooOld { at } => {
                write!(f, "the snapshot at commit {at} is too old: a checkpoint has passed it")
            }
            Self::Poisoned { path } => write!(
                f,
                "writing stopped after a failed write or sync of {}; reopen the data folder",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Unwritable { source, .. } | Self::Unreadable { source, .. } => Some(source),
            Self::DiskFull { .. }
            | Self::ReadOnly { .. }
            | Self::Corrupt { .. }
            | Self::InUse { .. }
            | Self::Version { .. }
            | Self::TooLarge { .. }
            | Self::TooDeep { .. }
            | Self::NotInMemory
            | Self::Foreign { .. }
            | Self::NotEmpty { .. }
            | Self::StrayFile { .. }
            | Self::DamagedBackup { .. }
            | Self::FailedBackup { .. }
            | Self::Stopped { .. }
            | Self::SnapshotTooOld { .. }
            | Self::Poisoned { .. } => None,
        }
    }
}

/// The error that a client of the store gets.
impl From<Error> for millrace_model::Error {
    fn from(error: Error) -> millrace_model::Error {
        let kind = match &error {
            Error::Io { .. } => ErrorKind::Io,
            Error::Unwritable { source, .. } | Error::Unreadable { source, .. }
                if source.is_permission_denied() =>
            {
                ErrorKind::Forbidden
            }
            Error::Unwritable { .. } | Error::Unreadable { .. } => ErrorKind::ReadOnly,
            Error::DiskFull { .. } | Error::ReadOnly { .. } | Error::Poisoned { .. } => {
                ErrorKind::ReadOnly
            }
            Error::Corrupt { .. } | Error::DamagedBackup { .. } | Error::FailedBackup { .. } => {
                ErrorKind::Corrupt
            }
            Error::Stopped { .. } => ErrorKind::Cancelled,
            Error::SnapshotTooOld { .. } => ErrorKind::Conflict,
            Error::InUse { .. } | Error::NotInMemory => ErrorKind::Unavailable,
            Error::Foreign { .. } | Error::NotEmpty { .. } | Error::StrayFile { .. } => {
                ErrorKind::BadInput
            }
            Error::Version { .. } => ErrorKind::Unsupported,
            Error::TooLarge { .. } | Error::TooDeep { .. } => ErrorKind::LimitReached,
        };
        let message = millrace_model::Error::new(kind, error.to_string());
        let message = match help_of_refused_folder(&error) {
            Some(help) => message.with_help(help),
            None => message,
        };
        match error {
            Error::Unwritable { .. } => message.with_name(UNWRITABLE_FOLDER),
            Error::SnapshotTooOld { .. } => {
                message.with_help("run the query again on a new snapshot")
            }
            _ => message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_another_user_and_one_on_a_read_only_file_system_have_errors_of_their_own() {
        let path = Path::new("/data");
        let refused = |kind: io::ErrorKind, writes| -> millrace_model::Error {
            let error = Error::io(&path.join("LOCK"), "open", kind.into());
            error.of_opening(path, Some(1000), writes).into()
        };
        let denied = refused(io::ErrorKind::PermissionDenied, true);
        assert_eq!((denied.kind, denied.name), (ErrorKind::Forbidden, Some(UNWRITABLE_FOLDER)));
        assert!(denied.detail.contains("/data of user 1000 cannot be written"), "{denied}");
        let read_only = refused(io::ErrorKind::ReadOnlyFilesystem, true);
        let kind_and_name = (read_only.kind, read_only.name);
        assert_eq!(kind_and_name, (ErrorKind::ReadOnly, Some(UNWRITABLE_FOLDER)));
        assert!(read_only.help.is_some_and(|help| help.contains("serve --read-only")));
        let unreadable = refused(io::ErrorKind::PermissionDenied, false);
        assert_eq!((unreadable.kind, unreadable.name), (ErrorKind::Forbidden, None));
        assert!(unreadable.detail.contains("/data of user 1000 cannot be read"), "{unreadable}");
        assert_eq!(refused(io::ErrorKind::NotFound, true).kind, ErrorKind::Io);
    }
}
