//! A report as Markdown tables in the paper's layout, in per cent.

use crate::measures::{Interval, Measures, PrecisionRecall};
use evident_verify::{Decider, PackReport};
use serde::Serialize;

use crate::rows::row::Label;
use crate::statements::annotators::Annotators;
use crate::statements::datasets::Datasets;
use crate::statements::report::{Correlation, EvalReport, Wordings};
use crate::table::{percent, table};

/// The p-value below which guan2024's Tab. 27 marks a correlation.
const SIGNIFICANT: f64 = 0.01;

/// The whole report.
pub fn write(report: &EvalReport) -> String {
    let mut parts = vec![head(report), measures(report)];
    parts.extend(wordings(report));
    parts.extend(perplexity(report));
    parts.extend(paragraphs(report));
    parts.extend(apart(report));
    parts.extend(report.annotators.as_ref().map(Annotators::markdown));
    parts.extend(report.datasets.as_ref().map(Datasets::markdown));
    parts.push(calibration(report));
    parts.push(verdicts(report));
    parts.extend(groups(report));
    parts.join("\n\n") + "\n"
}

fn head(report: &EvalReport) -> String {
    let run = &report.run;
    let by = run.rerank.as_ref().map(|rerank| format!(", re-ranked by {}", rerank.pack.name)).unwrap_or_default();
    let evidence = run.evidence.describe(run.index.as_ref()) + &by;
    let mut head = format!("# {}\n\n{} statements with {evidence}", report.file, report.rows);
    if report.without_evidence > 0 {
        head += &format!(", {} of them without any", report.without_evidence);
    }
    if report.left_out > 0 {
        let without = if run.leaves_out_no_evidence() { ", or have no evidence of their own," } else { "" };
        head += &format!("; {} of the file say neither factual nor not{without} and are left out", report.left_out);
    }
    if report.silent > 0 {
        head += &format!("; of {} the verifier gave no answer, so that p is 0.5", report.silent);
    }
    let (preset, method) = (name(run.settings.preset), name(run.settings.method));
    let of = |(decider, pack): (&Decider, &PackReport)| format!(", {} {}", name(*decider), pack.name);
    let models: String = run.models.iter().map(of).collect();
    let PackReport { name: pack, version, .. } = &run.pack;
    head + &format!(". Pack {pack} {version}{models}, settings {preset}, method {method}. In per cent.")
}

