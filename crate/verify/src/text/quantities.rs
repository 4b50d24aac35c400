//! Quantities in a text, and a passage's quantities said as a statement says them: in its unit, rounded as there, or as
//! the bound that it states.
//!
//! NLI models cannot compute. They take 962 °C beside "962 degrees Celsius" for a contradiction, and 56 beside 55.85.
//! So arithmetic does that part: where a passage's number amounts to the statement's, the model reads the statement's,
//! and where it does not, the model reads it in the statement's unit.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use evident_index::analyse;

use crate::text::english::{AT_LEAST, AT_MOST, MONTHS, NEARLY, Phrases, ROUGHLY};
use crate::text::units::Unit;

/// How a number stands to the one that is meant, by the words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exactly,
    Roughly,
    /// A little below the number.
    Nearly,
    AtLeast,
    AtMost,
}

/// A number with what it counts or measures.
#[derive(Clone, Debug)]
struct Quantity {
    /// Where the words of its bound begin; where the number begins if it has none.
    start: usize,
    bound: Bound,
    /// The bytes of the number with its minus sign and with words such as "million".
    number: Range<usize>,
    value: f64,
    /// The place of the number's last digit but for zeros at its end: 10 for 1,540 and 0.01 for 55.85.
    step: f64,
    unit: Option<&'static Unit>,
    /// The bytes of the unit. They are after those of another number in "10 to 20 km", and empty without a unit.
    named: Range<usize>,
}

impl Quantity {
    /// Its end, with the unit if that follows.
    fn end(&self) -> usize {
        if self.is_followed_by_unit() { self.named.end } else { self.number.end }
    }

    /// Whether it is the lower end of a range that ends with `upper`: it shares that one's unit.
    fn is_range_to(&self, upper: &Self) -> bool {
        self.unit.is_some() && self.named == upper.named
    }

    /// Whether its unit stands right behind the number.
    fn is_followed_by_unit(&self) -> bool {
        self.unit.is_some() && self.named.start.saturating_sub(self.number.end) <= 2
    }
}

/// The most by which a number that stands for another may differ from it, as a share of the greater: for numbers
/// without a hedge in one unit and in two, and for those with one. Half of the last digit's place is another limit.
const PLAIN: f64 = 0.005;
const CONVERTED: f64 = 0.01;
const HEDGED: f64 = 0.05;
/// The same for "nearly", which only says that the number is not reached.
const NEAR: f64 = 0.1;

/// A bound is taken for said by a number that is at most this many times as far: 5 million are "more than 400,000", but
/// nobody says so.
const BOUNDED: f64 = 2.0;

/// `passage` as it reads beside `statement`: each of its quantities that amounts to one of the statement is said in the
/// statement's words, and each other one in the statement's unit where the statement measures the same in another.
pub(crate) fn said_alike<'a>(passage: &'a str, statement: &str) -> Cow<'a, str> {
    let stated = quantities(statement);
    if stated.is_empty() {
        return Cow::Borrowed(passage);
    }
    let mut alike = String::new();
    let mut from = 0;
    let found = quantities(passage);
    for (i, each) in found.iter().enumerate() {
        let upper = found.get(i + 1).filter(|upper| each.is_range_to(upper));
        let lower = i.checked_sub(1).map(|i| &found[i]).filter(|lower| lower.is_range_to(each));
        if lower.is_some_and(|lower| range_said(lower, each, &stated).is_some()) {
            continue; // it went with the lower end
        }
        let whole = upper.and_then(|upper| {
            let said = range_said(each, upper, &stated)?;
            Some((each.start..upper.end(), with_unit(&statement[said.start..said.number.end], said, statement)))
        });
        let is_end = lower.or(upper).is_some();
        let Some((range, words)) = whole.or_else(|| reworded(each, is_end, passage, &stated, statement)) else {
            continue;
        };
        if passage[range.clone()] != words {
            alike.push_str(&passage[from..range.start]);
            alike.push_str(&words);
            from = range.end;
        }
    }
    if from == 0 { Cow::Borrowed(passage) } else { Cow::Owned(alike + &passage[from..]) }
}

