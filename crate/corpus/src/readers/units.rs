//! Quantities with units, as `{{convert}}` writes them. Only the value that the author wrote is shown: the one that the
//! template computes says nothing new.

use crate::readers::numbers::number;

/// A unit of measure.
struct Unit {
    /// What authors call it.
    codes: &'static [&'static str],
    symbol: &'static str,
    one: &'static str,
    many: &'static str,
}

macro_rules! units {
    ($($($code:literal)+ => $symbol:literal $one:literal $many:literal,)+) => {
        &[$(Unit { codes: &[$($code),+], symbol: $symbol, one: $one, many: $many },)+]
    };
}

/// The units of `{{convert}}` that articles use. Their names are those that the template shows.
const UNITS: &[Unit] = units! {
    "m" "metre" "metres" "meter" "meters" => "m" "metre" "metres",
    "km" "kilometre" "kilometres" "kilometer" "kilometers" => "km" "kilometre" "kilometres",
    "cm" "centimetre" => "cm" "centimetre" "centimetres",
    "mm" "millimetre" => "mm" "millimetre" "millimetres",
    "um" "μm" "µm" => "μm" "micrometre" "micrometres",
    "nm" => "nm" "nanometre" "nanometres",
    "dm" => "dm" "decimetre" "decimetres",
    "in" "inch" "inches" => "in" "inch" "inches",
    "ft" "foot" "feet" => "ft" "foot" "feet",
    "yd" "yard" "yards" => "yd" "yard" "yards",
    "mi" "mile" "miles" => "mi" "mile" "miles",
    "nmi" => "nmi" "nautical mile" "nautical miles",
    "fathom" "ftm" => "fathom" "fathom" "fathoms",
    "furlong" => "furlong" "furlong" "furlongs",
    "chain" => "chain" "chain" "chains",
    "hand" => "hands" "hand" "hands",
    "league" => "league" "league" "leagues",
    "au" "AU" => "AU" "astronomical unit" "astronomical units",
    "ly" => "ly" "light-year" "light-years",
    "pc" => "pc" "parsec" "parsecs",
    "km2" "sqkm" "km²" => "km²" "square kilometre" "square kilometres",
    "m2" "sqm" "m²" => "m²" "square metre" "square metres",
    "cm2" "sqcm" => "cm²" "square centimetre" "square centimetres",
    "mm2" "sqmm" => "mm²" "square millimetre" "square millimetres",
    "ha" "hectare" "hectares" => "ha" "hectare" "hectares",
    "acre" "acres" "ac" => "acres" "acre" "acres",
    "sqmi" "mi2" => "sq mi" "square mile" "square miles",
    "sqft" "ft2" => "sq ft" "square foot" "square feet",
    "sqyd" "yd2" => "sq yd" "square yard" "square yards",
    "sqin" "in2" => "sq in" "square inch" "square inches",
    "km3" => "km³" "cubic kilometre" "cubic kilometres",
    "m3" => "m³" "cubic metre" "cubic metres",
    "cm3" "cc" => "cm³" "cubic centimetre" "cubic centimetres",
    "cuft" "ft3" => "cu ft" "cubic foot" "cubic feet",
    "cuyd" => "cu yd" "cubic yard" "cubic yards",
    "cuin" "in3" => "cu in" "cubic inch" "cubic inches",
    "cumi" => "cu mi" "cubic mile" "cubic miles",
    "L" "l" "litre" "liter" => "L" "litre" "litres",
    "ml" "mL" => "ml" "millilitre" "millilitres",
    "cl" "cL" => "cl" "centilitre" "centilitres",
    "hl" "hL" => "hL" "hectolitre" "hectolitres",
    "impgal" => "imp gal" "imperial gallon" "imperial gallons",
    "USgal" "usgal" => "US gal" "US gallon" "US gallons",
    "USoz" "usoz" "USfloz" => "US fl oz" "US fluid ounce" "US fluid ounces",
    "impoz" "impfloz" => "imp fl oz" "imperial fluid ounce" "imperial fluid ounces",
    "USqt" => "US qt" "US quart" "US quarts",
    "pt" "imppt" => "imp pt" "imperial pint" "imperial pints",
    "oilbbl" "bbl" => "bbl" "barrel" "barrels",
    "acre.ft" "acre·ft" "acre feet" => "acre⋅ft" "acre-foot" "acre-feet",
    "kg" "kilogram" => "kg" "kilogram" "kilograms",
    "g" "gram" => "g" "gram" "grams",
    "mg" => "mg" "milligram" "milligrams",
    "t" "tonne" "tonnes" "MT" => "t" "tonne" "tonnes",
    "kt" => "kt" "kilotonne" "kilotonnes",
    "lb" "lbs" => "lb" "pound" "pounds",
    "oz" => "oz" "ounce" "ounces",
    "ozt" => "ozt" "troy ounce" "troy ounces",
    "st" => "st" "stone" "stone",
    "LT" "long ton" => "long tons" "long ton" "long tons",
    "ST" "short ton" "tonUS" => "short tons" "short ton" "short tons",
    "cwt" "long cwt" => "long cwt" "long hundredweight" "long hundredweight",
    "carat" => "carat" "carat" "carats",
    "C" "°C" "degC" => "°C" "°C" "°C",
    "F" "°F" "degF" => "°F" "°F" "°F",
    "K" => "K" "K" "K",
    "C-change" => "°C" "°C" "°C",
    "F-change" => "°F" "°F" "°F",
    "K-change" => "K" "K" "K",
    "km/h" "kmh" "kph" => "km/h" "kilometre per hour" "kilometres per hour",
    "mph" => "mph" "mile per hour" "miles per hour",
    "m/s" => "m/s" "metre per second" "metres per second",
    "km/s" => "km/s" "kilometre per second" "kilometres per second",
    "ft/s" => "ft/s" "foot per second" "feet per second",
    "mi/s" => "mi/s" "mile per second" "miles per second",
    "ft/min" => "ft/min" "foot per minute" "feet per minute",
    "m/s2" => "m/s²" "metre per second squared" "metres per second squared",
    "ft/s2" => "ft/s²" "foot per second squared" "feet per second squared",
    "kn" "knot" => "kn" "knot" "knots",
    "m3/s" "cumec" => "m³/s" "cubic metre per second" "cubic metres per second",
    "cuft/s" "ft3/s" => "cu ft/s" "cubic foot per second" "cubic feet per second",
    "W" => "W" "watt" "watts",
    "kW" => "kW" "kilowatt" "kilowatts",
    "MW" => "MW" "megawatt" "megawatts",
    "GW" => "GW" "gigawatt" "gigawatts",
    "hp" => "hp" "horsepower" "horsepower",
    "bhp" => "bhp" "brake horsepower" "brake horsepower",
    "shp" => "shp" "shaft horsepower" "shaft horsepower",
    "ihp" => "ihp" "indicated horsepower" "indicated horsepower",
    "PS" => "PS" "metric horsepower" "metric horsepower",
    "J" => "J" "joule" "joules",
    "kJ" => "kJ" "kilojoule" "kilojoules",
    "MJ" => "MJ" "megajoule" "megajoules",
    "kcal" => "kcal" "kilocalorie" "kilocalories",
    "eV" => "eV" "electronvolt" "electronvolts",
    "keV" => "keV" "kiloelectronvolt" "kiloelectronvolts",
    "MeV" => "MeV" "megaelectronvolt" "megaelectronvolts",
    "GeV" => "GeV" "gigaelectronvolt" "gigaelectronvolts",
    "cal" => "cal" "calorie" "calories",
    "BTU" "Btu" => "BTU" "British thermal unit" "British thermal units",
    "kWh" "kW.h" => "kWh" "kilowatt-hour" "kilowatt-hours",
    "MWh" "MW.h" => "MWh" "megawatt-hour" "megawatt-hours",
    "GWh" "GW.h" => "GWh" "gigawatt-hour" "gigawatt-hours",
    "ktonTNT" "kt(TNT)" => "kt" "kiloton of TNT" "kilotons of TNT",
    "MtonTNT" "Mt(TNT)" => "Mt" "megaton of TNT" "megatons of TNT",
    "N" => "N" "newton" "newtons",
    "kN" => "kN" "kilonewton" "kilonewtons",
    "lbf" => "lbf" "pound-force" "pounds-force",
    "Nm" "N.m" "N·m" => "N⋅m" "newton-metre" "newton-metres",
    "lbft" "lb.ft" "lbfft" => "lb⋅ft" "pound-foot" "pound-feet",
    "Pa" => "Pa" "pascal" "pascals",
    "hPa" => "hPa" "hectopascal" "hectopascals",
    "kPa" => "kPa" "kilopascal" "kilopascals",
    "MPa" => "MPa" "megapascal" "megapascals",
    "mbar" => "mbar" "millibar" "millibars",
    "bar" => "bar" "bar" "bars",
    "atm" => "atm" "standard atmosphere" "standard atmospheres",
    "ksi" => "ksi" "kilopound per square inch" "kilopounds per square inch",
    "psi" => "psi" "pound per square inch" "pounds per square inch",
    "inHg" => "inHg" "inch of mercury" "inches of mercury",
    "mmHg" => "mmHg" "millimetre of mercury" "millimetres of mercury",
    "kg/m3" => "kg/m³" "kilogram per cubic metre" "kilograms per cubic metre",
    "g/cm3" => "g/cm³" "gram per cubic centimetre" "grams per cubic centimetre",
    "lb/ft3" "lb/cuft" => "lb/cu ft" "pound per cubic foot" "pounds per cubic foot",
    "kg/m2" => "kg/m²" "kilogram per square metre" "kilograms per square metre",
    "PD/km2" "PD/sqkm" "/km2" "/sqkm" => "per km²" "per square kilometre" "per square kilometre",
    "PD/sqmi" "/sqmi" "PD/mi2" => "per sq mi" "per square mile" "per square mile",
    "mpgus" "mpgUS" => "mpg (US)" "mile per US gallon" "miles per US gallon",
    "mpgimp" => "mpg (imp)" "mile per imperial gallon" "miles per imperial gallon",
    "L/100 km" "L/100km" "l/100 km" => "L/100 km" "litre per 100 kilometres" "litres per 100 kilometres",
    "km/L" "km/l" => "km/L" "kilometre per litre" "kilometres per litre",
    "g/km" => "g/km" "gram per kilometre" "grams per kilometre",
    "s" => "s" "second" "seconds",
    "min" => "min" "minute" "minutes",
    "h" => "h" "hour" "hours",
    "kHz" => "kHz" "kilohertz" "kilohertz",
    "MHz" => "MHz" "megahertz" "megahertz",
};

