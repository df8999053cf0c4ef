//! Bytecode and the arguments of its instructions, traversers and metrics.
//!
//! Steps come before the source instructions. A predicate of one value that comes with several has a
//! list for a value: the format spreads lists.

use std::sync::Arc;

use millrace_bytecode::{
    Argument, Bytecode, Instruction, Lambda, Predicate, Strategy, Symbol, SymbolFamily,
    is_of_janusgraph,
};
use millrace_model::{Result, Value};

use super::super::datum::{Datum, Metrics, TraversalMetrics, Traverser};
use super::code;
use super::element::{edge_of, vertex_of};
use super::reader::{DATUM_BYTES_MIN, Reader};
use super::writer::Writer;

/// Bytes of the shortest instruction: the length of its name and how many arguments it has.
const INSTRUCTION_BYTES_MIN: usize = 2 * size_of::<i32>();

/// Predicates of texts, which have a type of their own.
const TEXT_PREDICATES: [&str; 8] = [
    "startingWith",
    "notStartingWith",
    "endingWith",
    "notEndingWith",
    "containing",
    "notContaining",
    "regex",
    "notRegex",
];

/// Predicates of several arguments.
const WIDE_PREDICATES: [&str; 7] =
    ["and", "or", "between", "inside", "outside", "within", "without"];

/// Whether a predicate is one of texts.
pub(crate) fn is_of_text(name: &str) -> bool {
    TEXT_PREDICATES.contains(&name)
}

/// Whether a predicate has several arguments.
pub(crate) fn is_wide(name: &str) -> bool {
    WIDE_PREDICATES.contains(&name)
}

/// A class's name without its package.
pub(crate) fn short_name(class: &str) -> Arc<str> {
    let last = class.rsplit(['.', '$']).next();
    Arc::from(last.unwrap_or(class))
}

/// An instruction. Some drivers send a strategy where one is only named to be left out, and GraphSON 2
/// the cardinality of a value as text.
pub(crate) fn instruction_of(name: Arc<str>, mut arguments: Vec<Argument>) -> Instruction {
    match (&*name, arguments.as_mut_slice()) {
        ("withoutStrategies", arguments) => {
            for argument in arguments {
                if let Argument::Strategy(strategy) = argument {
                    *argument = Argument::Type(strategy.name.clone());
                }
            }
        }
        ("CardinalityValueTraversal", [cardinality @ Argument::Value(Value::String(_)), _]) => {
            if let Argument::Value(Value::String(name)) = cardinality {
                let (family, name) = (SymbolFamily::Cardinality, name.clone());
                *cardinality = Argument::Symbol(Symbol { family, name });
            }
        }
        _ => {}
    }
    Instruction { name, arguments, position: None }
}

