//! Vectors like those of texts: the ten nearest by a comparison with all and by the graph of neighbours, over Bolt on one
//! connection; how fast the graph is made, and what the index takes in memory.
//!
//! An embedding has many numbers and few degrees of freedom, and texts are about topics. So each vector here is a point
//! around one of a thousand topics in 32 dimensions, seen through a random linear map into 768, with noise of a tenth in
//! each of them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_db::store::{Isolation, NameKind, Transaction};
use millrace_model::random::SplitMix64;
use millrace_model::{Column, Error, ErrorKind, KeyId, LabelId, Result, Value};
use millrace_server::Server;
use millrace_wire::bolt::packstream::Datum;

use crate::clients::bolt::{Connection, driver};
use crate::data::{self, Scratch};
use crate::experiments::asked::{GRAPH, milliseconds, request};
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::VectorArray;
use crate::measure;
use crate::report::{Row, Unit};

/// Vectors at full size, and their numbers.
const VECTORS: f64 = 1e5;
const DIMENSIONS: usize = 768;

/// Points that they are around, and the dimensions these are in.
const TOPICS: usize = 1_000;
const TOPIC_DIMENSIONS: usize = 32;

/// Vectors of a commit.
const CREATED: usize = 5_000;

/// Vectors that are asked for, and requests of one run.
const NEAREST: usize = 10;
const REQUESTS: usize = 64;

/// Vectors that the graph and a comparison with all are asked for, to find the recall.
const COMPARED: usize = 200;

/// The share of the nearest that the graph must find.
const RECALL_MIN: f64 = 0.95;

/// A graph is late when it is not there after so long.
const MADE_MAX: Duration = Duration::from_secs(1_800);

const SEED: u64 = 23;

const INDEX: &str = "CREATE VECTOR INDEX near FOR (t:Text) ON (t.e) OPTIONS {indexConfig: \
                     {`vector.dimensions`: 768, `vector.similarity_function`: 'cosine'}}";
const BY_GRAPH: &str =
    "CALL db.index.vector.queryNodes('near', 10, $v) YIELD node, score RETURN node.n AS n, score";
const EXACTLY: &str = "CALL db.index.vector.queryNodes('near', 10, $v, {exact: true}) \
                       YIELD node, score RETURN node.n AS n, score";

/// Vectors that are changed before a checkpoint.
const CHANGED: usize = 100;
const CHANGE: &str =
    "MATCH (t:Text) WHERE t.n % $step = 0 SET t.e = [x IN t.e | x + 0.01] RETURN count(t) AS n";
const WRITTEN: &str = "millrace_segment_written_bytes_total";

/// Makes vectors.
struct Source {
    random: SplitMix64,
    topics: Vec<f32>,
    /// For each dimension of a topic a vector.
    map: Vec<f32>,
}

impl Source {
    fn new() -> Source {
        let mut random = SplitMix64::new(SEED);
        let topics = normals(&mut random, TOPICS * TOPIC_DIMENSIONS);
        let map = normals(&mut random, TOPIC_DIMENSIONS * DIMENSIONS);
        Source { random, topics, map }
    }

    fn push(&mut self, numbers: &mut Vec<f32>) {
        let topic = self.random.index(TOPICS) * TOPIC_DIMENSIONS;
        let own = normals(&mut self.random, TOPIC_DIMENSIONS);
        let from = numbers.len();
        numbers.extend(normals(&mut self.random, DIMENSIONS).iter().map(|noise| 0.1 * noise));
        for (at, own) in own.iter().enumerate() {
            let weight = self.topics[topic + at] + 0.5 * own;
            let row = &self.map[at * DIMENSIONS..][..DIMENSIONS];
            numbers[from..].iter_mut().zip(row).for_each(|(own, along)| *own += weight * along);
        }
    }

    fn many(&mut self, count: usize) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(count * DIMENSIONS);
        (0..count).for_each(|_| self.push(&mut numbers));
        numbers
    }
}

/// Numbers about as a normal distribution has them.
fn normals(random: &mut SplitMix64, count: usize) -> Vec<f32> {
    let one = |_| (0..4).map(|_| random.unit() - 0.5).sum::<f64>() as f32 * 1.73;
    (0..count).map(one).collect()
}

fn count(conditions: &Conditions) -> usize {
    // Below 16 MB of vectors there is no graph.
    ((VECTORS * conditions.scale) as usize).max(8_000)
}

/// A folder of texts that is served by this process, which counts beside what it asks.
struct Texts {
    database: Arc<Database>,
    server: Server,
    connection: Connection,
    count: usize,
    _folder: Option<Scratch>,
}