/// Powers of ten before a unit: `e6acre` is a million acres.
const POWERS: [(&str, &str); 4] = [("e3", "thousand"), ("e6", "million"), ("e9", "billion"), ("e12", "trillion")];

/// What stands between two values, as `{{convert}}` names it, and as it is read.
const RANGES: [(&str, &str); 19] = [
    ("-", "–"),
    ("–", "–"),
    ("to", " to "),
    ("to(-)", " to "),
    ("to about", " to about "),
    ("and", " and "),
    ("and(-)", " and "),
    ("&", " and "),
    ("or", " or "),
    ("or(-)", " or "),
    ("x", " by "),
    ("xx", " by "),
    ("×", " by "),
    ("by", " by "),
    ("by(x)", " by "),
    ("+/-", " ± "),
    ("±", " ± "),
    ("+", " + "),
    (",", ", "),
];

/// Units whose value goes on in a smaller one: 5 ft 11 in.
const COMPOUNDS: [(&str, &str); 7] =
    [("ft", "in"), ("mi", "yd"), ("mi", "ft"), ("yd", "ft"), ("st", "lb"), ("lb", "oz"), ("mi", "chain")];

/// How a quantity is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// `5 kilometres`
    Name,
    /// `5 km`
    Symbol,
    /// `5-kilometre`, before a noun
    Adjective,
}

