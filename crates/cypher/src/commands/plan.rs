//! Commands as plans: each is a call of a procedure, and a `SHOW` is a query over what its procedure yields.

use millrace_model::{Result, TextPosition, Value};
use millrace_plan::{ColumnId, Expr, Hints, Name as PlanName, Plan, Signatures, op};

use super::DEFAULT_GRAPH;
use super::types::type_word;
use crate::clauses::InExpressions;
use crate::expressions::value_of;
use crate::scope::Resolved;
use crate::translate::{Parameters, Translator, unsupported};
use crate::tree::{
    self, Command, CreateConstraint, CreateIndex, Drop, IndexKind, On, Requirement, SchemaName,
    Show, Shown,
};

/// The plan of a command, and the parameters that it reads.
pub(crate) fn translate(
    command: &Command,
    resolved: &Resolved,
    hints: &Hints,
    signatures: &Signatures,
) -> Result<(Plan, Parameters)> {
    let mut translator = Translator::new(&resolved.symbols, hints, signatures, &InExpressions);
    let to = &mut translator;
    match command {
        Command::CreateIndex(index) => index.translate(to, "db.createIndex")?,
        Command::CreateConstraint(constraint) => constraint.translate(to, "db.createConstraint")?,
        Command::DropIndexOn(index) => index.translate(to, "db.dropIndexOn")?,
        Command::DropConstraintOn(constraint) => constraint.translate(to, "db.dropConstraintOn")?,
        Command::DropIndex(drop) => drop.translate(to, "db.dropIndex")?,
        Command::DropConstraint(drop) => drop.translate(to, "db.dropConstraint")?,
        Command::Show(show) => show.translate(to)?,
        Command::TerminateTransactions(at, ids) => {
            let ids = value_of(to, ids)?;
            call(to, *at, "dbms.terminateTransactions", vec![ids])?;
        }
        Command::CreateDatabase(create) => {
            if create.options.is_some() {
                let help = "set them afterwards: `ALTER DATABASE name SET OPTION key value`";
                return Err(unsupported(create.at, "`OPTIONS` of a new database", help));
            }
            let name = create.name.expr(to);
            let flags = [create.if_not_exists, create.or_replace].map(Expr::literal);
            let arguments = std::iter::once(name).chain(flags).collect();
            call(to, create.at, "dbms.createDatabase", arguments)?;
        }
        Command::DropDatabase(drop) => drop.translate(to, "dbms.dropDatabase")?,
        Command::AlterDatabase(alter) => {
            let name = alter.name.expr(to);
            let (option, value) =
                (Value::String(alter.option.clone()), value_of(to, &alter.value)?);
            let flag = Expr::literal(alter.if_exists);
            let arguments = vec![name, flag, Expr::Literal(option), value];
            call(to, alter.at, "dbms.setDatabaseOption", arguments)?;
        }
        Command::Refused(at, words) => {
            let help = "manage users with `millrace users`, and graphs with `CREATE DATABASE`";
            return Err(unsupported(*at, &format!("`{words}`"), help));
        }
    }
    let columns = resolved.outputs.iter().filter_map(|symbol| to.columns.get(symbol).copied());
    let columns = columns.collect();
    Ok(translator.finish(columns))
}

/// Calls a procedure that yields nothing.
fn call(
    translator: &mut Translator<'_>,
    at: TextPosition,
    name: &str,
    arguments: Vec<Expr>,
) -> Result<()> {
    push_call(translator, at, name, arguments, Vec::new())
}

fn push_call(
    translator: &mut Translator<'_>,
    at: TextPosition,
    name: &str,
    arguments: Vec<Expr>,
    yields: Vec<(PlanName, ColumnId)>,
) -> Result<()> {
    let Some(signature) = translator.signatures.named(name) else {
        let help = "only a server has it";
        return Err(unsupported(at, &format!("this command without the procedure `{name}`"), help));
    };
    let writes = signature.writes;
    translator.plan.push(op::Call { procedure: name.into(), arguments, yields, writes });
    Ok(())
}

fn text(text: &str) -> Expr {
    Expr::Literal(Value::from(text))
}

impl SchemaName {
    fn expr(&self, translator: &mut Translator<'_>) -> Expr {
        match self {
            SchemaName::Name(_, name) => Expr::Literal(Value::String(name.clone())),
            SchemaName::Parameter(_, name) => translator.parameter(name),
        }
    }
}

