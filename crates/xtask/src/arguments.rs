//! The words after a command. A word that no command took is refused: no option is silently ignored.
//!
//! Commands never enter here.

/// Options still to be taken.
pub(crate) struct Arguments {
    words: Vec<String>,
}

impl Arguments {
    pub(crate) fn new(words: impl Iterator<Item = String>) -> Self {
        Self { words: words.collect() }
    }

    /// Whether the option `name` is there.
    pub(crate) fn take_flag(&mut self, name: &str) -> bool {
        let position = self.words.iter().position(|word| word == name);
        position.map(|position| self.words.remove(position)).is_some()
    }

    /// The word after the option `name`.
    pub(crate) fn take_value(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(position) = self.words.iter().position(|word| word == name) else {
            return Ok(None);
        };
        self.words.remove(position);
        if position == self.words.len() {
            return Err(format!("{name} wants a value"));
        }
        Ok(Some(self.words.remove(position)))
    }

    /// The whole number after the option `name`.
    pub(crate) fn take_number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let Some(text) = self.take_value(name)? else { return Ok(None) };
        let number = text.parse().map_err(|_| format!("{name} wants a whole number, not `{text}`"));
        number.map(Some)
    }

    /// The number above 0 after the option `name`, which may have a fraction.
    pub(crate) fn take_decimal(&mut self, name: &str) -> Result<Option<f64>, String> {
        let Some(text) = self.take_value(name)? else { return Ok(None) };
        let number: Option<f64> = text.parse().ok();
        let number = number.filter(|number| number.is_finite() && 0.0 < *number);
        number.map(Some).ok_or_else(|| format!("{name} wants a number above 0, not `{text}`"))
    }

    /// All words that are left, for another program that reads its own options.
    pub(crate) fn into_words(self) -> Vec<String> {
        self.words
    }

    /// Fails if words are left.
    pub(crate) fn finish(self) -> Result<(), String> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => Err(format!("unknown option `{word}`; `cargo xtask help` lists them")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Arguments {
        Arguments::new(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_taken_in_any_order() {
        let mut taken = arguments("--from 7 --list --seeds 500");
        assert_eq!(taken.take_number("--seeds"), Ok(Some(500)));
        assert_eq!(taken.take_number("--from"), Ok(Some(7)));
        assert_eq!(taken.take_value("--only"), Ok(None));
        assert!(taken.take_flag("--list"));
        assert_eq!(taken.finish(), Ok(()));
    }

    #[test]
    fn another_program_receives_the_words_that_are_left() {
        let mut taken = arguments("--release --folder match");
        assert!(taken.take_flag("--release"));
        assert_eq!(taken.into_words(), ["--folder", "match"]);
    }

    #[test]
    fn malformed_numbers_are_refused_by_name() {
        assert!(arguments("--seeds").take_number("--seeds").unwrap_err().contains("--seeds"));
        assert!(arguments("--seeds 5OO").take_number("--seeds").unwrap_err().contains("`5OO`"));
        for wrong in ["--scale 0", "--scale -1", "--scale inf", "--scale wide"] {
            assert!(arguments(wrong).take_decimal("--scale").unwrap_err().contains("above 0"));
        }
        assert_eq!(arguments("--scale 0.5").take_decimal("--scale"), Ok(Some(0.5)));
        assert!(arguments("--sedes 500").finish().unwrap_err().contains("`--sedes`"));
    }
}
