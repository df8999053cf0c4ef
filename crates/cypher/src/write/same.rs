//! Whether two expressions are written the same, wherever they stand: positions and symbols do not count.
//!
//! Both must be read in one scope.

use crate::tree::{
    Case, CaseTest, Comprehension, Expr, ExprKind, LabelExpr, MapItem, MapProjection, Name,
    PathPart, PathPattern, Variable,
};

impl Expr {
    /// Whether both are written the same.
    pub(crate) fn is_same(&self, other: &Expr) -> bool {
        self.has_same_head(other) && {
            let (parts, other_parts) = (self.parts(), other.parts());
            let mut pairs = parts.iter().zip(&other_parts);
            parts.len() == other_parts.len() && pairs.all(|(one, other)| one.is_same(other))
        }
    }

    fn parts(&self) -> Vec<&Expr> {
        let mut parts = Vec::new();
        self.each_part(&mut |part| parts.push(part));
        parts
    }

    /// Whether all is the same but the parts, and each part has its pendant in the other.
    fn has_same_head(&self, other: &Expr) -> bool {
        match (&self.kind, &other.kind) {
            (ExprKind::Literal(one), ExprKind::Literal(other)) => one == other,
            (ExprKind::Parameter(one), ExprKind::Parameter(other)) => one == other,
            (ExprKind::Variable(one), ExprKind::Variable(other)) => one.is_same(other),
            (ExprKind::CountAll, ExprKind::CountAll)
            | (ExprKind::List(_), ExprKind::List(_))
            | (ExprKind::Index(..), ExprKind::Index(..)) => true,
            (ExprKind::Map(one), ExprKind::Map(other)) => keys(one).eq(keys(other)),
            (ExprKind::MapProjection(one), ExprKind::MapProjection(other)) => one.is_same(other),
            (ExprKind::Property(_, one), ExprKind::Property(_, other)) => one == other,
            (ExprKind::Slice(_, from, to), ExprKind::Slice(_, other_from, other_to)) => {
                from.is_some() == other_from.is_some() && to.is_some() == other_to.is_some()
            }
            (ExprKind::HasLabels(_, one), ExprKind::HasLabels(_, other)) => one.is_same(other),
            (ExprKind::Unary(one, _), ExprKind::Unary(other, _)) => one == other,
            (ExprKind::Binary(one, ..), ExprKind::Binary(other, ..)) => one == other,
            (ExprKind::Comparisons(_, one), ExprKind::Comparisons(_, other)) => {
                keys(one).eq(keys(other))
            }
            (ExprKind::IsNull(_, one), ExprKind::IsNull(_, other)) => one == other,
            (ExprKind::IsType(_, one, not), ExprKind::IsType(_, other, other_not)) => {
                (one, not) == (other, other_not)
            }
            (ExprKind::IsNormalized(_, one, not), ExprKind::IsNormalized(_, other, other_not)) => {
                (one, not) == (other, other_not)
            }
            (ExprKind::Call(one), ExprKind::Call(other)) => {
                one.name.eq_ignore_ascii_case(&other.name) && one.distinct == other.distinct
            }
            (ExprKind::Case(one), ExprKind::Case(other)) => one.is_same(other),
            (ExprKind::Comprehension(one), ExprKind::Comprehension(other)) => one.is_same(other),
            (ExprKind::Quantified(kind, one), ExprKind::Quantified(other_kind, other)) => {
                kind == other_kind && one.is_same(other)
            }
            (ExprKind::Reduce(one), ExprKind::Reduce(other)) => {
                one.accumulator.is_same(&other.accumulator) && one.variable.is_same(&other.variable)
            }
            (ExprKind::PatternComprehension(one), ExprKind::PatternComprehension(other)) => {
                one.pattern.is_same(&other.pattern) && one.test.is_some() == other.test.is_some()
            }
            (ExprKind::Pattern(one), ExprKind::Pattern(other))
            | (ExprKind::ShortestPath(one), ExprKind::ShortestPath(other)) => one.is_same(other),
            // In the normal form, where positions are not.
            (ExprKind::Subquery(kind, one), ExprKind::Subquery(other_kind, other)) => {
                kind == other_kind && one.to_string() == other.to_string()
            }
            _ => false,
        }
    }
}

