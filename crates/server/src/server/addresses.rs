//! Where listeners listen: their addresses, and the sockets that are bound for them.
//!
//! An address that other machines reach needs `listen.allow-open`.

use std::fmt;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use millrace_db::settings::{ListenSettings, ListenerRow, is_off, nearest};
use millrace_model::{Error, ErrorKind, Result};

use crate::listeners::{self, Listener};

/// All listeners, as the settings know them.
pub fn rows() -> Vec<ListenerRow> {
    let row = |listener: &&dyn Listener| ListenerRow {
        name: listener.name(),
        default_address: listener.default_address(),
        usual_address: listener.usual_address(),
        about: listener.about(),
        is_administration: listener.is_administration(),
    };
    listeners::ALL.iter().map(row).collect()
}

/// Why a server did not start.
#[derive(Debug)]
pub enum StartError {
    /// Another process listens at the address of a listener.
    PortInUse(&'static str, SocketAddr),
    /// What a setting names is wrong.
    Setting(Error),
    /// Anything else.
    Failed(Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::PortInUse(listener, address) => write!(
                f,
                "{address} is in use by another program (stop it, or listen elsewhere: \
                 --listen {listener}=127.0.0.1:PORT)"
            ),
            StartError::Setting(error) | StartError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Error> for StartError {
    fn from(error: Error) -> StartError {
        StartError::Failed(error)
    }
}

/// A listener that is on, and where.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) listener: &'static dyn Listener,
    pub(crate) address: SocketAddr,
}

/// All that the settings want listened for.
pub(crate) fn places(settings: &ListenSettings) -> Result<Vec<Place>> {
    let (places, faults) = addresses(settings);
    faults.into_iter().next().map_or(Ok(places), Err)
}

/// The same, with everything that is wrong: addresses that are none, that other machines reach, that two listeners have.
pub(super) fn addresses(settings: &ListenSettings) -> (Vec<Place>, Vec<Error>) {
    let (mut places, mut faults) = (Vec::new(), unknown_names(settings));
    let mut is_any_on = false;
    for &listener in listeners::ALL {
        let text = settings.address(listener.name()).unwrap_or(listener.default_address());
        if is_off(text) {
            continue;
        }
        is_any_on = true;
        match address(listener, text, settings.allow_open) {
            Ok(address) => places.push(Place { listener, address }),
            Err(fault) => faults.push(fault),
        }
    }
    if !is_any_on {
        let detail = "no listener has an address";
        let settings: Vec<String> = rows().iter().map(ListenerRow::setting).collect();
        let help = format!("set one of {}", settings.join(", "));
        faults.push(Error::new(ErrorKind::BadInput, detail).with_help(help));
    }
    faults.extend(shared_ports(&places));
    (places, faults)
}

/// Addresses for listeners that are not there.
fn unknown_names(settings: &ListenSettings) -> Vec<Error> {
    let known: Vec<&str> = listeners::ALL.iter().map(|listener| listener.name()).collect();
    let unknown = settings.addresses.keys().filter(|name| !known.contains(&name.as_str()));
    let refused = |name: &String| {
        let error = Error::new(ErrorKind::BadInput, format!("there is no listener `{name}`"));
        match nearest(name, known.iter().copied()) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help(format!("listeners: {}", known.join(", "))),
        }
    };
    unknown.map(refused).collect()
}

/// Pairs of listeners of which the second could not listen beside the first.
fn shared_ports(places: &[Place]) -> Vec<Error> {
    let mut faults = Vec::new();
    for (number, Place { listener, address }) in places.iter().enumerate() {
        let earlier = places[..number].iter().find(|other| meet(other.address, *address));
        if let Some(other) = earlier {
            let (name, other_name) = (listener.name(), other.listener.name());
            let detail = format!(
                "listen.{name} is `{address}`, and listen.{other_name} is `{}`: two listeners cannot share a port",
                other.address
            );
            let help = format!("set another port for listen.{name}, or switch one of them off");
            faults.push(Error::new(ErrorKind::BadInput, detail).with_help(help));
        }
    }
    faults
}

/// Whether two sockets cannot be bound at the same time. An unspecified address of version 6 takes both versions.
fn meet(one: SocketAddr, other: SocketAddr) -> bool {
    let takes = |one: SocketAddr, other: SocketAddr| {
        one.ip().is_unspecified() && (one.is_ipv6() || other.is_ipv4())
    };
    let is_same_address = one.ip() == other.ip() || takes(one, other) || takes(other, one);
    one.port() != 0 && one.port() == other.port() && is_same_address
}

fn address(listener: &dyn Listener, text: &str, allow_open: bool) -> Result<SocketAddr> {
    let name = listener.name();
    let own = listener.usual_address();
    let example = if own.is_empty() { "127.0.0.1:7474" } else { own };
    let bad = |why: &str| {
        let error = Error::new(ErrorKind::BadInput, format!("listen.{name} is `{text}`: {why}"));
        error.with_help(format!("write ADDRESS:PORT, as {example}; `off` switches it off"))
    };
    let Some((host, port)) = text.rsplit_once(':') else {
        return Err(match text.parse::<u16>() {
            Ok(port) => bad("a port has no address")
                .with_help(format!("write ADDRESS:PORT, as 127.0.0.1:{port}")),
            Err(_) => bad("it has no port"),
        });
    };
    let Ok(port) = port.parse::<u16>() else {
        return Err(bad("there is no port from 0 to 65535 after the last colon"));
    };
    if host.is_empty() {
        let help = format!(
            "write 127.0.0.1:{port}, or 0.0.0.0:{port} with listen.allow-open = true for other machines"
        );
        return Err(bad("there is no address before the port").with_help(help));
    }
    let mut addresses = text.to_socket_addrs().map_err(|error| bad(&error.to_string()))?;
    let address = addresses.next().ok_or_else(|| bad("this name has no address"))?;
    if !address.ip().is_loopback() && !allow_open {
        let detail = format!("listen.{name} is `{text}`, which is reachable from other machines");
        let help = "listen on 127.0.0.1, or set listen.allow-open = true (and users.file, so that \
                    clients must log in)";
        return Err(Error::new(ErrorKind::Forbidden, detail).with_help(help));
    }
    Ok(address)
}

/// Why an address cannot be listened at whatever else listens: it is not one of this machine, or its port is not for this
/// account.
pub(super) fn unusable(Place { listener, address }: &Place) -> Option<Error> {
    /// Ports below it are for privileged accounts, unless the system allows them to all.
    const PRIVILEGED: u16 = 1024;
    // Any port tells whether the address is there; a privileged one is tried itself.
    let port = if address.port() < PRIVILEGED { address.port() } else { 0 };
    let why = match TcpListener::bind((address.ip(), port)).map_err(|error| error.kind()) {
        Err(std::io::ErrorKind::PermissionDenied) => "this account may not listen at this port",
        Err(std::io::ErrorKind::AddrNotAvailable) => "this machine has no such address",
        _ => return None,
    };
    let name = listener.name();
    let error = Error::new(ErrorKind::BadInput, format!("listen.{name} is `{address}`: {why}"));
    Some(error.with_help("set an address of this machine and a port from 1024 on"))
}

/// A bound socket, ready for the runtime.
pub(crate) fn bind(
    Place { listener, address }: Place,
) -> std::result::Result<TcpListener, StartError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AddrInUse => StartError::PortInUse(listener.name(), address),
        _ => Error::new(ErrorKind::Io, format!("cannot listen on {address}: {error}")).into(),
    };
    let socket = TcpListener::bind(address).map_err(failed)?;
    socket.set_nonblocking(true).map_err(failed)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address of `lua` where nothing else listens.
    fn address(lua: &str, allow_open: bool) -> Result<SocketAddr> {
        let mut settings = ListenSettings { allow_open, ..ListenSettings::default() };
        listeners::ALL.iter().for_each(|listener| settings.set(listener.name(), "off"));
        settings.set("lua", lua);
        places(&settings).map(|places| places[0].address)
    }

    #[test]
    fn an_open_address_needs_a_word() {
        assert!(address("127.0.0.1:0", false).is_ok());
        assert!(address("[::1]:0", false).is_ok());
        assert!(address("0.0.0.0:0", true).is_ok());
        let refused = address("0.0.0.0:0", false).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Forbidden);
        assert!(refused.to_string().contains("listen.allow-open"), "{refused}");
    }

    #[test]
    fn a_wrong_address_says_how_to_write_one() {
        for wrong in ["7243", "127.0.0.1", "127.0.0.1:port"] {
            let refused = address(wrong, false).unwrap_err();
            assert_eq!(refused.kind, ErrorKind::BadInput, "{wrong}");
            assert!(refused.to_string().contains("ADDRESS:PORT"), "{refused}");
        }
        let nowhere = address("", false).unwrap_err();
        assert!(nowhere.to_string().contains("listen.gremlin"), "{nowhere}");
    }

    /// Symptom: `:22187` was looked up as the name of a machine, and the same port for two listeners was "in use by another
    /// program".
    #[test]
    fn everything_that_is_wrong_with_addresses_is_named_together() {
        let mut settings = ListenSettings::default();
        settings.set("admin", "127.0.0.1:22187");
        settings.set("bolt", "7687");
        settings.set("gremlin", ":22188");
        settings.set("lua", "127.0.0.1:22187");
        settings.set("neo4j-http", "0.0.0.0:22189");
        let (places, faults) = addresses(&settings);
        assert_eq!(places.len(), 2);
        let faults: Vec<String> = faults.iter().map(Error::to_string).collect();
        let words = ["127.0.0.1:7687", "no address", "reachable", "two listeners cannot share"];
        assert_eq!(faults.len(), words.len(), "{faults:?}");
        assert!(faults.iter().zip(words).all(|(own, words)| own.contains(words)), "{faults:?}");
    }

    #[test]
    fn sockets_meet_at_one_port_of_addresses_that_take_each_other() {
        for (one, other, do_meet) in [
            ("127.0.0.1:9", "127.0.0.1:9", true),
            ("127.0.0.1:9", "127.0.0.2:9", false),
            ("0.0.0.0:9", "127.0.0.2:9", true),
            ("[::]:9", "127.0.0.1:9", true),
            ("0.0.0.0:9", "[::1]:9", false),
            ("127.0.0.1:0", "127.0.0.1:0", false),
            ("127.0.0.1:9", "127.0.0.1:8", false),
        ] {
            let met = meet(one.parse().unwrap(), other.parse().unwrap());
            assert_eq!(met, do_meet, "{one} {other}");
        }
    }

    #[test]
    fn an_address_of_another_machine_cannot_be_used() {
        let place = |address: &str| Place {
            listener: listeners::ALL[0],
            address: address.parse().unwrap(),
        };
        // A network for documentation, which no machine is in.
        let error = unusable(&place("192.0.2.1:7687")).unwrap().to_string();
        assert!(error.contains("this machine has no such address"), "{error}");
        assert_eq!(unusable(&place("127.0.0.1:7687")), None);
    }

    #[test]
    fn a_listener_without_a_setting_has_its_own_address_and_an_unknown_one_is_refused() {
        let own = places(&ListenSettings::default()).unwrap();
        let on = listeners::ALL.iter().filter(|listener| !is_off(listener.default_address()));
        assert_eq!(own.len(), on.count());
        assert!(
            own.iter().all(|place| place.listener.default_address().parse() == Ok(place.address))
        );
        for (name, help) in [("gremln", "did you mean `gremlin`"), ("nonsense", "listeners: ")] {
            let mut settings = ListenSettings::default();
            settings.set(name, "127.0.0.1:0");
            let refused = places(&settings).err().unwrap().to_string();
            assert!(refused.contains(help), "{refused}");
        }
    }

    #[test]
    fn usual_addresses_are_of_this_machine_and_no_two_share_a_port() {
        let mut ports = Vec::new();
        for row in rows() {
            if row.usual_address.is_empty() {
                assert!(row.default_address.is_empty(), "{}", row.name);
                continue;
            }
            let address: SocketAddr = row.usual_address.parse().unwrap();
            assert!(address.ip().is_loopback() && !ports.contains(&address.port()), "{}", row.name);
            ports.push(address.port());
        }
        let dql = rows().into_iter().find(|row| row.name == "dql").unwrap();
        assert_eq!((dql.default_address, dql.usual_address), ("", "127.0.0.1:8080"));
    }

    #[test]
    fn names_are_in_order_and_stand_once() {
        assert!(listeners::ALL.is_sorted_by(|one, next| one.name() < next.name()));
    }

    #[test]
    fn a_taken_port_has_its_own_message() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let refused = bind(Place { listener: listeners::ALL[0], address });
        let name = listeners::ALL[0].name();
        assert!(
            matches!(refused, Err(StartError::PortInUse(own, _)) if own == name),
            "{refused:?}"
        );
    }
}
