//! When a merge of a base with its delta layers is due.

const MERGE_SHARE_WHOLE: u64 = 256;

/// The most bytes that the next delta layer of a shard may have. Layers have cost `paid` bytes since the base of so many,
/// and a merge is due when they cost `percent` of it.
pub(crate) fn layer_bytes_max((stored, paid): (u64, u64), percent: u64, number: u32) -> u64 {
    let budget = stored.saturating_mul(percent) / 100;
    let budget = budget.saturating_mul(merge_share(number)) / MERGE_SHARE_WHOLE;
    budget.saturating_sub(paid).min(budget / 2)
}

/// Three to five quarters of the cost of a merge, different for each shard, so that one checkpoint does not merge all shards
/// that were filled alike.
fn merge_share(number: u32) -> u64 {
    // Multiples of the golden ratio lie evenly, however many there are.
    let spread = u64::from(number.wrapping_mul(0x9E37_79B1) >> 25);
    MERGE_SHARE_WHOLE * 3 / 4 + spread
}
