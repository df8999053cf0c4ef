//! The manifest: which files make up the store, written whole.
//!
//! The payload is the caller's; this module makes it durable and finds it again. One number space
//! names all files (folder.rs), so the newest manifest is the one with the largest number.
//!
//! ```text
//!   MANIFEST-%016x, all numbers little-endian
//!    0  8  magic "MILLRMAN"
//!    8  4  version            of the payload
//!   12  4  compatibility flags
//!   16  8  number             that of the name
//!   24  8  number_next        the next number for a file of any kind
//!   32  8  payload length
//!   40  4  checksum of the payload
//!   44  4  checksum of bytes 0 to 43
//!   48     payload
//! ```
//!
//! Written as: temporary, sync, rename, sync folder; then all but the last two are removed. So a
//! crash leaves whole manifests only, and a damaged one was damaged at rest.
//!
//! Falling back on the older manifest is only sound while the files it names and the log after it
//! are there. So the files that *either* of the two names must be kept.

use std::path::Path;

use crate::base::bytes::{checksum, put, u32_at, u64_at};
use crate::base::error::{Error, Result};
use crate::base::format::Format;
use crate::base::limits::{MANIFEST_BYTES_MAX, MANIFESTS_KEPT};
use crate::base::mend::{mend_bit, mend_with_sum};
use crate::folder::Folder;
use crate::io::{FileKind, FileName};

const MAGIC: &[u8; 8] = b"MILLRMAN";
const HEADER_BYTES: usize = 48;

/// The content of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The format of the payload.
    pub format: Format,
    /// The payload.
    pub payload: Vec<u8>,
}

/// A manifest that was found at open.
#[derive(Debug)]
pub struct LoadedManifest {
    /// Its content.
    pub manifest: Manifest,
    /// Its name.
    pub name: FileName,
    /// The damage of the newer one, if this is the one to fall back on. Worth a warning.
    pub newer_damaged: Option<Error>,
}

impl Manifest {
    /// Makes this the newest manifest. It is durable when this returns; after an error the one
    /// before still holds.
    pub fn store(&self, folder: &Folder) -> Result<FileName> {
        let bytes_max = MANIFEST_BYTES_MAX;
        let bytes = (HEADER_BYTES + self.payload.len()) as u64;
        if bytes > bytes_max {
            return Err(Error::TooLarge { what: "the manifest", bytes, bytes_max });
        }
        let name = folder.new_name(FileKind::Manifest);
        let temporary = folder.temporary_path_of(name);
        let write = || {
            let file = folder.disk().create(&temporary)?;
            file.write_at(0, &self.encode(name.number, folder.number_next()))?;
            file.sync_data()
        };
        write().inspect_err(|_| {
            // Best effort: a file left behind goes at the next open.
            let _ = folder.disk().remove(&temporary);
        })?;
        folder.disk().rename(&temporary, &folder.path_of(name))?;
        folder.sync()?;
        let names = folder.names(FileKind::Manifest)?;
        if let Some(kept) = names.len().checked_sub(MANIFESTS_KEPT) {
            Self::remove_before(folder, names[kept])?;
        }
        Ok(name)
    }

    /// Removes the manifests before one. Files that only they name may go from now on.
    pub(crate) fn remove_before(folder: &Folder, kept: FileName) -> Result<()> {
        let names = folder.names(FileKind::Manifest)?;
        for old in names.iter().filter(|name| name.number < kept.number) {
            folder.disk().remove(&folder.path_of(*old))?;
        }
        Ok(())
    }

    /// The newest valid manifest; none in a new folder. Raises the folder's counter. A manifest
    /// newer than `supported` is refused by its name, never skipped.
    pub fn load(folder: &Folder, supported: Format) -> Result<Option<LoadedManifest>> {
        let mut newer_damaged = None;
        for name in folder.names(FileKind::Manifest)?.into_iter().rev().take(MANIFESTS_KEPT) {
            match read(folder, name, supported) {
                Ok((manifest, number_next)) => {
                    folder.check_numbers(number_next)?;
                    return Ok(Some(LoadedManifest { manifest, name, newer_damaged }));
                }
                Err(damaged @ Error::Corrupt { .. }) => {
                    newer_damaged.get_or_insert(damaged);
                }
                Err(other) => return Err(other),
            }
        }
        match newer_damaged {
            Some(damaged) => Err(damaged),
            None => check_new(folder).map(|()| None),
        }
    }

    /// One manifest, verified.
    pub(crate) fn read(folder: &Folder, name: FileName, supported: Format) -> Result<Manifest> {
        read(folder, name, supported).map(|(manifest, _)| manifest)
    }

    /// Writes this under a name that no manifest has, and replaces a file of that name.
    pub(crate) fn store_as(&self, folder: &Folder, name: &str) -> Result<()> {
        let (path, temporary) =
            (folder.path().join(name), folder.path().join(format!("{name}.tmp")));
        // A temporary that a crash left behind.
        let _gone = folder.disk().remove(&temporary);
        let write = || {
            let file = folder.disk().create(&temporary)?;
            file.write_at(0, &self.encode(0, 0))?;
            file.sync_data()
        };
        write().inspect_err(|_| {
            let _gone = folder.disk().remove(&temporary);
        })?;
        folder.disk().rename(&temporary, &path)?;
        folder.sync()
    }

