//! Measures how fast a bulk load becomes images, both directions, one double an edge.
//!
//! `cargo run --release -p millrace-store-embedded --example bulk_build -- [EDGES] [MEMORY_MIB]
//! [given] [write]`. With `given`, edges come with their ids, as those of a large transaction do;
//! with `write`, each image becomes a durable segment file, which is timed apart. The parts are
//! made before the clock starts, unless they would not fit: then their making is measured too, and
//! said apart.

use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{Bits, Column, ColumnValues, EdgeId, EdgeTypeId, GraphId, KeyId, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, EdgeBlock, VertexBlock};
use millrace_store_embedded::base::limits::BULK_MEMORY_BYTES;
use millrace_store_embedded::folder::Folder;
use millrace_store_embedded::io::RealDisk;
use millrace_store_embedded::persistent::bulk::{BulkBuilder, LoadTarget};
use millrace_store_embedded::persistent::image::Image;
use millrace_store_embedded::persistent::segment::write_image;

const VERTICES: u64 = 102_000;
const PART_EDGES: u64 = 500_000;

/// Counts the images that it is given and drops them.
#[derive(Default)]
struct Counting {
    images: usize,
    bytes: usize,
    writes_to: Option<Arc<Folder>>,
    writing: Duration,
    written_bytes: u64,
}

impl LoadTarget for Counting {
    fn exist(&mut self, vertices: &[VertexId]) -> millrace_model::Result<Bits> {
        Ok(Bits::unset(vertices.len()))
    }

    fn lease_runs(&mut self, _: u32, runs: u32) -> millrace_model::Result<Range<u32>> {
        Ok(0..runs)
    }

    fn take(&mut self, image: Image) -> millrace_model::Result<()> {
        self.images += 1;
        self.bytes += image.byte_size();
        if let Some(folder) = &self.writes_to {
            let began = Instant::now();
            let written = write_image(folder, GraphId(0), &image);
            let (file, _) = written.map_err(|error| {
                millrace_model::Error::new(millrace_model::ErrorKind::Io, error.to_string())
            })?;
            self.writing += began.elapsed();
            self.written_bytes += file.length;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let edges: u64 = arguments.next().map_or(Ok(10_000_000), |text| text.parse())?;
    let memory = arguments.next().map(|text| text.parse::<usize>()).transpose()?;
    let memory = memory.map_or(BULK_MEMORY_BYTES, |mib| mib << 20);
    let words: Vec<String> = arguments.collect();
    let has = |word: &str| words.iter().any(|other| other == word);
    let path = std::env::temp_dir().join(format!("bulk-build-{}", std::process::id()));
    let folder = Arc::new(Folder::open(Arc::new(RealDisk), &path)?);
    let mut builder = BulkBuilder::new(folder.clone(), memory);
    builder.push(&mut vertices())?;

    let mut rows = Rows { seed: 1, given: has("given"), next_slots: [0; 2] };
    let (mut making, mut pushing) = (Duration::ZERO, Duration::ZERO);
    for start in (0..edges).step_by(PART_EDGES as usize) {
        let began = Instant::now();
        let mut part = rows.part(PART_EDGES.min(edges - start));
        making += began.elapsed();
        let began = Instant::now();
        builder.push(&mut part)?;
        pushing += began.elapsed();
    }
    let began = Instant::now();
    let writes_to = has("write").then_some(folder);
    let mut target = Counting { writes_to, ..Counting::default() };
    builder.finish(&mut target)?;
    let finishing = began.elapsed() - target.writing;
    let rate = edges as f64 / (pushing + finishing).as_secs_f64() / 1e6;
    println!("{edges} edges: {rate:.2} million edges/s (making the rows took {making:.2?})");
    println!(
        "push {pushing:.2?}, finish {finishing:.2?}; {} images, {} MiB",
        target.images,
        target.bytes >> 20
    );
    if target.writes_to.is_some() {
        let written = target.written_bytes as f64 / 1e6;
        let write_rate = written / target.writing.as_secs_f64();
        println!("written {written:.0} MB in {:.2?}: {write_rate:.0} MB/s", target.writing);
    }
    println!("peak memory {} MiB", peak_memory_mib().unwrap_or(0));
    std::fs::remove_dir_all(&path)?;
    Ok(())
}

fn vertices() -> Changes {
    let ids = (0..VERTICES).map(VertexId).collect();
    let block = VertexBlock { ids, ..VertexBlock::default() };
    Changes { vertices: vec![block], ..Changes::default() }
}

/// Makes random edges.
struct Rows {
    seed: u64,
    given: bool,
    next_slots: [u64; 2],
}

impl Rows {
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005);
        self.seed = self.seed.wrapping_add(1_442_695_040_888_963_407);
        self.seed >> 33
    }

    fn part(&mut self, edges: u64) -> Changes {
        let mut block = EdgeBlock { edge_type: EdgeTypeId(0), ..EdgeBlock::default() };
        let mut weights = Vec::new();
        for _ in 0..edges {
            let source = self.random() % VERTICES;
            block.sources.push(VertexId(source));
            block.targets.push(VertexId(self.random() % VERTICES));
            weights.push(self.random() as f64);
            if self.given {
                let ordinal = source >> PARTITION_BITS;
                let slot = &mut self.next_slots[ordinal as usize];
                block.ids.push(EdgeId(ordinal << EDGE_SLOT_BITS | *slot));
                *slot += 1;
            }
        }
        block.properties.push((KeyId(0), Column::of(ColumnValues::F64(weights))));
        Changes { edges: vec![block], ..Changes::default() }
    }
}

/// The most memory this process had, where the system tells.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string(Path::new("/proc/self/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}
