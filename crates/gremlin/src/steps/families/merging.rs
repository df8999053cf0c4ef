//! Shared by `mergeV` and `mergeE`: the maps by which elements are looked for, created and changed.
//!
//! The keys of these maps are known before the run, so that they decide the plan; their values may be
//! parameters. Maps that are known only at run time are in `merge_found`.

use millrace_bytecode::{Argument, Bytecode, Symbol, SymbolFamily};
use millrace_model::{Direction, ErrorKind, Result, Token, Value};
use millrace_plan::functions::Cardinality;
use millrace_plan::{Comparison, Expr, LookupMode, Name, Properties, op};

use super::cardinality::{check_owner, joined, named, of_value};
use super::merge_found::FoundMap;
use crate::steps::{constant, is_call_of, select};
use crate::translate::{At, Call, Kind, Sub, Traversal, elements, symbol};

/// A map with its tokens apart.
#[derive(Clone, Default)]
pub(in crate::steps) struct Wanted {
    /// The label.
    pub(in crate::steps) label: Option<Name>,
    /// The id.
    pub(in crate::steps) id: Option<Expr>,
    /// The ends of an edge.
    pub(in crate::steps) source: Option<End>,
    pub(in crate::steps) target: Option<End>,
    /// Properties, and the cardinalities of values that have their own.
    pub(in crate::steps) properties: Vec<(Name, Expr)>,
    cardinalities: Vec<(Name, Cardinality)>,
    /// All pairs as they were written, to compare with another map.
    said: Vec<(Value, Argument)>,
}

/// An end of an edge in a map.
#[derive(Clone)]
pub(in crate::steps) enum End {
    /// A vertex or its id.
    Vertex(Expr),
    /// The vertex that an option of that name finds.
    Option,
}

impl Wanted {
    /// The map of an argument.
    pub(in crate::steps) fn read(
        traversal: &mut Traversal<'_>,
        call: &Call<'_>,
        argument: &Argument,
    ) -> Result<Wanted> {
        let pairs = pairs(traversal, call, argument)?;
        let mut wanted = Wanted::default();
        for (key, value) in pairs {
            match &key {
                Value::Token(Token::Label) => wanted.label = Some(label(call, &value)?),
                Value::Token(Token::Id) => {
                    let id = traversal.value(call.instruction, &value)?;
                    wanted.id = Some(super::property_arguments::external_id(id));
                }
                Value::Token(Token::End(Direction::Out)) => {
                    wanted.source = Some(end(traversal, call, &value)?);
                }
                Value::Token(Token::End(Direction::In)) => {
                    wanted.target = Some(end(traversal, call, &value)?);
                }
                Value::String(name) if name.starts_with('~') => {
                    let detail = format!("Property key can not be a hidden key: {name}");
                    return Err(call.wrong(detail));
                }
                Value::String(name) => {
                    let (cardinality, value) = of_value(&value);
                    let value = traversal.value(call.instruction, value)?;
                    wanted.properties.push((name.clone(), value));
                    wanted.cardinalities.extend(cardinality.map(|own| (name.clone(), own)));
                }
                _ => {
                    return Err(
                        call.wrong("has a map with a key that is neither a name nor a token")
                    );
                }
            }
            wanted.said.push((key, value));
        }
        Ok(wanted)
    }

    /// Whether the map for new elements contradicts this one.
    pub(in crate::steps) fn is_overridden(&self, created: &Wanted) -> bool {
        let differs = |(key, value): &(Value, Argument)| {
            self.said.iter().any(|(own, said)| own == key && said != value)
        };
        created.said.iter().any(differs)
    }

    /// The map of a new element: this one, overridden by the map for new elements.
    pub(in crate::steps) fn with_created(&self, created: Wanted) -> Wanted {
        let mut all = self.clone();
        all.label = created.label.or(all.label);
        all.id = created.id.or(all.id);
        all.source = created.source.or(all.source);
        all.target = created.target.or(all.target);
        for (key, value) in created.properties {
            all.properties.retain(|(own, _)| *own != key);
            all.properties.push((key, value));
        }
        all
    }

