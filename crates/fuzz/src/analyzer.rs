//! Analyzers: any text is words, the same each time, and not more of them than its bytes allow; each lies where it says.

use millrace_model::Value;
use millrace_terms::limits::{KEYWORD_BYTES_MAX, TOKEN_UTF16_MAX};
use millrace_terms::{Analyzer, KeyExtractor};

/// Texts with what some analyzer looks for.
const SEEDS: &[&str] = &[
    "The quick brown fox's 3.14 jumps; no-one's \u{2019}s l'avion d'Été AT&T I.B.M. wi-fi",
    "mailto:a.b@example.org http://example.org/a?b=c#d www.example.com/é 192.168.0.1",
    "die Häuser groß Straße İstanbul'da ΟΔΥΣΣΕΥΣ الكتاب کتاب ١٢٣ running corredores",
    "東京都に行く ﾊﾝｶｸ ＦＵＬＬ 한국어 ไทย 😀👩‍👩‍👧 e\u{301}\u{301}\u{200d}",
    "\u{0}\u{feff}\u{3000}\u{a0}\t\r\n_ _a a_b __ '''' .... @@@ ://",
];

/// The texts, as bytes behind the numbers of an analyzer and a language.
pub fn seeds() -> Vec<Vec<u8>> {
    let long = "x".repeat(300) + "😀";
    let texts = SEEDS.iter().copied().chain([long.as_str()]);
    let seed = |(number, text): (usize, &str)| {
        [&[number as u8 * 7, number as u8], text.as_bytes()].concat()
    };
    texts.enumerate().map(seed).collect()
}

const LANGUAGES: [Option<&str>; 8] = [
    None,
    Some("en"),
    Some("de"),
    Some("zh"),
    Some("ja-JP"),
    Some("th"),
    Some("tr"),
    Some("x-nothing"),
];

/// Words of a byte at most: pairs of characters stand beside the characters.
const TOKENS_PER_BYTE: usize = 2;

/// Bytes that a character becomes at most where it is folded or normalized.
const CHARACTER_BYTES_MAX: usize = 54;

/// Reads the bytes behind the first two as a text.
pub fn run(bytes: &[u8]) {
    let [analyzer, language, rest @ ..] = bytes else { return };
    let analyzers: Vec<Analyzer> = Analyzer::all().collect();
    let analyzer = analyzers[usize::from(*analyzer) % analyzers.len()];
    let language = LANGUAGES[usize::from(*language) % LANGUAGES.len()];
    let text = String::from_utf8_lossy(rest);
    let tokens = analyzer.tokens(&text, language).expect("few words");
    assert_eq!(analyzer.tokens(&text, language).as_ref(), Ok(&tokens), "{analyzer}: {text}");
    assert!(tokens.len() <= TOKENS_PER_BYTE * (text.len() + 1), "{analyzer}: {text}");
    let bytes_max = KEYWORD_BYTES_MAX.max(TOKEN_UTF16_MAX * CHARACTER_BYTES_MAX);
    for token in &tokens {
        assert!(token.text.len() <= bytes_max, "{analyzer}: {} bytes", token.text.len());
        assert!(token.bytes.start <= token.bytes.end, "{analyzer}: {token:?}");
        assert!(token.bytes.end <= text.len(), "{analyzer}: {token:?}: {text}");
    }
    let positions = tokens.windows(2).all(|pair| pair[0].position <= pair[1].position);
    assert!(positions, "{analyzer}: {tokens:?}");
    // Its keys, by each way to make some of words.
    let value = Value::from(&*text);
    for extractor in [
        KeyExtractor::Words(analyzer),
        KeyExtractor::ScoredWords(analyzer),
        KeyExtractor::Phrases(analyzer),
    ] {
        let mut keys = Vec::new();
        let mut take = |key: &[u8], _| {
            keys.push(key.to_vec());
            Ok(())
        };
        extractor.keys_of(&value, language, &mut take).expect("few words");
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count, "{extractor}: a key twice: {text}");
    }
    let part: String = text.chars().take(40).collect();
    let normal = analyzer.normalize(&part, language);
    assert_eq!(normal, analyzer.normalize(&part, language), "{analyzer}: {part}");
}
