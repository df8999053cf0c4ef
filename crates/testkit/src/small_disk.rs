//! A small real file system, and a life on it: filled by others, freed again, over and over.
//!
//! ```text
//!   write until refused ─> by name, reads go on ─> free ─> write again ─> reopen ─> all is there
//! ```
//!
//! The writer is a [`Subject`]: a store in the test's own process, or the real program. The disk is
//! made with `mkfs.ext4` and mounted by loop, so it takes a machine where this process may do that: a
//! test asks [`SmallDisk::for_test`].

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::require;

/// How long a subject may take to notice that the disk is full, or that it is not.
const NOTICE_MAX: Duration = Duration::from_secs(60);

/// A file system in a file. Unmounted and removed when dropped.
pub struct SmallDisk {
    image: PathBuf,
    mount: PathBuf,
}

impl SmallDisk {
    /// Makes one of so many bytes; `None` where this machine does not let us.
    fn mount(bytes: u64) -> Option<SmallDisk> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("millrace-small-disk-{}-{number}", std::process::id());
        let mount = std::env::temp_dir().join(&name);
        let image = mount.with_extension("img");
        fs::create_dir(&mount).ok()?;
        let disk = SmallDisk { image, mount };
        File::create(&disk.image).and_then(|file| file.set_len(bytes)).ok()?;
        let (image, mount) = (disk.image.as_os_str(), disk.mount.as_os_str());
        let made = succeeds(Command::new("mkfs.ext4").args(["-q", "-F", "-m", "0"]).arg(image));
        let mounted =
            made && succeeds(Command::new("mount").args(["-o", "loop"]).args([image, mount]));
        mounted.then_some(disk)
    }

    /// The same for a test, which is skipped by name where there is none.
    pub fn for_test(what: &str, bytes: u64) -> Option<SmallDisk> {
        let disk = SmallDisk::mount(bytes);
        if require(what, disk.is_some()) { disk } else { None }
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.mount
    }

    /// Fills it with foreign bytes until about `left` are free.
    ///
    /// # Panics
    /// If writing fails for another reason than a full disk.
    pub fn fill(&self, left: u64) {
        let mut file = File::create(self.foreign()).expect("a name takes no room");
        let (mut size, chunk) = (0, vec![0xff; 64 << 10]);
        loop {
            match file.write(&chunk) {
                Ok(written) => size += written as u64,
                Err(error) if error.kind() == std::io::ErrorKind::StorageFull => break,
                Err(error) => panic!("{}: {error}", self.foreign().display()),
            }
        }
        file.set_len(size.saturating_sub(left)).expect("a file can be cut");
        file.sync_all().expect("a file can be synced");
    }

    /// Removes the foreign bytes. Their room may be used when this returns: ext4 gives blocks back
    /// only when the transaction that freed them is committed.
    ///
    /// # Panics
    /// If they cannot be removed.
    pub fn free(&self) {
        match fs::remove_file(self.foreign()) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => panic!("{}: {error}", self.foreign().display()),
        }
        let folder = File::open(&self.mount).and_then(|folder| folder.sync_all());
        folder.expect("a folder can be synced");
    }

    fn foreign(&self) -> PathBuf {
        self.mount.join("foreign.bytes")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Errors are ignored: the disk may not be mounted, and a remaining file is a temporary one.
        let _unmounted = succeeds(Command::new("umount").arg(&self.mount));
        let _gone = (fs::remove_dir(&self.mount), fs::remove_file(&self.image));
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The writer on a disk that fills up.
pub trait Subject {
    /// Writes a thing of this number durably; the error is the writer's message.
    fn write(&mut self, number: u64) -> Result<(), String>;

    /// The numbers of all things there are.
    fn read(&mut self) -> BTreeSet<u64>;

    /// Ends it as a crash would, or in order, and starts it again.
    fn reopen(&mut self);
}

/// Lets a subject live on a disk that is filled until `left` bytes are free, for each of `lefts`, and
/// freed again. A refusal must contain `refusal`. Returns the number of things written.
///
/// # Panics
/// If something acknowledged is lost, something refused is there, a refusal does not say why,
/// reading stops, or writing does not go on by itself.
pub fn live_on_a_small_disk(
    disk: &SmallDisk,
    subject: &mut dyn Subject,
    refusal: &str,
    lefts: &[u64],
) -> usize {
    let mut acknowledged = BTreeSet::new();
    let mut number = 0;
    for (round, left) in lefts.iter().enumerate() {
        for _ in 0..50 {
            number += 1;
            subject.write(number).unwrap_or_else(|why| panic!("round {round}, free: {why}"));
            acknowledged.insert(number);
        }
        disk.fill(*left);
        let began = Instant::now();
        let why = loop {
            assert!(began.elapsed() < NOTICE_MAX, "round {round}: nobody notices a full disk");
            number += 1;
            match subject.write(number) {
                Ok(()) => _ = acknowledged.insert(number),
                Err(why) => break why,
            }
        };
        assert!(why.contains(refusal), "round {round}: {why}");
        assert!(subject.read() == acknowledged, "round {round}: while full");
        disk.free();
        let began = Instant::now();
        loop {
            number += 1;
            match subject.write(number) {
                Ok(()) => break,
                Err(why) => assert!(began.elapsed() < NOTICE_MAX, "round {round}, freed: {why}"),
            }
        }
        acknowledged.insert(number);
        subject.reopen();
        assert!(subject.read() == acknowledged, "round {round}: reopened");
    }
    acknowledged.len()
}
