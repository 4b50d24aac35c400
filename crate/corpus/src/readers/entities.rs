//! HTML's entities: `&amp;`, `&#233;`, `&#xE9;`.

use quick_xml::escape::resolve_html5_entity;

/// The longest name of an entity, in bytes: `CounterClockwiseContourIntegral`.
const LONGEST: usize = 32;

/// Text with its entities decoded; unknown ones stay. Control characters become spaces.
pub(crate) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let name = &rest[at + 1..];
        let end = name.bytes().take(LONGEST).position(|byte| byte == b';');
        let decoded = end.and_then(|end| Some((character(&name[..end])?, end)));
        match decoded {
            Some((character, end)) => {
                out.push_str(&character);
                rest = &name[end + 1..];
            }
            None => {
                out.push('&');
                rest = name;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The characters that an entity stands for.
fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else { return resolve_html5_entity(name).map(String::from) };
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let character = char::from_u32(number.ok()?)?;
    Some(if character.is_control() { ' ' } else { character }.into())
}
