//! Patterns that are matched: of `MATCH`, of pattern comprehensions, and patterns as predicates.
//!
//! First all variables of a clause are bound, in the order of the text, then its properties and tests are read. A
//! variable of the rows keeps its symbol. The variables of a quantified part are single inside of it, and lists behind.

pub(super) mod created;

use std::collections::HashSet;

use super::bindings::Bindings;
use super::faults::{already_bound, fault, syntax, type_conflict};
use super::resolver::Resolver;
use crate::tree::{
    Expr, ExprKind, LabelExpr, NodePattern, PathPart, PathPattern, QuantifiedPath,
    RelationshipPattern, Selector, Symbol, Variable,
};
use crate::types::Type;

/// The relationships of a clause: each may occur once.
type Walked = HashSet<Symbol>;

impl Resolver<'_> {
    /// Binds the variables of patterns and resolves their properties and tests. With `repeatable`, a relationship may
    /// occur twice.
    pub(in crate::scope) fn matched(
        &mut self,
        patterns: &mut [PathPattern],
        scope: &mut Bindings,
        repeatable: bool,
    ) {
        let mut walked = Walked::new();
        for pattern in &mut *patterns {
            self.bind_path(pattern, scope, &mut walked);
            if repeatable {
                walked.clear();
            }
        }
        for pattern in patterns {
            self.pattern_exprs(pattern, scope);
        }
    }

    fn bind_path(&mut self, path: &mut PathPattern, scope: &mut Bindings, walked: &mut Walked) {
        check_shortest(path).into_iter().for_each(|error| self.refuse(error));
        expand_tested_quantifiers(path);
        for part in &mut path.parts {
            match part {
                PathPart::Node(node) => self.bind_element(&mut node.variable, &Type::Node, scope),
                PathPart::Relationship(own) => self.bind_relationship(own, scope, walked),
                PathPart::Quantified(own) => self.bind_quantified(own, scope, walked),
            }
        }
        if let Some(variable) = &mut path.variable {
            self.bind_new(variable, Type::Path, scope);
        }
    }

    /// Binds a variable, or keeps the symbol that it has.
    fn bind_element(&mut self, variable: &mut Variable, kind: &Type, scope: &mut Bindings) {
        let symbol = scope.symbol(&variable.name).filter(|_| !variable.is_anonymous());
        let Some(symbol) = symbol else {
            // A pattern in a sort key means the variable of before, and not a new one of its name.
            if self.hidden.contains(&variable.name) {
                self.read(variable, scope);
            }
            self.define(variable, kind.clone(), scope);
            return;
        };
        variable.symbol = Some(symbol);
        self.reads.push(symbol);
        self.check_element(variable, kind);
    }

    /// Checks that a bound variable can be an element, or a list of relationships.
    pub(in crate::scope) fn check_element(&mut self, variable: &Variable, wanted: &Type) {
        let is = self.type_of_variable(variable);
        let entries_fit = match (&is, wanted) {
            (Type::List(one), Type::List(other)) => one.overlaps(other),
            _ => true,
        };
        if !is.overlaps(wanted) || !entries_fit {
            let (is, wanted) = (is.to_string(), wanted.to_string());
            self.refuse(type_conflict(variable.at, &variable.name, &is, &wanted));
        }
    }

    fn bind_relationship(
        &mut self,
        own: &mut RelationshipPattern,
        scope: &mut Bindings,
        walked: &mut Walked,
    ) {
        let single = Type::Relationship;
        let kind = if own.length.is_some() { Type::list(single) } else { single };
        self.bind_element(&mut own.variable, &kind, scope);
        let is_second = own.variable.symbol.is_some_and(|symbol| !walked.insert(symbol));
        let has_kind = self.type_of_variable(&own.variable).overlaps(&kind);
        if is_second && has_kind {
            let name = &own.variable.name;
            let detail = format!(
                "Cannot use the same relationship variable `{name}` for multiple relationships"
            );
            self.refuse(fault("RelationshipUniquenessViolation", own.variable.at, detail));
        }
        if own.length.is_some() && own.test.is_some() {
            let detail = "A relationship of variable length cannot have a WHERE inside";
            let help = "write a quantified path: ((a)-[r WHERE …]->(b)){1,3}";
            self.refuse(syntax(own.at, detail).with_help(help));
        }
    }

    fn bind_quantified(
        &mut self,
        own: &mut QuantifiedPath,
        scope: &mut Bindings,
        walked: &mut Walked,
    ) {
        if own.length.is_none() {
            self.bind_path(&mut own.pattern, scope, walked);
            return;
        }
        let named = names_of(&own.pattern);
        for variable in named.iter().filter(|variable| scope.symbol(&variable.name).is_some()) {
            self.refuse(already_bound(variable.at, &variable.name));
        }
        let mut inner = scope.clone();
        named.iter().for_each(|variable| inner.unbind(&variable.name));
        self.bind_path(&mut own.pattern, &mut inner, &mut Walked::new());
        self.pattern_exprs(&mut own.pattern, &inner);
        if let Some(test) = &mut own.test {
            self.test(test, &inner);
        }
        let mut groups = Vec::new();
        for mut single in named {
            single.symbol = inner.symbol(&single.name);
            let kind = Type::list(self.type_of_variable(&single));
            let mut list = Variable { symbol: None, ..single.clone() };
            self.define(&mut list, kind, scope);
            groups.push((single, list));
        }
        own.groups = groups;
    }

    /// Resolves the properties, labels and tests of a pattern after its variables are bound.
    fn pattern_exprs(&mut self, path: &mut PathPattern, scope: &Bindings) {
        for part in &mut path.parts {
            match part {
                PathPart::Node(NodePattern { labels, properties, test, .. })
                | PathPart::Relationship(RelationshipPattern {
                    types: labels,
                    properties,
                    test,
                    ..
                }) => {
                    self.label_exprs(labels.as_mut(), scope);
                    if let Some(properties) = properties {
                        self.matched_properties(properties, scope);
                    }
                    if let Some(test) = test {
                        self.test(test, scope);
                    }
                }
                PathPart::Quantified(own) if own.length.is_none() => {
                    self.pattern_exprs(&mut own.pattern, scope);
                    if let Some(test) = &mut own.test {
                        self.test(test, scope);
                    }
                }
                // With a length it was resolved in its own scope.
                PathPart::Quantified(_) => {}
            }
        }
    }

    /// Resolves the expressions of dynamic labels.
    pub(in crate::scope) fn label_exprs(
        &mut self,
        labels: Option<&mut LabelExpr>,
        scope: &Bindings,
    ) {
        if let Some(labels) = labels {
            labels.each_expr_mut(&mut |expr| {
                self.plain_value(expr, scope);
            });
        }
    }

    fn matched_properties(&mut self, properties: &mut Expr, scope: &Bindings) {
        if let ExprKind::Parameter(name) = &properties.kind {
            self.refuse(parameter_map(properties, name, "MATCH"));
        }
        self.plain_value(properties, scope);
    }

    /// Resolves a pattern without new variables: a predicate, or a shortest path as a value.
    pub(in crate::scope) fn bound_pattern(&mut self, path: &mut PathPattern, scope: &Bindings) {
        check_shortest(path).into_iter().for_each(|error| self.refuse(error));
        if let Some(variable) = &path.variable {
            self.refuse(syntax(variable.at, "A pattern in an expression cannot name its path"));
        }
        for part in &mut path.parts {
            match part {
                PathPart::Node(node) => self.bound(&mut node.variable, &Type::Node, scope),
                PathPart::Relationship(own) => {
                    let single = Type::Relationship;
                    let kind = if own.length.is_some() { Type::list(single) } else { single };
                    self.bound(&mut own.variable, &kind, scope);
                }
                PathPart::Quantified(own) => {
                    let mut inner = scope.clone();
                    self.bind_quantified(own, &mut inner, &mut Walked::new());
                    if own.length.is_none() {
                        self.pattern_exprs(&mut own.pattern, &inner);
                    }
                }
            }
        }
        self.pattern_exprs(path, scope);
    }

    fn bound(&mut self, variable: &mut Variable, kind: &Type, scope: &Bindings) {
        if variable.is_anonymous() {
            self.define(variable, kind.clone(), &mut scope.clone());
            return;
        }
        self.read(variable, scope);
        if variable.symbol.is_some() {
            self.check_element(variable, kind);
        }
    }
}

