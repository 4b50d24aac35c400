//! `evident pack compare`: how far packs' outputs are from those of a reference on the same texts.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_eval::Format;
use evident_eval::parts::packs::{Difference, Pair, Values, pair};
use evident_nn::{Backend, Pack, open_device};
use futures_lite::future::block_on;

use super::megabytes;
use crate::error::CliError;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The pack, or checkpoint, that the others are compared with
    reference: PathBuf,
    /// The others
    #[arg(required = true)]
    packs: Vec<PathBuf>,
    /// Statements with their evidence
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The layout of the file
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    /// How many statements, from the first
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let rows = arguments.format.read(&arguments.data)?;
    let pairs: Vec<Pair> = rows.into_iter().take(arguments.limit).map(pair).collect();
    let (device, _) = block_on(open_device(Backend::Cpu))?;
    let mut progress = Progress::new();
    let mut values = |path: &PathBuf| -> Result<Values, CliError> {
        let called = path.display().to_string();
        Ok(Values::of(&mut Pack::open(path)?, &called, &pairs, &device, &mut progress)?)
    };
    let reference = values(&arguments.reference)?;
    let mut differences = Vec::new();
    for path in &arguments.packs {
        differences.extend(reference.differences(&values(path)?));
    }
    drop(progress);
    let mut out = anstream::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &differences).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let mut out = PlainWriter(&mut out);
        writeln!(out, "| pack | size | model | measure | texts | mean | 99 % | max | flipped |")?;
        writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
        for Difference { pack, bytes, model, measure, texts, mean, p99, max, flipped } in &differences {
            let flipped = flipped.map_or_else(String::new, |flipped| format!("{:.1} %", 100.0 * flipped));
            let size = megabytes(*bytes);
            writeln!(
                out,
                "| {pack} | {size} | {model} | {measure} | {texts} | {mean:.5} | {p99:.5} | {max:.5} | {flipped} |"
            )?;
        }
    }
    Ok(out.flush()?)
}
