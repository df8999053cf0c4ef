//! Calls of public scripts on a graph and on its transactions.

use super::{Replacement, row};

const THERE: &str = "leave the line out: `g` is there already";

const SERVED: &str = "leave it out: the server keeps its graphs open for all clients";

const THREADED: &str = "leave it out: each request without a session is a transaction of its own, and a \
                        session has one at a time";

pub(super) static CALLS: &[Replacement] = &[
    row("traversal", "g = graph.traversal()", THERE),
    row("withEmbedded", "g = traversal().withEmbedded(graph)", THERE),
    row(
        "withRemote",
        "g = traversal().withRemote(…)",
        "leave the line out: `g` is there already, and a \
        client connects by its driver",
    ),
    row(
        "addVertex",
        "graph.addVertex(T.label, 'person', 'name', 'bob')",
        "write `g.addV('person').property('name', 'bob')`",
    ),
    row("addEdge", "v.addEdge('knows', w)", "write `g.V(v).addE('knows').to(__.V(w))`"),
    row("vertices", "graph.vertices(1)", "write `g.V(1)`; of a vertex, `g.V(1).out()`"),
    row("edges", "graph.edges(1)", "write `g.E(1)`; of a vertex, `g.V(1).outE()`"),
    row("getVertex", "graph.getVertex(1)", "write `g.V(1)`"),
    row("getVertices", "graph.getVertices('name', 'bob')", "write `g.V().has('name', 'bob')`"),
    row("getEdge", "graph.getEdge(1)", "write `g.E(1)`"),
    row("getEdges", "graph.getEdges()", "write `g.E()`"),
    row(
        "createGraph",
        "graph.createGraph()",
        "PUT /graphs/NAME at the address of listen.admin makes a graph",
    ),
    row("open", "JanusGraphFactory.open('conf/…')", SERVED),
    row("close", "graph.close()", SERVED),
    row("isOpen", "graph.isOpen()", SERVED),
    row("isClosed", "graph.isClosed()", SERVED),
    row("newTransaction", "graph.newTransaction()", THREADED),
    row("buildTransaction", "graph.buildTransaction()", THREADED),
    row(
        "getOpenTransactions",
        "graph.getOpenTransactions()",
        "`GET /metrics` on the HTTP interface counts the requests under way",
    ),
    row(
        "features",
        "graph.features()",
        "leave it out: the reference pages list the features of a graph",
    ),
    row(
        "configuration",
        "graph.configuration()",
        "settings are the server's: `millrace serve --help`",
    ),
    row("variables", "graph.variables()", "keep values of the graph in a vertex of its own"),
    row(
        "compute",
        "graph.compute()",
        "there is no graph computer: write the computation as `repeat()`",
    ),
    row(
        "indexQuery",
        "graph.indexQuery('name', 'v.text:bob')",
        "write `g.V().has('text', TextP.containing('bob'))`; there is no full-text index",
    ),
    row("mixedIndexCountQuery", "graph.mixedIndexCountQuery()", "write `g.V().has(…).count()`"),
    row(
        "rawQuery",
        "graph.rawQuery()",
        "write the question as steps, such as `g.V().has('age', gt(30))`",
    ),
    row(
        "getManagementSystem",
        "graph.getManagementSystem()",
        "the schema needs no declaration; indexes and constraints are declared by the HTTP interface",
    ),
];

pub(super) static TRANSACTIONS: &[Replacement] = &[
    row(
        "open",
        "g.tx().open()",
        "write `g.tx().begin()`, or leave it out: a statement begins a transaction",
    ),
    row("close", "g.tx().close()", "write `g.tx().rollback()` or `g.tx().commit()`"),
    row(
        "isOpen",
        "g.tx().isOpen()",
        "leave it out: `rollback()` without a transaction does no harm",
    ),
    row("readWrite", "g.tx().readWrite()", "leave it out: a statement begins a transaction"),
    row("onReadWrite", "g.tx().onReadWrite(…)", "leave it out: a statement begins a transaction"),
    row(
        "onClose",
        "g.tx().onClose(…)",
        "leave it out: an open transaction is rolled back with its session",
    ),
    row(
        "submit",
        "g.tx().submit{…}",
        "send the statements of a transaction as one request: after a write conflict the server \
         runs it again",
    ),
    row("createThreadedTx", "g.tx().createThreadedTx()", THREADED),
    row("createThreadedTransaction", "g.tx().createThreadedTransaction()", THREADED),
    row(
        "addTransactionListener",
        "g.tx().addTransactionListener(…)",
        "a client that commits knows of its commit",
    ),
];