impl Texts {
    fn open(path: &Path, count: usize, folder: Option<Scratch>) -> Result<Texts> {
        let mut settings = settings();
        for protocol in ["lua", "gremlin", "neo4j-http", "admin"] {
            settings.listen.set(protocol, "off");
        }
        settings.listen.set("bolt", "127.0.0.1:0");
        let database = Arc::new(Database::open(path, settings)?);
        let failed = |error: millrace_server::StartError| {
            Error::new(ErrorKind::Unavailable, error.to_string())
        };
        let server = Server::start(Arc::clone(&database)).map_err(failed)?;
        let address = server.address("bolt").ok_or_else(|| wrong("it does not listen"))?;
        Ok(Texts {
            connection: Connection::open(address)?,
            database,
            server,
            count,
            _folder: folder,
        })
    }

    /// A copy of a folder with the index and its graph, made once.
    fn copied(conditions: &Conditions, row: &str) -> Result<Texts> {
        let count = count(conditions);
        let made = data::once(&conditions.data, &format!("vectors-{count}"), |folder| {
            let mut texts = Texts::open(folder, count, None)?;
            texts.create()?;
            texts.answer(INDEX, &[])?;
            texts.await_graph()?;
            texts.close();
            Ok::<_, Error>(())
        })?;
        let folder = Scratch::copy(&conditions.data, row, &made)?;
        Texts::open(&PathBuf::from(folder.path()), count, Some(folder))
    }

    /// Makes the texts, without an index.
    fn create(&mut self) -> Result<()> {
        let name = self.database.settings().graph_named(GRAPH).unwrap_or(GRAPH).to_owned();
        let graph = self.database.ensure_graph(&name)?;
        let names = [(NameKind::Label, "Text"), (NameKind::Key, "n"), (NameKind::Key, "e")];
        let numbers = graph.store().intern(&names)?;
        let (label, n, e) = (LabelId(numbers[0]), KeyId(numbers[1]), KeyId(numbers[2]));
        let mut source = Source::new();
        for first in (0..self.count).step_by(CREATED) {
            let end = self.count.min(first + CREATED);
            let numbers = source.many(end - first);
            let own = Column::from_values((first..end).map(|own| Value::I64(own as i64)));
            let vectors = numbers.chunks_exact(DIMENSIONS).map(Value::vector);
            let vectors = Column::from_values(vectors);
            let transaction = Transaction::begin(Arc::clone(graph.store()), Isolation::Snapshot)?;
            transaction.create_vertices(
                &[label].into(),
                end - first,
                &[(n, &own), (e, &vectors)],
            )?;
            transaction.commit()?.wait()?;
        }
        Ok(())
    }

    fn answer(&self, text: &str, parameters: &[(Arc<str>, Value)]) -> Result<Vec<Vec<Datum>>> {
        let address = self.server.address("bolt").ok_or_else(|| wrong("it does not listen"))?;
        let answer = driver(address)?.run(text, parameters);
        Ok(answer.map_err(|error| wrong(&format!("{text}: {error}")))?.records)
    }

    fn ask(&mut self, requests: &[Vec<u8>]) -> Result<()> {
        for request in requests {
            self.connection.send(request)?;
            let found = self.connection.receive_answer()?.count;
            if found != NEAREST as u64 {
                return Err(wrong(&format!("{found} are near, and not {NEAREST}")));
            }
        }
        Ok(())
    }

    fn metric(&self, name: &str) -> f64 {
        let metrics = self.database.metrics();
        metrics.iter().find(|metric| metric.name == name).map_or(0.0, |metric| metric.value)
    }

