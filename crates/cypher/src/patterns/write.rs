//! Patterns that are created: CREATE, and the other half of MERGE.

use millrace_model::{Result, Value};
use millrace_plan::op::{self, EdgeNames, Label, Properties, Template};
use millrace_plan::{ColumnId, Expr, Function, Name};

use super::paths::PathObject;
use crate::expressions::value_of;
use crate::primitives::properties;
use crate::scope::type_of;
use crate::translate::{Translator, unsupported};
use crate::tree::{
    self, Direction, ExprKind, LabelExpr, NodePattern, PathPart, PathPattern, RelationshipPattern,
};

/// The clause that makes a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    Create,
    /// It looked for the pattern before: a value that is null is an error.
    Merge,
}

/// What a map of properties is given to, for the words of its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    ToNewElement,
    ToElement,
}

impl Translator<'_> {
    /// Creates what is not bound yet of a path.
    pub(crate) fn create_path(&mut self, pattern: &PathPattern, maker: Maker) -> Result<()> {
        let mut objects = Vec::new();
        for part in &pattern.parts {
            match part {
                PathPart::Node(node) => objects.push(self.create_node(node, maker)?),
                // Relationships follow once both ends are there.
                PathPart::Relationship(own) => objects.push(self.new_column(&own.variable)),
                PathPart::Quantified(own) => {
                    let help = "write each relationship of the path";
                    return Err(unsupported(own.at, "a quantified pattern in CREATE", help));
                }
            }
        }
        for (place, part) in pattern.parts.iter().enumerate() {
            if let PathPart::Relationship(own) = part {
                let (before, behind) = (objects[place - 1], objects[place + 1]);
                let names = edge_names(own, (&pattern.parts[place - 1], &pattern.parts[place + 1]));
                self.create_edge((own, names), (before, behind), objects[place], maker)?;
            }
        }
        if let Some(variable) = &pattern.variable {
            let path =
                self.path_of(variable, objects.into_iter().map(PathObject::Element).collect());
            self.bind(variable, path);
        }
        Ok(())
    }

    fn create_node(&mut self, node: &NodePattern, maker: Maker) -> Result<ColumnId> {
        if let Some(column) = self.bound_column(&node.variable) {
            return Ok(column);
        }
        let to = self.new_column(&node.variable);
        let labels = self.created_labels(node.labels.as_ref())?;
        let properties = self.properties_for(node.properties.as_ref(), maker)?;
        let template = Template::Vertex { labels, properties };
        self.plan.push(op::Create { template, id: None, to });
        self.bind(&node.variable, to);
        Ok(to)
    }

    fn create_edge(
        &mut self,
        (own, names): (&RelationshipPattern, EdgeNames),
        (before, behind): (ColumnId, ColumnId),
        to: ColumnId,
        maker: Maker,
    ) -> Result<()> {
        let (source, target) = match own.direction {
            Direction::Right | Direction::Both => (before, behind),
            Direction::Left => (behind, before),
        };
        let edge_type = self.created_type(own)?;
        let properties = self.properties_for(own.properties.as_ref(), maker)?;
        let must_have_ends = Some(names);
        let template = Template::Edge { edge_type, source, target, properties, must_have_ends };
        self.plan.push(op::Create { template, id: None, to });
        self.bind(&own.variable, to);
        Ok(())
    }

    /// The type of a new relationship.
    pub(crate) fn created_type(&mut self, own: &RelationshipPattern) -> Result<Label> {
        let mut types = self.created_labels(own.types.as_ref())?;
        types.pop().ok_or_else(|| {
            unsupported(own.at, "a relationship without a type", "write one, such as -[:TYPE]->")
        })
    }

    /// The labels of a new element.
    pub(crate) fn created_labels(&mut self, labels: Option<&LabelExpr>) -> Result<Vec<Label>> {
        let Some(labels) = labels else { return Ok(Vec::new()) };
        match labels {
            LabelExpr::Name(_, name) => Ok(vec![Label::Known(name.clone())]),
            LabelExpr::Dynamic(name) => Ok(vec![Label::Of(value_of(self, name)?)]),
            LabelExpr::And(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.created_labels(Some(part))?);
                }
                Ok(all)
            }
            LabelExpr::DynamicAny(expr) => {
                let help = "write each label";
                Err(unsupported(expr.at, "a choice of labels for a new element", help))
            }
            LabelExpr::Any(at) => {
                Err(unsupported(*at, "% as the label of a new element", "write the label"))
            }
            LabelExpr::Not(_) | LabelExpr::Or(_) => {
                let at = first_position(labels);
                let help = "write each label";
                Err(unsupported(at, "a condition as the label of a new element", help))
            }
        }
    }

    /// The properties of a new element. A value that is null gives none.
    pub(crate) fn properties_for(
        &mut self,
        given: Option<&tree::Expr>,
        maker: Maker,
    ) -> Result<Properties> {
        match given {
            None => Ok(Properties::default()),
            Some(tree::Expr { kind: ExprKind::Map(pairs), .. }) => {
                let mut keyed = self.stored_pairs(pairs)?;
                if maker == Maker::Merge {
                    keyed.iter_mut().for_each(|(key, value)| {
                        *value =
                            not_null(key, std::mem::replace(value, Expr::Literal(Value::Null)));
                    });
                }
                Ok(Properties { keyed, map: None })
            }
            Some(map) => {
                let map = Some(self.map_value(map, Given::ToNewElement)?);
                Ok(Properties { keyed: Vec::new(), map })
            }
        }
    }

    /// The properties that a map or an element gives; null and anything else is an error.
    pub(crate) fn map_value(&mut self, given: &tree::Expr, to: Given) -> Result<Expr> {
        let source = value_of(self, given)?;
        let source = self.living(source, &type_of(given, self.symbols), true);
        let source = match &given.kind {
            ExprKind::Map(_) => source,
            _ => {
                let text = match to {
                    Given::ToNewElement => String::new(),
                    Given::ToElement => given.to_string(),
                };
                Expr::call(Function::PropertySource, vec![source, Expr::literal(&*text)])
            }
        };
        Ok(Expr::call(Function::StorableMap, vec![properties(source)]))
    }

    /// The columns of a pattern's variables that are new, each with its variable.
    pub(crate) fn new_variables<'p>(&self, pattern: &'p PathPattern) -> Vec<&'p tree::Variable> {
        let mut variables: Vec<&tree::Variable> = Vec::new();
        for variable in pattern.variables() {
            let is_known = variables.iter().any(|own| own.symbol == variable.symbol);
            if self.bound_column(variable).is_none() && !is_known {
                variables.push(variable);
            }
        }
        variables
    }

    /// Projects variables to columns that another branch has too.
    pub(crate) fn project_to(
        &mut self,
        variables: &[&tree::Variable],
        to: &[ColumnId],
    ) -> Result<()> {
        let mut columns = Vec::new();
        for (variable, &to) in variables.iter().zip(to) {
            columns.push((to, Expr::Column(self.column_of(variable)?)));
        }
        self.plan.push(op::Project { columns });
        for (variable, &to) in variables.iter().zip(to) {
            self.bind(variable, to);
        }
        Ok(())
    }
}

