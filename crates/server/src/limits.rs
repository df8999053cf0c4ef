//! The named bounds of this crate. Bounds that a user may change are settings.
//!
//! Numbers only.

use std::time::Duration;

/// Threads that serve sockets and answer small requests, at least; as many as processors where there are more.
pub const SOCKET_THREADS_MIN: usize = 2;

/// Requests of one connection that are answered inline before its answers are sent and other connections have
/// their turn.
pub const INLINE_IN_A_ROW_MAX: u32 = 8;

/// Threads that run requests, at most, without the threads of long requests.
pub const WORKERS_MAX: usize = 64;

/// Threads of long requests, at most. A connection has a quarter of all threads, an address three
/// quarters.
pub const LONG_WORKERS_MAX: usize = 448;

/// How long a request runs before it counts as long.
pub const LONG_REQUEST: Duration = Duration::from_millis(100);

/// How long no worker takes a waiting request before one more is put to work.
pub const PATIENCE: Duration = Duration::from_millis(10);

/// How long a worker beyond the number of processors waits for work before it ends.
pub const WORKER_IDLE_MAX: Duration = Duration::from_secs(10);

/// How long a worker that has worked waits for more before a fresh thread takes its place: when a
/// thread ends, the allocator gives back the memory that it kept for it.
pub const WORKER_REPLACED_AFTER: Duration = Duration::from_secs(2);

/// Bytes of stack of a thread that runs requests: plans may be nested as deep as they may.
pub const WORKER_STACK_BYTES: usize = 8 << 20;

/// Pieces of a file on their way from a socket to a load.
pub const LOAD_PIECES_AHEAD_MAX: usize = 16;

/// Bytes of a schema of DQL that comes with a load.
pub const SCHEMA_BYTES_MAX: u64 = 16 << 20;

/// Pieces of a backup or an export on their way to a socket.
pub const STREAM_PIECES_AHEAD_MAX: usize = 4;

/// How much of them is a piece, at least.
pub const STREAM_PIECE_BYTES: usize = 256 << 10;

/// How often a query is looked at while its client does not read: it may have been cancelled meanwhile.
pub const SENDING_TICK: Duration = Duration::from_millis(100);

/// Chunks of the answer to a query on their way to a socket.
pub const CHUNKS_QUEUED_MAX: usize = 4;

/// How large a chunk is, beside its last row.
pub const CHUNK_BYTES: usize = 64 << 10;

/// Rows of one line of an answer.
pub const CHUNK_ROWS: usize = 1_024;

/// How long cancelled requests have to end before the server stops without them.
pub const CANCEL_GRACE: Duration = Duration::from_secs(5);

/// Frames of a connection that leave before their request has ended and that its socket has not taken.
pub const FRAMES_AHEAD_MAX: usize = 16;

/// Bytes of answers that wait for a socket, beyond which its connection is not read. Requests under way may
/// add to them.
pub const ANSWER_BYTES_AHEAD_MAX: usize = 16 << 20;

/// Bytes of a body that is too long that are read and discarded, so that its sender reads the error.
pub const DISCARDED_BYTES_MAX: usize = 256 << 20;

/// How long an answer waits for the unread rest of a body; after that the connection ends with the answer.
pub const LEFT_BODY_MAX: Duration = Duration::from_secs(1);

/// How many such bytes are read in a second, of all bodies together.
pub const DISCARDED_BYTES_PER_SECOND: f64 = (16 << 20) as f64;

/// Bytes of them that are read in a burst after a pause, so that a single client does not wait.
pub const DISCARDED_BYTES_AT_ONCE: f64 = (32 << 20) as f64;

/// Sessions of a connection.
pub const SESSIONS_MAX: usize = 1_024;

/// Bounds of the latency histogram, in seconds.
pub const LATENCY_BOUNDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// The longest interval between two checks of a connection's time limits.
pub const TICK_MAX: Duration = Duration::from_secs(1);

/// How long a stopping server waits for the rest of a head that has begun to arrive.
pub const STOPPING_HEAD_MAX: Duration = Duration::from_millis(250);

/// Bytes that HTTP buffers from a connection before they are consumed, and so the bound of a request's head.
pub const HTTP_BUFFER_BYTES: usize = 128 << 10;

/// Bytes that a WebSocket reads from its connection at once.
pub const SOCKET_READ_BYTES: usize = 16 << 10;

/// Bytes of a message of a WebSocket before its client has logged in, where it has to.
pub const LOGIN_MESSAGE_BYTES_MAX: usize = 64 << 10;

/// Bytes by which a body takes more of the budget, at least.
pub const BODY_STEP_BYTES: usize = 64 << 10;

/// Bytes up to which a body counts for nothing in the bound of all bodies: that of most requests. With the
/// bound of connections it is one of its own.
pub const SMALL_BODY_BYTES: u64 = 64 << 10;

/// Bytes that a small request counts in the memory budget: 131,428 were measured of writes, reads and sorts of a few rows.
pub const SMALL_REQUEST_BYTES: u64 = 192 << 10;

/// Bytes that the budget needs for a Lua interpreter to start: with 512 KiB it fails, with 1 MiB it runs scripts.
pub const INTERPRETER_BYTES_MIN: u64 = 1 << 20;

/// File descriptors that are reserved for the store, at least.
pub const DESCRIPTORS_RESERVED_MIN: u64 = 64;

