//! A section behind a handle: in memory, or in a file until its first use.
//!
//! [`Section::get`] hands out a share. It stays whole, and is never evicted, while it is pinned;
//! take it once for a chunk of work, not once a list, and let go.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use millrace_store::non_blocking;
use parking_lot::RwLock;

use crate::base::bytes::checksum;
use crate::base::codec::{Malformed, Reader};
use crate::base::error::{Error, Result};
use crate::folder::{Charge, Evict, EvictOutcome, SectionMemory};
use crate::io::DiskFile;

/// The body of a section, with its encoding and its size in memory.
pub trait SectionBody: Sized + fmt::Debug + Send + Sync + 'static {
    /// Appends it to `bytes`.
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()>;

    /// Decodes it from bytes that passed their checksum. The structure is checked, so that no later
    /// access can panic.
    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Self, Malformed>;

    /// Bytes in memory.
    fn byte_size(&self) -> usize;
}

/// Bytes of a file that carry one checksum.
#[derive(Clone)]
pub struct Extent {
    /// Where they are.
    pub file: Arc<dyn DiskFile>,
    /// The number of the segment it is, or 0 for a file that does not last.
    pub segment: u64,
    /// Where they begin.
    pub offset: u64,
    /// How many there are.
    pub length: u64,
    /// Their checksum.
    pub checksum: u32,
    /// Where they are counted once they are loaded.
    pub memory: Arc<SectionMemory>,
}

impl Extent {
    /// Whether both are one place of one segment.
    pub(crate) fn is_same(&self, other: &Extent) -> bool {
        let place = |extent: &Extent| (extent.segment, extent.offset, extent.length);
        self.segment != 0 && place(self) == place(other)
    }

    /// Reads the bytes and verifies them.
    pub fn read(&self) -> Result<Vec<u8>> {
        let length = usize::try_from(self.length).expect("a section was built in memory once");
        let mut bytes = vec![0; length];
        self.read_to(&mut bytes)?;
        Ok(bytes)
    }

    fn read_to(&self, bytes: &mut [u8]) -> Result<()> {
        self.try_read_to(bytes).inspect_err(|error| self.note_damage(error))
    }

    fn note_damage(&self, error: &Error) {
        if matches!(error, Error::Corrupt { .. }) {
            self.memory.note_damage();
            self.memory.watch().note_damage(error);
        }
    }

    fn try_read_to(&self, bytes: &mut [u8]) -> Result<()> {
        self.file.read_at(self.offset, bytes)?;
        let length = bytes.len();
        self.memory.note_read(length);
        if checksum(bytes) == self.checksum {
            return Ok(());
        }
        let detail = format!("the checksum of the {length} bytes from there is wrong");
        Err(Error::corrupt(self.file.path(), self.offset, detail))
    }

