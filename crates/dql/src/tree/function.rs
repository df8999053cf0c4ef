//! Functions of roots and filters, and the predicates that they ask about.

use super::{Name, NamedValue, Offset, Value};

/// `eq(name@en, "Alice")`, `uid(0x1, a)`, `near(loc, [1.1, 2.0], 1000)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Where its name begins.
    pub offset: Offset,
    /// Its name in lower case; the language ignores case.
    pub name: String,
    /// What it asks about; for most functions a predicate.
    pub subject: Subject,
    /// What stands behind the subject.
    pub arguments: Vec<Argument>,
}

/// The first argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// There is none: `uid(…)` and `type(…)` have arguments only.
    Absent,
    /// `name`, `name@en`, `~friend`; in a filter of facets, the key of a facet.
    Predicate(Predicate),
    /// `count(friend)`, `count(~friend)`.
    Count(Predicate),
    /// `val(x)`, a value variable.
    Variable(Name),
    /// `len(x)`, the number of elements of a variable.
    Length(Name),
}

/// An argument behind the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `"Alice"`, `0x1`, `$a`, `/pattern/`, `[1.1, 2.0]`.
    Value(Value),
    /// `a` in `uid(a)`: a variable with uids.
    Variable(Name),
    /// `val(x)`: a variable with values.
    ValueOf(Name),
    /// `uid(0x1, a)` in `uid_in(school, uid(0x1, a))`.
    Uids {
        /// Where `uid` begins.
        offset: Offset,
        /// Uids and variables.
        arguments: Vec<Argument>,
    },
    /// `ef: 64` in `similar_to(embedding, 3, $v, ef: 64)`.
    Named(NamedValue),
}

/// `name`, `name@en:fr:.`, `name@*`, `~friend`, `<any text>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Where it begins.
    pub offset: Offset,
    /// Whether it is walked from its object: `~name`.
    pub is_reverse: bool,
    /// Its name, without `~` and brackets.
    pub name: String,
    /// Tags in the order of their preference; `.` is any language, and `*`, which stands alone, all of them.
    pub languages: Vec<String>,
}
