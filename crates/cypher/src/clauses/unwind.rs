//! `UNWIND`: a row for each entry of a list.

use millrace_model::Result;
use millrace_plan::op;

use crate::expressions::list_or_single;
use crate::translate::Translator;
use crate::tree::Unwind;

impl Unwind {
    /// A value that is no list is its own only entry; null has none.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let list = list_or_single(translator, &self.list)?;
        let to = translator.new_column(&self.variable);
        translator.plan.push(op::Unwind { list, to, position: None });
        translator.bind(&self.variable, to);
        Ok(())
    }
}
