//! Classes of Java, Groovy and TinkerPop.

use super::{EXPORT, LOAD_AND_EXPORT, Replacement, row};

const TIMESTAMP: &str = "write `datetime('2026-01-01T00:00:00Z')`; `datetime()` is now";
const MILLIS: &str = "write `datetime()`, which is now as a timestamp; in milliseconds, \
                      `__.constant(datetime()).asNumber()`";
const NUMBER: &str = "write the number: `1` is an int, `1L` a long, `1.5` a double, `1.5f` a float, `1b` a byte, \
                      `1s` a short";
const DECIMAL: &str = "write `1.5m` for a decimal and `1n` for a big integer";
const LIST: &str = "write a list, `[1, 2]`; an empty one is `[]`";
const MAP: &str = "write a map, `[a: 1]`; an empty one is `[:]`";
const SET: &str = "write a set, `{1, 2}`";
const GRAPH: &str = "leave the line out: `g` is there already; other graphs of the server are sources by their \
                     names, and PUT /graphs/NAME at the address of listen.admin makes one";
const SOURCE: &str = "leave it out: steps stand alone or behind `__.`, and `g` is there already";
const CLIENT: &str =
    "it belongs in the client's program; a script is the text that the client sends";
const MATH: &str =
    "write the step `math('abs(_)')`, which knows abs, sqrt, floor, ceil, sin, cos, log and kin";
const RANDOM: &str = "write `coin(0.5)`, `sample(1)` or `order().by(shuffle)`";
const LAMBDA: &str =
    "functions as text are not supported: write steps, `map(__.…)`, `filter(__.…)`";
const COMPUTER: &str = "there is no graph computer: leave it out";
const TYPES: &str = "leave it out: a value's type is that of its literal";

