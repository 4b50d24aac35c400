//! What the index costs as the corpus grows: bytes, requests and time of a cold query; bytes a passage; speed and
//! memory of the builder.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use evident_index::{Completeness, FileStorage, Index, Limits};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::claims::Claim;
use crate::corpus::Corpus;
use crate::counting::Counting;
use crate::plot::{Plot, Series};
use crate::process::{Built, quantile};
use crate::{Failure, K, QUERIES, SEED, claims, synthetic};

/// The largest corpus, unless another is asked for.
pub const LARGEST: u32 = 1_000_000;
const SMALLEST: u32 = 10_000;

/// The line that a reader is taken to have: what a request waits for, in milliseconds, and bytes a millisecond (10
/// Mbit/s).
const ROUND_TRIP_MS: f64 = 50.0;
const BYTES_PER_MS: f64 = 1250.0;

/// One size of corpus.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Point {
    built: Built,
    bytes_per_passage: f64,
    passages_per_second: f64,
    #[serde(flatten)]
    cost: Cost,
}

/// What an index costs its readers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// What opening it fetches.
    opening_bytes: u64,
    /// Queries until their hits are proved.
    exact: Query,
    /// Queries within limits, a page's where no others were asked for.
    limited: Query,
}

/// What queries cost a reader who has opened the index and asked nothing yet: medians, and more of what is bounded.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    count: usize,
    bytes: f64,
    bytes_p95: f64,
    bytes_most: f64,
    /// Bytes if the answers were padded to whole 4 KiB.
    padded: f64,
    padded_most: f64,
    requests: f64,
    round_trips: f64,
    round_trips_most: f64,
    /// The share of queries whose hits are proved to be the best.
    proved: f64,
    /// The share of the exact hits that is found, the mean of all queries.
    found: f64,
    /// The sum of the hits' scores beside that of the exact ones, the mean of all queries.
    score: f64,
    /// The share of queries that find a passage that settles them, of those that have one; absent where none has.
    settled: Option<f64>,
    /// Time to compute.
    compute_ms: f64,
    /// With what a line of 50 ms and 10 Mbit/s adds.
    total_ms: f64,
}

/// Measures corpora of 10^4 passages, three times as many, and so on, and last of `largest`; writes `scale.json` and a
/// plot of each curve to `out`.
pub fn run(out: &Path, largest: u32) -> Result<(), Failure> {
    std::fs::create_dir_all(out)?;
    let steps = (0..).map(|step: u32| SMALLEST * 10_u32.pow(step / 2) * if step.is_multiple_of(2) { 1 } else { 3 });
    let mut points = Vec::new();
    for passages in steps.take_while(|&passages| passages < largest).chain([largest]) {
        let point = measure(passages)?;
        eprintln!(
            "{passages:>9} passages: {:.0} bytes a passage, {:.0} passages/s; exact: {}; limited: {}",
            point.bytes_per_passage, point.passages_per_second, point.cost.exact, point.cost.limited
        );
        points.push(point);
        // After each, so that what is there survives an end half-way.
        std::fs::write(out.join("scale.json"), serde_json::to_string_pretty(&points)?)?;
    }
    for (name, plot) in plots(&points) {
        std::fs::write(out.join(name), plot.svg())?;
    }
    Ok(())
}

