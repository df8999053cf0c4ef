//! The columns of `SHOW`: those that are shown without a `YIELD`, and those that only a `YIELD` names.
//!
//! Names, types and order are those of Neo4j 5. What a command fills in is said where it runs; a column without a value
//! is null.

use crate::tree::Shown;
use crate::types::Kind;

/// A column of a `SHOW`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownColumn {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether it is shown without a `YIELD`.
    pub(crate) is_default: bool,
}

const STRINGS: Kind = Kind::List(&Kind::String);
const MAPS: Kind = Kind::List(&Kind::Map);

/// A column that is shown without a `YIELD`.
const fn shown(name: &'static str, kind: Kind) -> ShownColumn {
    ShownColumn { name, kind, is_default: true }
}

/// A column that only a `YIELD` names.
const fn named(name: &'static str, kind: Kind) -> ShownColumn {
    ShownColumn { name, kind, is_default: false }
}

impl Shown {
    /// The columns, in order.
    pub(crate) fn columns(&self) -> &'static [ShownColumn] {
        match self {
            Shown::Indexes(_) => INDEXES,
            Shown::Constraints(_) => CONSTRAINTS,
            Shown::Functions(_) => FUNCTIONS,
            Shown::Procedures => PROCEDURES,
            Shown::Transactions => TRANSACTIONS,
            Shown::Databases => DATABASES,
            Shown::DefaultDatabase | Shown::HomeDatabase => ONE_DATABASE,
            Shown::Users | Shown::CurrentUser => USERS,
            Shown::Settings => SETTINGS,
        }
    }
}

const INDEXES: &[ShownColumn] = &[
    shown("id", Kind::Integer),
    shown("name", Kind::String),
    shown("state", Kind::String),
    shown("populationPercent", Kind::Float),
    shown("type", Kind::String),
    shown("entityType", Kind::String),
    shown("labelsOrTypes", STRINGS),
    shown("properties", STRINGS),
    shown("indexProvider", Kind::String),
    shown("owningConstraint", Kind::String),
    shown("lastRead", Kind::DateTime),
    shown("readCount", Kind::Integer),
    named("trackedSince", Kind::DateTime),
    named("options", Kind::Map),
    named("failureMessage", Kind::String),
    named("createStatement", Kind::String),
    // Of this database alone.
    named("entries", Kind::Integer),
    named("bytes", Kind::Integer),
];

const CONSTRAINTS: &[ShownColumn] = &[
    shown("id", Kind::Integer),
    shown("name", Kind::String),
    shown("type", Kind::String),
    shown("entityType", Kind::String),
    shown("labelsOrTypes", STRINGS),
    shown("properties", STRINGS),
    shown("ownedIndex", Kind::String),
    shown("propertyType", Kind::String),
    named("options", Kind::Map),
    named("createStatement", Kind::String),
];

const FUNCTIONS: &[ShownColumn] = &[
    shown("name", Kind::String),
    shown("category", Kind::String),
    shown("description", Kind::String),
    named("signature", Kind::String),
    named("isBuiltIn", Kind::Boolean),
    named("argumentDescription", MAPS),
    named("returnDescription", Kind::String),
    named("aggregating", Kind::Boolean),
    named("rolesExecution", STRINGS),
    named("rolesBoostedExecution", STRINGS),
    named("isDeprecated", Kind::Boolean),
    named("deprecatedBy", Kind::String),
];

const PROCEDURES: &[ShownColumn] = &[
    shown("name", Kind::String),
    shown("description", Kind::String),
    shown("mode", Kind::String),
    shown("worksOnSystem", Kind::Boolean),
    named("signature", Kind::String),
    named("argumentDescription", MAPS),
    named("returnDescription", MAPS),
    named("admin", Kind::Boolean),
    named("rolesExecution", STRINGS),
    named("rolesBoostedExecution", STRINGS),
    named("isDeprecated", Kind::Boolean),
    named("deprecatedBy", Kind::String),
    named("option", Kind::Map),
];

