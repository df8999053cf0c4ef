//! Patterns that are made: of `CREATE`, `INSERT` and `MERGE`.
//!
//! A bound node may stand at the end of a new relationship, without labels and properties. Properties see what stands
//! before them in the text; those of a `MERGE` only what its rows have.

use super::faults::{already_bound, fault, syntax};
use super::patterns::parameter_map;
use super::resolver::Resolver;
use super::symbols::Bindings;
use super::{Type, faults};
use crate::tree::{
    Direction, Expr, ExprKind, LabelExpr, NodePattern, PathPart, PathPattern, RelationshipPattern,
    Selector, Variable,
};

/// The clause that makes a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    Create,
    Merge,
}

impl Maker {
    fn word(self) -> &'static str {
        match self {
            Maker::Create => "CREATE",
            Maker::Merge => "MERGE",
        }
    }
}

impl Resolver<'_> {
    /// Binds the variables of a pattern that is made, and resolves its properties.
    pub(super) fn created(&mut self, path: &mut PathPattern, scope: &mut Bindings, maker: Maker) {
        let word = maker.word();
        if path.selector != Selector::All {
            self.refuse(syntax(path.at, format!("A path selector cannot be used in {word}")));
        }
        let before = scope.clone();
        let is_single = path.parts.len() == 1;
        for part in &mut path.parts {
            // What the properties see.
            let seen = if maker == Maker::Merge { before.clone() } else { scope.clone() };
            match part {
                PathPart::Node(node) => {
                    self.node_exprs(node, &seen, maker);
                    self.created_node(node, is_single, scope);
                }
                PathPart::Relationship(own) => {
                    self.created_relationship(own, scope, maker);
                    self.made_properties(own.properties.as_mut(), &seen, maker);
                    self.label_exprs(own.types.as_mut(), &seen);
                }
                PathPart::Quantified(own) => {
                    let detail = format!("Quantified path patterns are not allowed in {word}");
                    self.refuse(fault("CreatingVarLength", own.at, detail));
                }
            }
        }
        if let Some(variable) = &mut path.variable {
            self.bind_new(variable, Type::Path, scope);
        }
    }

    fn node_exprs(&mut self, node: &mut NodePattern, seen: &Bindings, maker: Maker) {
        self.made_properties(node.properties.as_mut(), seen, maker);
        self.label_exprs(node.labels.as_mut(), seen);
        self.refuse_test(node.test.as_ref(), maker);
        if node.labels.as_ref().is_some_and(|labels| !is_list_of_names(labels)) {
            let detail = format!(
                "Label expressions in {} can only be names joined by `&` or `:`",
                maker.word()
            );
            self.refuse(syntax(node.at, detail));
        }
    }

    fn created_node(&mut self, node: &mut NodePattern, is_single: bool, scope: &mut Bindings) {
        if !self.keep_bound(&mut node.variable, scope) {
            self.define(&mut node.variable, Type::Node, scope);
            return;
        }
        let is_described = node.labels.is_some() || node.properties.is_some();
        if is_single || is_described {
            let error = already_bound(node.variable.at, &node.variable.name);
            let help = "a bound node can only be an end of a new relationship, without labels and properties";
            self.refuse(error.with_help(help));
        }
        self.check_element(&node.variable, &Type::Node);
    }

    fn created_relationship(
        &mut self,
        own: &mut RelationshipPattern,
        scope: &mut Bindings,
        maker: Maker,
    ) {
        let word = maker.word();
        if self.keep_bound(&mut own.variable, scope) {
            self.refuse(already_bound(own.variable.at, &own.variable.name));
        } else {
            self.define(&mut own.variable, Type::Relationship, scope);
        }
        if own.length.is_some() {
            let detail = format!("Variable length relationships cannot be used in {word}");
            self.refuse(fault("CreatingVarLength", own.at, detail));
        }
        let is_one = matches!(own.types, Some(LabelExpr::Name(..) | LabelExpr::Dynamic(_)));
        if !is_one {
            let detail = format!("A single relationship type must be specified for {word}");
            self.refuse(fault("NoSingleRelationshipType", own.at, detail));
        }
        if maker == Maker::Create && own.direction == Direction::Both {
            let detail = "Only directed relationships are supported in CREATE";
            self.refuse(fault("RequiresDirectedRelationship", own.at, detail));
        }
        self.refuse_test(own.test.as_ref(), maker);
    }

    /// Whether a variable is bound; it keeps its symbol then.
    fn keep_bound(&mut self, variable: &mut Variable, scope: &Bindings) -> bool {
        let symbol = scope.symbol(&variable.name).filter(|_| !variable.is_anonymous());
        variable.symbol = symbol;
        self.reads.extend(symbol);
        symbol.is_some()
    }

    fn made_properties(&mut self, properties: Option<&mut Expr>, seen: &Bindings, maker: Maker) {
        let Some(properties) = properties else { return };
        if let (Maker::Merge, ExprKind::Parameter(name)) = (maker, &properties.kind) {
            self.refuse(parameter_map(properties, name, "MERGE"));
        }
        let kind = self.plain_value(properties, seen);
        if !kind.overlaps(&Type::Map) && !kind.is_element() {
            self.refuse(faults::wrong_type(properties.at, "Map", &kind.to_string()));
        }
    }

    fn refuse_test(&mut self, test: Option<&Expr>, maker: Maker) {
        if let Some(test) = test {
            let detail = format!("WHERE cannot be used inside of a pattern in {}", maker.word());
            self.refuse(syntax(test.at, detail));
        }
    }
}

/// Whether it is a list of labels: names joined by `&` or `:`.
pub(super) fn is_list_of_names(labels: &LabelExpr) -> bool {
    match labels {
        LabelExpr::Name(..) | LabelExpr::Dynamic(_) => true,
        LabelExpr::And(parts) => parts.iter().all(is_list_of_names),
        LabelExpr::DynamicAny(_) | LabelExpr::Any(_) | LabelExpr::Not(_) | LabelExpr::Or(_) => {
            false
        }
    }
}
