//! Expressions.

use std::sync::Arc;

use millrace_model::TextPosition;

use super::{LabelExpr, PathPattern, Query};

/// A name as it is written, without backticks.
pub(crate) type Name = Arc<str>;

/// An expression and the place where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    /// Where it begins.
    pub(crate) at: TextPosition,
    /// What it is.
    pub(crate) kind: ExprKind,
}

/// A variable of a statement, after names are resolved: two of the same name in different scopes are two symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(crate) u32);

/// Begins the names of anonymous variables, and no name in a text: it is white space that the lexer refuses there.
pub(crate) const ANONYMOUS: char = '\u{2029}';

/// A place where a variable is bound or read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    /// Where.
    pub(crate) at: TextPosition,
    /// Its name; of an anonymous one made up, with [`ANONYMOUS`] in front.
    pub(crate) name: Name,
    /// Its symbol, once names are resolved.
    pub(crate) symbol: Option<Symbol>,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    /// `null`, `true`, `1`, `0xFF`, `1.5e3`, `'text'`, `Inf`, `NaN`.
    Literal(Literal),
    /// `$name`, `$0`, `` $`a b` ``.
    Parameter(Name),
    /// A variable.
    Variable(Variable),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{key: value}`.
    Map(Vec<(Name, Expr)>),
    /// `variable {.key, .*, key: value, other}`.
    MapProjection(MapProjection),
    /// `x.key`.
    Property(Box<Expr>, Name),
    /// `x[i]`: of a list, a map, an element.
    Index(Box<Expr>, Box<Expr>),
    /// `x[from..to]`.
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `x:A&B`, `x IS A`: labels or a type.
    HasLabels(Box<Expr>, LabelExpr),
    /// `-x`, `+x`, `NOT x`.
    Unary(Unary, Box<Expr>),
    /// Two operands. `a < b < c` is [`ExprKind::Comparisons`].
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Comparisons in a chain, each neighbour with the next: `a < b <= c`.
    Comparisons(Box<Expr>, Vec<(Binary, Expr)>),
    /// `x IS NULL`; false: `x IS NOT NULL`.
    IsNull(Box<Expr>, bool),
    /// `x IS :: TYPE`, `x IS TYPED TYPE`; the flag negates it.
    IsType(Box<Expr>, TypeName, bool),
    /// `x IS NFC NORMALIZED`; the flag negates it.
    IsNormalized(Box<Expr>, NormalForm, bool),
    /// `name(arguments)`, `ns.name(DISTINCT x)`.
    Call(FunctionCall),
    /// `count(*)`.
    CountAll,
    /// `CASE x WHEN a THEN b ELSE c END`.
    Case(Case),
    /// `[x IN list WHERE test | value]`.
    Comprehension(Box<Comprehension>),
    /// `all(x IN list WHERE test)` and its kind.
    Quantified(QuantifierKind, Box<Comprehension>),
    /// `reduce(sum = start, x IN list | next)`.
    Reduce(Box<Reduce>),
    /// `[p = (a)-->(b) WHERE test | value]`.
    PatternComprehension(Box<PatternComprehension>),
    /// A pattern as a predicate, or as the list of its paths in `size()`.
    Pattern(Box<PathPattern>),
    /// `shortestPath(…)` and `allShortestPaths(…)` as a value: of a path pattern with that selector.
    ShortestPath(Box<PathPattern>),
    /// `EXISTS {…}`, `COUNT {…}`, `COLLECT {…}`.
    Subquery(SubqueryKind, Box<Query>),
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    /// `null`.
    Null,
    /// `true`, `false`.
    Boolean(bool),
    /// An integer, its sign applied by the parser where `-` stands directly before it (for −2^63).
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string, its escapes decoded.
    String(Arc<str>),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Minus,
    Plus,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `=~`.
    Matches,
    StartsWith,
    EndsWith,
    Contains,
    In,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Power,
    /// `||`.
    Concatenate,
}

/// `name(arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionCall {
    /// The name with its namespace, as it is written.
    pub(crate) name: Name,
    /// Whether `DISTINCT` stands before the arguments.
    pub(crate) distinct: bool,
    /// The arguments.
    pub(crate) arguments: Vec<Expr>,
}

/// `CASE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    /// The value that the branches are compared with; without it they are predicates.
    pub(crate) subject: Option<Box<Expr>>,
    /// What stands after each `WHEN` (several in the extended simple form), and the value after `THEN`.
    pub(crate) branches: Vec<(Vec<CaseTest>, Expr)>,
    /// After `ELSE`.
    pub(crate) otherwise: Option<Box<Expr>>,
}

/// What stands after `WHEN`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CaseTest {
    /// A value that equals the subject; without a subject a predicate.
    Value(Expr),
    /// `> 3`, `IS NULL`, `STARTS WITH 'a'` of the subject: an expression with a clone of the subject as its left operand.
    Test(Expr),
}

/// `x IN list WHERE test | value`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comprehension {
    /// The entry.
    pub(crate) variable: Variable,
    /// The list.
    pub(crate) list: Expr,
    /// The test.
    pub(crate) test: Option<Expr>,
    /// The value; the entry itself without.
    pub(crate) value: Option<Expr>,
}

/// `all`, `any`, `none`, `single`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuantifierKind {
    All,
    Any,
    None,
    Single,
}

/// `reduce(accumulator = start, x IN list | next)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reduce {
    pub(crate) accumulator: Variable,
    pub(crate) start: Expr,
    pub(crate) variable: Variable,
    pub(crate) list: Expr,
    pub(crate) next: Expr,
}

/// `[pattern WHERE test | value]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternComprehension {
    pub(crate) pattern: PathPattern,
    pub(crate) test: Option<Expr>,
    pub(crate) value: Expr,
}

/// `variable {…}`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapProjection {
    pub(crate) variable: Variable,
    pub(crate) items: Vec<MapItem>,
}

/// An item of a map projection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MapItem {
    /// `.key`.
    Property(Name),
    /// `.*`.
    AllProperties,
    /// `variable`: under its own name.
    Variable(Variable),
    /// `key: value`.
    Entry(Name, Expr),
}

/// The kinds of subqueries in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubqueryKind {
    Exists,
    Count,
    Collect,
}

/// The normal forms of Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormalForm {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

/// The name of a type in `IS ::`, in constraints and in signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypeName {
    Nothing,
    Null,
    Boolean,
    String,
    Integer,
    Float,
    Date,
    LocalTime,
    ZonedTime,
    LocalDateTime,
    ZonedDateTime,
    Duration,
    Point,
    Node,
    Relationship,
    Map,
    Path,
    PropertyValue,
    Any,
    /// `LIST<T>`.
    List(Box<TypeName>),
    /// `A | B`.
    OneOf(Vec<TypeName>),
    /// `T NOT NULL`.
    NotNull(Box<TypeName>),
}

impl Expr {
    /// An expression at a place.
    pub(crate) fn new(at: TextPosition, kind: ExprKind) -> Expr {
        Expr { at, kind }
    }
}

impl Variable {
    /// Whether it is made up: no text can name it, and it is never part of `*`.
    pub(crate) fn is_anonymous(&self) -> bool {
        self.name.starts_with(ANONYMOUS)
    }
}
