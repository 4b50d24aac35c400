//! Prints the terms of each line of standard input, with tabs between: other implementations then score the
//! same terms.

use std::io::{self, BufWriter, Write};

use evident_index::analyse;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lines() {
        let terms: Vec<String> = analyse(&line?).collect();
        writeln!(out, "{}", terms.join("\t"))?;
    }
    out.flush()
}