/// The quantity of a statement that a range in a passage settles: "about 100 grams" by "85 to 130 grams", and "over 2,000
/// years" by "2,200 to 2,700 years".
fn range_said<'a>(lower: &Quantity, upper: &Quantity, stated: &'a [Quantity]) -> Option<&'a Quantity> {
    let settled = |said: &&Quantity| {
        let (Some(unit), Some(other)) = (upper.unit, said.unit) else { return false };
        let is_within = unit.dimension == other.dimension
            && (unit.convert(lower.value, other)..=unit.convert(upper.value, other)).contains(&said.value);
        match said.bound {
            Bound::Roughly => is_within,
            Bound::AtLeast | Bound::AtMost => amounts(lower, said) && amounts(upper, said),
            Bound::Exactly | Bound::Nearly => false,
        }
    };
    stated.iter().find(settled)
}

/// The bytes of a passage's quantity that are replaced, and the words in their place. One end of a range settles no
/// bound.
fn reworded(
    found: &Quantity,
    is_end: bool,
    passage: &str,
    stated: &[Quantity],
    statement: &str,
) -> Option<(Range<usize>, String)> {
    let alike = stated.iter().find(|said| {
        amounts(found, said) && (!is_end || said.bound == Bound::Exactly) && {
            found.unit.is_some() || found.value == said.value || count_the_same(found, passage, said, statement)
        }
    });
    if let Some(said) = alike {
        let with_bound = said.bound != Bound::Exactly;
        let range = if with_bound { found.start } else { found.number.start }..found.end();
        let from = if with_bound { said.start } else { said.number.start };
        let number = &statement[from..said.number.end];
        return Some((
            range,
            if found.is_followed_by_unit() { with_unit(number, said, statement) } else { number.to_owned() },
        ));
    }
    let unit = found.unit?;
    let mut others = stated.iter().filter_map(|said| Some((said, said.unit?)));
    let (said, other) = others.find(|(_, other)| other.dimension == unit.dimension)?;
    let number = if other == unit {
        // Models take the end of 1,450 for 450, so it has no comma beside a number that has none.
        let number = &passage[found.number.clone()];
        if statement[said.number.clone()].contains(',') { number.to_owned() } else { number.replace(',', "") }
    } else {
        written(unit.convert(found.value, other), significant(found.value, found.step))
    };
    let words = if found.is_followed_by_unit() { with_unit(&number, said, statement) } else { number };
    Some((found.number.start..found.end(), words))
}

/// A number with the unit of `said` as the statement writes it.
fn with_unit(number: &str, said: &Quantity, statement: &str) -> String {
    let between = if said.is_followed_by_unit() { &statement[said.number.end..said.named.start] } else { " " };
    format!("{number}{between}{}", &statement[said.named.clone()])
}

/// Whether a passage's quantity is what the statement's says, or settles that it is true.
fn amounts(found: &Quantity, said: &Quantity) -> bool {
    let (value, step) = match (found.unit, said.unit) {
        (None, None) => (found.value, found.step),
        (Some(unit), Some(other)) if unit.dimension == other.dimension => {
            (unit.convert(found.value, other), unit.convert_step(found.step, other))
        }
        _ => return false,
    };
    let is_converted = found.unit != said.unit;
    // Temperatures may be near zero, where a share says nothing.
    let scale = if said.unit.is_some_and(|unit| unit.dimension == "temperature") { 100.0 } else { 0.0 };
    let difference = (value - said.value).abs();
    let share = difference / value.abs().max(said.value.abs()).max(scale).max(f64::MIN_POSITIVE);
    if share < 1e-9 && !matches!(said.bound, Bound::AtLeast | Bound::AtMost) {
        return !matches!(found.bound, Bound::AtLeast | Bound::AtMost) || said.bound == Bound::Roughly;
    }
    let rounds = |step: f64| difference <= step / 2.0 * (1.0 + 1e-9);
    let is_hedged = matches!(found.bound, Bound::Roughly | Bound::Nearly);
    match said.bound {
        Bound::Exactly if is_converted => rounds(said.step.max(step)) && share <= CONVERTED,
        Bound::Exactly if found.unit.is_none() => false,
        Bound::Exactly => rounds(if is_hedged { said.step.max(step) } else { said.step }) && share <= PLAIN,
        Bound::Roughly => rounds(said.step.max(step)) && share <= HEDGED,
        Bound::Nearly => value <= said.value && share <= NEAR,
        Bound::AtLeast => {
            found.bound != Bound::AtMost && value > said.value && said.value > 0.0 && value <= BOUNDED * said.value
        }
        Bound::AtMost => {
            found.bound != Bound::AtLeast && value < said.value && value > 0.0 && said.value <= BOUNDED * value
        }
    }
}

