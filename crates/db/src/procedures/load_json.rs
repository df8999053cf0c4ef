//! `apoc.load.json`: the maps of a JSON file of the folder for scripts. A list gives a row for each entry.

use std::io::Read;
use std::sync::Arc;

use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Error, Result, Value};
use millrace_plan::{Function, Signature, ValueType};
use millrace_store::non_blocking;

use super::load_csv::{external, open, url};
use crate::limits::JSON_FILE_BYTES_MAX;

/// See the file.
pub(super) struct LoadJson {
    /// The folder of the setting `scripts.csv-folder`; empty: none.
    pub(super) folder: String,
}

impl Procedure for LoadJson {
    fn signature(&self) -> Signature {
        let description = "The maps of a JSON file of the folder for scripts, a row for each.";
        Signature::reading("apoc.load.json", description)
            .argument("url", ValueType::Text)
            .yields("value", ValueType::Any)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        let each = (0..len).map(|row| {
            context.check()?;
            let url = Arguments { columns: arguments, row }.must_text(0)?;
            let path = url::path_in_folder(&url)?;
            Ok(match self.read(&path)? {
                Value::List(entries) => entries.iter().map(|own| vec![own.clone()]).collect(),
                value => vec![vec![value]],
            })
        });
        Yielded::of_rows(1, each)
    }
}

impl LoadJson {
    fn read(&self, path: &str) -> Result<Value> {
        let bad = |what: String| external(format!("/{path}: {what}"));
        let mut text = String::new();
        let file = open(&self.folder, path)?;
        file.take(JSON_FILE_BYTES_MAX).read_to_string(&mut text).map_err(|error| bad(error.to_string()))?;
        if JSON_FILE_BYTES_MAX <= text.len() as u64 {
            return Err(bad(format!("more than {JSON_FILE_BYTES_MAX} bytes"))
                .with_help("load a CSV file, which is read piece by piece"));
        }
        let read = Function::FromJson.call(&[Value::from(&*text)]);
        read.map_err(|error: Error| bad(error.detail))
    }
}
