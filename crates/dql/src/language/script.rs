//! A request as statements: one, whatever its text has.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::language::{
    Bound, Outcome, Presented, Scope, Script, Statement, StatementKind,
};

use super::{AnswerForm, DEFAULT_GRAPH};
use crate::changes::{Alter, Changes};

/// A request.
pub(super) struct DqlScript {
    statements: Vec<Statement>,
}

impl DqlScript {
    pub(super) fn of_text(text: &str, _answer: AnswerForm) -> Result<DqlScript> {
        crate::parse(text)?;
        Ok(DqlScript { statements: vec![statement(&[])] })
    }

    pub(super) fn of_changes(_changes: Changes) -> Result<DqlScript> {
        Ok(DqlScript { statements: vec![statement(&[])] })
    }

    pub(super) fn of_alter(_alter: Alter) -> DqlScript {
        DqlScript { statements: vec![statement(&[])] }
    }
}

fn statement(variables: &[Arc<str>]) -> Statement {
    Statement {
        kind: StatementKind::Query,
        graph: Arc::from(DEFAULT_GRAPH),
        target: None,
        variables: variables.to_vec(),
    }
}

impl Script for DqlScript {
    fn statements(&self) -> &[Statement] {
        &self.statements
    }

    fn text(&self) -> String {
        String::new()
    }

    fn check_variables(&self, _is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        Ok(())
    }

    fn generate(&self, _name: &str) -> Option<Value> {
        None
    }

    fn value(&self, _statement: usize, _scope: &dyn Scope) -> Result<Value> {
        Err(Error::new(ErrorKind::Bug, "no statement of DQL is a value"))
    }

    fn bind(&self, _statement: usize, _scope: &mut dyn Scope) -> Result<Bound> {
        Err(Error::new(ErrorKind::Unsupported, "DQL has no plans yet"))
    }

    fn present(&self, _statement: usize, _outcome: Outcome, _bytes_max: u64) -> Result<Presented> {
        Err(Error::new(ErrorKind::Bug, "a writer presents the answers of DQL"))
    }

    fn streams(&self, _statement: usize) -> bool {
        false
    }
}
