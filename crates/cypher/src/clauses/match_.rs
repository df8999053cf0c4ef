//! `MATCH` and `OPTIONAL MATCH`.

use millrace_model::Result;
use millrace_plan::op::ApplyKind;

use crate::translate::Translator;
use crate::tree::Match;

impl Match {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        if !self.optional {
            return translator.match_where(&self.patterns, self.test.as_ref(), self.repeatable);
        }
        let (sub, found) = translator.sub(|sub| {
            sub.match_where(&self.patterns, self.test.as_ref(), self.repeatable)?;
            Ok(sub.columns.clone())
        })?;
        translator.apply(sub, ApplyKind::Optional);
        translator.columns = found;
        Ok(())
    }
}
