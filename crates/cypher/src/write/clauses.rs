//! Queries and clauses.

use std::fmt::{Display, Formatter, Result};

use super::names::{Dotted, Named, Quoted};
use super::{Behind, Joined};
use crate::tree::{
    Call, CallSubquery, Clause, Expr, Imports, InTransactions, LoadCsv, Match, Merge, OnError,
    OrderItem, Projection, ProjectionItem, Query, RemoveItem, SetItem, SingleQuery, Yield,
    YieldItem,
};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut unions = self.unions.iter();
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                let is_all = unions.next().is_some_and(|(_, all)| *all);
                f.write_str(if is_all { " UNION ALL " } else { " UNION " })?;
            }
            write!(f, "{part}")?;
        }
        Ok(())
    }
}

impl Display for SingleQuery {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", Joined(&self.clauses, " "))
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Clause::Match(match_) => write!(f, "{match_}"),
            Clause::Unwind(unwind) => write!(f, "UNWIND {} AS {}", unwind.list, unwind.variable),
            Clause::With(projection) => write!(f, "WITH {projection}"),
            Clause::Return(projection) => write!(f, "RETURN {projection}"),
            Clause::Create(create) => write!(f, "CREATE {}", Joined(&create.patterns, ", ")),
            Clause::Merge(merge) => write!(f, "{merge}"),
            Clause::Set(set) => write!(f, "SET {}", Joined(&set.items, ", ")),
            Clause::Remove(remove) => write!(f, "REMOVE {}", Joined(&remove.items, ", ")),
            Clause::Delete(delete) => {
                let detach = if delete.detach { "DETACH " } else { "" };
                write!(f, "{detach}DELETE {}", Joined(&delete.exprs, ", "))
            }
            Clause::Foreach(foreach) => {
                write!(f, "FOREACH ({} IN {} | ", foreach.variable, foreach.list)?;
                write!(f, "{})", Joined(&foreach.clauses, " "))
            }
            Clause::Call(call) => write!(f, "{call}"),
            Clause::CallSubquery(call) => write!(f, "{call}"),
            Clause::LoadCsv(load) => write!(f, "{load}"),
            Clause::Finish(_) => f.write_str("FINISH"),
        }
    }
}

impl Display for Match {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.optional { "OPTIONAL MATCH " } else { "MATCH " })?;
        f.write_str(if self.repeatable { "REPEATABLE ELEMENTS " } else { "" })?;
        write!(f, "{}{}", Joined(&self.patterns, ", "), Behind(" WHERE ", &self.test))
    }
}

impl Display for Merge {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "MERGE {}", self.pattern)?;
        for (event, items) in [("CREATE", &self.on_create), ("MATCH", &self.on_match)] {
            if !items.is_empty() {
                write!(f, " ON {event} SET {}", Joined(items, ", "))?;
            }
        }
        Ok(())
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.optional { "OPTIONAL CALL " } else { "CALL " })?;
        write!(f, "{}", Dotted(&self.name))?;
        if let Some(arguments) = &self.arguments {
            write!(f, "({})", Joined(arguments, ", "))?;
        }
        write!(f, "{}", Behind(" YIELD ", &self.yields))
    }
}

impl Display for Yield {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match (self.all, self.items.is_empty()) {
            (true, _) => f.write_str("*")?,
            (false, true) => f.write_str("-")?,
            (false, false) => write!(f, "{}", Joined(&self.items, ", "))?,
        }
        write!(f, "{}", Behind(" WHERE ", &self.test))
    }
}

impl Display for YieldItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", Named(&self.column))?;
        match self.variable.name == self.column {
            true => Ok(()),
            false => write!(f, " AS {}", self.variable),
        }
    }
}

impl Display for CallSubquery {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.optional { "OPTIONAL CALL " } else { "CALL " })?;
        match &self.imports {
            Some(Imports::All) => f.write_str("(*) ")?,
            Some(Imports::Listed(variables)) => write!(f, "({}) ", Joined(variables, ", "))?,
            None => {}
        }
        write!(f, "{{ {} }}{}", self.query, Behind(" ", &self.in_transactions))
    }
}

impl Display for InTransactions {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("IN ")?;
        if let Some(count) = &self.concurrent {
            write!(
                f,
                "{}CONCURRENT ",
                count.as_ref().map(|n| format!("{n} ")).unwrap_or_default()
            )?;
        }
        f.write_str("TRANSACTIONS")?;
        if let Some(rows) = &self.rows {
            write!(f, " OF {rows} ROWS")?;
        }
        f.write_str(match self.on_error {
            OnError::Fail => "",
            OnError::Break => " ON ERROR BREAK",
            OnError::Continue => " ON ERROR CONTINUE",
        })?;
        write!(f, "{}", Behind(" REPORT STATUS AS ", &self.status))
    }
}

impl Display for LoadCsv {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let headers = if self.headers { "WITH HEADERS " } else { "" };
        write!(f, "LOAD CSV {headers}FROM {} AS {}", self.url, self.variable)?;
        match &self.separator {
            Some(separator) => write!(f, " FIELDTERMINATOR {}", Quoted(separator)),
            None => Ok(()),
        }
    }
}

impl Display for SetItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            SetItem::Property(of, key, value) => write!(f, "{} = {value}", property(of, key)),
            SetItem::DynamicProperty(of, key, value) => write!(f, "({of})[{key}] = {value}"),
            SetItem::Replace(variable, value) => write!(f, "{variable} = {value}"),
            SetItem::Add(variable, value) => write!(f, "{variable} += {value}"),
            SetItem::Labels(variable, labels) => write!(f, "{variable}:{labels}"),
        }
    }
}

impl Display for RemoveItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            RemoveItem::Property(of, key) => f.write_str(&property(of, key)),
            RemoveItem::DynamicProperty(of, key) => write!(f, "({of})[{key}]"),
            RemoveItem::Labels(variable, labels) => write!(f, "{variable}:{labels}"),
        }
    }
}

fn property(of: &Expr, key: &str) -> String {
    format!("({of}).{}", Named(key))
}

impl Display for Projection {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(if self.distinct { "DISTINCT " } else { "" })?;
        f.write_str(if self.all { "*" } else { "" })?;
        f.write_str(if self.all && !self.items.is_empty() { ", " } else { "" })?;
        write!(f, "{}", Joined(&self.items, ", "))?;
        if !self.order.is_empty() {
            write!(f, " ORDER BY {}", Joined(&self.order, ", "))?;
        }
        write!(f, "{}{}", Behind(" SKIP ", &self.skip), Behind(" LIMIT ", &self.limit))?;
        write!(f, "{}", Behind(" WHERE ", &self.test))
    }
}

impl Display for ProjectionItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.expr, Behind(" AS ", &self.alias))
    }
}

impl Display for OrderItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.expr, if self.descending { " DESC" } else { "" })
    }
}
