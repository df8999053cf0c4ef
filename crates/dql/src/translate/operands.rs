//! Values in a query: those of its text, and those of its variables, which are slots of the plan.
//!
//! A variable's value is a text; the slot says as which type it is read. One plan is good for all values, but for a
//! variable that stands where its value decides the plan, such as `first: $n`.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result, Value};
use millrace_plan::builder::PlanBuilder;
use millrace_plan::language::slot_index;
use millrace_plan::{Expr, ParameterId};

use super::problems::wrong;
use crate::schema::Kind;
use crate::tree::{self, Query, QueryVariable, ValueKind};
use crate::values::{NearArgument, read, read_uid};

/// The values of variables that a request sets, by their names without the dollar.
pub(crate) type Values<'v> = dyn Fn(&str) -> Option<Value> + 'v;

/// How the text of a slot is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    /// As a value of a type.
    Kind(Kind),
    /// As a list of uids.
    Uids,
    /// As an argument of `similar_to`.
    Near(NearArgument),
}

/// A slot of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    /// The value of a variable.
    Variable(VariableInput),
    /// Data of the request.
    Data(Value),
    /// The time of the run.
    Now,
}

/// The name of the time of a run among variables, which no variable has.
pub(crate) const NOW: &str = "$now";

/// The value of a variable in one reading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VariableInput {
    /// The variable.
    pub(crate) name: Arc<str>,
    /// How it is read.
    pub(crate) reading: Reading,
    /// The value if the request sets none.
    pub(crate) default: Option<Value>,
}

impl Reading {
    /// The value for a text.
    pub(crate) fn read(self, text: &str) -> Result<Value> {
        match self {
            Reading::Kind(kind) => read(text, kind),
            Reading::Uids => uids_of(text),
            Reading::Near(argument) => argument.read(text),
        }
    }
}

/// `0x1`, `[0x1, 0x2]`.
fn uids_of(text: &str) -> Result<Value> {
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parts = inner.unwrap_or(text).split(',').map(str::trim).filter(|part| !part.is_empty());
    let uids: Result<Vec<Value>> = parts.map(|part| read_uid(part).map(Value::I64)).collect();
    Ok(Value::list(uids?))
}

/// See the module.
pub(crate) struct Operands<'a> {
    text: &'a str,
    values: &'a Values<'a>,
    declared: HashMap<&'a str, &'a QueryVariable>,
    inputs: Vec<Input>,
    /// The positions of variables among them.
    positions: HashMap<(Arc<str>, Reading), usize>,
    fixed: Vec<Arc<str>>,
    /// Whether literals among the arguments of functions are data of the request: its text was not normalized.
    takes_literals: bool,
}

