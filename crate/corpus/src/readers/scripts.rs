//! Superscripts, subscripts and formulas as plain text.

use crate::readers::markup::Style;
use crate::readers::prose::HOLE;

/// The characters that have a superscript and a subscript.
const SCRIPTS: [(char, char, char); 16] = [
    ('0', '⁰', '₀'),
    ('1', '¹', '₁'),
    ('2', '²', '₂'),
    ('3', '³', '₃'),
    ('4', '⁴', '₄'),
    ('5', '⁵', '₅'),
    ('6', '⁶', '₆'),
    ('7', '⁷', '₇'),
    ('8', '⁸', '₈'),
    ('9', '⁹', '₉'),
    ('+', '⁺', '₊'),
    ('-', '⁻', '₋'),
    ('−', '⁻', '₋'),
    ('–', '⁻', '₋'),
    ('(', '⁽', '₍'),
    (')', '⁾', '₎'),
];

/// A superscript: `³⁰` if every character has one, otherwise `^x`.
pub(crate) fn superscript(text: &str) -> String {
    script(text, '^', |(_, superscript, _)| superscript)
}

/// A subscript: `₂` if every character has one, otherwise `_x`.
pub(crate) fn subscript(text: &str) -> String {
    script(text, '_', |(_, _, subscript)| subscript)
}

/// Raised or lowered text as plain text after `before`. The text may have a hole.
pub(crate) fn small(style: Style, text: &str, before: &str) -> String {
    let after_digit = before.ends_with(|c: char| c.is_ascii_digit());
    match text {
        // Of "19<sup>th</sup>" and "a<sup>®</sup>" nothing is lost in a line.
        "st" | "nd" | "rd" | "th" | "er" if after_digit => text.into(),
        "" | "®" | "™" | "°" | "′" | "″" => text.into(),
        "o" if after_digit => "°".into(),
        hole if hole.contains(HOLE) => HOLE.into(),
        note if note.starts_with('[') && note.ends_with(']') => String::new(),
        _ if style == Style::Superscript => superscript(text),
        _ => subscript(text),
    }
}

fn script(text: &str, mark: char, of: fn((char, char, char)) -> char) -> String {
    let text = text.trim();
    let one = |c: char| SCRIPTS.iter().find(|(plain, ..)| *plain == c).map(|row| of(*row));
    if let Some(script) = text.chars().map(one).collect() {
        return script;
    }
    let simple = text.strip_prefix(['-', '−']).unwrap_or(text);
    let simple = simple.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '*' | '′' | '∞'));
    if simple { format!("{mark}{text}") } else { format!("{mark}({text})") }
}

/// The deepest nesting and the longest source of a formula that is read.
const DEPTH: usize = 10;
const LONGEST: usize = 300;