pub(super) static CLASSES: &[Replacement] = &[
    row("Date", "new Date()", TIMESTAMP),
    row("Instant", "Instant.now()", TIMESTAMP),
    row("OffsetDateTime", "OffsetDateTime.now()", TIMESTAMP),
    row("ZonedDateTime", "ZonedDateTime.now()", TIMESTAMP),
    row("LocalDateTime", "LocalDateTime.now()", TIMESTAMP),
    row("LocalDate", "LocalDate.of(2026, 1, 1)", TIMESTAMP),
    row("LocalTime", "LocalTime.now()", "keep it as a text or as a number of seconds"),
    row("Calendar", "Calendar.getInstance()", TIMESTAMP),
    row("Timestamp", "new Timestamp(0)", TIMESTAMP),
    row("SimpleDateFormat", "new SimpleDateFormat('yyyy-MM-dd')", TIMESTAMP),
    row("DateTimeFormatter", "DateTimeFormatter.ISO_DATE", TIMESTAMP),
    row(
        "Duration",
        "Duration.ofDays(7)",
        "write the step `dateAdd(DT.day, 7)`, or a number of seconds",
    ),
    row("Period", "Period.ofDays(7)", "write the step `dateAdd(DT.day, 7)`"),
    row("TimeUnit", "TimeUnit.DAYS", "write `DT.day`, `DT.hour`, `DT.minute` or `DT.second`"),
    row("ChronoUnit", "ChronoUnit.DAYS", "write `DT.day`, `DT.hour`, `DT.minute` or `DT.second`"),
    row("System.currentTimeMillis", "System.currentTimeMillis()", MILLIS),
    row("System.nanoTime", "System.nanoTime()", "write `profile()` at the end of the traversal"),
    row("System.out", "System.out.println(x)", "the last statement's result is the answer"),
    row("System", "System.getenv('HOME')", "scripts cannot reach the server's machine"),
    row("UUID.randomUUID", "UUID.randomUUID()", "write `UUID()`, a random one each time"),
    row(
        "UUID.fromString",
        "UUID.fromString('…')",
        "write `UUID('41d2e28a-20a4-4ab0-b379-d810dede3786')`",
    ),
    row(
        "UUID",
        "new UUID(1, 2)",
        "write `UUID('41d2e28a-20a4-4ab0-b379-d810dede3786')`; `UUID()` is a random one",
    ),
    row("Integer.MAX_VALUE", "Integer.MAX_VALUE", "write `2147483647`"),
    row("Integer.MIN_VALUE", "Integer.MIN_VALUE", "write `-2147483648`"),
    row(
        "Long.MAX_VALUE",
        "Long.MAX_VALUE",
        "write `9223372036854775807L`; where all are meant, leave the bound out",
    ),
    row("Long.MIN_VALUE", "Long.MIN_VALUE", "write `-9223372036854775808L`"),
    row("Double.NaN", "Double.NaN", "write `NaN`"),
    row("Double.POSITIVE_INFINITY", "Double.POSITIVE_INFINITY", "write `Infinity`"),
    row("Double.NEGATIVE_INFINITY", "Double.NEGATIVE_INFINITY", "write `-Infinity`"),
    row("Double.MAX_VALUE", "Double.MAX_VALUE", "write `1.7976931348623157e308`"),
    row("Integer", "new Integer(5), Integer.valueOf(5)", NUMBER),
    row("Long", "new Long(5), Long.parseLong('5')", NUMBER),
    row("Double", "new Double(5), Double.valueOf(5)", NUMBER),
    row("Float", "new Float(5)", NUMBER),
    row("Short", "new Short(5)", NUMBER),
    row("Byte", "new Byte(5)", NUMBER),
    row("Number", "Number", NUMBER),
    row("BigDecimal", "new BigDecimal('1.5')", DECIMAL),
    row("BigInteger", "new BigInteger('1')", DECIMAL),
    row("Boolean", "Boolean.TRUE", "write `true` or `false`"),
    row("Character", "Character.valueOf('a')", "write a text of one character, `'a'`"),
    row(
        "String",
        "String.format('%s', x), new String('a')",
        "write the text, `'a'`; of values, the step `format('%{name}')`",
    ),
    row(
        "StringBuilder",
        "new StringBuilder()",
        "write the text, or the steps `concat('b')` and `format('%{name}')`",
    ),
    row("Object", "new Object()", TYPES),
    row("Class", "Class.forName('…')", "scripts cannot call Java"),
    row("Arrays", "Arrays.asList(1, 2)", LIST),
    row("List", "List.of(1, 2)", LIST),
    row("ArrayList", "new ArrayList()", LIST),
    row("LinkedList", "new LinkedList()", LIST),
    row("Collections", "Collections.emptyList()", "write `[]` for a list and `[:]` for a map"),
    row("Map", "Map.of('a', 1)", MAP),
    row("HashMap", "new HashMap()", MAP),
    row("LinkedHashMap", "new LinkedHashMap()", MAP),
    row("TreeMap", "new TreeMap()", MAP),
    row("Set", "Set.of(1, 2)", SET),
    row("HashSet", "new HashSet()", SET),
    row("LinkedHashSet", "new LinkedHashSet()", SET),
    row("TreeSet", "new TreeSet()", SET),
    row(
        "BulkSet",
        "new BulkSet()",
        "write `withSideEffect('x', [])`, or leave it out: `aggregate('x')` makes its list",
    ),
    row("Iterator", "Iterator", "write `toList()`, and go through the results in the client"),
    row("Stream", "Stream.of(1, 2)", "write `g.inject(1, 2)`"),
    row("Optional", "Optional.of(1)", "write `tryNext()`"),
    row("Math", "Math.abs(-1)", MATH),
    row("Random", "new Random()", RANDOM),
    row("ThreadLocalRandom", "ThreadLocalRandom.current()", RANDOM),
    row("Thread", "Thread.sleep(1000)", "wait in the client"),
    row("File", "new File('x')", "no files are read for a client: `millrace load` reads them"),
    row(
        "FileInputStream",
        "new FileInputStream('x')",
        "no files are read for a client: `millrace load` reads them",
    ),
    row("FileOutputStream", "new FileOutputStream('x')", "no files are written for a client"),
    row("URL", "new URL('http://…')", "the server fetches no URLs"),
    row("Runtime", "Runtime.getRuntime()", "scripts cannot reach the server's machine"),
    row("Exception", "new Exception()", "write the step `fail('why')`"),
    row("Lambda", "Lambda.function('it.get()')", LAMBDA),
    row("Function", "Function.identity()", LAMBDA),
    row("Closure", "Closure", LAMBDA),
    row("JanusGraphFactory", "JanusGraphFactory.open('conf/…')", GRAPH),
    row("JanusGraph", "JanusGraph", GRAPH),
    row("ConfiguredGraphFactory", "ConfiguredGraphFactory.open('x')", GRAPH),
    row("TinkerGraph", "TinkerGraph.open()", GRAPH),
    row(
        "TinkerFactory",
        "TinkerFactory.createModern()",
        "leave the line out: `g` is there already; `cargo xtask \
        suite-graphs` puts TinkerPop's graphs where `millrace load` can read them",
    ),
    row("GraphFactory", "GraphFactory.open('conf/…')", GRAPH),
    row(
        "GraphOfTheGodsFactory",
        "GraphOfTheGodsFactory.load(graph)",
        "write the graph with `addV` and `addE`, or \
        load it as GraphSON 3",
    ),
    row("EmptyGraph", "EmptyGraph.instance().traversal()", GRAPH),
    row("Neo4jGraph", "Neo4jGraph.open('x')", GRAPH),
    row("HadoopGraph", "HadoopGraph", COMPUTER),
    row("SparkGraphComputer", "SparkGraphComputer", COMPUTER),
    row("Computer", "Computer", COMPUTER),
    row("AnonymousTraversalSource", "AnonymousTraversalSource.traversal()", SOURCE),
    row("GraphTraversalSource", "GraphTraversalSource", SOURCE),
    row("GraphTraversal", "GraphTraversal", SOURCE),
    row("Traversal", "Traversal", SOURCE),
    row("Graph", "Graph", SOURCE),
    row("Cluster", "Cluster.open()", CLIENT),
    row("Client", "Client", CLIENT),
    row("DriverRemoteConnection", "DriverRemoteConnection.using('conf/…')", CLIENT),
    row("Bytecode", "Bytecode", CLIENT),
    row("Bindings", "Bindings.of('x', 1)", "send `x` with the bindings of the request"),
    row("GremlinScriptEngine", "GremlinScriptEngine", CLIENT),
    row("TraversalHelper", "TraversalHelper", "write `explain()`, which shows the plan"),
    row(
        "SackFunctions",
        "SackFunctions.Barrier.normSack",
        "write `normSack` or `Barrier.normSack`",
    ),
    row(
        "Vertex",
        "Vertex.class",
        "write `new Vertex(1, 'person')` where a step takes a vertex, or `V(1)`",
    ),
    row(
        "DetachedVertex",
        "new DetachedVertex(1, 'person')",
        "write `new Vertex(1, 'person')`, or `V(1)`",
    ),
    row("StarVertex", "new StarVertex(1, 'person')", "write `new Vertex(1, 'person')`, or `V(1)`"),
    row("Edge", "Edge.class", "write `E(7)` where an edge is meant"),
    row("DetachedEdge", "new DetachedEdge(…)", "write `E(7)` where an edge is meant"),
    row("Property", "Property", "write `properties('name')` where a property is meant"),
    row("Element", "Element", "write `V(1)` or `E(7)` where an element is meant"),
    row("Path", "Path", "write `path()` where a path is meant"),
    row("GraphSONMapper", "GraphSONMapper.build()", CLIENT),
    row("GraphMLReader", "GraphMLReader.build()", "`millrace load` reads GraphML"),
    row(
        "GraphSONReader",
        "GraphSONReader.build()",
        "`millrace load --format graphson` reads GraphSON 3",
    ),
    row(
        "GryoReader",
        "GryoReader.build()",
        "`millrace load` reads GraphML, GraphSON 3, CSV and N-Quads: write Gryo as \
        GraphSON 3 first, where it comes from",
    ),
    row("GraphMLWriter", "GraphMLWriter.build()", EXPORT),
    row("GraphSONWriter", "GraphSONWriter.build()", EXPORT),
    row("GryoWriter", "GryoWriter.build()", EXPORT),
    row("IoCore", "IoCore.graphml()", LOAD_AND_EXPORT),
    row(
        "Gremlin",
        "Gremlin.version()",
        "`GET /health` on the HTTP interface says the version of the server",
    ),
    row("Transaction", "Transaction.Status", "write `g.tx().commit()` or `g.tx().rollback()`"),
    row(
        "TransactionIsolation",
        "TransactionIsolation",
        "send the option `isolation` with the request, or write \
        `g.with('isolation', 'serializable')`",
    ),
    row("MultiIterator", "new MultiIterator()", "write `union(out(), in())`"),
    row("IteratorUtils", "IteratorUtils.count(…)", "write `count()`"),
    row(
        "BatchGraph",
        "new BatchGraph(graph)",
        "`millrace load` loads files, as one commit or in batches",
    ),
];