    /// The properties to set on an element. Values without a cardinality of their own have this one.
    fn set(self, call: &Call<'_>, on: At, cardinality: Cardinality) -> Result<Vec<(Name, Expr)>> {
        let Wanted { properties, cardinalities, .. } = self;
        let set = |(key, value): (Name, Expr)| {
            let own = cardinalities.iter().find(|(own, _)| *own == key).map(|(_, own)| *own);
            let own = own.unwrap_or(cardinality);
            check_owner(call.instruction, on.kind, own, false)?;
            let value = joined(own, || elements::stored(on, &key), value, None);
            Ok((key, value))
        };
        properties.into_iter().map(set).collect()
    }

    /// Keeps elements that have the properties to look for.
    pub(in crate::steps) fn keep(&self, traversal: &mut Traversal<'_>, found: At) {
        for (key, value) in &self.properties {
            let own = elements::stored(found, key);
            let test = Expr::compare(Comparison::Equal, own.clone(), value.clone());
            traversal.plan.filter(Expr::any_value(own, test));
        }
    }
}

/// The input of a merge: the map to look for, and the map for new elements.
pub(in crate::steps) enum MergeInput<'a> {
    /// By maps that are known before the run.
    Known(Box<KnownMaps>),
    /// By maps of which at least one is known only at run time.
    Found {
        /// The first map as it was written, if it was.
        map: Option<&'a Argument>,
        wanted: FoundMap,
        created: FoundMap,
    },
}

/// Maps that are known before the run.
pub(in crate::steps) struct KnownMaps {
    pub(in crate::steps) wanted: Wanted,
    pub(in crate::steps) created: Wanted,
    /// Whether the map for new elements contradicts the map to look for.
    pub(in crate::steps) is_overridden: bool,
}

impl<'a> MergeInput<'a> {
    /// Reads the maps of a call that takes these options.
    pub(in crate::steps) fn read(
        traversal: &mut Traversal<'_>,
        call: &Call<'a>,
        options: &[&str],
    ) -> Result<MergeInput<'a>> {
        check_options(call, options)?;
        let map = call.arguments().first();
        let created = option(call, "onCreate")?;
        let known = |argument: &Argument| is_known(traversal, argument);
        match map {
            Some(map) if known(map) && created.is_none_or(known) => {
                let maps = KnownMaps::read(traversal, call, map, created)?;
                Ok(MergeInput::Known(Box::new(maps)))
            }
            map => {
                let wanted = FoundMap::read(traversal, call, map)?;
                let created = match created {
                    Some(created) => FoundMap::read(traversal, call, Some(created))?,
                    None => FoundMap::empty(traversal),
                };
                Ok(MergeInput::Found { map, wanted, created })
            }
        }
    }
}

impl KnownMaps {
    fn read(
        traversal: &mut Traversal<'_>,
        call: &Call<'_>,
        map: &Argument,
        created: Option<&Argument>,
    ) -> Result<KnownMaps> {
        // A contradiction with a side effect's map is an error only where an element is created.
        let is_written = |map: &Argument| !matches!(map, Argument::Bytecode(_));
        let are_written = is_written(map) && created.is_some_and(is_written);
        let wanted = Wanted::read(traversal, call, map)?;
        let nothing = Argument::Value(Value::Null);
        let created = Wanted::read(traversal, call, created.unwrap_or(&nothing))?;
        let is_overridden = wanted.is_overridden(&created);
        if is_overridden && are_written {
            return Err(call.wrong(OVERRIDDEN));
        }
        Ok(KnownMaps { wanted, created, is_overridden })
    }
}

/// The map of an option of a call, by the option's name.
pub(in crate::steps) fn option<'a>(call: &Call<'a>, wanted: &str) -> Result<Option<&'a Argument>> {
    Ok(option_with(call, wanted)?.map(|(map, _)| map))
}

/// The same with the cardinality of values that have none of their own.
fn option_with<'a>(call: &Call<'a>, wanted: &str) -> Result<Option<(&'a Argument, Cardinality)>> {
    for option in call.modulated("option") {
        let (name, map, cardinality) = match option.arguments.as_slice() {
            [name, map] => (name, map, None),
            [name, map, cardinality] => (name, map, named(cardinality)),
            _ => return Err(call.wrong("has an option without a name and a map")),
        };
        if option.arguments.len() == 3 && cardinality.is_none() {
            return Err(call.wrong("has an option whose third argument is not a cardinality"));
        }
        match symbol(name, SymbolFamily::Merge) {
            Some(name) if name == wanted => {
                return Ok(Some((map, cardinality.unwrap_or(Cardinality::Single))));
            }
            Some(_) => {}
            None => return Err(call.wrong("has an option whose first argument is not of Merge")),
        }
    }
    Ok(None)
}

