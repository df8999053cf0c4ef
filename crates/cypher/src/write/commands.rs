//! Commands.

use std::fmt::{Display, Formatter, Result};

use super::names::{Dotted, Named, Parameter};
use super::{Behind, Joined};
use crate::tree::{
    AlterDatabase, Command, CreateConstraint, CreateDatabase, CreateIndex, Drop, ExprKind,
    IndexKind, Literal, On, Requirement, SchemaName, Show, Shown, Yield,
};

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Command::CreateIndex(index) => write!(f, "{index}"),
            Command::CreateConstraint(constraint) => write!(f, "{constraint}"),
            Command::DropIndex(drop) => write!(f, "DROP INDEX {drop}"),
            Command::DropConstraint(drop) => write!(f, "DROP CONSTRAINT {drop}"),
            Command::DropIndexOn(index) => {
                let labels = index.on.iter().map(On::name).collect::<Vec<_>>();
                let keys: Vec<Named<'_>> = index.keys.iter().map(|key| Named(key)).collect();
                write!(f, "DROP INDEX ON :{}({})", Joined(&labels, "|"), Joined(&keys, ", "))
            }
            Command::DropConstraintOn(constraint) => {
                f.write_str("DROP CONSTRAINT ON ")?;
                constraint.write_behind_name(f, "ASSERT")
            }
            Command::Show(show) => write!(f, "SHOW {show}"),
            Command::TerminateTransactions(_, ids) => write!(f, "TERMINATE TRANSACTIONS {ids}"),
            Command::CreateDatabase(database) => write!(f, "{database}"),
            Command::DropDatabase(drop) => write!(f, "DROP DATABASE {drop}"),
            Command::AlterDatabase(database) => write!(f, "{database}"),
            Command::Refused(_, name) => f.write_str(name),
        }
    }
}

impl Display for SchemaName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            SchemaName::Name(_, name) => write!(f, "{}", Dotted(name)),
            SchemaName::Parameter(_, name) => write!(f, "{}", Parameter(name)),
        }
    }
}

impl Display for CreateIndex {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let kind = if self.says_kind { format!("{} ", self.kind) } else { String::new() };
        write!(f, "CREATE {kind}INDEX{}", Behind(" ", &self.name))?;
        write!(f, "{} FOR ", if_not_exists(self.if_not_exists))?;
        let labels = self.on.iter().map(On::name).collect::<Vec<_>>();
        let colon = if labels.is_empty() { "" } else { ":" };
        let labels = Joined(&labels, "|");
        match self.is_relationship {
            true => write!(f, "()-[x{colon}{labels}]-() ON ")?,
            false => write!(f, "(x{colon}{labels}) ON ")?,
        }
        let keys: Vec<Key<'_>> = self.keys.iter().map(|key| Key(key)).collect();
        match self.kind {
            IndexKind::Lookup if self.is_relationship => f.write_str("EACH type(x)")?,
            IndexKind::Lookup => f.write_str("EACH labels(x)")?,
            IndexKind::Fulltext => write!(f, "EACH [{}]", Joined(&keys, ", "))?,
            IndexKind::Range | IndexKind::Text | IndexKind::Point | IndexKind::Vector => {
                write!(f, "({})", Joined(&keys, ", "))?;
            }
        }
        write!(f, "{}", Behind(" OPTIONS ", &self.options))
    }
}

/// A key of the element `x`.
struct Key<'a>(&'a str);

impl Display for Key<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "x.{}", Named(self.0))
    }
}

impl On {
    fn name(&self) -> Named<'_> {
        match self {
            On::Node(name) | On::Relationship(name) => Named(name),
        }
    }
}

impl Display for IndexKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            IndexKind::Range => "RANGE",
            IndexKind::Text => "TEXT",
            IndexKind::Point => "POINT",
            IndexKind::Lookup => "LOOKUP",
            IndexKind::Fulltext => "FULLTEXT",
            IndexKind::Vector => "VECTOR",
        })
    }
}

