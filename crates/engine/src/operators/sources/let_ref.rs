//! `LetRef`: each row, once for every row of a `Let`.

use millrace_model::Result;
use millrace_plan::op;

use super::rows::{Rows, RowsFrom};
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::bug;

impl Compile for op::LetRef {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, mut after) = place.keep();
        let kept = &compiler.plan.lets[self.name.0 as usize].columns;
        let columns = self.columns.iter().filter(|(_, to)| place.live.contains(to));
        let mut live = Vec::new();
        for (from, to) in columns {
            let slot = kept.iter().position(|kept| kept == from);
            live.push(slot.ok_or_else(|| bug("a column of a Let was checked before"))?);
            after.push(*to);
        }
        Ok((Box::new(Rows::new(RowsFrom::Let(self.name), kept.len(), keep, live)), after))
    }
}
