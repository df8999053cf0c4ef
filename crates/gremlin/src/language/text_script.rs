//! A parsed text as a script: its statements, bound to the variables of a session.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_bytecode::{Argument, Bytecode, Geoshape};
use millrace_model::temporal::DateTime;
use millrace_model::{Error, ErrorKind, Result, Value, uuid};
use millrace_plan::language::{
    Bound, Outcome, Presented, Scope, Script, Statement, StatementKind, Target,
};

use super::binding::argument_of;
use super::{DEFAULT_SOURCE, present, traversal};
use crate::parameterize::element;
use crate::replacements::{Use, instead};
use crate::text::{self, Ending, Expression, HIDDEN_PREFIX, NOW, RANDOM_UUID, TransactionWord};

/// A parsed text.
pub(super) struct TextScript {
    text: Box<str>,
    script: text::Script,
    statements: Vec<Statement>,
}

impl TextScript {
    pub(super) fn new(text: &str, script: text::Script) -> TextScript {
        let statements = script.statements.iter().map(statement).collect();
        TextScript { text: text.into(), script, statements }
    }

    fn ending(&self, statement: usize) -> Ending {
        match &self.script.statements[statement].expression {
            Expression::Traversal(traversal) => traversal.ending,
            Expression::Transaction { .. } | Expression::Argument(_) => Ending::None,
        }
    }

    fn bound(&self, statement: usize, scope: &dyn Scope) -> Result<Expression> {
        self.script.statements[statement].bind(&mut |name| match self.generate(name) {
            Some(value) => Some(Argument::Value(value)),
            None => argument_of(scope.variable(name)?),
        })
    }
}

/// A statement as sessions see it: its kind, graph, target and variables.
fn statement(own: &text::Statement) -> Statement {
    let (kind, graph) = match &own.expression {
        Expression::Traversal(traversal) => match traversal.ending {
            Ending::Explain => (StatementKind::Explain, Arc::clone(&traversal.source)),
            Ending::None
            | Ending::HasNext
            | Ending::Iterate
            | Ending::Next
            | Ending::NextMany(_)
            | Ending::ToBulkSet
            | Ending::ToList
            | Ending::ToSet
            | Ending::ToString
            | Ending::TryNext => (StatementKind::Query, Arc::clone(&traversal.source)),
        },
        Expression::Transaction { source, word } => {
            let kind = match word {
                TransactionWord::Begin => StatementKind::Begin,
                TransactionWord::Commit => StatementKind::Commit,
                TransactionWord::Rollback => StatementKind::Rollback,
            };
            (kind, Arc::clone(source))
        }
        Expression::Argument(_) => (StatementKind::Value, Arc::from(DEFAULT_SOURCE)),
    };
    let target = own.target.as_ref().map(|name| Target {
        name: Arc::clone(name),
        is_temporary: name.starts_with(HIDDEN_PREFIX),
    });
    let variables = own.variables.iter().map(|variable| Arc::clone(&variable.name)).collect();
    Statement { kind, graph, target, variables }
}

impl Script for TextScript {
    fn statements(&self) -> &[Statement] {
        &self.statements
    }

    fn text(&self) -> String {
        self.text.to_string()
    }

    fn check_variables(&self, is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        self.script.check_variables(&|name| matches!(name, NOW | RANDOM_UUID) || is_known(name))
    }

    fn generate(&self, name: &str) -> Option<Value> {
        match name {
            NOW => Some(now()),
            RANDOM_UUID => Some(Value::Uuid(random_uuid())),
            _ => None,
        }
    }

    fn value(&self, statement: usize, scope: &dyn Scope) -> Result<Value> {
        match self.bound(statement, scope)? {
            Expression::Argument(argument) => value_of(argument),
            Expression::Traversal(_) | Expression::Transaction { .. } => Ok(Value::Null),
        }
    }

    fn bind(&self, statement: usize, scope: &mut dyn Scope) -> Result<Bound> {
        let Expression::Traversal(text::Traversal { source, mut bytecode, ending }) =
            self.bound(statement, scope)?
        else {
            return Err(Error::new(
                ErrorKind::Bug,
                "a traversal stopped being one when its \
                                                   variables were bound",
            ));
        };
        if bytecode.steps.is_empty() {
            let detail = format!("`{source}` alone is not a traversal");
            let error = Error::new(ErrorKind::BadQuery, detail);
            return Err(error.with_help(format!("add a step, such as {source}.V()")));
        }
        check_source(&source, &bytecode, scope)?;
        if ending == Ending::ToString {
            let detail = "toString() of a traversal is not supported";
            let error = Error::new(ErrorKind::Unsupported, detail);
            return Err(error.with_help("explain() shows the plan"));
        }
        present::limit_to(ending, &mut bytecode);
        traversal::bound(bytecode, scope)
    }

    fn present(&self, statement: usize, outcome: Outcome, bytes_max: u64) -> Result<Presented> {
        present::presented(self.ending(statement), outcome, bytes_max)
    }

    fn streams(&self, statement: usize) -> bool {
        matches!(self.ending(statement), Ending::None | Ending::ToList | Ending::ToBulkSet)
    }

    fn spread(&self, value: Value) -> Vec<Value> {
        present::spread(value)
    }
}

/// Refuses a variable where a traversal's source should stand.
fn check_source(source: &str, bytecode: &Bytecode, scope: &dyn Scope) -> Result<()> {
    if scope.variable(source).is_none() || scope.is_graph(source) {
        return Ok(());
    }
    let detail = format!("`{source}` is a variable, and scripts cannot call methods of values");
    let method = bytecode.steps.first().and_then(|step| instead(Use::Call, &step.name));
    let help = method.map_or_else(
        || {
            format!(
                "begin a traversal with {DEFAULT_SOURCE}: for an element, \
                 {DEFAULT_SOURCE}.V({source}); for other values, {DEFAULT_SOURCE}.inject({source})"
            )
        },
        str::to_owned,
    );
    Err(Error::new(ErrorKind::Unsupported, detail).with_help(help))
}

fn value_of(argument: Argument) -> Result<Value> {
    match argument {
        Argument::Value(value) => Ok(value),
        Argument::Binding(_, inner) => value_of(*inner),
        Argument::Vertex(ref id) | Argument::Edge(ref id) => {
            Ok(element(&argument).unwrap_or_else(|| id.clone()))
        }
        Argument::Geoshape(geoshape) => match geoshape.operands()? {
            Some(mut operands) if operands.len() == 1 => Ok(operands.remove(0)),
            _ => Err(only_an_argument(&geoshape)),
        },
        _ => {
            let detail = "the statement is neither a value nor a traversal from a source";
            Err(Error::new(ErrorKind::BadQuery, detail).with_help("begin with g"))
        }
    }
}

fn only_an_argument(geoshape: &Geoshape) -> Error {
    let name = geoshape.kind.name();
    let detail = format!("a {name} is no value");
    Error::new(ErrorKind::Unsupported, detail)
        .with_help(format!("write it in its predicate, as in geoWithin(Geoshape.{name}(…))"))
}

fn now() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The seconds of any clock fit.
    let seconds = since.as_secs() as i64;
    Value::DateTime(DateTime { seconds, nanos: since.subsec_nanos(), offset_seconds: 0 })
}

/// A random id of version 4 (RFC 9562): unique, and no secret.
pub fn random_uuid() -> [u8; 16] {
    // Each state is keyed anew by the system's randomness.
    let half = || u128::from(RandomState::new().hash_one(0_u8));
    uuid::random(half() << 64 | half())
}
