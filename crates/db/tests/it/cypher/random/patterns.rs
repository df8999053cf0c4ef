//! Queries that match patterns and count, before they are text: `naive` runs them as they stand here.

use std::fmt::{self, Display, Formatter};

/// A variable by its number; its name says what it is.
pub(super) type Variable = usize;

/// A whole query.
#[derive(Clone, Default)]
pub(super) struct Query {
    pub(super) stages: Vec<Stage>,
    pub(super) result: Projection,
}

#[derive(Clone)]
pub(super) enum Stage {
    Match(Match),
    With(Projection),
}

#[derive(Clone, Default)]
pub(super) struct Match {
    pub(super) optional: bool,
    pub(super) paths: Vec<Path>,
    /// All of them hold.
    pub(super) tests: Vec<Test>,
    /// Whether they are written in the pattern, at the first node with a name.
    pub(super) tests_inside: bool,
}

/// Nodes with hops between.
#[derive(Clone)]
pub(super) struct Path {
    pub(super) start: Node,
    pub(super) hops: Vec<(Hop, Node)>,
}

#[derive(Clone, Default)]
pub(super) struct Node {
    pub(super) variable: Option<Variable>,
    pub(super) labels: Labels,
    /// The value of its `n`.
    pub(super) n: Option<i64>,
}

#[derive(Clone, Default, PartialEq)]
pub(super) enum Labels {
    #[default]
    Any,
    All(Vec<&'static str>),
    OneOf(&'static str, &'static str),
    Not(&'static str),
}

#[derive(Clone)]
pub(super) struct Hop {
    pub(super) variable: Option<Variable>,
    pub(super) types: Vec<&'static str>,
    pub(super) direction: Direction,
    /// How many relationships, if not one.
    pub(super) lengths: Option<(u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Out,
    In,
    Either,
}

/// A condition; each is true, false or unknown.
#[derive(Clone)]
pub(super) enum Test {
    /// A pattern that shares variables, with its own conditions.
    Exists(Match),
    /// The same, written as a path alone.
    HasPath(Path),
    /// How often a pattern matches, compared with a number.
    CountIs(Match, Comparison, i64),
    /// Two nodes or two relationships are the same one.
    Same(Variable, Variable),
    Differ(Variable, Variable),
    HasLabels(Variable, Labels),
    Compare(Variable, Comparison, i64),
    CompareBoth(Variable, Comparison, Variable),
    IsMissing(Variable),
    /// A number that a variable is, compared.
    NumberIs(Variable, Comparison, i64),
    Not(Box<Test>),
    Either(Box<Test>, Box<Test>),
    Both(Box<Test>, Box<Test>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Equal,
    Unequal,
    Greater,
}

/// A `WITH` or a `RETURN`.
#[derive(Clone, Default)]
pub(super) struct Projection {
    pub(super) distinct: bool,
    pub(super) items: Vec<Item>,
    /// Columns by which rows are ordered, and whether downwards.
    pub(super) order: Vec<(usize, bool)>,
    pub(super) skip: Option<u64>,
    pub(super) limit: Option<u64>,
    /// Conditions behind a `WITH`.
    pub(super) tests: Vec<Test>,
}

/// A column.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) value: Value,
    /// The variable that it becomes behind a `WITH`; a variable keeps its name.
    pub(super) becomes: Option<Variable>,
}

#[derive(Clone)]
pub(super) enum Value {
    /// A node.
    Node(Variable),
    /// A number that a variable is.
    Number(Variable),
    Id(Variable),
    N(Variable),
    S(Variable),
    /// Whether a pattern matches.
    Exists(Match),
    /// How often a pattern matches.
    Count(Match),
    Aggregate(Aggregate),
}

#[derive(Clone)]
pub(super) enum Aggregate {
    Rows,
    Count(Variable),
    CountDistinct(Variable),
    /// Different values of `n`.
    CountDistinctN(Variable),
    SumN(Variable),
    MaxN(Variable),
    MinId(Variable),
    /// The sum of numbers that a variable is.
    Sum(Variable),
    /// The size of the list of different nodes.
    SizeOfDistinct(Variable),
}

impl Match {
    /// The variables of its paths.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let of = |path: &Path| {
            let hops = path.hops.iter().flat_map(|(hop, node)| [hop.variable, node.variable]);
            [path.start.variable].into_iter().chain(hops).flatten().collect::<Vec<_>>()
        };
        self.paths.iter().flat_map(of).collect()
    }
}

impl Value {
    pub(super) fn is_aggregate(&self) -> bool {
        matches!(self, Value::Aggregate(_))
    }
}

/// The name of a variable.
pub(super) fn name(variable: Variable) -> String {
    format!("v{variable}")
}

fn optional_name(variable: Option<Variable>) -> String {
    variable.map(name).unwrap_or_default()
}

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            match stage {
                Stage::Match(clause) => write!(f, "{clause} ")?,
                Stage::With(projection) => {
                    write!(f, "WITH {projection}{} ", written_tests(&projection.tests))?;
                }
            }
        }
        write!(f, "RETURN {}", self.result)
    }
}

impl Display for Match {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut inside = self.tests_inside.then_some(self.tests.as_slice());
        let paths: Vec<String> = self.paths.iter().map(|path| path.written(&mut inside)).collect();
        let optional = if self.optional { "OPTIONAL " } else { "" };
        write!(f, "{optional}MATCH {}", paths.join(", "))?;
        let is_written = self.tests_inside && inside.is_none();
        f.write_str(&if is_written { String::new() } else { written_tests(&self.tests) })
    }
}

fn written_tests(tests: &[Test]) -> String {
    let word = |index| if index == 0 { "WHERE" } else { "AND" };
    tests.iter().enumerate().map(|(index, test)| format!(" {} {test}", word(index))).collect()
}

