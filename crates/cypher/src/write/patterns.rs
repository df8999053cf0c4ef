//! Patterns of paths and label expressions.

use std::fmt::{Display, Formatter, Result};

use super::Behind;
use super::names::Named;
use crate::tree::{
    Direction, LabelExpr, NodePattern, PathLength, PathPart, PathPattern, QuantifiedPath,
    RelationshipPattern, Selector,
};

impl Display for PathPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(variable) = &self.variable {
            write!(f, "{variable} = ")?;
        }
        let is_call = matches!(self.selector, Selector::ShortestPath | Selector::AllShortestPaths);
        match self.selector {
            Selector::All => {}
            Selector::Any(1) => f.write_str("ANY ")?,
            Selector::Any(count) => write!(f, "ANY {count} ")?,
            Selector::Shortest(count) => write!(f, "SHORTEST {count} ")?,
            Selector::AllShortest => f.write_str("ALL SHORTEST ")?,
            Selector::ShortestGroups(count) => write!(f, "SHORTEST {count} GROUPS ")?,
            Selector::ShortestPath => f.write_str("shortestPath(")?,
            Selector::AllShortestPaths => f.write_str("allShortestPaths(")?,
        }
        self.parts.iter().try_for_each(|part| write!(f, "{part}"))?;
        f.write_str(if is_call { ")" } else { "" })
    }
}

impl Display for PathPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            PathPart::Node(node) => write!(f, "{node}"),
            PathPart::Relationship(relationship) => write!(f, "{relationship}"),
            PathPart::Quantified(group) => write!(f, "{group}"),
        }
    }
}

impl Display for NodePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "({}{}", self.variable, Behind(":", &self.labels))?;
        write!(f, "{}{})", Behind(" ", &self.properties), Behind(" WHERE ", &self.test))
    }
}

impl Display for RelationshipPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.direction == Direction::Left { "<-[" } else { "-[" })?;
        write!(f, "{}{}", self.variable, Behind(":", &self.types))?;
        let inner = self.length.filter(|length| !length.is_quantifier);
        let outer = self.length.filter(|length| length.is_quantifier);
        write!(f, "{}{}", Behind("", &inner), Behind(" ", &self.properties))?;
        f.write_str(match self.test {
            Some(_) => " ",
            None => "",
        })?;
        write!(f, "{}]", Behind("WHERE ", &self.test))?;
        f.write_str(if self.direction == Direction::Right { "->" } else { "-" })?;
        write!(f, "{}", Behind("", &outer))
    }
}

impl Display for PathLength {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match (self.is_quantifier, self.max) {
            (true, Some(max)) => write!(f, "{{{},{max}}}", self.min),
            (true, None) => write!(f, "{{{},}}", self.min),
            (false, Some(max)) => write!(f, "*{}..{max}", self.min),
            (false, None) => write!(f, "*{}..", self.min),
        }
    }
}

impl Display for QuantifiedPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (test, length) = (Behind(" WHERE ", &self.test), Behind("", &self.length));
        write!(f, "({}{test}){length}", self.pattern)
    }
}

impl Display for LabelExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            LabelExpr::Name(_, name) => write!(f, "{}", Named(name)),
            LabelExpr::Dynamic(of) => write!(f, "$({of})"),
            LabelExpr::DynamicAny(of) => write!(f, "$any({of})"),
            LabelExpr::Any(_) => f.write_str("%"),
            LabelExpr::Not(of) => write!(f, "!{of}"),
            LabelExpr::And(of) => joined(f, of, "&"),
            LabelExpr::Or(of) => joined(f, of, "|"),
        }
    }
}

fn joined(f: &mut Formatter<'_>, labels: &[LabelExpr], operator: &str) -> Result {
    f.write_str("(")?;
    for (place, label) in labels.iter().enumerate() {
        write!(f, "{}{label}", if place == 0 { "" } else { operator })?;
    }
    f.write_str(")")
}
