//! The statement cache: parsed texts, prepared statements and pools of operators, for all languages.
//!
//! ```text
//!   text ──Text?──────────────────────────────────────────────> CachedScript ──fingerprint──> PreparedStatement
//!     └──normalize──Normalized?── else parsed and compared ──────> CachedScript, literals       ^
//!                                                                       └─bind──Statement?──────┘ else compiled
//! ```
//!
//! There is one cache with one bound in bytes. A text that is found by its normalized query has no entry of its
//! own, so a stream of texts that differ only in literals evicts nothing.
//!
//! A statement runs in a transaction that it is given. Sessions, variables of a session and names of graphs never enter.

mod cache;
mod detached;
mod fingerprints;
mod plan_pool;
mod prepared;

use std::sync::Arc;

use millrace_model::{MemoryBudget, Result, Value};
use millrace_plan::language::{Language, Normalized, NormalizedQuery, Script, Statement};
use millrace_store::non_blocking;

use crate::monitoring::Metric;
use crate::request::{Source, Statements as Given};
use cache::{Cache, Key, Lookup, StatementKey};

pub(crate) use detached::DetachPlans;
pub(crate) use fingerprints::Fingerprints;
pub(crate) use prepared::{PreparedStatement, ReadyStatement};

/// A parsed script.
pub(crate) struct CachedScript {
    pub(crate) script: Arc<dyn Script>,
    /// The fingerprints of each statement; none for a script that is not cached.
    pub(crate) fingerprints: Vec<Fingerprints>,
    /// Whether a statement assigns a variable.
    pub(crate) assigns: bool,
}

impl CachedScript {
    fn of_text(script: Box<dyn Script>) -> CachedScript {
        let fingerprints = script.statements().iter().map(|_| Fingerprints::default()).collect();
        CachedScript { fingerprints, ..CachedScript::of_decoded(Arc::from(script)) }
    }

    fn of_decoded(script: Arc<dyn Script>) -> CachedScript {
        let assigns = script.statements().iter().any(|statement| statement.target.is_some());
        CachedScript { script, fingerprints: Vec::new(), assigns }
    }

    /// Its statements, in order.
    pub(crate) fn statements(&self) -> &[Statement] {
        self.script.statements()
    }
}

/// A cache entry.
#[derive(Clone)]
enum Entry {
    /// A script, by its text or its normalized query.
    Script(Arc<CachedScript>),
    /// Texts of this normalized query are read as they stand.
    NotNormalized,
    /// A statement, by its form without its values.
    Prepared(Arc<PreparedStatement>),
    /// Operators of plans that have the same fingerprint.
    Plans(Arc<plan_pool::AlikePlans>),
}

/// The statements of a database.
pub(crate) struct StatementCache(Cache);

impl StatementCache {
    /// An empty one, with its part of the memory of a process.
    pub(crate) fn new(memory: &MemoryBudget) -> StatementCache {
        StatementCache(Cache::new(memory))
    }

    /// The script of a source as it stands.
    pub(crate) fn script(&self, source: &Source) -> Result<Arc<CachedScript>> {
        match &source.statements {
            Given::Decoded(script) => Ok(Arc::new(CachedScript::of_decoded(Arc::clone(script)))),
            Given::Text(text) => match self.find_text(source.language, text) {
                Some(script) => Ok(script),
                None => self.parse(source.language, text),
            },
        }
    }

    /// The script of a source by its normalized query, if it has one, and its literals. Positions in errors are
    /// those in the normalized query then.
    pub(crate) fn normalized_script(
        &self,
        source: &Source,
    ) -> Result<(Arc<CachedScript>, Vec<Value>)> {
        let language = source.language;
        let Given::Text(text) = &source.statements else {
            return Ok((self.script(source)?, Vec::new()));
        };
        if let Some(script) = self.find_text(language, text) {
            return Ok((script, Vec::new()));
        }
        if let Some(normalized) = language.normalize(text)
            && let Some(script) = self.of_normalized(language, &normalized, text)
        {
            return Ok((script, normalized.literals));
        }
        Ok((self.parse(language, text)?, Vec::new()))
    }

    /// The plan of a statement without its values.
    pub(crate) fn prepared(
        &self,
        statement: Box<dyn Normalized>,
    ) -> Result<Arc<PreparedStatement>> {
        if let Some(Entry::Prepared(prepared)) = self.0.find(&Lookup::Statement(&*statement)) {
            return Ok(prepared);
        }
        non_blocking::would_block()?;
        let prepared = Arc::new(PreparedStatement::new(statement.compile()?));
        let key = Key::Statement(StatementKey(Arc::from(statement)));
        self.0.insert(key, Entry::Prepared(Arc::clone(&prepared)));
        Ok(prepared)
    }

    fn find_text(&self, language: &dyn Language, text: &str) -> Option<Arc<CachedScript>> {
        match self.0.find(&Lookup::Text(language.name(), text))? {
            Entry::Script(script) => Some(script),
            Entry::NotNormalized | Entry::Prepared(_) | Entry::Plans(_) => None,
        }
    }

    fn parse(&self, language: &dyn Language, text: &Arc<str>) -> Result<Arc<CachedScript>> {
        non_blocking::would_block()?;
        let script = Arc::new(CachedScript::of_text(language.parse(text)?));
        let key = Key::Text(language.name(), Arc::clone(text));
        self.0.insert(key, Entry::Script(Arc::clone(&script)));
        Ok(script)
    }

    fn of_normalized(
        &self,
        language: &dyn Language,
        normalized: &NormalizedQuery,
        text: &str,
    ) -> Option<Arc<CachedScript>> {
        match self.0.find(&Lookup::Normalized(language.name(), &normalized.text)) {
            Some(Entry::Script(script)) => return Some(script),
            Some(Entry::NotNormalized | Entry::Prepared(_) | Entry::Plans(_)) => return None,
            None => {}
        }
        // The text as it stands is not parsed then either.
        non_blocking::would_block().ok()?;
        let script = language.parse_normalized(normalized, text);
        let script = script.map(|script| Arc::new(CachedScript::of_text(script)));
        let entry = script.clone().map_or(Entry::NotNormalized, Entry::Script);
        let key = Key::Normalized(language.name(), Arc::from(normalized.text.as_str()));
        self.0.insert(key, entry);
        script
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Hits, misses and the number of each kind of entry.
    pub(crate) fn metrics(&self) -> Vec<Metric> {
        self.0.metrics()
    }
}