const TRANSACTIONS: &[ShownColumn] = &[
    shown("database", Kind::String),
    shown("transactionId", Kind::String),
    shown("currentQueryId", Kind::String),
    named("outerTransactionId", Kind::String),
    shown("connectionId", Kind::String),
    shown("clientAddress", Kind::String),
    shown("username", Kind::String),
    named("metaData", Kind::Map),
    shown("currentQuery", Kind::String),
    named("parameters", Kind::Map),
    named("planner", Kind::String),
    named("runtime", Kind::String),
    named("indexes", MAPS),
    shown("startTime", Kind::String),
    named("currentQueryStartTime", Kind::String),
    named("protocol", Kind::String),
    named("requestUri", Kind::String),
    shown("status", Kind::String),
    named("currentQueryStatus", Kind::String),
    named("statusDetails", Kind::String),
    named("resourceInformation", Kind::Map),
    named("activeLockCount", Kind::Integer),
    named("currentQueryActiveLockCount", Kind::Integer),
    shown("elapsedTime", Kind::Duration),
    named("cpuTime", Kind::Duration),
    named("waitTime", Kind::Duration),
    named("idleTime", Kind::Duration),
    named("currentQueryElapsedTime", Kind::Duration),
    named("currentQueryCpuTime", Kind::Duration),
    named("currentQueryWaitTime", Kind::Duration),
    named("currentQueryIdleTime", Kind::Duration),
    named("currentQueryAllocatedBytes", Kind::Integer),
    named("allocatedDirectBytes", Kind::Integer),
    named("estimatedUsedHeapMemory", Kind::Integer),
    named("pageHits", Kind::Integer),
    named("pageFaults", Kind::Integer),
    named("currentQueryPageHits", Kind::Integer),
    named("currentQueryPageFaults", Kind::Integer),
    named("initializationStackTrace", Kind::String),
];

const DATABASES: &[ShownColumn] = &[
    shown("name", Kind::String),
    shown("type", Kind::String),
    shown("aliases", STRINGS),
    shown("access", Kind::String),
    named("databaseID", Kind::String),
    named("serverID", Kind::String),
    shown("address", Kind::String),
    shown("role", Kind::String),
    shown("writer", Kind::Boolean),
    shown("requestedStatus", Kind::String),
    shown("currentStatus", Kind::String),
    shown("statusMessage", Kind::String),
    shown("default", Kind::Boolean),
    shown("home", Kind::Boolean),
    named("currentPrimariesCount", Kind::Integer),
    named("currentSecondariesCount", Kind::Integer),
    named("requestedPrimariesCount", Kind::Integer),
    named("requestedSecondariesCount", Kind::Integer),
    named("creationTime", Kind::DateTime),
    named("lastStartTime", Kind::DateTime),
    named("lastStopTime", Kind::DateTime),
    named("store", Kind::String),
    named("lastCommittedTxn", Kind::Integer),
    named("replicationLag", Kind::Integer),
    shown("constituents", STRINGS),
    named("options", Kind::Map),
];

/// Those of one database that the command names by its role.
const ONE_DATABASE: &[ShownColumn] = &[
    shown("name", Kind::String),
    shown("type", Kind::String),
    shown("aliases", STRINGS),
    shown("access", Kind::String),
    named("databaseID", Kind::String),
    named("serverID", Kind::String),
    shown("address", Kind::String),
    shown("role", Kind::String),
    shown("writer", Kind::Boolean),
    shown("requestedStatus", Kind::String),
    shown("currentStatus", Kind::String),
    shown("statusMessage", Kind::String),
    named("currentPrimariesCount", Kind::Integer),
    named("currentSecondariesCount", Kind::Integer),
    named("requestedPrimariesCount", Kind::Integer),
    named("requestedSecondariesCount", Kind::Integer),
    named("creationTime", Kind::DateTime),
    named("lastStartTime", Kind::DateTime),
    named("lastStopTime", Kind::DateTime),
    named("store", Kind::String),
    named("lastCommittedTxn", Kind::Integer),
    named("replicationLag", Kind::Integer),
    shown("constituents", STRINGS),
    named("options", Kind::Map),
];

const USERS: &[ShownColumn] = &[
    shown("user", Kind::String),
    shown("roles", STRINGS),
    shown("passwordChangeRequired", Kind::Boolean),
    shown("suspended", Kind::Boolean),
    shown("home", Kind::String),
];

const SETTINGS: &[ShownColumn] = &[
    shown("name", Kind::String),
    shown("value", Kind::String),
    shown("isDynamic", Kind::Boolean),
    shown("defaultValue", Kind::String),
    shown("description", Kind::String),
    named("startupValue", Kind::String),
    named("isExplicitlySet", Kind::Boolean),
    named("validValues", Kind::String),
    named("isDeprecated", Kind::Boolean),
];