/// Whether two numbers without a unit count the same: a word stands beside both.
fn count_the_same(found: &Quantity, passage: &str, said: &Quantity, statement: &str) -> bool {
    let (found, said) = (beside(passage, found), beside(statement, said));
    !found.is_disjoint(&said)
}

/// How many words before and after a number may say what it counts.
const BEFORE: usize = 5;
const AFTER: usize = 3;

/// Words for people who are counted, as index terms.
const PEOPLE: [&str; 6] = ["inhabit", "resid", "citizen", "popul", "person", "peopl"];

/// How many bytes on each side of a number are looked at: a hostile text may have no spaces.
const NEARBY: usize = 200;

/// The last bytes of a text, [`NEARBY`] at most.
fn near_end(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(NEARBY))..]
}

/// The first bytes of a text, [`NEARBY`] at most.
fn near_start(text: &str) -> &str {
    &text[..text.floor_char_boundary(NEARBY)]
}

/// The terms beside a number, within its clause.
fn beside(text: &str, quantity: &Quantity) -> HashSet<String> {
    let ends = |c: char| matches!(c, '.' | ';' | ':' | ',' | '(' | ')');
    let before = near_end(&text[..quantity.start]).rsplit(ends).next().unwrap_or("");
    let after = near_start(&text[quantity.end()..]).split(ends).next().unwrap_or("");
    let words = before.split_whitespace().rev().take(BEFORE).chain(after.split_whitespace().take(AFTER));
    let terms = words.flat_map(|word| analyse(word).collect::<Vec<_>>());
    let counted =
        |term: String| if PEOPLE.iter().any(|people| term.starts_with(people)) { "people".into() } else { term };
    terms.map(counted).filter(|term: &String| !term.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// The quantities of `text`, in order. Years, days of a month, ordinals, times of day and parts of names are none.
fn quantities(text: &str) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(number) = number(text, at) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        at = number.at.end;
        let (unit, named) = unit_after(text, number.at.end);
        let (bound, start) = bound_before(text, number.at.start);
        let mut quantity =
            Quantity { start, bound, number: number.at, value: number.value, step: number.step, unit, named };
        if quantity.unit.is_some() {
            at = quantity.named.end;
            at = go_on(text, &mut quantity).unwrap_or(at);
        } else if is_date(text, &quantity) {
            continue;
        }
        found.push(quantity);
    }
    share_units(text, &mut found);
    found
}

/// Adds a smaller unit that goes on with the quantity: 5 feet 11 inches.
fn go_on(text: &str, quantity: &mut Quantity) -> Option<usize> {
    let unit = quantity.unit?;
    let rest = &text[quantity.named.end..];
    let rest = rest.strip_prefix(" and ").or_else(|| rest.strip_prefix(", ")).or_else(|| rest.strip_prefix(' '))?;
    let next = number(text, text.len() - rest.len())?;
    let (smaller, named) = unit_after(text, next.at.end);
    let smaller = smaller.filter(|smaller| unit.goes_on_in(smaller))?;
    quantity.value += smaller.convert(next.value, unit);
    quantity.step = smaller.convert_step(next.step, unit);
    // The whole is replaced at once, so its first unit belongs to the number.
    quantity.number.end = next.at.end;
    quantity.named = named;
    Some(quantity.named.end)
}

