//! What the index costs as the corpus grows: bytes, requests and time of a cold query; bytes a passage; speed and memory of the builder.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use evident_index::{FileStorage, Index};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::corpus::Corpus;
use crate::counting::Counting;
use crate::plot::{Plot, Series};
use crate::process::{Built, quantile};
use crate::{Failure, K, QUERIES, SEED, claims, synthetic};

/// The largest corpus, unless another is asked for.
pub const LARGEST: u32 = 1_000_000;
const SMALLEST: u32 = 10_000;

/// The line that a reader is taken to have: what a request waits for, in milliseconds, and bytes a millisecond (10 Mbit/s).
const ROUND_TRIP_MS: f64 = 50.0;
const BYTES_PER_MS: f64 = 1250.0;

/// One size of corpus.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Point {
    built: Built,
    bytes_per_passage: f64,
    passages_per_second: f64,
    /// What opening the index fetches.
    opening_bytes: u64,
    query: Query,
}

/// What queries cost a reader who has opened the index and asked nothing yet: medians, and the 95th percentile of bytes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    count: usize,
    bytes: f64,
    bytes_p95: f64,
    requests: f64,
    round_trips: f64,
    /// Time to compute.
    compute_ms: f64,
    /// With what a line of 50 ms and 10 Mbit/s adds.
    total_ms: f64,
}

/// Measures corpora of 10^4 passages, three times as many, and so on to `largest`; writes `scale.json` and a plot of each curve to `out`.
pub fn run(out: &Path, largest: u32) -> Result<(), Failure> {
    std::fs::create_dir_all(out)?;
    let steps = (0..).map(|step: u32| SMALLEST * 10_u32.pow(step / 2) * if step.is_multiple_of(2) { 1 } else { 3 });
    let mut points = Vec::new();
    for passages in steps.take_while(|&passages| passages <= largest) {
        let point = measure(passages)?;
        let Query { bytes, requests, round_trips, .. } = point.query;
        eprintln!(
            "{passages:>9} passages: {bytes:.0} bytes, {requests} requests, {round_trips} round trips a query; {:.0} bytes a passage; \
             {:.0} passages/s",
            point.bytes_per_passage, point.passages_per_second
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
    let (opening_bytes, query) = block_on(search(&index, &queries))?;
    Ok(Point {
        bytes_per_passage: built.bytes as f64 / f64::from(passages),
        passages_per_second: f64::from(passages) / built.seconds,
        built,
        opening_bytes,
        query,
    })
}

/// Each query on an index opened anew.
async fn search(index: &Path, queries: &[String]) -> Result<(u64, Query), Failure> {
    let (mut bytes, mut requests, mut trips, mut compute, mut total) = (vec![], vec![], vec![], vec![], vec![]);
    let mut opening = 0;
    for query in queries {
        let storage = Counting::new(FileStorage::new(index));
        let index = Index::open(&storage).await?;
        opening = storage.take().bytes;
        let began = Instant::now();
        index.search(query, K).await?;
        let computed = began.elapsed().as_secs_f64() * 1e3;
        let counts = storage.take();
        let line = f64::from(counts.round_trips) * ROUND_TRIP_MS + counts.bytes as f64 / BYTES_PER_MS;
        bytes.push(counts.bytes as f64);
        requests.push(f64::from(counts.requests));
        trips.push(f64::from(counts.round_trips));
        compute.push(computed);
        total.push(computed + line);
    }
    let query = Query {
        count: queries.len(),
        bytes: quantile(&mut bytes, 0.5),
        bytes_p95: quantile(&mut bytes, 0.95),
        requests: quantile(&mut requests, 0.5),
        round_trips: quantile(&mut trips, 0.5),
        compute_ms: quantile(&mut compute, 0.5),
        total_ms: quantile(&mut total, 0.5),
    };
    Ok((opening, query))
}

fn plots(points: &[Point]) -> [(&'static str, Plot); 5] {
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
                    series("median", &|point| point.query.bytes),
                    series("95th percentile", &|point| point.query.bytes_p95),
                    series("opening", &|point| point.opening_bytes as f64),
                ],
            ),
        ),
        (
            "query-requests.svg",
            plot(
                "Requests of a cold query",
                "number",
                vec![
                    series("requests", &|point| point.query.requests),
                    series("round trips", &|point| point.query.round_trips),
                ],
            ),
        ),
        (
            "query-time.svg",
            plot(
                "Time of a cold query",
                "ms",
                vec![
                    series("computing", &|point| point.query.compute_ms),
                    series("at 50 ms and 10 Mbit/s", &|point| point.query.total_ms),
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
