//! Plots, as SVG.

pub(crate) mod curves;
pub(crate) mod radar;

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008), in the order in which they are used.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
