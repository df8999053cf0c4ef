//! `FOREACH`: writes for each entry of a list.

use millrace_model::Result;
use millrace_plan::op::{self, ApplyKind};

use crate::expressions::list_or_single;
use crate::translate::Translator;
use crate::tree::Foreach;

impl Foreach {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let list = list_or_single(translator, &self.list)?;
        let (sub, ()) = translator.sub(|sub| {
            let to = sub.new_column(&self.variable);
            sub.plan.push(op::Unwind { list, to, position: None });
            sub.bind(&self.variable, to);
            self.clauses.iter().try_for_each(|clause| clause.translate(sub).map(drop))
        })?;
        translator.apply(sub, ApplyKind::Effect);
        Ok(())
    }
}
