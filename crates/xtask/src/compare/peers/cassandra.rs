//! One node of Cassandra on the loopback address, for JanusGraph.
//!
//! Its commit log is synced every 10 seconds, as shipped; heap and caches are sized for a machine that has other
//! work too.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use super::super::fetch::{self, Setup};
use super::super::server::{Server, free_port};

/// A node that runs.
pub(super) struct Cassandra {
    port: u16,
    _server: Server,
}

const HEAP: [&str; 2] = ["-Xms1g", "-Xmx1g"];

/// Packages of the JDK that Cassandra reaches into, as its own options for Java 17 have them.
const OPENED: [&str; 18] = [
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.module",
    "java.base/java.lang.reflect",
    "java.base/java.math",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.loader",
    "java.base/jdk.internal.math",
    "java.base/jdk.internal.module",
    "java.base/jdk.internal.ref",
    "java.base/jdk.internal.reflect",
    "java.base/jdk.internal.util.jar",
    "java.base/sun.nio.ch",
    "jdk.management/com.sun.management.internal",
];

const EXPORTED: [&str; 7] = [
    "java.base/jdk.internal.misc",
    "java.base/java.lang.ref",
    "java.management.rmi/com.sun.jmx.remote.internal.rmi",
    "java.rmi/sun.rmi.registry",
    "java.rmi/sun.rmi.server",
    "java.sql/java.sql",
    "jdk.unsupported/sun.misc",
];

/// The class path.
pub(super) fn jars(setup: &Setup<'_>) -> Result<String, String> {
    fetch::require_java(setup)?;
    fetch::jars(setup, "cassandra", &["org.apache.cassandra:cassandra-all:5.0.9"])
}

impl Cassandra {
    /// Starts an empty node, and waits until it answers.
    pub(super) fn start(setup: &Setup<'_>) -> Result<Cassandra, String> {
        let folder = setup.data("cassandra")?;
        let jars = jars(setup)?;
        let [port, storage_port] = [free_port()?, free_port()?];
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        write("cassandra.yaml", &settings(&folder, port, storage_port))?;
        write("logback.xml", LOGGING)?;
        let mut java = fetch::java(setup);
        java.current_dir(&folder).args(HEAP).args(["-XX:+UseG1GC", "-Xss256k"]);
        java.args(OPENED.map(|package| format!("--add-opens={package}=ALL-UNNAMED")));
        java.args(EXPORTED.map(|package| format!("--add-exports={package}=ALL-UNNAMED")));
        java.args(["-Djdk.attach.allowAttachSelf=true", "-Djna.nosys=true"]);
        java.args([
            "-Djava.net.preferIPv4Stack=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
        ]);
        java.arg(format!("-javaagent:{}", agent(jars.trim_end_matches('*').as_ref())?));
        java.arg(format!("-Dcassandra.config=file://{}", folder.join("cassandra.yaml").display()));
        java.arg(format!("-Dcassandra.storagedir={}", folder.display()));
        java.arg(format!("-Dlogback.configurationFile={}", folder.join("logback.xml").display()));
        java.args(["-Dcassandra-foreground=yes", "-Dcassandra.skip_wait_for_gossip_to_settle=0"]);
        java.args(["-Dcassandra.ring_delay_ms=1000", "-cp", &jars]);
        java.arg("org.apache.cassandra.service.CassandraDaemon");
        let mut server = Server::start(java, &folder.join("log"))?;
        server.wait_until(|| is_ready(port))?;
        Ok(Cassandra { port, _server: server })
    }

    /// Where it takes CQL.
    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

/// The jar that measures objects for Cassandra; it has to be an agent.
fn agent(lib: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", lib.display());
    for entry in fs::read_dir(lib).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("jamm-") && name.ends_with(".jar") {
            return Ok(path.display().to_string());
        }
    }
    Err(format!("there is no jamm in {}", lib.display()))
}

/// An OPTIONS frame of CQL 4, which a node that is ready answers with SUPPORTED.
fn is_ready(port: u16) -> Result<(), String> {
    let ask = || -> std::io::Result<[u8; 5]> {
        let mut socket = TcpStream::connect(("127.0.0.1", port))?;
        socket.set_read_timeout(Some(Duration::from_secs(2)))?;
        socket.write_all(&[4, 0, 0, 0, 5, 0, 0, 0, 0])?;
        let mut head = [0; 5];
        socket.read_exact(&mut head)?;
        Ok(head)
    };
    match ask().map_err(|error| error.to_string())? {
        [_, _, _, _, 6] => Ok(()),
        other => Err(format!("an answer that begins with {other:?}")),
    }
}

fn settings(folder: &Path, port: u16, storage_port: u16) -> String {
    let data = folder.display();
    format!(
        "cluster_name: compared
num_tokens: 1
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: '127.0.0.1:{storage_port}'
listen_address: 127.0.0.1
rpc_address: 127.0.0.1
storage_port: {storage_port}
native_transport_port: {port}
start_native_transport: true
data_file_directories: ['{data}/data']
commitlog_directory: {data}/commitlog
saved_caches_directory: {data}/saved_caches
hints_directory: {data}/hints
cdc_raw_directory: {data}/cdc_raw
commitlog_sync: periodic
commitlog_sync_period: 10000ms
concurrent_compactors: 1
file_cache_size: 128MiB
memtable_heap_space: 256MiB
memtable_offheap_space: 256MiB
read_request_timeout: 60s
range_request_timeout: 120s
write_request_timeout: 60s
request_timeout: 60s
"
    )
}

const LOGGING: &str = "<configuration>
  <appender name=\"OUT\" class=\"ch.qos.logback.core.ConsoleAppender\">
    <encoder><pattern>%-5level %date{ISO8601} %logger{0} - %msg%n</pattern></encoder>
  </appender>
  <root level=\"WARN\"><appender-ref ref=\"OUT\"/></root>
</configuration>
";
