//! A section behind a handle: in memory, or in a file until somebody touches it.
//!
//! What a reader would get wrong: [`Section::get`] hands out a share. It stays whole while it is
//! held, even if the handle unloads meanwhile; take it once for a chunk of work, not once a list.

use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;

use crate::bytes::checksum;
use crate::codec::{Malformed, Reader};
use crate::error::{Error, Result};
use crate::io::DiskFile;

/// What can be a section: it knows its bytes and its size.
pub trait SectionBody: Sized {
    /// Appends it to `bytes`.
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()>;

    /// Takes it from bytes whose checksum was right. Shape is checked, so that no later access
    /// can panic.
    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Self, Malformed>;

    /// Bytes in memory.
    fn byte_size(&self) -> usize;
}

/// Bytes of a file that carry one checksum.
#[derive(Clone)]
pub struct Extent {
    /// Where they are.
    pub file: Arc<dyn DiskFile>,
    /// Where they begin.
    pub offset: u64,
    /// How many there are.
    pub length: u64,
    /// Their checksum.
    pub checksum: u32,
}

impl Extent {
    /// Reads the bytes and verifies them.
    pub fn read(&self) -> Result<Vec<u8>> {
        let length = usize::try_from(self.length).expect("a section was built in memory once");
        let mut bytes = vec![0; length];
        self.file.read_at(self.offset, &mut bytes)?;
        if checksum(&bytes) == self.checksum {
            return Ok(bytes);
        }
        let detail = format!("the checksum of the {length} bytes from there is wrong");
        Err(Error::corrupt(self.file.path(), self.offset, detail))
    }

    /// Reads and decodes what the bytes hold.
    pub fn load<T: SectionBody>(&self) -> Result<T> {
        let bytes = self.read()?;
        let mut reader = Reader::new(&bytes);
        let body = T::decode(&mut reader).and_then(|body| reader.finish().map(|()| body));
        body.map_err(|Malformed { offset, what }| {
            Error::corrupt(self.file.path(), self.offset + offset as u64, what)
        })
    }
}

impl fmt::Debug for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} + {}", self.file.path().display(), self.offset, self.length)
    }
}

/// A section that is loaded, or can be.
#[derive(Debug)]
pub struct Section<T> {
    loaded: RwLock<Option<Arc<T>>>,
    extent: Option<Extent>,
}

impl<T: SectionBody> Section<T> {
    /// A section that is only in memory.
    pub fn of(body: T) -> Section<T> {
        Section { loaded: RwLock::new(Some(Arc::new(body))), extent: None }
    }

    /// A section that is in a file.
    pub fn stored(extent: Extent) -> Section<T> {
        Section { loaded: RwLock::new(None), extent: Some(extent) }
    }

    /// The section; read and verified if this is the first touch. After an error the next touch
    /// tries again.
    pub fn get(&self) -> Result<Arc<T>> {
        if let Some(body) = &*self.loaded.read() {
            return Ok(body.clone());
        }
        let mut loaded = self.loaded.write();
        if let Some(body) = &*loaded {
            return Ok(body.clone());
        }
        let extent = self.extent.as_ref().expect("a section without a file is never unloaded");
        let body = Arc::new(extent.load::<T>()?);
        *loaded = Some(body.clone());
        Ok(body)
    }

    /// The section as it is now also stored; what `old` has in memory stays there.
    pub(crate) fn moved(old: Option<&Section<T>>, extent: Extent) -> Section<T> {
        let loaded = old.and_then(|old| old.loaded.read().clone());
        Section { loaded: RwLock::new(loaded), extent: Some(extent) }
    }

    /// Another handle to the same section.
    pub fn share(&self) -> Section<T> {
        Section { loaded: RwLock::new(self.loaded.read().clone()), extent: self.extent.clone() }
    }

    /// Where it is stored, if it is.
    pub fn extent(&self) -> Option<&Extent> {
        self.extent.as_ref()
    }

    /// Lets go of the memory if the section can be read again; says how many bytes that was.
    pub fn unload(&self) -> usize {
        if self.extent.is_none() {
            return 0;
        }
        self.loaded.write().take().map_or(0, |body| body.byte_size())
    }

    /// Bytes in memory: none if not loaded.
    pub fn byte_size(&self) -> usize {
        self.loaded.read().as_ref().map_or(0, |body| body.byte_size())
    }
}