/// Commands of TeX and the text they stand for.
const COMMANDS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("mp", "∓"),
    ("approx", "≈"),
    ("sim", "∼"),
    ("equiv", "≡"),
    ("propto", "∝"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("lt", "<"),
    ("gt", ">"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("infty", "∞"),
    ("hbar", "ħ"),
    ("ell", "ℓ"),
    ("circ", "∘"),
    ("degree", "°"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("in", "∈"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("prime", "′"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("log", "log"),
    ("ln", "ln"),
    ("exp", "exp"),
    ("left", ""),
    ("right", ""),
    ("displaystyle", ""),
    ("textstyle", ""),
    ("quad", " "),
    ("qquad", " "),
    (",", " "),
    (";", " "),
    (":", " "),
    (" ", " "),
    ("!", ""),
    ("%", "%"),
    ("$", "$"),
    ("&", "&"),
    ("#", "#"),
    ("{", "{"),
    ("}", "}"),
];

/// Commands whose group is text.
const FONTS: [&str; 10] =
    ["text", "mathrm", "textrm", "mathit", "mathbf", "mathsf", "operatorname", "mbox", "textit", "boldsymbol"];

/// A simple formula in TeX as text: `E=mc^2` is `E=mc²`. None for a formula that a line of text cannot show.
pub(crate) fn formula(tex: &str) -> Option<String> {
    if tex.len() > LONGEST {
        return None;
    }
    let mut tex = Tex { rest: tex.trim() };
    let text = tex.sequence(0)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (tex.rest.is_empty() && !text.is_empty()).then_some(text)
}

struct Tex<'a> {
    rest: &'a str,
}

impl Tex<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// What stands up to a closing brace or the end.
    fn sequence(&mut self, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        let mut out = String::new();
        while let Some(c) = self.rest.chars().next() {
            match c {
                '}' => return Some(out),
                '^' => {
                    self.next();
                    let exponent = self.group(depth)?;
                    out.push_str(&if exponent == "∘" { "°".to_owned() } else { superscript(&exponent) });
                }
                '_' => {
                    self.next();
                    out.push_str(&subscript(&self.group(depth)?));
                }
                '&' | '$' | '%' | '#' => return None,
                '\\' => {
                    let item = self.command(depth)?;
                    let fraction = item.contains('/') && item.starts_with(|c: char| c.is_ascii_digit());
                    if fraction && out.ends_with(|c: char| c.is_ascii_digit()) {
                        out.push(' ');
                    }
                    out.push_str(&item);
                }
                '{' => out.push_str(&self.group(depth)?),
                '~' => {
                    self.next();
                    out.push(' ');
                }
                '\'' => {
                    self.next();
                    out.push('′');
                }
                c => {
                    self.next();
                    out.push(c);
                }
            }
        }
        (depth == 0).then_some(out)
    }

    /// The next group in braces, command or character.
    fn group(&mut self, depth: usize) -> Option<String> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '{' => {
                self.next();
                let inner = self.sequence(depth + 1)?;
                (self.next() == Some('}')).then_some(inner)
            }
            '\\' => self.command(depth),
            '}' | '^' | '_' | '&' => None,
            _ => self.next().map(String::from),
        }
    }

    fn command(&mut self, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        self.next();
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 { letters } else { self.rest.chars().next()?.len_utf8() };
        let (name, rest) = self.rest.split_at(length);
        self.rest = if letters > 0 { rest.trim_start() } else { rest };
        match name {
            "frac" | "dfrac" | "tfrac" => {
                let (above, below) = (self.group(depth + 1)?, self.group(depth + 1)?);
                Some(format!("{}/{}", bracketed(&above), bracketed(&below)))
            }
            "sqrt" if !self.rest.starts_with('[') => Some(format!("√{}", bracketed(&self.group(depth + 1)?))),
            font if FONTS.contains(&font) => self.group(depth + 1),
            name => COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()),
        }
    }
}

/// Text in brackets if it is more than one number or name.
fn bracketed(text: &str) -> String {
    let one = text.chars().all(|c| c.is_alphanumeric() || c == '.');
    if one { text.into() } else { format!("({text})") }
}

/// A chemical formula: `SO4^2-` is `SO₄²⁻`. None for what is none.
pub(crate) fn chemical(source: &str) -> Option<String> {
    let source = source.trim().replace("<=>", "⇌").replace("->", "→");
    let (mut out, mut chars) = (String::new(), source.chars().peekable());
    while let Some(c) = chars.next() {
        let follows = out.ends_with(|c: char| c.is_alphabetic() || matches!(c, ')' | ']'));
        if c == '('
            && let Some(charge) = charge(chars.clone())
        {
            out.push_str(&superscript(&charge));
            chars.nth(charge.chars().count());
            continue;
        }
        match c {
            '0'..='9' if follows || out.ends_with(|c: char| "₀₁₂₃₄₅₆₇₈₉".contains(c)) => {
                out.push_str(&subscript(&c.to_string()));
            }
            '^' | '_' => {
                let braces = chars.next_if_eq(&'{').is_some();
                let ends = |c: &char| if braces { *c == '}' } else { !matches!(c, '0'..='9' | '+' | '-' | '−') };
                let mut inner = String::new();
                while let Some(c) = chars.next_if(|c| !ends(c)) {
                    inner.push(c);
                }
                if braces && chars.next().is_none() || inner.is_empty() {
                    return None;
                }
                out.push_str(&if c == '^' { superscript(&inner) } else { subscript(&inner) });
            }
            '+' | '-' | '−'
                if !out.ends_with(' ') && chars.peek().is_none_or(|next| matches!(next, ' ' | ')' | ']')) =>
            {
                // A number before a charge belongs to it only if it was marked so: "SO4-" has four atoms of oxygen.
                out.push_str(&superscript(&c.to_string()));
            }
            '*' | '·' => out.push('·'),
            c if c.is_alphanumeric() || " ()[].,=+-−→⇌".contains(c) => out.push(c),
            _ => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The charge that a bracket holds: `2-)`.
fn charge(chars: impl Iterator<Item = char>) -> Option<String> {
    let inner: String = chars.take(5).collect();
    let (charge, _) = inner.split_once(')')?;
    let digits = charge.strip_suffix(['+', '-', '−'])?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| charge.to_owned())
}
