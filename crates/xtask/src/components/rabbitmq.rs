//! RabbitMQ, from the package of Debian, without its service: one broker of our own on loopback.
//!
//! The package's commands switch to its user; the programs behind them are run instead, with a home, a node name and ports
//! of their own, so that a broker that is there already is left alone.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::group::{Group, PAUSE};
use super::{Action, Wanted, wipe};
use crate::process;

const PORT: u64 = 5672;

/// The port between nodes of Erlang is so much higher.
const NODE_PORT_DISTANCE: u64 = 20_000;

/// The variables that tests read: the address, and the command that sets the broker.
const VARIABLE: &str = "MILLRACE_AMQP";
const CONTROL_VARIABLE: &str = "MILLRACE_RABBITMQCTL";

/// Where the package has its program.
const PROGRAMS: [&str; 2] = ["/usr/lib/rabbitmq/bin", "/usr/lib/rabbitmq/lib"];
const PROGRAM: &str = "rabbitmq-server";
const CONTROL: &str = "rabbitmqctl";

/// The first bytes of a client, and the first byte of the broker's answer, a method.
const GREETING: &[u8] = b"AMQP\x00\x00\x09\x01";
const METHOD: u8 = 1;

pub(super) fn run(wanted: &Wanted) -> Result<(), String> {
    let group = group_of(&wanted.home);
    match wanted.action {
        Action::Start => start(wanted, &group),
        Action::Stop => group.stop("-TERM"),
        Action::Kill => group.stop("-KILL"),
        Action::Wipe => {
            group.stop("-TERM")?;
            wipe(&wanted.home)
        }
    }
}

fn group_of(home: &Path) -> Group {
    let (pid_file, log) = (home.join("pid"), home.join("log/output"));
    Group { name: "the broker", pid_file, log, words: &["rabbit", "beam"] }
}

fn start(wanted: &Wanted, group: &Group) -> Result<(), String> {
    let port = wanted.port.unwrap_or(PORT);
    let own = group.running();
    if answers(port) && own.is_none() {
        return Err(format!("another broker answers on port {port}: name another one by --port"));
    }
    if own.is_none() {
        spawn(&wanted.home, port, group)?;
    }
    group.wait_until(|| answers(port))?;
    println!("export {VARIABLE}=amqp://guest:guest@127.0.0.1:{port}/%2f");
    if let Some(control) = program(CONTROL) {
        let (home, node) = (wanted.home.join("home"), node_name(port));
        let (home, control) = (home.display(), control.display());
        println!("export {CONTROL_VARIABLE}='env HOME={home} {control} -n {node}'");
    }
    Ok(())
}

fn spawn(home: &Path, port: u64, group: &Group) -> Result<(), String> {
    let program = match program(PROGRAM) {
        Some(program) => program,
        None => {
            install()?;
            program(PROGRAM).ok_or("rabbitmq-server was installed, and its program is not there")?
        }
    };
    let at = |error: std::io::Error| format!("{}: {error}", home.display());
    for folder in ["data", "log", "home"] {
        fs::create_dir_all(home.join(folder)).map_err(at)?;
    }
    let settings = format!(
        "listeners.tcp.1 = 127.0.0.1:{port}\nlog.file.level = info\ndisk_free_limit.absolute = 64MB\n"
    );
    fs::write(home.join("rabbitmq.conf"), settings).map_err(at)?;
    fs::write(home.join("enabled_plugins"), "[].\n").map_err(at)?;
    let path = |name: &str| home.join(name);
    let mut command = Command::new(program);
    command
        .env("HOME", path("home"))
        .env("RABBITMQ_NODENAME", node_name(port))
        .env("RABBITMQ_BASE", home)
        .env("RABBITMQ_CONFIG_FILE", path("rabbitmq.conf"))
        .env("RABBITMQ_ENABLED_PLUGINS_FILE", path("enabled_plugins"))
        .env("RABBITMQ_MNESIA_BASE", path("data"))
        .env("RABBITMQ_LOG_BASE", path("log"))
        .env("RABBITMQ_PID_FILE", path("beam.pid"))
        .env("RABBITMQ_CONF_ENV_FILE", path("none"))
        .env("RABBITMQ_ADVANCED_CONFIG_FILE", path("none.config"))
        .env("RABBITMQ_DIST_PORT", (port + NODE_PORT_DISTANCE).to_string())
        .env("ERL_EPMD_ADDRESS", "127.0.0.1")
        .env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
    group.start(&mut command)
}

fn node_name(port: u64) -> String {
    format!("millrace{port}@localhost")
}

/// A program of the package, if it is installed.
fn program(name: &str) -> Option<PathBuf> {
    let [bin, lib] = PROGRAMS.map(Path::new);
    let versions = fs::read_dir(lib).into_iter().flatten().flatten();
    let versions = versions.map(|version| version.path().join("sbin").join(name));
    std::iter::once(bin.join(name)).chain(versions).find(|program| program.is_file())
}

fn install() -> Result<(), String> {
    let mut user = Command::new("id");
    user.arg("-u");
    if process::output(user)?.trim() != "0" {
        return Err("rabbitmq-server is not installed, and only root may install it".to_owned());
    }
    eprintln!("installing rabbitmq-server");
    for words in [
        &["update", "-qq"][..],
        &["install", "-y", "-qq", "--no-install-recommends", "rabbitmq-server"],
    ] {
        let mut command = Command::new("apt-get");
        // Its service is not to be started.
        command.args(words).env("RUNLEVEL", "1").env("DEBIAN_FRONTEND", "noninteractive");
        command.stdout(std::io::stderr());
        process::run(command)?;
    }
    Ok(())
}

/// Whether a broker answers there.
fn answers(port: u64) -> bool {
    let Ok(port) = u16::try_from(port) else { return false };
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let Ok(mut socket) = TcpStream::connect_timeout(&address, PAUSE) else { return false };
    let mut first = [0];
    let asked = socket
        .set_read_timeout(Some(Duration::from_secs(3)))
        .and_then(|()| socket.write_all(GREETING))
        .and_then(|()| socket.read_exact(&mut first));
    asked.is_ok() && first == [METHOD]
}