    /// Reads, verifies and decodes the bytes.
    pub fn load<T: SectionBody>(&self) -> Result<T> {
        // The bytes and the decoded body are in memory together.
        let length = self.length as usize;
        let _charge = self.memory.charge(length);
        let mut room = self.memory.take_room(length);
        let bytes = &mut room[..length];
        self.read_to(bytes)?;
        let mut reader = Reader::new(bytes);
        let body = T::decode(&mut reader).and_then(|body| reader.finish().map(|()| body));
        self.memory.keep_room(room);
        body.map_err(|Malformed { offset, what }| {
            let error = Error::corrupt(self.file.path(), self.offset + offset as u64, what);
            self.note_damage(&error);
            error
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
    slot: Arc<Slot<T>>,
}

/// A section in memory, as long as this is pinned.
#[derive(Debug)]
pub struct Pinned<T>(Arc<Body<T>>);

#[derive(Debug)]
struct Slot<T> {
    loaded: RwLock<Option<Pinned<T>>>,
    extent: Option<Extent>,
    /// Whether it was taken since eviction looked last.
    used: AtomicBool,
}

#[derive(Debug)]
struct Body<T> {
    body: T,
    /// None while it is only in memory: its builder accounts for it.
    charge: OnceLock<Charge>,
}

impl<T> Clone for Pinned<T> {
    fn clone(&self) -> Pinned<T> {
        Pinned(Arc::clone(&self.0))
    }
}

impl<T> Deref for Pinned<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0.body
    }
}

impl<T> Pinned<T> {
    /// Whether both are one section, loaded once.
    pub fn is_same(&self, other: &Pinned<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Pinned<T> {
    /// Where it is in memory: as long as it is pinned, no other is there.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }
}

impl<T: SectionBody> Pinned<T> {
    fn new(body: T) -> Pinned<T> {
        Pinned(Arc::new(Body { body, charge: OnceLock::new() }))
    }

    /// Counts it, unless it is counted already.
    fn charge(&self, memory: &Arc<SectionMemory>) {
        self.0.charge.get_or_init(|| memory.charge(self.byte_size()));
    }
}

impl<T: SectionBody> Section<T> {
    /// A section that is only in memory.
    pub fn of(body: T) -> Section<T> {
        Section::with(Some(Pinned::new(body)), None)
    }

    /// A section that is in a file.
    pub fn stored(extent: Extent) -> Section<T> {
        Section::with(None, Some(extent))
    }

    /// The section as it is now also stored; the loaded body of `old` stays in memory.
    pub(crate) fn moved(old: Option<&Section<T>>, extent: Extent) -> Section<T> {
        let loaded = old.and_then(|old| old.slot.loaded.read().clone());
        let section = Section::with(loaded, Some(extent));
        if let (Some(pinned), Some(extent)) = (&*section.slot.loaded.read(), &section.slot.extent) {
            pinned.charge(&extent.memory);
            section.enter(&extent.memory);
        }
        section
    }

    fn with(loaded: Option<Pinned<T>>, extent: Option<Extent>) -> Section<T> {
        let used = AtomicBool::new(false);
        Section { slot: Arc::new(Slot { loaded: RwLock::new(loaded), extent, used }) }
    }

    /// The section; read and verified if this is the first access. After an error the next access
    /// tries again. The reads of one section wait for each other, those of several do not.
    pub fn get(&self) -> Result<Pinned<T>> {
        let slot = &*self.slot;
        // A thread that reads the file holds the lock: it is waited for only where blocking is
        // allowed.
        let loaded = slot.loaded.try_read();
        if let Some(pinned) = loaded.as_deref().and_then(Option::as_ref) {
            slot.note_use();
            return Ok(pinned.clone());
        }
        drop(loaded);
        non_blocking::would_block().map_err(|_| Error::NotInMemory)?;
        let mut loaded = slot.loaded.write();
        if let Some(pinned) = &*loaded {
            return Ok(pinned.clone());
        }
        let extent = slot.extent.as_ref().expect("a section without a file is never unloaded");
        let pinned = Pinned::new(extent.load::<T>()?);
        pinned.charge(&extent.memory);
        // Not a use yet: a section accessed once is evicted before one accessed again.
        *loaded = Some(pinned.clone());
        drop(loaded);
        self.enter(&extent.memory);
        extent.memory.make_room();
        Ok(pinned)
    }

    /// Another handle to the same section.
    pub fn share(&self) -> Section<T> {
        Section { slot: Arc::clone(&self.slot) }
    }

    /// Where it is stored, if it is.
    pub fn extent(&self) -> Option<&Extent> {
        self.slot.extent.as_ref()
    }

    /// An error for contents that can't be right, although their bytes are those that were written.
    pub(super) fn corrupt(&self, detail: &str) -> Error {
        let extent =
            self.extent().expect("what is made in memory agrees with what it is made with");
        Error::corrupt(extent.file.path(), extent.offset, detail)
    }

    /// Lets go of the memory if the section can be read again; says how many bytes that was.
    pub fn unload(&self) -> usize {
        if self.slot.extent.is_none() {
            return 0;
        }
        self.slot.loaded.write().take().map_or(0, |pinned| pinned.byte_size())
    }

    /// Bytes in memory: none if not loaded.
    pub fn byte_size(&self) -> usize {
        self.slot.loaded.read().as_ref().map_or(0, |pinned| pinned.byte_size())
    }

    /// Does something while it is locked as by a thread that reads it.
    #[cfg(test)]
    pub(crate) fn while_read_by_another(&self, work: impl FnOnce()) {
        let _loaded = self.slot.loaded.write();
        work();
    }

    fn enter(&self, memory: &SectionMemory) {
        let slot: Weak<Slot<T>> = Arc::downgrade(&self.slot);
        memory.enter(slot);
    }
}

impl<T> Slot<T> {
    #[inline]
    fn note_use(&self) {
        // Looked at first: a store by every reader would move the line between their cores.
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
    }
}

impl<T: SectionBody> Evict for Slot<T> {
    fn evict(&self) -> EvictOutcome {
        let Some(mut loaded) = self.loaded.try_write() else { return EvictOutcome::Spared };
        match &*loaded {
            None => EvictOutcome::Absent,
            Some(_) if self.used.swap(false, Ordering::Relaxed) => EvictOutcome::Spared,
            // No reader can begin to hold it: it would wait for this lock.
            Some(pinned) if 1 < Arc::strong_count(&pinned.0) => EvictOutcome::Spared,
            Some(_) => {
                *loaded = None;
                EvictOutcome::Evicted
            }
        }
    }
}
