//! Values as texts of other formats, and back: JSON, digests, times in patterns of Java.

mod iso_time;
mod java_time;
mod json;

use md5::{Digest, Md5};
use millrace_model::{Result, Value};

use super::Function;
use super::arguments::{bounded_list, check_bytes, int, list, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! formats_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A value as a JSON text; null too.
            ToJson: [1, 1], 0, Fails::May => formats::call;
            /// The value that a JSON text means.
            FromJson: [1, 1], ALL, Fails::May => formats::call;
            /// The MD5 digest of the texts of a list, one behind the other, in hexadecimal digits.
            Md5: [1, 1], ALL, Fails::May => formats::call;
            /// A time since 1970, in a unit, as a text by a pattern of Java, in a zone.
            FormatTime: [4, 4], ALL, Fails::May => formats::call;
            /// The time since 1970, in a unit, that a text means by a pattern of Java, in a zone.
            ParseTime: [4, 4], ALL, Fails::May => formats::call;
            /// A time as a text of a format of Java, as a text of another one.
            ConvertTime: [3, 3], ALL, Fails::May => formats::call;
        }
    };
}

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::ToJson => {
            let written = json::write(&arguments[0])?;
            check_bytes(written.len())?;
            Ok(Value::string(&written))
        }
        Function::FromJson => match json::read(text(function, &arguments[0])?)? {
            Value::List(entries) => bounded_list(entries.iter().cloned()),
            value => Ok(value),
        },
        Function::Md5 => {
            let mut joined = String::new();
            for value in list(function, &arguments[0])?.iter().filter(|value| !value.is_null()) {
                let own = Function::Display.call(std::slice::from_ref(value))?;
                joined.push_str(own.as_str().unwrap_or_default());
                check_bytes(joined.len())?;
            }
            let digest = Md5::digest(joined.as_bytes());
            let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            Ok(Value::string(&digits))
        }
        Function::FormatTime => {
            let unit = java_time::nanos_of(text(function, &arguments[1])?)?;
            let (pattern, zone) = (text(function, &arguments[2])?, text(function, &arguments[3])?);
            let nanos = i128::from(int(function, &arguments[0])?) * i128::from(unit);
            java_time::format(nanos, pattern, zone).map(|text| Value::string(&text))
        }
        Function::ParseTime => {
            let unit = java_time::nanos_of(text(function, &arguments[1])?)?;
            let (pattern, zone) = (text(function, &arguments[2])?, text(function, &arguments[3])?);
            let nanos = java_time::parse(text(function, &arguments[0])?, pattern, zone)?;
            let time = nanos.div_euclid(i128::from(unit));
            Ok(i64::try_from(time).map_or(Value::Null, Value::I64))
        }
        Function::ConvertTime => {
            let (from, to) = (text(function, &arguments[1])?, text(function, &arguments[2])?);
            let converted = iso_time::convert(text(function, &arguments[0])?, from, to)?;
            Ok(Value::string(&converted))
        }
        other => Err(misplaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_json_and_read_back() {
        for text in
            [r#"{"a":1,"b":[true,null,-2.5,"x\"\\\n"],"c":{}}"#, r#"[]"#, r#""é\u0001""#, "null"]
        {
            let value = Function::FromJson.call(&[text.into()]).expect(text);
            assert_eq!(Function::ToJson.call(&[value]), Ok(text.into()));
        }
        let read = |text: &str| Function::FromJson.call(&[text.into()]);
        assert_eq!(
            read(" [1e2 , \"\\ud83d\\ude00\"] "),
            Ok(Value::list(vec![100.0.into(), "😀".into()]))
        );
        for bad in ["", "{", "[1,]", "{\"a\" 1}", "\"\\x\"", "01", "tru", "[1] 2"] {
            read(bad).expect_err(bad);
        }
        read(&"[".repeat(100_000)).expect_err("too deep");
    }

    #[test]
    fn a_digest_is_that_of_the_texts_one_behind_the_other() {
        let digest = |values: Vec<Value>| Function::Md5.call(&[Value::list(values)]);
        assert_eq!(digest(vec![]), Ok("d41d8cd98f00b204e9800998ecf8427e".into()));
        assert_eq!(
            digest(vec!["a".into(), "bc".into()]),
            Ok("900150983cd24fb0d6963f7d28e17f72".into())
        );
        let long = "1234567890".repeat(8);
        assert_eq!(
            digest(vec![long.as_str().into()]),
            Ok("57edf4a22be3c955ac49da2e2107b67a".into())
        );
    }

    #[test]
    fn times_are_written_and_read_by_patterns_of_java() {
        let format = |time: i64, unit: &str, pattern: &str, zone: &str| {
            Function::FormatTime.call(&[Value::I64(time), unit.into(), pattern.into(), zone.into()])
        };
        let parse = |text: &str, unit: &str, pattern: &str, zone: &str| {
            Function::ParseTime.call(&[text.into(), unit.into(), pattern.into(), zone.into()])
        };
        for (time, unit, pattern, zone, wanted) in [
            (1_700_000_000_123, "ms", "yyyy-MM-dd HH:mm:ss", "UTC", "2023-11-14 22:13:20"),
            (
                1_700_000_000_123,
                "ms",
                "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                "UTC",
                "2023-11-14T22:13:20.123Z",
            ),
            (1_700_000_000, "s", "d/M/yy h:mm a", "Europe/Stockholm", "14/11/23 11:13 PM"),
            (0, "d", "EEE, dd MMM yyyy", "UTC", "Thu, 01 Jan 1970"),
        ] {
            assert_eq!(format(time, unit, pattern, zone), Ok(wanted.into()));
        }
        let text = "2023-11-14T23:13:20+01:00";
        assert_eq!(
            parse(text, "s", "yyyy-MM-dd'T'HH:mm:ssXXX", "UTC"),
            Ok(Value::I64(1_700_000_000))
        );
        assert_eq!(parse("14.11.2023", "d", "dd.MM.yyyy", "UTC"), Ok(Value::I64(19_675)));
        parse("x", "s", "yyyy", "UTC").expect_err("no year");
        parse("2023-02-30", "s", "yyyy-MM-dd", "UTC").expect_err("no day");
        format(0, "s", "Q", "UTC").expect_err("an unknown letter");
    }
}
