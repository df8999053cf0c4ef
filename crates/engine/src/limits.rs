//! The named bounds of this crate.
//!
//! Rows are rows of a batch, of any weight.

use std::time::Duration;

/// Rows of the first batch of a pull: a query that wants little reads little.
pub const BATCH_ROWS_MIN: usize = 64;

/// Rows a batch grows to, by doubling.
pub const BATCH_ROWS_MAX: usize = 2_048;

/// The most rows of a frontier that go through a round together where a pull may stop in its middle.
pub const ROUND_PIECE_ROWS_MAX: usize = 64;

/// The same where a piece goes through all rounds and each of many scopes may want few of its rows.
pub const ROUND_PIECE_ROWS_OF_SCOPES_MAX: usize = 8;

/// Rows a batch grows to on its way to a consumer that collects all of them.
pub const COLLECTED_ROWS_MAX: usize = 1 << 15;

/// Rows of the frontier that a fused hop expands in one call to the store.
pub const FRONTIER_ROWS_MAX: usize = 1 << 16;

/// Ways with edges that are collected together, where these have prices, tests or alternatives.
pub const PATH_PIECE_WAYS_MAX: usize = 1 << 12;

/// Rows of a frontier from which its expansion is shared among threads: below, waking them costs
/// more than it gives.
pub const PARALLEL_ROWS_MIN: usize = 1 << 13;

/// Rows that a `TopK` wants at most where threads share the scan in front of it.
pub const PARALLEL_TOP_K_MAX: u64 = 1 << 11;

/// Elements of a scan from which threads share it.
pub const PARALLEL_SCAN_MIN: u64 = 1 << 15;

/// The same where hops follow in a graph that has as many edges.
pub const PARALLEL_HOPS_MIN: u64 = 1 << 8;

/// The least vertices of a piece then.
pub const PIECE_HOPS_MIN: u64 = 1 << 5;

/// The least elements of a piece of a shared scan.
pub const PIECE_ELEMENTS_MIN: u64 = 1 << 13;
/// The most.
pub const PIECE_ELEMENTS_MAX: u64 = 1 << 17;

/// Pieces of a shared scan for each thread, in a small one, and of those that are under way together.
pub const PIECES_A_THREAD: usize = 4;

/// Rows from which they are sorted by threads.
pub const PARALLEL_SORT_ROWS_MIN: usize = 1 << 14;

/// An accumulator turns dense after more additions than the id range divided by this.
pub const DENSE_FRACTION: u64 = 16;

/// An accumulator is dense at once if the id range is at most this: the array fits a core's cache
/// and is kept between runs.
pub const DENSE_AT_ONCE_BOUND: u64 = 1 << 12;

/// The largest id range an accumulator makes an array over (8 bytes each).
pub const DENSE_BOUND_MAX: u64 = 1 << 30;

/// A scan reads an index instead where the index finds at most one in so many of the elements that it
/// would list: beyond, looking each up costs more than walking all.
pub const INDEX_PATH_SHARE: u64 = 8;

/// Elements that an index is asked for at first where rows are wanted in its order.
pub const ORDERED_IDS_MIN: usize = 16;

/// How long a text may sample the degrees of its labels before its plan is made.
pub const SAMPLING_TIME_MAX: Duration = Duration::from_millis(5);

/// Pairs of a label and an edge type that one text samples.
pub const PAIRS_OF_TEXT_MAX: usize = 4_096;

/// Pairs of a label and an edge type, of those that texts mention, whose sampled degrees a graph keeps.
pub const SAMPLED_PAIRS_MAX: usize = 1 << 16;

/// Elements up to which an index is read in any case.
pub const INDEX_PATH_IDS_MIN: u64 = 1 << 10;

/// Elements that an index gives a scan at most for one row: they are held until they went on.
pub const INDEX_PATH_IDS_MAX: u64 = 1 << 22;

/// Elements that it gives at most for all rows of a batch together, each row having its share; a
/// row that needs more is asked for alone.
pub const INDEX_PATH_BATCH_IDS_MAX: usize = 1 << 20;

/// Rows for which an index is asked at once at first; then as many more or fewer as it finds few or many.
pub const SEEK_ROWS_AT_ONCE_MIN: usize = 1 << 8;

/// Elements that are found, read or compared between two questions to the budget.
pub const SEEK_IDS_AT_ONCE: usize = 1 << 16;

/// Candidates for each row up to which an index over some of the keys serves a batch by itself; beyond,
/// further rows are collected before it is asked again.
pub const SEEK_CANDIDATES_PER_ROW: usize = 8;

/// Indexes that are asked for a few rows, to choose the one that tells most apart.
pub const SEEK_INDEXES_COMPARED_MAX: usize = 4;

/// Those rows.
pub const SEEK_SAMPLE_ROWS: usize = 4;

/// Neighbours walked inside one expansion between two looks at deadline and cancel flag.
pub const CHECK_NEIGHBOURS: usize = 1 << 18;

/// Pulls between two looks at the clock; the cancel flag is looked at in each.
pub const CHECK_PULLS: u32 = 16;

/// The cost of a look at the cancel flag, in rows, in the budget of an attempt that must not block.
pub const NON_BLOCKING_ROWS_PER_CHECK: usize = 16;

/// Entries of a list that membership is asked of, from which on they are hashed.
pub const HASHED_LIST_MIN: usize = 16;

