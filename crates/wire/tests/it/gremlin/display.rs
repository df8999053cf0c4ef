//! Things as short texts, for goldens.

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_wire::gremlin::{Datum, Operation, Request};

/// A thing; an argument of instructions in the form of Gremlin.
pub(super) fn datum(own: &Datum) -> String {
    match own {
        Datum::Argument(own) => argument(own),
        own => format!("{own:?}"),
    }
}

fn all(own: &[Argument]) -> String {
    own.iter().map(argument).collect::<Vec<_>>().join(", ")
}

fn instruction(own: &Instruction) -> String {
    format!("{}({})", own.name, all(&own.arguments))
}

pub(super) fn bytecode(own: &Bytecode) -> String {
    let part = |part: &[Instruction]| part.iter().map(instruction).collect::<Vec<_>>().join(".");
    match (own.sources.is_empty(), own.steps.is_empty()) {
        (true, _) => format!("[{}]", part(&own.steps)),
        (false, true) => format!("source[{}]", part(&own.sources)),
        (false, false) => format!("source[{}] [{}]", part(&own.sources), part(&own.steps)),
    }
}

fn argument(own: &Argument) -> String {
    match own {
        Argument::Value(value) => format!("{value:?}"),
        Argument::List(items) => format!("list[{}]", all(items)),
        Argument::Set(items) => format!("set[{}]", all(items)),
        Argument::Map(pairs) => {
            let pair = |(key, value): &(Argument, Argument)| {
                format!("{}: {}", argument(key), argument(value))
            };
            format!("map[{}]", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Argument::Bytecode(own) => bytecode(own),
        Argument::Predicate(own) => format!("P.{}({})", own.name, all(&own.arguments)),
        Argument::Symbol(own) => format!("{}.{}", own.family.name(), own.name),
        Argument::Type(name) => format!("type {name}"),
        Argument::Geoshape(own) => format!("Geoshape.{}({})", own.kind.name(), all(&own.numbers)),
        Argument::Strategy(own) => {
            let setting = |(key, value): &(_, Argument)| format!("{key}: {}", argument(value));
            let settings: Vec<_> = own.configuration.iter().map(setting).collect();
            format!("{}({})", own.name, settings.join(", "))
        }
        Argument::Lambda(own) => format!("{own:?}"),
        Argument::Binding(name, value) => format!("{name} = {}", argument(value)),
        Argument::Vertex(id) => format!("vertex {id:?}"),
        Argument::Edge(id) => format!("edge {id:?}"),
    }
}

/// A request, its id left out.
pub(super) fn request(own: &Request) -> String {
    let operation = match &own.operation {
        Operation::Eval { script, language, bindings, session } => {
            let binding = |(name, value): &(_, Argument)| format!("{name} = {}", argument(value));
            let bindings: Vec<_> = bindings.iter().map(binding).collect();
            format!("Eval {language:?} {script:?} [{}] {session:?}", bindings.join(", "))
        }
        Operation::Bytecode { bytecode: own, session } => {
            format!("Bytecode {} {session:?}", bytecode(own))
        }
        other => format!("{other:?}"),
    };
    format!("{operation}\n{:?}", own.options)
}
