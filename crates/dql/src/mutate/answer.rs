//! The answer of a mutation: the uids of new nodes, and the answer of its query.

use millrace_model::{Batch, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::language::{AnswerRoom, AnswerWriter};

use crate::answer::JsonAnswer;
use crate::values::{write_string, write_uid};

/// Writes such answers.
#[derive(Clone, Debug)]
pub(crate) struct MutationAnswer {
    /// The blocks of the query.
    pub(crate) queries: JsonAnswer,
    /// Whether there is a query; its blocks may all be named `var`.
    pub(crate) has_query: bool,
    /// The column of the row with the bag of new nodes.
    pub(crate) uids: usize,
}

impl AnswerWriter for MutationAnswer {
    fn write(&self, rows: &Batch, room: &dyn AnswerRoom) -> Result<String> {
        let mut text = String::from("{\"code\":\"Success\",\"message\":\"Done\",\"queries\":");
        match self.has_query {
            true => text.push_str(&self.queries.write(rows, room)?),
            false => text.push_str("null"),
        }
        text.push_str(",\"uids\":{");
        let column = rows.columns.get(self.uids).map(|column| &column.values);
        let Some(ColumnValues::Bag(bags)) = column else {
            return Err(Error::new(ErrorKind::Bug, "the answer of a mutation has no uids"));
        };
        let [names, uids] = &bags.rows.columns[..] else {
            return Err(Error::new(ErrorKind::Bug, "the uids of a mutation have no names"));
        };
        for row in 0..bags.rows.len {
            let (Some(Value::String(name)), Some(Value::I64(uid))) =
                (names.get(row), uids.get(row))
            else {
                continue;
            };
            text.push_str(if row == 0 { "" } else { "," });
            write_string(&name, &mut text);
            text.push(':');
            write_uid(uid, &mut text);
        }
        text.push_str("}}");
        Ok(text)
    }
}
