//! Patterns of paths.

use millrace_model::TextPosition;

use super::{Expr, Name, Variable};

/// A path: nodes with relationships between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathPattern {
    /// Where it begins.
    pub(crate) at: TextPosition,
    /// The variable of the path, `p = …`.
    pub(crate) variable: Option<Variable>,
    /// Which of its paths are wanted.
    pub(crate) selector: Selector,
    /// Its first part and, behind it, the others, in the order of the text. Between a node and the next node stands a
    /// relationship, or a quantified part.
    pub(crate) parts: Vec<PathPart>,
}

/// Which paths of a pattern are wanted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Selector {
    /// All (`ALL PATHS` or nothing).
    All,
    /// `ANY`, `ANY k`.
    Any(u64),
    /// `ANY SHORTEST`, `SHORTEST k`; `SHORTEST 1` is the same as `ANY SHORTEST`.
    Shortest(u64),
    /// `ALL SHORTEST`.
    AllShortest,
    /// `SHORTEST k GROUPS`.
    ShortestGroups(u64),
    /// `shortestPath(…)`.
    ShortestPath,
    /// `allShortestPaths(…)`.
    AllShortestPaths,
}

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PathPart {
    /// `(n:A {k: 1} WHERE …)`.
    Node(NodePattern),
    /// `-[r:T*1..3 {k: 1} WHERE …]->`.
    Relationship(RelationshipPattern),
    /// `((a)-[r]->(b) WHERE …){1,3}`.
    Quantified(QuantifiedPath),
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodePattern {
    pub(crate) at: TextPosition,
    /// Its variable; an anonymous node has a made-up one.
    pub(crate) variable: Variable,
    /// Its labels.
    pub(crate) labels: Option<LabelExpr>,
    /// Its properties: a map, or a parameter.
    pub(crate) properties: Option<Expr>,
    /// `WHERE` inside of it.
    pub(crate) test: Option<Expr>,
}

/// A relationship.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelationshipPattern {
    pub(crate) at: TextPosition,
    /// Its variable; an anonymous one has a made-up one.
    pub(crate) variable: Variable,
    pub(crate) direction: Direction,
    /// Its types.
    pub(crate) types: Option<LabelExpr>,
    /// Its properties: a map, or a parameter.
    pub(crate) properties: Option<Expr>,
    /// `WHERE` inside of it.
    pub(crate) test: Option<Expr>,
    /// `*`, `*2`, `*1..3`: its variable is a list then. Also `-[:T]->+` and `{1,3}` behind a relationship
    /// ([`PathLength::is_quantifier`]).
    pub(crate) length: Option<PathLength>,
}

/// How often a part is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathLength {
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    /// Whether it is a quantifier (`+`, `*`, `{1,3}` behind the part) and not the older `*1..3` inside the brackets.
    pub(crate) is_quantifier: bool,
}

/// The direction of a relationship, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// `-->`.
    Right,
    /// `<--`.
    Left,
    /// `--`, and `<-->`.
    Both,
}

/// A part of a path in parentheses, repeated; without a length it occurs once and only groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QuantifiedPath {
    pub(crate) at: TextPosition,
    pub(crate) pattern: PathPattern,
    pub(crate) test: Option<Expr>,
    pub(crate) length: Option<PathLength>,
    /// Variables of the pattern as they are outside: each is a list. Filled by `scope`.
    pub(crate) groups: Vec<(Variable, Variable)>,
}

/// Labels, or types.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LabelExpr {
    /// A name.
    Name(TextPosition, Name),
    /// `$(expression)`: a text, or a list of texts that must all be there.
    Dynamic(Box<Expr>),
    /// `$all(…)` is [`LabelExpr::Dynamic`]; `$any(…)`.
    DynamicAny(Box<Expr>),
    /// `%`.
    Any(TextPosition),
    /// `!A`.
    Not(Box<LabelExpr>),
    /// `A&B`, and `:A:B`.
    And(Vec<LabelExpr>),
    /// `A|B`, and `A|:B`.
    Or(Vec<LabelExpr>),
}

impl LabelExpr {
    /// The names in it, with their places.
    pub(crate) fn each_name(&self, each: &mut dyn FnMut(TextPosition, &Name)) {
        match self {
            LabelExpr::Name(at, name) => each(*at, name),
            LabelExpr::Dynamic(_) | LabelExpr::DynamicAny(_) | LabelExpr::Any(_) => {}
            LabelExpr::Not(of) => of.each_name(each),
            LabelExpr::And(parts) | LabelExpr::Or(parts) => {
                parts.iter().for_each(|part| part.each_name(each));
            }
        }
    }
}
