//! `CREATE`, and `INSERT`, which is the same with fewer forms.

use millrace_model::Result;

use crate::patterns::Maker;
use crate::translate::Translator;
use crate::tree::Create;

impl Create {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        self.later.iter().for_each(|variable| translator.pend(variable));
        let mut patterns = self.patterns.iter();
        patterns.try_for_each(|pattern| translator.create_path(pattern, Maker::Create))
    }
}
