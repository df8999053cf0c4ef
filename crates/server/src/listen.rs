//! Where a listener listens. An address that other machines reach wants an explicit word.

use std::fmt;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use millrace_db::settings::ListenSettings;
use millrace_model::{Error, ErrorKind, Result};

/// Why a server did not start.
#[derive(Debug)]
pub enum StartError {
    /// Somebody else listens there.
    PortInUse(SocketAddr),
    /// Anything else.
    Failed(Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::PortInUse(address) => write!(
                f,
                "{address} is in use by another program (stop it, or listen elsewhere: \
                 --listen lua=127.0.0.1:PORT)"
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

/// The address of the settings.
pub(crate) fn address(settings: &ListenSettings) -> Result<SocketAddr> {
    let text = &settings.lua;
    let bad = |why: String| {
        Error::new(ErrorKind::BadInput, format!("listen.lua is `{text}`: {why}"))
            .with_help("write ADDRESS:PORT, as 127.0.0.1:7243")
    };
    let mut addresses = text.to_socket_addrs().map_err(|error| bad(error.to_string()))?;
    let address = addresses.next().ok_or_else(|| bad("no address has this name".to_owned()))?;
    if !address.ip().is_loopback() && !settings.allow_open {
        let detail = format!("{address} is reached by other machines, and there is no login yet");
        let help = "listen on 127.0.0.1, or set listen.allow-open = true";
        return Err(Error::new(ErrorKind::Forbidden, detail).with_help(help));
    }
    Ok(address)
}

/// A bound socket, ready for the runtime.
pub(crate) fn bind(address: SocketAddr) -> std::result::Result<TcpListener, StartError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AddrInUse => StartError::PortInUse(address),
        _ => Error::new(ErrorKind::Io, format!("cannot listen on {address}: {error}")).into(),
    };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(lua: &str, allow_open: bool) -> ListenSettings {
        ListenSettings { lua: lua.to_owned(), allow_open }
    }

    #[test]
    fn an_open_address_needs_a_word() {
        assert!(address(&settings("127.0.0.1:0", false)).is_ok());
        assert!(address(&settings("[::1]:0", false)).is_ok());
        assert!(address(&settings("0.0.0.0:0", true)).is_ok());
        let refused = address(&settings("0.0.0.0:0", false)).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Forbidden);
        assert!(refused.to_string().contains("listen.allow-open"), "{refused}");
    }

    #[test]
    fn a_wrong_address_says_how_to_write_one() {
        for wrong in ["7243", "127.0.0.1", "127.0.0.1:port", ""] {
            let refused = address(&settings(wrong, false)).unwrap_err();
            assert_eq!(refused.kind, ErrorKind::BadInput, "{wrong}");
            assert!(refused.to_string().contains("ADDRESS:PORT"), "{refused}");
        }
    }

    #[test]
    fn a_taken_port_is_told_apart() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let refused = bind(taken.local_addr().unwrap());
        assert!(matches!(refused, Err(StartError::PortInUse(_))), "{refused:?}");
    }
}
