//! `Fields`: properties of an element, as data; null of null.

mod languages;

use millrace_model::{Batch, Column, ColumnValues, KeyId, Result};
use millrace_plan::{Languages, Name, op};

use self::languages::Spoken;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::Resolved;
use crate::expressions::{field_keys, read_fields};
use crate::pipeline::{Keep, Operator, Upstream, add};
use crate::run::Run;

pub(crate) struct Fields {
    element: usize,
    wanted: FieldsWanted,
    keep: Keep,
    to: bool,
}

/// Which fields are emitted.
pub(crate) enum FieldsWanted {
    /// All, as they are stored.
    All,
    /// Those of some names.
    Named(Vec<Resolved<KeyId>>),
    /// Those of bare keys, in some languages.
    Spoken(Spoken),
}

impl FieldsWanted {
    pub(crate) fn new(keys: Option<&[Name]>, languages: Option<&Languages>) -> FieldsWanted {
        match (languages, keys) {
            (Some(languages), keys) => FieldsWanted::Spoken(Spoken::new(keys, languages)),
            (None, Some(keys)) => FieldsWanted::Named(keys.iter().map(Resolved::new).collect()),
            (None, None) => FieldsWanted::All,
        }
    }
}

impl Fields {
    pub(crate) fn new(element: usize, wanted: FieldsWanted, keep: Keep, to: bool) -> Fields {
        Fields { element, wanted, keep, to }
    }

    fn wanted(&mut self, mut column: Column, run: &Run<'_>) -> Column {
        let ColumnValues::Fields(entries) = &mut column.values else { return column };
        match &mut self.wanted {
            FieldsWanted::All => {}
            FieldsWanted::Named(keys) => {
                let keys = field_keys(keys, run);
                for fields in entries {
                    let wanted = fields.iter().filter(|field| keys.contains(&field.key));
                    *fields = wanted.cloned().collect();
                }
            }
            FieldsWanted::Spoken(spoken) => run.context.look(|catalog| {
                spoken.begin(run.context.catalog_generation());
                for fields in entries {
                    *fields = spoken.choose(fields, catalog);
                }
            }),
        }
        column
    }
}

impl Operator for Fields {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let Some(batch) = input.next(run)? else { return Ok(None) };
        let column = self.wanted(read_fields(&batch.columns[self.element], run)?, run);
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, column);
        }
        Ok(Some(result))
    }
}

impl Compile for op::Fields {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let wanted = FieldsWanted::new(self.keys.as_deref(), self.languages.as_ref());
        let element = compiler.slot(place.layout, self.element)?;
        Ok((Box::new(Fields::new(element, wanted, keep, to)), after))
    }
}
