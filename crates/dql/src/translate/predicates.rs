//! The values of predicates as expressions: languages, lists, and types that were altered.

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::functions::{Function, OnFailure};
use millrace_plan::{ColumnId, Expr};

use super::translator::Translator;
use crate::limits::NAME_BYTES_MAX;
use crate::schema::{Kind, Predicate, TYPE_PREDICATE};
use crate::tree;

/// A predicate that a query names, with what the graph knows of it.
pub(super) struct Named<'t> {
    pub(super) tree: &'t tree::Predicate,
    pub(super) known: Predicate,
}

impl<'t> Named<'t> {
    /// Whether it is a list for the client: a language has one value.
    pub(super) fn is_list(&self) -> bool {
        self.known.is_list && self.tree.languages.is_empty()
    }

    /// Its name in an answer: with the languages, if there are any.
    pub(super) fn name(&self) -> Arc<str> {
        let tree::Predicate { name, languages, is_reverse, .. } = self.tree;
        let reverse = if *is_reverse { "~" } else { "" };
        match languages.as_slice() {
            [] => format!("{reverse}{name}").into(),
            languages => format!("{reverse}{name}@{}", languages.join(":")).into(),
        }
    }
}

impl Translator<'_> {
    /// A predicate of the query; none: the graph does not have it.
    pub(super) fn named<'t>(&mut self, tree: &'t tree::Predicate) -> Option<Named<'t>> {
        self.predicate(&tree.name).map(|known| Named { tree, known })
    }

    /// Refuses names that are none of a predicate.
    pub(super) fn check_predicate(&self, tree: &tree::Predicate) -> Result<()> {
        if NAME_BYTES_MAX < tree.name.len() {
            let shown = crate::text::shown(&tree.name);
            let detail =
                format!("Predicate name length cannot be bigger than 2^16. Predicate: {shown}");
            return Err(self.wrong(tree.offset, detail));
        }
        if tree.name == "uid" {
            return Err(self.wrong(tree.offset, "Argument cannot be \"uid\""));
        }
        Ok(())
    }

    /// The properties that a chain of languages asks, the best first.
    pub(super) fn keys(&self, named: &Named<'_>) -> Vec<String> {
        let name = &named.tree.name;
        let mut keys = Vec::new();
        let mut add = |key: String| {
            if !keys.contains(&key) {
                keys.push(key);
            }
        };
        if named.tree.languages.is_empty() {
            add(name.clone());
        }
        for language in &named.tree.languages {
            match language.as_str() {
                "." => {
                    add(name.clone());
                    named.known.languages.iter().for_each(|tag| add(format!("{name}@{tag}")));
                }
                tag => add(format!("{name}@{tag}")),
            }
        }
        keys
    }

    /// The value of a predicate of values, as it is stored.
    pub(super) fn value(&self, node: ColumnId, named: &Named<'_>) -> Expr {
        if named.tree.name == TYPE_PREDICATE {
            return Expr::Labels(Box::new(Expr::Column(node)));
        }
        let keys = self.keys(named);
        let values: Vec<Expr> = keys.iter().map(|key| self.stored(node, key, named)).collect();
        match <[Expr; 1]>::try_from(values) {
            Ok([only]) => only,
            Err(several) => Expr::coalesce(several),
        }
    }

    /// A property, as one of the predicate's type where the type was altered over data.
    fn stored(&self, node: ColumnId, key: &str, named: &Named<'_>) -> Expr {
        let property = Expr::property(node, key);
        if named.known.kind == Kind::Vector {
            return Expr::call(Function::ToVector, vec![property]);
        }
        if !named.known.is_altered || named.known.is_list {
            return property;
        }
        let read = match named.known.kind {
            Kind::Int => Function::ToInteger(OnFailure::Null),
            Kind::Float => Function::ToDouble(OnFailure::Null),
            Kind::Bool => Function::ToBoolean(OnFailure::Null),
            Kind::String => {
                // What were vectors are read as lists.
                let vector = Expr::call(Function::VectorText, vec![property.clone()]);
                let text = Expr::call(Function::ToText(OnFailure::Null), vec![property]);
                return Expr::coalesce(vec![text, vector]);
            }
            Kind::Default
            | Kind::DateTime
            | Kind::Geo
            | Kind::Password
            | Kind::Uid
            | Kind::BigFloat
            | Kind::Vector => return property,
        };
        Expr::call(read, vec![property])
    }

    /// Whether a node has a value of a predicate, or an edge.
    pub(super) fn has_value(&self, node: ColumnId, named: &Named<'_>) -> Expr {
        if named.tree.name == TYPE_PREDICATE {
            let labels = Expr::Labels(Box::new(Expr::Column(node)));
            return Expr::call(Function::IsEmpty, vec![labels]).negate();
        }
        let keys = self.keys(named);
        let has = |key: &String| Expr::IsNull(Box::new(Expr::property(node, key))).negate();
        let mut tests: Vec<Expr> = keys.iter().map(has).collect();
        match tests.len() {
            1 => tests.remove(0),
            _ => Expr::Or(tests),
        }
    }

    /// A test of a predicate's values, which holds if it holds of one of them.
    pub(super) fn some_value(
        &self,
        node: ColumnId,
        named: &Named<'_>,
        test: impl Fn(Expr) -> Expr,
    ) -> Expr {
        let keys = self.keys(named);
        if named.tree.name == TYPE_PREDICATE {
            return test(self.value(node, named));
        }
        if 1 < keys.len() {
            return Expr::Or(keys.iter().map(|key| test(self.stored(node, key, named))).collect());
        }
        let property = self.value(node, named);
        match named.known.is_list {
            true => Expr::any_value(property.clone(), test(property)),
            false => test(property),
        }
    }
}