    /// The manifest that [`Manifest::store_as`] wrote, a flipped bit put right.
    pub(crate) fn load_copy(
        folder: &Folder,
        name: &str,
        supported: Format,
    ) -> Result<Option<Manifest>> {
        read_mended(folder, (&folder.path().join(name), 0), supported)
    }

    /// The newest manifest that is whole once a flipped bit is put right, for a repair where no
    /// manifest is valid as it is.
    pub(crate) fn load_mended(folder: &Folder, supported: Format) -> Result<Option<Manifest>> {
        for name in folder.names(FileKind::Manifest)?.into_iter().rev() {
            let place = (&*folder.path_of(name), name.number);
            if let Some(manifest) = read_mended(folder, place, supported)? {
                return Ok(Some(manifest));
            }
        }
        Ok(None)
    }

    fn encode(&self, number: u64, number_next: u64) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES];
        put(&mut bytes, 0, MAGIC);
        put(&mut bytes, 8, &self.format.version.to_le_bytes());
        put(&mut bytes, 12, &self.format.flags.to_le_bytes());
        put(&mut bytes, 16, &number.to_le_bytes());
        put(&mut bytes, 24, &number_next.to_le_bytes());
        put(&mut bytes, 32, &(self.payload.len() as u64).to_le_bytes());
        put(&mut bytes, 40, &checksum(&self.payload).to_le_bytes());
        let header = checksum(&bytes[..44]);
        put(&mut bytes, 44, &header.to_le_bytes());
        bytes.extend_from_slice(&self.payload);
        bytes
    }
}

/// A manifest, and the number that the next file was to get when it was written.
fn read(folder: &Folder, name: FileName, supported: Format) -> Result<(Manifest, u64)> {
    let path = folder.path_of(name);
    let file = folder.disk().open(&path)?;
    let size = file.size()?;
    if size < HEADER_BYTES as u64 || MANIFEST_BYTES_MAX < size {
        return Err(Error::corrupt(&path, 0, format!("a manifest can't have {size} bytes")));
    }
    let mut bytes = vec![0; size as usize];
    file.read_at(0, &mut bytes)?;
    let format = decode_header(&path, &bytes, name)?;
    supported.check(&path, format)?;
    let payload = bytes.split_off(HEADER_BYTES);
    if payload.len() as u64 != u64_at(&bytes, 32) || checksum(&payload) != u32_at(&bytes, 40) {
        let detail = "the manifest's contents do not match their checksum";
        return Err(Error::corrupt(&path, HEADER_BYTES as u64, detail));
    }
    let number_next = u64_at(&bytes, 24);
    folder.raise_number_above(number_next.saturating_sub(1));
    Ok((Manifest { format, payload }, number_next))
}

/// A manifest with one flipped bit put right in its header, and one in its payload. If the header
/// is beyond that, the payload still counts where its own checksum is right.
fn read_mended(
    folder: &Folder,
    (path, number): (&Path, u64),
    supported: Format,
) -> Result<Option<Manifest>> {
    let file = folder.disk().open(path)?;
    let size = file.size()?;
    if size < HEADER_BYTES as u64 || MANIFEST_BYTES_MAX < size {
        return Ok(None);
    }
    let mut bytes = vec![0; size as usize];
    if file.read_at(0, &mut bytes).is_err() {
        return Ok(None);
    }
    let mut payload = bytes.split_off(HEADER_BYTES);
    let sum = u32_at(&bytes, 44);
    let is_mended = mend_with_sum(&mut bytes[..44], sum).is_some();
    let payload_sum = u32_at(&bytes, 40);
    if !is_mended {
        let is_whole = checksum(&payload) == payload_sum;
        return Ok(is_whole.then_some(Manifest { format: supported, payload }));
    }
    let format = Format { version: u32_at(&bytes, 8), flags: u32_at(&bytes, 12) };
    supported.check(path, format)?;
    let is_this = bytes[..8] == *MAGIC && u64_at(&bytes, 16) == number;
    if !is_this || payload.len() as u64 != u64_at(&bytes, 32) {
        return Ok(None);
    }
    let is_whole = mend_bit(&mut payload, payload_sum);
    folder.raise_number_above(u64_at(&bytes, 24).saturating_sub(1));
    Ok(is_whole.then_some(Manifest { format, payload }))
}

fn decode_header(path: &Path, bytes: &[u8], name: FileName) -> Result<Format> {
    if bytes[..8] != *MAGIC {
        return Err(Error::corrupt(path, 0, "this is no manifest"));
    }
    if checksum(&bytes[..44]) != u32_at(bytes, 44) || u64_at(bytes, 16) != name.number {
        return Err(Error::corrupt(path, 0, "the manifest's header does not match its checksum"));
    }
    Ok(Format { version: u32_at(bytes, 8), flags: u32_at(bytes, 12) })
}

