//! `Roar`: a set of 64-bit ids, as a map of small bitmaps. RageDB's is a Roaring bitmap.
//!
//! The methods that a script calls are in `functions`.

use std::collections::BTreeMap;

use mlua::{AnyUserData, Lua};

use crate::json;
use crate::limits::ENTRIES_BETWEEN_CHECKS;
use crate::memory::{Growth, Reservation};
use crate::session::{Session, TextRoom};

/// Ids of a block.
const BLOCK_IDS: u64 = 256;

/// About how many bytes a block takes in the map.
const BLOCK_BYTES: usize = 64;

/// Blocks that are reserved beyond those of the set.
const BLOCKS_RESERVED: usize = 64;

/// Ids flipped between two deadline checks.
const FLIPS_BETWEEN_CHECKS: u64 = 1 << 16;

type Block = [u64; 4];

/// The blocks of a set, by number; none is empty.
type Blocks = BTreeMap<u64, Block>;

/// A set of ids.
#[derive(Debug, Default)]
pub(crate) struct Roar {
    blocks: Blocks,
    reservation: Option<Reservation>,
}

fn place(id: u64) -> (u64, usize, u64) {
    let within = id % BLOCK_IDS;
    (id / BLOCK_IDS, (within / 64) as usize, 1 << (within % 64))
}

