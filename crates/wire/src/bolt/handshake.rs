//! The handshake: which version both sides speak, before any message.
//!
//! A client sends a magic number and four proposals of four bytes, `00 back minor major`: that version and as many
//! minor versions before it. The first proposal that the server can serve decides. The proposal `00 00 01 FF` asks for
//! the manifest: the server lists what it serves, and the client chooses.

use millrace_model::{Error, ErrorKind, Result};

use super::version::Version;

/// The bytes before the proposals.
pub const MAGIC: [u8; 4] = [0x60, 0x60, 0xB0, 0x17];

/// The proposal of the manifest in its first version.
pub const MANIFEST: [u8; 4] = [0, 0, 1, 0xFF];

/// The answer where no proposal can be served.
const NONE: [u8; 4] = [0; 4];

/// The first bytes of a request of HTTP, by which a WebSocket begins.
pub const HTTP: [u8; 4] = *b"GET ";

/// Bytes of the magic number and the proposals.
const REQUEST_BYTES: usize = 20;

/// Bytes of a VarInt at most: 64 bits in groups of 7.
const VAR_INT_BYTES_MAX: usize = 10;

/// Ranges of a manifest at most.
const RANGES_MAX: u64 = 64;

/// What follows from the bytes so far.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// More bytes have to arrive.
    More,
    /// These bytes are sent, and more have to arrive.
    Send(Vec<u8>),
    /// These bytes are sent, and messages of this version follow.
    Agreed(Version, Vec<u8>),
    /// These bytes are sent, and the connection is closed.
    NoVersion(Vec<u8>),
    /// The client asks for a WebSocket.
    WebSocket,
}

/// The server's side of a handshake.
#[derive(Debug, Default)]
pub struct Handshake {
    bytes: Vec<u8>,
    sent_manifest: bool,
}

impl Handshake {
    /// Takes bytes; an error means that they are not Bolt.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress> {
        self.bytes.extend_from_slice(bytes);
        if self.sent_manifest {
            return self.choice();
        }
        let Some(first) = self.bytes.first_chunk::<4>() else { return Ok(Progress::More) };
        if *first == HTTP {
            return Ok(Progress::WebSocket);
        }
        if *first != MAGIC {
            let detail =
                "the first bytes are neither Bolt's magic number nor a request for a WebSocket";
            return Err(Error::new(ErrorKind::BadInput, detail)
                .with_help("connect with a Bolt driver: bolt:// or neo4j://"));
        }
        if self.bytes.len() < REQUEST_BYTES {
            return Ok(Progress::More);
        }
        let rest = self.bytes.split_off(REQUEST_BYTES);
        let request = std::mem::replace(&mut self.bytes, rest);
        for proposal in request[MAGIC.len()..].chunks_exact(4) {
            if proposal == MANIFEST {
                self.sent_manifest = true;
                return Ok(Progress::Send(manifest()));
            }
            if let Some(version) = first_served(proposal) {
                return Ok(Progress::Agreed(version, plain(version).to_vec()));
            }
        }
        Ok(Progress::NoVersion(NONE.to_vec()))
    }

    /// The client's choice from the manifest.
    fn choice(&mut self) -> Result<Progress> {
        let Some(chosen) = self.bytes.first_chunk::<4>().copied() else {
            return Ok(Progress::More);
        };
        let Some((_, length)) = read_var_int(&self.bytes[4..])? else { return Ok(Progress::More) };
        let version = first_served(&chosen).filter(|version| plain(*version) == chosen);
        let Some(version) = version else {
            let detail =
                format!("the client chose {chosen:02x?}, which the manifest does not list");
            return Err(Error::new(ErrorKind::BadInput, detail));
        };
        self.bytes.drain(..4 + length);
        Ok(Progress::Agreed(version, Vec::new()))
    }

    /// The bytes behind the handshake.
    pub fn into_rest(self) -> Vec<u8> {
        self.bytes
    }
}

/// A version alone, as a proposal and as an answer.
fn plain(version: Version) -> [u8; 4] {
    [0, 0, version.minor, version.major]
}

