//! The 55 languages of names, and texts in their letters. A name in another script is spelled letter by letter, so that
//! it has the length and the words of the English one; it is no translation.

/// A language's tag and its letters.
pub(super) struct Language {
    pub(super) tag: &'static str,
    script: Script,
}

/// Letters for those from `a` to `z`, each a word of the text; `None` keeps the letters as they are.
type Script = Option<&'static str>;

const LATIN: Script = None;
const CYRILLIC: Script = Some("а б ц д е ф г х и ж к л м н о п к р с т у в в кс й з");
const GREEK: Script = Some("α β κ δ ε φ γ χ ι ζ κ λ μ ν ο π κ ρ σ τ υ β β ξ υ ζ");
const ARABIC: Script = Some("ا ب ك د ي ف غ ه ي ج ك ل م ن و ب ق ر س ت و ف و كس ي ز");
const HEBREW: Script = Some("א ב ק ד ע פ ג ה י ג ק ל מ נ ו פ ק ר ס ט ו ו ו קס י ז");
const DEVANAGARI: Script = Some("अ ब क द ए फ ग ह इ ज क ल म न ओ प क र स त उ व व क्स य ज़");
const BENGALI: Script = Some("আ ব ক দ এ ফ গ হ ই জ ক ল ম ন ও প ক র স ত উ ভ ও ক্স য জ");
const TAMIL: Script = Some("அ ப க ட எ ஃப் க ஹ இ ஜ க ல ம ன ஓ ப க ர ச த உ வ வ க்ஸ் ய ஸ்");
const TELUGU: Script = Some("అ బ క ద ఎ ఫ గ హ ఇ జ క ల మ న ఓ ప క ర స త ఉ వ వ క్స య జ");
const THAI: Script = Some("อะ บ ค ด เอ ฟ ก ห อิ จ ก ล ม น โอ ป ก ร ส ต อุ ว ว ซ ย ซ");
const KATAKANA: Script =
    Some("ア ブ ク ド エ フ グ ハ イ ジ ク ル ム ン オ プ ク ル ス ト ウ ヴ ワ クス ヤ ズ");
const HANGUL: Script =
    Some("아 브 크 드 에 프 그 흐 이 즈 크 르 므 느 오 프 크 르 스 트 우 브 우 크스 이 즈");
const HAN: Script =
    Some("阿 布 克 德 埃 夫 格 赫 伊 杰 克 尔 姆 恩 奥 普 克 尔 斯 特 乌 维 瓦 克斯 亚 兹");
const GEORGIAN: Script = Some("ა ბ კ დ ე ფ გ ჰ ი ჯ კ ლ მ ნ ო პ კ რ ს ტ უ ვ ვ ქს ი ზ");
const ARMENIAN: Script = Some("ա բ կ դ ե ֆ գ հ ի ջ կ լ մ ն ո պ կ ր ս տ ու վ վ քս յ զ");

const fn language(tag: &'static str, script: Script) -> Language {
    Language { tag, script }
}

/// All languages; the first have the most names. The first four are those of the words that are translated.
pub(super) const LANGUAGES: [Language; 55] = [
    language("en", LATIN),
    language("de", LATIN),
    language("fr", LATIN),
    language("ja", KATAKANA),
    language("es", LATIN),
    language("it", LATIN),
    language("pt", LATIN),
    language("ru", CYRILLIC),
    language("zh", HAN),
    language("pl", LATIN),
    language("nl", LATIN),
    language("sv", LATIN),
    language("ko", HANGUL),
    language("fi", LATIN),
    language("hu", LATIN),
    language("tr", LATIN),
    language("cs", LATIN),
    language("da", LATIN),
    language("no", LATIN),
    language("el", GREEK),
    language("he", HEBREW),
    language("ar", ARABIC),
    language("fa", ARABIC),
    language("uk", CYRILLIC),
    language("bg", CYRILLIC),
    language("ro", LATIN),
    language("hr", LATIN),
    language("sr", CYRILLIC),
    language("sk", LATIN),
    language("sl", LATIN),
    language("ca", LATIN),
    language("zh-Hant", HAN),
    language("pt-BR", LATIN),
    language("es-419", LATIN),
    language("en-GB", LATIN),
    language("fr-CA", LATIN),
    language("th", THAI),
    language("vi", LATIN),
    language("id", LATIN),
    language("ms", LATIN),
    language("fil", LATIN),
    language("hi", DEVANAGARI),
    language("mr", DEVANAGARI),
    language("bn", BENGALI),
    language("ta", TAMIL),
    language("te", TELUGU),
    language("lt", LATIN),
    language("lv", LATIN),
    language("et", LATIN),
    language("is", LATIN),
    language("eu", LATIN),
    language("gl", LATIN),
    language("ka", GEORGIAN),
    language("hy", ARMENIAN),
    language("iw", HEBREW),
];

/// The letters of all languages, ready to spell texts.
pub(super) struct Spelling {
    letters: Vec<Vec<&'static str>>,
}

impl Spelling {
    pub(super) fn new() -> Self {
        let of = |language: &Language| {
            language.script.map_or(Vec::new(), |all| all.split(' ').collect())
        };
        Self { letters: LANGUAGES.iter().map(of).collect() }
    }

    /// Appends a text in the letters of a language.
    pub(super) fn push(&self, language: usize, text: &str, out: &mut String) {
        let letters = &self.letters[language];
        if letters.is_empty() {
            return out.push_str(text);
        }
        for letter in text.chars() {
            let lower = letter.to_ascii_lowercase();
            match lower {
                'a'..='z' => out.push_str(letters[usize::from(lower as u8 - b'a')]),
                _ => out.push(letter),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_script_has_a_letter_for_each_of_the_alphabet() {
        let spelling = Spelling::new();
        for (language, letters) in LANGUAGES.iter().zip(&spelling.letters) {
            assert!([0, 26].contains(&letters.len()), "{}: {}", language.tag, letters.len());
        }
        let tags: HashSet<&str> = LANGUAGES.iter().map(|language| language.tag).collect();
        assert_eq!(tags.len(), 55);
    }

    #[test]
    fn a_name_is_spelled_letter_by_letter() {
        let spelled = |tag: &str| {
            let mut text = String::new();
            let language = LANGUAGES.iter().position(|language| language.tag == tag).unwrap();
            Spelling::new().push(language, "Ada B. Mbeki-Roy", &mut text);
            text
        };
        assert_eq!(spelled("es"), "Ada B. Mbeki-Roy");
        assert_eq!(spelled("ru"), "ада б. мбеки-рой");
    }
}
