//! Gremlin as a language of the database: scripts and bytecode behind the traits of [`millrace_plan::language`].
//!
//! ```text
//!   text ──> TextScript ──bind──┐
//!   bytes ─> BytecodeScript ────┴──> Bytecode, elements found ──parameterize──> Traversal + values ──> Compiled
//! ```
//!
//! What the database asks of a language enters. Nothing of a session is kept here: a script is the same for every
//! request that sends its text.

mod binding;
mod bytecode_script;
mod complete;
mod options;
mod present;
mod profiler;
mod references;
mod text_script;
mod traversal;
mod written;

use millrace_model::{Catalog, Result, TextPosition};
use millrace_plan::completion::Completion;
use millrace_plan::language::{Language, NormalizedQuery, Script};

use crate::parameterize::{normalize, original_position, parse_normalized};
use crate::text::{self, parse};

pub use binding::ArgumentBinding;
pub use bytecode_script::BytecodeScript;
pub use text_script::random_uuid;

use text_script::TextScript;

/// Names of the default graph's source; the first is it even where a graph has this name.
const DEFAULT_SOURCES: &[&str] = &["g", "graph"];

/// The source of traversals that name none.
const DEFAULT_SOURCE: &str = "g";

/// Gremlin in one of its two grammars.
#[derive(Clone, Copy, Debug)]
pub struct Gremlin(text::Language);

/// `gremlin-lang`.
pub static LANG: Gremlin = Gremlin(text::Language::Gremlin);

/// `gremlin-groovy`, as far as it is read.
pub static GROOVY: Gremlin = Gremlin(text::Language::Groovy);

impl Language for Gremlin {
    fn name(&self) -> &'static str {
        match self.0 {
            text::Language::Gremlin => "gremlin-lang",
            text::Language::Groovy => "gremlin",
        }
    }

    fn default_graph_names(&self) -> &'static [&'static str] {
        DEFAULT_SOURCES
    }

    fn normalize(&self, text: &str) -> Option<NormalizedQuery> {
        normalize(text)
    }

    fn parse(&self, text: &str) -> Result<Box<dyn Script>> {
        let script = parse(text, self.0)?;
        Ok(Box::new(TextScript::new(text, script)))
    }

    fn parse_normalized(
        &self,
        normalized: &NormalizedQuery,
        text: &str,
    ) -> Option<Box<dyn Script>> {
        let script = parse_normalized(normalized, text, self.0)?;
        Some(Box::new(TextScript::new(&normalized.text, script)))
    }

    fn original_position(&self, text: &str, position: TextPosition) -> TextPosition {
        original_position(text, position)
    }

    fn profiled(&self, text: &str) -> String {
        let traversal = text.trim_end().trim_end_matches(';').trim_end();
        match traversal.ends_with(".profile()") {
            true => traversal.to_owned(),
            false => format!("{traversal}.profile()"),
        }
    }

    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
        complete::complete(text, offset, catalog)
    }
}
