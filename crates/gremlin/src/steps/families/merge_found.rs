//! Maps of `mergeV` and `mergeE` that are known only at run time: from traversals, side effects, rows.
//!
//! All rows are merged at once if the map of each suits a bulk merge, which is tested before any row is merged.
//! Otherwise they are merged in turn, so that a row never misses an element that an earlier one created.

use millrace_bytecode::Argument;
use millrace_model::{Direction, Result, Token, Value};
use millrace_plan::functions::Wanted as Type;
use millrace_plan::{Comparison, Expr, Function, Op, Properties, SetName, SideFold, UnionPick, op};

use super::merging::pairs;
use super::texts::require;
use crate::translate::{At, Call, Kind, Sub, Traversal, elements};

/// A map of each row.
#[derive(Clone, Copy)]
pub(in crate::steps) struct FoundMap {
    map: At,
}

impl FoundMap {
    /// The map of an argument for each row; without an argument, the object of the traverser.
    pub(in crate::steps) fn read(
        traversal: &mut Traversal<'_>,
        call: &Call<'_>,
        argument: Option<&Argument>,
    ) -> Result<FoundMap> {
        let map = match argument {
            None => Expr::Column(traversal.at(call)?.column),
            Some(Argument::Bytecode(inner)) => {
                let found = match traversal.state.at {
                    Some(at) => traversal.first_of(at, inner)?,
                    None => traversal.first_from_nowhere(inner)?,
                };
                Expr::Column(found.column)
            }
            Some(known) => of_known(traversal, call, known)?,
        };
        let message = format!("{}() takes a map", call.instruction.name);
        let map = require(Type::Map, map, None, &message);
        let none = (Expr::IsNull(Box::new(map.clone())), empty_map());
        let map = Expr::Case { branches: vec![none], otherwise: Some(Box::new(map)) };
        Ok(FoundMap { map: At::new(traversal.project("wanted", map), Kind::Map) })
    }

    /// A map without pairs.
    pub(in crate::steps) fn empty(traversal: &mut Traversal<'_>) -> FoundMap {
        FoundMap { map: At::new(traversal.project("none", empty_map()), Kind::Map) }
    }

    fn column(self) -> Expr {
        Expr::Column(self.map.column)
    }

    /// The value of a token; null where the map has none.
    pub(in crate::steps) fn token(self, token: Token) -> Expr {
        Expr::call(Function::Get, vec![self.column(), Expr::Literal(Value::Token(token))])
    }

    /// The id; null where the map has none.
    pub(in crate::steps) fn id(self) -> Expr {
        super::property_arguments::external_id(self.token(Token::Id))
    }

    /// The label; null where the map has none, an error where it is no label.
    pub(in crate::steps) fn label(self) -> Expr {
        let label = self.token(Token::Label);
        require(
            Type::Text,
            label,
            None,
            "mergeV() and mergeE() expect T.label value to be of String",
        )
    }

    /// Its pairs without tokens: the properties.
    pub(in crate::steps) fn properties(self) -> Expr {
        let tokens =
            [Token::Id, Token::Label, Token::End(Direction::Out), Token::End(Direction::In)];
        let tokens = tokens.into_iter().map(Value::Token).collect();
        Expr::call(Function::Without, vec![self.column(), Expr::Literal(Value::list(tokens))])
    }

    /// The same to be written.
    pub(in crate::steps) fn written(self) -> Properties {
        Properties { keyed: Vec::new(), map: Some(self.properties()) }
    }

    /// Whether it has no properties.
    pub(in crate::steps) fn has_no_properties(self) -> Expr {
        let size = Expr::call(Function::Size, vec![self.properties()]);
        Expr::compare(Comparison::Equal, size, Expr::literal(0_i64))
    }

    /// The map of a new element: this one, overridden by the map for new elements.
    pub(in crate::steps) fn with_created(
        self,
        traversal: &mut Traversal<'_>,
        created: FoundMap,
    ) -> FoundMap {
        let both = vec![self.column(), created.column()];
        let all = traversal.project("made", Expr::call(Function::MergeMaps, both));
        FoundMap { map: At::new(all, Kind::Map) }
    }

    /// Whether the map for new elements contradicts this one.
    pub(in crate::steps) fn is_overridden(self, created: FoundMap) -> Expr {
        let merged = |first: FoundMap, last: FoundMap| {
            Expr::call(Function::MergeMaps, vec![first.column(), last.column()])
        };
        Expr::compare(Comparison::NotEqual, merged(self, created), merged(created, self))
    }

    /// Whether it has a value for a token.
    pub(in crate::steps) fn says(self, token: Token) -> Expr {
        Expr::IsNull(Box::new(self.token(token))).negate()
    }

    /// Keeps elements that have its label and properties.
    pub(in crate::steps) fn keep(self, traversal: &mut Traversal<'_>, found: At) {
        let own = elements::label(found);
        let labelled = Expr::compare(Comparison::Equal, own, self.label());
        let any = Expr::IsNull(Box::new(self.token(Token::Label)));
        traversal.plan.filter(Expr::Or(vec![any, labelled]));
        let own = elements::properties(found, None);
        let more = Expr::call(Function::MergeMaps, vec![own.clone(), self.properties()]);
        traversal.plan.filter(Expr::compare(Comparison::Equal, own, more));
    }
}

fn empty_map() -> Expr {
    Expr::Literal(Value::map(Vec::new()))
}

/// A map that is known, beside one that is not. An end that an option finds is left out.
fn of_known(traversal: &mut Traversal<'_>, call: &Call<'_>, argument: &Argument) -> Result<Expr> {
    let mut list = Vec::new();
    for (key, value) in pairs(traversal, call, argument)? {
        if !matches!(value, Argument::Symbol(_)) {
            let value = traversal.value(call.instruction, &value)?;
            list.push(Expr::List(vec![Expr::Literal(key), value]));
        }
    }
    Ok(Expr::call(Function::MapOfPairs, vec![Expr::List(list)]))
}

/// Merges all rows at once unless one of them is `odd`; then all in turn.
pub(in crate::steps) fn at_once_or_in_turn(
    traversal: &mut Traversal<'_>,
    odd: Vec<Expr>,
    at_once: Op,
    in_turn: Sub,
) {
    let odd = traversal.plan.project("odd", Expr::Or(odd));
    let name: millrace_plan::Name = format!("~odd {}", odd.0).into();
    let value = Expr::Column(odd);
    traversal.plan.push(op::SideEffect { name: name.clone(), value, fold: SideFold::Set });
    let item = Box::new(Expr::literal(true));
    let any = Expr::InSet { item, set: SetName::SideEffect(name) };
    let bulk = traversal.plan.pipeline(|plan| {
        plan.push(at_once);
    });
    let pick = UnionPick::First(vec![any.negate(), Expr::literal(true)]);
    traversal.plan.push(op::Union { branches: vec![bulk, in_turn.pipeline], pick });
}

/// Creates elements in a branch, beside one that fails where the map for new elements contradicts the map to look for.
pub(in crate::steps) fn unless_overridden(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    to: At,
    overridden: Expr,
    create: impl FnOnce(&mut Traversal<'_>) -> Result<()>,
) -> Result<()> {
    let state = traversal.state.clone();
    let fail = traversal.sub_from(state.clone(), |sub| {
        super::merging::fail_overridden(sub, call, to);
        Ok(())
    })?;
    let made = traversal.sub_from(state, create)?;
    let branches = vec![fail.pipeline, made.pipeline];
    let pick = UnionPick::First(vec![overridden, Expr::literal(true)]);
    traversal.plan.push(op::Union { branches, pick });
    Ok(())
}
