//! Verdicts on single statements beside single passages that models alone get wrong: numbers that have to be computed,
//! and sentences that assert nothing.

use std::path::Path;

use evident_index::Passage;
use evident_nn::{Backend, Pack, open_device};
use evident_verify::{Judge, Settings, Verdict};
use futures_lite::future::block_on;

#[test]
fn arithmetic_is_done_and_what_asserts_nothing_is_no_evidence() {
    use Verdict::{Factual, NoEvidence, Unfactual};
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    let mut pack = Pack::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")).unwrap();
    let judge = block_on(Judge::load(&mut pack, "nli", &device)).unwrap();
    let silver = ("Silver", "Its atomic mass is about 107.9. It melts at about 962 degrees Celsius.");
    let iron = ("Iron", "The atomic mass of iron is about 55.85. Its density is about 7.87.");
    let water = ("Water", "Water freezes at 0 degrees Celsius and boils at 100 degrees Celsius.");
    let queen =
        ("Elizabeth II", "Elizabeth II was queen of the United Kingdom from 6 February 1952 to 8 September 2022.");
    let carbon = ("Carbon", "Is the atomic number of carbon 8? Many pupils ask that.");
    for ((title, text), statement, verdict) in [
        (silver, "Silver melts at about 962 °C.", Factual),
        (silver, "Silver melts at 1,764 °F.", Factual),
        (silver, "Silver melts at 300 °C.", Unfactual),
        (iron, "The atomic mass of iron is about 56.", Factual),
        (water, "Water freezes at 32 °F.", Factual),
        (water, "Water boils at 150 °F.", Unfactual),
        (queen, "Queen Elizabeth II is the queen of the United Kingdom.", NoEvidence),
        (carbon, "The atomic number of carbon is 8.", NoEvidence),
        (
            ("The Emperor", "In the film, Napoleon wins the Battle of Waterloo."),
            "Napoleon won at Waterloo.",
            NoEvidence,
        ),
    ] {
        let passage = Passage { id: title.into(), title: title.into(), text: text.into(), ..Passage::default() };
        let report = block_on(judge.assess(statement, "", None, vec![passage], &Settings::default(), &())).unwrap();
        assert_eq!(report.verdict, verdict, "{statement} {}", report.score);
    }
}
