//! Files and streams as blocks of whole lines. A block never ends inside a line, and in CSV with
//! multi-line fields never inside a quoted field.

use super::unpack::unpacked;
use crate::error::LoadError;
use crate::limits::{BLOCK_BYTES, LINE_BYTES_MAX};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where rows come from.
pub struct Source {
    /// The name that errors show.
    pub name: Arc<str>,
    /// Size as stored (packed), where known.
    pub bytes: Option<u64>,
    reader: Contents,
}

/// What a source reads from.
enum Contents {
    File(File),
    Stream(Box<dyn Read + Send>),
}

impl Source {
    /// A file, which must exist and be readable now.
    pub fn file(path: &Path) -> Result<Self, LoadError> {
        let name: Arc<str> = path.to_string_lossy().into();
        let failed = |source| LoadError::File { file: Arc::clone(&name), source };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::Error::other("this is a folder: name the files in it")));
        }
        let bytes = metadata.is_file().then_some(metadata.len());
        Ok(Self { name, bytes, reader: Contents::File(file) })
    }

    /// A file that is open, under a name for errors.
    pub fn opened(name: &str, file: File) -> Self {
        Self { name: name.into(), bytes: None, reader: Contents::File(file) }
    }

    /// The file, unless this is a stream.
    pub fn into_file(self) -> Option<File> {
        match self.reader {
            Contents::File(file) => Some(file),
            Contents::Stream(_) => None,
        }
    }

    /// Any stream, under a name for errors.
    pub fn stream(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self { name: name.into(), bytes: None, reader: Contents::Stream(Box::new(reader)) }
    }
}

/// Which line ends may end a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// Each one.
    All,
    /// Those outside quotes of this character. A lone quote within an unquoted field counts as an
    /// opening one, which is why multi-line fields have to be asked for.
    OutsideQuotes(u8),
    /// Each byte of this kind, and no line end: what a filter puts between values.
    Each(u8),
}

/// Whole lines of one file.
#[derive(Clone)]
pub struct Block {
    /// The file's name.
    pub file: Arc<str>,
    /// The file's place in the list of files.
    pub source: usize,
    /// The number of the first line.
    pub first_line: u64,
    /// The lines.
    pub bytes: Vec<u8>,
}

/// Cuts one source into blocks.
pub struct BlockReader {
    /// The file's name.
    pub file: Arc<str>,
    source: usize,
    reader: Box<dyn BufRead + Send>,
    line_ends: LineEnds,
    carry: Vec<u8>,
    /// Blocks that were looked at before their turn.
    peeked: VecDeque<Block>,
    /// Whether the last of them counts as one that was not looked at.
    shown_early: bool,
    next_line: u64,
    ended: bool,
}

impl BlockReader {
    /// Starts to read; `packed_bytes` counts the bytes of the file itself, before unpacking.
    pub fn open(
        source: Source,
        index: usize,
        line_ends: LineEnds,
        packed_bytes: Arc<AtomicU64>,
    ) -> Result<Self, LoadError> {
        let file = Arc::clone(&source.name);
        let reader: Box<dyn Read + Send> = match source.reader {
            Contents::File(file) => Box::new(file),
            Contents::Stream(stream) => stream,
        };
        let reader = unpacked(reader, packed_bytes)
            .map_err(|source| LoadError::File { file: Arc::clone(&file), source })?;
        let (carry, peeked, next_line, ended) = (Vec::new(), VecDeque::new(), 1, false);
        let (source, shown_early) = (index, false);
        Ok(Self { file, source, reader, line_ends, carry, peeked, shown_early, next_line, ended })
    }

    /// The bytes that are read next, as many as are there.
    pub(crate) fn head(&mut self) -> Result<&[u8], LoadError> {
        let file = &self.file;
        let failed = |source| LoadError::File { file: Arc::clone(file), source };
        self.reader.fill_buf().map_err(failed)
    }

