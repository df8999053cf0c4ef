//! `MERGE`: a pattern that is found, or else created.

use millrace_model::Result;
use millrace_plan::op::{self, ApplyKind, EdgeNames, Properties, Template};
use millrace_plan::{ColumnId, Expr};

use super::set;
use crate::expressions::value_of;
use crate::patterns::{Maker, edge_names, not_null};
use crate::translate::Translator;
use crate::tree::{
    self, Direction, ExprKind, LabelExpr, Literal, Merge, NodePattern, PathPart,
    RelationshipPattern, SetItem,
};

impl Merge {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        match self.pattern.parts.as_slice() {
            [PathPart::Node(node)]
                if self.pattern.variable.is_none()
                    && translator.bound_column(&node.variable).is_none() =>
            {
                self.merge_node(node, translator)
            }
            [PathPart::Node(before), PathPart::Relationship(own), PathPart::Node(behind)]
                if self.pattern.variable.is_none() && joins(own) =>
            {
                let bound = |node: &NodePattern| {
                    let is_bare = node.labels.is_none() && node.properties.is_none();
                    translator.bound_column(&node.variable).filter(|_| is_bare)
                };
                match (bound(before), bound(behind)) {
                    (Some(before), Some(behind)) => {
                        let names =
                            edge_names(own, (&self.pattern.parts[0], &self.pattern.parts[2]));
                        self.merge_relationship(own, names, (before, behind), translator)
                    }
                    _ => self.merge_path(translator),
                }
            }
            _ => self.merge_path(translator),
        }
    }

    /// A single node: found by its labels and properties, or made, all rows at once.
    fn merge_node(&self, node: &NodePattern, translator: &mut Translator<'_>) -> Result<()> {
        let to = translator.new_column(&node.variable);
        let labels = translator.created_labels(node.labels.as_ref())?;
        let properties = matched_properties(node.properties.as_ref(), translator)?;
        self.merge_element(
            Template::Vertex { labels, properties },
            (&node.variable, to),
            translator,
        )
    }

    /// A relationship between nodes that are bound: all rows at once, each pair claimed, so that transactions at the
    /// same time make one.
    fn merge_relationship(
        &self,
        own: &RelationshipPattern,
        names: EdgeNames,
        (before, behind): (ColumnId, ColumnId),
        translator: &mut Translator<'_>,
    ) -> Result<()> {
        let (source, target) = match own.direction {
            Direction::Right | Direction::Both => (before, behind),
            Direction::Left => (behind, before),
        };
        let to = translator.new_column(&own.variable);
        let edge_type = translator.created_type(own)?;
        let properties = matched_properties(own.properties.as_ref(), translator)?;
        let must_have_ends = Some(names);
        let template = Template::Edge { edge_type, source, target, properties, must_have_ends };
        self.merge_element(template, (&own.variable, to), translator)
    }

    fn merge_element(
        &self,
        template: Template,
        (variable, to): (&tree::Variable, ColumnId),
        translator: &mut Translator<'_>,
    ) -> Result<()> {
        if !self.sets_a_key_of(template.properties()) {
            return self.merge_rows_together(template, (variable, to), translator);
        }
        // What one row sets another may look for: each row has its turn.
        let merge =
            |sub: &mut Translator<'_>| self.merge_rows_together(template, (variable, to), sub);
        let (sub, ()) = translator.sub(merge)?;
        translator.apply(sub, ApplyKind::Flat);
        translator.bind(variable, to);
        Ok(())
    }

    /// Whether it sets a property by which elements are found. A map that is added is taken to keep them.
    fn sets_a_key_of(&self, properties: &Properties) -> bool {
        let is_key = |key: &tree::Name| properties.keyed.iter().any(|(own, _)| own == key);
        self.on_create.iter().chain(&self.on_match).any(|item| match item {
            SetItem::Property(_, key, _) => is_key(key),
            SetItem::DynamicProperty(..) => !properties.keyed.is_empty(),
            SetItem::Replace(..) | SetItem::Add(..) | SetItem::Labels(..) => false,
        })
    }

    fn merge_rows_together(
        &self,
        template: Template,
        (variable, to): (&tree::Variable, ColumnId),
        translator: &mut Translator<'_>,
    ) -> Result<()> {
        let created = translator.plan.column("created");
        translator.plan.push(op::Merge {
            template,
            on_create: Properties::default(),
            on_match: Properties::default(),
            to,
            created: Some(created),
        });
        translator.bind(variable, to);
        let is_created = Expr::Column(created);
        set::translate(&self.on_create, Some(&is_created), translator)?;
        set::translate(&self.on_match, Some(&is_created.negate()), translator)
    }

    /// A path: each way that it is found, or else made as a whole.
    fn merge_path(&self, translator: &mut Translator<'_>) -> Result<()> {
        let pattern = std::slice::from_ref(&self.pattern);
        let variables = translator.new_variables(&self.pattern);
        let to: Vec<_> = variables.iter().map(|own| translator.new_column(own)).collect();
        let (matched, ()) = translator.sub(|sub| {
            self.refuse_null(sub)?;
            sub.match_patterns(pattern, false)?;
            sub.project_to(&variables, &to)
        })?;
        let (on_match, ()) = translator.sub(|sub| {
            variables.iter().zip(&to).for_each(|(variable, &column)| sub.bind(variable, column));
            set::translate(&self.on_match, None, sub)
        })?;
        let (create, ()) = translator.sub(|sub| {
            variables.iter().for_each(|variable| sub.pend(variable));
            sub.create_path(&self.pattern, Maker::Merge)?;
            sub.project_to(&variables, &to)?;
            set::translate(&self.on_create, None, sub)
        })?;
        translator.plan.merge_pattern(matched, on_match, create, "created");
        variables.iter().zip(&to).for_each(|(variable, &column)| translator.bind(variable, column));
        Ok(())
    }

    /// A property that is null is equal to none, so nothing would ever be found. One that reads the pattern is known
    /// where it is made.
    fn refuse_null(&self, translator: &mut Translator<'_>) -> Result<()> {
        for part in &self.pattern.parts {
            let properties = match part {
                PathPart::Node(node) => &node.properties,
                PathPart::Relationship(own) => &own.properties,
                PathPart::Quantified(_) => &None,
            };
            let Some(tree::Expr { kind: ExprKind::Map(pairs), .. }) = properties else { continue };
            for (key, value) in pairs {
                let is_known = !matches!(value.kind, ExprKind::Literal(Literal::Null))
                    && value_is_known(value);
                if is_known || value.reads(&|symbol| !translator.columns.contains_key(&symbol)) {
                    continue;
                }
                let value = value_of(translator, value)?;
                let checked = not_null(key, value);
                translator.plan.filter(Expr::IsNull(Box::new(checked)).negate());
            }
        }
        Ok(())
    }
}

/// Whether it is one relationship, of a known direction and type, with properties that are matched one by one.
fn joins(own: &RelationshipPattern) -> bool {
    let is_map = |given: &tree::Expr| matches!(given.kind, ExprKind::Map(_));
    own.direction != Direction::Both
        && own.length.is_none()
        && own.test.is_none()
        && matches!(own.types, Some(LabelExpr::Name(..)))
        && own.properties.as_ref().is_none_or(is_map)
}

/// The properties that an element is found by, or made with; null is an error.
fn matched_properties(
    given: Option<&tree::Expr>,
    translator: &mut Translator<'_>,
) -> Result<Properties> {
    translator.properties_for(given, Maker::Merge)
}

/// Whether a value is never null.
fn value_is_known(value: &tree::Expr) -> bool {
    matches!(value.kind, ExprKind::Literal(_) | ExprKind::List(_))
}
