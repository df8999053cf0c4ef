//! The processes of an experiment and their processor time, as far as they are on this machine.

use std::net::ToSocketAddrs;
use std::path::Path;

use crate::process::{listener_on, processor_seconds_in};

/// A name and a process, one for each part of the experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    named: Vec<(&'static str, u32)>,
}

/// Seconds of processor time so far.
pub(super) struct ProcessorTime {
    named: Vec<(&'static str, u32, Option<f64>)>,
}

impl Processes {
    pub(super) fn add(&mut self, name: &'static str, process: Option<u32>) {
        self.named.extend(process.map(|process| (name, process)));
    }

    /// The same with one more.
    pub(super) fn with(&self, name: &'static str, process: u32) -> Processes {
        let mut processes = self.clone();
        processes.add(name, Some(process));
        processes
    }

    pub(super) fn time(&self) -> ProcessorTime {
        let seconds = |process: u32| {
            processor_seconds_in(&Path::new("/proc").join(process.to_string()).join("stat"))
        };
        let timed = self.named.iter().map(|(name, process)| (*name, *process, seconds(*process)));
        ProcessorTime { named: timed.collect() }
    }
}

impl ProcessorTime {
    /// Seconds since an earlier look; a process that the system does not report is left out.
    pub(super) fn since(&self, earlier: &ProcessorTime) -> Vec<(&'static str, f64)> {
        let since = |(name, process, seconds): &(&'static str, u32, Option<f64>)| {
            let before = earlier.named.iter().find(|(_, other, _)| other == process)?;
            Some((*name, (*seconds)? - before.2?))
        };
        self.named.iter().filter_map(since).collect()
    }
}

/// The process of this machine that listens where a URL or `HOST:PORT` leads to, if there is one.
pub(super) fn process_of(url: &str, port: u16) -> Option<u32> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split('/').next()?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = if has_port { host.to_owned() } else { format!("{host}:{port}") };
    let address = host.to_socket_addrs().ok()?.find(|address| address.ip().is_loopback())?;
    listener_on(address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_port_of_this_machine_has_its_process() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // Other systems do not say it.
        let Some(process) = process_of(&format!("amqp://a:b@127.0.0.1:{port}/%2f"), 5672) else {
            assert!(!Path::new("/proc/net/tcp").exists());
            return;
        };
        assert_eq!(process, std::process::id());
        assert_eq!(process_of("amqp://127.0.0.1", port), Some(process));
        let mut processes = Processes::default();
        processes.add("bench", Some(process));
        let before = processes.time();
        let since = processes.time().since(&before);
        assert!(matches!(since[..], [("bench", seconds)] if 0.0 <= seconds), "{since:?}");
    }
}
