//! How an index of made keys replaces a scan: the texts that a property must contain, begin or end with, or equal.
//!
//! Its keys narrow the scan, no more: the filters behind it read each candidate. A text of which no key is made, such
//! as one that is too short, leaves its row to the scan.

use std::str::FromStr;

use millrace_model::schema::{IndexDefinition, IndexKind, Owner};
use millrace_model::{Column, IndexId, KeyId, Result, Value};
use millrace_store::SeekMatches;
use millrace_store::ordered_keys::of_property;
use millrace_terms::{KeyExtractor, KeyQuestion, trigrams};

use crate::operators::sources::seek::Found;
use crate::run::Run;

/// An index that makes keys of texts, and the tests that it narrows by.
pub(super) struct MadeIndex {
    definition: IndexDefinition,
    extractor: KeyExtractor,
    /// For each test it narrows by: its number, and which property of the index it is of.
    tests: Vec<(usize, usize)>,
}

/// Bytes of a text that are asked for: they narrow as well as all do, and a text may be of any length.
const ASKED_BYTES_MAX: usize = 256;

/// So much of a text, in whole characters.
fn beginning(text: &str) -> &str {
    let end = (0..=text.len().min(ASKED_BYTES_MAX)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

impl MadeIndex {
    /// The index that narrows by the most of the tests, of which the keys are given.
    pub(super) fn choose(owner: Owner, keys: &[KeyId], run: &Run<'_>) -> Option<MadeIndex> {
        run.context.look(|catalog| {
            let indexes = catalog.indexes.of_owner(owner);
            let made = indexes.filter(|index| index.kind == IndexKind::Made);
            let serving = made.filter_map(|index| MadeIndex::serve(index, keys));
            serving.max_by_key(|index| index.tests.len())
        })
    }

    fn serve(index: &IndexDefinition, keys: &[KeyId]) -> Option<MadeIndex> {
        let extractor = KeyExtractor::from_str(&index.method.as_ref()?.0).ok()?;
        let field = |key: &KeyId| index.keys.iter().position(|own| own == key);
        let tests = keys.iter().enumerate().filter_map(|(test, key)| Some((test, field(key)?)));
        let tests: Vec<(usize, usize)> = tests.collect();
        let narrows = matches!(extractor, KeyExtractor::Trigrams(_)) && !tests.is_empty();
        narrows.then(|| MadeIndex { definition: index.clone(), extractor, tests })
    }

    /// The number of the index.
    pub(super) fn id(&self) -> IndexId {
        self.definition.id
    }

    /// At most `limit` + 1 candidates for each row, and the rows that it does not narrow. `texts` has a column for each
    /// test: what the property of the test must contain.
    pub(super) fn ask(
        &self,
        texts: &[&Column],
        (rows, limit): (usize, usize),
        run: &Run<'_>,
    ) -> Result<(Found, Vec<u32>)> {
        let (mut asked, mut questions, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..rows {
            match self.question(texts, row) {
                KeyQuestion::Everything => open.push(row as u32),
                question => {
                    asked.push(row as u32);
                    questions.push(question);
                }
            }
        }
        let mut matches = SeekMatches::default();
        let limit = limit.saturating_add(1);
        run.context.graph().candidates(self.definition.id, &questions, limit, &mut matches)?;
        let rows = matches.rows.iter().map(|row| asked[*row as usize]).collect();
        Ok(((rows, matches.ids), open))
    }

    fn question(&self, texts: &[&Column], row: usize) -> KeyQuestion {
        let parts = self.tests.iter().map(|(test, field)| {
            let text = texts[*test].get(row);
            let question = match (&self.extractor, &text) {
                (KeyExtractor::Trigrams(case), Some(Value::String(text))) => {
                    trigrams::of_literal(beginning(text), *case)
                }
                _ => KeyQuestion::Everything,
            };
            of_property(&self.definition, *field, question)
        });
        KeyQuestion::all(parts)
    }
}
