//! RabbitMQ, from the package of Debian, without its service: one broker of our own on loopback.
//!
//! The package's commands switch to its user; the programs behind them are run instead, with a home, a node name and ports
//! of their own, so that a broker that is there already is left alone.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Action, Wanted};
use crate::process;

const PORT: u64 = 5672;

/// The port between nodes of Erlang is so much higher.
const NODE_PORT_DISTANCE: u64 = 20_000;

/// The variables that tests read: the address, and the command that sets the broker.
const VARIABLE: &str = "MILLRACE_AMQP";
const CONTROL_VARIABLE: &str = "MILLRACE_RABBITMQCTL";

/// A machine that is busy otherwise needs minutes.
const START_MAX: Duration = Duration::from_secs(300);
const STOP_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(200);

/// Where the package has its program.
const PROGRAMS: [&str; 2] = ["/usr/lib/rabbitmq/bin", "/usr/lib/rabbitmq/lib"];
const PROGRAM: &str = "rabbitmq-server";
const CONTROL: &str = "rabbitmqctl";

/// How often in a row the broker's process may be missing before it has ended.
const ABSENT_MAX: u32 = 5;

/// The first bytes of a client, and the first byte of the broker's answer, a method.
const GREETING: &[u8] = b"AMQP\x00\x00\x09\x01";
const METHOD: u8 = 1;

pub(super) fn run(wanted: &Wanted) -> Result<(), String> {
    match wanted.action {
        Action::Start => start(wanted),
        Action::Stop => stop(&wanted.home, "-TERM"),
        Action::Kill => stop(&wanted.home, "-KILL"),
        Action::Wipe => {
            stop(&wanted.home, "-TERM")?;
            match fs::remove_dir_all(&wanted.home) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(format!("{}: {error}", wanted.home.display()))
                }
                _ => Ok(()),
            }
        }
    }
}

fn start(wanted: &Wanted) -> Result<(), String> {
    let port = wanted.port.unwrap_or(PORT);
    let pid_file = wanted.home.join("pid");
    let own = running(&pid_file);
    if answers(port) && own.is_none() {
        return Err(format!("another broker answers on port {port}: name another one by --port"));
    }
    if own.is_none() {
        spawn(&wanted.home, port, &pid_file)?;
    }
    let until = Instant::now() + START_MAX;
    let mut absent = 0;
    while !answers(port) {
        // A process that begins another program has no command for a moment.
        absent = if running(&pid_file).is_none() { absent + 1 } else { 0 };
        if absent == ABSENT_MAX || until <= Instant::now() {
            let log = wanted.home.join("log/output");
            let text = fs::read_to_string(&log).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let last = lines[lines.len().saturating_sub(20)..].join("\n");
            return Err(format!(
                "the broker does not answer; the end of {}:\n{last}",
                log.display()
            ));
        }
        std::thread::sleep(PAUSE);
    }
    println!("export {VARIABLE}=amqp://guest:guest@127.0.0.1:{port}/%2f");
    if let Some(control) = program(CONTROL) {
        let (home, node) = (wanted.home.join("home"), node_name(port));
        let (home, control) = (home.display(), control.display());
        println!("export {CONTROL_VARIABLE}='env HOME={home} {control} -n {node}'");
    }
    Ok(())
}

fn spawn(home: &Path, port: u64, pid_file: &Path) -> Result<(), String> {
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
    let output = fs::File::create(home.join("log/output")).map_err(at)?;
    let errors = output.try_clone().map_err(at)?;
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
        .env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}")
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        // The broker, its shell and what they start are one group, and end as one.
        .process_group(0);
    let child = command.spawn().map_err(|error| format!("{PROGRAM}: {error}"))?;
    fs::write(pid_file, child.id().to_string()).map_err(at)
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

/// The group of our broker, while it runs. Another process may have its number by now.
fn running(pid_file: &Path) -> Option<u32> {
    let pid: u32 = fs::read_to_string(pid_file).ok()?.trim().parse().ok()?;
    let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
    (command.contains("rabbit") || command.contains("beam")).then_some(pid)
}

fn stop(home: &Path, signal: &str) -> Result<(), String> {
    let pid_file = home.join("pid");
    let Some(pid) = running(&pid_file) else { return Ok(()) };
    let group = |signal: &str| {
        let mut command = Command::new("kill");
        command.args([signal, "--", &format!("-{pid}")]);
        process::succeeds(command)
    };
    group(signal);
    let until = Instant::now() + STOP_MAX;
    // The group is gone once none of it can be signalled.
    while group("-0") {
        if until <= Instant::now() {
            group("-KILL");
        }
        std::thread::sleep(PAUSE);
    }
    fs::remove_file(&pid_file).map_err(|error| format!("{}: {error}", pid_file.display()))
}