/// The arguments of a procedure that makes an index or a constraint.
fn arguments(
    translator: &mut Translator<'_>,
    (name, if_not_exists): (Option<&SchemaName>, bool),
    kind: &str,
    on: &[On],
    keys: &[tree::Name],
    options: Option<&tree::Expr>,
) -> Result<Vec<Expr>> {
    let name = name.map_or(Expr::Literal(Value::Null), |name| name.expr(translator));
    let element = match on.first() {
        Some(On::Relationship(_)) => "relationship",
        Some(On::Node(_)) | None => "node",
    };
    let names = on.iter().map(|on| match on {
        On::Node(name) | On::Relationship(name) => Value::String(name.clone()),
    });
    let owners = Expr::Literal(Value::list(names.collect()));
    let keys = keys.iter().cloned().map(Value::String).collect();
    let keys = Expr::Literal(Value::list(keys));
    let options = options.map(|options| value_of(translator, options)).transpose()?;
    let given = vec![name, Expr::literal(if_not_exists), text(kind), text(element), owners, keys];
    Ok(given.into_iter().chain(options).collect())
}

impl CreateIndex {
    fn translate(&self, translator: &mut Translator<'_>, procedure: &str) -> Result<()> {
        let kind = match self.kind {
            IndexKind::Range if self.says_kind => "range",
            IndexKind::Range => "index",
            IndexKind::Text => "text",
            IndexKind::Point => "point",
            IndexKind::Fulltext => "fulltext",
            // Labels and types lead to their elements in each graph: the procedure says so.
            IndexKind::Lookup => "lookup",
            IndexKind::Vector => "vector",
        };
        let all = tree::Name::from("");
        let all = match self.is_relationship {
            true => [On::Relationship(all)],
            false => [On::Node(all)],
        };
        let on = if self.kind == IndexKind::Lookup { &all } else { &*self.on };
        let (name, options) = ((self.name.as_ref(), self.if_not_exists), self.options.as_ref());
        let arguments = arguments(translator, name, kind, on, &self.keys, options)?;
        call(translator, self.at, procedure, arguments)
    }
}

impl CreateConstraint {
    fn translate(&self, translator: &mut Translator<'_>, procedure: &str) -> Result<()> {
        let kind = match &self.requires {
            Requirement::Unique => "unique".to_owned(),
            Requirement::Key => "key".to_owned(),
            Requirement::Exists => "exists".to_owned(),
            Requirement::Type(wanted) => format!("type {}", type_word(self.at, wanted)?),
        };
        let (name, on) = ((self.name.as_ref(), self.if_not_exists), std::slice::from_ref(&self.on));
        let options = self.options.as_ref();
        let arguments = arguments(translator, name, &kind, on, &self.keys, options)?;
        call(translator, self.at, procedure, arguments)
    }
}

impl Drop {
    fn translate(&self, translator: &mut Translator<'_>, procedure: &str) -> Result<()> {
        let arguments = vec![self.name.expr(translator), Expr::literal(self.if_exists)];
        call(translator, self.at, procedure, arguments)
    }
}

impl Show {
    fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let (procedure, arguments) = self.source(translator)?;
        let items = self.yields.iter().flat_map(|yields| &yields.items);
        let mut columns = Vec::new();
        for item in items {
            let column = translator.new_column(&item.variable);
            translator.bind(&item.variable, column);
            columns.push((item.column.clone(), column));
        }
        push_call(translator, self.at, procedure, arguments, columns)?;
        if let Some(paged) = &self.paged {
            translator.projection(paged)?;
        }
        if let Some(test) = self.yields.as_ref().and_then(|yields| yields.test.as_ref()) {
            translator.filter(test)?;
        }
        if let Some(returns) = &self.returns {
            translator.projection(returns)?;
        }
        Ok(())
    }

    /// The procedure that yields the columns, and its arguments.
    fn source(&self, translator: &mut Translator<'_>) -> Result<(&'static str, Vec<Expr>)> {
        let of = match &self.of {
            Some(of) => value_of(translator, of)?,
            None => Expr::Literal(Value::Null),
        };
        Ok(match &self.what {
            Shown::Indexes(kind) => {
                let kind = kind.map_or(Value::Null, |kind| Value::from(&*kind.to_string()));
                ("db.indexes", vec![Expr::Literal(kind)])
            }
            Shown::Constraints(words) => {
                let words = words.clone().map_or(Value::Null, Value::String);
                ("db.constraints", vec![Expr::Literal(words)])
            }
            Shown::Functions(built_in) => {
                let built_in = built_in.map_or(Value::Null, Value::Bool);
                ("dbms.functions", vec![Expr::Literal(built_in)])
            }
            Shown::Procedures => ("dbms.procedures", Vec::new()),
            Shown::Transactions => ("dbms.transactions", vec![of]),
            Shown::Databases => ("dbms.databases", vec![of]),
            Shown::DefaultDatabase | Shown::HomeDatabase => {
                ("dbms.databases", vec![text(DEFAULT_GRAPH)])
            }
            Shown::Users => ("dbms.users", Vec::new()),
            Shown::CurrentUser => ("dbms.currentUser", Vec::new()),
            Shown::Settings => ("dbms.settings", vec![of]),
        })
    }
}