    /// Asks until the graph answers.
    fn await_graph(&mut self) -> Result<()> {
        let (mut source, began) = (Source::new(), Instant::now());
        let asked = requests(BY_GRAPH, &queries(&mut source)[..1])?;
        self.ask(&asked)?;
        while self.metric("millrace_vector_graphs") == 0.0 {
            if MADE_MAX < began.elapsed() {
                return Err(wrong("no graph was made"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn close(self) {
        let Texts { database, server, .. } = self;
        server.stop();
        database.close();
    }
}

/// Vectors of the same kind that are none of the texts'.
fn queries(source: &mut Source) -> Vec<Vec<f32>> {
    source.random = SplitMix64::new(SEED + 1);
    (0..COMPARED).map(|_| source.many(1)).collect()
}

fn parameter(vector: &[f32]) -> (Arc<str>, Value) {
    let numbers = vector.iter().map(|own| Value::F64(f64::from(*own))).collect();
    ("v".into(), Value::list(numbers))
}

fn requests(text: &str, vectors: &[Vec<f32>]) -> Result<Vec<Vec<u8>>> {
    vectors.iter().map(|vector| request(text, vec![parameter(vector)])).collect()
}

/// The numbers of the texts that are found.
fn found(texts: &Texts, text: &str, vector: &[f32]) -> Result<Vec<u32>> {
    let records = texts.answer(text, &[parameter(vector)])?;
    Ok(records.iter().filter_map(|record| record[0].as_int()).map(|n| n as u32).collect())
}

/// The ten nearest by a comparison with all; the reference is a loop over one array, on as many threads.
pub(super) fn exact(conditions: &Conditions) -> Result<Row> {
    let texts = Texts::copied(conditions, "vector.exact")?;
    let mut source = Source::new();
    let array = VectorArray::new(DIMENSIONS, source.many(texts.count));
    let queries = queries(&mut source);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for query in &queries[..8] {
        let (own, plain) = (found(&texts, EXACTLY, query)?, array.nearest(query, NEAREST, threads));
        // The last digits of two that are equally near may differ.
        if own.iter().filter(|own| !plain.contains(own)).count() > 1 {
            return Err(wrong(&format!("{own:?} are found, and {plain:?} are the nearest")));
        }
    }
    let asked = requests(EXACTLY, &queries[..8])?;
    let (texts, mut sum) = (RefCell::new(texts), 0);
    let medians = measure::side_by_side(
        conditions.seconds,
        || texts.borrow_mut().ask(&asked),
        || {
            for query in &queries[..asked.len()] {
                sum += array.nearest(query, NEAREST, threads).len();
            }
            Ok(())
        },
    )?;
    std::hint::black_box(sum);
    let texts = texts.into_inner();
    let rate = (texts.count * asked.len()) as f64 / medians.value;
    texts.close();
    Ok(Row::new(milliseconds(medians.value, asked.len()), Unit::Milliseconds)
        .beside(milliseconds(medians.reference, asked.len()))
        .with("vectors", rate, Unit::PerSecond))
}

/// The ten nearest by the graph, read from its file: searches a second on one connection. Its recall is checked.
pub(super) fn by_graph(conditions: &Conditions) -> Result<Row> {
    let mut texts = Texts::copied(conditions, "vector.graph")?;
    let queries = queries(&mut Source::new());
    texts.await_graph()?;
    let linked = texts.metric("millrace_vector_graph_linked");
    if linked != 0.0 {
        return Err(wrong(&format!("{linked} vectors were linked, and the graph was stored")));
    }
    let (mut hits, mut all) = (0, 0);
    for query in &queries {
        let (near, nearest) = (found(&texts, BY_GRAPH, query)?, found(&texts, EXACTLY, query)?);
        hits += nearest.iter().filter(|own| near.contains(own)).count();
        all += nearest.len();
    }
    let recall = hits as f64 / all as f64;
    if recall < RECALL_MIN {
        return Err(wrong(&format!("the graph finds {recall:.3} of the nearest")));
    }
    let asked = requests(BY_GRAPH, &queries[..REQUESTS])?;
    let seconds = measure::median_of(conditions.seconds, || texts.ask(&asked))?;
    texts.close();
    Ok(Row::new(REQUESTS as f64 / seconds, Unit::PerSecond)
        .with("recall", recall * 100.0, Unit::Percent)
        .with("search", milliseconds(seconds, REQUESTS), Unit::Milliseconds))
}

/// Vectors a second that an index with its graph is made of; and the bytes of segments that a checkpoint writes when a
/// hundred of them have changed.
pub(super) fn build(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, "vector.build")?;
    let path = PathBuf::from(folder.path());
    let mut texts = Texts::open(&path, count(conditions), Some(folder))?;
    texts.create()?;
    let began = Instant::now();
    texts.answer(INDEX, &[])?;
    let indexed = began.elapsed().as_secs_f64();
    texts.await_graph()?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = texts.count as f64 / seconds;
    texts.database.checkpoint()?;
    let written = texts.metric(WRITTEN);
    let step = Value::I64((texts.count / CHANGED) as i64);
    texts.answer(CHANGE, &[("step".into(), step)])?;
    texts.database.checkpoint()?;
    let rewritten = texts.metric(WRITTEN) - written;
    texts.close();
    let row = Row::new(rate, Unit::PerSecond).with("checkpoint", rewritten, Unit::Bytes);
    Ok(row.with("index", indexed, Unit::Seconds).with("graph", seconds - indexed, Unit::Seconds))
}

/// How many times the bytes of its vectors an index takes with its graph.
pub(super) fn memory(conditions: &Conditions) -> Result<Row> {
    let mut texts = Texts::copied(conditions, "vector.memory")?;
    texts.await_graph()?;
    let index = texts.metric("millrace_index_bytes");
    let graph = texts.metric("millrace_vector_graph_bytes");
    let vectors = (texts.count * DIMENSIONS * size_of::<f32>()) as f64;
    texts.close();
    Ok(Row::new((index + graph) / vectors, Unit::Times).with("index", index, Unit::Bytes).with(
        "graph",
        graph,
        Unit::Bytes,
    ))
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::Bug, what)
}
