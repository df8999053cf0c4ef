//! The named bounds of this crate.

/// Tokens of one value: about 6 MB of running text. A longer one is refused by its index, since a key that is left
/// out would be a record that a question silently misses. The keys of so many tokens, phrases included, fit in a few
/// hundred megabytes, which the query that writes the value must have room for.
pub const TOKENS_MAX: usize = 1_000_000;

/// UTF-16 units of one token. A longer one is split into several, as Lucene's tokenizers do.
pub const TOKEN_UTF16_MAX: usize = 255;

/// Bytes of the one token of the analyzer `keyword`, as of a term of Lucene. The rest of a longer text is cut off.
pub const KEYWORD_BYTES_MAX: usize = 32_766;

/// Bytes in which a URL, an address of mail or a token of the analyzer `classic` must end, so that a text of nothing
/// but beginnings is read in linear time.
pub const PATTERN_WINDOW_BYTES: usize = 512;

/// Neighbouring words of the longest phrase that is a key.
pub const PHRASE_WORDS_MAX: usize = 4;

/// Numbers of a vector, as in Neo4j.
pub const VECTOR_DIMENSIONS_MAX: u16 = 4_096;

/// Links of a vector in a graph of neighbours, as in Neo4j.
pub const VECTOR_LINKS_MAX: u16 = 512;

/// Candidates that are weighed for those links, as in Neo4j.
pub const VECTOR_CANDIDATES_MAX: u16 = 3_200;

/// Ranges of keys that cover an area. More ranges are more seeks, fewer are more candidates outside the area.
pub const COVERING_RANGES_MAX: usize = 64;

/// Levels of the cells of geometries: from 1,250 km to 150 m at the equator.
pub const GEOMETRY_LEVELS: std::ops::RangeInclusive<u32> = 5..=18;

/// Cells that cover a geometry, if so many of the coarsest level do. More cells are more keys, fewer are more candidates.
pub const GEOMETRY_CELLS_MAX: usize = 24;

/// Texts that a part of a regular expression is known to be equal to, begin with, or end with.
pub const KNOWN_TEXTS_MAX: usize = 24;

/// Bytes of such a text.
pub const KNOWN_TEXT_BYTES_MAX: usize = 64;

/// Conditions in the question for the trigrams of one pattern.
pub const TRIGRAM_CONDITIONS_MAX: usize = 512;

/// Levels of groups in a regular expression.
pub const PATTERN_DEPTH_MAX: u32 = 128;

/// Bytes of a regular expression.
pub const PATTERN_BYTES_MAX: usize = 65_536;

/// Bytes of a query for full text.
pub const QUERY_BYTES_MAX: usize = 65_536;

/// Bytes of a regular expression in a query for full text.
pub const REGEX_BYTES_MAX: usize = 4_096;

/// Bytes of its program: a word is matched in a few microseconds.
pub const REGEX_PROGRAM_BYTES_MAX: usize = 1 << 18;

/// Levels of groups in a query for full text.
pub const QUERY_DEPTH_MAX: usize = 64;

/// Clauses of a query for full text: Lucene's bound.
pub const QUERY_CLAUSES_MAX: usize = 1_024;

/// Edits of a fuzzy term: Lucene's bound.
pub const EDITS_MAX: u8 = 2;

/// Characters of the words that edits are counted for; longer ones are compared for equality.
pub const FUZZY_CHARACTERS_MAX: usize = 255;
