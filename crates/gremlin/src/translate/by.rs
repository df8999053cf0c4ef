//! `by`: the part of an object that a step looks at.

use millrace_bytecode::{Argument, Bytecode, Instruction, SymbolFamily};
use millrace_model::{Result, Token, Value};
use millrace_plan::functions::SetOperation;
use millrace_plan::{Expr, Function, Name};

use super::calls::wrong;
use super::elements;
use super::kind::{At, Kind};
use super::traversal::Traversal;
use super::values::{described, symbol};

/// The part of an object that is looked at.
pub(crate) enum By<'a> {
    /// The object itself.
    Identity,
    /// The value of a key.
    Key(Name),
    /// Its id, label, key or value.
    Token(Token),
    /// The keys or values of a map.
    Column(Function),
    /// The first value of a traversal.
    Traversal(&'a Bytecode),
}

impl<'a> By<'a> {
    /// The part that an argument names; by default the object itself.
    pub(crate) fn of(
        instruction: &'a Instruction,
        argument: Option<&'a Argument>,
    ) -> Result<By<'a>> {
        Ok(match argument {
            None => By::Identity,
            Some(Argument::Value(Value::String(key))) => By::Key(key.clone()),
            Some(Argument::Value(Value::Token(token))) => By::Token(*token),
            Some(Argument::Bytecode(inner)) if inner.steps.is_empty() => By::Identity,
            Some(Argument::Bytecode(inner)) => By::Traversal(inner),
            Some(Argument::Binding(_, inner)) => return By::of(instruction, Some(inner)),
            Some(other) => match symbol(other, SymbolFamily::Column) {
                Some("keys") => By::Column(Function::Keys),
                Some("values") => By::Column(Function::Values),
                _ => {
                    let detail =
                        format!("takes a key, a token or a traversal, not {}", described(other));
                    return Err(wrong(instruction, detail));
                }
            },
        })
    }

    /// The bys of a call.
    pub(crate) fn all(modulators: &[&'a Instruction]) -> Result<Vec<By<'a>>> {
        let bys = modulators.iter().filter(|modulator| &*modulator.name == "by");
        bys.map(|by| {
            super::calls::check_count(by, 0, 1)?;
            By::of(by, by.arguments.first())
        })
        .collect()
    }
}

impl Traversal<'_> {
    /// The value of a `by` for an object, as an expression; absent where it finds nothing.
    pub(crate) fn by(&mut self, by: &By<'_>, of: At) -> Result<(Expr, Kind)> {
        Ok(match by {
            By::Identity => (Expr::Column(of.column), of.kind),
            By::Key(key) if of.kind == Kind::Property => {
                let own = self.own_properties(of);
                (elements::property(own, key), Kind::Any)
            }
            By::Key(key) => (elements::property(of, key), Kind::Any),
            By::Token(token) => (self.token(of, *token), Kind::Scalar),
            By::Column(function) => self.column_of(of, *function),
            By::Traversal(inner) => {
                let found = self.first_of(of, inner)?;
                (Expr::Column(found.column), found.kind)
            }
        })
    }

    /// The same as a column.
    pub(crate) fn by_column(&mut self, by: &By<'_>, of: At) -> Result<At> {
        let (mut expr, kind) = self.by(by, of)?;
        if self.is_productive(by) {
            let absent = Expr::IsAbsent(Box::new(expr.clone()));
            let branches = vec![(absent, Expr::Literal(Value::Null))];
            expr = Expr::Case { branches, otherwise: Some(Box::new(expr)) };
        }
        Ok(At::new(self.project("by", expr), kind))
    }

    /// The part of an object that a token names; the parts of a property that traversers came to are columns.
    pub(crate) fn token(&self, of: At, token: Token) -> Expr {
        match (of.kind, token) {
            (Kind::Property, Token::Key) => self.key_of(of),
            (Kind::Property, Token::Value) => self.value_of(of),
            (Kind::Any, Token::Key) => self.of_property_or_pair(of, token, self.key_of(of)),
            (Kind::Any, Token::Value) => self.of_property_or_pair(of, token, self.value_of(of)),
            _ => elements::token(of, token),
        }
    }

    /// The key or value of an object that is a property or a pair of a map, decided at run time.
    fn of_property_or_pair(&self, of: At, token: Token, of_property: Expr) -> Expr {
        let is_property = elements::is_property(&Expr::Column(of.column));
        elements::either(is_property, of_property, elements::token(of, token))
    }

    /// Whether a strategy wants null where it finds nothing.
    fn is_productive(&self, by: &By<'_>) -> bool {
        let Some(keys) = &self.shared.productive else { return false };
        match by {
            By::Key(key) => keys.is_empty() || keys.contains(key),
            By::Traversal(_) => keys.is_empty(),
            By::Identity | By::Token(_) | By::Column(_) => false,
        }
    }

    /// The keys or values of a map; of a map's entry the key or value itself; of a path tags and objects.
    pub(crate) fn column_of(&mut self, of: At, function: Function) -> (Expr, Kind) {
        let own = vec![Expr::Column(of.column)];
        match (of.kind, function) {
            (Kind::Path, Function::Keys) => (Expr::call(Function::PathTags, own), Kind::List),
            (Kind::Path, _) => (Expr::call(Function::Objects, own), Kind::List),
            (Kind::Entry, function) => (Expr::call(function, own), Kind::Any),
            (Kind::Map, function) => (of_map(function, own), Kind::Any),
            (_, function) => {
                let is_entry = elements::is_of_type(&own[0], "map entry");
                let [part, all] = [Expr::call(function, own.clone()), of_map(function, own)];
                (elements::either(is_entry, part, all), Kind::Any)
            }
        }
    }
}

/// The keys of a map as a set, or its values as a list.
fn of_map(function: Function, map: Vec<Expr>) -> Expr {
    let all = Expr::call(function, map);
    match function {
        Function::Keys => {
            Expr::call(Function::SetOf(SetOperation::Union), vec![all, Expr::List(Vec::new())])
        }
        _ => all,
    }
}
