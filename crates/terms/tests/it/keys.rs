//! Keys of values, and the questions that find them.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::value::Point;
use millrace_model::{ErrorKind, PropertyValues, Value};
use millrace_terms::{Analyzer, KeyExtractor, KeyPattern, KeyQuestion, WordCounts, scored};
use millrace_testkit::run_seeds;
use std::sync::Arc;

fn extractor(text: &str) -> KeyExtractor {
    text.parse().expect("a form")
}

fn keys(
    extractor: KeyExtractor,
    value: &Value,
    language: Option<&str>,
) -> BTreeMap<Vec<u8>, Option<WordCounts>> {
    let mut keys = BTreeMap::new();
    let each = &mut |key: &[u8], counts| {
        assert!(keys.insert(key.to_vec(), counts).is_none(), "a key comes once");
        Ok(())
    };
    extractor.keys_of(value, language, each).expect("a short value");
    keys
}

fn texts(extractor: KeyExtractor, value: &Value, language: Option<&str>) -> Vec<String> {
    keys(extractor, value, language)
        .into_keys()
        .map(|key| String::from_utf8(key).expect("words"))
        .collect()
}

fn all_extractors() -> Vec<KeyExtractor> {
    let mut all: Vec<KeyExtractor> = Analyzer::all()
        .flat_map(|analyzer| [KeyExtractor::Words(analyzer), KeyExtractor::Phrases(analyzer)])
        .collect();
    let others = [
        "value",
        "points",
        "geo",
        "scored-words(english)",
        "trigrams",
        "trigrams(case-insensitive)",
        "cells(2d, geographic)",
        "cells(3d, geographic)",
        "cells(2d, cartesian)",
        "cells(3d, cartesian, -5.0, 5.5)",
        "vector(768, cosine)",
        "vector(any, euclidean)",
        "vector(3, dot_product, 32, 200)",
    ];
    all.extend(others.map(extractor));
    all
}

#[test]
fn a_form_that_is_printed_is_read_again() {
    for own in all_extractors() {
        assert_eq!(extractor(&own.to_string()), own, "{own}");
    }
    assert_eq!(extractor(" cells( 2d,cartesian , -1e6,1e6 )").to_string(), "cells(2d, cartesian)");
}

#[test]
fn an_unknown_form_is_refused_with_the_list() {
    for text in [
        "",
        "word",
        "words",
        "words()",
        "words(english",
        "trigrams(x)",
        "cells(4d, geographic)",
        "vector(cosine)",
        "cells(2d, cartesian, 1, x)",
    ] {
        let error = text.parse::<KeyExtractor>().expect_err(text);
        assert_eq!(error.kind, ErrorKind::BadInput, "{text}");
        let help = error.help.expect("a list");
        assert!(
            help.contains("words(ANALYZER), words(ANALYZER, LANGUAGE), trigrams")
                || help.contains("standard-no-stop-words"),
            "{help}"
        );
    }
    for text in ["words(english, de)", "words(english, en)", "words(dgraph-term, klingon)"] {
        let error = text.parse::<KeyExtractor>().expect_err(text);
        assert_eq!(error.help.as_deref(), Some("leave the language out"), "{text}");
    }
    assert_eq!(extractor("words(dgraph-term, de-AT)").to_string(), "words(dgraph-term, de)");
    assert_eq!(extractor("words(dgraph-term, en)").to_string(), "words(dgraph-term)");
    assert_eq!(
        "words(thai)".parse::<KeyExtractor>().expect_err("no dictionary").kind,
        ErrorKind::Unsupported
    );
}

#[test]
fn words_come_with_their_counts() {
    let counts = |occurrences| Some(WordCounts { occurrences, text_length: 4 });
    let found = keys(extractor("words(english)"), &Value::from("The cats like a cat; cats!"), None);
    let expected = BTreeMap::from([(b"cat".to_vec(), counts(3)), (b"like".to_vec(), counts(1))]);
    assert_eq!(found, expected);
}

