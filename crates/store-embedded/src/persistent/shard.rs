//! Shards, and the segments they are installed with.

use millrace_model::IndexId;

use crate::base::codec::{Malformed, Reader, put_u32, put_u64};
use crate::io::{FileKind, FileName};

type Decoded<T> = Result<T, Malformed>;

/// A partition, or a shard of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ShardName {
    /// A partition, by ordinal.
    Partition(u32),
    /// A shard of an index.
    Index(IndexId, u32),
}

/// A shard's newest segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Installed {
    pub(crate) shard: ShardName,
    pub(crate) checkpoint: u64,
    pub(crate) file: FileName,
}

impl Installed {
    /// Appends it; the manifest has the same form.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        match self.shard {
            ShardName::Partition(ordinal) => {
                bytes.push(0);
                put_u32(bytes, ordinal);
            }
            ShardName::Index(index, shard) => {
                bytes.push(1);
                put_u32(bytes, index.0);
                put_u32(bytes, shard);
            }
        }
        put_u64(bytes, self.checkpoint);
        put_u64(bytes, self.file.number);
    }

    /// Takes it.
    pub(crate) fn decode(reader: &mut Reader<'_>) -> Decoded<Installed> {
        let shard = match reader.u8()? {
            0 => ShardName::Partition(reader.u32()?),
            1 => ShardName::Index(IndexId(reader.u32()?), reader.u32()?),
            _ => return Err(reader.malformed("an unknown kind of shard")),
        };
        let checkpoint = reader.u64()?;
        let file = FileName { kind: FileKind::Segment, number: reader.u64()? };
        Ok(Installed { shard, checkpoint, file })
    }
}
