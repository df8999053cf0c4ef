//! The procedures that only a server has: its requests under way, which are the transactions of Cypher, its users
//! and its address.
//!
//! They hold no database, which holds them: a text is shown without its literals, whatever graph it asks.

use std::sync::Arc;
use std::time::SystemTime;

use millrace_db::Settings;
use millrace_db::procedures::{Arguments, Context, Procedure, Signature, ValueType, Yielded};
use millrace_model::temporal::{DateTime, Duration};
use millrace_model::{Column, Error, ErrorKind, Result, Value};

use crate::neo4j::DEFAULT_DATABASE;
use crate::neo4j::routing::{self, RoutingTable};
use crate::under_way::{Listed, UnderWay};
use crate::users::Users;

/// All of them.
pub(crate) fn procedures(
    under_way: &Arc<UnderWay>,
    users: Option<&Arc<Users>>,
    settings: &Settings,
) -> Vec<Arc<dyn Procedure>> {
    let names = users.map(|users| users.names()).unwrap_or_default();
    let graph = DefaultGraph(settings.cypher_graph().into());
    let routing = routing::PROCEDURES.map(|name| {
        let setting = settings.bolt.advertised_address.clone();
        Arc::new(RoutingTable { name, setting }) as Arc<dyn Procedure>
    });
    let mut all: Vec<Arc<dyn Procedure>> = vec![
        Arc::new(ListTransactions(Arc::clone(under_way), graph.clone())),
        Arc::new(ListUsers(names)),
        Arc::new(TerminateTransactions(Arc::clone(under_way), graph)),
    ];
    all.extend(routing);
    all
}

/// `dbms.transactions`.
struct ListTransactions(Arc<UnderWay>, DefaultGraph);

/// The columns of transactions beyond those that are filled in: null, for clients that ask for them.
const WITHOUT_VALUES: [(&str, ValueType); 25] = [
    ("outerTransactionId", ValueType::Text),
    ("metaData", ValueType::Map),
    ("parameters", ValueType::Map),
    ("planner", ValueType::Text),
    ("runtime", ValueType::Text),
    ("indexes", ValueType::List),
    ("requestUri", ValueType::Text),
    ("statusDetails", ValueType::Text),
    ("resourceInformation", ValueType::Map),
    ("activeLockCount", ValueType::Integer),
    ("currentQueryActiveLockCount", ValueType::Integer),
    ("cpuTime", ValueType::Any),
    ("waitTime", ValueType::Any),
    ("idleTime", ValueType::Any),
    ("currentQueryCpuTime", ValueType::Any),
    ("currentQueryWaitTime", ValueType::Any),
    ("currentQueryIdleTime", ValueType::Any),
    ("currentQueryAllocatedBytes", ValueType::Integer),
    ("allocatedDirectBytes", ValueType::Integer),
    ("estimatedUsedHeapMemory", ValueType::Integer),
    ("pageHits", ValueType::Integer),
    ("pageFaults", ValueType::Integer),
    ("currentQueryPageHits", ValueType::Integer),
    ("currentQueryPageFaults", ValueType::Integer),
    ("initializationStackTrace", ValueType::Text),
];

