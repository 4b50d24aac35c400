//! XSumFaith (Maynez et al. 2020): hallucination_annotations_xsum_summaries.csv of
//! google-research-datasets/xsum_hallucination_annotations, a line for each span that each of three workers marked, or
//! with the type NULL where a worker marked none. A summary is factual where most workers marked none. The articles are
//! not in the file, so these rows have no evidence of their own.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::EvalError;
use crate::rows::formats::csv_records;
use crate::rows::row::{Label, LabelledRow, group};

const NO_HALLUCINATION: &str = "NULL";

pub fn read(path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
    let columns = ["bbcid", "system", "summary", "hallucination_type", "worker_id"];
    let mut rows: Vec<LabelledRow> = Vec::new();
    let mut workers: Vec<BTreeMap<String, bool>> = Vec::new();
    for (line, [document, system, summary, kind, worker]) in csv_records(path, columns)? {
        let id = format!("{document}.{system}");
        let at = rows.iter().position(|row| row.id == id).unwrap_or_else(|| {
            let groups = group("generator", &system);
            rows.push(LabelledRow { line, id, statement: summary, groups, ..LabelledRow::default() });
            workers.push(BTreeMap::new());
            rows.len() - 1
        });
        *workers[at].entry(worker).or_insert(true) &= kind == NO_HALLUCINATION;
    }
    for (row, workers) in rows.iter_mut().zip(workers) {
        let content = workers.values().filter(|&&none| none).count();
        row.label = Some(Label::of_truth(2 * content > workers.len()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn most_workers_decide_and_a_workers_spans_count_once() {
        let rows = read(
            Format::Xsumfaith,
            "bbcid,system,summary,hallucination_type,hallucinated_span_start,hallucinated_span_end,worker_id\n\
             34687720,TConvS2S,\"rory mcilroy, leads.\",extrinsic,1,17,wid_0\n\
             34687720,TConvS2S,\"rory mcilroy, leads.\",intrinsic,20,30,wid_0\n\
             34687720,TConvS2S,\"rory mcilroy, leads.\",NULL,-1,-1,wid_1\n\
             34687720,TConvS2S,\"rory mcilroy, leads.\",NULL,-1,-1,wid_2\n\
             34687720,PtGen,he won.,extrinsic,1,3,wid_0\n",
        )
        .unwrap();
        let said: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.statement.as_str(), row.label)).collect();
        assert_eq!(
            said,
            [
                ("34687720.TConvS2S", "rory mcilroy, leads.", Some(Label::Factual)),
                ("34687720.PtGen", "he won.", Some(Label::Unfactual))
            ]
        );
        let error = read(Format::Xsumfaith, "bbcid,system\n").unwrap_err().to_string();
        assert!(error.contains("there is no column summary"), "{error}");
    }
}
