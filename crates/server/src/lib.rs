//! Listeners, limits, metrics: the sockets.
