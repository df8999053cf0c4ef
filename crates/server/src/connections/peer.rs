//! The other side of a connection, which each of its requests has in its extensions.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::http::Extensions;
use millrace_db::Client;

use super::Activity;

/// The other side of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    /// Its address.
    pub(crate) address: IpAddr,
    /// The client, for its share of the threads.
    pub(crate) client: Client,
}

impl Peer {
    /// The port at its address.
    pub(crate) fn port(&self) -> u16 {
        u16::try_from(self.client.connection).unwrap_or_default()
    }

    /// The peer at an address and port.
    pub(crate) fn of(peer: SocketAddr) -> Peer {
        let address = peer.ip().to_canonical();
        // A version 6 address counts as its network, since a machine chooses the lower half.
        let number = match address {
            IpAddr::V4(address) => u64::from(address.to_bits()),
            IpAddr::V6(address) => (address.to_bits() >> 64) as u64,
        };
        Peer { address, client: Client { address: number, connection: u64::from(peer.port()) } }
    }
}

/// The connection of a request, in its extensions.
#[derive(Clone)]
pub(crate) struct Connected {
    pub(crate) peer: Peer,
    pub(crate) activity: Arc<Activity>,
}

/// The other side of a request's connection.
pub(crate) fn peer_of(extensions: &Extensions) -> Peer {
    let unknown = || Peer { address: Ipv4Addr::UNSPECIFIED.into(), client: Client::default() };
    extensions.get::<Connected>().map_or_else(unknown, |connected| connected.peer)
}
