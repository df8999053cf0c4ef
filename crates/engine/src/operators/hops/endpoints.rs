//! `Endpoints`: an end of an edge; null of null and of an edge that is not there.

use millrace_model::{Batch, Bits, Column, Result, VertexId};
use millrace_plan::{End, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::operators::vertices::edges;
use crate::pipeline::{AddColumn, MakeColumn};
use crate::run::Run;

pub(crate) struct Endpoints {
    edge: usize,
    end: End,
}

impl MakeColumn for Endpoints {
    fn column(&self, batch: &Batch, run: &Run<'_>) -> Result<Column> {
        let (ids, rows) = edges(&batch.columns[self.edge], "an end")?;
        let ends = run.context.graph().ends(&ids)?;
        let vertices = match self.end {
            End::Source => ends.sources,
            End::Target => ends.targets,
        };
        if rows.is_none() && ends.exist.count() == vertices.len() {
            return Ok(Column::vertices(vertices));
        }
        let mut column = vec![VertexId::default(); batch.len];
        let mut nulls = Bits::from_words(vec![u64::MAX; batch.len.div_ceil(64)], batch.len);
        for place in ends.exist.ones() {
            let row = rows.as_ref().map_or(place, |rows| rows[place] as usize);
            column[row] = vertices[place];
            nulls.remove(row);
        }
        Ok(Column { nulls: Some(nulls), ..Column::vertices(column) })
    }
}

impl Compile for op::Endpoints {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let edge = compiler.slot(place.layout, self.edge)?;
        let operator = Endpoints { edge, end: self.end };
        Ok((Box::new(AddColumn { operator, keep, to }), after))
    }
}
