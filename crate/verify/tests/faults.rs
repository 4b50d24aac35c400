//! An index whose storage fails at any one read of a check: the report is the right one, or there is an error with a
//! code, and the same verifier then gives the right report.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use evident_index::{
    BuildOptions, Fault, Faulty, Index, MemoryStorage, OpenOptions, Passage, Reading, Storage, assemble,
};
use evident_nn::{Backend, ONLY_MODEL, Pack, open_device};
use evident_verify::{
    About, BackendReport, IndexSource, Judge, PackReport, Report, Retriever, Settings, Timings, TrafficReport,
    Verifier, VerifyError,
};
use futures_lite::future::block_on;

const ANSWER: &str = "Iron is a metal of country 3. It was found in the year 7. Tin is not blue.";

/// The codes that an error of a storage may have.
const CODES: [&str; 3] = ["network", "index-missing", "index-corrupt"];

/// An index of forty passages; with `small` files, a check reads many of them.
fn files(small: bool) -> MemoryStorage {
    let passages = (0..40).map(|n| {
        let metal = ["Iron", "Tin", "Gold"][n % 3];
        let text = format!("{metal} is a metal of country {n}. It was found in the year {}. It is not blue.", n % 9);
        Ok(Passage { id: n.to_string(), title: format!("{metal} {n}"), text, ..Passage::default() })
    });
    let options = match small {
        true => BuildOptions {
            shard_bytes: 64,
            shard_terms: 4,
            group_passages: 3,
            long_list: 4,
            whole_bytes: 0,
            ..BuildOptions::default()
        },
        false => BuildOptions::default(),
    };
    MemoryStorage(assemble(passages, &options).unwrap().1)
}

/// A verifier with random weights.
fn verifier<S: Storage + 'static>(index: Index<S>) -> Verifier {
    let (device, name) = block_on(open_device(Backend::Cpu)).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden/mpnet");
    let mut pack = Pack::open(&golden).unwrap();
    let backend = BackendReport { kind: Backend::Cpu, name };
    let about = About { backend, pack: PackReport::of(pack.manifest()), models: BTreeMap::new(), marked_by: None };
    let judge = block_on(Judge::load(&mut pack, ONLY_MODEL, &device)).unwrap();
    let source = Rc::new(IndexSource::in_folder(index, "metals"));
    Verifier::new(Arc::new(judge), Retriever::new(vec![source], None), about)
}

/// The report, without the fields that a repeated read changes.
fn verify(verifier: &Verifier) -> Result<Report, VerifyError> {
    let mut report =
        block_on(verifier.verify(verifier.judge(), ANSWER, Some("What is iron?"), &Settings::default(), &()))?;
    report.sources.iter_mut().for_each(|source| source.traffic = TrafficReport::default());
    Ok(Report { timings: Timings::default(), traffic: TrafficReport::default(), ..report })
}

/// A storage that lives as long as a source of evidence may.
fn leaked<S>(storage: S) -> &'static S {
    Box::leak(Box::new(storage))
}

#[test]
fn a_check_whose_storage_fails_at_any_read_gives_the_right_report_or_an_error_and_then_the_right_one() {
    for (files, reading, least) in
        [(files(true), Reading::Needed, 20), (files(false), Reading::Needed, 3), (files(false), Reading::SmallWhole, 2)]
    {
        let opening = OpenOptions { reading, ..OpenOptions::default() };
        let sound = leaked(Faulty::new(files.clone(), Fault::Fails, usize::MAX));
        let right = verify(&verifier(block_on(Index::open_with(sound, opening)).unwrap())).unwrap();
        assert!(right.sentences.len() == 3 && right.sentences.iter().all(|sentence| !sentence.evidence.is_empty()));
        for fault in Fault::ALL {
            let mut failed = 0;
            for at in 0.. {
                let storage = leaked(Faulty::new(files.clone(), fault, at));
                let index = match block_on(Index::open_with(storage, opening)) {
                    Ok(index) => index,
                    Err(error) => {
                        assert!(CODES.iter().any(|code| error.code() == *code), "{fault:?} at {at}: {error}");
                        failed += 1;
                        block_on(Index::open_with(storage, opening)).unwrap()
                    }
                };
                let verifier = verifier(index);
                match verify(&verifier) {
                    Ok(report) => assert_eq!(report, right, "{fault:?} at {at}"),
                    Err(error) => {
                        assert!(CODES.iter().any(|code| error.code() == *code), "{fault:?} at {at}: {error}");
                        failed += 1;
                    }
                }
                if !storage.has_failed() {
                    assert!(at > least, "{fault:?}: only {at} reads");
                    break;
                }
                assert_eq!(verify(&verifier).unwrap(), right, "{fault:?} at {at}, asked again");
            }
            // Wrong bytes are read again, so only failed and missing reads give errors.
            assert_eq!(failed > 0, matches!(fault, Fault::Fails | Fault::Missing), "{fault:?}: {failed} errors");
        }
    }
}