impl Reader<'_> {
    pub(super) fn bare_argument(&mut self, code: u8) -> Result<Datum> {
        let argument = match code {
            code::BINDING => Argument::Binding(self.text()?, Box::new(self.argument()?)),
            code::BYTECODE => Argument::Bytecode(self.bytecode()?),
            code::LAMBDA => Argument::Lambda(self.lambda()?),
            code::P | code::TEXT_P => Argument::Predicate(self.predicate()?),
            code::CLASS => Argument::Type(short_name(&self.text()?)),
            code::TRAVERSAL_STRATEGY => Argument::Strategy(self.strategy()?),
            code => {
                let family = code::SYMBOLS.iter().find(|(known, _)| *known == code);
                let (_, family) = family.ok_or_else(|| self.unknown(code))?;
                Argument::Symbol(Symbol { family: *family, name: self.constant()? })
            }
        };
        Ok(Datum::Argument(Box::new(argument)))
    }

    fn argument(&mut self) -> Result<Argument> {
        let datum = self.datum()?;
        datum.into_argument().map_err(|error| self.bad(error.detail))
    }

    fn arguments(&mut self) -> Result<Vec<Argument>> {
        let count = self.count(DATUM_BYTES_MIN, "how many arguments there are")?;
        (0..count).map(|_| self.argument()).collect()
    }

    /// Bytecode without type or flag.
    pub fn bytecode(&mut self) -> Result<Bytecode> {
        let (steps, sources) = (self.instructions()?, self.instructions()?);
        Ok(Bytecode { sources, steps })
    }

    fn instructions(&mut self) -> Result<Vec<Instruction>> {
        let count = self.count(INSTRUCTION_BYTES_MIN, "how many instructions there are")?;
        let instruction = |_| {
            let (name, arguments) = (self.text()?, self.arguments()?);
            Ok(instruction_of(name, arguments))
        };
        (0..count).map(instruction).collect()
    }

    fn lambda(&mut self) -> Result<Lambda> {
        let (language, text) = (self.text()?, self.text()?);
        let arity = u32::try_from(self.i32("how many arguments a lambda takes")?).ok();
        Ok(Lambda { text, language, arity })
    }

    fn predicate(&mut self) -> Result<Predicate> {
        let (name, arguments) = (self.text()?, self.arguments()?);
        let arguments = match arguments.len() {
            1 => arguments,
            _ if is_wide(&name) => arguments,
            _ => vec![Argument::list(arguments)],
        };
        Ok(Predicate::new(&name, arguments))
    }

    fn strategy(&mut self) -> Result<Strategy> {
        let name = short_name(&self.text()?);
        let count = self.count(2 * DATUM_BYTES_MIN, "the length of a Map")?;
        let setting = |_| {
            let key = match self.value("the name of a setting")? {
                Value::String(key) => key,
                other => {
                    let found = other.type_name();
                    return Err(self.bad(format!("the name of a setting is a {found}")));
                }
            };
            Ok((key, self.argument()?))
        };
        let configuration = (0..count).map(setting).collect::<Result<_>>()?;
        Ok(Strategy { name, configuration })
    }

    pub(super) fn traverser(&mut self) -> Result<Datum> {
        let (bulk, value) = (self.bulk()?, self.datum()?);
        Ok(Datum::Traverser(Box::new(Traverser { bulk, value })))
    }

    pub(super) fn metrics(&mut self) -> Result<Metrics> {
        let (id, name) = (self.text()?, self.text()?);
        let nanos = self.i64("how long a step took")?;
        let counts = self.map()?.into_iter().map(|(key, count)| {
            let (Some(Value::String(key)), Some(Value::I64(count))) = (key.value(), count.value())
            else {
                return Err(self.bad("counts of a step are Longs by name"));
            };
            Ok((key, count))
        });
        let counts = counts.collect::<Result<_>>()?;
        let Datum::Value(Value::Map(annotations)) = Datum::map(self.map()?) else {
            return Err(self.bad("annotations of a step are values"));
        };
        let nested = self.list()?.into_iter().map(|datum| match datum {
            Datum::Metrics(metrics) => Ok(*metrics),
            other => Err(self.bad(format!("a step holds a {}", other.type_name()))),
        });
        let nested = nested.collect::<Result<_>>()?;
        let annotations = annotations.to_vec();
        Ok(Metrics { id, name, nanos, counts, annotations, nested, ..Metrics::default() })
    }

    pub(super) fn traversal_metrics(&mut self) -> Result<Datum> {
        let nanos = self.i64("how long a traversal took")?;
        let steps = self.list()?.into_iter().map(|datum| match datum {
            Datum::Metrics(metrics) => Ok(*metrics),
            other => Err(self.bad(format!("a traversal holds a {}", other.type_name()))),
        });
        let steps = steps.collect::<Result<_>>()?;
        Ok(Datum::TraversalMetrics(Box::new(TraversalMetrics { nanos, operators: steps })))
    }
}

impl Writer {
    /// Writes an argument with its type in front.
    pub fn argument(&mut self, argument: &Argument) -> Result<()> {
        self.nested(|writer| writer.any_argument(argument))
    }