fn keys<K>(entries: &[(K, Expr)]) -> impl Iterator<Item = &K> {
    entries.iter().map(|(key, _)| key)
}

// Each of these compares what is no expression, and which expressions there are.

impl Variable {
    /// Anonymous variables are all the same.
    fn is_same(&self, other: &Variable) -> bool {
        self.name == other.name || (self.is_anonymous() && other.is_anonymous())
    }
}

impl MapProjection {
    fn is_same(&self, other: &MapProjection) -> bool {
        fn head(item: &MapItem) -> (u8, Option<&Name>) {
            match item {
                MapItem::Property(key) => (0, Some(key)),
                MapItem::AllProperties => (1, None),
                MapItem::Variable(variable) => (2, Some(&variable.name)),
                MapItem::Entry(key, _) => (3, Some(key)),
            }
        }
        let same_items = self.items.iter().map(head).eq(other.items.iter().map(head));
        self.variable.is_same(&other.variable) && same_items
    }
}

impl Case {
    fn is_same(&self, other: &Case) -> bool {
        fn head(branch: &(Vec<CaseTest>, Expr)) -> Vec<bool> {
            branch.0.iter().map(|test| matches!(test, CaseTest::Test(_))).collect()
        }
        self.subject.is_some() == other.subject.is_some()
            && self.otherwise.is_some() == other.otherwise.is_some()
            && self.branches.iter().map(head).eq(other.branches.iter().map(head))
    }
}

impl Comprehension {
    fn is_same(&self, other: &Comprehension) -> bool {
        self.variable.is_same(&other.variable)
            && self.test.is_some() == other.test.is_some()
            && self.value.is_some() == other.value.is_some()
    }
}

impl LabelExpr {
    fn is_same(&self, other: &LabelExpr) -> bool {
        match (self, other) {
            (LabelExpr::Name(_, one), LabelExpr::Name(_, other)) => one == other,
            (LabelExpr::Any(_), LabelExpr::Any(_))
            | (LabelExpr::Dynamic(_), LabelExpr::Dynamic(_))
            | (LabelExpr::DynamicAny(_), LabelExpr::DynamicAny(_)) => true,
            (LabelExpr::Not(one), LabelExpr::Not(other)) => one.is_same(other),
            (LabelExpr::And(one), LabelExpr::And(other))
            | (LabelExpr::Or(one), LabelExpr::Or(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(one, other)| one.is_same(other))
            }
            _ => false,
        }
    }
}

impl PathPattern {
    fn is_same(&self, other: &PathPattern) -> bool {
        let name = |path: &PathPattern| path.variable.as_ref().map(|own| own.name.clone());
        let mut pairs = self.parts.iter().zip(&other.parts);
        name(self) == name(other)
            && self.selector == other.selector
            && self.parts.len() == other.parts.len()
            && pairs.all(|(one, other)| one.is_same(other))
    }
}

impl PathPart {
    fn is_same(&self, other: &PathPart) -> bool {
        match (self, other) {
            (PathPart::Node(one), PathPart::Node(other)) => {
                one.variable.is_same(&other.variable)
                    && same_labels(one.labels.as_ref(), other.labels.as_ref())
                    && one.properties.is_some() == other.properties.is_some()
                    && one.test.is_some() == other.test.is_some()
            }
            (PathPart::Relationship(one), PathPart::Relationship(other)) => {
                one.variable.is_same(&other.variable)
                    && (one.direction, one.length) == (other.direction, other.length)
                    && same_labels(one.types.as_ref(), other.types.as_ref())
                    && one.properties.is_some() == other.properties.is_some()
                    && one.test.is_some() == other.test.is_some()
            }
            (PathPart::Quantified(one), PathPart::Quantified(other)) => {
                one.length == other.length
                    && one.pattern.is_same(&other.pattern)
                    && one.test.is_some() == other.test.is_some()
            }
            _ => false,
        }
    }
}

fn same_labels(one: Option<&LabelExpr>, other: Option<&LabelExpr>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}
