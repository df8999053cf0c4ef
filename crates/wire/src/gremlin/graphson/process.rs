//! Bytecode and the arguments of its instructions, and traversers.

use std::sync::Arc;

use millrace_bytecode::{
    Argument, Bytecode, Instruction, Lambda, Predicate, Strategy, Symbol, SymbolFamily,
    is_of_janusgraph,
};
use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::datum::{Datum, Traverser};
use super::super::graphbinary::element::{edge_of, vertex_of};
use super::super::graphbinary::process::{instruction_of, is_of_text, is_wide, short_name};
use super::janusgraph;
use super::json::{Json, bad};
use super::read::{array, bulk, datum, field, text};
use super::write::Writer;

/// The end of the name of every strategy's type.
const STRATEGY: &str = "Strategy";

/// The argument of a type that is no value.
pub(super) fn argument(name: &str, json: &Json) -> Result<Argument> {
    Ok(match name {
        "g:Bytecode" => Argument::Bytecode(bytecode(json)?),
        "g:Binding" => {
            let argument = of_json(field(json, "value")?)?;
            Argument::Binding(text(field(json, "key")?)?, Box::new(argument))
        }
        "g:P" | "g:TextP" => Argument::Predicate(predicate(json)?),
        "janusgraph:JanusGraphP" => Argument::Predicate(janusgraph::predicate(json)?),
        "g:Lambda" => Argument::Lambda(lambda(json)?),
        "g:Class" => Argument::Type(short_name(&text(json)?)),
        name if name.ends_with(STRATEGY) => Argument::Strategy(strategy(name, json)?),
        name => {
            let known = name.strip_prefix("g:");
            let family = SymbolFamily::ALL.iter().find(|(_, family)| Some(*family) == known);
            let Some((family, _)) = family else {
                let detail = format!("GraphSON: there is no type {name}");
                return Err(Error::new(ErrorKind::BadInput, detail));
            };
            Argument::Symbol(Symbol { family: *family, name: text(json)? })
        }
    })
}

pub(super) fn of_json(json: &Json) -> Result<Argument> {
    datum(json)?.into_argument()
}

/// The instructions of a traversal, without its type.
pub(crate) fn bytecode(json: &Json) -> Result<Bytecode> {
    if !matches!(json, Json::Object(_)) {
        return Err(bad(format!(
            "expected an object of instructions, and found a {}",
            json.kind()
        )));
    }
    Ok(Bytecode { sources: instructions(json, "source")?, steps: instructions(json, "step")? })
}

fn instructions(json: &Json, key: &str) -> Result<Vec<Instruction>> {
    let Some(json) = json.get(key) else { return Ok(Vec::new()) };
    let instruction = |json: &Json| {
        let (name, arguments) =
            array(json)?.split_first().ok_or_else(|| bad("an instruction has a name"))?;
        let arguments = arguments.iter().map(of_json).collect::<Result<_>>()?;
        Ok(instruction_of(text(name)?, arguments))
    };
    array(json)?.iter().map(instruction).collect()
}

fn predicate(json: &Json) -> Result<Predicate> {
    let name = text(field(json, "predicate")?)?;
    let argument = of_json(field(json, "value")?)?;
    let arguments = match argument {
        Argument::List(arguments) | Argument::Set(arguments) if is_wide(&name) => arguments,
        Argument::Value(Value::List(values) | Value::Set(values)) if is_wide(&name) => {
            values.iter().cloned().map(Argument::Value).collect()
        }
        argument => vec![argument],
    };
    Ok(Predicate { name, arguments })
}

fn lambda(json: &Json) -> Result<Lambda> {
    let arity = match json.get("arguments") {
        Some(Json::Int(arity)) => u32::try_from(*arity).ok(),
        _ => None,
    };
    let (script, language) = (text(field(json, "script")?)?, text(field(json, "language")?)?);
    Ok(Lambda { text: script, language, arity })
}

/// `{"fqcn": …, "conf": {…}}`, or only the content of `conf`, as it was before 3.5.
fn strategy(name: &str, json: &Json) -> Result<Strategy> {
    let typed = name.trim_start_matches("g:");
    let (name, settings) = match (json.get("fqcn"), json.get("conf")) {
        (Some(class), Some(settings)) => (short_name(&text(class)?), settings),
        _ => (Arc::from(typed), json),
    };
    // A class with another name gets the name of its type.
    let name = if name.ends_with(STRATEGY) { name } else { Arc::from(typed) };
    let settings = match settings {
        Json::Object(pairs) => pairs.as_slice(),
        Json::Null => &[],
        other => return Err(bad(format!("settings are an object, and no {}", other.kind()))),
    };
    let setting = |(key, json): &(String, Json)| Ok((Arc::from(key.as_str()), of_json(json)?));
    let configuration = settings.iter().map(setting).collect::<Result<_>>()?;
    Ok(Strategy { name, configuration })
}

