//! Versions and compatibility flags, which every file carries.
//!
//! A flag is a bit that says "this file uses X". A reader refuses a file that has a bit it does not
//! know, so X can be added without a new version, and only files that use it are refused.

use std::path::Path;

use crate::base::error::{Error, Result};

/// The format of a file, or the newest one that a program can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Grows when the layout changes.
    pub version: u32,
    /// One bit for each optional part.
    pub flags: u32,
}

impl Format {
    /// Refuses, by name, a file that is newer than `self` can read.
    pub fn check(self, path: &Path, found: Self) -> Result<()> {
        let refuse = |found, supported| Error::Version { path: path.into(), found, supported };
        if self.version < found.version {
            return Err(refuse(found.version, self.version));
        }
        if found.flags & !self.flags != 0 {
            return Err(refuse(found.flags, self.flags));
        }
        Ok(())
    }
}
