//! Patterns that are made: of `CREATE`, `INSERT` and `MERGE`.
//!
//! A bound node may stand at the end of a new relationship, without labels and properties. Properties see what stands
//! before them in the text, and as null the nodes of patterns behind; those of a `MERGE` of a path all of it.

use millrace_model::TextPosition;

use super::parameter_map;
use crate::scope::bindings::Bindings;
use crate::scope::faults::{self, already_bound, fault, syntax};
use crate::scope::parameters::ParameterKind;
use crate::scope::resolver::Resolver;
use crate::tree::{
    Direction, Expr, ExprKind, LabelExpr, Literal, NodePattern, PathPart, PathPattern,
    RelationshipPattern, Selector, Variable,
};
use crate::types::Type;

/// What the name of a label, a type or a key must be.
const TOKEN_NAMES: &str = "Token names cannot be empty or contain any null-bytes.";

/// The clause that makes a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scope) enum Maker {
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
    ///
    /// Nodes of the patterns behind it, `later`, can be read and are null. A MERGE looks for all of its path at once, so
    /// that any property of it may read any other part.
    pub(in crate::scope) fn created(
        &mut self,
        path: &mut PathPattern,
        (scope, later): (&mut Bindings, &[Variable]),
        maker: Maker,
    ) {
        let word = maker.word();
        if path.selector != Selector::All {
            self.refuse(syntax(path.at, format!("A path selector cannot be used in {word}")));
        }
        let before = scope.clone();
        let is_single = path.parts.len() == 1;
        let reads_all = maker == Maker::Merge && !is_single;
        for part in &mut path.parts {
            if !reads_all {
                // The properties see what is there before the part.
                let mut seen = if maker == Maker::Merge { before.clone() } else { scope.clone() };
                for variable in later {
                    variable.symbol.iter().for_each(|symbol| seen.bind(&variable.name, *symbol));
                }
                self.part_exprs(part, &seen, maker);
            }
            match part {
                PathPart::Node(node) => self.created_node(node, is_single, scope),
                PathPart::Relationship(own) => self.created_relationship(own, scope, maker),
                PathPart::Quantified(own) => {
                    let detail = match own.length {
                        None => {
                            format!("Parentheses around a part of a path are not allowed in {word}")
                        }
                        Some(_) => format!("Quantified path patterns are not allowed in {word}"),
                    };
                    self.refuse(fault("CreatingVarLength", own.at, detail));
                }
            }
        }
        if reads_all {
            path.parts.iter_mut().for_each(|part| self.part_exprs(part, scope, maker));
        }
        if let Some(variable) = &mut path.variable {
            self.bind_new(variable, Type::Path, scope);
        }
    }

    /// The nodes that patterns behind the first one make.
    pub(in crate::scope) fn later_nodes(
        &mut self,
        patterns: &[PathPattern],
        scope: &Bindings,
    ) -> Vec<Variable> {
        let Some((own, behind)) = patterns.split_first() else { return Vec::new() };
        let own: Vec<&Variable> = own.variables();
        let mut later: Vec<Variable> = Vec::new();
        for part in behind.iter().flat_map(|pattern| &pattern.parts) {
            let PathPart::Node(NodePattern { variable, .. }) = part else { continue };
            let is_known = scope.symbol(&variable.name).is_some()
                || own.iter().any(|known| known.name == variable.name)
                || later.iter().any(|known| known.name == variable.name);
            if !variable.is_anonymous() && !is_known {
                let symbol = Some(self.symbols.define(&variable.name, Type::Node));
                later.push(Variable { symbol, ..variable.clone() });
            }
        }
        later
    }

    /// Properties, labels and types.
    fn part_exprs(&mut self, part: &mut PathPart, seen: &Bindings, maker: Maker) {
        match part {
            PathPart::Node(node) => self.node_exprs(node, seen, maker),
            PathPart::Relationship(own) => {
                self.made_properties(own.properties.as_mut(), seen, maker);
                if let Some(types) = &mut own.types {
                    self.written_label_exprs(types, seen);
                }
            }
            PathPart::Quantified(_) => {}
        }
    }

    fn node_exprs(&mut self, node: &mut NodePattern, seen: &Bindings, maker: Maker) {
        self.made_properties(node.properties.as_mut(), seen, maker);
        if let Some(labels) = &mut node.labels {
            self.written_label_exprs(labels, seen);
        }
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
        self.given_properties(properties, seen);
        if let ExprKind::Map(pairs) = &properties.kind {
            pairs.iter().for_each(|(key, _)| self.written_name(properties.at, key));
        }
    }

    /// Labels and types that are written: texts, and not the empty one.
    pub(in crate::scope) fn written_label_exprs(
        &mut self,
        labels: &mut LabelExpr,
        scope: &Bindings,
    ) {
        labels.each_expr_mut(&mut |expr| {
            let kind = self.plain_value(expr, scope);
            let is_text = kind.overlaps(&Type::String) || kind.overlaps(&Type::list(Type::String));
            if !is_text || matches!(&kind, Type::List(entry) if !entry.overlaps(&Type::String)) {
                let wanted = ParameterKind::Labels.wanted();
                self.refuse(faults::wrong_type(expr.at, wanted, &kind.to_string()));
            }
            self.note_parameter(expr, ParameterKind::Labels);
            self.written_name_of(expr);
        });
        labels.each_name(&mut |at, name| self.written_name(at, name));
    }

    /// Refuses an empty name of something that is written.
    pub(in crate::scope) fn written_name(&mut self, at: TextPosition, name: &str) {
        if name.is_empty() {
            self.refuse(syntax(at, format!("'' is not a valid token name. {TOKEN_NAMES}")));
        }
    }

    /// The same of a literal in the place of a name.
    pub(in crate::scope) fn written_name_of(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(Literal::Null) => {
                self.refuse(syntax(
                    expr.at,
                    format!("Null is not a valid token name. {TOKEN_NAMES}"),
                ));
            }
            ExprKind::Literal(Literal::String(name)) => self.written_name(expr.at, name),
            _ => {}
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
pub(in crate::scope) fn is_list_of_names(labels: &LabelExpr) -> bool {
    match labels {
        LabelExpr::Name(..) | LabelExpr::Dynamic(_) => true,
        LabelExpr::And(parts) => parts.iter().all(is_list_of_names),
        LabelExpr::DynamicAny(_) | LabelExpr::Any(_) | LabelExpr::Not(_) | LabelExpr::Or(_) => {
            false
        }
    }
}