fn bits(block: &Block) -> u64 {
    block.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// How two sets are combined, bit by bit; nothing comes from two zeros.
pub(crate) type Combine = fn(u64, u64) -> u64;

impl Roar {
    /// Adds an id; whether it is new.
    pub(crate) fn add(&mut self, id: u64) -> bool {
        let (block, word, bit) = place(id);
        let word = &mut self.blocks.entry(block).or_default()[word];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes an id; whether it was there.
    pub(crate) fn remove(&mut self, id: u64) -> bool {
        let (number, word, bit) = place(id);
        let Some(block) = self.blocks.get_mut(&number) else { return false };
        let was_there = block[word] & bit != 0;
        block[word] &= !bit;
        if bits(block) == 0 {
            self.blocks.remove(&number);
        }
        was_there
    }

    /// Whether an id is in the set.
    pub(crate) fn contains(&self, id: u64) -> bool {
        let (block, word, bit) = place(id);
        self.blocks.get(&block).is_some_and(|block| block[word] & bit != 0)
    }

    /// How many ids there are.
    pub(crate) fn cardinality(&self) -> u64 {
        self.blocks.values().map(bits).sum()
    }

    /// The ids, ascending.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.blocks.iter().flat_map(|(number, block)| {
            (0..BLOCK_IDS)
                .filter(|within| block[(within / 64) as usize] >> (within % 64) & 1 == 1)
                .map(move |within| number * BLOCK_IDS + within)
        })
    }

    /// The ids, ascending, counted before they are listed.
    pub(crate) fn ids(&self, growth: &Growth) -> mlua::Result<Vec<u64>> {
        growth.add(usize::try_from(self.cardinality()).unwrap_or(usize::MAX), size_of::<u64>())?;
        Ok(self.iter().collect())
    }

    /// The ids as text.
    pub(crate) fn text(&self, separator: &str) -> mlua::Result<String> {
        let (growth, mut text) = (Growth::default(), String::new());
        for (place, id) in self.iter().enumerate() {
            let before = text.len();
            if place > 0 {
                text.push_str(separator);
            }
            json::write_display(&mut text, id);
            // Growing, it is copied; then Lua copies it.
            growth.add(1, 3 * (text.len() - before))?;
        }
        Ok(text)
    }

    /// How many ids are at most this one.
    pub(crate) fn rank(&self, id: u64) -> u64 {
        let (number, ..) = place(id);
        let before: u64 = self.blocks.range(..number).map(|(_, block)| bits(block)).sum();
        let Some(block) = self.blocks.get(&number) else { return before };
        let at_most = |within: &u64| block[(within / 64) as usize] >> (within % 64) & 1 == 1;
        before + (0..=id % BLOCK_IDS).filter(at_most).count() as u64
    }

    fn combined(&self, other: &Roar, combine: Combine) -> Blocks {
        let mut blocks = self.blocks.clone();
        for number in other.blocks.keys() {
            blocks.entry(*number).or_default();
        }
        const NONE: Block = [0; 4];
        for (number, block) in &mut blocks {
            let theirs = other.blocks.get(number).unwrap_or(&NONE);
            block.iter_mut().zip(theirs).for_each(|(word, other)| *word = combine(*word, *other));
        }
        blocks.retain(|_, block| bits(block) != 0);
        blocks
    }

    /// Both sets combined, as a new one.
    pub(crate) fn combination(
        &self,
        lua: &Lua,
        other: &Roar,
        combine: Combine,
    ) -> mlua::Result<Roar> {
        let mut made = Roar::default();
        made.reserve(lua, self.blocks.len() + other.blocks.len())?;
        made.blocks = self.combined(other, combine);
        Ok(made)
    }

    /// Combines the first set of a call with the other, which may be the same.
    pub(crate) fn combine_into_first(
        lua: &Lua,
        (data, other): (&AnyUserData, &AnyUserData),
        combine: Combine,
    ) -> mlua::Result<()> {
        let blocks = {
            let (roar, other) = (data.borrow::<Roar>()?, other.borrow::<Roar>()?);
            let _reservation = Session::of(lua)?
                .reserve((roar.blocks.len() + other.blocks.len()) * BLOCK_BYTES)?;
            roar.combined(&other, combine)
        };
        let mut roar = data.borrow_mut::<Roar>()?;
        roar.blocks = blocks;
        roar.reserve(lua, 0)
    }

    /// Whether it has no id.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether both have the same ids.
    pub(crate) fn is_same(&self, other: &Roar) -> bool {
        self.blocks == other.blocks
    }

    /// Whether the other set has all ids of this one.
    pub(crate) fn is_subset(&self, other: &Roar) -> bool {
        self.combined(other, |left, right| left & !right).is_empty()
    }

    /// Reserves the memory of the set, before it grows by so many blocks.
    pub(crate) fn reserve(&mut self, lua: &Lua, more: usize) -> mlua::Result<()> {
        if BLOCKS_RESERVED < more {
            Session::of(lua)?.check()?;
        }
        let wanted = self.blocks.len().saturating_add(more).saturating_mul(BLOCK_BYTES);
        let counted = self.reservation.as_ref().map_or(0, Reservation::bytes);
        if wanted <= counted {
            return Ok(());
        }
        let reserved = wanted.saturating_add(BLOCKS_RESERVED * BLOCK_BYTES);
        let more = Session::of(lua)?.reserve(reserved - counted)?;
        match &mut self.reservation {
            Some(reservation) => reservation.add(more),
            None => self.reservation = Some(more),
        }
        Ok(())
    }

    /// Adds ids.
    pub(crate) fn extend(&mut self, lua: &Lua, ids: &[u64]) -> mlua::Result<()> {
        for chunk in ids.chunks(BLOCKS_RESERVED) {
            self.reserve(lua, chunk.len())?;
            for id in chunk {
                self.add(*id);
            }
        }
        Ok(())
    }

    /// Turns the ids from `start` up to `end`, exclusive, round.
    pub(crate) fn flip(&mut self, lua: &Lua, start: u64, end: u64) -> mlua::Result<()> {
        let blocks = end.saturating_sub(start) / BLOCK_IDS;
        self.reserve(lua, usize::try_from(blocks).unwrap_or(usize::MAX).saturating_add(2))?;
        for id in start..end {
            if id % FLIPS_BETWEEN_CHECKS == 0 {
                Session::of(lua)?.check()?;
            }
            if !self.remove(id) {
                self.add(id);
            }
        }
        Ok(())
    }

    pub(crate) fn write_json(
        &self,
        room: &mut TextRoom<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        text.push('[');
        for (index, id) in self.iter().enumerate() {
            if index % ENTRIES_BETWEEN_CHECKS == 0 {
                room.check(text)?;
            }
            json::separate(text, index > 0);
            json::write_display(text, id);
        }
        text.push(']');
        room.check(text)
    }
}
