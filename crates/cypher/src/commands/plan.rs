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
    self, Command, CreateConstraint, CreateIndex, Drop, ExprKind, IndexKind, On, Requirement,
    SchemaName, Show, Shown,
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
    on: &On,
    keys: &[tree::Name],
) -> Vec<Expr> {
    let name = name.map_or(Expr::Literal(Value::Null), |name| name.expr(translator));
    let (element, owner) = match on {
        On::Node(label) => ("node", label),
        On::Relationship(edge_type) => ("relationship", edge_type),
    };
    let owner = Expr::Literal(Value::String(owner.clone()));
    let keys = keys.iter().cloned().map(Value::String).collect();
    let keys = Expr::Literal(Value::list(keys));
    vec![name, Expr::literal(if_not_exists), text(kind), text(element), owner, keys]
}

impl CreateIndex {
    fn translate(&self, translator: &mut Translator<'_>, procedure: &str) -> Result<()> {
        let refuse_for = |what: &str, help: &str| Err(unsupported(self.at, what, help));
        let refuse = |what: &str| {
            refuse_for(what, "use a range index: `CREATE INDEX name FOR (n:Label) ON (n.key)`")
        };
        let kind = match self.kind {
            IndexKind::Range => "range",
            IndexKind::Text if self.keys.len() != 1 => {
                return refuse("a text index of several keys");
            }
            IndexKind::Text => "text",
            // Labels and types lead to their elements in each graph: the procedure says so.
            IndexKind::Lookup => {
                let name = (self.name.as_ref(), self.if_not_exists);
                let all = tree::Name::from("");
                let on = match self.is_relationship {
                    true => On::Relationship(all),
                    false => On::Node(all),
                };
                let arguments = arguments(translator, name, "lookup", &on, &[]);
                return call(translator, self.at, procedure, arguments);
            }
            IndexKind::Point => {
                let help = "write `WHERE point.distance(n.key, $point) < 1000`; a range index finds equal points";
                return refuse_for("a point index", help);
            }
            IndexKind::Fulltext => {
                let help = "write `WHERE n.key CONTAINS $word`, which reads the nodes of the label";
                return refuse_for("a full-text index", help);
            }
            IndexKind::Vector => "vector",
        };
        let [on] = self.on.as_slice() else { return refuse("an index of several labels") };
        let name = (self.name.as_ref(), self.if_not_exists);
        let mut arguments = arguments(translator, name, kind, on, &self.keys);
        match &self.options {
            Some(options) if self.kind == IndexKind::Vector => {
                arguments.push(value_of(translator, options)?);
            }
            options => check_options(options.as_ref())?,
        }
        call(translator, self.at, procedure, arguments)
    }
}

impl CreateConstraint {
    fn translate(&self, translator: &mut Translator<'_>, procedure: &str) -> Result<()> {
        check_options(self.options.as_ref())?;
        let kind = match &self.requires {
            Requirement::Unique => "unique".to_owned(),
            Requirement::Key => "key".to_owned(),
            Requirement::Exists => "exists".to_owned(),
            Requirement::Type(wanted) => format!("type {}", type_word(self.at, wanted)?),
        };
        let name = (self.name.as_ref(), self.if_not_exists);
        let arguments = arguments(translator, name, &kind, &self.on, &self.keys);
        call(translator, self.at, procedure, arguments)
    }
}

/// Options name the provider of an index, of which there is one; those of other indexes are refused.
fn check_options(options: Option<&tree::Expr>) -> Result<()> {
    let Some(options) = options else { return Ok(()) };
    let is_empty = |value: &tree::Expr| match &value.kind {
        ExprKind::Map(pairs) => pairs.is_empty(),
        _ => false,
    };
    let is_known = |(name, value): &(tree::Name, tree::Expr)| match &**name {
        "indexProvider" => true,
        "indexConfig" => is_empty(value),
        _ => false,
    };
    if let ExprKind::Map(pairs) = &options.kind
        && pairs.iter().all(is_known)
    {
        return Ok(());
    }
    Err(unsupported(options.at, "`OPTIONS` of an index beyond its provider", "leave them out"))
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
