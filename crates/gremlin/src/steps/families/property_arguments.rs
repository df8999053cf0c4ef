//! Arguments of the steps that create elements or write properties.

use millrace_bytecode::{Argument, Instruction};
use millrace_model::{Result, Token, Value};
use millrace_plan::functions::Cardinality;
use millrace_plan::{Expr, Function, Label, Name, Properties};

use super::cardinality::{self, joined, of_value};
use crate::translate::{Call, Kind, Traversal, elements, name, wrong};

/// The id, the label and the properties of a new element.
#[derive(Default)]
pub(in crate::steps) struct NewElement {
    /// Its id.
    pub(in crate::steps) id: Option<Expr>,
    /// Its label, if a property sets it.
    pub(in crate::steps) label: Option<Name>,
    /// Its properties.
    pub(in crate::steps) properties: Properties,
}

/// A new element, described by the `property` steps behind the step that creates it.
pub(in crate::steps) fn new_element(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    kind: Kind,
) -> Result<NewElement> {
    let NewElement { mut id, mut label, mut properties } = NewElement::default();
    for modulator in call.modulated("property") {
        match modulator.arguments.as_slice() {
            [Argument::Value(Value::Token(Token::Id)), value] => {
                id = Some(external_id(value_of(traversal, modulator, value)?));
            }
            [Argument::Value(Value::Token(Token::Label)), own] => {
                label = Some(name(modulator, own)?);
            }
            [Argument::Value(Value::Null)] => {}
            _ => {
                let before = |keyed: &[(Name, Expr)], key: &Name| {
                    let known = keyed.iter().find(|(known, _)| known == key);
                    known.map_or(Expr::Literal(Value::Null), |(_, value)| value.clone())
                };
                let known = properties.keyed.clone();
                let owner = Owner { kind, is_new: true };
                let one = assigned(traversal, modulator, (owner, &|key| before(&known, key)))?;
                put(&mut properties, one);
            }
        }
    }
    Ok(NewElement { id, label, properties })
}

/// Adds later properties, which override earlier ones of the same key.
fn put(properties: &mut Properties, later: Properties) {
    for (key, value) in later.keyed {
        properties.keyed.retain(|(known, _)| *known != key);
        match properties.map.take() {
            // The pairs of a map come behind all keys.
            Some(map) => {
                let maps = vec![map, Expr::Map(vec![(key, value)])];
                properties.map = Some(Expr::call(Function::MergeMaps, maps));
            }
            None => properties.keyed.push((key, value)),
        }
    }
    properties.map = match (properties.map.take(), later.map) {
        (Some(map), Some(later)) => Some(Expr::call(Function::MergeMaps, vec![map, later])),
        (map, later) => later.or(map),
    };
}

/// An external id: a text of digits is the number, as in look-ups.
pub(in crate::steps) fn external_id(id: Expr) -> Expr {
    let ids = Expr::call(Function::Ids, vec![Expr::List(vec![id])]);
    crate::steps::path::entry_at(ids, 0)
}

/// The properties that one `property` sets on the element that traversers are at.
pub(in crate::steps) fn one(traversal: &mut Traversal<'_>, of: &Instruction) -> Result<Properties> {
    let at = traversal.here(of)?;
    let owner = Owner { kind: at.kind, is_new: false };
    assigned(traversal, of, (owner, &|key| elements::stored(at, key)))
}

/// The value that a key had before.
type Before<'a> = &'a dyn Fn(&Name) -> Expr;

/// The owner of the properties that are set.
#[derive(Clone, Copy)]
struct Owner {
    kind: Kind,
    is_new: bool,
}

impl Owner {
    /// The default cardinality: a new vertex keeps all its values, as in TinkerPop.
    fn unsaid(self, has_meta: bool) -> Cardinality {
        let keeps_all = self.is_new && self.kind != Kind::Edge && !has_meta;
        if keeps_all { Cardinality::List } else { Cardinality::Single }
    }
}

