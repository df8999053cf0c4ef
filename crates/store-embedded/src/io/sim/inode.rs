//! The bytes of one simulated file: as programs see them, and as power loss would leave them.
//!
//! Both are kept, with every version a sector had since it was last synced: the disk may have
//! written any of them, or none. A sector has 512 bytes or 4 KiB and is never torn itself.

use std::collections::BTreeMap;

use crate::base::random::SimNumbers;

/// One state of a sector: the write that made it, and its bytes.
type Version = (u64, Vec<u8>);

#[derive(Debug, Clone)]
pub(super) struct Inode {
    sector_bytes: usize,
    /// Writes so far: the number of the newest.
    write_count: u64,
    /// The bytes that reads see.
    pub(super) seen: Vec<u8>,
    /// The bytes on the platter for sure.
    durable: Vec<u8>,
    /// Sector number → its versions since the last sync, oldest first.
    unsynced: BTreeMap<usize, Vec<Version>>,
}

/// The effects of power loss on the writes of one file that no sync covered.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Torn {
    /// A single write is there in part.
    pub(super) within_a_write: bool,
    /// A sector is there, and one before it of the same write is not.
    pub(super) out_of_order: bool,
}

impl Inode {
    pub(super) fn new(sector_bytes: usize) -> Inode {
        Inode {
            sector_bytes,
            write_count: 0,
            seen: Vec::new(),
            durable: Vec::new(),
            unsynced: BTreeMap::new(),
        }
    }

    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.write_count += 1;
        let end = offset + bytes.len();
        if self.seen.len() < end {
            self.seen.resize(end, 0);
        }
        self.seen[offset..end].copy_from_slice(bytes);
        for sector in offset / self.sector_bytes..end.div_ceil(self.sector_bytes) {
            let version = (self.write_count, self.sector(sector).to_vec());
            self.unsynced.entry(sector).or_default().push(version);
        }
    }

    pub(super) fn set_size(&mut self, bytes: usize) {
        self.seen.resize(bytes, 0);
        self.write_count += 1;
        let sectors = bytes.div_ceil(self.sector_bytes);
        self.unsynced.retain(|&sector, _| sector < sectors);
        // The rest of a sector that was truncated must read as zeros if the file grows again.
        if let Some(last) = sectors.checked_sub(1) {
            let version = (self.write_count, self.sector(last).to_vec());
            self.unsynced.entry(last).or_default().push(version);
        }
    }

    pub(super) fn sync(&mut self) {
        self.unsynced.clear();
        self.durable.clone_from(&self.seen);
    }

    /// A sync that failed: each sector was written or not, the system calls all of them clean, and
    /// may drop its copies in memory at once or when the power goes.
    pub(super) fn fail_sync(&mut self, random: &mut SimNumbers) {
        self.durable.resize(self.seen.len(), 0);
        for sector in std::mem::take(&mut self.unsynced).into_keys() {
            let range = self.range(sector, self.seen.len());
            if random.chance(1, 2) {
                let kept = self.seen[range.clone()].to_vec();
                self.durable[range].copy_from_slice(&kept);
            } else if random.chance(1, 2) {
                let lost = self.durable[range.clone()].to_vec();
                self.seen[range].copy_from_slice(&lost);
            }
        }
    }

    /// The power goes: any subset of the unsynced sectors is on the platter, in some version.
    pub(super) fn power_loss(&mut self, random: &mut SimNumbers) -> Torn {
        let size = truncated_size(self.durable.len(), self.seen.len(), random);
        self.durable.resize(size, 0);
        // Now and then all or nothing, else each sector on its own.
        let odds = [0, 1, 2, 3, 4][random.below(5) as usize];
        let mut fate = Fate::default();
        for (sector, versions) in std::mem::take(&mut self.unsynced) {
            let range = self.range(sector, size);
            let landed = !range.is_empty() && random.chance(odds, 4);
            let version = landed.then(|| random.below(versions.len() as u64) as usize);
            fate.note(&versions, version);
            let Some(version) = version else { continue };
            let version = &versions[version].1;
            let length = version.len().min(range.len());
            self.durable[range.start..range.start + length].copy_from_slice(&version[..length]);
        }
        self.seen.clone_from(&self.durable);
        fate.torn
    }

    /// Damage at rest: changes the bytes on the platter and those that reads see.
    pub(super) fn damage(&mut self, offset: usize, change: impl Fn(&mut u8)) {
        self.seen.get_mut(offset).into_iter().for_each(&change);
        self.durable.get_mut(offset).into_iter().for_each(&change);
    }

    fn sector(&self, sector: usize) -> &[u8] {
        &self.seen[self.range(sector, self.seen.len())]
    }

    fn range(&self, sector: usize, size: usize) -> std::ops::Range<usize> {
        let start = (sector * self.sector_bytes).min(size);
        start..(start + self.sector_bytes).min(size)
    }
}

/// Which writes landed so far, sector by sector, and which did not.
#[derive(Default)]
struct Fate {
    landed: Vec<u64>,
    lost: Vec<u64>,
    torn: Torn,
}

impl Fate {
    fn note(&mut self, versions: &[Version], landed: Option<usize>) {
        for (place, (write, _)) in versions.iter().enumerate() {
            // A newer version on the platter has the bytes of the older one, or covers them.
            if landed.is_some_and(|version| place <= version) {
                self.torn.out_of_order |= self.lost.contains(write);
                note(&mut self.landed, *write);
            } else {
                note(&mut self.lost, *write);
            }
        }
        let both = |(write, _): &Version| self.landed.contains(write) && self.lost.contains(write);
        self.torn.within_a_write |= versions.iter().any(both);
    }
}

/// An unsynced length may be the old one, the new one, or one between.
fn truncated_size(durable: usize, seen: usize, random: &mut SimNumbers) -> usize {
    let (low, high) = (durable.min(seen), durable.max(seen));
    match random.below(3) {
        0 => durable,
        1 => seen,
        _ => low + random.below((high - low) as u64 + 1) as usize,
    }
}

fn note(writes: &mut Vec<u64>, write: u64) {
    if writes.last() != Some(&write) {
        writes.push(write);
    }
}
