//! `evident pack`: brings published checkpoints, converts packs to fewer bits and says what is in them.

mod compare;
mod convert;
mod fetch;
mod inspect;
mod join;
mod seal;

use clap::Subcommand;

use crate::error::CliError;

#[derive(Subcommand)]
pub enum Command {
    /// Bring a published checkpoint, checked by its hash; without a name, list those that there are
    ///
    /// The checkpoints are pinned to a revision in models/packs.toml, which is part of this program. A download that
    /// broke off goes on where it stopped, here or at the next mirror. A file has its name only once its SHA-256 is
    /// right; of the few files whose hash is not stated there, the first fetch records it in packs.lock beside the
    /// packs, and every later one checks it.
    Fetch(fetch::Arguments),
    /// Write a pack, or a checkpoint in the Hugging Face layout, with its weights in another precision
    ///
    /// f32 and f16 are what they say. q8 is int8 with a scale for each row, with T5's feed-forward outputs in f16. q4
    /// is 4 bits in blocks of 32 with a scale each, 4.5 bits a weight. Vectors and narrow matrices are in f32 whatever
    /// it is.
    Convert(convert::Arguments),
    /// Make one pack of several, such as the embedded one with FLAN-T5 as its verifier
    ///
    /// evident pack join models/embedded verifier=packs/flan-t5-base-q8 --out mine. Of two models of one name the later
    /// counts.
    Join(join::Arguments),
    /// Say what is in a pack or a checkpoint: models, bytes by part, hashes
    Inspect(inspect::Arguments),
    /// Write the pack.json of a pack anew: one of format 1, or one that was changed by hand
    ///
    /// It gets the format of this version, what the pack's models make of the pairs that browsers warm them up with,
    /// and its checksum. The other files are not changed, and must be those that it names. A checkpoint in the Hugging
    /// Face layout gets its first.
    Seal(seal::Arguments),
    /// Measure how far packs' probabilities are from those of another, such as quantised ones from f32
    #[command(hide = true)]
    Compare(compare::Arguments),
}

pub fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Fetch(arguments) => fetch::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Join(arguments) => join::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Seal(arguments) => seal::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
    }
}

/// A number of bytes in megabytes, of a million bytes each.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
