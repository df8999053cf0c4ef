//! `CALL` of a procedure.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::op::{self, ApplyKind};
use millrace_plan::{ColumnId, Name as PlanName};

use crate::expressions::value_of;
use crate::translate::Translator;
use crate::tree::Call;

impl Call {
    /// The columns that it yields, which are the result where the call is the whole statement.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        if self.optional {
            let (sub, columns) = translator.sub(|sub| self.called(sub))?;
            translator.apply(sub, ApplyKind::Optional);
            self.bind(translator, &columns);
            return Ok(columns);
        }
        self.called(translator)
    }

    fn called(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        let Some(signature) = translator.signatures.named(&self.name) else {
            let detail = format!("there is no procedure {}", self.name);
            let error = Error::new(ErrorKind::Bug, detail);
            return Err(error.in_phase(Phase::Compile).at(self.at));
        };
        let writes = signature.writes;
        let mut arguments = Vec::new();
        match &self.arguments {
            Some(given) => {
                for argument in given {
                    arguments.push(value_of(translator, argument)?);
                }
            }
            None => {
                for argument in &signature.arguments {
                    arguments.push(translator.parameter(&argument.name));
                }
            }
        }
        let items = self.yields.iter().flat_map(|yields| &yields.items);
        let mut yields: Vec<(PlanName, ColumnId)> = Vec::new();
        for item in items {
            yields.push((item.column.clone(), translator.new_column(&item.variable)));
        }
        let columns: Vec<ColumnId> = yields.iter().map(|(_, column)| *column).collect();
        let procedure = self.name.clone();
        translator.plan.push(op::Call { procedure, arguments, yields, writes });
        self.bind(translator, &columns);
        if let Some(test) = self.yields.as_ref().and_then(|yields| yields.test.as_ref()) {
            translator.filter(test)?;
        }
        Ok(columns)
    }

    fn bind(&self, translator: &mut Translator<'_>, columns: &[ColumnId]) {
        let items = self.yields.iter().flat_map(|yields| &yields.items);
        items.zip(columns).for_each(|(item, &column)| translator.bind(&item.variable, column));
    }
}
