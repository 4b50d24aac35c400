//! Plots, as SVG.

pub(crate) mod curves;
pub(crate) mod radar;

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008), in the order in which they are used.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// An SVG of this size with its title at the top, above the middle `x`; `inside` is what it shows below.
fn framed(title: &str, middle: f64, (width, height): (f64, f64), inside: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" \
         fill=\"#222\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{middle}\" y=\"22\" text-anchor=\"middle\" font-size=\"14\">{title}</text>\n{inside}</svg>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(super::escaped("<A&B>"), "&lt;A&amp;B&gt;");
    }
}