fn measure(passages: u32) -> Result<Point, Failure> {
    let place = tempfile::tempdir()?;
    let (index, corpus) = (place.path().join("index"), place.path().join("corpus.jsonl"));
    synthetic::write(passages, SEED, File::create(&corpus)?)?;
    // In a process of its own, whose memory is the builder's.
    let output = Command::new(std::env::current_exe()?).args(["build", "evident"]).args([&corpus, &index]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let built: Built = serde_json::from_slice(&output.stdout)?;
    let queries = claims::draw(Corpus::Real(&corpus), QUERIES, SEED)?;
    let cost = cost(&index, &queries, Limits::WEB)?;
    Ok(Point {
        bytes_per_passage: built.bytes as f64 / f64::from(passages),
        passages_per_second: f64::from(passages) / built.seconds,
        built,
        cost,
    })
}

/// What single queries cost.
#[derive(Default)]
struct Costs {
    bytes: Vec<f64>,
    padded: Vec<f64>,
    requests: Vec<f64>,
    round_trips: Vec<f64>,
    compute_ms: Vec<f64>,
    total_ms: Vec<f64>,
    proved: f64,
    found: f64,
    score: f64,
    /// Queries that some passage settles, and those that find one.
    settling: u32,
    settled: u32,
}

/// Measures each query on the index opened anew, without limits and within these.
pub fn cost(index: &Path, queries: &[Claim], limits: Limits) -> Result<Cost, Failure> {
    block_on(search(index, queries, limits))
}

async fn search(index: &Path, queries: &[Claim], limited_to: Limits) -> Result<Cost, Failure> {
    let (mut exact, mut limited, mut opening) = (Costs::default(), Costs::default(), 0);
    for Claim { text, passages } in queries {
        let (mut best, mut best_score) = (BTreeSet::new(), 0.0);
        for (costs, limits) in [(&mut exact, Limits::default()), (&mut limited, limited_to)] {
            let storage = Counting::new(FileStorage::new(index));
            let index = Index::open(&storage).await?;
            opening = storage.take().bytes;
            let began = Instant::now();
            let found = index.find(text, K, limits).await?;
            let computed = began.elapsed().as_secs_f64() * 1e3;
            let counts = storage.take();
            let score: f64 = found.hits.iter().map(|hit| f64::from(hit.score)).sum();
            let ids = found.hits.into_iter().map(|hit| hit.passage.id).collect::<BTreeSet<_>>();
            if limits == Limits::default() {
                best.clone_from(&ids);
                best_score = score;
            }
            costs.settling += u32::from(!passages.is_empty());
            costs.settled += u32::from(passages.iter().any(|passage| ids.contains(passage)));
            costs.bytes.push(counts.bytes as f64);
            costs.padded.push(counts.padded as f64);
            costs.requests.push(f64::from(counts.requests));
            costs.round_trips.push(f64::from(counts.round_trips));
            costs.compute_ms.push(computed);
            let line = f64::from(counts.round_trips) * ROUND_TRIP_MS + counts.bytes as f64 / BYTES_PER_MS;
            costs.total_ms.push(computed + line);
            costs.proved += f64::from(u8::from(found.completeness == Completeness::Exact));
            costs.found += ids.intersection(&best).count() as f64 / best.len().max(1) as f64;
            costs.score += if best.is_empty() { 1.0 } else { score / best_score };
        }
    }
    Ok(Cost { opening_bytes: opening, exact: exact.into(), limited: limited.into() })
}

impl From<Costs> for Query {
    fn from(mut costs: Costs) -> Self {
        let count = costs.bytes.len();
        Self {
            count,
            bytes: quantile(&mut costs.bytes, 0.5),
            bytes_p95: quantile(&mut costs.bytes, 0.95),
            bytes_most: quantile(&mut costs.bytes, 1.0),
            padded: quantile(&mut costs.padded, 0.5),
            padded_most: quantile(&mut costs.padded, 1.0),
            requests: quantile(&mut costs.requests, 0.5),
            round_trips: quantile(&mut costs.round_trips, 0.5),
            round_trips_most: quantile(&mut costs.round_trips, 1.0),
            proved: costs.proved / count as f64,
            found: costs.found / count as f64,
            score: costs.score / count as f64,
            settled: (costs.settling > 0).then(|| f64::from(costs.settled) / f64::from(costs.settling)),
            compute_ms: quantile(&mut costs.compute_ms, 0.5),
            total_ms: quantile(&mut costs.total_ms, 0.5),
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { bytes, bytes_most, padded, padded_most, requests, round_trips, round_trips_most, .. } = self;
        let Self { proved, found, score, settled, .. } = self;
        write!(f, "{bytes:.0} bytes (most: {bytes_most:.0}; padded {padded:.0}, {padded_most:.0}), ")?;
        write!(f, "{requests} requests, {round_trips} round trips (most: {round_trips_most}), ")?;
        write!(f, "{:.0} % proved, {found:.3} of the hits, {score:.3} of their score", 100.0 * proved)?;
        settled.map_or(Ok(()), |settled| write!(f, ", {settled:.3} of the passages that settle the queries"))
    }
}

fn plots(points: &[Point]) -> [(&'static str, Plot); 6] {
    let series = |name, of: &dyn Fn(&Point) -> f64| Series {
        name,
        points: points.iter().map(|point| (point.built.passages as f64, of(point))).collect(),
    };
    let plot = |title, y, series| Plot { title, x: "passages", y, series };
    [
        (
            "query-bytes.svg",
            plot(
                "Bytes of a cold query",
                "bytes",
                vec![
                    series("exact, median", &|point| point.cost.exact.bytes),
                    series("exact, 95th percentile", &|point| point.cost.exact.bytes_p95),
                    series("limited, median", &|point| point.cost.limited.bytes),
                    series("limited, most", &|point| point.cost.limited.bytes_most),
                    series("opening", &|point| point.cost.opening_bytes as f64),
                ],
            ),
        ),
        (
            "query-requests.svg",
            plot(
                "Requests of a cold query",
                "number",
                vec![
                    series("exact, requests", &|point| point.cost.exact.requests),
                    series("exact, round trips", &|point| point.cost.exact.round_trips),
                    series("limited, requests", &|point| point.cost.limited.requests),
                    series("limited, round trips", &|point| point.cost.limited.round_trips),
                ],
            ),
        ),
        (
            "query-time.svg",
            plot(
                "Time of a cold query",
                "ms",
                vec![
                    series("exact, computing", &|point| point.cost.exact.compute_ms),
                    series("exact, at 50 ms and 10 Mbit/s", &|point| point.cost.exact.total_ms),
                    series("limited, at 50 ms and 10 Mbit/s", &|point| point.cost.limited.total_ms),
                ],
            ),
        ),
        (
            "query-found.svg",
            plot(
                "A query within 200 KB and three round trips",
                "share",
                vec![
                    series("of the ten best, found", &|point| point.cost.limited.found),
                    series("of their scores' sum", &|point| point.cost.limited.score),
                    series("proved", &|point| point.cost.limited.proved),
                    series("the passage it is drawn from", &|point| point.cost.limited.settled.unwrap_or(0.0)),
                    series("· by exact search", &|point| point.cost.exact.settled.unwrap_or(0.0)),
                ],
            ),
        ),
        (
            "size.svg",
            plot("Size of the index", "bytes a passage", vec![series("index", &|point| point.bytes_per_passage)]),
        ),
        (
            "build.svg",
            plot(
                "Building",
                "passages a second; MB of memory",
                vec![
                    series("speed", &|point| point.passages_per_second),
                    series("peak memory", &|point| point.built.peak_memory as f64 / 1e6),
                ],
            ),
        ),
    ]
}
