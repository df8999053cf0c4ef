//! Packed bodies, unpacked piece by piece within the bound of a body and the memory of all: what a few bytes become is
//! not known before.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use millrace_model::{Error, ErrorKind};

use super::bodies::{BodyBudget, Growing, Held, Unread};
use crate::limits::UNPACKED_PIECE_BYTES;

/// The contents of a body that is gzip, at most so many bytes of it.
pub(crate) fn unpacked(budget: &BodyBudget, packed: &[u8], bytes_max: u64) -> Result<Held, Unread> {
    let most = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let mut contents = MultiGzDecoder::new(packed);
    let mut grown = Growing::new(budget, usize::MAX);
    let mut piece = vec![0; UNPACKED_PIECE_BYTES];
    loop {
        let read = contents.read(&mut piece).map_err(|error| {
            let detail = format!("the body is not gzip: {error}");
            Unread::CutOff(Error::new(ErrorKind::BadInput, detail))
        })?;
        if read == 0 {
            return Ok(grown.finish());
        }
        grown.push(&piece[..read], most)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use axum::body::Body;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use millrace_model::MemoryBudget;

    use super::super::bodies::whole;
    use super::*;

    fn unpack(packed: Vec<u8>, bytes_max: u64, memory: u64) -> (Result<Vec<u8>, Unread>, u64) {
        let budget = BodyBudget::new(memory, MemoryBudget::new(memory));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let held = runtime.block_on(whole(&budget, Body::from(packed), 1 << 20)).unwrap();
        let done = unpacked(&budget, &held.bytes, bytes_max).map(|held| held.bytes.to_vec());
        drop(held);
        (done, budget.used())
    }

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn a_packed_body_is_what_it_was_also_in_several_parts() {
        let text = b"{ q(func: uid(1)) { uid } }".repeat(10_000);
        let several = [pack(&text[..100]), pack(&text[100..])].concat();
        for packed in [pack(&text), several] {
            let (done, used) = unpack(packed, 1 << 20, 1 << 24);
            assert_eq!(done.unwrap(), text);
            assert_eq!(used, 0);
        }
        assert_eq!(unpack(pack(b""), 1, 1 << 20).0.unwrap(), b"");
    }

    #[test]
    fn a_bomb_and_bytes_that_are_no_gzip_are_refused_and_hold_nothing() {
        let bomb = pack(&vec![0; 4 << 20]);
        assert!(bomb.len() < 1 << 20);
        let (done, used) = unpack(bomb.clone(), 1 << 20, 1 << 30);
        assert!(matches!(done, Err(Unread::TooLong)), "{done:?}");
        assert_eq!(used, 0);
        let (done, used) = unpack(bomb, 1 << 30, 2 << 20);
        assert!(matches!(done, Err(Unread::NoRoom(_))), "{done:?}");
        assert_eq!(used, 0);
        let cut = pack(b"{ q(func: uid(1)) { uid } }");
        for wrong in [b"{ q }".to_vec(), cut[..cut.len() - 9].to_vec()] {
            assert!(matches!(unpack(wrong, 1 << 20, 1 << 20).0, Err(Unread::CutOff(_))));
        }
    }
}
