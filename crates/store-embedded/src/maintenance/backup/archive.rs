//! A backup as one file: a tar that any `tar` unpacks, with a list of checksums at its end.
//!
//! ```text
//!   a header of 512 bytes and a file, padded to 512        for each file
//!   the same for CHECKSUMS, a text:                        millrace backup 1
//!                                                          position 77
//!                                                          9f3a0c11 4096 log-….mlog     each file
//!                                                          end 5d00a1b2     checksum of the lines above
//!   1024 zeros
//! ```
//!
//! A backup that fails on the way ends with a file FAILED instead, which says why: a client of a
//! server has the status before that is known.
//!
//! A tar that is truncated between two files still looks whole to `tar`. Only the list at the end
//! proves that nothing is missing.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::{List, Sink};
use crate::base::bytes::{checksum, put};
use crate::base::error::{Error, Result};
use crate::base::limits::{COPY_BYTES, FAILURE_BYTES_MAX, MANIFEST_BYTES_MAX};
use crate::io::FileName;

const BLOCK: usize = 512;
const LIST: &str = "CHECKSUMS";
const FAILED: &str = "FAILED";
const FIRST_LINE: &str = "millrace backup 1";
/// The largest size that 11 octal digits say; beyond, the field is binary.
const OCTAL_MAX: u64 = 0o77_777_777_777;

/// Writes an archive.
pub struct ArchiveWriter<'a> {
    out: &'a mut dyn Write,
    path: PathBuf,
    /// Bytes of the current file, for the padding.
    bytes: u64,
    /// Bytes of it that are still to come.
    rest: u64,
}

impl<'a> ArchiveWriter<'a> {
    /// An archive to a stream, which errors name as `path`.
    pub fn new(out: &'a mut dyn Write, path: &Path) -> Self {
        Self { out, path: path.to_path_buf(), bytes: 0, rest: 0 }
    }

    /// Ends the archive with the reason why it is not whole. If a file was begun, the rest of it is
    /// filled with zeros, so that a reader finds the reason behind it.
    pub fn fail(&mut self, why: &str) -> Result<()> {
        let zeros = [0; BLOCK];
        while self.rest != 0 {
            let length = self.rest.min(BLOCK as u64) as usize;
            self.put(&zeros[..length])?;
        }
        self.begin(FAILED, why.len() as u64)?;
        self.put(why.as_bytes())?;
        self.pad()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.out.write_all(bytes);
        written.map_err(|error| Error::io(&self.path, "write", error))
    }

    fn pad(&mut self) -> Result<()> {
        let rest = (self.bytes as usize).next_multiple_of(BLOCK) - self.bytes as usize;
        self.bytes = 0;
        self.write(&[0; BLOCK][..rest])
    }
}

impl Sink for ArchiveWriter<'_> {
    fn begin(&mut self, name: &str, bytes: u64) -> Result<()> {
        self.pad()?;
        self.write(&header(name, bytes))?;
        self.rest = bytes;
        Ok(())
    }

    fn put(&mut self, part: &[u8]) -> Result<()> {
        self.bytes += part.len() as u64;
        self.rest = self.rest.saturating_sub(part.len() as u64);
        self.write(part)
    }

    fn finish(&mut self, list: &List) -> Result<()> {
        let text = list_text(list);
        self.begin(LIST, text.len() as u64)?;
        self.put(text.as_bytes())?;
        self.pad()?;
        self.write(&[0; 2 * BLOCK])?;
        self.out.flush().map_err(|error| Error::io(&self.path, "write", error))
    }
}

fn header(name: &str, bytes: u64) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    put(&mut header, 0, name.as_bytes());
    put(&mut header, 100, b"0000644\0");
    put(&mut header, 108, b"0000000\0");
    put(&mut header, 116, b"0000000\0");
    match bytes <= OCTAL_MAX {
        true => put(&mut header, 124, format!("{bytes:011o}\0").as_bytes()),
        false => {
            header[124] = 0x80;
            put(&mut header, 128, &bytes.to_be_bytes());
        }
    }
    put(&mut header, 136, b"00000000000\0");
    header[156] = b'0';
    put(&mut header, 257, b"ustar\x0000");
    let sum = header_sum(&header);
    put(&mut header, 148, format!("{sum:06o}\0 ").as_bytes());
    header
}

