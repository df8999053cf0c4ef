//! Settings: one table of names, kinds, defaults and words, and the struct they fill.
//!
//! A program that embeds a database fills [`Settings`] by hand. The program `millrace` reads them in
//! layers, each over the one before: defaults, file, environment, flags ([`resolve`]). An unknown name
//! is an error in every layer, never passed over.
//!
//! A setting is a value here: what follows from it belongs to the modules above.

mod contradictions;
mod declared_index;
mod graph_names;
mod layers;
mod listeners;
pub mod measures;
mod page;
mod table;

pub use contradictions::contradictions;
pub use declared_index::{DeclaredIndex, IndexForm};
pub use graph_names::{COMMAND_DATABASE, CYPHER_DATABASE, DEFAULT_GRAPH};
pub use layers::{Layer, Origin, Resolved, of_environment, of_flag, resolve};
pub use listeners::{ListenerRow, is_off};
pub use millrace_plan::nearest;
pub use page::reference_page;
pub use table::{Kind, SETTINGS, Setting, measure_words, read_measure};

use std::collections::BTreeMap;

use millrace_model::{Error, ErrorKind, Result};
use millrace_store_embedded::{Durability, GroupCommitOptions, LogOptions, Options};

use crate::limits;

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where clients connect.
    pub listen: ListenSettings,
    /// Connections, and how long a client may take.
    pub connections: ConnectionSettings,
    /// Bounds of HTTP.
    pub http: HttpSettings,
    /// Scripts and their interpreters.
    pub scripts: ScriptSettings,
    /// Gremlin and its sessions.
    pub gremlin: GremlinSettings,
    /// Bolt and its transactions.
    pub bolt: BoltSettings,
    /// Cypher.
    pub cypher: CypherSettings,
    /// DQL and its clients.
    pub dql: DqlSettings,
    /// Bounds of queries.
    pub query: QuerySettings,
    /// The guarantees of the data folder.
    pub data: DataSettings,
    /// How ids are leased.
    pub ids: IdSettings,
    /// The bounds of the commit log, and format and level of the program's log.
    pub log: LogSettings,
    /// Bounds of memory.
    pub memory: MemorySettings,
    /// The users that may connect.
    pub users: UserSettings,
    /// Graphs that there are from the start, each with a file that fills it while it is empty; an empty
    /// name: none does.
    pub graphs: Vec<(String, String)>,
    /// Graphs with the isolation of their transactions: `snapshot` or `serializable`. They are made from
    /// the start, too.
    pub isolations: Vec<(String, String)>,
    /// Graphs with the indexes that are made at the start where they are not there, with semicolons between them. The
    /// graphs are made, too.
    pub indexes: Vec<(String, String)>,
    /// Queues whose messages are applied: `queue.NAME.KEY` and value, as the crate of queues reads them.
    pub queues: Vec<(String, String)>,
}

/// Where clients connect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListenSettings {
    /// Address and port by the name of a listener; one without an entry has its own default.
    pub addresses: BTreeMap<String, String>,
    /// Whether an address that other machines reach is accepted.
    pub allow_open: bool,
    /// Origins of web pages that may ask, with commas between them.
    pub origins: String,
    /// Host names of this server that web pages may use, with commas between them.
    pub hosts: String,
}

impl ListenSettings {
    /// Sets address and port of a listener; empty or `off`: it does not listen.
    pub fn set(&mut self, listener: &str, address: &str) {
        self.addresses.insert(listener.to_owned(), address.to_owned());
    }

    /// Address and port of a listener, if they are set.
    pub fn address(&self, listener: &str) -> Option<&str> {
        self.addresses.get(listener).map(String::as_str)
    }
}

/// Connections, and how long a client may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// Bytes of the bodies and messages that all connections hold; 0: a share of the machine's memory.
    pub bodies_bytes_max: u64,
    /// Bytes per second that a body or a message has to bring at least.
    pub body_rate_min: u64,
    /// How long the rate is measured before a connection is closed.
    pub body_window_ms: u64,
    /// Milliseconds that a client may take to answer the close frame of a WebSocket.
    pub closing_ms: u64,
    /// How long a client may take for the head of a request.
    pub head_ms: u64,
    /// How long a connection may be idle between requests of HTTP, or leave sent bytes unread.
    pub idle_ms: u64,
    /// How long a WebSocket may be open before its client has logged in.
    pub login_ms: u64,
    /// Connections at once, on all ports.
    pub max: u64,
    /// How long a WebSocket may be idle.
    pub socket_idle_ms: u64,
}

/// Bounds of HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSettings {
    /// Bytes of a request's body, files to load aside.
    pub body_bytes_max: u64,
    /// Bytes of a file to load.
    pub load_bytes_max: u64,
    /// Deadline of a load, and of a backup.
    pub load_deadline_ms: u64,
    /// Requests under way.
    pub requests_max: u64,
    /// How long a stopping server waits for requests under way.
    pub drain_ms: u64,
}