/// The same before it has forgotten any.
pub const TOP_K_FIRST_ROWS: usize = 256;

/// Rows a `TopK` holds beyond twice its count before it forgets those that cannot win.
pub const TOP_K_SLACK_ROWS: usize = 4_096;

/// Steps of open ways beyond which a search of paths expands one step at a time.
pub const PATH_STEPS_OPEN_MAX: usize = 1 << 16;
/// The most steps of one level that a search of paths expands together.
pub const PATH_PIECE_MAX: u32 = 256;
/// Visited steps for each step that a search of paths expands together with the first of a level.
pub const PATH_STEPS_A_PIECE: u64 = 64;
/// Steps of paths that are visited between two looks at deadline and cancel flag.
pub const PATH_STEPS_UNCHECKED: u64 = 1 << 10;
/// Vertices up to which distances to a bound end are found.
pub const PATH_DISTANCES_MAX: usize = 1 << 22;
/// Objects in the lists of a batch of paths, beyond which the batch is emitted.
pub const PATH_BATCH_OBJECTS_MAX: usize = 1 << 17;
/// How many objects of shared paths count as one in such a list.
pub const PATH_OBJECTS_SHARED: usize = 8;
/// Edges or vertices of a way up to which they are looked through one by one.
pub const WALKED_LISTED_MAX: usize = 16;
/// Rounds of a `RecursiveExpand`: so deep its bags nest.
pub const RECURSE_ROUNDS_MAX: usize = 1_000;

/// Entries of lists over which an expression is evaluated at once.
pub const LIST_ENTRIES_MAX: usize = 1 << 13;

/// The length from which a pipeline runs barrier by barrier, and not by calls inside each other.
pub const NESTED_OPERATORS_MAX: usize = 64;

/// How many operators may stand behind each other without a write among them: they call each other, and a thread's
/// stack has an end.
pub const OPERATORS_IN_A_ROW_MAX: usize = 1_000;

/// How many there may be in a pipeline before the rules make them fewer, those that write included.
pub const OPERATORS_UNRULED_MAX: usize = 100_000;

/// How deep subplans may nest.
pub const SUBPLAN_DEPTH_MAX: usize = 64;

/// How deep an expression may nest; in the plan of a deeper text, so many times its levels.
pub const EXPRESSION_DEPTH_MAX: usize = 256;

/// How deep an expression may nest for each level of a text.
pub const EXPRESSION_DEPTH_OF_LEVEL_MAX: usize = 4;

/// Plans a runner keeps prepared; beyond, preparing is refused.
pub const PREPARED_PLANS_MAX: usize = 4_096;

/// Bytes that a transaction may have held if its plans return to the pool: the buffers that larger ones
/// leave in their operators would stay in memory.
pub const POOLED_PLANS_BYTES_MAX: u64 = 4 << 20;

/// Bytes a query may hold unless its context says otherwise.
pub const MEMORY_BYTES_DEFAULT: u64 = 4 << 30;

/// Rows a query may give unless its context says otherwise: as many as memory allows.
pub const RESULT_ROWS_DEFAULT: u64 = u64::MAX;

/// Rows the oracle lets an operator give: it holds each by itself.
pub const ORACLE_ROWS_MAX: usize = 1 << 15;

/// Pending edges of a front end.
pub const PENDING_EDGES_MAX: usize = 4_096;

/// Bytes of the values of pending edges. A write set has as much in memory before it spills, and
/// neither counts against a query's budget.
pub const PENDING_BYTES_MAX: usize = 1 << 20;

/// Bytes of the values of one edge above which a plan creates it, which counts them.
pub const PENDING_EDGE_BYTES_MAX: usize = 1 << 12;

/// Edge layouts known at once; edges of others are made by plans.
pub const EDGE_LAYOUTS_MAX: usize = 256;

/// Bytes of values that an expression makes for several rows at once; those of more are made for fewer rows at a time.
pub const MADE_BYTES_MAX: u64 = 32 << 20;

/// Rows that are collected before the room by which their columns grow counts.
pub const GROWTH_UNCOUNTED_ROWS_MAX: usize = 1 << 20;

/// Rows whose values are added to a collection before it is counted.
pub const COLLECTED_SLICE_ROWS: usize = 1 << 16;

/// Places in the columns of properties that are set together: rows with many keys are written few at a time.
pub const PROPERTY_CELLS_MAX: usize = 1 << 18;

/// Bytes that a merge takes for a row, about: its group, its match, its place in the result.
pub const MERGE_ROW_BYTES: u64 = 128;

/// Rows that an expression is evaluated over at once; operators that hold all rows have batches of more.
pub const EVALUATED_ROWS_MAX: usize = 1 << 16;

/// Bytes of these values that do not count: a column of numbers of a batch has no more.
pub const MADE_BYTES_UNCOUNTED: u64 = 1 << 20;

/// Bytes by which the lists of a fold grow before the budget is asked again, within one batch.
pub const ROOM_BYTES_UNASKED_MAX: u64 = 1 << 20;

/// Rows of a product that are made without asking the budget first.
pub const FLAT_ROWS_UNASKED_MAX: u64 = 1 << 16;

/// Elements that are made together: their values, and the columns of the write set, are in memory
/// at once.
pub const CREATED_ROWS_MAX: usize = 1 << 16;
/// What a statement tells its client beside its results, at most.
pub const NOTICES_MAX: usize = 100;