/// A parameter in place of a map, where it may not be.
pub(in crate::scope) fn parameter_map(
    at: &Expr,
    name: &str,
    clause: &str,
) -> millrace_model::Error {
    let detail = format!("Parameter maps cannot be used in `{clause}` patterns");
    let help = format!("write a literal map, such as {{id: ${name}.id}}");
    fault("InvalidParameterUse", at.at, detail).with_help(help)
}

/// The named variables of a pattern, each once.
fn names_of(path: &PathPattern) -> Vec<Variable> {
    let mut names: Vec<Variable> = Vec::new();
    let mut add = |variable: &Variable| {
        let is_known = names.iter().any(|known| known.name == variable.name);
        if !variable.is_anonymous() && !is_known {
            names.push(variable.clone());
        }
    };
    for part in &path.parts {
        match part {
            PathPart::Node(node) => add(&node.variable),
            PathPart::Relationship(own) => add(&own.variable),
            PathPart::Quantified(own) => names_of(&own.pattern).iter().for_each(&mut add),
        }
    }
    path.variable.iter().for_each(add);
    names
}

/// A quantified relationship with a test, `-[r WHERE …]->+`, becomes a quantified path: its variable is single in the
/// test and a list behind.
fn expand_tested_quantifiers(path: &mut PathPattern) {
    for part in &mut path.parts {
        let PathPart::Relationship(own) = part else { continue };
        let is_quantified = own.length.is_some_and(|length| length.is_quantifier);
        if !is_quantified || own.test.is_none() {
            continue;
        }
        let at = own.at;
        let node = |name: &str| {
            let variable = Variable { at, name: name.into(), symbol: None };
            PathPart::Node(NodePattern { at, variable, labels: None, properties: None, test: None })
        };
        let single = RelationshipPattern { length: None, ..own.clone() };
        let parts = vec![node(" from"), PathPart::Relationship(single), node(" to")];
        let pattern = PathPattern { at, variable: None, selector: Selector::All, parts };
        let length = own.length;
        *part = PathPart::Quantified(QuantifiedPath {
            at,
            pattern,
            test: None,
            length,
            groups: Vec::new(),
        });
    }
}

/// `shortestPath` is of one relationship between two nodes.
fn check_shortest(path: &PathPattern) -> Option<millrace_model::Error> {
    let name = match path.selector {
        Selector::ShortestPath => "shortestPath",
        Selector::AllShortestPaths => "allShortestPaths",
        Selector::All
        | Selector::Any(_)
        | Selector::Shortest(_)
        | Selector::AllShortest
        | Selector::ShortestGroups(_) => return None,
    };
    let is_one = matches!(
        path.parts.as_slice(),
        [PathPart::Node(_), PathPart::Relationship(_), PathPart::Node(_)]
    );
    let detail = format!("{name}(...) requires a pattern containing a single relationship");
    (!is_one).then(|| fault("InvalidRelationshipPattern", path.at, detail))
}
