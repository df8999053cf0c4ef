//! Bytecode as a text would be written, for logs: a value that is no text, and may be no name, is left out.

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate};
use millrace_model::Value;

/// A traversal from its source on.
pub(super) fn traversal(bytecode: &Bytecode) -> String {
    format!("g{}", instructions(bytecode))
}

/// The calls of a traversal, each with a point before it.
fn instructions(bytecode: &Bytecode) -> String {
    let all = bytecode.sources.iter().chain(&bytecode.steps);
    all.map(|Instruction { name, arguments: own, .. }| format!(".{name}({})", arguments(own)))
        .collect()
}

fn arguments(arguments: &[Argument]) -> String {
    arguments.iter().map(argument).collect::<Vec<_>>().join(",")
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Value(Value::String(text)) => format!("{:?}", &**text),
        Argument::Value(Value::Bool(truth)) => truth.to_string(),
        Argument::Value(_) | Argument::Vertex(_) | Argument::Edge(_) => "?".to_owned(),
        Argument::List(inner) | Argument::Set(inner) => format!("[{}]", arguments(inner)),
        Argument::Map(pairs) => {
            let pair = |(key, value): &(Argument, Argument)| {
                format!("{}:{}", self::argument(key), self::argument(value))
            };
            format!("[{}]", pairs.iter().map(pair).collect::<Vec<_>>().join(","))
        }
        Argument::Bytecode(inner) => format!("__{}", instructions(inner)),
        Argument::Predicate(Predicate { name, arguments: inner }) => {
            format!("{name}({})", arguments(inner))
        }
        Argument::Symbol(symbol) => symbol.name.to_string(),
        Argument::Type(name) => name.to_string(),
        Argument::Geoshape(geoshape) => {
            format!("Geoshape.{}({})", geoshape.kind.name(), arguments(&geoshape.numbers))
        }
        Argument::Strategy(strategy) => strategy.name.to_string(),
        Argument::Lambda(_) => "{…}".to_owned(),
        Argument::Binding(_, inner) => self::argument(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traversal_is_written_as_a_text_would_be() {
        let step = |name: &str, arguments: Vec<Argument>| Instruction {
            name: name.into(),
            arguments,
            position: None,
        };
        let text = |text: &str| Argument::Value(Value::from(text));
        let greater =
            Predicate { name: "gt".into(), arguments: vec![Argument::Value(Value::I64(7))] };
        let inner = Bytecode { sources: vec![], steps: vec![step("out", vec![text("knows")])] };
        let bytecode = Bytecode {
            sources: vec![],
            steps: vec![
                step("V", vec![Argument::Value(Value::I64(1))]),
                step("has", vec![text("age"), Argument::Predicate(greater)]),
                step("where", vec![Argument::Bytecode(inner)]),
            ],
        };
        let written = traversal(&bytecode);
        assert_eq!(written, "g.V(?).has(\"age\",gt(?)).where(__.out(\"knows\"))");
    }
}
