//! Texts: `apoc.text`.

use millrace_model::{Result, Value};
use millrace_plan::functions::{Conversion, TextCode, TextDistance, Which, WordCase};
use millrace_plan::{Comparison, Expr, Function as F};

use super::{next, or_else};
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::primitives::equal;
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.text.base64Decode",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::Decode(TextCode::Base64)),
        "The text that Base64 means.",
    ),
    function(
        "apoc.text.base64Encode",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::Encode(TextCode::Base64)),
        "A text in Base64.",
    ),
    function(
        "apoc.text.base64UrlDecode",
        &[arg("url", K::String)],
        is(K::String),
        Plan(F::Decode(TextCode::Base64Url)),
        "The text that Base64 for web addresses means.",
    ),
    function(
        "apoc.text.base64UrlEncode",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::Encode(TextCode::Base64Url)),
        "A text in Base64 for web addresses.",
    ),
    function(
        "apoc.text.bytes",
        &[arg("text", K::String)],
        is(K::LIST),
        Plan(F::Utf8),
        "The bytes of a text in UTF-8.",
    ),
    function(
        "apoc.text.camelCase",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::Camel)),
        "The words of a text as aName.",
    ),
    function(
        "apoc.text.capitalize",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::Capitalize)),
        "A text with its first letter in upper case.",
    ),
    function(
        "apoc.text.capitalizeAll",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::CapitalizeAll)),
        "A text with the first letter of each word in upper case.",
    ),
    function(
        "apoc.text.charAt",
        &[arg("text", K::String), arg("index", K::Integer)],
        is(K::Integer),
        Plan(F::CodeAt),
        "The code point of the character at an index.",
    ),
    function(
        "apoc.text.clean",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::LettersAndDigits),
        "A text in lower case, letters and digits only.",
    ),
    function(
        "apoc.text.compareCleaned",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Boolean),
        Of(compare_cleaned),
        "Whether the letters and digits of two texts are the same, whatever their case.",
    ),
    function(
        "apoc.text.decapitalize",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::Decapitalize)),
        "A text with its first letter in lower case.",
    ),
    function(
        "apoc.text.decapitalizeAll",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::DecapitalizeAll)),
        "A text with the first letter of each word in lower case.",
    ),
    function(
        "apoc.text.distance",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Integer),
        Plan(F::TextsApart(TextDistance::Levenshtein)),
        "How many edits of a character make one text of another.",
    ),
    function(
        "apoc.text.fuzzyMatch",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Boolean),
        With(fuzzy_match),
        "Whether two texts differ by two edits at most, short ones by fewer.",
    ),
    function(
        "apoc.text.hammingDistance",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Integer),
        Plan(F::TextsApart(TextDistance::Hamming)),
        "How many characters of two equally long texts differ.",
    ),
    function(
        "apoc.text.hexValue",
        &[arg("value", K::Integer)],
        is(K::String),
        Plan(F::Hexadecimal),
        "An integer in base 16.",
    ),
    function(
        "apoc.text.indexesOf",
        &[
            arg("text", K::String),
            arg("lookup", K::String),
            opt("from", K::Integer),
            opt("to", K::Integer),
        ],
        is(K::LIST),
        Of(indexes_of),
        "All indexes at which a text has another.",
    ),
    function(
        "apoc.text.indexOf",
        &[
            arg("text", K::String),
            arg("lookup", K::String),
            opt("from", K::Integer),
            opt("to", K::Integer),
        ],
        is(K::Integer),
        Of(index_of),
        "The first index at which a text has another, or -1.",
    ),
    function(
        "apoc.text.jaroWinklerDistance",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Float),
        Plan(F::TextsApart(TextDistance::JaroWinkler)),
        "The distance of two texts by Jaro and Winkler, from 0 to 1.",
    ),
    function(
        "apoc.text.join",
        &[arg("texts", K::LIST), arg("delimiter", K::String)],
        is(K::String),
        Of(join),
        "Texts joined by a delimiter.",
    ),
    function(
        "apoc.text.levenshteinDistance",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Integer),
        Plan(F::TextsApart(TextDistance::Levenshtein)),
        "How many edits of a character make one text of another.",
    ),
    function(
        "apoc.text.levenshteinSimilarity",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Float),
        Plan(F::Similarity),
        "The similarity of two texts, from 0 to 1.",
    ),
    function(
        "apoc.text.lpad",
        &[arg("text", K::String), arg("count", K::Integer), opt("delimiter", K::String)],
        is(K::String),
        Of(pad_left),
        "A text as long as asked, by other characters in front of it.",
    ),
    function(
        "apoc.text.regexGroups",
        &[arg("text", K::String), arg("regex", K::String)],
        is(K::LIST),
        Plan(F::PatternGroups),
        "The groups of all matches of a regular expression.",
    ),
    function(
        "apoc.text.regreplace",
        &[arg("text", K::String), arg("regex", K::String), arg("replacement", K::String)],
        is(K::String),
        Plan(F::ReplacePattern),
        "A text with all matches of a regular expression replaced.",
    ),
    function(
        "apoc.text.repeat",
        &[arg("item", K::String), arg("count", K::Integer)],
        is(K::String),
        Plan(F::RepeatText),
        "A text so many times.",
    ),
    function(
        "apoc.text.replace",
        &[arg("text", K::String), arg("regex", K::String), arg("replacement", K::String)],
        is(K::String),
        Plan(F::ReplacePattern),
        "A text with all matches of a regular expression replaced.",
    ),
    function(
        "apoc.text.rpad",
        &[arg("text", K::String), arg("count", K::Integer), opt("delimiter", K::String)],
        is(K::String),
        Of(pad_right),
        "A text as long as asked, by other characters behind it.",
    ),
    function(
        "apoc.text.slug",
        &[arg("text", K::String), opt("delimiter", K::String)],
        is(K::String),
        Of(slug),
        "The words of a text with a delimiter between them.",
    ),
    function(
        "apoc.text.snakeCase",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::Snake)),
        "The words of a text as a-name.",
    ),
    function(
        "apoc.text.sorensenDiceSimilarity",
        &[arg("text1", K::String), arg("text2", K::String), opt("languageTag", K::String)],
        is(K::Float),
        Of(sorensen_dice),
        "How many pairs of letters two texts have in common, from 0 to 1.",
    ),
    function(
        "apoc.text.split",
        &[arg("text", K::String), arg("regex", K::String), opt("limit", K::Integer)],
        is(K::LIST),
        Of(split),
        "The parts of a text between matches of a regular expression.",
    ),
    function(
        "apoc.text.swapCase",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::Swap)),
        "A text with upper case for lower case, and the other way round.",
    ),
    function(
        "apoc.text.toUpperCase",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::UpperUnderscore)),
        "The words of a text as A_NAME.",
    ),
    function(
        "apoc.text.upperCamelCase",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::InCase(WordCase::UpperCamel)),
        "The words of a text as AName.",
    ),
    function(
        "apoc.text.urldecode",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::Decode(TextCode::Url)),
        "The text that a part of a web address means.",
    ),
    function(
        "apoc.text.urlencode",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::Encode(TextCode::Url)),
        "A text as a part of a web address.",
    ),
];