/// Scripts and their interpreters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSettings {
    /// Deadline of `/rw` and `/ro`, and of the routes that are no scripts.
    pub deadline_ms: u64,
    /// Deadline of `/db`.
    pub admin_deadline_ms: u64,
    /// Bytes an interpreter may hold.
    pub interpreter_bytes_max: u64,
    /// Bytes of a script's answer.
    pub answer_bytes_max: u64,
    /// The folder of the files that scripts may read; empty: none.
    pub csv_folder: String,
    /// Interpreters of one graph.
    pub interpreters_max: u64,
    /// Scripts of one graph that wait for an interpreter.
    pub queue_max: u64,
}

/// Gremlin and its sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GremlinSettings {
    /// The graph behind `g`.
    pub graph: String,
    /// Deadline of a request that asks for none.
    pub deadline_ms: u64,
    /// Bytes of a message.
    pub message_bytes_max: u64,
    /// How long a session may do nothing.
    pub session_idle_ms: u64,
    /// Results of one frame, where the request does not say.
    pub batch_size: u64,
}

/// Bolt and its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoltSettings {
    /// What the server calls itself.
    pub server_agent: String,
    /// The address that clients are sent to; empty: the one that they used.
    pub advertised_address: String,
    /// How long a connection may do nothing.
    pub idle_ms: u64,
    /// Bytes of a message.
    pub message_bytes_max: u64,
    /// How long a transaction or a result may wait for its client.
    pub transaction_idle_ms: u64,
}

/// Cypher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CypherSettings {
    /// The graph behind the database `neo4j`; empty: that of Gremlin.
    pub graph: String,
    /// Deadline of a query that asks for none.
    pub deadline_ms: u64,
}

/// DQL and its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DqlSettings {
    /// The graph of DQL.
    pub graph: String,
    /// Deadline of a request that asks for none.
    pub deadline_ms: u64,
    /// How long an open transaction may wait for its client.
    pub transaction_idle_ms: u64,
    /// Bytes of a message of gRPC.
    pub message_bytes_max: u64,
    /// How long a login is good for.
    pub access_token_ms: u64,
    /// How long a login may be renewed without the password.
    pub refresh_token_ms: u64,
}

/// Bounds of queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuerySettings {
    /// Bytes a query may hold.
    pub bytes_max: u64,
    /// The longest deadline that a request may ask for, in milliseconds.
    pub deadline_max: u64,
}

/// The guarantees of the data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSettings {
    /// `sync` or `async`; `as-made` keeps the folder's own.
    pub durability: String,
    /// Bytes of changes in memory that start a checkpoint.
    pub checkpoint_bytes: u64,
    /// Bytes of changes in memory at which writers wait for a checkpoint.
    pub changes_bytes_max: u64,
}

/// How ids are leased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdSettings {
    /// Vertex ids leased at once.
    pub block_size: u64,
    /// How much of a block is left, in percent, when the next is fetched.
    pub renew_percentage: u64,
}

/// The bounds of the commit log, and format and level of the program's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// `text` or `json`.
    pub format: String,
    /// The least severe events that are logged: `error`, `warn`, `info` or `debug`.
    pub level: String,
    /// From how many milliseconds on a query is logged; `None`: none is.
    pub slow_ms: Option<u64>,
    /// Bytes since the last checkpoint that start the next.
    pub checkpoint_bytes: u64,
    /// Bytes at which writers wait for a checkpoint.
    pub bytes_max: u64,
    /// Microseconds that a sync waits for more commits.
    pub group_commit_delay_us: u64,
    /// How many other commits have to wait for the sync already.
    pub group_commit_siblings: u64,
}

/// Bounds of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySettings {
    /// Bytes that all requests may hold together; 0: a share of the machine's memory.
    pub max: u64,
    /// Bytes of segments kept in memory beyond those that readers hold.
    pub segments_bytes: u64,
}

/// The users that may connect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserSettings {
    /// A file of names and passwords; empty: any client may connect.
    pub file: String,
}