pub(super) fn traverser(json: &Json) -> Result<Datum> {
    let bulk = bulk(field(json, "bulk")?)?;
    let value = datum(field(json, "value")?)?;
    Ok(Datum::Traverser(Box::new(Traverser { bulk, value })))
}

impl Writer {
    /// Writes an argument.
    pub(super) fn argument(&mut self, argument: &Argument) -> Result<()> {
        self.nested(|writer| writer.any_argument(argument))
    }

    fn any_argument(&mut self, argument: &Argument) -> Result<()> {
        match argument {
            Argument::Value(value) => self.value(value),
            Argument::List(arguments) => self.collection("g:List", arguments, Writer::argument),
            Argument::Set(arguments) => self.collection("g:Set", arguments, Writer::argument),
            Argument::Map(pairs) => {
                self.begin("g:Map");
                let items = pairs.iter().flat_map(|(key, value)| [key, value]);
                self.array(items, Writer::argument)?;
                self.end();
                Ok(())
            }
            Argument::Bytecode(bytecode) => self.bytecode(bytecode),
            Argument::Predicate(predicate) => self.predicate(predicate),
            Argument::Symbol(symbol) => {
                self.typed_text(&format!("g:{}", symbol.family.name()), &symbol.name);
                Ok(())
            }
            Argument::Type(name) => {
                self.typed_text("g:Class", name);
                Ok(())
            }
            Argument::Geoshape(geoshape) => self.geoshape(geoshape),
            Argument::Strategy(strategy) => self.strategy(strategy),
            Argument::Lambda(lambda) => {
                self.lambda(lambda);
                Ok(())
            }
            Argument::Binding(name, argument) => {
                self.begin("g:Binding");
                self.raw("{");
                self.key("key");
                self.string(name);
                self.key("value");
                self.argument(argument)?;
                self.raw("}");
                self.end();
                Ok(())
            }
            Argument::Vertex(id) => self.vertex(&vertex_of(id.clone())),
            Argument::Edge(id) => self.edge(&edge_of(id.clone())),
        }
    }

    fn bytecode(&mut self, bytecode: &Bytecode) -> Result<()> {
        self.begin("g:Bytecode");
        self.raw("{");
        for (key, instructions) in [("source", &bytecode.sources), ("step", &bytecode.steps)] {
            if instructions.is_empty() {
                continue;
            }
            self.key(key);
            self.array(instructions, |writer, instruction| {
                writer.raw("[");
                writer.string(&instruction.name);
                for argument in &instruction.arguments {
                    writer.raw(",");
                    writer.argument(argument)?;
                }
                writer.raw("]");
                Ok(())
            })?;
        }
        self.raw("}");
        self.end();
        Ok(())
    }

    fn predicate(&mut self, predicate: &Predicate) -> Result<()> {
        self.begin(match &*predicate.name {
            name if is_of_janusgraph(name) => "janusgraph:JanusGraphP",
            name if is_of_text(name) => "g:TextP",
            _ => "g:P",
        });
        self.raw("{");
        self.key("predicate");
        self.string(&predicate.name);
        self.key("value");
        match predicate.arguments.as_slice() {
            [argument] if !is_wide(&predicate.name) => self.argument(argument)?,
            // Predicates stand in an array without a type, as Java writes them.
            arguments if ["and", "or"].contains(&&*predicate.name) => {
                self.array(arguments, Writer::argument)?;
            }
            arguments => self.collection("g:List", arguments, Writer::argument)?,
        }
        self.raw("}");
        self.end();
        Ok(())
    }

    fn strategy(&mut self, strategy: &Strategy) -> Result<()> {
        self.begin(&format!("g:{}", strategy.name));
        self.raw("{");
        self.key("fqcn");
        self.string(&strategy.name);
        self.key("conf");
        self.raw("{");
        for (key, argument) in &strategy.configuration {
            self.key(key);
            self.argument(argument)?;
        }
        self.raw("}}");
        self.end();
        Ok(())
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.begin("g:Lambda");
        self.raw("{");
        self.key("script");
        self.string(&lambda.text);
        self.key("language");
        self.string(&lambda.language);
        self.key("arguments");
        self.raw(&lambda.arity.map_or("-1".to_owned(), |arity| arity.to_string()));
        self.raw("}");
        self.end();
    }

    pub(super) fn traverser(&mut self, traverser: &Traverser) -> Result<()> {
        self.begin("g:Traverser");
        self.raw("{");
        self.key("bulk");
        self.number("g:Int64", traverser.bulk);
        self.key("value");
        self.datum(&traverser.value)?;
        self.raw("}");
        self.end();
        Ok(())
    }
}
