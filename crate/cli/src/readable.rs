//! A report as a person reads it on a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use evident_verify::{Evidence, Kind, LeftOut, Nli, Report, Risk, SentenceReport, Verdict};

/// What is not read first.
pub const DIM: Style = Style::new().dimmed();

/// Writes a report: each sentence under its verdict and score, with the evidence the T5 was shown; then the summary.
pub fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for sentence in &report.sentences {
        write_sentence(out, sentence)?;
    }
    for LeftOut { text, kind, .. } in &report.left_out {
        writeln!(out, "{DIM}left out, {}: {}{DIM:#}", kind_name(*kind), printable(text))?;
    }
    let summary = &report.summary;
    write!(
        out,
        "{} factual, {} unfactual, {} without evidence",
        summary.factual, summary.unfactual, summary.no_evidence
    )?;
    if let Some(score) = summary.score {
        write!(out, "; mean score {score:.2}")?;
    }
    writeln!(
        out,
        "\n{DIM}{} {} on {} {}, {} passages, {:.1} s{DIM:#}",
        report.pack.name,
        report.pack.version,
        report.backend.kind,
        report.backend.name,
        report.index.passages,
        report.timings.total_ms / 1e3
    )
}

fn write_sentence(out: &mut impl Write, sentence: &SentenceReport) -> io::Result<()> {
    let (name, colour) = match sentence.verdict {
        Verdict::Factual => ("factual", AnsiColor::Green),
        Verdict::Unfactual => ("unfactual", AnsiColor::Red),
        Verdict::NoEvidence => ("no evidence", AnsiColor::Yellow),
    };
    let style = colour.on_default().bold();
    writeln!(out, "{style}{name:<11}{style:#} {:.2}  {}", sentence.score, printable(&sentence.text))?;
    if sentence.statement != sentence.text {
        writeln!(out, "    read as: {}", printable(&sentence.statement))?;
    }
    let answered = if sentence.answered_at.is_none() { " (it gave no answer)" } else { "" };
    let spread = sentence.spread.map_or_else(String::new, |spread| format!(" ± {spread:.2}"));
    let (p, nli) = (sentence.p_factual, triple(&sentence.nli));
    writeln!(out, "    {DIM}T5: p {p:.2}{spread}{answered}   NLI: {nli}{DIM:#}")?;
    if let Some(rationale) = &sentence.rationale {
        writeln!(out, "    {DIM}for: {}{DIM:#}", printable(rationale))?;
    }
    if !sentence.risks.is_empty() {
        let risks: Vec<&str> = sentence.risks.iter().map(|&risk| risk_name(risk)).collect();
        writeln!(out, "    {DIM}look twice: {}{DIM:#}", risks.join(", "))?;
    }
    for evidence in sentence.evidence.iter().filter(|evidence| evidence.in_prompt || evidence.decisive) {
        write_evidence(out, evidence)?;
    }
    if sentence.bm25_bound.is_some() {
        writeln!(out, "    {DIM}the search kept to its limit: the index may have better passages{DIM:#}")?;
    }
    if sentence.evidence.is_empty() {
        writeln!(out, "    no passage found")?;
    }
    writeln!(out)
}

/// A kind of sentence, as one says it.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Claim => "a claim",
        Kind::Question => "a question",
        Kind::Instruction => "an instruction",
        Kind::Opinion => "an opinion",
        Kind::Pleasantry => "a pleasantry",
        Kind::Fragment => "a fragment",
    }
}

/// A risk, as one says it.
pub fn risk_name(risk: Risk) -> &'static str {
    match risk {
        Risk::Numeral => "a number",
        Risk::Context => "leans on its context",
        Risk::RareName => "a name seldom seen in the index",
        Risk::AfterUnfactual => "after an unfactual sentence",
    }
}

fn write_evidence(out: &mut impl Write, evidence: &Evidence) -> io::Result<()> {
    let units: Vec<u16> = evidence.text.encode_utf16().collect();
    let deciding = units.get(evidence.sentence.start..evidence.sentence.end).unwrap_or(&units);
    let mark = if evidence.decisive { '*' } else { '-' };
    let (title, text) = (printable(&evidence.title), printable(&String::from_utf16_lossy(deciding)));
    writeln!(
        out,
        "  {mark} {title}: {text} {DIM}[{}] BM25 {:.2}, {}{DIM:#}",
        printable(&evidence.id),
        evidence.bm25,
        triple(&evidence.nli)
    )
}

fn triple(nli: &Nli) -> String {
    format!("entailment {:.2}, neutral {:.2}, contradiction {:.2}", nli.entailment, nli.neutral, nli.contradiction)
}

/// Text on one line and without the control characters that would steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
