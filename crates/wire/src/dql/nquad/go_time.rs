//! Times as Go's `MarshalBinary` writes them: a version, seconds since the year 1, nanoseconds, minutes of the offset.

/// Days from the first day of the year 1 to that of 1970.
const DAYS_TO_1970: i64 = 719_162;

const DAY_SECONDS: i64 = 86_400;

/// The offset of a time without one: UTC.
const UTC: i16 = -1;

/// The time as RFC 3339 has it.
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    let refused = || "its time is not in Go's binary form".to_owned();
    let (seconds, nanos, offset) = match bytes {
        // The second version has the seconds of the offset behind it.
        [1, rest @ ..] if rest.len() == 14 => parts(rest),
        [2, rest @ .., 0] if rest.len() == 14 => parts(rest),
        _ => return Err(refused()),
    };
    let minutes = if offset == UTC { 0 } else { i64::from(offset) };
    let local = seconds.checked_add(minutes * 60).ok_or_else(refused)?;
    let (days, second) = (local.div_euclid(DAY_SECONDS), local.rem_euclid(DAY_SECONDS));
    if 999_999_999 < nanos {
        return Err(refused());
    }
    let (year, month, day) = civil(days).ok_or_else(|| "its time is out of range".to_owned())?;
    let mut text = format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}",
        second / 3_600,
        second / 60 % 60,
        second % 60
    );
    if nanos != 0 {
        text.push_str(&format!(".{nanos:09}"));
    }
    match minutes {
        0 => text.push('Z'),
        _ => {
            let sign = if minutes < 0 { '-' } else { '+' };
            let size = minutes.abs();
            text.push_str(&format!("{sign}{:02}:{:02}", size / 60, size % 60));
        }
    }
    Ok(text)
}

/// Seconds, nanoseconds and offset of 14 bytes.
fn parts(bytes: &[u8]) -> (i64, u32, i16) {
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().fold(0_u64, |all, byte| all << 8 | u64::from(*byte))
    };
    (number(0, 8) as i64, number(8, 12) as u32, number(12, 14) as i16)
}

/// Year, month and day of a number of days since the first day of the year 1; years of four digits only.
fn civil(days: i64) -> Option<(i64, i64, i64)> {
    let days = days.checked_sub(DAYS_TO_1970)?;
    // The days since the first of March of the year 0, by eras of 400 years.
    let shifted = days.checked_add(719_468)?;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (0..=9_999).contains(&year).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a time by its seconds since 1970.
    fn bytes(seconds: i64, nanos: u32, offset: i16) -> Vec<u8> {
        let seconds = seconds + DAYS_TO_1970 * DAY_SECONDS;
        let parts = [&seconds.to_be_bytes()[..], &nanos.to_be_bytes(), &offset.to_be_bytes()];
        [&[1][..], &parts.concat()].concat()
    }

    #[test]
    fn times_are_those_that_go_wrote() {
        for (seconds, nanos, offset, wanted) in [
            (0, 0, -1, "1970-01-01T00:00:00Z"),
            (1_136_214_245, 0, -1, "2006-01-02T15:04:05Z"),
            (1_136_214_245, 5, 60, "2006-01-02T16:04:05.000000005+01:00"),
            (1_136_214_245, 0, -330, "2006-01-02T09:34:05-05:30"),
            (951_782_400, 0, 0, "2000-02-29T00:00:00Z"),
            (-62_135_596_800, 0, -1, "0001-01-01T00:00:00Z"),
        ] {
            assert_eq!(text(&bytes(seconds, nanos, offset)).as_deref(), Ok(wanted));
        }
        let good = bytes(0, 0, -1);
        for wrong in
            [&good[1..], &good[..14], &bytes(i64::MAX / 2, 0, 0), &bytes(0, u32::MAX, 0), b""]
        {
            assert!(text(wrong).is_err(), "{wrong:?}");
        }
    }
}