/// Fails if there is an option of another name.
fn check_options(call: &Call<'_>, known: &[&str]) -> Result<()> {
    for option in call.modulated("option") {
        let name = option.arguments.first().and_then(|name| symbol(name, SymbolFamily::Merge));
        if !name.is_some_and(|name| known.contains(&name)) {
            let known = known.join(", ");
            return Err(call.wrong(format!("has an unknown option; it takes {known}")));
        }
    }
    Ok(())
}

/// The properties to set on an element that was found: from a map, or from a traversal that starts at `asked`.
pub(in crate::steps) fn on_match(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    (asked, found): (At, At),
) -> Result<Properties> {
    match option_with(call, "onMatch")? {
        None | Some((Argument::Value(Value::Null), _)) => Ok(Properties::default()),
        Some((Argument::Bytecode(inner), cardinality)) if seed_of(traversal, inner).is_none() => {
            if cardinality != Cardinality::Single {
                return Err(call
                    .refused("with a cardinality for the result of a traversal is not supported"));
            }
            let map = Expr::Column(traversal.first_of(asked, inner)?.column);
            // Null sets nothing, as in TinkerPop; another value that is no map is an error.
            let none = (Expr::IsNull(Box::new(map.clone())), Expr::Literal(Value::map(Vec::new())));
            let map = Expr::Case { branches: vec![none], otherwise: Some(Box::new(map)) };
            Ok(Properties { keyed: Vec::new(), map: Some(map) })
        }
        Some((map, cardinality)) => {
            let wanted = Wanted::read(traversal, call, map)?;
            if wanted.label.is_some() || wanted.id.is_some() {
                return Err(call.wrong("option(onMatch) expects keys in Map to be of String"));
            }
            Ok(Properties { keyed: wanted.set(call, found, cardinality)?, map: None })
        }
    }
}

/// The same for all rows before any element is found; `None` if the traversal may read the element that is found.
pub(in crate::steps) fn on_match_of_all(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    to: At,
) -> Result<Option<Properties>> {
    if let Some(Argument::Bytecode(inner)) = option(call, "onMatch")?
        && seed_of(traversal, inner).is_none()
        && !looks_elsewhere(traversal, inner)
    {
        return Ok(None);
    }
    let nothing = traversal.plan.project("found", Expr::Literal(Value::Null));
    on_match(traversal, call, (At::new(nothing, Kind::Vertex), to)).map(Some)
}

/// Whether the first step of a traversal ignores the object that it starts from.
fn looks_elsewhere(traversal: &Traversal<'_>, inner: &Bytecode) -> bool {
    let Some(first) = inner.steps.first() else { return false };
    let known = |argument: &Argument| match argument {
        Argument::Value(Value::String(name)) => {
            let shared = &traversal.shared;
            traversal.state.tags.contains_key(name) || shared.seeds.contains_key(name)
        }
        _ => false,
    };
    is_call_of(first, &constant::STEP)
        || is_call_of(first, &select::STEP) && first.arguments.iter().all(known)
}

/// The message where the map for new elements contradicts the map to look for.
const OVERRIDDEN: &str = "option(onCreate) cannot override values from merge() argument";

/// Fails in place of the creation.
pub(in crate::steps) fn fail_overridden(traversal: &mut Traversal<'_>, call: &Call<'_>, to: At) {
    let message = format!("{}() {OVERRIDDEN}", call.instruction.name);
    let message = Expr::literal(&*message);
    traversal.plan.push(op::Fail { message, kind: ErrorKind::BadQuery });
    traversal.plan.push(op::Project { columns: vec![(to.column, Expr::Literal(Value::Null))] });
}

