//! tantivy, set up to do what Evident's index does: English stop words and stems, BM25 over title and text, passages
//! kept to be shown.

use std::path::Path;
use std::time::Instant;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::tokenizer::{Language, LowerCaser, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer, TokenStream};
use tantivy::{Index, IndexWriter, TantivyDocument, Term, doc};

use crate::claims::Claim;
use crate::corpus::Corpus;
use crate::process::{Built, Searched, peak_memory, size};
use crate::{Failure, K};

/// The memory that a thread's postings may take before they are written, in bytes: that of tantivy's own example.
const MEMORY: usize = 50_000_000;
const ANALYSIS: &str = "english";

fn analysis() -> Result<TextAnalyzer, Failure> {
    let stop_words = StopWordFilter::new(Language::English).ok_or("tantivy has no English stop words")?;
    Ok(TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(stop_words)
        .filter(Stemmer::new(Language::English))
        .build())
}

fn schema() -> Schema {
    let terms = TextFieldIndexing::default().set_tokenizer(ANALYSIS).set_index_option(IndexRecordOption::WithFreqs);
    let mut schema = Schema::builder();
    schema.add_text_field("id", STRING | STORED);
    // One field holds title and text, whose terms count alike; the title is kept apart to be shown.
    schema.add_text_field("title", STORED);
    schema.add_text_field("text", STORED);
    schema.add_text_field("all", TextOptions::default().set_indexing_options(terms));
    schema.build()
}

pub fn build(corpus: Corpus, out: &Path) -> Result<Built, Failure> {
    let began = Instant::now();
    std::fs::create_dir_all(out)?;
    let schema = schema();
    let field = |name| schema.get_field(name);
    let (id, title, text, all) = (field("id")?, field("title")?, field("text")?, field("all")?);
    let index = Index::create_in_dir(out, schema.clone())?;
    index.tokenizers().register(ANALYSIS, analysis()?);
    // As many as Evident's builder has.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut writer: IndexWriter = index.writer_with_num_threads(threads, MEMORY * threads)?;
    let mut count = 0;
    for passage in corpus.passages()? {
        let passage = passage?;
        let both = format!("{} {}", passage.title, passage.text);
        writer.add_document(doc!(id => passage.id, title => passage.title, text => passage.text, all => both))?;
        count += 1;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let seconds = began.elapsed().as_secs_f64();
    let (files, bytes) = size(out)?;
    Ok(Built { passages: count, seconds, peak_memory: peak_memory(), files, bytes, threads })
}

pub fn search(index: &Path, queries: &[Claim]) -> Result<Searched, Failure> {
    let index = Index::open_in_dir(index)?;
    let (text, all) = (index.schema().get_field("text")?, index.schema().get_field("all")?);
    let searcher = index.reader()?.searcher();
    let (mut times, mut hits, mut analysis) = (Vec::new(), 0, analysis()?);
    for query in queries {
        let began = Instant::now();
        let mut terms: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        analysis.token_stream(&query.text).process(&mut |token| {
            let term = Term::from_field_text(all, &token.text);
            terms.push((Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))));
        });
        let found = searcher.search(&BooleanQuery::new(terms), &TopDocs::with_limit(K).order_by_score())?;
        for (_, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            hits += usize::from(document.get_first(text).and_then(|text| text.as_str()).is_some());
        }
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(Searched::of(times, hits))
}
