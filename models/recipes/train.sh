#!/bin/sh
# Trains the embedded pack: ./train.sh [DATA] [WORK]. Minutes are of wall time on free cores; see README.md.
set -eu
cd "$(dirname "$0")"
DATA=$(realpath "${1:-../../../shared/data}")
WORK=$(realpath -m "${2:-../../target/recipes}")
PACK=$(realpath -m "${PACK:-../embedded}")
EVIDENT=$(realpath -m "${EVIDENT:-../../target/release/evident}")
export PYTHONDONTWRITEBYTECODE=1
share() { OMP_NUM_THREADS=1 python -m torch.distributed.run --nproc-per-node "${PROCESSES:-2}" "$@"; }
[ -x "$EVIDENT" ] || { echo "$EVIDENT is not built: cargo build --release -p evident"; exit 1; }

[ -e "$WORK/calibration.jsonl" ] || python mix.py "$DATA" "$WORK"
python nli.py "$WORK" "${MINUTES_NLI:-150}" 0
python nli.py "$WORK" "${MINUTES_ROUNDED:-60}" 1 rounded
share label.py "$DATA" "$WORK" "${MINUTES_LABEL:-40}"
share small.py "$WORK" "${MINUTES_SMALL:-60}" 0 rounded
share verifier.py "$WORK" "${MINUTES_STAGE1:-30}" "${MINUTES_STAGE2:-30}" "${MINUTES_STAGE3:-30}"
share verifier.py "$WORK" 0 0 "${MINUTES_STAGE3_ROUNDED:-30}" 1 rounded
share lm.py "$DATA" "$WORK" "${MINUTES_LM:-35}"
share adapters.py "$DATA" "$WORK" "${MINUTES_ADAPTERS:-60}"
python pack.py "$WORK" "$PACK"
python swaps.py "$DATA" "$WORK"
python marks.py "$WORK" "$PACK"
python pack.py "$WORK" "$PACK"
python claims.py "$DATA" "$WORK"
[ -e "$WORK/index" ] || "$EVIDENT" index build "$WORK/passages.jsonl" --cut --out "$WORK/index"
for model in nli small; do
  "$EVIDENT" calibrate "$WORK/pairs.jsonl" --pack "$PACK" --model "$model"
  "$EVIDENT" calibrate "$WORK/claims.jsonl" --pack "$PACK" --model "$model" --index "$WORK/index"
done
python evaluate.py "$PACK" "$DATA"
python reference.py "$PACK"