/// Whether a file that begins so can be an archive: it begins with the header of a file in it.
pub fn can_be_archive(beginning: &[u8]) -> bool {
    let Some(header) = beginning.first_chunk::<BLOCK>() else { return false };
    let digits = std::str::from_utf8(&header[148..156]).unwrap_or_default();
    let digits = digits.trim_matches(['\0', ' ']);
    u32::from_str_radix(digits, 8).is_ok_and(|sum| sum == header_sum(header))
}

/// The sum of a header's bytes, its own field taken for blanks.
fn header_sum(header: &[u8; BLOCK]) -> u32 {
    let own = 148..156;
    let byte = |(at, byte): (usize, &u8)| if own.contains(&at) { 32 } else { u32::from(*byte) };
    header.iter().enumerate().map(byte).sum()
}

fn list_text(list: &List) -> String {
    let mut text = format!("{FIRST_LINE}\nposition {}\n", list.position);
    for (name, bytes, sum) in &list.files {
        text.push_str(&format!("{sum:08x} {bytes} {name}\n"));
    }
    let sum = checksum(text.as_bytes());
    text + &format!("end {sum:08x}\n")
}

fn parse_list(text: &str) -> Option<List> {
    let (body, end) = text.strip_suffix('\n')?.rsplit_once('\n')?;
    let sum = u32::from_str_radix(end.strip_prefix("end ")?, 16).ok()?;
    if checksum(&text.as_bytes()[..body.len() + 1]) != sum {
        return None;
    }
    let mut lines = body.lines();
    let position = (lines.next()? == FIRST_LINE).then(|| lines.next())??;
    let position = position.strip_prefix("position ")?.parse().ok()?;
    let file = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let sum = u32::from_str_radix(words.next()?, 16).ok()?;
        let bytes = words.next()?.parse().ok()?;
        Some((words.next()?.to_owned(), bytes, sum))
    };
    Some(List { position, files: lines.map(file).collect::<Option<_>>()? })
}

/// Reads an archive back, file by file.
pub struct ArchiveReader<'a> {
    input: &'a mut dyn Read,
    path: PathBuf,
    offset: u64,
    /// Bytes of the current file still to come, and its padding.
    rest: u64,
    padding: usize,
    buffer: Vec<u8>,
    list: Option<List>,
}

impl<'a> ArchiveReader<'a> {
    /// An archive from a stream, which errors name as `path`.
    pub fn new(input: &'a mut dyn Read, path: &Path) -> Self {
        let (path, buffer) = (path.to_path_buf(), vec![0; COPY_BYTES]);
        Self { input, path, offset: 0, rest: 0, padding: 0, buffer, list: None }
    }

    /// The path by which errors name it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next file's name and bytes; `None` at the end, where the list was read.
    pub fn next_file(&mut self) -> Result<Option<(String, u64)>> {
        debug_assert_eq!(self.rest, 0, "a file is read to its end");
        let mut header = [0; BLOCK];
        self.read(&mut header)?;
        let (name, bytes) = self.decode(&header)?;
        if name == LIST {
            self.read_list(bytes)?;
            return Ok(None);
        }
        if name == FAILED {
            return Err(self.read_failure(bytes));
        }
        if FileName::parse(&name).is_none() {
            return Err(self.damaged(format!("there is a file {name:?} in it that no backup has")));
        }
        self.rest = bytes;
        self.padding = (bytes as usize).next_multiple_of(BLOCK) - bytes as usize;
        Ok(Some((name, bytes)))
    }

    /// The next part of the current file; `None` at its end.
    pub fn part(&mut self) -> Result<Option<&[u8]>> {
        if self.rest == 0 {
            let padding = std::mem::take(&mut self.padding);
            self.read(&mut [0; BLOCK][..padding])?;
            return Ok(None);
        }
        let length = self.rest.min(COPY_BYTES as u64) as usize;
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = self.read(&mut buffer[..length]);
        self.buffer = buffer;
        read?;
        self.rest -= length as u64;
        Ok(Some(&self.buffer[..length]))
    }

