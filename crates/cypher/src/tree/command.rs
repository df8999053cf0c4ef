//! Commands: what a text says in each.

use std::sync::Arc;

use millrace_model::TextPosition;

use super::{Expr, Name, Projection, TypeName, Yield};

/// A command.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a statement has one, and it is seldom moved")]
pub(crate) enum Command {
    CreateIndex(CreateIndex),
    CreateConstraint(CreateConstraint),
    /// `DROP INDEX name [IF EXISTS]`.
    DropIndex(Drop),
    /// `DROP CONSTRAINT name [IF EXISTS]`.
    DropConstraint(Drop),
    /// `DROP INDEX ON :Label(key)`, as versions before 5 had it: the index that `CREATE` would make.
    DropIndexOn(CreateIndex),
    /// `DROP CONSTRAINT ON (n:Label) ASSERT …`, as versions before 5 had it.
    DropConstraintOn(CreateConstraint),
    Show(Show),
    /// `TERMINATE TRANSACTIONS 'id', …`.
    TerminateTransactions(TextPosition, Expr),
    CreateDatabase(CreateDatabase),
    /// `DROP DATABASE name [IF EXISTS]`.
    DropDatabase(Drop),
    AlterDatabase(AlterDatabase),
    /// A command that is known by its name and refused: `CREATE USER`, `GRANT` …
    Refused(TextPosition, Name),
}

impl Command {
    /// Whether it is about the program rather than about a graph, or changes what there is.
    pub(crate) fn is_administrative(&self) -> bool {
        match self {
            Command::Show(show) => match show.what {
                Shown::Databases
                | Shown::DefaultDatabase
                | Shown::HomeDatabase
                | Shown::Users
                | Shown::CurrentUser => true,
                Shown::Indexes(_)
                | Shown::Constraints(_)
                | Shown::Functions(_)
                | Shown::Procedures
                | Shown::Transactions
                | Shown::Settings => false,
            },
            Command::CreateIndex(_)
            | Command::CreateConstraint(_)
            | Command::DropIndex(_)
            | Command::DropConstraint(_)
            | Command::DropIndexOn(_)
            | Command::DropConstraintOn(_)
            | Command::TerminateTransactions(..)
            | Command::CreateDatabase(_)
            | Command::DropDatabase(_)
            | Command::AlterDatabase(_)
            | Command::Refused(..) => true,
        }
    }

    /// Whether it means the same whichever graph it is sent to.
    pub(crate) fn works_without_graph(&self) -> bool {
        match self {
            Command::CreateIndex(_)
            | Command::CreateConstraint(_)
            | Command::DropIndex(_)
            | Command::DropConstraint(_)
            | Command::DropIndexOn(_)
            | Command::DropConstraintOn(_) => false,
            Command::Show(show) => match show.what {
                Shown::Indexes(_) | Shown::Constraints(_) => false,
                Shown::Functions(_)
                | Shown::Procedures
                | Shown::Transactions
                | Shown::Databases
                | Shown::DefaultDatabase
                | Shown::HomeDatabase
                | Shown::Users
                | Shown::CurrentUser
                | Shown::Settings => true,
            },
            Command::TerminateTransactions(..)
            | Command::CreateDatabase(_)
            | Command::DropDatabase(_)
            | Command::AlterDatabase(_)
            | Command::Refused(..) => true,
        }
    }
}

/// A name, given or not.
pub(crate) type MaybeName = Option<SchemaName>;

/// A name in a command: written, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaName {
    Name(TextPosition, Name),
    Parameter(TextPosition, Name),
}

/// `CREATE CONSTRAINT [name] [IF NOT EXISTS] FOR … REQUIRE …`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CreateConstraint {
    pub(crate) at: TextPosition,
    pub(crate) name: MaybeName,
    pub(crate) if_not_exists: bool,
    pub(crate) on: On,
    pub(crate) keys: Vec<Name>,
    pub(crate) requires: Requirement,
    pub(crate) options: Option<Expr>,
}

/// What a constraint requires.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Requirement {
    /// `IS [NODE|RELATIONSHIP] UNIQUE`.
    Unique,
    /// `IS [NODE|RELATIONSHIP] KEY`.
    Key,
    /// `IS NOT NULL`.
    Exists,
    /// `IS :: TYPE`.
    Type(TypeName),
}

/// `CREATE [OR REPLACE] DATABASE name [IF NOT EXISTS] [OPTIONS {…}] [WAIT …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CreateDatabase {
    pub(crate) at: TextPosition,
    pub(crate) name: SchemaName,
    pub(crate) or_replace: bool,
    pub(crate) if_not_exists: bool,
    pub(crate) options: Option<Expr>,
}

/// `ALTER DATABASE name [IF EXISTS] SET OPTION key value`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AlterDatabase {
    pub(crate) at: TextPosition,
    pub(crate) name: SchemaName,
    pub(crate) if_exists: bool,
    pub(crate) option: Name,
    pub(crate) value: Expr,
}

/// A drop by name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drop {
    pub(crate) at: TextPosition,
    pub(crate) name: SchemaName,
    pub(crate) if_exists: bool,
}

/// What a schema command is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum On {
    /// `FOR (n:Label)`; the variable is written before each property.
    Node(Name),
    /// `FOR ()-[r:TYPE]-()`.
    Relationship(Name),
}

/// `CREATE [kind] INDEX [name] [IF NOT EXISTS] FOR … ON (…) [OPTIONS {…}]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CreateIndex {
    pub(crate) at: TextPosition,
    pub(crate) kind: IndexKind,
    /// Whether the kind is written: a range index stands beside that of a constraint only then.
    pub(crate) says_kind: bool,
    pub(crate) name: MaybeName,
    pub(crate) if_not_exists: bool,
    /// Of a lookup index: `None` for the label, with nothing in `keys`.
    pub(crate) on: Vec<On>,
    pub(crate) is_relationship: bool,
    pub(crate) keys: Vec<Name>,
    pub(crate) options: Option<Expr>,
}

/// The kinds of indexes that there are in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Range,
    Text,
    Point,
    Lookup,
    Fulltext,
    Vector,
}

/// `SHOW what [names] [YIELD …] [WHERE …] [RETURN …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Show {
    pub(crate) at: TextPosition,
    pub(crate) what: Shown,
    /// Ids or names behind `TRANSACTIONS`, `DATABASE`, `SETTINGS`.
    pub(crate) of: Option<Expr>,
    pub(crate) yields: Option<Yield>,
    /// `WHERE` without `YIELD`: of the columns that are shown by default.
    pub(crate) test: Option<Expr>,
    /// `ORDER BY`, `SKIP`, `LIMIT` of the `YIELD`, as a projection of everything.
    pub(crate) paged: Option<Projection>,
    pub(crate) returns: Option<Projection>,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    /// `[RANGE|…|ALL] INDEXES`.
    Indexes(Option<IndexKind>),
    /// `[UNIQUE|…|ALL] CONSTRAINTS`, with the word in front.
    Constraints(Option<Arc<str>>),
    /// `[BUILT IN|USER DEFINED|ALL] FUNCTIONS`: whether they are built in.
    Functions(Option<bool>),
    Procedures,
    Transactions,
    Databases,
    DefaultDatabase,
    HomeDatabase,
    Users,
    CurrentUser,
    Settings,
}
