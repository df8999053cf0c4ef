//! Where a listener listens. An address that other machines reach wants an explicit word.

use std::fmt;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use millrace_db::settings::ListenSettings;
use millrace_model::{Error, ErrorKind, Result};

/// Why a server did not start.
#[derive(Debug)]
pub enum StartError {
    /// Another process listens there.
    PortInUse(Protocol, SocketAddr),
    /// Anything else.
    Failed(Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::PortInUse(protocol, address) => write!(
                f,
                "{address} is in use by another program (stop it, or listen elsewhere: \
                 --listen {}=127.0.0.1:PORT)",
                protocol.name()
            ),
            StartError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Error> for StartError {
    fn from(error: Error) -> StartError {
        StartError::Failed(error)
    }
}

/// A protocol that is listened for, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) protocol: Protocol,
    pub(crate) address: SocketAddr,
}

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// RageDB's HTTP interface.
    Lua,
    /// Gremlin over WebSocket and HTTP.
    Gremlin,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 2] = [Protocol::Lua, Protocol::Gremlin];

    /// Its name, as settings and flags have it.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Lua => "lua",
            Protocol::Gremlin => "gremlin",
        }
    }

    /// Where it listens, as the settings say it; empty: nowhere.
    fn text(self, settings: &ListenSettings) -> &str {
        match self {
            Protocol::Lua => &settings.lua,
            Protocol::Gremlin => &settings.gremlin,
        }
    }
}

/// All that the settings want listened for.
pub(crate) fn places(settings: &ListenSettings) -> Result<Vec<Place>> {
    let wanted = Protocol::ALL.into_iter().filter(|own| !own.text(settings).is_empty());
    let places = wanted.map(|protocol| {
        let address = address(protocol, settings)?;
        Ok(Place { protocol, address })
    });
    let places: Vec<Place> = places.collect::<Result<_>>()?;
    if places.is_empty() {
        let detail = "no protocol has an address to listen at";
        let help = "set listen.lua or listen.gremlin";
        return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
    }
    Ok(places)
}

fn address(protocol: Protocol, settings: &ListenSettings) -> Result<SocketAddr> {
    let (name, text) = (protocol.name(), protocol.text(settings));
    let bad = |why: String| {
        Error::new(ErrorKind::BadInput, format!("listen.{name} is `{text}`: {why}"))
            .with_help("write ADDRESS:PORT, as 127.0.0.1:7243")
    };
    let mut addresses = text.to_socket_addrs().map_err(|error| bad(error.to_string()))?;
    let address =
        addresses.next().ok_or_else(|| bad("the name resolves to no address".to_owned()))?;
    if !address.ip().is_loopback() && !settings.allow_open {
        let detail = format!("{address} is reachable from other machines");
        let help = "listen on 127.0.0.1, or set listen.allow-open = true (and users.file, so that \
                    clients must log in)";
        return Err(Error::new(ErrorKind::Forbidden, detail).with_help(help));
    }
    Ok(address)
}

/// A bound socket, ready for the runtime.
pub(crate) fn bind(
    Place { protocol, address }: Place,
) -> std::result::Result<TcpListener, StartError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AddrInUse => StartError::PortInUse(protocol, address),
        _ => Error::new(ErrorKind::Io, format!("cannot listen on {address}: {error}")).into(),
    };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(lua: &str, allow_open: bool) -> Result<SocketAddr> {
        let gremlin = String::new();
        let lua = lua.to_owned();
        let settings = ListenSettings { lua, gremlin, allow_open, ..ListenSettings::default() };
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
    fn a_taken_port_has_its_own_message() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let refused = bind(Place { protocol: Protocol::Gremlin, address });
        assert!(matches!(refused, Err(StartError::PortInUse(Protocol::Gremlin, _))), "{refused:?}");
    }
}
