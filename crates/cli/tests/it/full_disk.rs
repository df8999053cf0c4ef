//! The real server on a real, small disk that others fill and free under its writers, over and over,
//! and that is killed by `kill -9` once a round: while it is full, just freed, or being filled.
//!
//! Promise: acknowledged writes are there, refused ones are not, a refusal names its reason, reads go
//! on, and writing goes on by itself when there is room again.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use millrace_testkit::small_disk::SmallDisk;
use millrace_testkit::{Rng, number};

use crate::kill_nine::{begin, check, counting, pair};
use crate::program::{Served, serve};

const DISK_BYTES: u64 = 400 << 20;
const WRITERS: u64 = 4;
const ROUNDS_DEFAULT: u64 = 1;

/// How often a round fills the disk.
const FILLS: u64 = 3;

/// How many bytes the filler leaves free: from nothing to seemingly enough.
const LEFTS: [u64; 6] = [0, 100 << 10, 1 << 20, 5 << 20, 20 << 20, 70 << 20];

/// How long the server may take to notice that the disk is full, or that it is not.
const NOTICE_MAX: Duration = Duration::from_secs(60);

/// A text that each script writes again: the log grows, the graph does not.
const NOISE_BYTES: u64 = 20_000;

/// When the axe falls, in the last fill of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axe {
    WhileFilling,
    WhileFull,
    JustFreed,
    WhileWriting,
}

const AXES: [Axe; 4] = [Axe::WhileFilling, Axe::WhileFull, Axe::JustFreed, Axe::WhileWriting];

/// A server between its start and its end, and the answers that its writers got.
struct Life<'a> {
    server: &'a Served,
    round: u64,
    acknowledged: Mutex<Vec<String>>,
    refused: Mutex<Vec<String>>,
    counter: AtomicI64,
    /// At how many acknowledged scripts a writer kills the server.
    kill_at: AtomicU64,
    killed: AtomicBool,
}

/// The sums over all rounds.
#[derive(Default)]
struct Sum {
    acknowledged: usize,
    refused: usize,
    counter: i64,
    resumed: Duration,
}

#[test]
fn a_disk_that_others_fill_and_kill_nine_cost_nothing_that_was_acknowledged() {
    let rounds = number("MILLRACE_DISK_ROUNDS", ROUNDS_DEFAULT);
    let what = "the server on a small disk that fills up (mkfs.ext4, mount -o loop)";
    let Some(disk) = SmallDisk::for_test(what, DISK_BYTES) else { return };
    let folder = disk.path().join("data");
    let server = serve(&folder);
    begin(&server);
    server.kill();
    let (mut rng, mut sum) = (Rng::new(0xd15c), Sum::default());
    for round in 0..rounds {
        let axe = AXES[(round % AXES.len() as u64) as usize];
        let server = serve(&folder);
        let life = live(&disk, &server, (round, axe), &mut rng, &mut sum);
        let (acknowledged, refused) = life;
        server.kill();
        disk.free();
        for restart in 0..2 {
            let server = serve(&folder);
            let when = format!("round {round}, killed {axe:?}, restart {restart}");
            check(&server, &acknowledged, sum.counter, &when);
            check_refused(&server, &refused, &when);
            server.kill();
        }
        sum.acknowledged += acknowledged.len();
        sum.refused += refused.len();
    }
    let server = serve(&folder);
    let count: usize = server.ask("one", "AllNodesCount('Left')").parse().unwrap();
    assert!(sum.acknowledged <= count, "{} acknowledged, {count} are there", sum.acknowledged);
    assert_eq!(server.terminate(), Some(0));
    let Sum { acknowledged, refused, resumed, .. } = sum;
    eprintln!(
        "full disk: {rounds} rounds, {} fills, {acknowledged} scripts acknowledged, {refused} refused, \
         {count} there; writing went on {resumed:.1?} after room, at most",
        rounds * FILLS,
    );
}