/// Gives units to numbers that share one: the first of "10 to 20 km", and plain degrees beside a temperature or behind
/// the name of a scale.
fn share_units(text: &str, found: &mut [Quantity]) {
    for i in (0..found.len()).rev() {
        let (first, rest) = found[i..].split_at_mut(1);
        let (first, next) = (&mut first[0], rest.first());
        if first.unit.is_some() {
            continue;
        }
        if text[first.number.end..].trim_start().starts_with("degree") {
            let beside = next.filter(|next| is_temperature(next)).and_then(|next| next.unit);
            first.unit = beside.or_else(|| scale_before(near_end(&text[..first.number.start])));
            first.named = degrees(text, first.number.end);
        } else if let Some(next) = next
            && let between = text.get(first.number.end..next.start).unwrap_or("").trim()
            && matches!(between, "to" | "–" | "-" | "and" | "or")
        {
            first.unit = next.unit;
            first.named = next.named.clone();
        }
    }
}

/// The temperature scale that is named last in a text.
fn scale_before(text: &str) -> Option<&'static Unit> {
    let names = ["Fahrenheit", "Celsius"].into_iter().filter_map(|name| Some((text.rfind(name)?, name)));
    names.max().and_then(|(_, name)| Unit::opening(name)).map(|(unit, _)| unit)
}

fn is_temperature(quantity: &Quantity) -> bool {
    quantity.unit.is_some_and(|unit| unit.dimension == "temperature")
}

/// The bytes of the word "degrees" after a number.
fn degrees(text: &str, number_end: usize) -> Range<usize> {
    let start = number_end + text[number_end..].len() - text[number_end..].trim_start().len();
    let length = text[start..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - start);
    start..start + length
}

/// The unit after a number, and its bytes.
fn unit_after(text: &str, end: usize) -> (Option<&'static Unit>, Range<usize>) {
    let rest = &text[end..];
    let named = rest.strip_prefix([' ', '\u{a0}', '\u{202f}', '\u{2009}', '-']).unwrap_or(rest);
    let start = text.len() - named.len();
    match Unit::opening(named) {
        Some((unit, length)) => (Some(unit), start..start + length),
        None => (None, end..end),
    }
}

/// The bound that the words before a number state, and where they begin.
fn bound_before(text: &str, number: usize) -> (Bound, usize) {
    let lists: [(&Phrases, Bound); 4] =
        [(&AT_LEAST, Bound::AtLeast), (&AT_MOST, Bound::AtMost), (&NEARLY, Bound::Nearly), (&ROUGHLY, Bound::Roughly)];
    let before = near_end(&text[..number]).trim_end();
    let from = number - near_end(&text[..number]).len();
    let mut words = before.rmatch_indices(' ').map(|(at, _)| at + 1).chain([0]).take(4).collect::<Vec<_>>();
    words.reverse(); // the longest phrase first
    let bound = |start: usize| {
        let phrase = before[start.min(before.len())..].to_lowercase();
        lists.iter().find(|(list, _)| list.has(&phrase)).map(|(_, bound)| (*bound, from + start))
    };
    words.into_iter().find_map(bound).unwrap_or((Bound::Exactly, number))
}

/// Whether a number without a unit is a year, or a day beside its month.
fn is_date(text: &str, quantity: &Quantity) -> bool {
    let digits = &text[quantity.number.clone()];
    let is_year =
        digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()) && (1000.0..=2100.0).contains(&quantity.value);
    let is_month = |word: Option<&str>| {
        word.is_some_and(|word| {
            MONTHS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str())
        })
    };
    is_year
        || is_month(near_end(&text[..quantity.number.start]).split_whitespace().next_back())
        || is_month(near_start(&text[quantity.number.end..]).split_whitespace().next())
}

/// A number in a text.
struct Number {
    at: Range<usize>,
    value: f64,
    step: f64,
}

/// Words for powers of ten after a number.
const POWERS: [(&str, f64); 5] =
    [("hundred", 1e2), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)];