/// The properties that one `property` sets, where a key had `before`.
fn assigned(
    traversal: &mut Traversal<'_>,
    of: &Instruction,
    (owner, before): (Owner, Before<'_>),
) -> Result<Properties> {
    let (said, arguments) = match of.arguments.as_slice() {
        [first, rest @ ..] => match cardinality::named(first) {
            Some(cardinality) => (Some(cardinality), rest),
            None => (None, of.arguments.as_slice()),
        },
        none => (None, none),
    };
    let cardinality = said.unwrap_or(Cardinality::Single);
    match arguments {
        [Argument::Value(Value::Null)] => Ok(Properties::default()),
        [Argument::Value(map @ Value::Map(_))] if cardinality == Cardinality::Single => {
            Ok(Properties { keyed: Vec::new(), map: Some(Expr::Literal(map.clone())) })
        }
        [Argument::Value(Value::Map(pairs))] => {
            let argument = |value: &Value| Argument::Value(value.clone());
            let pairs: Vec<_> =
                pairs.iter().map(|(key, value)| (argument(key), argument(value))).collect();
            of_pairs(traversal, of, &pairs, (cardinality, owner), before)
        }
        [Argument::Map(pairs)] => of_pairs(traversal, of, pairs, (cardinality, owner), before),
        [Argument::Bytecode(_), value] if cardinality == Cardinality::Single => {
            // Its key is known only from the traverser.
            let key = value_of(traversal, of, &arguments[0])?;
            let value = value_of(traversal, of, value)?;
            let pairs = Expr::List(vec![Expr::List(vec![key, value])]);
            let map = Some(Expr::call(Function::MapOfPairs, vec![pairs]));
            Ok(Properties { keyed: Vec::new(), map })
        }
        [key, value, meta @ ..] if meta.len() % 2 == 0 => {
            let key = key_of(of, key)?;
            let value = value_of(traversal, of, value)?;
            let meta = meta_of(traversal, of, meta)?;
            let cardinality = said.unwrap_or(owner.unsaid(meta.is_some()));
            cardinality::check_owner(of, owner.kind, cardinality, meta.is_some())?;
            let joined = joined(cardinality, || before(&key), value, meta);
            Ok(Properties { keyed: vec![(key, joined)], map: None })
        }
        _ => Err(wrong(of, "takes a key and a value and pairs of a key and a value, or a map")),
    }
}

/// The properties of a map, with values that may have their own cardinality.
fn of_pairs(
    traversal: &mut Traversal<'_>,
    of: &Instruction,
    pairs: &[(Argument, Argument)],
    (cardinality, owner): (Cardinality, Owner),
    before: Before<'_>,
) -> Result<Properties> {
    let mut keyed = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let key = key_of(of, key)?;
        let (own, value) = of_value(value);
        let cardinality = own.unwrap_or(cardinality);
        cardinality::check_owner(of, owner.kind, cardinality, false)?;
        let value = value_of(traversal, of, value)?;
        keyed.push((key.clone(), joined(cardinality, || before(&key), value, None)));
    }
    Ok(Properties { keyed, map: None })
}

/// The meta-properties of a property, as a map.
fn meta_of(
    traversal: &mut Traversal<'_>,
    of: &Instruction,
    pairs: &[Argument],
) -> Result<Option<Expr>> {
    let mut meta = Vec::with_capacity(pairs.len() / 2);
    for pair in pairs.chunks_exact(2) {
        meta.push((key_of(of, &pair[0])?, value_of(traversal, of, &pair[1])?));
    }
    Ok((!meta.is_empty()).then_some(Expr::Map(meta)))
}

/// The key of an argument.
pub(in crate::steps) fn key_of(of: &Instruction, key: &Argument) -> Result<Name> {
    match key {
        Argument::Value(Value::String(key)) => Ok(key.clone()),
        Argument::Binding(_, inner) => key_of(of, inner),
        _ => Err(wrong(of, "takes a key as text")),
    }
}

/// The label of an argument: a text, or the result of a traversal.
pub(in crate::steps) fn label(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    argument: &Argument,
) -> Result<Label> {
    match argument {
        Argument::Bytecode(_) => value_of(traversal, call.instruction, argument).map(Label::Of),
        known => name(call.instruction, known).map(Label::Known),
    }
}

/// A value that is written: an argument, or the first result of a traversal.
pub(in crate::steps) fn value_of(
    traversal: &mut Traversal<'_>,
    of: &Instruction,
    value: &Argument,
) -> Result<Expr> {
    match (value, traversal.state.at) {
        (Argument::Bytecode(inner), Some(at)) => {
            let found = traversal.first_of(at, inner)?;
            Ok(Expr::Column(found.column))
        }
        (Argument::Bytecode(inner), None) => {
            let found = traversal.first_from_nowhere(inner)?;
            Ok(Expr::Column(found.column))
        }
        (value, _) => traversal.value(of, value),
    }
}
