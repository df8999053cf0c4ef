//! A traversal that came as bytecode: a script of one statement.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::language::{Bound, Outcome, Presented, Scope, Script, Statement, StatementKind};

use super::{DEFAULT_SOURCE, present, traversal, written};
use crate::text::Ending;

/// A traversal, or a word to its transaction: `tx('commit')`.
pub struct BytecodeScript {
    bytecode: Bytecode,
    statement: [Statement; 1],
    /// Why it cannot run.
    refused: Option<Error>,
}

impl BytecodeScript {
    /// The script of a traversal.
    pub fn new(bytecode: Bytecode) -> BytecodeScript {
        let kind = kind_of(&bytecode);
        let refused = kind.as_ref().err().cloned();
        let statement = Statement {
            kind: kind.unwrap_or(StatementKind::Query),
            graph: Arc::from(DEFAULT_SOURCE),
            target: None,
            variables: Vec::new(),
        };
        BytecodeScript { bytecode, statement: [statement], refused }
    }
}

fn kind_of(bytecode: &Bytecode) -> Result<StatementKind> {
    let [source] = bytecode.sources.as_slice() else { return Ok(StatementKind::Query) };
    if &*source.name != "tx" {
        return Ok(StatementKind::Query);
    }
    let word = match source.arguments.as_slice() {
        [Argument::Value(Value::String(word))] => &**word,
        _ => "",
    };
    match word {
        "begin" => Ok(StatementKind::Begin),
        "commit" => Ok(StatementKind::Commit),
        "rollback" => Ok(StatementKind::Rollback),
        _ => {
            let detail = "tx() takes one of 'begin', 'commit' and 'rollback'";
            Err(Error::new(ErrorKind::BadQuery, detail))
        }
    }
}

impl Script for BytecodeScript {
    fn statements(&self) -> &[Statement] {
        &self.statement
    }

    fn text(&self) -> String {
        written::traversal(&self.bytecode)
    }

    fn check_variables(&self, _is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        Ok(())
    }

    fn generate(&self, _name: &str) -> Option<Value> {
        None
    }

    fn value(&self, _statement: usize, _scope: &dyn Scope) -> Result<Value> {
        Err(Error::new(ErrorKind::Bug, "bytecode is a traversal, not a value"))
    }

    fn bind(&self, _statement: usize, scope: &mut dyn Scope) -> Result<Bound> {
        match &self.refused {
            Some(error) => Err(error.clone()),
            None => traversal::bound(self.bytecode.clone(), scope),
        }
    }

    fn present(&self, _statement: usize, outcome: Outcome, bytes_max: u64) -> Result<Presented> {
        present::presented(Ending::None, outcome, bytes_max)
    }

    fn streams(&self, _statement: usize) -> bool {
        true
    }
}
