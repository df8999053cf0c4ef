//! Takes numbers and arrays off the front of bytes, checking every length before it allocates.

use millrace_model::Bits;

/// An encoding that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Where, in bytes from the start of the encoding.
    pub offset: usize,
    /// The fault.
    pub what: &'static str,
}

/// The result of decoding.
pub(super) type Result<T> = std::result::Result<T, Malformed>;

/// A place in bytes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

macro_rules! take {
    ($($name:ident, $slice:ident, $int:ty);* $(;)?) => {$(
        /// Takes one number.
        pub fn $name(&mut self) -> Result<$int> {
            self.array().map(<$int>::from_le_bytes)
        }

        /// Takes a count (u64) and as many numbers.
        pub fn $slice(&mut self) -> Result<Vec<$int>> {
            let count = self.count(size_of::<$int>())?;
            let (chunks, _) = self.take(count * size_of::<$int>())?.as_chunks();
            Ok(chunks.iter().map(|chunk| <$int>::from_le_bytes(*chunk)).collect())
        }
    )*};
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// How far it has come.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// An error at the current offset.
    pub fn malformed(&self, what: &'static str) -> Malformed {
        Malformed { offset: self.position, what }
    }

    /// Takes `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.remaining() {
            return Err(self.malformed("it ends too early"));
        }
        let bytes = &self.bytes[self.position..self.position + count];
        self.position += count;
        Ok(bytes)
    }

    /// Takes `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let front = self.bytes[self.position..].first_chunk();
        let array = *front.ok_or_else(|| self.malformed("it ends too early"))?;
        self.position += N;
        Ok(array)
    }

    /// Takes one byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    take! {
        u16, u16s, u16;
        u32, u32s, u32;
        u64, u64s, u64;
        i32, i32s, i32;
        i64, i64s, i64;
        f64, f64s, f64;
    }

    /// Takes a count (u64) of things of at least `bytes_min` bytes each: a count that the bytes
    /// left could not hold is wrong, and never becomes an allocation.
    pub fn count(&mut self, bytes_min: usize) -> Result<usize> {
        let count = self.u64()?;
        let most = self.remaining() / bytes_min.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(self.malformed("a count exceeds the bytes there are")),
        }
    }

    /// Takes a length (u32) and as many bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// Takes a length (u32) and a text.
    pub fn text(&mut self) -> Result<&'a str> {
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes).map_err(|_| self.malformed("a text is not UTF-8"))
    }

    /// Takes a bitmap.
    pub fn bits(&mut self) -> Result<Bits> {
        let len = self.u64()?;
        let words = self.u64s()?;
        match usize::try_from(len) {
            Ok(len) if len.div_ceil(64) == words.len() => Ok(Bits::from_words(words, len)),
            _ => Err(self.malformed("a bitmap and its length differ")),
        }
    }

    /// Ends reading: nothing may be left.
    pub fn finish(&self) -> Result<()> {
        if self.remaining() == 0 {
            Ok(())
        } else {
            Err(self.malformed("there are bytes beyond it"))
        }
    }
}
