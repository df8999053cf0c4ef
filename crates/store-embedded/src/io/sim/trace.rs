//! The last operations on the disk, thread by thread, so that a crash can be named by the two
//! operations it fell between.

use std::collections::HashMap;
use std::path::Path;
use std::thread::ThreadId;

use crate::io::{FileKind, FileName};

/// A changing operation, by its verb and the kind of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Its verb: `create`, `write`, `sync`, `rename`, `remove`, `resize`, `sync folder`.
    pub does: &'static str,
    /// The kind of its file; `None` for a folder, or a file that is none of ours.
    pub file: Option<FileKind>,
}

/// Where a crash fell: after one operation, before or in the midst of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrashPlace {
    /// The last operation of the crashed thread that was done, since
    /// [`begin`](super::SimDisk::begin_trace).
    pub done: Option<Operation>,
    /// The one that was not, unless the crash came as soon as the last was done.
    pub undone: Option<Operation>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Trace {
    last: HashMap<ThreadId, Operation>,
    pub(super) crash: Option<CrashPlace>,
}

impl Operation {
    pub(super) fn new(does: &'static str, path: &Path) -> Operation {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.as_deref().map(|name| name.strip_suffix(".tmp").unwrap_or(name));
        let file = name.and_then(FileName::parse).map(|name| name.kind);
        Operation { does, file }
    }

    /// Whether the store may hold the lock of the log while it does this, after `before`.
    pub(super) fn is_of_log(&self, before: Option<Operation>) -> bool {
        let log = Some(FileKind::Log);
        match self.does {
            "sync folder" => before.is_some_and(|last| last.file == log),
            _ => self.file == log,
        }
    }
}

impl Trace {
    pub(super) fn begin(&mut self) {
        self.last.remove(&std::thread::current().id());
    }

    pub(super) fn last(&self) -> Option<Operation> {
        self.last.get(&std::thread::current().id()).copied()
    }

    pub(super) fn note(&mut self, operation: Operation) {
        self.last.insert(std::thread::current().id(), operation);
    }

    pub(super) fn crash(&mut self, undone: Option<Operation>) {
        self.crash = Some(CrashPlace { done: self.last(), undone });
    }
}
