//! Protocol codecs: bytes in, messages out, no sockets.