    /// The first line that is no comment, without its end; `None` for an empty file.
    pub fn header(&mut self, comment: Option<u8>) -> Result<Option<String>, LoadError> {
        loop {
            let line = self.line()?;
            let is_comment = |line: &String| line.as_bytes().first().copied() == comment;
            match line {
                Some(line) if comment.is_some() && is_comment(&line) => {}
                line => return Ok(line),
            }
        }
    }

    fn line(&mut self) -> Result<Option<String>, LoadError> {
        let mut line = Vec::new();
        let limit = LINE_BYTES_MAX as u64;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut line);
        read.map_err(|source| self.failed(source))?;
        if line.is_empty() {
            return Ok(None);
        }
        self.next_line += 1;
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).map_err(|_| self.failed(not_text()))?;
        Ok(Some(text.to_string()))
    }

    /// The next lines, until there are none.
    pub fn next_block(&mut self) -> Result<Option<Block>, LoadError> {
        self.shown_early = false;
        match self.peeked.pop_front() {
            Some(block) => Ok(Some(block)),
            None => self.read_block(),
        }
    }

    /// One more block than was looked at before; all of them still come from [`BlockReader::next_block`].
    pub(crate) fn peek_block(&mut self) -> Result<Option<&Block>, LoadError> {
        if std::mem::take(&mut self.shown_early) {
            return Ok(self.peeked.back());
        }
        match self.read_block()? {
            None => Ok(None),
            Some(block) => {
                self.peeked.push_back(block);
                Ok(self.peeked.back())
            }
        }
    }

    /// The block that [`BlockReader::peek_block`] is asked for next, which still comes from it.
    pub(crate) fn show_block(&mut self) -> Result<Option<&Block>, LoadError> {
        if self.peek_block()?.is_none() {
            return Ok(None);
        }
        self.shown_early = true;
        Ok(self.peeked.back())
    }

    fn read_block(&mut self) -> Result<Option<Block>, LoadError> {
        if self.ended && self.carry.is_empty() {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carry);
        loop {
            self.fill(&mut bytes).map_err(|source| self.failed(source))?;
            if self.ended {
                break;
            }
            if let Some(end) = last_end(&bytes, self.line_ends) {
                self.carry = bytes[end..].to_vec();
                bytes.truncate(end);
                break;
            }
            if LINE_BYTES_MAX < bytes.len() {
                return Err(self.failed(self.too_long()));
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.next_line;
        self.next_line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok(Some(Block { file: Arc::clone(&self.file), source: self.source, first_line, bytes }))
    }

    /// The same file through a filter that keeps its line ends. To be called before the first block is read.
    pub(crate) fn filtered(
        self,
        line_ends: LineEnds,
        filter: impl FnOnce(Box<dyn BufRead + Send>) -> Box<dyn BufRead + Send>,
    ) -> Self {
        Self { reader: filter(self.reader), line_ends, ..self }
    }

    /// The file's name, and all of it as a stream, unpacked.
    pub(crate) fn into_stream(self) -> (Arc<str>, Box<dyn BufRead + Send>) {
        (self.file, self.reader)
    }

    /// Appends one block's worth of bytes, or the rest.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let wanted = BLOCK_BYTES.saturating_sub(bytes.len()).max(BLOCK_BYTES / 2);
        bytes.reserve_exact(wanted);
        let read = self.reader.by_ref().take(wanted as u64).read_to_end(bytes)?;
        self.ended = read < wanted;
        Ok(())
    }

    fn too_long(&self) -> io::Error {
        let hint = match self.line_ends {
            LineEnds::All | LineEnds::Each(_) => "",
            LineEnds::OutsideQuotes(_) => ": is a quote not closed?",
        };
        let of =
            if matches!(self.line_ends, LineEnds::Each(_)) { "a value from line" } else { "line" };
        let line = self.next_line;
        io::Error::other(format!("{of} {line} is longer than {LINE_BYTES_MAX} bytes{hint}"))
    }

    fn failed(&self, source: io::Error) -> LoadError {
        LoadError::File { file: Arc::clone(&self.file), source }
    }
}