/// The part of all file descriptors that is reserved for the store: one in so many.
pub const DESCRIPTORS_RESERVED_SHARE: u64 = 8;

/// Refused connections that are sent a reason at the same time; further ones are closed without one.
pub const REFUSALS_MAX: usize = 16;

/// How long a refused connection has to read the reason.
pub const REFUSAL_MAX: Duration = Duration::from_secs(1);

/// How long the server waits after a connection could not be accepted.
pub const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Memory in KiB that a hash of a password may take.
pub const HASH_MEMORY_KIB_MAX: u32 = 256 << 10;

/// Passes over that memory, at most.
pub const HASH_PASSES_MAX: u32 = 16;

/// Lanes of a hash, at most.
pub const HASH_LANES_MAX: u32 = 16;

/// Hashes of passwords that are computed at once.
pub const HASHES_MAX: usize = 2;

/// Logins that wait for theirs; one more is refused.
pub const HASHES_WAITING_MAX: usize = 64;

/// Bytes of a password.
pub const PASSWORD_BYTES_MAX: usize = 1_024;

/// Bytes of a user's name.
pub const USER_NAME_BYTES_MAX: usize = 128;

/// Failed logins of an address or a user before the next one has to wait.
pub const LOGIN_FAILURES_FREE: u32 = 5;

/// How long it waits at first; each further failure doubles it.
pub const LOGIN_DELAY_FIRST: Duration = Duration::from_secs(1);

/// How long a login waits at most.
pub const LOGIN_DELAY_MAX: Duration = Duration::from_secs(60);

/// The time without a failure after which earlier failures do not count any more.
pub const LOGIN_FAILURE_MEMORY: Duration = Duration::from_secs(15 * 60);

/// Entries of the table of failed and successful logins: addresses, users and pairs of them.
pub const LOGIN_ENTRIES_MAX: usize = 4_096;

/// How often refused logins are written to the log, at most.
pub const LOGIN_LINE_EVERY: Duration = Duration::from_secs(1);

/// Bytes of a message of Bolt whose query is tried on the thread of its connection, at most: the values of a longer one
/// are too many.
pub const BOLT_INLINE_BYTES_MAX: usize = 16 << 10;

/// Bytes that Bolt reads from its connection at once.
pub const BOLT_READ_BYTES: usize = 16 << 10;

/// Messages of a connection of Bolt that wait for the ones before them; with more, it is not read.
pub const BOLT_MESSAGES_WAITING_MAX: usize = 1_024;

/// Bytes of such messages, beside the last one.
pub const BOLT_BYTES_WAITING_MAX: usize = 1 << 20;

/// Open transactions of Neo4j's HTTP interface: each holds memory until it ends or its idle time is over.
pub const HTTP_TRANSACTIONS_MAX: usize = 4_096;

/// Bytes of a packed body that are unpacked at once.
pub const UNPACKED_PIECE_BYTES: usize = 32 << 10;

/// Bytes of a packed body that the thread of its connection unpacks itself, at most: they become a thousand times as many.
pub const PACKED_INLINE_BYTES_MAX: usize = 1 << 10;

/// Bytes of an answer below which it is not packed: it would not become smaller by much.
pub const PACKED_ANSWER_BYTES_MIN: usize = 1 << 10;

/// Bytes of an answer that the thread of its connection packs itself, at most.
pub const PACKED_ANSWER_INLINE_BYTES_MAX: usize = 64 << 10;

/// Bytes of a mutation that is read and tried on the thread of its connection, at most.
pub const MUTATION_INLINE_BYTES_MAX: usize = 16 << 10;

/// Open transactions of Dgraph's clients: each holds memory until it ends or its idle time is over.
pub const DQL_TRANSACTIONS_MAX: usize = 4_096;

/// Transactions of Dgraph's clients that have only read so far, and whose snapshots are kept; older ones are aborted.
pub const DQL_READS_MAX: usize = 64 << 10;

/// Bytes that one of them counts in the memory budget: its number, the name of its user, and the parts of a snapshot that no
/// other has.
pub const DQL_READ_BYTES: u64 = 1 << 10;

/// How many of them are counted at once; the last that are fewer are not.
pub const DQL_READS_COUNTED_TOGETHER: usize = 1_024;

/// How long such a snapshot is kept once it is no longer the newest: it keeps versions from being freed.
pub const DQL_STALE_READ_MAX: Duration = Duration::from_secs(30);

/// How often open transactions of Dgraph's clients are looked through for those whose time is up.
pub const DQL_SWEEP: Duration = Duration::from_millis(250);

/// Numbers of transactions that are taken at once. A restart loses the rest.
pub const DQL_NUMBERS_LEASED: u64 = 1 << 32;

/// Keys that a transaction wrote, and predicates, that its client carries; of more, the others are not named.
pub const DQL_KEYS_MAX: usize = 4_096;

/// Ids of nodes up to which a predicate is dropped in one transaction; of more, its data goes in several before.
pub const REMOVED_TOGETHER_MAX: u64 = 100_000;

/// Predicates of `/state`, and of those that `/health` says are being indexed.
pub const DQL_STATE_PREDICATES_MAX: usize = 10_000;

/// Requests under way on one connection of HTTP/2.
pub const STREAMS_MAX: u32 = 1_000;

/// Bytes of a request that a client of HTTP/2 sends ahead.
pub const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// The same of all requests of a connection.
pub const STREAMS_WINDOW_BYTES: u32 = 4 << 20;
