//! Checkpoints converted to fewer bits, and what of their results is left.

use std::path::{Path, PathBuf};

use evident_nn::{
    Backend, Calibration, ConvertError, Device, Manifest, ModelKind, ONLY_MODEL, Pack, Precision, Source, convert,
    open_device, recalibrate, seal, seal_anew,
};
use futures_lite::future::block_on;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};
use tempfile::TempDir;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name)
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

fn converted(from: &Path, to: Precision, folder: &TempDir) -> (PathBuf, Manifest) {
    let out = folder.path().join(to.to_string());
    let manifest = block_on(convert(from, to, &out, &cpu(), |_| true)).unwrap();
    (out, manifest)
}

fn first_logits(pack: &Path) -> Vec<f32> {
    let model = block_on(Pack::open(pack).unwrap().seq2seq(ONLY_MODEL, &cpu())).unwrap();
    let prompt = (0..40).map(|i| format!("w{}", i * 7 % 80)).collect::<Vec<_>>().join(" ");
    block_on(async { model.generate(&prompt, 512).await.unwrap().step().await }).unwrap().unwrap().logits
}

fn relative(found: &[f32], expected: &[f32]) -> f32 {
    let norm = |values: &mut dyn Iterator<Item = f32>| values.map(|x| x * x).sum::<f32>().sqrt();
    norm(&mut found.iter().zip(expected).map(|(a, b)| a - b)) / norm(&mut expected.iter().copied())
}

#[test]
fn fewer_bits_take_fewer_bytes_and_change_little() {
    let folder = tempfile::tempdir().unwrap();
    let from = golden("t5-sharded");
    let reference = first_logits(&from);
    let mut before = u64::MAX;
    // The checkpoint is in f16: f32 and f16 lose nothing of it. Random weights are the worst that there are for 4 bits.
    for (to, most) in [(Precision::F32, 0.0), (Precision::F16, 0.0), (Precision::Q8, 0.02), (Precision::Q4, 0.3)] {
        let (out, manifest) = converted(&from, to, &folder);
        let off = relative(&first_logits(&out), &reference);
        assert!(off <= most, "{to}: {off}");
        let bytes = manifest.files().iter().map(|file| file.bytes).sum();
        assert!(bytes < before, "{to}: {bytes} bytes after {before}");
        before = bytes;
        assert_eq!(Pack::open(&out).unwrap().manifest().hash(), manifest.hash());
        assert_eq!(manifest.name(), format!("t5-sharded-{to}"));
    }
}

/// The checkpoint with its feed-forwards' inputs 256 times as large: what is between their layers is past 65,504, the
/// largest number of half precision, as it is in published T5s.
#[test]
fn activations_beyond_half_precision_are_computed() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large");
    std::fs::create_dir(&large).unwrap();
    for file in std::fs::read_dir(golden("t5-sharded")).unwrap() {
        let file = file.unwrap();
        let mut bytes = std::fs::read(file.path()).unwrap();
        if file.path().extension().is_some_and(|extension| extension == "safetensors") {
            let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
            let (_, tensors) = SafeTensors::read_metadata(&bytes).unwrap();
            for (name, tensor) in tensors.tensors().into_iter().filter(|(name, _)| name.contains(".DenseReluDense.wi_"))
            {
                assert_eq!(tensor.dtype, Dtype::F16, "{name}");
                let (start, end) = tensor.data_offsets;
                for value in bytes[header + start..header + end].chunks_exact_mut(2) {
                    // Eight more in the exponent, which lies from the third bit of the higher byte on, but for zeros.
                    value[1] += if value[1] & 0x7c == 0 { 0 } else { 8 << 2 };
                }
            }
        }
        std::fs::write(large.join(file.file_name()), bytes).unwrap();
    }
    let reference = first_logits(&large);
    assert!(relative(&reference, &first_logits(&golden("t5-sharded"))) > 0.1);
    for (to, most) in [(Precision::F16, 0.0), (Precision::Q8, 0.05), (Precision::Q4, 0.5)] {
        let off = relative(&first_logits(&converted(&large, to, &folder).0), &reference);
        assert!(off <= most, "{to}: {off}");
    }
}

