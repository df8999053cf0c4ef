//! The cache of parsed texts: by the whole text, or by its normalized query.
//!
//! ```text
//!   text ── cached? ─────────────────────────────────────────────────> Script
//!     └──── NormalizedQuery ── cached? ── else parsed and compared ──> Script, and its literals as values
//!               └─ none, or it says something else: text is parsed ──> Script
//! ```
//!
//! A text that is parsed by its normalized query is not cached itself, so that a stream of texts that
//! differ only in literals does not fill the cache.

use std::sync::Arc;

use millrace_gremlin::text::{self, Language, NormalizedQuery, parse};
use millrace_model::Result;
use millrace_model::bytecode::Argument;

use super::cache::{Cache, Size};
use super::fingerprints::Fingerprints;
use crate::limits::{SCRIPT_BYTES_CACHED_MAX, SCRIPTS_CACHED_MAX};

/// A text that was read.
pub(super) struct Script {
    pub(super) text: text::Script,
    /// The fingerprints of each of its statements.
    pub(super) fingerprints: Vec<Fingerprints>,
    /// Whether a statement assigns a variable.
    pub(super) assigns: bool,
}

/// A text that is ready to run.
pub(super) struct Read {
    pub(super) script: Arc<Script>,
    /// The values of its variables that stand for literals; none, if it stands for itself.
    pub(super) literals: Vec<Argument>,
}

/// The texts of one language.
pub(super) struct Texts {
    language: Language,
    whole: Cache<Arc<str>, Script>,
    /// `None`: its texts are read as they stand.
    normalized: Cache<Box<str>, Option<Arc<Script>>>,
}

impl Texts {
    /// None yet.
    pub(super) fn new(language: Language) -> Texts {
        let most = Size { entries: SCRIPTS_CACHED_MAX, bytes: SCRIPT_BYTES_CACHED_MAX };
        Texts { language, whole: Cache::new(most), normalized: Cache::new(most) }
    }

    /// Reads a text as it stands.
    pub(super) fn whole(&self, text: &Arc<str>) -> Result<Arc<Script>> {
        match self.whole.find(&**text) {
            Some(script) => Ok(script),
            None => self.parse(text),
        }
    }

    /// Reads a text, by its normalized query if it has one, which then gives the positions in errors.
    pub(super) fn read(&self, text: &Arc<str>) -> Result<Read> {
        if let Some(script) = self.whole.find(&**text) {
            return Ok(Read { script, literals: Vec::new() });
        }
        if let Some(normalized) = NormalizedQuery::of(text)
            && let Some(script) = self.of_normalized(&normalized, text)
        {
            let literals = normalized.literals.into_iter().map(Argument::Value).collect();
            return Ok(Read { script, literals });
        }
        self.parse(text).map(|script| Read { script, literals: Vec::new() })
    }

    /// Hits, misses and entries of texts and of normalized queries.
    pub(super) fn counts(&self) -> [[u64; 3]; 2] {
        [self.whole.counts(), self.normalized.counts()]
    }

    fn of_normalized(&self, normalized: &NormalizedQuery, text: &str) -> Option<Arc<Script>> {
        if let Some(known) = self.normalized.find(normalized.text.as_str()) {
            return Option::clone(&known);
        }
        let script = normalized.read(text, self.language).map(|read| Arc::new(Script::new(read)));
        let key = Box::from(normalized.text.as_str());
        self.normalized.insert(key, Arc::new(script.clone()), normalized.text.len());
        script
    }

    fn parse(&self, text: &Arc<str>) -> Result<Arc<Script>> {
        let script = Arc::new(Script::new(parse(text, self.language)?));
        self.whole.insert(Arc::clone(text), Arc::clone(&script), text.len());
        Ok(script)
    }
}

impl Script {
    fn new(text: text::Script) -> Script {
        let assigns = text.statements.iter().any(|statement| statement.target.is_some());
        let fingerprints = text.statements.iter().map(|_| Fingerprints::default()).collect();
        Script { text, fingerprints, assigns }
    }
}
