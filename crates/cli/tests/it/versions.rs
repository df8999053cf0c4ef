//! A data folder that a newer program wrote is refused by the name of the file, whichever file of
//! it is newer, and left as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{run, serve, start, text};

/// Of each kind of file: how its name begins, and how many bytes of its header are under the
/// checksum that follows them.
const KINDS: [(&str, usize); 4] = [("MANIFEST-", 44), ("log-", 40), ("seg-", 60), ("spill-", 60)];

/// Where every header has its version, and where its compatibility flags.
const PLACES: [usize; 2] = [8, 12];

const CHECKPOINT_MAX: Duration = Duration::from_secs(60);

#[test]
fn a_newer_file_of_any_kind_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    make(folder.path(), &data);
    let path = data.to_str().unwrap();
    for (kind, header_bytes) in KINDS {
        for place in PLACES {
            let file = newest(&data, kind).unwrap_or_else(|| panic!("there is no {kind} file"));
            let kept = fs::read(&file).unwrap();
            fs::write(&file, newer(&kept, header_bytes, place)).unwrap();
            let refused = run(&["serve", "--data", path, "--listen", "lua=127.0.0.1:0"]);
            let error = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(76), "{kind}, byte {place}: {error}");
            let name = file.file_name().unwrap().to_string_lossy();
            assert!(error.contains(&*name) && error.contains("newer Millrace"), "{kind}: {error}");
            assert!(file.exists(), "{kind}: what is newer is left alone");
            fs::write(&file, kept).unwrap();
        }
    }
    let server = serve(&data);
    assert_eq!(server.ask("one", "AllNodesCount('Thing')"), "2500");
    assert_eq!(server.terminate(), Some(0));
}

/// A folder with files of every kind, all of them in use.
fn make(folder: &Path, data: &Path) {
    let (config, data_path) =
        (folder.join("millrace.toml"), data.to_str().expect("nothing fails here"));
    fs::write(&config, "[log]\ncheckpoint-bytes = 65536\n").expect("nothing fails here");
    let config = config.to_str().expect("nothing fails here");
    let arguments =
        ["serve", "--data", data_path, "--listen", "lua=127.0.0.1:0", "--config", config];
    let server = start(&arguments);
    assert_eq!(server.post("/dbs/one", "").expect("nothing fails here").0, 200);
    server.ask("one", "NodeTypeInsert('Thing')\nNodePropertyTypeAdd('Thing', 'text', 'string')\n1");
    server.ask("one", &things(0, 500));
    let began = Instant::now();
    while newest(data, "seg-").is_none() {
        assert!(began.elapsed() < CHECKPOINT_MAX, "no checkpoint wrote a segment");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.terminate(), Some(0));
    // More than goes into the log: it lies beside, until the next checkpoint.
    let server = serve(data);
    server.ask("one", &things(500, 2_000));
    server.kill();
    // The remains of the first checkpoint are removed when the folder opens.
    serve(data).kill();
}

/// A script that makes nodes of more than 3,000 bytes each.
fn things(first: u64, count: u64) -> String {
    format!(
        "local text = string.rep('x', 3000)\nfor i = {first}, {} do\n\
         NodeAdd('Thing', tostring(i), '{{\"text\":\"' .. text .. '\"}}')\nend\n1",
        first + count - 1
    )
}

/// The file of a kind with the largest number.
fn newest(data: &Path, kind: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(data).ok()?.map(|entry| entry.expect("nothing fails here").path());
    let is_of_kind = |path: &PathBuf| {
        let name = path.file_name().expect("nothing fails here").to_string_lossy().into_owned();
        name.starts_with(kind) && !name.ends_with(".tmp")
    };
    entries.filter(is_of_kind).max()
}

/// A file with a greater number at a place of its header, and the checksum that fits it.
fn newer(file: &[u8], header_bytes: usize, place: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file[place..place + 4].copy_from_slice(&0x4000_0000u32.to_le_bytes());
    let sum = crc32(&file[..header_bytes]);
    file[header_bytes..header_bytes + 4].copy_from_slice(&sum.to_le_bytes());
    file
}

/// CRC-32 as in gzip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}
