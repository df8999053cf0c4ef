//! Something in the closed folder is damaged: an open or a read reports where, or nothing is lost.
//!
//! The damage is done to a copy, so the life goes on as if nothing had happened.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use millrace_model::{Error, ErrorKind};
use millrace_store::Backend;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_testkit::Rng;

use super::Action;
use crate::simulator::judge::{Wrong, judge};
use crate::simulator::life::{Life, Lived, wrong};
use crate::simulator::opening::FOLDER;

pub(super) const ROT: Action = Action {
    name: "rot",
    weight: 1,
    is_fault: true,
    ends_life: true,
    meets: &["damage that was refused", "damage that a reader met", "damage that did no harm"],
    play,
};

const TRIALS: u64 = 3;

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    life.end_life(rng)?;
    if life.unknown.is_empty() {
        for _ in 0..TRIALS {
            trial(life, rng)?;
        }
    }
    life.reopen(rng)
}

fn trial(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let disk = life.disk.copy();
    let message = damage(&disk, rng);
    let outcome = catch_unwind(AssertUnwindSafe(|| open_and_judge(life, &disk, rng)));
    let outcome = outcome.unwrap_or_else(|_| wrong("it panics"));
    match outcome {
        Ok(met) => {
            life.tell(format_args!("{message}: {met}"));
            life.coverage.note(met);
            Ok(())
        }
        Err(crate::simulator::life::End::Wrong(why)) => wrong(format!("{message}: {why}")),
        Err(end) => Err(end),
    }
}

/// Damages a bit or a block, and says where.
fn damage(disk: &SimDisk, rng: &mut Rng) -> String {
    let mut files: Vec<(PathBuf, u64)> = disk.files();
    files.retain(|(_, bytes)| 0 < *bytes);
    let (path, bytes) = rng.pick(&files).clone();
    let offset = rng.below(bytes);
    if rng.chance(0.7) {
        disk.flip_bit(&path, offset, rng.below(8) as u8);
        format!("a bit at {offset} of {} flipped", path.display())
    } else {
        let block = 1 << rng.range(9..13);
        let from = offset / block * block;
        disk.corrupt(&path, from, block.min(bytes - from));
        format!("{block} bytes at {from} of {} damaged", path.display())
    }
}

/// The outcome of the damage; an error if that outcome is a fault of the store.
fn open_and_judge(life: &Life, disk: &SimDisk, rng: &mut Rng) -> Lived<&'static str> {
    let backend = match life.try_open(disk, rng) {
        Ok(backend) => backend,
        Err(error) => return named(&error).map(|()| "damage that was refused"),
    };
    let mut met = "damage that did no harm";
    for (graph, history) in &life.graphs {
        let Some(names) = history.names else { continue };
        let snapshot = backend.graph(graph).and_then(|store| store.snapshot());
        let snapshot = snapshot.or_else(|error| wrong(format!("{graph}: {error}")))?;
        let position = snapshot.position().0;
        if position < life.vouched {
            let vouched = life.vouched;
            return wrong(format!("{vouched} was on disk, {position} came back, and no error"));
        }
        match judge(&*snapshot, names, &history.at(position)) {
            Ok(()) => {}
            Err(Wrong::Unreadable(error)) => {
                named(&error)?;
                met = "damage that a reader met";
            }
            Err(Wrong::Different(message)) => {
                return wrong(format!("{graph} at {position}: {message}"));
            }
        }
    }
    Ok(met)
}

/// Damage must be called that, with the file and the place.
fn named(error: &Error) -> Lived<()> {
    let tells_place = error.detail.contains(FOLDER) && error.detail.contains("byte");
    if error.kind == ErrorKind::Corrupt && tells_place {
        return Ok(());
    }
    wrong(format!("damage is not told with its place: {error:?}"))
}
