//! A pack whose files fail on their way in: whatever goes wrong, and wherever, there is an error with a code that names
//! the file, and what is loaded after it is what the whole pack gives.

use std::fs;
use std::path::{Path, PathBuf};

use evident_nn::{Backend, Device, FileEntry, Manifest, Pack, PackError, open_device};
use futures_lite::future::block_on;
use serde_json::json;
use tempfile::TempDir;

use sealed::sealed;

mod sealed;

/// The models of the pack, and the random checkpoints that they are.
const MODELS: [(&str, &str); 2] = [("nli", "bert-int8"), ("small", "mpnet")];

/// Bytes that arrive at once.
const PIECE: usize = 8 << 10;

/// A folder with a pack of two classifiers.
fn written() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden");
    let (mut files, mut models) = (Vec::new(), serde_json::Map::new());
    for (name, checkpoint) in MODELS {
        fs::create_dir(folder.path().join(checkpoint)).unwrap();
        for file in ["config.json", "tokenizer.json", "model.safetensors"] {
            let path = format!("{checkpoint}/{file}");
            fs::copy(golden.join(&path), folder.path().join(&path)).unwrap();
            files.push(FileEntry::read(&golden.join(&path), &path).unwrap());
        }
        let model = json!({"config": format!("{checkpoint}/config.json"), "tokenizer": format!("{checkpoint}/tokenizer.json"),
            "weights": [{"path": format!("{checkpoint}/model.safetensors")}]});
        models.insert(name.to_owned(), model);
    }
    let manifest = json!({"name": "test", "version": "1", "files": files, "models": models});
    fs::write(folder.path().join("pack.json"), sealed(&manifest)).unwrap();
    folder
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

/// What both models say of a pair of texts.
fn logits(pack: &mut Pack) -> Result<Vec<f32>, PackError> {
    let mut logits = Vec::new();
    for (name, _) in MODELS {
        let model = block_on(pack.classifier(name, &cpu()))?;
        logits.extend(block_on(model.logits(&[("w1 w2 the cat", "w3 sat")])).unwrap().concat());
    }
    Ok(logits)
}

/// The files of a pack's folder.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let manifest = Manifest::parse(&fs::read(folder.join("pack.json")).unwrap()).unwrap();
    let files = manifest.files().iter().map(|file| PathBuf::from(&file.path));
    files.chain(["pack.json".into()]).collect()
}

#[track_caller]
fn assert_named(error: &PackError, file: &Path) {
    let known = ["pack-missing", "pack-corrupt", "pack-version"];
    assert!(known.iter().any(|code| error.code() == *code), "{error}");
    assert!(error.to_string().contains(file.to_str().unwrap()), "{error} does not name {}", file.display());
}

/// How a connection fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// It breaks before this piece.
    Breaks,
    /// The file ends before this piece.
    Short,
    /// The piece comes twice.
    Long,
    /// A bit of the piece is another.
    Flipped,
}

/// Fetches what the pack needs, and lets `fault` happen to piece number `at`, counted from 0 through all files. Gives
/// the number of pieces that came.
fn fetch(pack: &mut Pack, folder: &Path, fault: Fault, at: usize) -> Result<usize, PackError> {
    let mut pieces = 0..;
    for entry in pack.needs(&MODELS.map(|(name, _)| name)) {
        let mut incoming = pack.manifest().receive(&entry.path, None)?;
        for piece in fs::read(folder.join(&entry.path)).unwrap().chunks(PIECE) {
            match fault {
                _ if pieces.next() != Some(at) => incoming.push(piece),
                Fault::Breaks => return Err(PackError::FileMissing { path: entry.path }),
                Fault::Short => break,
                Fault::Long => (0..2).for_each(|_| incoming.push(piece)),
                Fault::Flipped => {
                    let mut piece = piece.to_vec();
                    let middle = piece.len() / 2;
                    piece[middle] ^= 1 << (at % 8);
                    incoming.push(&piece);
                }
            }
        }
        pack.add(incoming.finish()?);
    }
    Ok(pieces.start)
}

#[test]
fn a_fetch_that_fails_at_any_piece_is_refused_and_the_same_pack_goes_on() {
    let folder = written();
    let right = logits(&mut Pack::open(folder.path()).unwrap()).unwrap();
    let manifest = Manifest::parse(&fs::read(folder.path().join("pack.json")).unwrap()).unwrap();
    let sound = || Pack::new(manifest.clone(), Vec::new());
    let pieces = fetch(&mut sound(), folder.path(), Fault::Breaks, usize::MAX).unwrap();
    assert!(pieces > 12, "{pieces}");
    for fault in [Fault::Breaks, Fault::Short, Fault::Long, Fault::Flipped] {
        for at in 0..pieces {
            let mut pack = sound();
            let before = pack.needs(&["nli", "small"]).len();
            let error = fetch(&mut pack, folder.path(), fault, at).expect_err("a fault");
            let missing = pack.needs(&["nli", "small"]);
            assert!(!missing.is_empty() && missing.len() <= before);
            assert_named(&error, missing[0].path.as_ref());
            // What is there is not taken for the whole.
            assert_named(&logits(&mut pack).unwrap_err(), "".as_ref());
            fetch(&mut pack, folder.path(), fault, usize::MAX).unwrap();
            assert_eq!(logits(&mut pack).unwrap(), right, "{fault:?} at {at}");
        }
    }
}

#[test]
fn a_file_of_the_folder_that_cannot_be_read_or_is_another_is_refused_by_name() {
    let folder = written();
    let right = logits(&mut Pack::open(folder.path()).unwrap()).unwrap();
    for file in paths(folder.path()) {
        let path = folder.path().join(&file);
        let whole = fs::read(&path).unwrap();
        let refused = |what: &str| {
            let opened = Pack::open(folder.path()).and_then(|mut pack| logits(&mut pack));
            assert_named(&opened.expect_err(what), &file);
        };
        fs::remove_file(&path).unwrap();
        refused("missing");
        fs::create_dir(&path).unwrap();
        refused("a folder");
        fs::remove_dir(&path).unwrap();
        for length in (0..8).map(|eighths| whole.len() * eighths / 8).chain([whole.len() - 1]) {
            fs::write(&path, &whole[..length]).unwrap();
            refused("cut off");
        }
        fs::write(&path, [&whole[..], b" "].concat()).unwrap();
        refused("longer");
        fs::write(&path, &whole).unwrap();
        assert_eq!(logits(&mut Pack::open(folder.path()).unwrap()).unwrap(), right);
    }
}

#[test]
fn every_flipped_bit_of_a_file_is_caught() {
    let folder = written();
    let manifest = Manifest::parse(&fs::read(folder.path().join("pack.json")).unwrap()).unwrap();
    for path in manifest.files().iter().map(|file| &file.path) {
        let mut bytes = fs::read(folder.path().join(path)).unwrap();
        // Of the weights, which are large, as many bits as of a text, evenly apart.
        let bits = 8 * bytes.len();
        for bit in (0..bits).step_by(bits.div_ceil(16_000)) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = manifest.verify(path, &bytes).err().expect("a flipped bit");
            assert_eq!(error.code(), "pack-corrupt");
            assert_named(&error, path.as_ref());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(manifest.verify(path, &bytes).is_ok());
    }
}