/// Values that are no texts are converted.
fn join(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let texts = Expr::call(F::Convert(Conversion::Texts), vec![next(&mut arguments)]);
    Expr::call(F::JoinDisplay, vec![texts, next(&mut arguments)])
}

fn split(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (text, pattern) = (next(&mut arguments), next(&mut arguments));
    let limit = or_else(&mut arguments, Value::I64(0));
    Expr::call(F::SplitByPattern, vec![text, pattern, limit])
}

fn compare_cleaned(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let clean = |text: Expr| Expr::call(F::LettersAndDigits, vec![text]);
    let (one, other) = (clean(next(&mut arguments)), clean(next(&mut arguments)));
    Expr::coalesce(vec![equal(one, other), Expr::literal(false)])
}

/// A text of two characters has to be the same, one of four may have one edit, a longer one two.
fn fuzzy_match(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let one = Expr::Column(translator.as_column("text", next(&mut arguments)));
    let edits = F::TextsApart(TextDistance::Levenshtein);
    let edits = Expr::call(edits, vec![one.clone(), next(&mut arguments)]);
    let size = Expr::call(F::Size, vec![one]);
    let below = |bound: i64| Expr::compare(Comparison::Less, size.clone(), Expr::literal(bound));
    let branches = vec![(below(3), Expr::literal(0_i64)), (below(5), Expr::literal(1_i64))];
    let allowed = Expr::Case { branches, otherwise: Some(Box::new(Expr::literal(2_i64))) };
    let is_near = Expr::compare(Comparison::LessEqual, edits, allowed);
    Ok(Expr::coalesce(vec![is_near, Expr::literal(false)]))
}

fn found(function: F, arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (text, part) = (next(&mut arguments), next(&mut arguments));
    let from = or_else(&mut arguments, Value::I64(0));
    let to = or_else(&mut arguments, Value::I64(-1));
    Expr::call(function, vec![text, part, from, to])
}

fn index_of(arguments: Vec<Expr>) -> Expr {
    found(F::FindText, arguments)
}

fn indexes_of(arguments: Vec<Expr>) -> Expr {
    found(F::FindAllTexts, arguments)
}

fn padded(which: Which, arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (text, count) = (next(&mut arguments), next(&mut arguments));
    Expr::call(F::Pad(which), vec![text, count, or_else(&mut arguments, Value::from(" "))])
}

fn pad_left(arguments: Vec<Expr>) -> Expr {
    padded(Which::First, arguments)
}

fn pad_right(arguments: Vec<Expr>) -> Expr {
    padded(Which::Last, arguments)
}

fn slug(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let text = next(&mut arguments);
    Expr::call(F::Slug, vec![text, or_else(&mut arguments, Value::from("-"))])
}

/// Letters are compared in lower case, which is the same in most languages.
fn sorensen_dice(arguments: Vec<Expr>) -> Expr {
    let apart = F::TextsApart(TextDistance::SorensenDice);
    Expr::call(apart, arguments.into_iter().take(2).collect())
}
