//! A report as a person reads it on a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use evident_base::plain_line;
use evident_verify::{
    Ambiguous, Combination, Confidence, ConsultedSource, Decider, Evidence, LeftOut, Nli, Report, SentenceReport,
    SourceReport, SourceState, Span, Unread, Verdict,
};

/// The style of secondary text.
pub const DIM: Style = Style::new().dimmed();

/// Writes a report: each sentence under its verdict and score, with the evidence that was read; then the summary.
pub fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for sentence in &report.sentences {
        write_sentence(out, sentence, if report.marked_by.is_some() { "unsupported" } else { "wrong" })?;
    }
    for LeftOut { text, kind, .. } in &report.left_out {
        writeln!(out, "{DIM}left out, {}: {}{DIM:#}", kind.in_words(), plain_line(text))?;
    }
    let summary = &report.summary;
    write!(
        out,
        "{} supported, {} contradicted, {} mixed, {} without a verdict",
        summary.factual, summary.unfactual, summary.mixed, summary.no_evidence
    )?;
    for (number, what) in [(summary.likely_factual, "supported"), (summary.likely_unfactual, "contradicted")] {
        if number > 0 {
            write!(out, ", {number} probably {what}")?;
        }
    }
    if let (Some(score), Some(coverage)) = (summary.score, summary.coverage) {
        let (claims, coverage) = (report.sentences.len(), 100.0 * coverage);
        write!(out, "; mean score of all {claims} {score:.2}, {coverage:.0} % of them with a verdict")?;
    }
    writeln!(out, "\n{DIM}by {}{DIM:#}", plain_line(&deciders(report)))?;
    let Report { pack, backend, timings, .. } = report;
    let by = format!("{} {} on {} {}", pack.name, pack.version, backend.kind, backend.name);
    writeln!(out, "{DIM}{}, {}, {:.1} s{DIM:#}", plain_line(&by), sources(report), timings.total_ms / 1e3)
}

