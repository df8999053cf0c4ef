//! A text through a tokenizer and filters, to tokens.

use std::ops::Range;

use millrace_model::{Error, ErrorKind, Result, query_limits};

use super::analyzer::Pipeline;
use super::characters::CJK;
use super::filters::Filter;
use super::tokenizers::{PieceKind, Tokenizer};
use crate::limits::{KEYWORD_BYTES_MAX, TOKEN_UTF16_MAX, TOKENS_MAX};

/// A word of a text as an index has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The word.
    pub text: &'t str,
    /// Its place among the words, from 0. Words that were dropped have a place, too.
    pub position: u32,
    /// The bytes of the text that it stands for.
    pub bytes: Range<usize>,
}

/// A token that owns its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedToken {
    /// The word.
    pub text: String,
    /// As in [`Token`].
    pub position: u32,
    /// As in [`Token`].
    pub bytes: Range<usize>,
}

impl From<Token<'_>> for OwnedToken {
    fn from(token: Token) -> OwnedToken {
        OwnedToken { text: token.text.to_owned(), position: token.position, bytes: token.bytes }
    }
}

/// Takes tokens.
pub type TokenSink<'s> = &'s mut dyn FnMut(Token) -> Result<()>;

/// Analyses a text.
pub(super) fn run(pipeline: Pipeline, text: &str, sink: TokenSink) -> Result<()> {
    let in_context = match pipeline.tokenizer {
        Tokenizer::LettersAndDigits => sigmas_in_context(text),
        _ => None,
    };
    let text = in_context.as_deref().unwrap_or(text);
    let mut run = Run {
        text,
        pipeline,
        pieces: 0,
        position: 0,
        pending: None,
        word: String::new(),
        spare: String::new(),
        sink,
    };
    // Kept apart: the callback borrows the rest.
    let tokenizer = pipeline.tokenizer;
    tokenizer.split(text, &mut |(kind, bytes)| match tokenizer {
        Tokenizer::Whole => run.piece(kind, 0..whole_end(text)),
        _ => run.pieces_of_long(kind, bytes),
    })?;
    run.flush()
}

/// A part of a word through the filters that look at characters only.
pub(super) fn normalize(pipeline: Pipeline, part: &str) -> String {
    let (mut word, mut spare) = (part.to_owned(), String::new());
    for filter in pipeline.filters.iter().filter(|filter| filter.is_of_characters()) {
        if !filter.apply(PieceKind::Word, &mut word, &mut spare) {
            return String::new();
        }
    }
    word
}

/// The text with each capital sigma as the small one that it becomes in the lower case of the whole text, which looks
/// beyond words; both have as many bytes. `None`: there is none.
fn sigmas_in_context(text: &str) -> Option<String> {
    if !text.contains('Σ') {
        return None;
    }
    let lower = text.to_lowercase();
    let mut lower = lower.chars();
    let in_context = |c: char| {
        let own = lower.by_ref().take(c.to_lowercase().count()).last();
        if c == 'Σ' { own.unwrap_or(c) } else { c }
    };
    Some(text.chars().map(in_context).collect())
}