/// A choice by its name in JSON.
fn name(choice: impl Serialize) -> String {
    serde_json::to_value(choice).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn measures(report: &EvalReport) -> String {
    let rows = report.measures.iter().map(|each| {
        let m = &each.measures;
        vec![
            each.verifier.name().to_owned(),
            m.n.to_string(),
            percent(Some(m.factual)),
            percent(m.ece),
            with(m.acc, each.acc_interval),
            both(m.of_factual),
            both(m.of_unfactual),
            with(m.aur, each.aur_interval),
            percent(m.aup),
            percent(m.r),
        ]
    });
    let columns = ["Verifier", "n", "factual", "ECE", "ACC", "P/R factual", "P/R unfactual", "AUR", "AUP", "r"];
    let level = report.bootstrap.level * 100.0;
    let note =
        format!("In brackets: {level:.0} % intervals of {} bootstrap samples of rows.", report.bootstrap.resamples);
    format!("{}\n\n{note}", table(&columns, rows))
}

fn wordings(report: &EvalReport) -> Option<String> {
    let found = report.wordings.as_ref()?;
    let each = found.each.iter().map(|(wording, measures)| {
        let cells = Wordings::MEASURES.iter().map(|(_, of)| percent(of(measures)));
        std::iter::once(name(wording)).chain(cells).collect::<Vec<String>>()
    });
    let spread = Wordings::MEASURES.iter().map(|(measure, _)| match found.spread.get(measure).copied().flatten() {
        Some((mean, deviation)) => format!("{} ± {}", percent(Some(mean)), percent(Some(deviation))),
        None => percent(None),
    });
    let spread = std::iter::once("mean ± deviation".to_owned()).chain(spread).collect::<Vec<String>>();
    let columns: Vec<&str> = std::iter::once("wording").chain(Wordings::MEASURES.map(|(name, _)| name)).collect();
    let title = "## Wordings\n\nThe T5 by each wording of its question; its row above is the mean p of the four.";
    Some(format!("{title}\n\n{}", table(&columns, each.chain([spread]))))
}

fn perplexity(report: &EvalReport) -> Option<String> {
    let found = report.perplexity.as_ref()?;
    let row = |name: &str, found: Option<Correlation>| {
        let p = found.and_then(|found| found.p_value);
        let mark = if p.is_some_and(|p| p < SIGNIFICANT) { "**" } else { "" };
        let p = p.map_or_else(|| "N/A".to_owned(), |p| format!("{p:.2e}"));
        vec![name.to_owned(), percent(found.map(|found| found.r)) + mark, p]
    };
    let predicted = found.predicted.iter().map(|(scorer, found)| row(scorer.name(), *found));
    let rows = predicted.chain([row("label", found.golden)]);
    let table = table(&["what", "r", "p-value"], rows);
    Some(format!("## Perplexity\n\nThe r of a statement's perplexity and; ** where p < {SIGNIFICANT}.\n\n{table}"))
}

fn paragraphs(report: &EvalReport) -> Option<String> {
    let found = report.paragraphs.as_ref()?;
    let rows = found.r.iter().map(|(scorer, r)| vec![scorer.name().to_owned(), percent(*r)]);
    let title =
        format!("## Paragraphs\n\nThe mean of {} paragraphs' sentences against the share that is factual.", found.n);
    Some(format!("{title}\n\n{}", table(&["Verifier", "r"], rows)))
}

fn apart(report: &EvalReport) -> Option<String> {
    let [unfactual, none] = report.apart.as_slice() else { return None };
    let three = |m: &Measures| [percent(m.aur), percent(m.aup), percent(m.r)];
    let rows = unfactual
        .measures
        .iter()
        .zip(&none.measures)
        .map(|((scorer, a), (_, b))| [vec![scorer.name().to_owned()], three(a).into(), three(b).into()].concat());
    let columns = ["Verifier", "AUR unfactual", "AUP", "r", "AUR no evidence", "AUP", "r"];
    let title = format!(
        "## Factual against unfactual, and against no evidence\n\n{} factual, {} unfactual, {} no evidence.",
        unfactual.factual, unfactual.others, none.others
    );
    Some(format!("{title}\n\n{}", table(&columns, rows)))
}

fn calibration(report: &EvalReport) -> String {
    let calibrated = report.measures.iter().filter(|each| each.ece_before.is_some());
    let rows = calibrated.map(|each| {
        let chance = each.ece_if_calibrated.map_or_else(|| percent(None), range);
        vec![each.verifier.name().to_owned(), percent(each.ece_before), percent(each.measures.ece), chance]
    });
    let note = "ECE without and with the pack's temperatures and bias; each passage speaks by the same window.";
    let chance = format!(
        "By chance: where {:.0} % of ECEs would lie if each score were the true probability of its row.",
        report.bootstrap.level * 100.0
    );
    let columns = ["Verifier", "ECE before", "ECE after", "by chance"];
    format!("## Calibration\n\n{note} {chance}\n\n{}", table(&columns, rows))
}

fn verdicts(report: &EvalReport) -> String {
    let shares = report.verdicts.iter().map(|v| {
        let shares = [Some(v.coverage), v.accuracy, v.false_alarms, v.caught, Some(v.abstained)].map(percent);
        [vec![v.verifier.name().to_owned()], shares.into()].concat()
    });
    let Some(both) = report.verdicts.last() else { return String::new() };
    let counts = Label::ALL
        .iter()
        .zip(both.counts)
        .map(|(label, counts)| [vec![label.name().to_owned()], counts.map(|n| n.to_string()).into()].concat());
    let curve = both.curve.iter().enumerate().map(|(i, point)| {
        let right = report.verdicts.iter().map(|v| percent(v.curve.get(i).map(|point| point.y)));
        std::iter::once(percent(Some(point.x))).chain(right).collect()
    });
    let names = report.verdicts.iter().map(|v| v.verifier.name());
    [
        "## Verdicts".to_owned(),
        "Coverage: statements with a verdict. False alarms: factual ones called unfactual. Caught: others called unfactual."
            .to_owned(),
        table(&["Verifier", "coverage", "right of these", "false alarms", "caught", "no verdict"], shares),
        format!("By {}:", both.verifier.name()),
        table(&["label", "called factual", "called unfactual", "called no evidence"], counts),
        "Accuracy of the scores when the statements whose evidence decides least are passed over:".to_owned(),
        table(&std::iter::once("coverage").chain(names).collect::<Vec<_>>(), curve),
    ]
    .join("\n\n")
}

fn groups(report: &EvalReport) -> Vec<String> {
    let part = |(name, values): (&String, &Vec<crate::statements::report::Value>)| {
        let worded = values.iter().any(|each| each.wordings.is_some());
        let rows = values.iter().map(|each| {
            let all = |of: fn(&Measures) -> Option<f64>| {
                each.measures.iter().map(|(_, m)| percent(of(m))).collect::<Vec<_>>().join(" / ")
            };
            let labels = each.labels.map(|share| percent(Some(share))).join(" / ");
            let by_wording = each
                .wordings
                .map(|(mean, deviation)| format!("{} ± {}", percent(Some(mean)), percent(Some(deviation))));
            [
                vec![each.value.clone(), each.n.to_string(), labels, all(|m| m.ece), all(|m| m.acc), all(|m| m.aur)],
                vec![all(|m| m.aup), all(|m| m.r)],
                if worded { vec![by_wording.unwrap_or_else(|| percent(None))] } else { Vec::new() },
            ]
            .concat()
        });
        let by = values.first().map_or_else(String::new, |value| {
            value.measures.iter().map(|(scorer, _)| scorer.name()).collect::<Vec<_>>().join(" / ")
        });
        let labels = Label::ALL.map(Label::name).join(" / ");
        let mut columns = vec![name.as_str(), "n", &labels, "ECE", "ACC", "AUR", "AUP", "r"];
        columns.extend(worded.then_some("T5's r over wordings"));
        format!("## By {name}\n\nEach by {by}.\n\n{}", table(&columns, rows))
    };
    report.groups.iter().map(part).collect()
}

fn with(share: Option<f64>, interval: Option<Interval>) -> String {
    percent(share) + &interval.map(|of| format!(" ({})", range(of))).unwrap_or_default()
}

fn range(interval: Interval) -> String {
    format!("{} to {}", percent(Some(interval.low)), percent(Some(interval.high)))
}

fn both(class: PrecisionRecall) -> String {
    format!("{} / {}", percent(class.precision), percent(class.recall))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use evident_verify::Verdict;

    use super::*;
    use crate::rows::formats::Format;
    use crate::statements::record::tests::record;
    use crate::statements::report::Perplexity;
    use crate::statements::report::tests::{records, run};
    use crate::statements::scorer::Scorer;

    #[test]
    fn two_stars_are_where_p_is_below_a_hundredth() {
        let mut report = EvalReport::of("rows.jsonl".into(), run(), &records(), 0, true);
        let of = |p_value| Some(Correlation { r: -0.5, p_value: Some(p_value) });
        report.perplexity = Some(Perplexity { predicted: vec![(Scorer::Both, of(0.0099))], golden: of(0.01) });
        let text = perplexity(&report).unwrap();
        assert!(text.contains("| -50.0** | 9.90e-3 |") && text.contains("| -50.0 | 1.00e-2 |"), "{text}");
    }

    #[test]
    fn a_report_reads_as_the_papers_tables() {
        let report = EvalReport::of("rows.jsonl".into(), run(), &records(), 3, true);
        let text = write(&report);
        for part in [
            "4 statements with their own evidence; 3 of the file say neither factual nor not and are left out.",
            "| Constant | 4 | 50.0 | 50.0 | 50.0 (0.0 to 100.0) | 50.0 / 100.0 | N/A / 0.0 | 50.0 (50.0 to 50.0) | 50.0 | N/A |",
            "2 factual, 1 unfactual, 1 no evidence.",
            "| factual | 1 | 1 | 0 |",
            "| both | 75.0 | 66.7 | 50.0 | 50.0 | 25.0 |",
            "| NLI | 0.0 | N/A | 0.0 | 0.0 | 100.0 |",
            "| 100.0 | 50.0 | 50.0 | 50.0 |",
            "| Verifier | ECE before | ECE after | by chance |",
            "## By position",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text, write(&EvalReport::of("rows.jsonl".into(), run(), &records(), 3, true)));
    }

    /// Constant's rows of guan2024, Tab. 7: ECE, P, R, AUR, AUP, r.
    #[test]
    #[ignore = "needs the statements of guan2024 (JianGuanTHU/LLMforFV) in ../shared/data/mgs"]
    fn constant_has_the_papers_rows_in_shared_data() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/mgs");
        for (file, row) in [
            ("sentcom.jsonl", "33.2 66.8 100.0 50.0 66.8 N/A"),
            ("paragen_sent.jsonl", "72.7 27.3 100.0 50.0 27.3 N/A"),
        ] {
            let rows = Format::Mgs.read(&data.join(file)).unwrap();
            let judged = rows.iter().enumerate();
            let judged = judged.map(|(n, row)| record(n, row.label.unwrap(), Verdict::NoEvidence, 0.5));
            let report = EvalReport::of(file.into(), run(), &judged.collect::<Vec<_>>(), 0, true);
            let constant = report.measures.iter().find(|each| each.verifier.name() == "Constant").unwrap();
            let m = &constant.measures;
            let cells = [m.ece, m.of_factual.precision, m.of_factual.recall, m.aur, m.aup, m.r].map(percent);
            assert_eq!(cells.join(" "), row, "{file}");
        }
    }
}
