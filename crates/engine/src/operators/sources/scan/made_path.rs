//! How an index of made keys replaces a scan: the texts that a property must contain, the patterns that it must match,
//! the areas in which its point must lie.
//!
//! Its keys narrow the scan, no more: the filters behind it read each candidate. A test of which no key is made, such
//! as one for a text that is too short, leaves its row to the scan.

use std::str::FromStr;

use millrace_model::schema::{IndexDefinition, IndexKind, Owner};
use millrace_model::{Column, IndexId, KeyId, Result, Value};
use millrace_store::SeekMatches;
use millrace_store::ordered_keys::of_property;
use millrace_terms::{KeyExtractor, KeyQuestion};

use super::made_test::TestKind;
use crate::operators::sources::seek::Found;
use crate::run::Run;

/// A test, with a column for each of its values.
pub(super) struct AskedTest<'a> {
    pub(super) kind: TestKind,
    pub(super) values: Vec<&'a Column>,
}

/// An index of made keys, and the tests that it narrows by.
pub(super) struct MadeIndex {
    definition: IndexDefinition,
    extractor: KeyExtractor,
    /// For each test it narrows by: its number, and which property of the index it is of.
    tests: Vec<(usize, usize)>,
}

impl MadeIndex {
    /// The index that narrows by the most of the tests, of which the keys are given.
    pub(super) fn choose(
        owner: Owner,
        tests: &[(KeyId, TestKind)],
        run: &Run<'_>,
    ) -> Option<MadeIndex> {
        run.context.look(|catalog| {
            let indexes = catalog.indexes.of_owner(owner);
            let made = indexes.filter(|index| index.kind == IndexKind::Made);
            let serving = made.filter_map(|index| MadeIndex::serve(index, tests));
            serving.max_by_key(|index| index.tests.len())
        })
    }

    fn serve(index: &IndexDefinition, tests: &[(KeyId, TestKind)]) -> Option<MadeIndex> {
        let extractor = KeyExtractor::from_str(&index.method.as_ref()?.0).ok()?;
        let field = |key: &KeyId| index.keys.iter().position(|own| own == key);
        let served = tests.iter().enumerate().filter_map(|(test, (key, kind))| {
            let field = field(key)?;
            kind.is_served_by(&extractor).then_some((test, field))
        });
        let tests: Vec<(usize, usize)> = served.collect();
        let is_serving = !tests.is_empty();
        is_serving.then(|| MadeIndex { definition: index.clone(), extractor, tests })
    }

    /// The number of the index.
    pub(super) fn id(&self) -> IndexId {
        self.definition.id
    }

    /// At most `limit` + 1 candidates for each row, and the rows that it does not narrow.
    pub(super) fn ask(
        &self,
        tests: &[AskedTest<'_>],
        (rows, limit): (usize, usize),
        run: &Run<'_>,
    ) -> Result<(Found, Vec<u32>)> {
        let (mut asked, mut questions, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..rows {
            match self.question(tests, row)? {
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

    fn question(&self, tests: &[AskedTest<'_>], row: usize) -> Result<KeyQuestion> {
        let parts = self.tests.iter().map(|(test, field)| {
            let AskedTest { kind, values } = &tests[*test];
            let question = kind.question(&self.extractor, &values_of(values, row))?;
            Ok(of_property(&self.definition, *field, question))
        });
        Ok(KeyQuestion::all(parts.collect::<Result<Vec<_>>>()?))
    }
}

/// The values of a test in a row.
pub(super) fn values_of(columns: &[&Column], row: usize) -> Vec<Value> {
    columns.iter().map(|column| column.get(row).unwrap_or_default()).collect()
}