/// Finds elements and sets the properties of `onMatch` on them, or creates one: row by row, so that a later row
/// finds the element that an earlier one created.
pub(in crate::steps) fn in_turn(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    to: At,
    find: impl FnOnce(&mut Traversal<'_>) -> Result<()>,
    create: impl FnOnce(&mut Traversal<'_>) -> Result<()>,
) -> Result<()> {
    let state = traversal.state.clone();
    let matched = traversal.sub_from(state.clone(), find)?;
    let found = traversal.sub_from(state.clone(), |sub| {
        let properties = on_match(sub, call, (to, to))?;
        set(sub, to, properties);
        Ok(())
    })?;
    let create = traversal.sub_from(state, create)?;
    let [matched, found, create] = [matched, found, create].map(|Sub { pipeline, .. }| pipeline);
    traversal.plan.merge_pattern(matched, found, create, "created");
    Ok(())
}

/// Sets them.
fn set(traversal: &mut Traversal<'_>, element: At, properties: Properties) {
    if properties != Properties::default() {
        let element = element.column;
        traversal.plan.push(op::Set {
            element,
            properties,
            replace: false,
            rules: Default::default(),
        });
    }
}

/// Whether a map is known before the run.
pub(in crate::steps) fn is_known(traversal: &Traversal<'_>, argument: &Argument) -> bool {
    match argument {
        Argument::Bytecode(inner) => seed_of(traversal, inner).is_some(),
        _ => true,
    }
}

/// The pairs of a map that is known before the run.
pub(in crate::steps) fn pairs(
    traversal: &Traversal<'_>,
    call: &Call<'_>,
    argument: &Argument,
) -> Result<Vec<(Value, Argument)>> {
    let of_value = |value: &Value| match value {
        Value::Null => Some(Vec::new()),
        Value::Map(pairs) => {
            let pairs = pairs.iter();
            Some(pairs.map(|(key, value)| (key.clone(), Argument::Value(value.clone()))).collect())
        }
        _ => None,
    };
    match argument {
        Argument::Value(value) => of_value(value).ok_or_else(|| call.wrong("takes a map")),
        Argument::Binding(_, inner) => pairs(traversal, call, inner),
        Argument::Map(all) => {
            let all = all.iter().map(|(key, value)| match key {
                Argument::Value(key) => Ok((key.clone(), value.clone())),
                _ => Err(call.wrong("has a map with a key that is not a value")),
            });
            all.collect()
        }
        Argument::Bytecode(inner) => {
            let map = seed_of(traversal, inner).ok_or_else(|| call.wrong("takes a map"))?;
            pairs(traversal, call, map)
        }
        _ => Err(call.wrong("takes a map")),
    }
}

/// The initial value of the side effect that a traversal selects, if nothing is added to it.
fn seed_of<'t>(traversal: &'t Traversal<'_>, inner: &Bytecode) -> Option<&'t Argument> {
    let [step] = inner.steps.as_slice() else { return None };
    let [Argument::Value(Value::String(name))] = step.arguments.as_slice() else { return None };
    if !is_call_of(step, &select::STEP) {
        return None;
    }
    traversal.shared.seeds.get(name).map(|seed| &seed.said)
}

fn label(call: &Call<'_>, value: &Argument) -> Result<Name> {
    match value {
        Argument::Value(Value::String(label)) if label.starts_with('~') => {
            Err(call.wrong(format!("Label can not be a hidden key: {label}")))
        }
        Argument::Value(Value::String(label)) => Ok(label.clone()),
        Argument::Binding(_, inner) => label(call, inner),
        _ => Err(call.wrong("expects T.label value to be of String")),
    }
}

fn end(traversal: &mut Traversal<'_>, call: &Call<'_>, value: &Argument) -> Result<End> {
    match value {
        Argument::Symbol(Symbol { family: SymbolFamily::Merge, .. }) => Ok(End::Option),
        Argument::Binding(_, inner) if matches!(**inner, Argument::Symbol(_)) => {
            end(traversal, call, inner)
        }
        value => traversal.value(call.instruction, value).map(End::Vertex),
    }
}

/// A vertex by itself or its id; null where there is none.
pub(in crate::steps) fn vertex(traversal: &mut Traversal<'_>, id: Expr) -> Result<At> {
    let nothing = traversal.state.clone();
    let mut found = None;
    let sub = traversal.sub_from(nothing, |inner| {
        let to = inner.plan.column("vertex");
        let element = millrace_plan::ElementKind::Vertex;
        let ids = Expr::call(millrace_plan::Function::Ids, vec![Expr::List(vec![id])]);
        inner.plan.push(op::LookupById { element, ids, mode: LookupMode::Checked, to });
        found = Some(to);
        Ok(())
    })?;
    let to = traversal.plan.column("end");
    let column = found.map_or(Expr::Literal(Value::Null), Expr::Column);
    let kind = millrace_plan::ApplyKind::Value { fold: millrace_plan::Fold::First(column), to };
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind });
    Ok(At::new(to, Kind::Vertex))
}
