//! A row of the table of functions, and the words that rows are written with.

use std::fmt;

use millrace_model::Result;
use millrace_plan::{Expr, Fold, Function};

use crate::translate::Translator;
use crate::types::{Kind, Type};

/// A function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionRow {
    /// Its name, as the manual spells it.
    pub(crate) name: &'static str,
    pub(crate) arguments: &'static [Argument],
    /// The type of the result.
    pub(crate) gives: Gives,
    pub(crate) is_aggregate: bool,
    /// Whether a wrong type of an argument is an error before the query runs. openCypher wants some at run time.
    pub(crate) is_checked: bool,
    /// The way it becomes an expression of a plan.
    pub(crate) make: Make,
    /// A line that describes it.
    pub(crate) about: &'static str,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) presence: Presence,
}

/// How often an argument is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Once.
    Required,
    /// At most once.
    Optional,
    /// Once or more; it is the last one.
    Repeated,
}

/// The type of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gives {
    /// This kind.
    Kind(Kind),
    /// The type of an argument.
    Argument(usize),
    /// The type of the entries of an argument.
    Entry(usize),
    /// A list of the type of an argument.
    ListOf(usize),
    /// The common type of all arguments.
    Common,
}

/// The way a call becomes an expression of a plan.
#[derive(Clone, Copy)]
pub(crate) enum Make {
    /// The function with the same arguments.
    Plan(Function),
    /// An expression of the arguments.
    Of(fn(Vec<Expr>) -> Expr),
    /// What needs columns or operators of its own.
    With(Build),
    /// The fold of the arguments.
    Fold(FoldOf),
    /// The same, and 0 of no values.
    FoldOrZero(FoldOf),
    /// There is none: a call is refused as unsupported.
    Missing,
}

/// Makes an expression of arguments, with operators in front where it needs some.
pub(crate) type Build = fn(&mut Translator<'_>, Vec<Expr>) -> Result<Expr>;

/// Makes a fold of arguments.
pub(crate) type FoldOf = fn(Vec<Expr>) -> Fold;

impl fmt::Debug for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Make::Plan(_) => "Plan",
            Make::Of(_) => "Of",
            Make::With(_) => "With",
            Make::Fold(_) => "Fold",
            Make::FoldOrZero(_) => "FoldOrZero",
            Make::Missing => "Missing",
        })
    }
}

/// A scalar function.
pub(super) const fn function(
    name: &'static str,
    arguments: &'static [Argument],
    gives: Gives,
    make: Make,
    about: &'static str,
) -> FunctionRow {
    FunctionRow { name, arguments, gives, is_aggregate: false, is_checked: true, make, about }
}

/// An aggregate.
pub(super) const fn aggregate(
    name: &'static str,
    arguments: &'static [Argument],
    gives: Gives,
    make: Make,
    about: &'static str,
) -> FunctionRow {
    FunctionRow { name, arguments, gives, is_aggregate: true, is_checked: true, make, about }
}

/// A required argument.
pub(super) const fn arg(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, presence: Presence::Required }
}

/// An argument that may be left out.
pub(super) const fn opt(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, presence: Presence::Optional }
}

/// An argument that may be written several times.
pub(super) const fn rest(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, presence: Presence::Repeated }
}

/// A result of one kind.
pub(super) const fn is(kind: Kind) -> Gives {
    Gives::Kind(kind)
}

impl FunctionRow {
    /// The same, where types of arguments are judged at run time only.
    pub(super) const fn checked_at_run(mut self) -> FunctionRow {
        self.is_checked = false;
        self
    }

    /// Whether each call gives another value.
    pub(crate) fn is_random(&self) -> bool {
        matches!(self.name, "rand" | "randomUUID")
    }

    /// How many arguments it takes at least.
    pub(crate) fn arguments_min(&self) -> usize {
        self.arguments.iter().filter(|own| own.presence != Presence::Optional).count()
    }

    /// How many at most; `None`: any number.
    pub(crate) fn arguments_max(&self) -> Option<usize> {
        let repeated = self.arguments.iter().any(|own| own.presence == Presence::Repeated);
        (!repeated).then_some(self.arguments.len())
    }

    /// The argument at an index of a call: the last one may be repeated.
    pub(crate) fn argument(&self, index: usize) -> Option<&Argument> {
        let last = self.arguments.last().filter(|own| own.presence == Presence::Repeated);
        self.arguments.get(index).or(last)
    }

    /// The type of a call with arguments of these types.
    pub(crate) fn result(&self, arguments: &[Type]) -> Type {
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Type::Any);
        match self.gives {
            Gives::Kind(kind) => kind.as_type(),
            Gives::Argument(index) => argument(index),
            Gives::Entry(index) => argument(index).entry(),
            Gives::ListOf(index) => Type::list(argument(index)),
            Gives::Common => arguments.iter().fold(Type::Null, |common, own| common.join(own)),
        }
    }

    /// Name, arguments and result, as Neo4j's manual writes them.
    pub(crate) fn signature(&self) -> String {
        let mut text = format!("{}(", self.name);
        for (index, Argument { name, kind, presence }) in self.arguments.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            text += &match (presence, index) {
                (Presence::Required, _) => format!("{comma}{name} :: {kind}"),
                (Presence::Optional, 0) => format!("[{name} :: {kind}]"),
                (Presence::Optional, _) => format!(" [, {name} :: {kind}]"),
                (Presence::Repeated, _) => format!("{comma}{name} :: {kind}, …"),
            };
        }
        let result = match self.gives {
            Gives::Kind(kind) => kind,
            Gives::Argument(index) => self.arguments.get(index).map_or(Kind::Any, |own| own.kind),
            Gives::ListOf(_) => Kind::LIST,
            Gives::Entry(_) | Gives::Common => Kind::Any,
        };
        text + &format!(") :: {result}")
    }
}