/// The sources of evidence: the number of passages of one, the names of several with the number of sentences that each
/// was asked about, and what could not be searched.
fn sources(report: &Report) -> String {
    let described = |source: &ConsultedSource| {
        let passages = source.info.passages.map(|passages| format!("{passages} passages"));
        let alone = (report.sources.len() == 1 && passages.is_none()).then(|| source.info.name.clone());
        let failed =
            source.failed.as_ref().map(|failed| format!("failed for {}: {}", failed.sentences, failed.message));
        let asked = (report.sources.len() > 1).then(|| format!("{} asked for {}", source.info.name, source.asked));
        [asked, alone, passages, failed].into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    plain_line(&report.sources.iter().map(described).collect::<Vec<_>>().join("; "))
}

/// The models that decided, with the packs of those that are from another, and how both make one score.
fn deciders(report: &Report) -> String {
    let named = |decider: &Decider| {
        let name = match decider {
            Decider::Nli => "NLI",
            Decider::Verifier => "the verifier",
        };
        let from = report.models.get(decider).map(|pack| format!(" of {}", pack.name)).unwrap_or_default();
        format!("{name}{from}")
    };
    let names: Vec<String> = report.decided_by.iter().map(named).collect();
    let share = match report.combination {
        Some(Combination { fitted: false, .. }) => {
            ", half and half: no pack has a weight for the two, so the score is not calibrated".to_owned()
        }
        Some(Combination { weight, fitted: true }) => format!(", the verifier with a weight of {weight:.2}"),
        None => String::new(),
    };
    names.join(" and ") + &share
}

/// Writes a sentence. `marked` says what its marked words are: "unsupported" or "wrong".
fn write_sentence(out: &mut impl Write, sentence: &SentenceReport, marked: &str) -> io::Result<()> {
    let (name, colour) = standing(sentence.verdict, sentence.confidence, sentence.related);
    let style = colour.on_default().bold();
    writeln!(out, "{style}{name:<21}{style:#} {:.2}  {}", sentence.score, plain_line(&sentence.text))?;
    if sentence.statement != sentence.text {
        writeln!(out, "    read as: {}", plain_line(&sentence.statement))?;
    }
    if !sentence.marks.is_empty() {
        let shown = |span: Span, text: &str| plain_line(&span.of(text));
        let words: Vec<String> = sentence.marks.iter().map(|&mark| shown(mark, &sentence.statement)).collect();
        let found = sentence.reason.and_then(|reason| {
            let passage = sentence.evidence.get(reason.evidence)?;
            Some(format!(
                ": the passage says {}, the statement {}",
                shown(reason.found, &passage.text),
                shown(reason.said, &sentence.statement)
            ))
        });
        writeln!(out, "    {marked}: {}{}", words.join(", "), found.unwrap_or_default())?;
    }
    for part in &sentence.parts {
        let (name, _) = standing(part.verdict, part.confidence, true);
        writeln!(out, "    {name:<21} {:.2}  {}", part.score, plain_line(&part.text))?;
    }
    if !sentence.unread.is_empty() {
        writeln!(out, "    part of it was too long to be read, so it is not judged")?;
    }
    if let Some(p) = sentence.p_factual {
        let answered = if sentence.answered_at.is_none() { " (it gave no answer)" } else { "" };
        let spread = sentence.spread.map_or_else(String::new, |spread| format!(" ± {spread:.2}"));
        writeln!(out, "    {DIM}verifier: p {p:.2}{spread}{answered}{DIM:#}")?;
    }
    if let Some(rationale) = &sentence.rationale {
        writeln!(out, "    {DIM}for: {}{DIM:#}", plain_line(rationale))?;
    }
    if !sentence.risks.is_empty() {
        let risks: Vec<&str> = sentence.risks.iter().map(|risk| risk.in_words()).collect();
        writeln!(out, "    {DIM}look twice: {}{DIM:#}", risks.join(", "))?;
    }
    for evidence in sentence.evidence.iter().filter(|evidence| evidence.nli.is_some() || evidence.in_prompt) {
        write_evidence(out, evidence)?;
    }
    // With a verdict, a passage that decides was found, so the note would not help.
    if sentence.bm25_bound.is_some() && sentence.verdict == Verdict::NoEvidence {
        writeln!(out, "    {DIM}the search kept to its limit: the index may have better passages{DIM:#}")?;
    }
    if sentence.evidence.is_empty() {
        writeln!(out, "    no passage found")?;
    }
    for Ambiguous { name, source, articles } in
        sentence.ambiguous.iter().filter(|_| sentence.verdict == Verdict::NoEvidence)
    {
        let titles: Vec<&str> = articles.iter().map(|article| article.title.as_str()).collect();
        let line = format!("{name} has several articles: {} ({source})", titles.join(", "));
        writeln!(out, "    {}", plain_line(&line))?;
    }
    for source in &sentence.sources {
        write_source(out, source)?;
    }
    writeln!(out)
}

/// A page's verdict on the sentence that cites it, with the passages behind it.
fn write_source(out: &mut impl Write, source: &SourceReport) -> io::Result<()> {
    let said = match source.state {
        SourceState::Supported => "supported by its source",
        SourceState::Contradicted => "contradicted by its source",
        SourceState::Mixed => "supported and contradicted by its source",
        SourceState::NotInIt => "not in its source",
        SourceState::Unread => "source not read",
    };
    let why = source.reason.map(|reason| format!(" ({})", unread(reason))).unwrap_or_default();
    writeln!(out, "    {said}{why}: {}", plain_line(&source.address))?;
    source.evidence.iter().try_for_each(|evidence| write_evidence(out, evidence))
}

/// Why a page was not read, in words.
fn unread(reason: Unread) -> &'static str {
    match reason {
        Unread::NotGiven => "no file was given for it",
        Unread::NotFound => "it is not there",
        Unread::Blocked => "blocked",
        Unread::Paywall => "it asks for a login or for money",
        Unread::TooLarge => "too large",
        Unread::Timeout => "it took too long",
        Unread::NotText => "no text",
        Unread::Empty => "empty",
        Unread::Private => "an address of a private network",
        Unread::Failed => "its host could not be reached",
    }
}

/// A verdict in words, and its colour. Without a verdict, a sentence with `related` passages is undecided.
fn standing(verdict: Verdict, confidence: Confidence, related: bool) -> (&'static str, AnsiColor) {
    match (verdict, confidence) {
        (Verdict::Factual, Confidence::Sure) => ("supported", AnsiColor::Green),
        (Verdict::Factual, Confidence::Likely) => ("probably supported", AnsiColor::Green),
        (Verdict::Unfactual, Confidence::Sure) => ("contradicted", AnsiColor::Red),
        (Verdict::Unfactual, Confidence::Likely) => ("probably contradicted", AnsiColor::Red),
        (Verdict::Mixed, _) => ("mixed evidence", AnsiColor::Magenta),
        (Verdict::NoEvidence, _) if related => ("undecided", AnsiColor::Yellow),
        (Verdict::NoEvidence, _) => ("not in this index", AnsiColor::Yellow),
    }
}

fn write_evidence(out: &mut impl Write, evidence: &Evidence) -> io::Result<()> {
    let deciding = evidence.sentence.map_or_else(|| evidence.text.clone(), |sentence| sentence.of(&evidence.text));
    let mark = if evidence.decisive { '*' } else { '-' };
    let (title, text) = (plain_line(&evidence.title), plain_line(&deciding));
    writeln!(
        out,
        "  {mark} {title}: {text} {DIM}[{}] BM25 {:.2}, {}{DIM:#}",
        plain_line(&evidence.id),
        evidence.bm25,
        evidence.nli.as_ref().map_or_else(|| "not read by NLI".to_owned(), triple)
    )
}

fn triple(nli: &Nli) -> String {
    format!("entailment {:.2}, neutral {:.2}, contradiction {:.2}", nli.entailment, nli.neutral, nli.contradiction)
}