impl<'a> Operands<'a> {
    pub(super) fn new(
        text: &'a str,
        query: &'a Query,
        values: &'a Values<'a>,
    ) -> Result<Operands<'a>> {
        let own = query.variables.iter().map(|own| (own.name.text.as_str(), own));
        let operands = Operands {
            text,
            values,
            declared: own.collect(),
            inputs: Vec::new(),
            positions: HashMap::new(),
            fixed: Vec::new(),
            takes_literals: false,
        };
        for variable in &query.variables {
            operands.check(variable)?;
        }
        Ok(operands)
    }

    /// A variable has a value of its type, or a default.
    fn check(&self, variable: &QueryVariable) -> Result<()> {
        let name = &variable.name;
        let Some(text) = self.text_of(&name.text)? else {
            let detail = match variable.is_required {
                true => format!("Variable ${} should be initialised", name.text),
                false => format!("Variable not defined ${}", name.text),
            };
            return Err(wrong(self.text, name.offset, detail));
        };
        let kind = match variable.value_type.text.as_str() {
            "int" => Kind::Int,
            "float" => Kind::Float,
            "bool" => Kind::Bool,
            "string" => Kind::String,
            "float32vector" => Kind::Vector,
            other => {
                let detail = format!("Type \"{other}\" not supported");
                return Err(wrong(self.text, variable.value_type.offset, detail));
            }
        };
        match read(&text, kind) {
            Ok(_) => Ok(()),
            Err(error) => {
                let detail =
                    format!("Expected a {} for ${}: {}", kind.word(), name.text, error.detail);
                Err(wrong(self.text, name.offset, detail))
            }
        }
    }

    /// The text of a variable's value; none: it has no value and no default.
    fn text_of(&self, name: &str) -> Result<Option<String>> {
        if let Some(value) = (self.values)(name) {
            return text_of_value(name, &value).map(Some);
        }
        Ok(self.default_of(name))
    }

    /// What a variable is that has no value: its default, and one of texts the empty text.
    fn default_of(&self, name: &str) -> Option<String> {
        let declared = self.declared.get(name)?;
        match declared.default.as_ref().map(|value| &value.kind) {
            Some(ValueKind::Text(text) | ValueKind::Word(text)) => Some(text.clone()),
            Some(_) => None,
            None => {
                let is_text = declared.value_type.text == "string" && !declared.is_required;
                is_text.then(String::new)
            }
        }
    }

    /// A value of a type, which no row decides.
    pub(super) fn operand(&mut self, value: &tree::Value, kind: Kind) -> Result<Expr> {
        self.read(value, Reading::Kind(kind))
    }

    /// From now on literals among the arguments of functions are data, so that requests that differ in them share a plan.
    pub(crate) fn take_literals(&mut self) {
        self.takes_literals = true;
    }

    /// The same of an argument of a function, which decides no plan.
    pub(super) fn argument(&mut self, value: &tree::Value, kind: Kind) -> Result<Expr> {
        match &value.kind {
            ValueKind::Text(text) | ValueKind::Word(text) if self.takes_literals => {
                let read = Reading::Kind(kind).read(text);
                let own = read.map_err(|error| wrong(self.text, value.offset, error.detail))?;
                Ok(self.data(own))
            }
            ValueKind::Text(_)
            | ValueKind::Word(_)
            | ValueKind::Parameter(_)
            | ValueKind::Regexp { .. }
            | ValueKind::List(_) => self.operand(value, kind),
        }
    }

    /// Uids: one, or a list of them.
    pub(super) fn uids(&mut self, value: &tree::Value) -> Result<Expr> {
        self.read(value, Reading::Uids)
    }

    /// A value in one reading.
    pub(super) fn read(&mut self, value: &tree::Value, reading: Reading) -> Result<Expr> {
        match &value.kind {
            ValueKind::Parameter(name) => self.input(name, reading, value),
            _ => {
                let read = reading.read(&self.literal(value)?);
                read.map(Expr::Literal)
                    .map_err(|error| wrong(self.text, value.offset, error.detail))
            }
        }
    }

    fn input(&mut self, name: &str, reading: Reading, value: &tree::Value) -> Result<Expr> {
        let is_known = self.declared.contains_key(name) || slot_index(name).is_some();
        if !is_known || self.text_of(name)?.is_none() {
            let detail = format!("Variable not defined ${name}");
            return Err(wrong(self.text, value.offset, detail));
        }
        let name: Arc<str> = Arc::from(name);
        let key = (Arc::clone(&name), reading);
        if let Some(position) = self.positions.get(&key) {
            return Ok(parameter(*position));
        }
        self.positions.insert(key, self.inputs.len());
        let default = self.default_of(&name).map(|text| Value::from(text.as_str()));
        self.inputs.push(Input::Variable(VariableInput { name, reading, default }));
        Ok(parameter(self.inputs.len() - 1))
    }

    /// Data of the request.
    pub(crate) fn data(&mut self, value: Value) -> Expr {
        self.inputs.push(Input::Data(value));
        parameter(self.inputs.len() - 1)
    }

    /// The time of the run.
    pub(super) fn now(&mut self) -> Expr {
        let place = self.inputs.iter().position(|own| *own == Input::Now);
        parameter(place.unwrap_or_else(|| {
            self.inputs.push(Input::Now);
            self.inputs.len() - 1
        }))
    }

    /// The type of a variable of the query.
    pub(super) fn declared_kind(&self, name: &str) -> Option<Kind> {
        Kind::of_word(&self.declared.get(name)?.value_type.text)
    }

    /// The text of a value that decides the plan.
    pub(super) fn literal(&mut self, value: &tree::Value) -> Result<String> {
        match &value.kind {
            ValueKind::Text(text) | ValueKind::Word(text) => Ok(text.clone()),
            ValueKind::Parameter(name) => {
                self.fixed.push(Arc::from(name.as_str()));
                let text = self.text_of(name)?;
                text.ok_or_else(|| {
                    wrong(self.text, value.offset, format!("Variable not defined ${name}"))
                })
            }
            ValueKind::List(values) => {
                let parts: Result<Vec<String>> =
                    values.iter().map(|own| self.literal(own)).collect();
                Ok(format!("[{}]", parts?.join(",")))
            }
            ValueKind::Regexp { .. } => {
                let detail = "a pattern stands here, where a value is expected";
                Err(wrong(self.text, value.offset, detail))
            }
        }
    }

    /// A number that decides the plan.
    pub(super) fn number(&mut self, value: &tree::Value) -> Result<i64> {
        let text = self.literal(value)?;
        text.parse().map_err(|_| {
            let detail = format!("expected a whole number, found `{text}`");
            wrong(self.text, value.offset, detail)
        })
    }

    /// The slots, which are the plan's parameters in their order, and the variables that decide the plan.
    pub(super) fn into_inputs(self, builder: &mut PlanBuilder) -> (Vec<Input>, Vec<Arc<str>>) {
        for input in &self.inputs {
            builder.parameter(match input {
                Input::Variable(variable) => &variable.name,
                Input::Data(_) => "data",
                Input::Now => NOW,
            });
        }
        (self.inputs, self.fixed)
    }
}

fn parameter(place: usize) -> Expr {
    Expr::Parameter(ParameterId(u32::try_from(place).unwrap_or(u32::MAX)))
}

/// A variable's value as the text that a client sends.
pub(crate) fn text_of_value(name: &str, value: &Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.to_string()),
        Value::I64(number) => Ok(number.to_string()),
        Value::F64(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        other => {
            let detail = format!("the variable ${name} is a {}", other.type_name());
            let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
            Err(error.with_help("send it as a text, a number or a boolean"))
        }
    }
}
