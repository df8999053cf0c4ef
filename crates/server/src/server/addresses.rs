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
    check_names(settings)?;
    let mut places = Vec::new();
    for &listener in listeners::ALL {
        let text = settings.address(listener.name()).unwrap_or(listener.default_address());
        if !is_off(text) {
            let address = address(listener.name(), text, settings.allow_open)?;
            places.push(Place { listener, address });
        }
    }
    if places.is_empty() {
        let detail = "no listener has an address";
        let settings: Vec<String> = rows().iter().map(ListenerRow::setting).collect();
        let help = format!("set one of {}", settings.join(", "));
        return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
    }
    Ok(places)
}

/// Refuses an address for a listener that is not there.
fn check_names(settings: &ListenSettings) -> Result<()> {
    let known: Vec<&str> = listeners::ALL.iter().map(|listener| listener.name()).collect();
    let Some(unknown) = settings.addresses.keys().find(|name| !known.contains(&name.as_str()))
    else {
        return Ok(());
    };
    let error = Error::new(ErrorKind::BadInput, format!("there is no listener `{unknown}`"));
    Err(match nearest(unknown, known.iter().copied()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help(format!("there is {}", known.join(", "))),
    })
}

fn address(name: &str, text: &str, allow_open: bool) -> Result<SocketAddr> {
    let bad = |why: String| {
        Error::new(ErrorKind::BadInput, format!("listen.{name} is `{text}`: {why}"))
            .with_help("write ADDRESS:PORT, as 127.0.0.1:7243")
    };
    let mut addresses = text.to_socket_addrs().map_err(|error| bad(error.to_string()))?;
    let address = addresses.next().ok_or_else(|| bad("this name has no address".to_owned()))?;
    if !address.ip().is_loopback() && !allow_open {
        let detail = format!("{address} is reachable from other machines");
        let help = "listen on 127.0.0.1, or set listen.allow-open = true (and users.file, so that \
                    clients must log in)";
        return Err(Error::new(ErrorKind::Forbidden, detail).with_help(help));
    }
    Ok(address)
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

    #[test]
    fn a_listener_without_a_setting_has_its_own_address_and_an_unknown_one_is_refused() {
        let own = places(&ListenSettings::default()).unwrap();
        let on = listeners::ALL.iter().filter(|listener| !is_off(listener.default_address()));
        assert_eq!(own.len(), on.count());
        assert!(
            own.iter().all(|place| place.listener.default_address().parse() == Ok(place.address))
        );
        for (name, help) in [("gremln", "did you mean `gremlin`"), ("nonsense", "there is ")] {
            let mut settings = ListenSettings::default();
            settings.set(name, "127.0.0.1:0");
            let refused = places(&settings).err().unwrap().to_string();
            assert!(refused.contains(help), "{refused}");
        }
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
