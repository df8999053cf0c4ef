//! Texts that were read before: by what they say, or by what is left of them without their literals.
//!
//! ```text
//!   text ── said before? ────────────────────────────────────────────> Script
//!     └──── Skeleton ── read before? ── else reads it and compares ──> Script, and its literals as values
//!               └─ none, or it says something else: read as it stands ─> Script
//! ```
//!
//! A text that is read by its normalized query is not cached itself, so that a stream of texts that
//! differ only in literals does not fill the cache.

use std::sync::Arc;

use millrace_gremlin::text::{self, Language, Skeleton, parse};
use millrace_model::Result;
use millrace_model::bytecode::Argument;

use super::kept::{Kept, Size};
use super::shapes::Shapes;
use crate::limits::{SCRIPT_BYTES_KEPT_MAX, SCRIPTS_KEPT_MAX};

/// A text that was read.
pub(super) struct Script {
    pub(super) text: text::Script,
    /// The shapes that each of its statements was seen in.
    pub(super) shapes: Vec<Shapes>,
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
    whole: Kept<Arc<str>, Script>,
    /// `None`: its texts are read as they stand.
    skeletons: Kept<Box<str>, Option<Arc<Script>>>,
}

impl Texts {
    /// None yet.
    pub(super) fn new(language: Language) -> Texts {
        let most = Size { entries: SCRIPTS_KEPT_MAX, bytes: SCRIPT_BYTES_KEPT_MAX };
        Texts { language, whole: Kept::new(most), skeletons: Kept::new(most) }
    }

    /// Reads a text as it stands.
    pub(super) fn whole(&self, text: &Arc<str>) -> Result<Arc<Script>> {
        match self.whole.find(&**text) {
            Some(script) => Ok(script),
            None => self.keep(text),
        }
    }

    /// Reads a text, by its normalized query if it has one, which then gives the positions in errors.
    pub(super) fn read(&self, text: &Arc<str>) -> Result<Read> {
        if let Some(script) = self.whole.find(&**text) {
            return Ok(Read { script, literals: Vec::new() });
        }
        if let Some(skeleton) = Skeleton::of(text)
            && let Some(script) = self.of_skeleton(&skeleton, text)
        {
            let literals = skeleton.literals.into_iter().map(Argument::Value).collect();
            return Ok(Read { script, literals });
        }
        self.keep(text).map(|script| Read { script, literals: Vec::new() })
    }

    /// How often a text and a normalized query were cached, were not, and how many are cached.
    pub(super) fn counts(&self) -> [[u64; 3]; 2] {
        [self.whole.counts(), self.skeletons.counts()]
    }

    fn of_skeleton(&self, skeleton: &Skeleton, text: &str) -> Option<Arc<Script>> {
        if let Some(known) = self.skeletons.find(skeleton.text.as_str()) {
            return Option::clone(&known);
        }
        let script = skeleton.read(text, self.language).map(|read| Arc::new(Script::new(read)));
        let key = Box::from(skeleton.text.as_str());
        self.skeletons.keep(key, Arc::new(script.clone()), skeleton.text.len());
        script
    }

    fn keep(&self, text: &Arc<str>) -> Result<Arc<Script>> {
        let script = Arc::new(Script::new(parse(text, self.language)?));
        self.whole.keep(Arc::clone(text), Arc::clone(&script), text.len());
        Ok(script)
    }
}

impl Script {
    fn new(text: text::Script) -> Script {
        let assigns = text.statements.iter().any(|statement| statement.target.is_some());
        let shapes = text.statements.iter().map(|_| Shapes::default()).collect();
        Script { text, shapes, assigns }
    }
}