/// The newest served version of a proposal.
fn first_served(proposal: &[u8]) -> Option<Version> {
    let [_, back, minor, major] = *proposal else { return None };
    let oldest = minor.saturating_sub(back);
    Version::SERVED
        .into_iter()
        .find(|served| served.major == major && (oldest..=minor).contains(&served.minor))
}

/// The served versions as ranges without gaps, newest first.
fn ranges() -> Vec<[u8; 4]> {
    let mut ranges: Vec<[u8; 4]> = Vec::new();
    for version in Version::SERVED {
        match ranges.last_mut() {
            Some([_, back, minor, major])
                if *major == version.major && *minor - *back == version.minor + 1 =>
            {
                *back += 1;
            }
            Some(_) | None => ranges.push(plain(version)),
        }
    }
    ranges
}

/// The manifest: its proposal, the ranges, and no capabilities.
fn manifest() -> Vec<u8> {
    let ranges = ranges();
    let mut bytes = MANIFEST.to_vec();
    write_var_int(&mut bytes, ranges.len() as u64);
    ranges.iter().for_each(|range| bytes.extend_from_slice(range));
    write_var_int(&mut bytes, 0);
    bytes
}

fn write_var_int(bytes: &mut Vec<u8>, mut number: u64) {
    while 0x80 <= number {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A number and its length in bytes; `None` if its end has not arrived.
fn read_var_int(bytes: &[u8]) -> Result<Option<(u64, usize)>> {
    let mut number = 0u64;
    for (place, byte) in bytes.iter().take(VAR_INT_BYTES_MAX).enumerate() {
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(Some((number, place + 1)));
        }
    }
    if bytes.len() < VAR_INT_BYTES_MAX {
        return Ok(None);
    }
    Err(Error::new(ErrorKind::BadInput, "a number of the handshake has more than 64 bits"))
}

/// The client's first bytes: the magic number and the proposals, newest first.
pub fn write_proposals(proposals: [[u8; 4]; 4]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    proposals.iter().for_each(|proposal| bytes.extend_from_slice(proposal));
    bytes
}

/// The proposals of one version only.
pub fn propose_only(version: Version) -> Vec<u8> {
    write_proposals([plain(version), NONE, NONE, NONE])
}

/// The client's first bytes where it accepts any version that is served: the manifest, then all of them.
pub fn propose_all() -> Vec<u8> {
    write_proposals([MANIFEST, [0, 8, 8, 5], [0, 4, 4, 4], [0, 0, 0, 3]])
}

/// The server's answer to proposals, as a client reads it.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// More bytes have to arrive.
    More,
    /// Messages of this version follow; these bytes are sent first; so many bytes were used.
    Agreed(Version, Vec<u8>, usize),
}

/// Reads the server's answer.
pub fn read_answer(bytes: &[u8]) -> Result<Answer> {
    let Some(first) = bytes.first_chunk::<4>() else { return Ok(Answer::More) };
    if *first != MANIFEST {
        return match first_served(first).filter(|version| plain(*version) == *first) {
            Some(version) => Ok(Answer::Agreed(version, Vec::new(), 4)),
            None => Err(no_common(first)),
        };
    }
    let mut used = 4;
    let Some((count, length)) = read_var_int(&bytes[used..])? else { return Ok(Answer::More) };
    used += length;
    if RANGES_MAX < count {
        let detail = format!("the server's manifest lists {count} ranges of versions");
        return Err(Error::new(ErrorKind::BadInput, detail));
    }
    let length = 4 * count as usize;
    let Some(listed) = bytes.get(used..used + length) else { return Ok(Answer::More) };
    used += length;
    let Some((_, length)) = read_var_int(&bytes[used..])? else { return Ok(Answer::More) };
    used += length;
    let best = listed.chunks_exact(4).filter_map(first_served).max();
    let version = best.ok_or_else(|| no_common(listed))?;
    let mut answer = plain(version).to_vec();
    write_var_int(&mut answer, 0);
    Ok(Answer::Agreed(version, answer, used))
}

