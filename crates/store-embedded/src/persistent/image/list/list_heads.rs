//! Where the list of each local begins and ends: an offset for every local, or, under 1/16 full,
//! only for those that have one.

use crate::base::codec::{Malformed, Reader, put_u16s, put_u32s};
use crate::base::limits::SPARSE_FRACTION;
use crate::persistent::image::PARTITION_LOCALS;

/// Where lists begin and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::persistent::image) enum Heads {
    Dense(Vec<u32>),
    Sparse { locals: Vec<u16>, offsets: Vec<u32> },
}

const DENSE: u8 = 0;
const SPARSE: u8 = 1;

impl Heads {
    /// Heads of the form that suits how many lists there are.
    pub(in crate::persistent::image) fn of_sparse(locals: Vec<u16>, offsets: Vec<u32>) -> Heads {
        if locals.len() < PARTITION_LOCALS / SPARSE_FRACTION {
            return Heads::Sparse { locals, offsets };
        }
        let mut dense = Vec::with_capacity(PARTITION_LOCALS + 1);
        for (local, &offset) in locals.iter().zip(&offsets) {
            dense.resize(*local as usize + 1, offset);
        }
        dense.resize(PARTITION_LOCALS + 1, offsets[locals.len()]);
        Heads::Dense(dense)
    }

    /// Heads of the form that suits how many lists there are.
    pub(in crate::persistent::image) fn of_dense(offsets: Vec<u32>) -> Heads {
        let lists = offsets.windows(2).filter(|pair| pair[0] < pair[1]).count();
        if lists >= PARTITION_LOCALS / SPARSE_FRACTION {
            return Heads::Dense(offsets);
        }
        let mut locals = Vec::with_capacity(lists);
        let mut starts = Vec::with_capacity(lists + 1);
        for (local, pair) in offsets.windows(2).enumerate().filter(|(_, pair)| pair[0] < pair[1]) {
            locals.push(local as u16);
            starts.push(pair[0]);
        }
        starts.push(offsets[PARTITION_LOCALS]);
        Heads::Sparse { locals, offsets: starts }
    }

    /// Whether every list lies within `edges` entries, in order.
    pub(in crate::persistent::image) fn is_sound(&self, edges: usize) -> bool {
        let ascending = |offsets: &[u32]| {
            offsets.first() == Some(&0)
                && offsets.last().is_some_and(|&end| end as usize == edges)
                && offsets.is_sorted()
        };
        match self {
            Heads::Dense(offsets) => offsets.len() == PARTITION_LOCALS + 1 && ascending(offsets),
            Heads::Sparse { locals, offsets } => {
                offsets.len() == locals.len() + 1
                    && ascending(offsets)
                    && locals.is_sorted_by(|left, right| left < right)
            }
        }
    }

    pub(in crate::persistent::image) fn encode(&self, bytes: &mut Vec<u8>) {
        match self {
            Heads::Dense(offsets) => {
                bytes.push(DENSE);
                put_u32s(bytes, offsets);
            }
            Heads::Sparse { locals, offsets } => {
                bytes.push(SPARSE);
                put_u16s(bytes, locals);
                put_u32s(bytes, offsets);
            }
        }
    }

    pub(in crate::persistent::image) fn decode(
        reader: &mut Reader<'_>,
    ) -> Result<Heads, Malformed> {
        match reader.u8()? {
            DENSE => Ok(Heads::Dense(reader.u32s()?)),
            SPARSE => Ok(Heads::Sparse { locals: reader.u16s()?, offsets: reader.u32s()? }),
            _ => Err(reader.malformed("the heads of lists have an unknown form")),
        }
    }

    /// Bytes in memory beyond the enum.
    pub(in crate::persistent::image) fn byte_size(&self) -> usize {
        match self {
            Heads::Dense(offsets) => offsets.capacity() * 4,
            Heads::Sparse { locals, offsets } => locals.capacity() * 2 + offsets.capacity() * 4,
        }
    }
}
