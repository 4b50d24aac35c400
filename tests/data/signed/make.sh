#!/usr/bin/env bash
# Makes the files of this folder anew, by minisign 0.11. Their secret keys are thrown away.
set -euo pipefail
cd "$(dirname "$0")"
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT
rm -f ./*.minisig ./*.pub

for key in key other; do minisign -GW -p $key.pub -s "$keys/$key" >/dev/null; done

printf '{"name":"signed","note":"Only its bytes count."}\n' >pack.json
printf '{"name":"another"}\n' >"$keys/another.json"

# sign NAME KEY FILE OPTION...
sign() { minisign -S -s "$keys/$2" -x "$1.minisig" -m "$3" "${@:4}" >/dev/null; }
sign version-7 key pack.json -t version:7
sign version-8 key pack.json -t version:8
sign dated key pack.json -t $'timestamp:1764190000\tfile:pack.json\thashed\tversion:9'
sign no-version key pack.json
sign two-versions key pack.json -t 'version:7 version:8'
sign other-file key "$keys/another.json" -t version:7
sign other-key other pack.json -t version:7
sign legacy key pack.json -l -t version:7
