//! Prints the terms of each line of standard input, with tabs between: other implementations then score the same terms.
//! `analyse title` prints the names of each title instead, `analyse query` those that each query asks for, as often as
//! it has them.

use std::io::{self, BufWriter, Write};

use evident_index::Analysis;

fn main() -> io::Result<()> {
    let english = Analysis::ENGLISH;
    let what = std::env::args().nth(1);
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lines() {
        let line = line?;
        let terms: Vec<String> = match what.as_deref() {
            Some("title") => english.title_names(&line),
            Some("query") => english.query_names(&line),
            _ => english.terms(&line).collect(),
        };
        writeln!(out, "{}", terms.join("\t"))?;
    }
    out.flush()
}
