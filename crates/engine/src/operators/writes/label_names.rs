//! Labels and types that only rows know: which rows have which.
//!
//! Names are grouped before anything is made, so that the store is asked once for each of them.

use millrace_model::{Batch, Error, ErrorKind, Result, Value};
use millrace_plan::{ColumnId, Expr, Label, Name, Template};
use rustc_hash::FxHashMap;

use crate::compile::Compiler;
use crate::expressions::Exprs;
use crate::run::Run;

/// The labels of a template, some of which are expressions.
pub(crate) struct LabelNames {
    /// A name, or `None` for the next expression.
    names: Vec<Option<Name>>,
    exprs: Exprs,
    /// Whether they are the one type of an edge.
    is_type: bool,
}

/// Rows that have the same names.
pub(super) struct NamedRows {
    pub(super) names: Vec<Name>,
    pub(super) rows: Vec<u32>,
}

impl LabelNames {
    /// The labels of the written elements, where they differ by row; `None` where the plan knows them.
    pub(super) fn compile(
        template: &Template,
        compiler: &Compiler<'_>,
        layout: &[ColumnId],
    ) -> Result<Option<LabelNames>> {
        let labels = template.labels();
        let exprs: Vec<&Expr> = labels.iter().filter_map(Label::expr).collect();
        if exprs.is_empty() {
            return Ok(None);
        }
        let is_type = matches!(template, Template::Edge { .. });
        let labels = LabelNames::new(labels, compiler.exprs(layout, exprs)?);
        Ok(Some(LabelNames { is_type, ..labels }))
    }

    /// `exprs` are those of the labels, in their order.
    pub(crate) fn new(labels: &[Label], exprs: Exprs) -> LabelNames {
        let names = labels.iter().map(|label| label.known().cloned()).collect();
        LabelNames { names, exprs, is_type: false }
    }

    /// All rows by their names; groups in the order of their first rows.
    pub(super) fn groups(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<NamedRows>> {
        let mut groups: Vec<NamedRows> = Vec::new();
        let mut places: FxHashMap<Vec<Name>, usize> = FxHashMap::default();
        for (row, names) in self.of_rows(batch, run)?.into_iter().enumerate() {
            let place = *places.entry(names).or_insert_with_key(|names| {
                groups.push(NamedRows { names: names.clone(), rows: Vec::new() });
                groups.len() - 1
            });
            groups[place].rows.push(row as u32);
        }
        Ok(groups)
    }

    /// Rows that follow each other and have the same names.
    pub(super) fn stretches(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<NamedRows>> {
        let mut stretches: Vec<NamedRows> = Vec::new();
        for (row, names) in self.of_rows(batch, run)?.into_iter().enumerate() {
            match stretches.last_mut() {
                Some(last) if last.names == names => last.rows.push(row as u32),
                _ => stretches.push(NamedRows { names, rows: vec![row as u32] }),
            }
        }
        Ok(stretches)
    }

    fn of_rows(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<Vec<Name>>> {
        let found = self.exprs.evaluate(batch, run)?;
        let of_row = |row| {
            let mut found = found.iter().map(|operand| operand.value(row));
            let mut names = Vec::with_capacity(self.names.len());
            for known in &self.names {
                match known {
                    Some(known) => names.push(known.clone()),
                    None => names.extend(label_texts(&found.next().unwrap_or(Value::Null))?),
                }
            }
            if self.is_type && names.len() != 1 {
                let detail = format!("an edge has one type, and these are {}", names.len());
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
            Ok(names)
        };
        (0..batch.len).map(of_row).collect()
    }
}

/// The labels that a value names: a text, or a list of texts.
pub(crate) fn label_texts(value: &Value) -> Result<Vec<Name>> {
    match value {
        Value::String(name) if name.is_empty() => {
            let detail = "'' is not a valid token name. Token names cannot be empty or contain any null-bytes.";
            Err(Error::new(ErrorKind::BadQuery, detail).with_name("TokenNameError"))
        }
        Value::String(name) => Ok(vec![name.clone()]),
        Value::List(names) => {
            let names = names.iter().map(label_texts).collect::<Result<Vec<_>>>()?;
            Ok(names.into_iter().flatten().collect())
        }
        other => {
            let detail = format!("a label is a text, and this is a {}", other.type_name());
            Err(Error::new(ErrorKind::BadQuery, detail).with_name("InvalidArgumentType"))
        }
    }
}

/// The labels that the plan knows.
pub(super) fn known(labels: &[Label]) -> Vec<Name> {
    labels.iter().filter_map(|label| label.known().cloned()).collect()
}