/// The number that begins at `at`, in digits or words. None within a word or a longer number, or before letters.
fn number(text: &str, at: usize) -> Option<Number> {
    let before = text[..at].chars().next_back();
    if before
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | ':' | '\'' | '$' | '£' | '€' | '#' | '°'))
    {
        return None;
    }
    let sign = text[at..].chars().next().filter(|c| matches!(c, '−' | '-' | '–'));
    let follows_word = before.is_some_and(|c| !c.is_whitespace() && c != '(');
    let minus = match sign {
        Some(_) if follows_word => return None,
        Some(c) => c.len_utf8(),
        None => 0,
    };
    if minus == 0 && matches!(before, Some('-' | '−')) {
        return None;
    }
    let number = digits(text, at + minus).or_else(|| if minus == 0 { in_words(text, at) } else { None })?;
    let number = times_power(text, number);
    let value = if minus > 0 { -number.value } else { number.value };
    Some(Number { at: at..number.at.end, value, ..number })
}

/// A number in digits, with commas or narrow spaces between thousands.
fn digits(text: &str, at: usize) -> Option<Number> {
    let is_digit = |c: char| c.is_ascii_digit();
    let run = |from: usize| text[from..].find(|c| !is_digit(c)).map_or(text.len(), |length| from + length);
    let mut end = run(at);
    if end == at {
        return None;
    }
    let mut plain = text[at..end].to_owned();
    while plain.len() <= 3 || end - at > plain.len() {
        let Some(separator) =
            text[end..].chars().next().filter(|c| matches!(c, ',' | '\u{202f}' | '\u{2009}' | '\u{a0}'))
        else {
            break;
        };
        let from = end + separator.len_utf8();
        if run(from) - from != 3 {
            break;
        }
        plain.push_str(&text[from..from + 3]);
        end = from + 3;
    }
    let mut decimals = 0;
    if let Some(rest) = text[end..].strip_prefix('.')
        && rest.starts_with(is_digit)
    {
        let stop = run(end + 1);
        decimals = stop - end - 1;
        plain.push_str(&text[end..stop]);
        end = stop;
    }
    let next = text[end..].chars().next();
    let is_glued = next.is_some_and(|c| c.is_alphabetic()) && Unit::opening(&text[end..]).is_none();
    let goes_on = matches!(next, Some('/' | '×' | '⁄' | ':'))
        || text[end..].starts_with([',', '.']) && text[end + 1..].starts_with(is_digit)
        || text[end..].trim_start().starts_with('×');
    if is_glued || goes_on {
        return None;
    }
    let value: f64 = plain.parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(Number { at: at..end, value, step: last_place(&plain, decimals) })
}

/// The place of the last digit but for zeros at the end of a whole number.
fn last_place(plain: &str, decimals: usize) -> f64 {
    let zeros = if decimals > 0 { 0 } else { plain.len() - plain.trim_end_matches('0').len() };
    let zeros = if zeros == plain.len() { 0 } else { zeros };
    10f64.powi(i32::try_from(zeros).unwrap_or(0) - i32::try_from(decimals).unwrap_or(0))
}

/// Number words and their values.
const WORDS: [(&str, f64); 28] = [
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("a", 1.0),
];

/// The word at `at` and its end.
fn word(text: &str, at: usize) -> Option<(&str, usize)> {
    let length = text[at..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - at);
    (length > 0).then(|| (&text[at..at + length], at + length))
}

fn value_of(word: &str) -> Option<f64> {
    WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, value)| *value)
}

/// A number in words: "twenty-six". "A" is one before "hundred" and the like.
fn in_words(text: &str, at: usize) -> Option<Number> {
    let (first, mut end) = word(text, at)?;
    let mut value = value_of(first)?;
    if value >= 20.0
        && text[end..].starts_with(['-', ' '])
        && let Some((next, stop)) = word(text, end + 1)
        && let Some(ones) = value_of(next).filter(|ones| *ones < 10.0 && next != "a")
    {
        (value, end) = (value + ones, stop);
    }
    let has_power = power(text, end).is_some();
    let is_article = first.eq_ignore_ascii_case("a") || first.eq_ignore_ascii_case("one");
    let has_unit = unit_after(text, end).0.is_some() && !first.eq_ignore_ascii_case("a");
    if is_article && !has_power && !has_unit {
        return None;
    }
    let plain = format!("{value}");
    Some(Number { at: at..end, value, step: last_place(&plain, 0) })
}

