//! What a process has used.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Failure;

/// What building an index took.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Built {
    pub passages: u64,
    pub seconds: f64,
    /// The largest resident set of the process so far, in bytes; 0 where the system does not say.
    pub peak_memory: u64,
    pub files: u64,
    pub bytes: u64,
    /// Threads that worked on it.
    pub threads: usize,
}

/// How long queries took, in milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Searched {
    pub queries: usize,
    /// Hits of all queries: that something was found.
    pub hits: usize,
    pub median_ms: f64,
    pub p95_ms: f64,
    pub mean_ms: f64,
}

impl Searched {
    pub fn of(mut times: Vec<f64>, hits: usize) -> Self {
        let mean_ms = times.iter().sum::<f64>() / times.len().max(1) as f64;
        Self {
            queries: times.len(),
            hits,
            median_ms: quantile(&mut times, 0.5),
            p95_ms: quantile(&mut times, 0.95),
            mean_ms,
        }
    }
}

/// The value below which a share of the values lies; 0 for none.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = ((values.len() as f64 * share) as usize).min(values.len().saturating_sub(1));
    values.get(place).copied().unwrap_or_default()
}

/// The peak of this process's memory, as Linux tells it.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    peak.map_or(0, |kilobytes| kilobytes << 10)
}

/// The number of files in a folder and their bytes.
pub fn size(folder: &Path) -> Result<(u64, u64), Failure> {
    let (mut files, mut bytes) = (0, 0);
    for entry in folder.read_dir()? {
        let metadata = entry?.metadata()?;
        if metadata.is_file() {
            files += 1;
            bytes += metadata.len();
        }
    }
    Ok((files, bytes))
}