    fn any_argument(&mut self, argument: &Argument) -> Result<()> {
        match argument {
            Argument::Value(value) => self.value(value),
            Argument::List(arguments) => self.typed(code::LIST).items(arguments, Writer::argument),
            Argument::Set(arguments) => self.typed(code::SET).items(arguments, Writer::argument),
            Argument::Map(pairs) => self.typed(code::MAP).pairs(pairs, Writer::argument),
            Argument::Bytecode(bytecode) => self.typed(code::BYTECODE).bytecode(bytecode),
            Argument::Predicate(predicate) => self.predicate(predicate),
            Argument::Symbol(symbol) => self.symbol(symbol),
            Argument::Type(name) => self.typed(code::CLASS).text(name),
            Argument::Geoshape(geoshape) => self.geoshape(geoshape),
            Argument::Strategy(strategy) => self.typed(code::TRAVERSAL_STRATEGY).strategy(strategy),
            Argument::Lambda(lambda) => self.typed(code::LAMBDA).lambda(lambda),
            Argument::Binding(name, argument) => {
                self.typed(code::BINDING).text(name)?;
                self.argument(argument)
            }
            Argument::Vertex(id) => self.typed(code::VERTEX).vertex(&vertex_of(id.clone())),
            Argument::Edge(id) => self.typed(code::EDGE).edge(&edge_of(id.clone())),
        }
    }

    fn bytecode(&mut self, bytecode: &Bytecode) -> Result<()> {
        [&bytecode.steps, &bytecode.sources].into_iter().try_for_each(|instructions| {
            self.items(instructions, |writer, instruction| {
                writer.text(&instruction.name)?;
                writer.items(&instruction.arguments, Writer::argument)
            })
        })
    }

    fn predicate(&mut self, predicate: &Predicate) -> Result<()> {
        if is_of_janusgraph(&predicate.name) {
            return self.predicate_of_janusgraph(predicate);
        }
        let code = if is_of_text(&predicate.name) { code::TEXT_P } else { code::P };
        self.typed(code).text(&predicate.name)?;
        self.items(&predicate.arguments, Writer::argument)
    }

    fn symbol(&mut self, symbol: &Symbol) -> Result<()> {
        self.typed(symbol_code(symbol.family)).typed(code::STRING).text(&symbol.name)
    }

    fn strategy(&mut self, strategy: &Strategy) -> Result<()> {
        self.text(&strategy.name)?;
        self.items(&strategy.configuration, |writer, (key, argument)| {
            writer.typed(code::STRING).text(key)?;
            writer.argument(argument)
        })
    }

    fn lambda(&mut self, lambda: &Lambda) -> Result<()> {
        self.text(&lambda.language)?;
        self.text(&lambda.text)?;
        let arity = lambda.arity.and_then(|arity| i32::try_from(arity).ok());
        self.put(&arity.unwrap_or(-1).to_be_bytes());
        Ok(())
    }

    pub(super) fn traverser(&mut self, traverser: &Traverser) -> Result<()> {
        self.bulk(traverser.bulk)?;
        self.datum(&traverser.value)
    }

    pub(super) fn metrics(&mut self, metrics: &Metrics) -> Result<()> {
        self.text(&metrics.id)?;
        self.text(&metrics.name)?;
        self.put(&metrics.nanos.to_be_bytes());
        self.items(&metrics.counts, |writer, (key, count)| {
            writer.typed(code::STRING).text(key)?;
            writer.value(&Value::I64(*count))
        })?;
        self.pairs(&metrics.annotations, Writer::value)?;
        self.steps(&metrics.nested)
    }

    fn steps(&mut self, steps: &[Metrics]) -> Result<()> {
        self.items(steps, |writer, step| writer.typed(code::METRICS).metrics(step))
    }

    pub(super) fn traversal_metrics(&mut self, metrics: &TraversalMetrics) -> Result<()> {
        self.put(&metrics.nanos.to_be_bytes());
        self.steps(&metrics.operators)
    }
}

/// The type code of an enumeration.
fn symbol_code(family: SymbolFamily) -> u8 {
    let found = code::SYMBOLS.iter().find(|(_, known)| *known == family);
    found.map_or(code::NULL, |(code, _)| *code)
}