#[test]
fn scored_words_carry_what_a_score_needs() {
    let extractor = extractor("scored-words(english)");
    let found = keys(extractor, &Value::from("The cats like a cat; cats!"), None);
    let expected: Vec<&[u8]> = vec![b"\0\x04\0", b"cat\0\x04\x03", b"like\0\x04\x01"];
    assert_eq!(found.keys().collect::<Vec<_>>(), expected);
    let (word, payload) = scored::scored_word(b"cat\0\x04\x03").expect("a scored word");
    assert_eq!((word, payload.length.length(), payload.occurrences), (&b"cat"[..], 4, 3));
    let without = keys(extractor, &Value::from("the of"), None);
    assert_eq!(without.keys().collect::<Vec<_>>(), [b"\0\0\0"], "a text without words");
    assert!(keys(extractor, &Value::I64(7), None).is_empty(), "no text");
    let all: BTreeSet<Vec<u8>> = found.into_keys().collect();
    for (question, is_found) in [
        (KeyQuestion::Key("cat".into()), true),
        (KeyQuestion::Key("ca".into()), false),
        (KeyQuestion::prefix(b"lik", KeyPattern::Any), true),
        (KeyQuestion::prefix(b"lid", KeyPattern::Any), false),
    ] {
        let asked = extractor.question(question.clone());
        assert_eq!(asked.is_satisfied_by(&all), is_found, "{question:?}");
    }
}

#[test]
fn the_ends_of_a_range_hold_for_words_that_carry_more() {
    let extractor = extractor("scored-words(keyword)");
    let words = ["a", "ab", "b", "b\0", "b\0c", "c"];
    for low in words {
        for high in words {
            let asked = extractor.question(KeyQuestion::Keys {
                from: low.into(),
                until: high.into(),
                pattern: KeyPattern::Any,
            });
            for word in words.into_iter().filter(|word| low <= *word && *word < high) {
                let own = keys(extractor, &Value::from(word), None).into_keys().collect();
                assert!(asked.is_satisfied_by(&own), "{word:?} from {low:?} to {high:?}");
            }
        }
    }
}

#[test]
fn lists_and_multi_valued_properties_have_the_keys_of_their_entries() {
    let list = Value::list(vec!["red apple".into(), Value::I64(7), "green apple".into()]);
    assert_eq!(texts(extractor("words(simple)"), &list, None), ["apple", "green", "red"]);
    let phrases = texts(extractor("phrases(simple)"), &list, None);
    assert_eq!(phrases, ["apple", "green", "green\0apple", "red", "red\0apple"]);
    let mut several = PropertyValues::default();
    several.append_new(&"ab cd".into(), &[]);
    several.append_new(&"ab".into(), &[]);
    let several = Value::PropertyValues(Arc::new(several));
    assert_eq!(texts(extractor("words(simple)"), &several, None), ["ab", "cd"]);
    assert_eq!(keys(extractor("value"), &several, None).len(), 2);
    assert_eq!(texts(extractor("words(simple)"), &Value::I64(7), None), Vec::<String>::new());
}

#[test]
fn a_language_tag_decides_stems_and_stop_words_of_dgraph() {
    let fulltext = extractor("words(dgraph-fulltext)");
    assert_eq!(texts(fulltext, &"The Katzen are running".into(), None), ["katzen", "run"]);
    assert_eq!(
        texts(fulltext, &"Die Katzen are running".into(), Some("de")),
        ["are", "katz", "running"]
    );
    assert_eq!(texts(fulltext, &"東京都".into(), Some("ja")), ["京都", "東京"]);
    assert_eq!(
        texts(extractor("words(dgraph-term)"), &"Ｆｕｌｌ The Ærø".into(), None),
        ["full", "the", "ærø"]
    );
}

#[test]
fn tokens_of_janusgraph_are_two_letters_or_digits_and_more() {
    let found = texts(extractor("words(janusgraph)"), &"A Bc-d2 e, Straße_9 IX.".into(), None);
    assert_eq!(found, ["bc", "d2", "ix", "straße"]);
}

#[test]
fn questions_for_words_and_phrases() {
    let key = |text: &str| KeyQuestion::Key(text.into());
    let words = extractor("words(english)");
    assert_eq!(
        words.all_words("the running cats", None).expect("words"),
        KeyQuestion::All(vec![key("run"), key("cat")])
    );
    assert_eq!(words.any_word("the of", None).expect("words"), KeyQuestion::Nothing);
    assert_eq!(words.all_words("the of", None).expect("words"), KeyQuestion::Everything);
    let phrases = extractor("phrases(simple)");
    let asked = phrases.all_words("a b c d", None).expect("words");
    assert_eq!(asked, KeyQuestion::All(vec![key("a\0b\0c"), key("b\0c\0d")]));
    assert_eq!(phrases.all_words("a b", None).expect("words"), key("a\0b"));
    assert_eq!(
        phrases.any_word("a b", None).expect("words"),
        KeyQuestion::Any(vec![key("a"), key("b")])
    );
}

