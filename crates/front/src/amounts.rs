//! Amounts as text: `10M` nodes, `30s`, `2GiB`.

use std::time::Duration;

/// Reads a number of things: `5000`, `10M`.
pub fn count(text: &str) -> Result<u64, String> {
    quantity(text, &[("", 1), ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)])
        .ok_or_else(|| "expected a whole number, perhaps with k, M or G, e.g. 10M".to_owned())
}

/// Reads a number of things that is not 0.
pub fn some(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("expected at least 1".to_owned()),
        some => Ok(some),
    }
}

/// Reads a time that is not 0.
pub fn some_time(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("expected some time, e.g. 100ms".to_owned()),
        some => Ok(some),
    }
}

/// Reads a time: `500ms`, `1.5s`, `5m`; without a unit it is seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    const MS: u64 = 1_000_000;
    let units =
        [("ns", 1), ("us", 1_000), ("ms", MS), ("s", 1_000 * MS), ("", 1_000 * MS), ("m", 60_000 * MS)];
    let units = [&units[..], &[("min", 60_000 * MS), ("h", 3_600_000 * MS), ("d", 86_400_000 * MS)]].concat();
    quantity(text, &units)
        .map(Duration::from_nanos)
        .ok_or_else(|| "expected a number and ms, s, m, h or d, e.g. 30s".to_owned())
}

/// A time as [`time`] reads it, in the largest unit of which it is a whole number.
pub fn show_time(time: Duration) -> String {
    const MS: u128 = 1_000_000;
    let units = [("h", 3_600_000 * MS), ("m", 60_000 * MS), ("s", 1_000 * MS), ("ms", MS), ("us", 1_000)];
    let nanos = time.as_nanos();
    match units.iter().find(|(_, unit)| nanos.is_multiple_of(*unit)) {
        _ if nanos == 0 => "0s".to_owned(),
        Some((name, unit)) => format!("{}{name}", nanos / unit),
        None => format!("{nanos}ns"),
    }
}

/// Reads an amount of memory: `512MiB`, `2GB`; K, M, G and T alone mean KiB, MiB, GiB and TiB.
pub fn memory(text: &str) -> Result<u64, String> {
    const KIB: u64 = 1 << 10;
    let mut units = vec![("", 1), ("B", 1)];
    for (power, names) in
        [["K", "KiB", "KB"], ["M", "MiB", "MB"], ["G", "GiB", "GB"], ["T", "TiB", "TB"]].iter().enumerate()
    {
        let power = power as u32 + 1;
        units.extend([
            (names[0], KIB.pow(power)),
            (names[1], KIB.pow(power)),
            (names[2], 1000u64.pow(power)),
        ]);
    }
    match quantity(text, &units) {
        Some(bytes @ KIB..) => Ok(bytes),
        Some(_) => Err("expected at least 1KiB".to_owned()),
        None => Err("expected a number and KiB, MiB, GiB or TiB, e.g. 2GiB".to_owned()),
    }
}

/// A number, whole or with a decimal point, times its unit; `None` if it is none of these or does
/// not fit.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, fraction) = match number.split_once('.') {
        None => (number, ""),
        Some((whole, fraction)) if !fraction.is_empty() && fraction.len() <= 9 => (whole, fraction),
        Some(_) => return None,
    };
    let whole = whole.parse::<u64>().ok()?.checked_mul(*factor)?;
    if fraction.is_empty() {
        return Some(whole);
    }
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(*factor);
    let scale = 10u128.pow(fraction.len() as u32);
    // A fraction of a thing or of a byte is no amount.
    if part % scale != 0 { None } else { whole.checked_add((part / scale) as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(
            ["0", "5000", "10M", "2k", "1.5M", "3G"].map(|t| count(t).unwrap()),
            [0, 5000, 10_000_000, 2000, 1_500_000, 3_000_000_000]
        );
        for bad in
            ["", "M", "-1", "+1", "1.5", "1e6", "10 M", "10m", "99999999999999999999", "20000000000G", ".5k"]
        {
            assert!(count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(
            ["30s", "30", "500ms", "1.5s", "2m", "1h", "0s"].map(|t| time(t).unwrap().as_millis()),
            [30_000, 30_000, 500, 1_500, 120_000, 3_600_000, 0]
        );
        for bad in ["", "s", "soon", "-1s", "1.s", "1..5s", "30 s", "NaN", "inf", "9999999999999999d", "٣s"]
        {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_shown_as_they_are_read() {
        for text in ["30s", "90s", "500ms", "1501ms", "2m", "1h", "25h", "0s", "7us", "1000001ns"] {
            assert_eq!(show_time(time(text).unwrap()), text);
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(
            ["2GiB", "2G", "1KiB", "1MB", "1.5MiB", "4096"].map(|t| memory(t).unwrap()),
            [2 << 30, 2 << 30, 1024, 1_000_000, 3 << 19, 4096]
        );
        for bad in ["", "0", "1023", "GiB", "2gib", "1.0000001KiB", "99999999TiB", "-5MiB"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
    }
}