#[test]
fn what_a_precision_stores_in_what_is_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let forms = |to: Precision| {
        let pack = Pack::open(&converted(&golden("t5-sharded"), to, &folder).0).unwrap();
        let models = pack.models().unwrap();
        assert_eq!((models.len(), models[0].kind, models[0].architecture.as_str()), (1, ModelKind::Seq2Seq, "t5"));
        let tensors = models[0].weights.iter().flat_map(|file| pack.tensors(file).unwrap());
        tensors
            .map(|tensor| (tensor.name, (tensor.stored, tensor.shape, tensor.bytes)))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let wo = "encoder.block.0.layer.1.DenseReluDense.wo.weight";
    let (q8, q4) = (forms(Precision::Q8), forms(Precision::Q4));
    assert_eq!(q8[wo], ("f16".to_owned(), vec![64, 96], 64 * 96 * 2));
    assert_eq!(q8["shared.weight"], ("int8".to_owned(), vec![96, 64], 96 * 64 + 96 * 4));
    assert_eq!(q4[wo], ("4-bit".to_owned(), vec![64, 96], 64 * 96 / 2 + 64 * 96 / 32 * 2));
    assert_eq!(q4["lm_head.weight"], ("4-bit".to_owned(), vec![96, 64], 96 * 64 / 2 + 96 * 64 / 32 * 2));
    let position = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
    assert_eq!(q4[position].0, "f32");
    assert_eq!(q4["encoder.final_layer_norm.weight"].0, "f32");
}

#[test]
fn tensors_that_no_model_reads_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = converted(&golden("gpt2"), Precision::F32, &folder);
    let names = |path: &Path| -> Vec<String> {
        Pack::open(path).unwrap().tensors("model.safetensors").unwrap().into_iter().map(|tensor| tensor.name).collect()
    };
    let (before, after) = (names(&golden("gpt2")), names(&out));
    assert!(after.iter().all(|name| before.contains(name) && !name.ends_with(".attn.bias")), "{after:?}");
    // A bi-encoder reads no head.
    let (out, _) = converted(&golden("bert-embedder"), Precision::F16, &folder);
    assert!(names(&out).iter().all(|name| !name.starts_with("pooler.")));
}

#[test]
fn a_pack_of_several_models_keeps_its_shared_files_and_its_calibration() {
    let folder = tempfile::tempdir().unwrap();
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded");
    let whole = Pack::open(&embedded).unwrap();
    let (out, manifest) = converted(&embedded, Precision::Q4, &folder);
    assert_eq!(manifest.calibration(), whole.manifest().calibration());
    assert_eq!(manifest.prompt_of("verifier"), Some("guan2024"));
    // What was measured was measured with other weights, and these warm up to something else.
    assert!(manifest.measured_of("small").is_none() && whole.manifest().measured_of("small").is_some());
    let [before, after] = [whole.manifest(), &manifest].map(|manifest| manifest.warm_up_of("small").to_vec());
    assert_eq!(before[0].pair, after[0].pair);
    assert_ne!(before[0].logits, after[0].logits);
    let paths = |manifest: &Manifest| manifest.files().iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&manifest), paths(whole.manifest()));
    let mut pack = Pack::open(&out).unwrap();
    for name in ["verifier", "nli", "lm"] {
        let kind = |pack: &Pack| pack.models().unwrap().into_iter().find(|model| model.name == name).unwrap().kind;
        assert_eq!(kind(&pack), kind(&whole));
    }
    assert!(block_on(pack.classifier("nli", &cpu())).is_ok() && block_on(pack.seq2seq("verifier", &cpu())).is_ok());
}

#[test]
fn nothing_is_left_of_what_was_stopped_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let empty = || std::fs::read_dir(folder.path()).unwrap().next().is_none();
    let observe = |work: &str| !work.contains(".safetensors");
    let stopped = block_on(convert(&golden("t5-sharded"), Precision::Q8, &out, &cpu(), observe));
    assert!(matches!(stopped, Err(ConvertError::Cancelled)) && empty());
    let refused = block_on(convert(&golden("no-such-checkpoint"), Precision::Q8, &out, &cpu(), |_| true)).unwrap_err();
    assert_eq!(refused.code(), "pack-missing");
    assert!(empty());
    std::fs::create_dir(&out).unwrap();
    let there = block_on(convert(&golden("t5-sharded"), Precision::Q8, &out, &cpu(), |_| true));
    assert!(matches!(there, Err(ConvertError::Exists(_))));
}

#[test]
fn a_sealed_checkpoint_is_checked_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(golden("bert")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let source = Source { version: "12ab".into(), license: "MIT".into(), sources: vec!["somebody/bert (MIT)".into()] };
    let sealed = seal(folder.path(), "bert", source).unwrap();
    let pack = Pack::open(folder.path()).unwrap();
    assert_eq!(pack.manifest().hash(), sealed.hash());
    assert_eq!((pack.manifest().version(), pack.manifest().license()), ("12ab", "MIT"));
    assert_eq!(pack.manifest().sources(), ["somebody/bert (MIT)"]);
    let config = folder.path().join("config.json");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text + " ").unwrap();
    assert_eq!(Pack::open(folder.path()).err().expect("an error").code(), "pack-corrupt");
}