    /// The list at the end.
    pub fn list(&self) -> Result<List> {
        self.list
            .clone()
            .ok_or_else(|| self.damaged("the list of its files was not reached".into()))
    }

    fn decode(&self, header: &[u8; BLOCK]) -> Result<(String, u64)> {
        let not_one = || self.damaged("this is not a backup, or it is truncated here".into());
        let text = |from: usize, to: usize| {
            let field = &header[from..to];
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            std::str::from_utf8(&field[..end]).ok()
        };
        let octal = |text: &str| u64::from_str_radix(text.trim(), 8).ok();
        let sum = text(148, 156).and_then(octal).ok_or_else(not_one)?;
        if sum != u64::from(header_sum(header)) {
            return Err(not_one());
        }
        let bytes = match header[124] & 0x80 {
            0 => text(124, 136).and_then(octal),
            _ => header[128..136].try_into().ok().map(u64::from_be_bytes),
        };
        let name = text(0, 100).ok_or_else(not_one)?;
        Ok((name.to_owned(), bytes.ok_or_else(not_one)?))
    }

    fn read_list(&mut self, bytes: u64) -> Result<()> {
        if MANIFEST_BYTES_MAX < bytes {
            return Err(self.damaged("the list of its files is too long".into()));
        }
        let mut text = vec![0; bytes as usize];
        self.read(&mut text)?;
        let list = std::str::from_utf8(&text).ok().and_then(parse_list);
        self.list =
            Some(list.ok_or_else(|| self.damaged("the list of its files is damaged".into()))?);
        Ok(())
    }

    /// The error that an archive says it ended with.
    fn read_failure(&mut self, bytes: u64) -> Error {
        let mut text = vec![0; bytes.min(FAILURE_BYTES_MAX) as usize];
        match self.read(&mut text) {
            Ok(()) => Error::FailedBackup {
                path: self.path.clone(),
                detail: String::from_utf8_lossy(&text).into_owned(),
            },
            Err(error) => error,
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it is truncated".into()),
            _ => Error::io(&self.path, "read", error),
        })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn damaged(&self, detail: String) -> Error {
        Error::DamagedBackup { path: self.path.clone(), offset: self.offset, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "log-0000000000000007.mlog";

    fn packed() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = ArchiveWriter::new(&mut bytes, Path::new("b.tar"));
        writer.begin(NAME, 1_000).unwrap();
        writer.put(&[7; 600]).unwrap();
        writer.put(&[8; 400]).unwrap();
        let sum = checksum(&[vec![7; 600], vec![8; 400]].concat());
        let list = List { position: 3, files: vec![(NAME.to_owned(), 1_000, sum)] };
        writer.finish(&list).unwrap();
        bytes
    }

    #[test]
    fn an_archive_is_known_by_its_beginning() {
        assert!(can_be_archive(&packed()[..BLOCK]));
        for other in [&b"name,age\nann,7\n"[..], &[b'x'; 600], &[0; 600], &packed()[..100]] {
            assert!(!can_be_archive(other));
        }
    }

    fn unpacked(bytes: &[u8]) -> Result<List> {
        let mut input = bytes;
        let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
        while let Some((name, length)) = reader.next_file()? {
            assert_eq!((name.as_str(), length), (NAME, 1_000));
            while reader.part()?.is_some() {}
        }
        reader.list()
    }

    #[test]
    fn what_is_packed_is_unpacked_and_truncation_is_noticed_everywhere() {
        let bytes = packed();
        assert_eq!(bytes.len() % BLOCK, 0);
        let list = unpacked(&bytes).unwrap();
        assert_eq!((list.position, list.files.len()), (3, 1));
        let end = bytes.len() - 2 * BLOCK;
        for length in (0..end - BLOCK).step_by(97) {
            assert!(unpacked(&bytes[..length]).is_err(), "{length} of {end}");
        }
    }

    #[test]
    fn sizes_beyond_octal_are_kept() {
        let mut input: &[u8] = &header(NAME, 1 << 40);
        let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
        assert_eq!(reader.next_file().unwrap(), Some((NAME.to_owned(), 1 << 40)));
    }
}