/// The power of ten that the word after `end` says, and that word's end.
fn power(text: &str, end: usize) -> Option<(f64, usize)> {
    let start = end + text[end..].strip_prefix([' ', '\u{a0}', '-']).map(|rest| text[end..].len() - rest.len())?;
    let (said, stop) = word(text, start)?;
    POWERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(said)).map(|(_, power)| (*power, stop))
}

/// No number of an answer is greater, but for a joke.
const MOST: f64 = 1e30;

/// A number times the powers of ten after it: "2.4 million", "six hundred thousand".
fn times_power(text: &str, mut number: Number) -> Number {
    while let Some((power, stop)) = power(text, number.at.end).filter(|_| number.value < MOST) {
        number = Number { at: number.at.start..stop, value: number.value * power, step: number.step * power };
    }
    number
}

/// The number of significant digits of a value that is known to `step`, from two to four.
fn significant(value: f64, step: f64) -> i32 {
    let digits = (value.abs() / step).max(1.0).log10().floor() + 1.0;
    (digits as i32).clamp(2, 4)
}

/// A value with so many significant digits and commas between thousands.
fn written(value: f64, digits: i32) -> String {
    let place = digits - 1 - value.abs().max(1e-9).log10().floor() as i32;
    let rounded = if place >= 0 { value } else { (value * 10f64.powi(place)).round() * 10f64.powi(-place) };
    let plain = format!("{:.*}", usize::try_from(place.max(0)).unwrap_or(0), rounded.abs());
    let (whole, decimals) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut grouped = if value < 0.0 { "−".to_owned() } else { String::new() };
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + decimals
}

