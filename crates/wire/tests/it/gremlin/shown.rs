//! Things as short texts, for goldens.

use millrace_model::{Argument, Bytecode, Instruction};
use millrace_wire::gremlin::{Datum, Operation, Request};

/// A thing; what only instructions are called with in the form of Gremlin.
pub(super) fn datum(shown: &Datum) -> String {
    match shown {
        Datum::Argument(shown) => argument(shown),
        shown => format!("{shown:?}"),
    }
}

fn all(shown: &[Argument]) -> String {
    shown.iter().map(argument).collect::<Vec<_>>().join(", ")
}

fn instruction(shown: &Instruction) -> String {
    format!("{}({})", shown.name, all(&shown.arguments))
}

pub(super) fn bytecode(shown: &Bytecode) -> String {
    let part = |part: &[Instruction]| part.iter().map(instruction).collect::<Vec<_>>().join(".");
    match (shown.sources.is_empty(), shown.steps.is_empty()) {
        (true, _) => format!("[{}]", part(&shown.steps)),
        (false, true) => format!("source[{}]", part(&shown.sources)),
        (false, false) => format!("source[{}] [{}]", part(&shown.sources), part(&shown.steps)),
    }
}

fn argument(shown: &Argument) -> String {
    match shown {
        Argument::Value(value) => format!("{value:?}"),
        Argument::List(items) => format!("list[{}]", all(items)),
        Argument::Set(items) => format!("set[{}]", all(items)),
        Argument::Map(pairs) => {
            let pair = |(key, value): &(Argument, Argument)| {
                format!("{}: {}", argument(key), argument(value))
            };
            format!("map[{}]", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Argument::Bytecode(shown) => bytecode(shown),
        Argument::Predicate(shown) => format!("P.{}({})", shown.name, all(&shown.arguments)),
        Argument::Symbol(shown) => format!("{}.{}", shown.family.name(), shown.name),
        Argument::Type(name) => format!("type {name}"),
        Argument::Strategy(shown) => {
            let setting = |(key, value): &(_, Argument)| format!("{key}: {}", argument(value));
            let settings: Vec<_> = shown.configuration.iter().map(setting).collect();
            format!("{}({})", shown.name, settings.join(", "))
        }
        Argument::Lambda(shown) => format!("{shown:?}"),
        Argument::Binding(name, value) => format!("{name} = {}", argument(value)),
        Argument::Vertex(id) => format!("vertex {id:?}"),
        Argument::Edge(id) => format!("edge {id:?}"),
    }
}

/// A request, its id left out.
pub(super) fn request(shown: &Request) -> String {
    let operation = match &shown.operation {
        Operation::Eval { script, language, bindings, session } => {
            let binding = |(name, value): &(_, Argument)| format!("{name} = {}", argument(value));
            let bindings: Vec<_> = bindings.iter().map(binding).collect();
            format!("Eval {language:?} {script:?} [{}] {session:?}", bindings.join(", "))
        }
        Operation::Bytecode { bytecode: shown, session } => {
            format!("Bytecode {} {session:?}", bytecode(shown))
        }
        other => format!("{other:?}"),
    };
    format!("{operation}\n{:?}", shown.options)
}
