//! What a query says, kept as it came and logged without its values.

use std::sync::Arc;

use millrace_gremlin::text::Language as Dialect;
use millrace_model::bytecode::{Argument, Bytecode, Instruction, Predicate};
use millrace_model::{Catalog, Value};

use super::redact::{Language, without_values};
use crate::gremlin::Work;
use crate::limits::SLOW_QUERY_CHARS_MAX;

/// The text of a query, or what a client sent in place of one.
pub(crate) enum QueryText {
    Lua(Arc<str>),
    Gremlin(Arc<str>),
    Traversal(Box<Bytecode>),
}

impl QueryText {
    /// What a request of Gremlin says.
    pub(crate) fn of(work: &Work) -> QueryText {
        match work {
            Work::Script { text, language: Dialect::Gremlin | Dialect::Groovy, .. } => {
                QueryText::Gremlin(Arc::clone(text))
            }
            Work::Traversal(bytecode) => QueryText::Traversal(Box::new(bytecode.clone())),
        }
    }

    /// The language it is in.
    pub(super) fn language(&self) -> &'static str {
        match self {
            QueryText::Lua(_) => "lua",
            QueryText::Gremlin(_) | QueryText::Traversal(_) => "gremlin",
        }
    }

    /// The text on one line, without values, cut.
    pub(super) fn redacted(&self, catalog: Option<&Catalog>) -> String {
        let text = match self {
            QueryText::Lua(text) => without_values(text, Language::Lua, catalog),
            QueryText::Gremlin(text) => without_values(text, Language::Gremlin, catalog),
            QueryText::Traversal(bytecode) => {
                let text = format!("g{}", instructions(bytecode));
                without_values(&text, Language::Gremlin, catalog)
            }
        };
        cut(text)
    }
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SLOW_QUERY_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
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

/// An argument as text; a value that is no text, and may be no name, is left out at once.
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
        Argument::Strategy(strategy) => strategy.name.to_string(),
        Argument::Lambda(_) => "{…}".to_owned(),
        Argument::Binding(_, inner) => self::argument(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let long = "é".repeat(SLOW_QUERY_CHARS_MAX + 1);
        let shown = QueryText::Lua(long.as_str().into()).redacted(None);
        assert_eq!(shown.chars().count(), SLOW_QUERY_CHARS_MAX + 1);
        assert!(shown.ends_with('…'));
    }

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
        let mut catalog = Catalog::default();
        catalog.keys.intern("age");
        catalog.edge_types.intern("knows");
        let shown = QueryText::Traversal(Box::new(bytecode)).redacted(Some(&catalog));
        assert_eq!(shown, "g.V(?).has(\"age\",gt(?)).where(__.out(\"knows\"))");
    }
}