impl Path {
    /// Its text, with tests at the first node that has a name: they are taken then.
    fn written(&self, tests: &mut Option<&[Test]>) -> String {
        let mut text = self.start.written(tests);
        for (hop, node) in &self.hops {
            text.push_str(&hop.to_string());
            text.push_str(&node.written(tests));
        }
        text
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(&mut None))
    }
}

impl Node {
    fn written(&self, tests: &mut Option<&[Test]>) -> String {
        let n = self.n.map(|n| format!(" {{n: {n}}}")).unwrap_or_default();
        let own = if self.variable.is_some() { tests.take() } else { None };
        let tests = own.map(written_tests).unwrap_or_default();
        format!("({}{}{n}{tests})", optional_name(self.variable), self.labels)
    }
}

impl Display for Labels {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Labels::Any => Ok(()),
            Labels::All(labels) => write!(f, ":{}", labels.join("&")),
            Labels::OneOf(one, other) => write!(f, ":{one}|{other}"),
            Labels::Not(label) => write!(f, ":!{label}"),
        }
    }
}

impl Display for Hop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let types = match self.types.as_slice() {
            [] => String::new(),
            types => format!(":{}", types.join("|")),
        };
        let lengths = match self.lengths {
            None => String::new(),
            Some((least, most)) if least == most => format!("*{least}"),
            Some((least, most)) => format!("*{least}..{most}"),
        };
        let inner = format!("{}{types}{lengths}", optional_name(self.variable));
        let inner = if inner.is_empty() { inner } else { format!("[{inner}]") };
        match self.direction {
            Direction::Out => write!(f, "-{inner}->"),
            Direction::In => write!(f, "<-{inner}-"),
            Direction::Either => write!(f, "-{inner}-"),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Test::Exists(inner) => write!(f, "EXISTS {{ {inner} }}"),
            Test::HasPath(path) => write!(f, "{path}"),
            Test::CountIs(inner, comparison, number) => {
                write!(f, "COUNT {{ {inner} }} {comparison} {number}")
            }
            Test::Same(one, other) => write!(f, "{} = {}", name(*one), name(*other)),
            Test::Differ(one, other) => write!(f, "{} <> {}", name(*one), name(*other)),
            Test::HasLabels(variable, labels) => write!(f, "{}{labels}", name(*variable)),
            Test::Compare(variable, comparison, number) => {
                write!(f, "{}.n {comparison} {number}", name(*variable))
            }
            Test::CompareBoth(one, comparison, other) => {
                write!(f, "{}.n {comparison} {}.n", name(*one), name(*other))
            }
            Test::IsMissing(variable) => write!(f, "{}.n IS NULL", name(*variable)),
            Test::NumberIs(variable, comparison, number) => {
                write!(f, "{} {comparison} {number}", name(*variable))
            }
            Test::Not(test) => write!(f, "NOT ({test})"),
            Test::Either(one, other) => write!(f, "({one} OR {other})"),
            Test::Both(one, other) => write!(f, "({one} AND {other})"),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Equal => "=",
            Comparison::Unequal => "<>",
            Comparison::Greater => ">",
        })
    }
}

impl Display for Projection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let column = |(index, item): (usize, &Item)| match (&item.value, item.becomes) {
            (Value::Node(variable), None) => name(*variable),
            (_, Some(variable)) => format!("{} AS {}", item.value, name(variable)),
            (_, None) => format!("{} AS c{index}", item.value),
        };
        let columns: Vec<String> = self.items.iter().enumerate().map(column).collect();
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        write!(f, "{distinct}{}", columns.join(", "))?;
        for (index, &(column, down)) in self.order.iter().enumerate() {
            let by = match (&self.items[column].value, self.items[column].becomes) {
                // Numbers of nodes are the store's own.
                (Value::Node(variable), None) => format!("{}.id", name(*variable)),
                (_, Some(variable)) => name(variable),
                (_, None) => format!("c{column}"),
            };
            let word = if index == 0 { " ORDER BY" } else { "," };
            write!(f, "{word} {by}{}", if down { " DESC" } else { "" })?;
        }
        self.skip.iter().try_for_each(|count| write!(f, " SKIP {count}"))?;
        self.limit.iter().try_for_each(|count| write!(f, " LIMIT {count}"))
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Node(variable) | Value::Number(variable) => f.write_str(&name(*variable)),
            Value::Id(variable) => write!(f, "{}.id", name(*variable)),
            Value::N(variable) => write!(f, "{}.n", name(*variable)),
            Value::S(variable) => write!(f, "{}.s", name(*variable)),
            Value::Exists(inner) => write!(f, "EXISTS {{ {inner} }}"),
            Value::Count(inner) => write!(f, "COUNT {{ {inner} }}"),
            Value::Aggregate(aggregate) => write!(f, "{aggregate}"),
        }
    }
}

impl Display for Aggregate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Aggregate::Rows => f.write_str("count(*)"),
            Aggregate::Count(variable) => write!(f, "count({})", name(*variable)),
            Aggregate::CountDistinct(variable) => write!(f, "count(DISTINCT {})", name(*variable)),
            Aggregate::CountDistinctN(variable) => {
                write!(f, "count(DISTINCT {}.n)", name(*variable))
            }
            Aggregate::SumN(variable) => write!(f, "sum({}.n)", name(*variable)),
            Aggregate::MaxN(variable) => write!(f, "max({}.n)", name(*variable)),
            Aggregate::MinId(variable) => write!(f, "min({}.id)", name(*variable)),
            Aggregate::Sum(variable) => write!(f, "sum({})", name(*variable)),
            Aggregate::SizeOfDistinct(variable) => {
                write!(f, "size(collect(DISTINCT {}))", name(*variable))
            }
        }
    }
}