/// The end of a text that is one word.
fn whole_end(text: &str) -> usize {
    let mut end = text.len().min(KEYWORD_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// A character of Chinese, Japanese or Korean.
struct Pending {
    c: char,
    bytes: Range<usize>,
    /// Whether it is the second of a pair.
    is_paired: bool,
}

struct Run<'r> {
    text: &'r str,
    pipeline: Pipeline,
    pieces: usize,
    position: u32,
    /// The character that the next one makes a pair with.
    pending: Option<Pending>,
    word: String,
    spare: String,
    sink: TokenSink<'r>,
}

impl Run<'_> {
    /// A piece, in parts if it is long.
    fn pieces_of_long(&mut self, kind: PieceKind, bytes: Range<usize>) -> Result<()> {
        if bytes.len() <= TOKEN_UTF16_MAX {
            return self.piece(kind, bytes);
        }
        // A text without a space may be one piece of many megabytes.
        if self.text[bytes.clone()].is_ascii() {
            let ends = |start: usize| bytes.end.min(start + TOKEN_UTF16_MAX);
            let mut starts = bytes.clone().step_by(TOKEN_UTF16_MAX);
            return starts.try_for_each(|start| self.piece(kind, start..ends(start)));
        }
        let (mut start, mut length) = (bytes.start, 0);
        for (at, c) in self.text[bytes.clone()].char_indices() {
            if TOKEN_UTF16_MAX < length + c.len_utf16() {
                self.piece(kind, start..bytes.start + at)?;
                (start, length) = (bytes.start + at, 0);
            }
            length += c.len_utf16();
        }
        self.piece(kind, start..bytes.end)
    }

    fn piece(&mut self, kind: PieceKind, bytes: Range<usize>) -> Result<()> {
        self.count(bytes.len())?;
        self.word.clear();
        self.word.push_str(&self.text[bytes.clone()]);
        if !self.pipeline.bigrams {
            let stays = filter(self.pipeline.filters, kind, &mut self.word, &mut self.spare);
            return self.emit(stays, bytes);
        }
        let mut changes =
            self.pipeline.filters.iter().filter(|filter| !matches!(filter, Filter::Stop(_)));
        let stays = changes.all(|change| change.apply(kind, &mut self.word, &mut self.spare));
        if stays && self.word.chars().all(|c| CJK.contain(c)) {
            return self.pair(bytes);
        }
        // It makes a word of its own, which needs the room.
        let word = std::mem::take(&mut self.word);
        self.flush()?;
        self.word = word;
        let stays = stays && self.is_no_stop_word();
        self.emit(stays, bytes)
    }

    fn count(&mut self, bytes: usize) -> Result<()> {
        self.pieces += 1;
        query_limits::step_bytes(bytes)?;
        if TOKENS_MAX < self.pieces {
            return Err(too_many());
        }
        Ok(())
    }

    fn is_no_stop_word(&mut self) -> bool {
        let mut stops =
            self.pipeline.filters.iter().filter(|filter| matches!(filter, Filter::Stop(_)));
        stops.all(|stop| stop.apply(PieceKind::Word, &mut self.word, &mut self.spare))
    }

    /// Makes pairs of the characters of the word, the first with the one before it.
    fn pair(&mut self, bytes: Range<usize>) -> Result<()> {
        let word = std::mem::take(&mut self.word);
        if self.pending.as_ref().is_some_and(|before| before.bytes.end != bytes.start) {
            self.flush()?;
        }
        let raw = &self.text[bytes.clone()];
        // Forms of another width are as many, except where a mark joins its letter.
        let are_as_many = raw.chars().count() == word.chars().count();
        let starts = raw.char_indices().map(|(at, c)| (bytes.start + at, c.len_utf8()));
        let mut starts = starts.filter(|_| are_as_many);
        for c in word.chars() {
            let own = starts.next().map_or(bytes.clone(), |(start, length)| start..start + length);
            let before = self.pending.take();
            self.pending = Some(Pending { c, bytes: own.clone(), is_paired: before.is_some() });
            if let Some(before) = before {
                self.count(0)?;
                self.put(&[before.c, c], before.bytes.start..own.end)?;
            }
        }
        self.word = word;
        Ok(())
    }

    /// A character that stayed alone is a word.
    fn flush(&mut self) -> Result<()> {
        match self.pending.take() {
            Some(alone) if !alone.is_paired => self.put(&[alone.c], alone.bytes),
            _ => Ok(()),
        }
    }

    fn put(&mut self, characters: &[char], bytes: Range<usize>) -> Result<()> {
        self.word.clear();
        self.word.extend(characters);
        let stays = self.is_no_stop_word();
        self.emit(stays, bytes)
    }

    fn emit(&mut self, stays: bool, bytes: Range<usize>) -> Result<()> {
        let position = self.position;
        self.position += 1;
        if !stays {
            return Ok(());
        }
        (self.sink)(Token { text: &self.word, position, bytes })
    }
}

fn filter(filters: &[Filter], kind: PieceKind, word: &mut String, spare: &mut String) -> bool {
    filters.iter().all(|filter| filter.apply(kind, word, spare))
}

fn too_many() -> Error {
    let detail = format!("a text has more than {TOKENS_MAX} words, too many for an index of words");
    Error::new(ErrorKind::LimitReached, detail)
        .with_help("store the text in parts, or drop the index on this property")
}