/// Writes while the disk is filled and freed, until the axe falls. Returns the keys of acknowledged and
/// of refused scripts.
fn live(
    disk: &SmallDisk,
    server: &Served,
    (round, axe): (u64, Axe),
    rng: &mut Rng,
    sum: &mut Sum,
) -> (Vec<String>, Vec<String>) {
    let life = Life {
        server,
        round,
        acknowledged: Mutex::default(),
        refused: Mutex::default(),
        counter: AtomicI64::new(0),
        kill_at: AtomicU64::new(u64::MAX),
        killed: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let life = &life;
            scope.spawn(move || life.write(writer));
        }
        life.wait_for("the first commits", || life.count() >= 10);
        for fill in 1..=FILLS {
            let axe = Some(axe).filter(|_| fill == FILLS);
            life.fill_and_free(disk, axe, rng, sum);
        }
        life.kill();
    });
    sum.counter = sum.counter.max(life.counter.into_inner());
    (life.acknowledged.into_inner().unwrap(), life.refused.into_inner().unwrap())
}

impl Life<'_> {
    fn fill_and_free(&self, disk: &SmallDisk, axe: Option<Axe>, rng: &mut Rng, sum: &mut Sum) {
        if axe == Some(Axe::WhileFilling) {
            self.kill_at.store(self.count() + rng.range(1..40), Ordering::SeqCst);
        }
        let refused = self.refused_count();
        disk.fill(*rng.pick(&LEFTS));
        self.wait_for("a full disk is noticed", || self.refused_count() > refused);
        if self.killed.load(Ordering::SeqCst) {
            return;
        }
        self.server.ask("one", "AllNodesCount('Left')");
        if axe == Some(Axe::WhileFull) {
            return self.kill();
        }
        let (acknowledged, freed) = (self.count(), Instant::now());
        disk.free();
        if axe == Some(Axe::JustFreed) {
            return self.kill();
        }
        self.wait_for("writing goes on", || self.count() > acknowledged);
        sum.resumed = sum.resumed.max(freed.elapsed());
        let wanted = self.count() + rng.range(1..60);
        self.wait_for("writing goes on for a while", || wanted <= self.count());
    }

    /// Asks again and again; a server that is killed need not get there.
    fn wait_for(&self, what: &str, is_so: impl Fn() -> bool) {
        let began = Instant::now();
        while !is_so() && !self.killed.load(Ordering::SeqCst) {
            assert!(began.elapsed() < NOTICE_MAX, "round {}: not so yet: {what}", self.round);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Adds pairs until the server is gone, each with some noise.
    fn write(&self, writer: u64) {
        for number in 0.. {
            let key = format!("{}-{writer}-{number}", self.round);
            let raises = number % 4 == 0;
            let script = if raises { counting(&key) } else { pair(&key) };
            let noise = format!(
                "NodeAdd('Counter', 'noise-{key}', '{{}}')\n\
                 NodeSetProperty('Counter', 'noise-{key}', 'noise', string.rep('x', {NOISE_BYTES}))\n"
            );
            let Some((status, answer)) = self.server.script("one", &format!("{noise}{script}"))
            else {
                assert!(self.killed.load(Ordering::SeqCst), "the server is gone: {key}");
                return;
            };
            if status != 200 {
                assert!(answer.contains("disk is nearly full"), "{key}: {status} {answer}");
                self.refused.lock().unwrap().push(key);
                thread::sleep(Duration::from_millis(2));
                continue;
            }
            if raises {
                let counter = answer.parse().expect("the counter is a number");
                self.counter.fetch_max(counter, Ordering::Relaxed);
            }
            self.acknowledged.lock().unwrap().push(key);
            if self.kill_at.load(Ordering::SeqCst) <= self.count() {
                return self.kill();
            }
        }
    }

    fn kill(&self) {
        self.killed.store(true, Ordering::SeqCst);
        self.server.kill_now();
    }

    fn count(&self) -> u64 {
        self.acknowledged.lock().unwrap().len() as u64
    }

    fn refused_count(&self) -> u64 {
        self.refused.lock().unwrap().len() as u64
    }
}

/// Nothing that was refused is there.
fn check_refused(server: &Served, keys: &[String], when: &str) {
    let list = keys.iter().map(|key| format!("'{key}'")).collect::<Vec<_>>().join(",");
    let found = server.ask(
        "one",
        &format!(
            "local found = {{}}\nfor _, key in ipairs({{{list}}}) do\n\
             if NodeGetId('Left', key) ~= 0 then found[#found + 1] = key end\nend\nfound"
        ),
    );
    assert_eq!(found, "[]", "{when}: refused and there");
}
