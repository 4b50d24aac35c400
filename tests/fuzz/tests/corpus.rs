//! Every kept input, and some that are cut off or one bit away, through the target that it is kept for.

use std::fs;
use std::path::Path;

use evident_fuzz::TARGETS;

#[test]
fn every_kept_input_and_those_around_it_are_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut folders: Vec<_> = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    folders.sort();
    assert_eq!(folders, TARGETS.map(|(name, _)| name), "a folder for each target");
    for (name, run) in TARGETS {
        let mut inputs = 0;
        for entry in fs::read_dir(corpus.join(name)).unwrap() {
            let input = fs::read(entry.unwrap().path()).unwrap();
            run(&input);
            for quarter in 0..4 {
                let place = input.len() * quarter / 4;
                run(&input[..place]);
                let mut changed = input.clone();
                changed.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 2 << quarter);
                run(&changed);
            }
            inputs += 1;
        }
        assert!(inputs > 0, "{name} has no inputs");
    }
}
