//! Files and queues to write batches.