/// The quantity that these arguments of `{{convert}}` begin with: values, ranges and units. None where they make none,
/// or have a unit that is not known.
pub(crate) fn quantity(arguments: &[&str], writing: Writing) -> Option<String> {
    let mut arguments = arguments.iter().map(|argument| argument.trim()).peekable();
    let (mut out, mut last) = value(arguments.next()?)?;
    while let Some(between) = arguments.peek().and_then(|next| range(next)) {
        arguments.next();
        let (shown, number) = value(arguments.next()?)?;
        out.push_str(if between == " by " && writing == Writing::Symbol { " × " } else { between });
        out.push_str(&shown);
        last = number;
    }
    let code = arguments.next()?;
    write(&mut out, &last, code, writing)?;
    // A number with a smaller unit continues the quantity; any other number is the precision of the conversion.
    let mut code = code;
    loop {
        let mut ahead = arguments.clone();
        let (Some(shown), Some(smaller)) = (ahead.next().and_then(value), ahead.next()) else { break };
        if !COMPOUNDS.contains(&(code, smaller)) {
            break;
        }
        out.push(if writing == Writing::Adjective { '-' } else { ' ' });
        out.push_str(&shown.0);
        write(&mut out, &shown.1, smaller, writing)?;
        (arguments, code) = (ahead, smaller);
    }
    Some(out)
}

/// A value as it is shown, and its last number.
fn value(text: &str) -> Option<(String, String)> {
    if let Some(value) = number(text) {
        return Some((value.clone(), value));
    }
    let (at, dash) = text.char_indices().skip(1).find(|(_, c)| matches!(c, '-' | '–'))?;
    let (from, to) = (number(&text[..at])?, number(&text[at + dash.len_utf8()..])?);
    Some((format!("{from}–{to}"), to))
}

fn range(word: &str) -> Option<&'static str> {
    RANGES.iter().find(|(name, _)| *name == word).map(|(_, text)| *text)
}

/// Writes a unit after its value.
fn write(out: &mut String, value: &str, code: &str, writing: Writing) -> Option<()> {
    let find = |code: &str| UNITS.iter().find(|unit| unit.codes.contains(&code));
    let power = POWERS.iter().find_map(|(power, word)| Some((word, find(code.strip_prefix(power)?)?)));
    let (power, unit) = match power {
        Some((word, unit)) => (Some(word), unit),
        None => (None, find(code)?),
    };
    // "1", "−1" and fractions below one are singular; "0.5 miles" and "1.0 miles" are not.
    let size = value.trim_start_matches('−');
    let one = power.is_none() && (size == "1" || size.contains('/') && !size.contains(' '));
    let name = match writing {
        Writing::Symbol => unit.symbol,
        Writing::Adjective => unit.one,
        Writing::Name if one => unit.one,
        Writing::Name => unit.many,
    };
    let space = if writing == Writing::Adjective && unit.one != unit.symbol { '-' } else { ' ' };
    for word in power.into_iter().chain([&name]) {
        out.push(space);
        out.push_str(&if space == '-' { word.replace(' ', "-") } else { word.to_string() });
    }
    Some(())
}