#[test]
fn a_pack_of_format_1_is_refused_until_it_is_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let (pack, manifest) = converted(&golden("bert"), Precision::Q8, &folder);
    let read = || -> Value { serde_json::from_slice(&std::fs::read(pack.join("pack.json")).unwrap()).unwrap() };
    let write = |json: &Value| std::fs::write(pack.join("pack.json"), json.to_string()).unwrap();
    let seal_anew = || block_on(seal_anew(&pack, &cpu()));
    let refused = || Pack::open(&pack).err().expect("an error").code();

    let mut old = read();
    old["format"] = json!(1);
    old.as_object_mut().unwrap().remove("checksum");
    old["models"]["model"].as_object_mut().unwrap().remove("warm_up");
    write(&old);
    assert_eq!(refused(), "pack-version");
    assert_eq!(seal_anew().unwrap().hash(), manifest.hash(), "all of it is back");

    // The pairs may be the maker's own. What is computed for them is what the model gives.
    let mut edited = read();
    edited["calibration"] = json!({"threshold_factual": 0.75});
    edited["models"]["model"]["warm_up"] = json!([{"pair": ["w1 w2 w3", "w4"], "logits": [0, 0, 0]}]);
    write(&edited);
    assert_eq!(refused(), "pack-corrupt");
    let sealed = seal_anew().unwrap();
    let mut opened = Pack::open(&pack).unwrap();
    assert_eq!((sealed.hash(), sealed.calibration().threshold_factual), (opened.manifest().hash(), 0.75));
    let [warm_up] = sealed.warm_up_of(ONLY_MODEL) else { panic!("one pair") };
    let model = block_on(opened.classifier(ONLY_MODEL, &cpu())).unwrap();
    let logits = block_on(model.logits(&[("w1 w2 w3", "w4")])).unwrap();
    assert!(logits[0].iter().zip(&warm_up.logits).all(|(found, stated)| (found - stated).abs() < 6e-3));

    let mut later = read();
    later["format"] = json!(9);
    write(&later);
    assert_eq!(seal_anew().unwrap_err().code(), "pack-version");
    write(&edited);
    std::fs::write(pack.join("config.json"), "{}").unwrap();
    assert_eq!(seal_anew().unwrap_err().code(), "pack-corrupt");
}

#[test]
fn a_checkpoint_without_a_manifest_is_sealed_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(golden("bert").join(file), folder.path().join(file)).unwrap();
    }
    let sealed = block_on(seal_anew(folder.path(), &cpu())).unwrap();
    assert_eq!(sealed.warm_up_of(ONLY_MODEL).len(), 2);
    assert_eq!(Pack::open(folder.path()).unwrap().manifest().hash(), sealed.hash());
}

#[test]
fn a_sealed_verifier_has_what_it_warms_up_with() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(golden("t5-v1.1").join(file), folder.path().join(file)).unwrap();
    }
    block_on(seal_anew(folder.path(), &cpu())).unwrap();
    let mut pack = Pack::open(folder.path()).unwrap();
    let stated = pack.manifest().warm_up_of(ONLY_MODEL).to_vec();
    assert_eq!(stated.iter().map(|pair| pair.logits.len()).collect::<Vec<_>>(), [16, 16]);
    let model = block_on(pack.seq2seq(ONLY_MODEL, &cpu())).unwrap();
    assert!(block_on(model.warm_up(&stated)).is_ok());
    let mut changed = stated;
    changed[1].logits[15] += 1.0 + changed[1].logits[15].abs();
    assert!(block_on(model.warm_up(&changed)).is_err());
}

#[test]
fn a_smaller_models_calibration_leaves_the_first_models_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (pack, _) = converted(&golden("bert"), Precision::Q8, &folder);
    let path = pack.join("pack.json");
    let mut json: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let model = json["models"]["model"].clone();
    json["models"] = json!({"nli": model, "small": model});
    std::fs::write(&path, json.to_string()).unwrap();
    block_on(seal_anew(&pack, &cpu())).unwrap();
    let own = Calibration { threshold_factual: 0.75, ..Calibration::default() };
    let manifest = recalibrate(&pack, "small", own.clone(), None).unwrap();
    assert_eq!((manifest.calibration_of("nli"), manifest.calibration_of("small")), (&Calibration::default(), &own));
    let manifest = recalibrate(&pack, "nli", own.clone(), None).unwrap();
    assert_eq!(manifest.calibration_of("nli"), &own);
    assert_eq!(recalibrate(&pack, "large", own, None).unwrap_err().code(), "pack-architecture");
}
