//! Faults of the machine. Each fault comes a few operations after the action, so that
//! the actions between can be taken out of a story without losing it.

use millrace_store_embedded::io::sim::CrashMoment;
use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

pub(super) const CRASH_LATER: Action =
    Action { name: "crash later", weight: 2, is_fault: true, play: crash_later, ..ORDINARY };

pub(super) const CRASH_IN_CHECKPOINT: Action = Action {
    name: "crash in a checkpoint",
    weight: 1,
    is_fault: true,
    play: crash_in_checkpoint,
    ..ORDINARY
};

pub(super) const FAIL_SYNC: Action =
    Action { name: "fail a sync", weight: 1, is_fault: true, play: fail_sync, ..ORDINARY };

pub(super) const FILL_DISK: Action =
    Action { name: "fill the disk", weight: 1, is_fault: true, play: fill_disk, ..ORDINARY };

pub(super) const FREE_DISK: Action = Action {
    name: "free the disk",
    weight: 2,
    is_fault: true,
    meets: &["disks that were full and have room again"],
    play: free_disk,
    ..ORDINARY
};

fn moment(rng: &mut Rng) -> CrashMoment {
    if rng.chance(0.7) { CrashMoment::Before } else { CrashMoment::After }
}

fn crash_later(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let (operations, moment) = (rng.below(40), moment(rng));
    life.tell(format_args!("crash {moment:?} operation {operations} from here"));
    life.disk.crash_at(operations, moment);
    Ok(())
}

fn crash_in_checkpoint(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let (operations, moment) = (rng.below(60), moment(rng));
    life.tell(format_args!("crash {moment:?} operation {operations} of the checkpoint"));
    life.disk.crash_at(operations, moment);
    life.checkpoint(rng)
}

fn fail_sync(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let syncs = rng.below(5);
    life.tell(format_args!("sync {syncs} from here fails"));
    life.disk.fail_sync_after(syncs);
    // A checkpoint has the most kinds of syncs.
    if rng.chance(0.5) { life.checkpoint(rng) } else { Ok(()) }
}

fn fill_disk(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let writes = rng.below(20);
    life.tell(format_args!("the disk is full after {writes} writes"));
    life.disk.full_after(writes);
    Ok(())
}

fn free_disk(life: &mut Life, _: &mut Rng) -> Lived<()> {
    if life.disk.is_full() {
        life.coverage.note("disks that were full and have room again");
        life.tell("the disk has room again");
        life.disk.free_room();
    }
    Ok(())
}