impl Procedure for ListTransactions {
    fn signature(&self) -> Signature {
        let description =
            "The requests under way, oldest first; those of some ids where they are given.";
        let signature = Signature::reading("dbms.transactions", description)
            .optional("ids", ValueType::Any)
            .yields("database", ValueType::Text)
            .yields("transactionId", ValueType::Text)
            .yields("currentQueryId", ValueType::Text)
            .yields("connectionId", ValueType::Text)
            .yields("clientAddress", ValueType::Text)
            .yields("username", ValueType::Text)
            .yields("currentQuery", ValueType::Text)
            .yields("startTime", ValueType::Text)
            .yields("status", ValueType::Text)
            .yields("elapsedTime", ValueType::Any)
            .yields("currentQueryStartTime", ValueType::Text)
            .yields("protocol", ValueType::Text)
            .yields("currentQueryStatus", ValueType::Text)
            .yields("currentQueryElapsedTime", ValueType::Any);
        WITHOUT_VALUES
            .iter()
            .fold(signature, |signature, (name, kind)| signature.yields(name, *kind))
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let listed = self.0.listed();
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let ids = Arguments { columns: arguments, row }.texts(0)?;
            let is_meant = |own: &&Listed| {
                ids.is_empty() || ids.iter().any(|id| **id == *self.1.transaction_id(own))
            };
            Ok(listed.iter().filter(is_meant).map(|own| transaction(own, &self.1)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

/// The name of the graph that clients know as the database `neo4j`.
#[derive(Clone)]
struct DefaultGraph(Arc<str>);

impl DefaultGraph {
    /// The database of a request.
    fn database<'l>(&self, listed: &'l Listed) -> Option<&'l str> {
        let graph = listed.graph.as_deref()?;
        Some(if *graph == *self.0 { DEFAULT_DATABASE } else { graph })
    }

    /// The id of a request among transactions.
    fn transaction_id(&self, listed: &Listed) -> String {
        let database = self.database(listed).unwrap_or("system");
        format!("{database}-transaction-{}", listed.number)
    }
}

fn transaction(own: &Listed, graph: &DefaultGraph) -> Vec<Value> {
    let text = |text: String| Value::from(text.as_str());
    let or_null = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let began = SystemTime::now().checked_sub(own.elapsed);
    let since = began.and_then(|began| began.duration_since(SystemTime::UNIX_EPOCH).ok());
    let began = since.unwrap_or_default();
    let began = DateTime {
        seconds: i64::try_from(began.as_secs()).unwrap_or(i64::MAX),
        nanos: began.subsec_nanos(),
        offset_seconds: 0,
    };
    let elapsed = Value::Duration(Arc::new(Duration {
        months: 0,
        days: 0,
        seconds: i64::try_from(own.elapsed.as_secs()).unwrap_or(i64::MAX),
        nanos: own.elapsed.subsec_nanos(),
    }));
    let status = match own.is_cancelled {
        true => "Terminated",
        false => "Running",
    };
    let mut values = vec![
        or_null(graph.database(own)),
        text(graph.transaction_id(own)),
        text(format!("query-{}", own.number)),
        own.socket.map_or(Value::Null, |socket| text(format!("{}-{socket}", own.kind))),
        text(own.client.to_string()),
        Value::Null,
        or_null(own.text.as_deref()),
        text(began.to_string()),
        Value::from(status),
        elapsed.clone(),
        text(began.to_string()),
        Value::from(own.kind),
        or_null(own.state),
        elapsed,
    ];
    values.extend(WITHOUT_VALUES.iter().map(|_| Value::Null));
    values
}

/// `dbms.terminateTransactions`.
struct TerminateTransactions(Arc<UnderWay>, DefaultGraph);

impl Procedure for TerminateTransactions {
    fn signature(&self) -> Signature {
        let description = "Cancels the requests of some ids, which `SHOW TRANSACTIONS` lists.";
        let signature = Signature::reading("dbms.terminateTransactions", description);
        // An effect, which happens though nothing of it is read.
        signature.argument("ids", ValueType::Any).writing()
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        for row in 0..len {
            for id in (Arguments { columns: arguments, row }).texts(0)? {
                let mut listed = self.0.listed().into_iter();
                let meant = listed.find(|own| *self.1.transaction_id(own) == *id);
                let Some(meant) = meant else {
                    let error =
                        Error::new(ErrorKind::NotFound, format!("Transaction not found: `{id}`"));
                    let error = error.with_name("TransactionNotFound");
                    return Err(error.with_help("`SHOW TRANSACTIONS` lists them"));
                };
                self.0.cancel(meant.number)?;
            }
        }
        Ok(Yielded::void(len))
    }
}

/// `dbms.users`.
struct ListUsers(Vec<String>);

impl Procedure for ListUsers {
    fn signature(&self) -> Signature {
        Signature::reading("dbms.users", "The users that may log in, by name.")
            .yields("user", ValueType::Text)
            .yields("roles", ValueType::List)
            .yields("passwordChangeRequired", ValueType::Boolean)
            .yields("suspended", ValueType::Boolean)
            .yields("home", ValueType::Text)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let width = self.signature().columns.len();
        let row = |name: &String| {
            let no = Value::Bool(false);
            vec![Value::from(name.as_str()), Value::Null, no.clone(), no, Value::Null]
        };
        Yielded::of_rows(width, (0..len).map(|_| Ok(self.0.iter().map(row).collect())))
    }
}
