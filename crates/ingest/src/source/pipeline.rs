//! One thread reads, several parse, the caller's thread consumes **in file order**. Order costs no
//! reorder buffer: each block travels with the slot its result will arrive in, and the consumer
//! waits on slots in the order the reader made them.

use super::memory::{Ahead, Parsing};
use super::{Block, BlockReader};
use crate::error::LoadError;
use crate::limits::{BLOCKS_AHEAD_MAX, PARSERS_MAX};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a block was parsed to, and its memory.
type Parsed<P> = Result<(P, Ahead), LoadError>;

/// A block on its way to a parser, and where the result goes.
struct Work<P> {
    block: Block,
    memory: Ahead,
    slot: SyncSender<Parsed<P>>,
}

/// How many threads parse on this machine.
pub(crate) fn parsers() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(PARSERS_MAX)
}

/// Runs every block of `readers` through `parse` (in parallel) and `consume` (in order). The first
/// error stops reading and is returned once the threads have ended.
pub(crate) fn run<P: Send>(
    readers: &mut [BlockReader],
    memory: &Arc<Parsing>,
    parse: impl Fn(Block) -> P + Sync,
    mut consume: impl FnMut(P) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let (slots_in, slots_out) = sync_channel(BLOCKS_AHEAD_MAX);
    let (work_in, work_out) = sync_channel::<Work<P>>(BLOCKS_AHEAD_MAX);
    let work_out = Mutex::new(work_out);
    let (parse, work_out) = (&parse, &work_out);
    thread::scope(|scope| {
        scope.spawn(move || read(readers, memory, &slots_in, &work_in));
        for _ in 0..parsers() {
            scope.spawn(move || parse_all(work_out, parse));
        }
        // Dropped on every way out; that stops the reader and then the parsers.
        let slots_out: Receiver<Receiver<Parsed<P>>> = slots_out;
        for slot in &slots_out {
            // An empty slot means that its parser panicked, and then so will the scope.
            let Ok(parsed) = slot.recv() else { break };
            let (parsed, _memory) = parsed?;
            consume(parsed)?;
        }
        Ok(())
    })
}

fn read<P>(
    readers: &mut [BlockReader],
    memory: &Arc<Parsing>,
    slots: &SyncSender<Receiver<Parsed<P>>>,
    work: &SyncSender<Work<P>>,
) {
    for reader in readers {
        loop {
            let (slot, filled) = sync_channel(1);
            let block = match reader.next_block() {
                Ok(Some(block)) => memory.admit(&block).map(|memory| (block, memory)),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            if slots.send(filled).is_err() {
                return;
            }
            let sent = match block {
                Ok((block, memory)) => work.send(Work { block, memory, slot }).is_ok(),
                Err(error) => {
                    let _ = slot.send(Err(error));
                    false
                }
            };
            if !sent {
                return;
            }
        }
    }
}

fn parse_all<P>(work: &Mutex<Receiver<Work<P>>>, parse: &(impl Fn(Block) -> P + Sync)) {
    loop {
        let next = work.lock().map(|work| work.recv());
        let Ok(Ok(Work { block, memory, slot })) = next else { return };
        let _ = slot.send(Ok((parse(block), memory)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineEnds, Source};
    use millrace_model::MemoryBudget;
    use std::io::{self, Read};

    fn unbounded() -> Arc<Parsing> {
        Parsing::of(&MemoryBudget::unbounded())
    }

    fn reader(index: usize, stream: impl Read + Send + 'static) -> BlockReader {
        let source = Source::stream("in", stream);
        BlockReader::open(source, index, LineEnds::All, Arc::default()).unwrap()
    }

    #[test]
    fn results_arrive_in_file_order_whatever_the_parsers_do() {
        let line = "x".repeat(99) + "\n";
        let text = line.repeat(100_000).into_bytes();
        let mut readers =
            [reader(0, io::Cursor::new(text.clone())), reader(1, io::Cursor::new(text))];
        let mut seen = Vec::new();
        let keep = |block: Block| (block.source, block.first_line);
        run(&mut readers, &unbounded(), keep, |place| {
            seen.push(place);
            Ok(())
        })
        .unwrap();
        assert!(seen.is_sorted() && 10 < seen.len(), "{seen:?}");
    }

    #[test]
    fn the_consumers_error_stops_an_endless_input() {
        let mut readers = [reader(0, io::BufReader::new(io::repeat(b'\n')))];
        let result = run(
            &mut readers,
            &unbounded(),
            |block| block.first_line,
            |_| Err(LoadError::Cancelled),
        );
        assert!(matches!(result, Err(LoadError::Cancelled)));
    }

    #[test]
    fn a_read_error_reaches_the_caller_after_the_blocks_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let good = vec![b'\n'; 3 << 20];
        let mut readers = [reader(0, io::Cursor::new(good).chain(Broken))];
        let mut blocks = 0;
        let result = run(
            &mut readers,
            &unbounded(),
            |block| block.bytes.len(),
            |_| {
                blocks += 1;
                Ok(())
            },
        );
        assert_eq!(result.unwrap_err().to_string(), "in: the disk is gone");
        assert!(0 < blocks);
    }
}
