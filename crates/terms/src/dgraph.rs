//! The words of a text as Dgraph has them: what its tokenizers `term` make of a value, and what its functions ask.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Languages that do not set words apart by blanks: their texts are parted at blanks only.
const WITHOUT_BLANKS: [&str; 8] = ["zh", "ja", "th", "lo", "my", "bo", "km", "kxm"];

/// The words of a text in a language, each once, in the order of their coming: as Unicode bounds them, in lower case and
/// in their compatibility form.
pub fn terms(text: &str, language: &str) -> Vec<String> {
    let base = language.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let words: Vec<String> = match WITHOUT_BLANKS.contains(&base.as_str()) {
        true => text.split(' ').map(str::to_owned).collect(),
        false => {
            let words = text.unicode_words();
            words.map(|word| word.to_lowercase().nfkc().collect()).collect()
        }
    };
    let mut distinct: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn words_are_in_lower_case_and_come_once() {
        assert_eq!(terms("The quick, the FOX", ""), ["the", "quick", "fox"]);
        assert_eq!(terms("ﬁne 한국", "ko"), ["fine", "한국"]);
        assert_eq!(terms("東京 大阪", "ja-JP"), ["東京", "大阪"]);
    }
}