impl Display for CreateConstraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "CREATE CONSTRAINT{}", Behind(" ", &self.name))?;
        write!(f, "{} FOR ", if_not_exists(self.if_not_exists))?;
        self.write_behind_name(f, "REQUIRE")?;
        write!(f, "{}", Behind(" OPTIONS ", &self.options))
    }
}

impl CreateConstraint {
    /// The elements and what is required of them, which a word introduces.
    fn write_behind_name(&self, f: &mut Formatter<'_>, word: &str) -> Result {
        match &self.on {
            On::Node(_) => write!(f, "(x:{})", self.on.name())?,
            On::Relationship(_) => write!(f, "()-[x:{}]-()", self.on.name())?,
        }
        let keys: Vec<Key<'_>> = self.keys.iter().map(|key| Key(key)).collect();
        write!(f, " {word} ({}) IS ", Joined(&keys, ", "))?;
        match &self.requires {
            Requirement::Unique => f.write_str("UNIQUE"),
            Requirement::Key => f.write_str("KEY"),
            Requirement::Exists => f.write_str("NOT NULL"),
            Requirement::Type(name) => write!(f, ":: {name}"),
        }
    }
}

impl Display for Drop {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.name, if_exists(self.if_exists))
    }
}

fn if_exists(is: bool) -> &'static str {
    if is { " IF EXISTS" } else { "" }
}

fn if_not_exists(is: bool) -> &'static str {
    if is { " IF NOT EXISTS" } else { "" }
}

impl Display for Show {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.what)?;
        match self.of.as_ref().map(|of| &of.kind) {
            Some(ExprKind::Literal(Literal::String(name))) if self.what == Shown::Databases => {
                write!(f, " {}", Dotted(name))?;
            }
            Some(_) | None => write!(f, "{}", Behind(" ", &self.of))?,
        }
        if let Some(yields) = &self.yields {
            let items = Yield { test: None, ..yields.clone() };
            write!(f, " YIELD {items}")?;
            if let Some(paged) = &self.paged {
                let written = paged.to_string();
                f.write_str(written.strip_prefix('*').unwrap_or(&written))?;
            }
            write!(f, "{}", Behind(" WHERE ", &yields.test))?;
        }
        write!(f, "{}{}", Behind(" WHERE ", &self.test), Behind(" RETURN ", &self.returns))
    }
}

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Shown::Indexes(Some(kind)) => return write!(f, "{kind} INDEXES"),
            Shown::Constraints(Some(kind)) => return write!(f, "{kind} CONSTRAINTS"),
            Shown::Indexes(None) => "INDEXES",
            Shown::Constraints(None) => "CONSTRAINTS",
            Shown::Functions(None) => "FUNCTIONS",
            Shown::Functions(Some(true)) => "BUILT IN FUNCTIONS",
            Shown::Functions(Some(false)) => "USER DEFINED FUNCTIONS",
            Shown::Procedures => "PROCEDURES",
            Shown::Transactions => "TRANSACTIONS",
            Shown::Databases => "DATABASES",
            Shown::DefaultDatabase => "DEFAULT DATABASE",
            Shown::HomeDatabase => "HOME DATABASE",
            Shown::Users => "USERS",
            Shown::CurrentUser => "CURRENT USER",
            Shown::Settings => "SETTINGS",
        })
    }
}

impl Display for CreateDatabase {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.or_replace { "CREATE OR REPLACE" } else { "CREATE" })?;
        write!(f, " DATABASE {}{}", self.name, if_not_exists(self.if_not_exists))?;
        write!(f, "{}", Behind(" OPTIONS ", &self.options))
    }
}

impl Display for AlterDatabase {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "ALTER DATABASE {}{}", self.name, if_exists(self.if_exists))?;
        write!(f, " SET OPTION {} {}", Dotted(&self.option), self.value)
    }
}
