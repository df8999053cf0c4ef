//! `dbms.listConfig`: the settings, as older clients ask for them.

use std::sync::Arc;

use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Result, Value};
use millrace_plan::{Signature, ValueType};

use crate::settings::{Kind, SETTINGS, Setting, Settings};

/// The procedure, with the settings that the database was opened with.
pub(super) struct ListConfig(pub(super) Settings);

impl Procedure for ListConfig {
    fn signature(&self) -> Signature {
        let description = "The settings whose names have a text in them, by name.";
        Signature::reading("dbms.listConfig", description)
            .optional("searchString", ValueType::Text)
            .yields("name", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("value", ValueType::Text)
            .yields("dynamic", ValueType::Boolean)
            .yields("defaultValue", ValueType::Text)
            .yields("startupValue", ValueType::Text)
            .yields("explicitlySet", ValueType::Boolean)
            .yields("validValues", ValueType::Text)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let wanted = Arguments { columns, row }.text(0)?;
            let wanted = wanted.map(|text| text.to_lowercase()).unwrap_or_default();
            let is_meant = |setting: &&Setting| setting.name.to_lowercase().contains(&wanted);
            let mut settings: Vec<&Setting> = SETTINGS.iter().filter(is_meant).collect();
            settings.sort_by_key(|setting| setting.name);
            Ok(settings.into_iter().map(|setting| self.shown(setting)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

impl ListConfig {
    fn shown(&self, setting: &Setting) -> Vec<Value> {
        let value = setting.show(&self.0);
        let default = setting.show(&Settings::default());
        let valid = match setting.kind {
            Kind::Text => "a text".to_owned(),
            kind => kind.to_string(),
        };
        let text = |text: &str| Value::from(text);
        vec![
            text(setting.name),
            text(setting.about),
            text(&value),
            Value::Bool(false),
            text(&default),
            text(&value),
            Value::Bool(value != default),
            text(&valid),
        ]
    }
}
