//! The runtime of the client's tasks.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use tokio::runtime::{Builder, Runtime};

/// The runtime of the connections to brokers.
pub(crate) fn runtime() -> Result<Arc<Runtime>> {
    let built = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("millrace-amqp")
        .enable_all()
        .build();
    built
        .map(Arc::new)
        .map_err(|error| Error::new(ErrorKind::Io, format!("the queues did not start: {error}")))
}
