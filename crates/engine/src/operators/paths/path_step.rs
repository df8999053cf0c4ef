//! `PathStep`: a path with one more object, or more tags: one step in the run's trail for each row.
//!
//! Rows share the steps of their common beginning. The trail belongs to the run: its steps are held,
//! and counted, until the run ends.

use millrace_model::path_arena::{STEP_BYTES, Tags, tag_set};
use millrace_model::{
    Batch, Column, ColumnValues, Error, ErrorKind, PathArena, Paths, Result, Value,
};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{AddColumn, MakeColumn};
use crate::run::Run;

pub(crate) struct PathStep {
    before: Option<usize>,
    object: Option<usize>,
    tags: Option<Tags>,
}

impl MakeColumn for PathStep {
    fn column(&self, batch: &Batch, run: &Run<'_>) -> Result<Column> {
        let trail = run.trail();
        let before = match self.before {
            Some(slot) => last_steps(&batch.columns[slot], trail, run)?,
            None => vec![None; batch.len],
        };
        let last: Vec<Option<u32>> = match self.object {
            Some(slot) => self.extend(before, &batch.columns[slot], run)?,
            None => self.tag(before, run)?,
        };
        let mut paths = Paths { trail: trail.clone(), last: Vec::with_capacity(last.len()) };
        let mut column = Column::default();
        for (row, last) in last.into_iter().enumerate() {
            if last.is_none() {
                column.nulls.get_or_insert_default().insert(row);
            }
            paths.last.push(last.unwrap_or_default());
        }
        column.values = ColumnValues::Path(paths);
        Ok(column)
    }
}

impl PathStep {
    fn extend(
        &self,
        before: Vec<Option<u32>>,
        objects: &Column,
        run: &Run<'_>,
    ) -> Result<Vec<Option<u32>>> {
        let object = |row| objects.get(row).unwrap_or_default();
        let values: usize = match &objects.values {
            ColumnValues::Value(_) | ColumnValues::Path(_) | ColumnValues::String(_) => {
                (0..objects.len()).map(|row| object(row).byte_size()).sum()
            }
            _ => 0,
        };
        run.charge((values + before.len() * STEP_BYTES) as u64)?;
        let steps = before.into_iter().enumerate().map(|(row, before)| (before, object(row)));
        let last = run.trail().extend(steps, self.tags.as_ref())?;
        Ok(last.into_iter().map(Some).collect())
    }

    fn tag(&self, before: Vec<Option<u32>>, run: &Run<'_>) -> Result<Vec<Option<u32>>> {
        let Some(tags) = &self.tags else { return Ok(before) };
        run.charge((before.len() * STEP_BYTES) as u64)?;
        let tagged = |last: Option<u32>| last.map(|last| run.trail().tag(last, tags)).transpose();
        before.into_iter().map(tagged).collect()
    }
}

/// The last step of each path; `None` where there is none. A path that is a value is walked again.
fn last_steps(column: &Column, trail: &PathArena, run: &Run<'_>) -> Result<Vec<Option<u32>>> {
    let is_missing = |row| column.is_null(row) || column.is_absent(row);
    if let ColumnValues::Path(paths) = &column.values
        && std::ptr::eq(&*paths.trail, trail)
    {
        let last = paths.last.iter().enumerate();
        return Ok(last.map(|(row, last)| (!is_missing(row)).then_some(*last)).collect());
    }
    let last_step = |row| match column.get(row) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Path(path)) => {
            run.charge((path.len() * STEP_BYTES) as u64)?;
            trail.add(&path)
        }
        Some(other) => {
            let detail = format!("a path goes on from a {}, which is none", other.type_name());
            Err(Error::new(ErrorKind::BadQuery, detail))
        }
    };
    (0..column.len()).map(last_step).collect()
}

impl Compile for op::PathStep {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let slot = |column| compiler.slot(place.layout, column);
        let before = self.before.map(slot).transpose()?;
        let object = self.object.map(slot).transpose()?;
        let operator = PathStep { before, object, tags: tag_set(self.tags.iter().cloned()) };
        Ok((Box::new(AddColumn { operator, keep, to }), after))
    }
}
