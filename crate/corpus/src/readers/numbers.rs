//! Numbers as templates write them.

use crate::readers::scripts::superscript;

/// A number as it is shown: with commas between thousands and a true minus sign. `1.5e6` and `3+1/2` are numbers too.
/// None for what is no number.
pub(crate) fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, digits) = match text.chars().next()? {
        '-' | '−' => ("−", &text[text.chars().next()?.len_utf8()..]),
        '+' => ("+", &text[1..]),
        _ => ("", text),
    };
    if let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) {
        let power = exponent.strip_prefix('+').unwrap_or(exponent);
        let valid = power.strip_prefix(['-', '−']).unwrap_or(power).bytes().all(|byte| byte.is_ascii_digit());
        let power = superscript(power);
        return (valid && !power.is_empty() && is_decimal(mantissa)).then(|| format!("{sign}{mantissa}×10{power}"));
    }
    if let Some((above, below)) = digits.split_once(['/', '⁄']) {
        let (whole, above) = above.split_once(['+', ' ']).unwrap_or(("", above));
        let integer = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let valid = (whole.is_empty() || integer(whole)) && integer(above) && integer(below.trim_start_matches('/'));
        let space = if whole.is_empty() { "" } else { " " };
        return valid.then(|| format!("{sign}{whole}{space}{above}/{}", below.trim_start_matches('/')));
    }
    is_decimal(&digits.replace(',', "")).then(|| format!("{sign}{}", grouped(digits)))
}

/// Whether text is digits with at most one point.
fn is_decimal(text: &str) -> bool {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(decimals) && !(whole.is_empty() && decimals.is_empty())
}

/// Digits with commas between thousands.
pub(crate) fn grouped(digits: &str) -> String {
    let digits = digits.replace(',', "");
    let (whole, decimals) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    let count = whole.chars().count();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (count - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + decimals
}

/// A number with its ending: `3rd`.
pub(crate) fn ordinal(text: &str) -> Option<String> {
    let digits = text.trim().replace(',', "");
    let number: u64 = digits.parse().ok()?;
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    Some(format!("{}{ending}", grouped(&digits)))
}

const SMALL: [(&str, &str); 20] = [
    ("zero", "zeroth"),
    ("one", "first"),
    ("two", "second"),
    ("three", "third"),
    ("four", "fourth"),
    ("five", "fifth"),
    ("six", "sixth"),
    ("seven", "seventh"),
    ("eight", "eighth"),
    ("nine", "ninth"),
    ("ten", "tenth"),
    ("eleven", "eleventh"),
    ("twelve", "twelfth"),
    ("thirteen", "thirteenth"),
    ("fourteen", "fourteenth"),
    ("fifteen", "fifteenth"),
    ("sixteen", "sixteenth"),
    ("seventeen", "seventeenth"),
    ("eighteen", "eighteenth"),
    ("nineteen", "nineteenth"),
];

const TENS: [&str; 8] = ["twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"];

/// A number up to 99 in words, as `three` and `third`.
pub(crate) fn words(text: &str) -> Option<(String, String)> {
    let number: usize = text.trim().parse().ok()?;
    if let Some((cardinal, ordinal)) = SMALL.get(number) {
        return Some(((*cardinal).into(), (*ordinal).into()));
    }
    let tens = TENS.get(number / 10 - 2)?;
    Some(match number % 10 {
        0 => (format!("{tens}y"), format!("{tens}ieth")),
        ones => (format!("{tens}y-{}", SMALL[ones].0), format!("{tens}y-{}", SMALL[ones].1)),
    })
}
