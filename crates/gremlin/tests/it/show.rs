//! Scripts and instructions as the goldens show them: near to Gremlin, every width and family visible.

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_gremlin::text::{Ending, Expression, Script, Statement};
use millrace_model::{Direction, Token, Value};

pub(crate) fn script(script: &Script) -> String {
    script.statements.iter().map(statement).collect::<Vec<_>>().join("\n")
}

fn statement(statement: &Statement) -> String {
    let target = statement.target.as_ref().map_or(String::new(), |target| format!("{target} <- "));
    let shown = match &statement.expression {
        Expression::Traversal(traversal) => {
            let ending = match traversal.ending {
                Ending::None => String::new(),
                ending => format!(" -> {ending:?}"),
            };
            let steps = bytecode(&traversal.bytecode);
            let space = if steps.is_empty() { "" } else { " " };
            format!("{}:{space}{steps}{ending}", traversal.source)
        }
        Expression::Transaction { source, word } => format!("{source}: transaction {word:?}"),
        Expression::Argument(shown) => argument(shown),
    };
    format!("{target}{shown}")
}

pub(crate) fn bytecode(bytecode: &Bytecode) -> String {
    let sources = bytecode.sources.iter().map(|source| format!("source {}", instruction(source)));
    sources.chain(bytecode.steps.iter().map(instruction)).collect::<Vec<_>>().join(" ")
}

fn instruction(instruction: &Instruction) -> String {
    format!("{}({})", instruction.name, arguments(&instruction.arguments))
}

fn arguments(all: &[Argument]) -> String {
    all.iter().map(argument).collect::<Vec<_>>().join(", ")
}

pub(crate) fn argument(argument_shown: &Argument) -> String {
    match argument_shown {
        Argument::Value(shown) => value(shown),
        Argument::List(items) => format!("list[{}]", arguments(items)),
        Argument::Set(items) => format!("set{{{}}}", arguments(items)),
        Argument::Map(pairs) => {
            let pairs =
                pairs.iter().map(|(key, value)| format!("{}: {}", argument(key), argument(value)));
            format!("map[{}]", pairs.collect::<Vec<_>>().join(", "))
        }
        Argument::Bytecode(inner) => format!("<{}>", bytecode(inner)),
        Argument::Predicate(predicate) => {
            format!("P.{}({})", predicate.name, arguments(&predicate.arguments))
        }
        Argument::Symbol(symbol) => format!("{}.{}", symbol.family.name(), symbol.name),
        Argument::Type(name) => format!("type {name}"),
        Argument::Geoshape(geoshape) => {
            format!("Geoshape.{}({})", geoshape.kind.name(), arguments(&geoshape.numbers))
        }
        Argument::Strategy(strategy) => {
            let settings = strategy.configuration.iter();
            let settings = settings.map(|(key, setting)| format!("{key}: {}", argument(setting)));
            format!("strategy {}({})", strategy.name, settings.collect::<Vec<_>>().join(", "))
        }
        Argument::Lambda(lambda) => format!("lambda {}", lambda.text),
        Argument::Binding(name, inner) => format!("${name} := {}", argument(inner)),
        Argument::Vertex(id) => format!("vertex {}", value(id)),
        Argument::Edge(id) => format!("edge {}", value(id)),
    }
}

fn value(shown: &Value) -> String {
    match shown {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::I8(int) => format!("{int}b"),
        Value::I16(int) => format!("{int}s"),
        Value::I32(int) => int.to_string(),
        Value::I64(int) => format!("{int}L"),
        Value::F32(double) => format!("{double:?}f"),
        Value::F64(double) => format!("{double:?}"),
        Value::Decimal(decimal) => format!("{decimal}m"),
        Value::String(text) => format!("{text:?}"),
        Value::Uuid(bytes) => format!("uuid {:032x}", u128::from_be_bytes(*bytes)),
        Value::DateTime(timestamp) => format!("datetime {timestamp}"),
        Value::List(items) => format!("[{}]", values(items)),
        Value::Set(items) => format!("{{{}}}", values(items)),
        Value::Map(pairs) if pairs.is_empty() => "[:]".to_owned(),
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, item)| format!("{}: {}", value(key), value(item)));
            format!("[{}]", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Token(Token::End(Direction::Out)) => "Direction.OUT".to_owned(),
        Value::Token(Token::End(Direction::In)) => "Direction.IN".to_owned(),
        Value::Token(Token::End(Direction::Both)) => "Direction.BOTH".to_owned(),
        Value::Token(token) => format!("T.{token:?}"),
        other => format!("{other:?}"),
    }
}

fn values(all: &[Value]) -> String {
    all.iter().map(value).collect::<Vec<_>>().join(", ")
}
