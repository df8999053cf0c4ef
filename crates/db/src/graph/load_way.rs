//! How a load becomes visible: at its end, or batch by batch.

use millrace_ingest::load::{BatchOptions, LoadOptions};

/// How a load becomes visible.
#[derive(Clone, Debug)]
pub enum LoadWay {
    /// As one commit: all or nothing.
    Whole(LoadOptions),
    /// Batch by batch, with a journal to go on with.
    Batches(BatchOptions),
}

impl From<LoadOptions> for LoadWay {
    fn from(options: LoadOptions) -> LoadWay {
        LoadWay::Whole(options)
    }
}