fn no_common(offered: &[u8]) -> Error {
    let detail = format!("the server offers no version of Bolt that is known here: {offered:02x?}");
    Error::new(ErrorKind::Unsupported, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposals(text: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
        for pair in digits.chunks_exact(2) {
            let pair = std::str::from_utf8(pair).unwrap();
            bytes.push(u8::from_str_radix(pair, 16).unwrap());
        }
        bytes
    }

    fn version(major: u8, minor: u8) -> Version {
        Version { major, minor }
    }

    #[test]
    fn the_first_proposal_that_is_served_decides() {
        for (text, expected) in [
            ("00080805 00020404 00000003 00000000", Some((5, 8))),
            ("00000405 00000404 00000000 00000000", Some((5, 4))),
            ("00000505 00000404 00000000 00000000", Some((4, 4))),
            ("00010505 00000000 00000000 00000000", Some((5, 4))),
            ("00000006 00020404 00000405 00000000", Some((4, 4))),
            ("00FF0905 00000000 00000000 00000000", Some((5, 8))),
            ("00000002 00000304 00000001 00000000", Some((4, 3))),
            ("00000003 00000204 00000001 00000000", Some((3, 0))),
            ("00000104 00000004 00000000 00000000", Some((4, 1))),
            ("00000004 00000003 00000000 00000000", Some((4, 0))),
            ("00020404 00000003 00000000 00000000", Some((4, 4))),
            ("00000103 00000002 00000001 00000000", None),
        ] {
            let progress = Handshake::default().push(&proposals(text)).unwrap();
            let expected = match expected {
                Some((major, minor)) => {
                    Progress::Agreed(version(major, minor), vec![0, 0, minor, major])
                }
                None => Progress::NoVersion(vec![0; 4]),
            };
            assert_eq!(progress, expected, "{text}");
        }
    }

    #[test]
    fn the_manifest_lists_ranges_and_the_client_chooses() {
        let mut server = Handshake::default();
        let asked = propose_all();
        let (first, rest) = asked.split_at(7);
        assert_eq!(server.push(first), Ok(Progress::More));
        let Ok(Progress::Send(manifest)) = server.push(rest) else { panic!("a manifest") };
        assert_eq!(
            manifest,
            [0, 0, 1, 0xFF, 4, 0, 2, 8, 5, 0, 4, 4, 5, 0, 4, 4, 4, 0, 0, 0, 3, 0],
            "5.8 to 5.6, 5.4 to 5.0, 4.4 to 4.0, 3"
        );
        for length in 0..manifest.len() {
            assert_eq!(read_answer(&manifest[..length]), Ok(Answer::More));
        }
        let Ok(Answer::Agreed(chosen, mut bytes, used)) = read_answer(&manifest) else {
            panic!("a choice")
        };
        assert_eq!((chosen, used), (Version::NEWEST, manifest.len()));
        bytes.extend_from_slice(b"hello");
        assert_eq!(server.push(&bytes), Ok(Progress::Agreed(Version::NEWEST, Vec::new())));
        assert_eq!(server.into_rest(), b"hello");
    }

    #[test]
    fn a_choice_outside_of_the_manifest_is_refused() {
        for chosen in [[0, 0, 5, 5, 0], [0, 2, 8, 5, 0], [0, 0, 0, 6, 0]] {
            let mut server = Handshake::default();
            server.push(&propose_all()).unwrap();
            assert_eq!(server.push(&chosen).unwrap_err().kind, ErrorKind::BadInput);
        }
        let mut server = Handshake::default();
        server.push(&propose_all()).unwrap();
        let endless = [&[0, 0, 8, 5][..], &[0xFF; 20]].concat();
        assert!(server.push(&endless).is_err());
    }

    #[test]
    fn other_protocols_are_recognized_by_their_first_bytes() {
        assert_eq!(Handshake::default().push(b"GET / HTTP/1.1"), Ok(Progress::WebSocket));
        let error = Handshake::default().push(b"\x16\x03\x01\x02").unwrap_err();
        assert!(error.to_string().contains("Bolt driver"), "{error}");
    }

    #[test]
    fn a_single_version_is_proposed_and_read() {
        for served in Version::SERVED {
            let Ok(Progress::Agreed(agreed, bytes)) =
                Handshake::default().push(&propose_only(served))
            else {
                panic!("agreed")
            };
            assert_eq!(agreed, served);
            assert_eq!(read_answer(&bytes), Ok(Answer::Agreed(served, Vec::new(), 4)));
        }
        assert_eq!(read_answer(&NONE).unwrap_err().kind, ErrorKind::Unsupported);
    }
}
