//! TinkerPop's Gremlin Server, over TinkerGraph; and how any graph of the JVM is served by it.
//!
//! Changes to the default configuration: a port of its own, more variables in a request (ten vertices
//! have twenty), a longer time limit, and both WebSocket and HTTP on one port.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::fetch::{self, Setup};
use super::super::likes::{Counted, Likes};
use super::super::server::{Server, free_port};
use super::super::written::Written;
use super::cassandra::Cassandra;
use super::gremlin::Gremlin;
use super::{Description, HEAP, Peer};

pub(super) const PEER: Description = Description {
    name: "gremlin-server",
    product: "TinkerPop Gremlin Server 3.8.1 over TinkerGraph",
    durable: "nothing: the graph is in memory",
    asked: "Gremlin, WebSocket (GraphBinary) and HTTP",
    loaded: LOADED,
    fetch: |setup| jars(setup).map(|_| ()),
    open: |setup| {
        let graph = Graph {
            jars: jars(setup)?,
            settings: PROPERTIES.to_owned(),
            init: INIT,
            plugin: "org.apache.tinkerpop.gremlin.tinkergraph.jsr223.TinkerGraphGremlinPlugin",
            load_clients: 4,
        };
        Ok(Box::new(ServedGraph::start(setup, &graph, None)?))
    },
};

/// How CSV gets into a graph that is only reached by a Gremlin server.
pub(super) const LOADED: &str = "requests of 1,000 rows from a client: there is no loader of CSV";

/// Log messages of a server in a JVM.
pub(super) const LOGGING: &str = "org.slf4j:slf4j-simple:1.7.36";

const PROPERTIES: &str = "gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph\n\
    gremlin.tinkergraph.vertexIdManager=LONG\n";

const INIT: &str = "graph.createIndex('username', Vertex.class)\n";

fn jars(setup: &Setup<'_>) -> Result<String, String> {
    fetch::require_java(setup)?;
    let server = "org.apache.tinkerpop:gremlin-server:3.8.1";
    fetch::jars(setup, "gremlin-server", &[server, LOGGING])
}

/// A graph for a Gremlin server to serve.
pub(super) struct Graph {
    pub(super) jars: String,
    /// The properties file of the graph.
    pub(super) settings: String,
    /// Groovy that makes schema and indexes in `graph`.
    pub(super) init: &'static str,
    /// The plugin with the classes of the graph.
    pub(super) plugin: &'static str,
    /// How many clients load at once.
    pub(super) load_clients: usize,
}

/// A graph behind a Gremlin server.
pub(super) struct ServedGraph {
    client: Gremlin,
    load_clients: usize,
    /// Declared first, so that it stops before its storage.
    _server: Server,
    _storage: Option<Cassandra>,
}

impl ServedGraph {
    /// Starts the server over an empty graph.
    pub(super) fn start(
        setup: &Setup<'_>,
        graph: &Graph,
        storage: Option<Cassandra>,
    ) -> Result<ServedGraph, String> {
        let folder = setup.data("server")?;
        let port = free_port()?;
        write(&folder, "graph.properties", &graph.settings)?;
        let init = format!(
            "{}def globals = [:]\nglobals << [g : traversal().withEmbedded(graph)]\n",
            graph.init
        );
        write(&folder, "init.groovy", &init)?;
        let settings = write(&folder, "server.yaml", &settings(port, graph.plugin))?;
        let mut java = fetch::java(setup);
        java.current_dir(&folder).arg(HEAP).args(OPENED);
        java.arg("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        java.args(["-cp", &graph.jars, "org.apache.tinkerpop.gremlin.server.GremlinServer"]);
        java.arg(settings);
        let mut server = Server::start(java, &folder.join("log"))?;
        let client = Gremlin::new(setup.program, &folder, port);
        server.wait_until(|| client.number("g", "g.inject(1).count()"))?;
        Ok(ServedGraph {
            client,
            load_clients: graph.load_clients,
            _server: server,
            _storage: storage,
        })
    }
}

impl Peer for ServedGraph {
    fn load(&mut self, likes: &Likes) -> Result<f64, String> {
        self.client.load(likes, self.load_clients)
    }

    fn start(&mut self) -> Result<(), String> {
        // The loads went into the running server.
        Ok(())
    }

    fn recommend(&mut self, person: &str) -> Result<Vec<Counted>, String> {
        self.client.recommend("g", person)
    }

    fn write(&mut self, vertices: u64, seconds: f64) -> Result<Written, String> {
        self.client.write(vertices, seconds)
    }

    fn count(&mut self) -> Result<u64, String> {
        self.client.count()
    }
}

/// Packages of the JDK that storage backends access, as their start scripts open them.
const OPENED: [&str; 4] = [
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
];

fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

fn settings(port: u16, plugin: &str) -> String {
    format!(
        "host: 127.0.0.1
port: {port}
evaluationTimeout: 900000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WsAndHttpChannelizer
maxContentLength: 10485760
graphs:
  graph: graph.properties
scriptEngines:
  gremlin-groovy:
    plugins:
      org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {{}}
      {plugin}: {{}}
      org.apache.tinkerpop.gremlin.jsr223.ImportGremlinPlugin:
        classImports: [java.lang.Math]
        methodImports: ['java.lang.Math#*']
      org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin:
        files: [init.groovy]
processors:
  - className: org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor
    config: {{maxParameters: 64}}
serializers:
  - className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3
  - className: org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV3
  - className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1
"
    )
}
