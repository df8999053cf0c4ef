//! A parsed text: statements, with variables that get their values when they run.
//!
//! ```text
//!   x = g.V(id1).next(); g.V(x).out('knows')
//!
//!   x <- Traversal { source g, V [Binding id1], ending next }     variables: id1
//!        Traversal { source g, V [Binding x] out ["knows"] }      variables: x
//! ```
//!
//! A parsed script holds no values of its variables, so it can be cached by its text alone;
//! [`Statement::bind`] puts them in. A traversal that is ended inside an argument
//! (`g.V(g.V().next())`) becomes a statement of its own before, with a target that no text can write.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Predicate};
use millrace_model::{Result, TextPosition};

use super::refused::bad;
use crate::replacements::{Use, instead};

/// The variable behind each `datetime()`: the time at which it is bound.
pub const NOW: &str = "datetime()";

/// The variable behind each `UUID()`: another random one whenever it is bound.
pub const RANDOM_UUID: &str = "UUID()";

/// The prefix of targets that stand for an argument of the next statement.
pub const HIDDEN_PREFIX: char = '#';

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Its statements in order; the result of the last one is the result of the text.
    pub statements: Vec<Statement>,
}

/// One statement of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it begins.
    pub position: TextPosition,
    /// The variable that keeps its result: until the session ends, but for those of [`HIDDEN_PREFIX`],
    /// which end with the script.
    pub target: Option<Arc<str>>,
    /// The traversal, transaction command or value.
    pub expression: Expression,
    /// The variables it needs, in order, each as often as it occurs.
    pub variables: Vec<Variable>,
}

/// The action of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Runs a traversal.
    Traversal(Traversal),
    /// Begins or ends a transaction.
    Transaction {
        /// The source, such as `g`.
        source: Arc<str>,
        /// The command.
        word: TransactionWord,
    },
    /// Is a value, a variable, or a traversal without a source.
    Argument(Argument),
}

/// A traversal from a source on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The source, such as `g`; it may be a variable that holds one.
    pub source: Arc<str>,
    /// Its instructions; none if the text only names the source.
    pub bytecode: Bytecode,
    /// Its terminal method.
    pub ending: Ending,
}

/// The terminal method of a traversal, which decides the form of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// No ending: the client gets all results.
    None,
    /// How it would be run.
    Explain,
    /// Whether there is one.
    HasNext,
    /// None: it is run for its effects.
    Iterate,
    /// The first; that there is none is an error.
    Next,
    /// The first so many.
    NextMany(u64),
    /// Distinct ones with their bulks.
    ToBulkSet,
    /// A list.
    ToList,
    /// Distinct ones.
    ToSet,
    /// The traversal as text; it does not run.
    ToString,
    /// The first or nothing.
    TryNext,
}

/// A command to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionWord {
    /// Begin one.
    Begin,
    /// Commit its changes.
    Commit,
    /// Discard its changes.
    Rollback,
}

/// A variable where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name; [`NOW`] and [`RANDOM_UUID`] too.
    pub name: Arc<str>,
    /// Where.
    pub position: TextPosition,
}

impl Script {
    /// Refuses a variable that has no value and that no statement before assigns. To be asked before
    /// the first statement runs, so that none has run in vain.
    pub fn check_variables(&self, is_known: &dyn Fn(&str) -> bool) -> Result<()> {
        let mut targets = std::collections::HashSet::new();
        for statement in &self.statements {
            for variable in &statement.variables {
                if !targets.contains(&variable.name) && !is_known(&variable.name) {
                    return Err(unbound(variable));
                }
            }
            targets.extend(statement.target.clone());
        }
        Ok(())
    }
}

impl Statement {
    /// The expression with the values of its variables. `value_of` is called once for each occurrence, in order.
    pub fn bind(&self, value_of: &mut dyn FnMut(&str) -> Option<Argument>) -> Result<Expression> {
        let mut values = Vec::with_capacity(self.variables.len());
        for variable in &self.variables {
            values.push(value_of(&variable.name).ok_or_else(|| unbound(variable))?);
        }
        let mut expression = self.expression.clone();
        let values = &mut values.into_iter();
        let mut fill = |argument: &mut Argument| fill(argument, values);
        match &mut expression {
            Expression::Traversal(traversal) => traversal.bytecode.each_mut(&mut fill),
            Expression::Argument(argument) => argument.each_mut(&mut fill),
            Expression::Transaction { .. } => {}
        }
        Ok(expression)
    }
}

fn unbound(variable: &Variable) -> millrace_model::Error {
    let error = bad(variable.position, format!("there is no variable `{}`", variable.name));
    let help = instead(Use::Word, &variable.name);
    error.with_help(help.unwrap_or("assign it first, or send it with the request's bindings"))
}

/// Gives a binding the next value; the parser noted them in this order.
fn fill(argument: &mut Argument, values: &mut dyn Iterator<Item = Argument>) {
    match argument {
        Argument::Binding(_, inner) => **inner = values.next().unwrap_or_else(|| (**inner).clone()),
        Argument::Predicate(predicate) => unfold_bound(predicate),
        _ => {}
    }
}

/// A list that is bound to the only argument of `within` is the values themselves.
fn unfold_bound(predicate: &mut Predicate) {
    if let [Argument::Binding(_, inner)] = predicate.arguments.as_slice() {
        let is_collection = matches!(
            **inner,
            Argument::List(_)
                | Argument::Set(_)
                | Argument::Value(millrace_model::Value::List(_) | millrace_model::Value::Set(_))
        );
        if is_collection && matches!(&*predicate.name, "within" | "without") {
            *predicate = Predicate::new(&predicate.name, vec![(**inner).clone()]);
        }
    }
}