fn not_text() -> io::Error {
    io::Error::other("the first line is not UTF-8 text")
}

/// The end of the last whole line.
fn last_end(bytes: &[u8], line_ends: LineEnds) -> Option<usize> {
    match line_ends {
        LineEnds::All => memchr::memrchr(b'\n', bytes).map(|at| at + 1),
        LineEnds::Each(byte) => memchr::memrchr(byte, bytes).map(|at| at + 1),
        LineEnds::OutsideQuotes(quote) => {
            let mut quoted = false;
            let mut end = None;
            for at in memchr::memchr2_iter(quote, b'\n', bytes) {
                match bytes[at] {
                    byte if byte == quote => quoted = !quoted,
                    _ if !quoted => end = Some(at + 1),
                    _ => {}
                }
            }
            end
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn reader(bytes: &[u8], line_ends: LineEnds) -> BlockReader {
        let source = Source::stream("in", io::Cursor::new(bytes.to_vec()));
        BlockReader::open(source, 0, line_ends, Arc::default()).unwrap()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn all(mut reader: BlockReader) -> Vec<(u64, Vec<u8>)> {
        let mut blocks = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            blocks.push((block.first_line, block.bytes));
        }
        blocks
    }

    #[test]
    fn blocks_hold_whole_lines_and_know_their_first() {
        let text: Vec<u8> = (0..300_000).flat_map(|i| format!("line {i}\n").into_bytes()).collect();
        let blocks = all(reader(&text, LineEnds::All));
        assert!(2 < blocks.len());
        let mut line = 1;
        for (first_line, bytes) in &blocks {
            assert_eq!(*first_line, line);
            assert_eq!(bytes.last(), Some(&b'\n'));
            line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        }
        assert_eq!(blocks.concat_bytes(), text);
    }

    trait Concat {
        fn concat_bytes(&self) -> Vec<u8>;
    }

    impl Concat for Vec<(u64, Vec<u8>)> {
        fn concat_bytes(&self) -> Vec<u8> {
            self.iter().flat_map(|(_, bytes)| bytes.clone()).collect()
        }
    }

    #[test]
    fn gzip_is_known_by_its_bytes_even_in_several_members() {
        let packed = [gzip(b"one\n"), gzip(b"two")].concat();
        assert_eq!(all(reader(&packed, LineEnds::All)), [(1, b"one\ntwo".to_vec())]);
    }

    #[test]
    fn a_cut_gzip_file_is_an_error_that_says_so() {
        let packed = gzip(&b"some text that is packed\n".repeat(1000));
        let mut cut = reader(&packed[..packed.len() / 2], LineEnds::All);
        let error = cut.next_block().err().unwrap().to_string();
        assert_eq!(error, "in: the gzip file ends too early: is it complete?");
    }

    #[test]
    fn a_line_end_inside_quotes_ends_no_block() {
        let text = b"a,\"x\ny\"\nb,\"";
        assert_eq!(last_end(text, LineEnds::OutsideQuotes(b'"')), Some(8));
        assert_eq!(last_end(b"a,\"x\n", LineEnds::OutsideQuotes(b'"')), None);
    }

    #[test]
    fn a_missing_file_and_a_folder_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Source::file(&folder.path().join("none.csv")).err().unwrap().to_string();
        assert!(
            missing.contains("none.csv: there is no such file: look for a misspelling"),
            "{missing}"
        );
        let wrong = Source::file(folder.path()).err().unwrap().to_string();
        assert!(wrong.contains("this is a folder"), "{wrong}");
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(all(reader(b"\xef\xbb\xbfa\n", LineEnds::All)), [(1, b"a\n".to_vec())]);
    }
}