/// `statement` with the signs of its units as words: "962 °C" as "962 degrees Celsius". The letter of a sign is no name
/// to search for.
pub(crate) fn with_named_units(statement: &str) -> Cow<'_, str> {
    let mut named = String::new();
    let mut from = 0;
    for Quantity { unit, named: sign, .. } in quantities(statement) {
        let Some(unit) = unit.filter(|_| sign.start >= from) else { continue };
        named.push_str(&statement[from..sign.start]);
        let is_glued = statement[..sign.start].ends_with(|c: char| c.is_ascii_digit());
        named.push_str(if is_glued { " " } else { "" });
        named.push_str(unit.plural());
        from = sign.end;
    }
    if from == 0 { Cow::Borrowed(statement) } else { Cow::Owned(named + &statement[from..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_amounts_to_the_same_is_said_as_the_statement_says_it() {
        for (passage, statement, alike) in [
            ("It melts at about 962 degrees Celsius.", "Silver melts at about 962 °C.", "It melts at about 962 °C."),
            ("Water freezes at 0 degrees Celsius.", "Water freezes at 32 °F.", "Water freezes at 32 °F."),
            ("Its atomic mass is about 55.85.", "The atomic mass of iron is about 56.", "Its atomic mass is about 56."),
            (
                "Tarn has a population of about 550,000.",
                "More than 400,000 people live in Tarn.",
                "Tarn has a population of More than 400,000.",
            ),
            ("The summit is 8,849 metres high.", "The summit is 29,032 feet high.", "The summit is 29,032 feet high."),
            ("The summit is 8,849 metres high.", "The summit is over 8 km high.", "The summit is over 8 km high."),
            ("The run is 42.195 km long.", "The run is about 26.2 miles long.", "The run is about 26.2 miles long."),
            ("He was 1.83 metres tall.", "He was 6 feet tall.", "He was 6 feet tall."),
            ("He was 1.80 m tall.", "He was 5 feet 11 inches tall.", "He was 5 feet 11 inches tall."),
            ("It has twelve moons.", "It has 12 moons.", "It has 12 moons."),
            ("It weighs only 85 to 130 grams.", "It weighs around 100 grams.", "It weighs only around 100 grams."),
            ("It is about 2,200 to 2,700 years old.", "It is over 2,000 years old.", "It is over 2,000 years old."),
            (
                "It took a decade and 1,500,000 workers.",
                "It took 1.5 million workers.",
                "It took a decade and 1.5 million workers.",
            ),
            (
                "Its area is 9,984,670 square kilometres.",
                "Its area is 3.86 million square miles.",
                "Its area is 3.86 million square miles.",
            ),
            (
                "It is 100 degrees and freezes at 0 degrees Celsius.",
                "It is 212 °F.",
                "It is 212 °F and freezes at 32 °F.",
            ),
            ("Adults weigh 40 to 65 kg.", "Adults weigh 88 to 143 pounds.", "Adults weigh 88 to 143 pounds."),
            ("Nearly 42.195km are run.", "The run is 42.195 kilometres.", "Nearly 42.195 kilometres are run."),
        ] {
            assert_eq!(said_alike(passage, statement), alike, "{statement}");
        }
    }

    #[test]
    fn what_differs_stays_another_number_in_the_statements_unit() {
        for (passage, statement, alike) in [
            ("Lead melts at 327 degrees Celsius.", "Lead melts at 300 °C.", "Lead melts at 327 °C."),
            ("Lead melts at 327 degrees Celsius.", "Lead melts at 800 °F.", "Lead melts at 621 °F."),
            ("It is 979 metres high.", "It is 1,640 metres high.", "It is 979 metres high."),
            ("It is heated to 1,450 degrees Celsius.", "It is heated to 450 °C.", "It is heated to 1450 °C."),
            ("It weighs 85 to 130 grams.", "It weighs over 100 grams.", "It weighs 85 to 130 grams."),
            ("It is 979 metres high.", "It is 5,200 feet high.", "It is 3,210 feet high."),
            ("It has 350,000 people.", "It has more than 400,000 people.", "It has 350,000 people."),
            ("It has 5 million people.", "It has more than 400,000 people.", "It has 5 million people."),
            ("Its mass is 55.85.", "Its mass is about 57.", "Its mass is 55.85."),
            ("Its mass is 55.85.", "Its number is 56.", "Its mass is 55.85."),
            ("It opened in 1990 with 1,991 seats.", "It opened in about 1991.", "It opened in 1990 with 1,991 seats."),
            ("It fell on 9 November 1989.", "It has 10 gates.", "It fell on 9 November 1989."),
            (
                "Apollo 11 and COVID-19 and the 2nd of 3/4.",
                "It has about 12 parts.",
                "Apollo 11 and COVID-19 and the 2nd of 3/4.",
            ),
        ] {
            assert_eq!(said_alike(passage, statement), alike, "{statement}");
        }
    }

    #[test]
    fn units_are_searched_by_their_names() {
        assert_eq!(with_named_units("Lead melts at 327 °C."), "Lead melts at 327 degrees Celsius.");
        assert_eq!(with_named_units("The run is 42.195km long."), "The run is 42.195 kilometres long.");
        assert_eq!(with_named_units("It has 12 moons."), "It has 12 moons.");
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in [
            "",
            "−",
            "5",
            "5 ",
            "1,",
            "1,000,",
            "9".repeat(400).as_str(),
            "a",
            "a million",
            "–5–5–5 °C",
            "½ 5 km², 5",
            "５km",
            "1 to",
            "to 5 m to",
            "5 degrees",
            "5 feet 5 feet 5 inches",
            "over",
            "over 5",
            "é 5 é",
            &format!("5{} km", " trillion".repeat(99)),
            "0.0000000000000001 nm",
            &"1;".repeat(5_000),
            &"5 degrees;".repeat(1_000),
        ] {
            for statement in ["5 km", "5 °C", "over 5", "5 light-years"] {
                let _ = (said_alike(text, statement), with_named_units(text));
            }
        }
    }
}
