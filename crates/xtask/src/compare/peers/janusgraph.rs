//! JanusGraph behind its Gremlin server, over each of three storages. All share jars, schema and index.
//!
//! The schema is made before the work, as JanusGraph's documentation advises: else the first requests contend for it.

use super::super::fetch::{self, Setup};
use super::cassandra::{self, Cassandra};
use super::gremlin_server::{Graph, LOADED, LOGGING, ServedGraph};
use super::{Description, Peer};

const ASKED: &str = "Gremlin, WebSocket (GraphBinary) and HTTP";

pub(super) const IN_MEMORY: Description = Description {
    name: "janusgraph-inmemory",
    product: "JanusGraph 1.1.0 in memory",
    durable: "nothing: the graph is in memory",
    asked: ASKED,
    loaded: LOADED,
    fetch: |setup| jars(setup).map(|_| ()),
    open: |setup| open(setup, "storage.backend=inmemory\n", None),
};

pub(super) const BERKELEY: Description = Description {
    name: "janusgraph-berkeleyje",
    product: "JanusGraph 1.1.0 over BerkeleyDB JE",
    durable: "each commit (as shipped)",
    asked: ASKED,
    loaded: LOADED,
    fetch: |setup| jars(setup).map(|_| ()),
    open: |setup| {
        let data = setup.data("storage")?;
        let storage = format!("storage.backend=berkeleyje\nstorage.directory={}\n", data.display());
        open(setup, &storage, None)
    },
};

pub(super) const CQL: Description = Description {
    name: "janusgraph-cql",
    product: "JanusGraph 1.1.0 over Cassandra 5.0.9 (CQL), one node",
    durable: "after up to 10 s: Cassandra syncs its commit log periodically (as shipped)",
    asked: ASKED,
    loaded: LOADED,
    fetch: |setup| {
        jars(setup)?;
        cassandra::jars(setup).map(|_| ())
    },
    open: |setup| {
        let cassandra = Cassandra::start(setup)?;
        // The cache is on in the settings that JanusGraph ships for CQL.
        let storage = format!(
            "storage.backend=cql\nstorage.hostname=127.0.0.1\nstorage.port={}\n\
             storage.cql.keyspace=janusgraph\nstorage.cql.local-datacenter=datacenter1\n\
             cache.db-cache=true\ncache.db-cache-clean-wait=20\n\
             cache.db-cache-time=180000\ncache.db-cache-size=0.25\n",
            cassandra.port()
        );
        open(setup, &storage, Some(cassandra))
    },
};

/// Labels and keys of the work, and an index by which people are found.
const INIT: &str = "m = graph.openManagement()
['person', 'Person', 'Item'].each { m.makeVertexLabel(it).make() }
m.makeEdgeLabel('LIKES').multiplicity(org.janusgraph.core.Multiplicity.MULTI).make()
m.makePropertyKey('name').dataType(String.class).make()
m.makePropertyKey('age').dataType(Integer.class).make()
m.makePropertyKey('weight').dataType(Double.class).make()
username = m.makePropertyKey('username').dataType(String.class).make()
m.buildIndex('people', Vertex.class).addKey(username).buildCompositeIndex()
m.commit()
";

fn jars(setup: &Setup<'_>) -> Result<String, String> {
    fetch::require_java(setup)?;
    let artifacts = [
        "org.janusgraph:janusgraph-server:1.1.0",
        "org.janusgraph:janusgraph-inmemory:1.1.0",
        "org.janusgraph:janusgraph-berkeleyje:1.1.0",
        "org.janusgraph:janusgraph-cql:1.1.0",
        LOGGING,
        // Nearest wins in Maven, and the version of another dependency lacks functions that the server calls.
        "org.apache.commons:commons-lang3:3.14.0",
    ];
    fetch::jars(setup, "janusgraph", &artifacts)
}

fn open(
    setup: &Setup<'_>,
    storage: &str,
    cassandra: Option<Cassandra>,
) -> Result<Box<dyn Peer>, String> {
    let graph = Graph {
        jars: jars(setup)?,
        settings: format!("gremlin.graph=org.janusgraph.core.JanusGraphFactory\n{storage}"),
        init: INIT,
        plugin: "org.janusgraph.graphdb.tinkerpop.plugin.JanusGraphGremlinPlugin",
        load_clients: 4,
    };
    Ok(Box::new(ServedGraph::start(setup, &graph, cassandra)?))
}