/// The value, or an error where it is null.
pub(crate) fn not_null(key: &str, value: Expr) -> Expr {
    Expr::call(Function::MergeKey, vec![value, Expr::literal(key)])
}

/// The names of a relationship and its ends, for the error of an end that is null.
pub(crate) fn edge_names(
    own: &RelationshipPattern,
    (before, behind): (&PathPart, &PathPart),
) -> EdgeNames {
    let of = |part: &PathPart| match part {
        PathPart::Node(node) => named(&node.variable, ""),
        PathPart::Relationship(_) | PathPart::Quantified(_) => Name::default(),
    };
    let types = own.types.as_ref().map(ToString::to_string).unwrap_or_default();
    let edge = named(&own.variable, &types);
    let (source, target) = match own.direction {
        Direction::Right | Direction::Both => (of(before), of(behind)),
        Direction::Left => (of(behind), of(before)),
    };
    EdgeNames { edge, source, target }
}

/// The name of a variable, or another text for an anonymous one.
fn named(variable: &tree::Variable, other: &str) -> Name {
    if variable.name.starts_with(tree::ANONYMOUS) {
        Name::from(other)
    } else {
        variable.name.clone()
    }
}

fn first_position(labels: &LabelExpr) -> millrace_model::TextPosition {
    match labels {
        LabelExpr::Name(at, _) | LabelExpr::Any(at) => *at,
        LabelExpr::Dynamic(expr) | LabelExpr::DynamicAny(expr) => expr.at,
        LabelExpr::Not(inner) => first_position(inner),
        LabelExpr::And(parts) | LabelExpr::Or(parts) => parts
            .first()
            .map_or(millrace_model::TextPosition { line: 1, column: 1 }, first_position),
    }
}
