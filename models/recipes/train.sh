#!/bin/sh
# Trains the embedded pack: ./train.sh [DATA] [WORK]. Minutes are of wall time on two free cores; see README.md.
set -eu
cd "$(dirname "$0")"
DATA=$(realpath "${1:-../../../shared/data}")
WORK=$(realpath -m "${2:-../../target/recipes}")
PACK=$(realpath -m "${PACK:-../embedded}")
export OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
share() { python -m torch.distributed.run --nproc-per-node "${PROCESSES:-2}" "$@"; }

python data.py "$DATA" "$WORK"
share teacher.py "$WORK" "${MINUTES_TEACHER:-60}"
share label.py "$DATA" "$WORK" "${MINUTES_LABEL:-40}"
share nli.py "$WORK" "${MINUTES_NLI:-60}"
share verifier.py "$WORK" "${MINUTES_STAGE1:-30}" "${MINUTES_STAGE2:-30}"
share lm.py "$DATA" "$WORK" "${MINUTES_LM:-35}"
share adapters.py "$DATA" "$WORK" "${MINUTES_ADAPTERS:-60}"
python pack.py "$WORK" "$PACK"
python calibrate.py "$PACK" "$WORK"
python pack.py "$WORK" "$PACK"
python evaluate.py "$PACK" "$DATA"
python reference.py "$PACK"
