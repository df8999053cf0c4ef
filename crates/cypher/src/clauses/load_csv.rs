//! `LOAD CSV`.

use millrace_model::{Result, Value};
use millrace_plan::{Expr as PlanExpr, op};

use crate::expressions::value_of;
use crate::translate::{Record, Translator};
use crate::tree::LoadCsv;

impl LoadCsv {
    /// A row for each record; the file and the line of the record go along, for `file()` and `linenumber()`.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let separator = self.separator.clone().map_or(Value::Null, Value::String);
        let arguments = vec![
            value_of(translator, &self.url)?,
            PlanExpr::literal(self.headers),
            PlanExpr::Literal(separator),
        ];
        let row = translator.new_column(&self.variable);
        let (file, line) = (translator.plan.column("file"), translator.plan.column("line"));
        let yields = vec![("row".into(), row), ("file".into(), file), ("line".into(), line)];
        let procedure = "dbms.loadCsv".into();
        translator.plan.push(op::Call { procedure, arguments, yields, writes: false });
        translator.bind(&self.variable, row);
        translator.record = Some(Record { file, line });
        Ok(())
    }
}