#[test]
fn a_text_with_too_many_words_is_refused() {
    let text = "a ".repeat(millrace_terms::limits::TOKENS_MAX + 1);
    for form in ["words(whitespace)", "phrases(simple)"] {
        let error = extractor(form).keys_of(&Value::from(text.as_str()), None, &mut |_, _| Ok(()));
        let error = error.expect_err("too many");
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(error.detail.contains("1000000 words"), "{}", error.detail);
    }
}

#[test]
fn a_long_word_is_split() {
    let found = texts(extractor("words(standard)"), &Value::string(&"x".repeat(600)), None);
    assert_eq!(found, ["x".repeat(90), "x".repeat(255)]);
    let found = texts(extractor("words(keyword)"), &Value::string(&"é".repeat(20_000)), None);
    assert_eq!(found, ["é".repeat(16_383)]);
}

/// Any text: words of many scripts, and bytes at random.
fn text(random: &mut millrace_model::random::SplitMix64) -> String {
    const PARTS: &[&str] = &[
        "the",
        "Cats",
        "running",
        "l'",
        "é",
        "ß",
        "İ",
        "ı",
        "ς",
        "東",
        "京",
        "ｶ",
        "ﾞ",
        "한글",
        "ไทย",
        "ال",
        "ة",
        "\u{200C}",
        "\u{301}",
        "😀",
        "🇩🇪",
        "\u{20E3}",
        "1",
        "9.5",
        "@",
        ".",
        "://",
        "http",
        "_",
        "-",
        "'s",
        " ",
        "\n",
        "\0",
        "ies",
        "ing",
        "eses",
        "yyy",
        "\u{FE0F}",
        "\u{FFFF}",
        "\u{10FFFF}",
    ];
    match random.below(3) {
        0 => {
            let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.next_u64() as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => (0..random.below(20))
            .filter_map(|_| char::from_u32(random.below(0x3000) as u32))
            .collect(),
        _ => (0..random.below(20)).map(|_| *random.pick(PARTS)).collect(),
    }
}

#[test]
fn no_text_is_too_odd_and_each_finds_itself() {
    let extractors = all_extractors();
    run_seeds(400, |_, random| {
        let own = text(random);
        let value = Value::from(own.as_str());
        let language = *random.pick(&[
            None,
            Some("de"),
            Some("zh"),
            Some("ta"),
            Some("tr"),
            Some("ar"),
            Some("x"),
        ]);
        for extractor in &extractors {
            let keys: BTreeSet<_> = keys(*extractor, &value, language).into_keys().collect();
            let question = extractor.equal_to(&value, language).expect("a short text");
            assert!(question.is_satisfied_by(&keys), "{extractor} {own:?}");
        }
    });
}

#[test]
fn positions_grow_and_tokens_lie_in_the_text() {
    run_seeds(400, |_, random| {
        let own = text(random);
        for analyzer in Analyzer::all() {
            let tokens = analyzer.tokens(&own, None).expect("a short text");
            assert!(
                tokens.is_sorted_by(|left, right| left.position < right.position),
                "{analyzer} {own:?}"
            );
            for token in tokens {
                assert!(
                    own.get(token.bytes.clone()).is_some_and(|word| !word.is_empty()),
                    "{analyzer} {own:?}"
                );
                assert!(!token.text.is_empty(), "{analyzer} {own:?}");
            }
        }
    });
}

#[test]
fn forms_and_points_at_random_make_no_panic() {
    run_seeds(2_000, |_, random| {
        let _ = text(random).parse::<KeyExtractor>();
        let coordinates = (0..random.below(4)).map(|_| f64::from_bits(random.next_u64())).collect();
        let point = Point { srid: *random.pick(&[4326, 4979, 7203, 9157, 1]), coordinates };
        for extractor in all_extractors() {
            keys(extractor, &Value::Point(Arc::new(point.clone())), None);
        }
    });
}