/// A folder without a manifest must be new: the first manifest is written before anything else.
fn check_new(folder: &Folder) -> Result<()> {
    for kind in [FileKind::Log, FileKind::Segment, FileKind::Spill] {
        if let Some(name) = folder.names(kind)?.first() {
            let detail = format!("there is no manifest, but there is {name}");
            return Err(Error::corrupt(folder.path(), 0, detail));
        }
    }
    folder.check_numbers(1)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::io::Disk;
    use crate::io::sim::SimDisk;

    const FORMAT: Format = Format { version: 3, flags: 0b1 };

    fn open(disk: &SimDisk) -> Folder {
        Folder::open(Arc::new(disk.clone()), Path::new("/data")).unwrap()
    }

    fn manifest(text: &str) -> Manifest {
        Manifest { format: FORMAT, payload: text.as_bytes().to_vec() }
    }

    fn manifests(disk: &SimDisk) -> Vec<PathBuf> {
        disk.files().into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn the_newest_is_found_and_two_are_kept() {
        let disk = SimDisk::new(1);
        let folder = open(&disk);
        assert!(Manifest::load(&folder, FORMAT).unwrap().is_none());
        for text in ["one", "two", "three"] {
            manifest(text).store(&folder).unwrap();
        }
        let loaded = Manifest::load(&folder, FORMAT).unwrap().unwrap();
        assert_eq!(loaded.manifest, manifest("three"));
        assert!(loaded.newer_damaged.is_none());
        assert_eq!(manifests(&disk).len(), 2);
    }

    #[test]
    fn a_damaged_one_falls_back_and_two_damaged_ones_refuse() {
        let disk = SimDisk::new(1);
        let folder = open(&disk);
        manifest("one").store(&folder).unwrap();
        manifest("two").store(&folder).unwrap();
        let paths = manifests(&disk);
        disk.flip_bit(&paths[1], HEADER_BYTES as u64 + 1, 3);
        let loaded = Manifest::load(&folder, FORMAT).unwrap().unwrap();
        assert_eq!(loaded.manifest, manifest("one"));
        assert!(
            matches!(loaded.newer_damaged, Some(Error::Corrupt { path, .. }) if path == paths[1])
        );
        disk.flip_bit(&paths[0], 20, 3);
        let refused = Manifest::load(&folder, FORMAT).unwrap_err();
        assert!(matches!(&refused, Error::Corrupt { path, offset: 48, .. } if *path == paths[1]));
        assert!(refused.to_string().contains("restore the data folder from a backup"));
    }

    #[test]
    fn a_newer_version_or_an_unknown_flag_is_refused_by_name_and_never_skipped() {
        let disk = SimDisk::new(1);
        let folder = open(&disk);
        manifest("one").store(&folder).unwrap();
        manifest("two").store(&folder).unwrap();
        let older = Format { version: 2, flags: 0b1 };
        let fewer = Format { version: 3, flags: 0 };
        for (supported, found) in [(older, 3), (fewer, 1)] {
            let refused = Manifest::load(&folder, supported).unwrap_err();
            assert!(matches!(refused, Error::Version { found: f, .. } if f == found), "{refused}");
        }
    }

    #[test]
    fn every_crash_leaves_the_old_or_the_new_one() {
        for seed in 0..200 {
            let disk = SimDisk::new(seed);
            let folder = open(&disk);
            manifest("one").store(&folder).unwrap();
            manifest("two").store(&folder).unwrap();
            disk.crash_after(seed % 7);
            let stored = manifest("three").store(&folder).is_ok();
            drop(folder);
            disk.power_loss();
            let loaded = Manifest::load(&open(&disk), FORMAT).unwrap().unwrap();
            assert!(loaded.newer_damaged.is_none(), "seed {seed}");
            let found = loaded.manifest;
            assert!(
                found == manifest("three") || (!stored && found == manifest("two")),
                "seed {seed}: stored {stored}, found {found:?}"
            );
        }
    }

    #[test]
    fn a_number_given_out_before_the_manifest_is_not_given_again() {
        let disk = SimDisk::new(1);
        let folder = open(&disk);
        let gone = (0..5).map(|_| folder.new_name(FileKind::Segment)).next_back().unwrap();
        manifest("one").store(&folder).unwrap();
        drop(folder);
        let folder = open(&disk);
        Manifest::load(&folder, FORMAT).unwrap();
        assert!(gone.number < folder.new_name(FileKind::Segment).number);
    }

    #[test]
    fn data_without_a_manifest_is_damage_not_a_new_folder() {
        let disk = SimDisk::new(1);
        disk.create(Path::new("/data/log-0000000000000001.mlog")).unwrap();
        let refused = Manifest::load(&open(&disk), FORMAT).unwrap_err();
        assert!(refused.to_string().contains("log-0000000000000001.mlog"), "{refused}");
    }
}