impl Default for Settings {
    fn default() -> Settings {
        let store = Options::default();
        Settings {
            listen: ListenSettings::default(),
            connections: ConnectionSettings {
                bodies_bytes_max: 0,
                body_rate_min: 1_024,
                body_window_ms: 20_000,
                closing_ms: 5_000,
                head_ms: 20_000,
                idle_ms: 120_000,
                login_ms: 30_000,
                max: 4_096,
                socket_idle_ms: 1_200_000,
            },
            http: HttpSettings {
                body_bytes_max: 16 << 20,
                load_bytes_max: 16 << 30,
                load_deadline_ms: 3_600_000,
                requests_max: 1_024,
                drain_ms: 10_000,
            },
            scripts: ScriptSettings {
                deadline_ms: 30_000,
                admin_deadline_ms: 600_000,
                interpreter_bytes_max: 1 << 30,
                answer_bytes_max: 1 << 30,
                csv_folder: String::new(),
                interpreters_max: limits::INTERPRETERS_MAX_DEFAULT,
                queue_max: 1_024,
            },
            gremlin: GremlinSettings {
                graph: "graph".to_owned(),
                deadline_ms: 30_000,
                message_bytes_max: 10 << 20,
                session_idle_ms: 600_000,
                batch_size: 64,
            },
            bolt: BoltSettings {
                server_agent: "Neo4j/5.26.0".to_owned(),
                advertised_address: String::new(),
                idle_ms: 7_200_000,
                message_bytes_max: 64 << 20,
                transaction_idle_ms: 600_000,
            },
            cypher: CypherSettings { graph: String::new(), deadline_ms: 600_000 },
            dql: DqlSettings {
                graph: "dql".to_owned(),
                deadline_ms: 600_000,
                transaction_idle_ms: 300_000,
                message_bytes_max: 64 << 20,
                access_token_ms: 6 * 3_600_000,
                refresh_token_ms: 30 * 24 * 3_600_000,
            },
            query: QuerySettings { bytes_max: 4 << 30, deadline_max: 600_000 },
            data: DataSettings {
                durability: AS_MADE.to_owned(),
                checkpoint_bytes: store.checkpoint_delta_bytes,
                changes_bytes_max: store.delta_bytes_max,
            },
            ids: IdSettings {
                block_size: store.id_block_size,
                renew_percentage: store.id_renew_percent,
            },
            log: LogSettings {
                format: "text".to_owned(),
                level: "info".to_owned(),
                slow_ms: None,
                checkpoint_bytes: store.checkpoint_log_bytes,
                bytes_max: store.log_bytes_max,
                group_commit_delay_us: store.group_commit.delay_us,
                group_commit_siblings: store.group_commit.siblings,
            },
            memory: MemorySettings { max: 0, segments_bytes: store.segment_bytes_max },
            users: UserSettings::default(),
            graphs: Vec::new(),
            isolations: Vec::new(),
            indexes: Vec::new(),
            queues: Vec::new(),
        }
    }
}

impl Settings {
    /// Milliseconds that a query in a language may take unless it asks for another deadline: the setting
    /// `LANGUAGE.deadline-ms`, or `scripts.admin-deadline-ms` where a language has none. Grammars of one language
    /// share it: `gremlin-lang` has that of `gremlin`.
    pub fn deadline_ms_of(&self, language: &str) -> u64 {
        let family = language.split('-').next().unwrap_or_default();
        let own = Setting::find(&format!("{family}.deadline-ms"));
        let own = own.and_then(|setting| setting.show(self).parse().ok());
        own.unwrap_or(self.scripts.admin_deadline_ms)
    }
}

/// The durability of a folder as it was made; a new one is `sync`.
pub(crate) const AS_MADE: &str = "as-made";

/// The indexes of a graph in settings.
pub(crate) fn indexes_of(graph: &str, list: &str) -> Result<Vec<DeclaredIndex>> {
    let named = |mut error: Error| {
        error.detail = format!("graphs.{graph}.indexes: {}", error.detail);
        error
    };
    let texts = list.split(';').map(str::trim).filter(|text| !text.is_empty());
    texts.map(|text| text.parse().map_err(named)).collect()
}

/// Whether the word for a graph's isolation demands that its transactions are serializable.
pub(crate) fn is_serializable(graph: &str, word: &str) -> Result<bool> {
    match word {
        "serializable" => Ok(true),
        "snapshot" => Ok(false),
        other => {
            let detail = format!("graphs.{graph}.isolation is `{other}`");
            Err(Error::new(ErrorKind::BadInput, detail).with_help("set snapshot or serializable"))
        }
    }
}

impl Settings {
    /// What is wrong with settings by themselves, wherever they are from.
    pub fn faults(&self) -> Vec<Error> {
        let isolations = self.isolations.iter();
        let isolations = isolations.map(|(graph, word)| is_serializable(graph, word).map(drop));
        let indexes = self.indexes.iter().map(|(graph, list)| indexes_of(graph, list).map(drop));
        let options = self.store_options().map_or_else(|wrong| vec![wrong], |own| own.faults());
        let names = self.check_graph_names();
        isolations.chain(indexes).chain([names]).filter_map(Result::err).chain(options).collect()
    }

    /// The options of the embedded store.
    pub(crate) fn store_options(&self) -> Result<Options> {
        let words = [Durability::Sync, Durability::Async];
        let durability = match self.data.durability.as_str() {
            AS_MADE => None,
            word => {
                Some(words.into_iter().find(|known| known.word() == word).ok_or_else(|| {
                    let detail = format!("data.durability is `{word}`");
                    Error::new(ErrorKind::BadInput, detail).with_help("set sync, async or as-made")
                })?)
            }
        };
        let log = LogOptions::within(self.log.bytes_max);
        Ok(Options {
            durability,
            log,
            out_of_line_bytes_min: log.out_of_line_bytes_min(),
            id_block_size: self.ids.block_size,
            id_renew_percent: self.ids.renew_percentage,
            checkpoint_log_bytes: self.log.checkpoint_bytes,
            log_bytes_max: self.log.bytes_max,
            checkpoint_delta_bytes: self.data.checkpoint_bytes,
            delta_bytes_max: self.data.changes_bytes_max,
            segment_bytes_max: self.memory.segments_bytes,
            group_commit: GroupCommitOptions {
                delay_us: self.log.group_commit_delay_us,
                siblings: self.log.group_commit_siblings,
            },
            ..Options::default()
        })
    }
}
