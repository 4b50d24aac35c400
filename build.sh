#!/usr/bin/env bash
# The one door to the project: `./build.sh help` lists the verbs.
set -euo pipefail
cd "$(dirname "$0")"

TARGET=${CARGO_TARGET_DIR:-$PWD/target}
STAMPS=$TARGET/stamps
DEMO=$PWD/dist/demo
NATIVE=${NATIVE:-release} # the profile of Cargo.toml that the command line is built in
EVIDENT=$TARGET/$NATIVE/evident
export NATIVE EVIDENT
CORPUS=web/demo/corpus/passages.jsonl
DUMPS=${DUMPS:-https://dumps.wikimedia.org}
RUST=$(sed -n 's/^channel = "\([^"]*\)".*/\1/p' rust-toolchain.toml)
NODE_MAJOR=20
DENY=0.20.2 # cargo-deny
# The most bytes that each may have in brotli. A visit fetches one of the browser's modules, and that for wikis if a
# wiki is asked; a page with the widget fetches its script before any check.
declare -A CEILING=([cpu]=1360000 [relaxed]=1360000 [webgpu]=2245000 [wiki]=370000 [widget]=53000)

say() { printf '\033[1m%s\033[0m\n' "== $*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Every cargo builds what a lock file says, and fails where it would have to change one.
cargo() { if [ "$1" = fmt ]; then command cargo "$@"; else command cargo "$1" --locked "${@:2}"; fi; }

help() {
  cat <<'TEXT'
./build.sh demo [--all] [--port N]       serve the demo on localhost, first building what is missing:
                                         the module for the CPU, with --all those for WebGPU and relaxed SIMD too
./build.sh demo --out DIR                write the demo, with all modules, as a folder for any static host
./build.sh test [rust|web]               run every test: Rust, TypeScript, real Chromium
./build.sh test advisories               ask for advisories against the locked crates: without a network a copy of them,
                                         and nothing where there is none, or no cargo-deny
./build.sh test webgpu                   run what the other tests leave out, all that computes on WebGPU, natively and in
                                         Chromium: slow without a graphics card
./build.sh test wiki                     ask a real MediaWiki on this machine, where the other tests replay its answers:
                                         installs Debian's packages for it, 250 MB
./build.sh fuzz [MINUTES]                feed what reads strangers' bytes with what libFuzzer finds: 10 minutes
./build.sh fuzz keep                     put the smallest inputs that reach as much as all into tests/fuzz/corpus:
                                         with the find and cp of GNU
./build.sh cluster                       build an index and evaluate on a local Ray of two workers, kill one, compare
./build.sh soak                          hold the memory of a page, a worker and the extension to what it was through
                                         2,000 answers
./build.sh build                         build the command line, the browser package and the demo
./build.sh index                         build the demo's index from its corpus
./build.sh index simplewiki|enwiki [DIR] say what it takes, fetch that Wikipedia, build its index: dist/simplewiki
./build.sh index publish WIKI SITE       put dist/WIKI beside the demo in SITE and list it, if static hosts take it
./build.sh packages                      lay out the npm packages, ready to be published: dist/packages
./build.sh release                       gather a release but for the command line, with hashes: dist/release
./build.sh release key|build|sign|gather that step by step: key says the public key, and key and sign alone take
                                         MINISIGN_KEY
./build.sh release sums                  write the hashes again, of all that is there, and sign them
./build.sh extension                     build the browser extension, zips and folders: dist/extension
./build.sh adapters DIR                  write the extension's adapters as they are published, signed by MINISIGN_KEY
./build.sh adapters make|sign DIR        that step by step: sign alone takes MINISIGN_KEY
./build.sh advisories                    ask for advisories against the locked crates, by cargo-deny, which it installs
./build.sh types                         write the package's TypeScript types from Rust's
./build.sh docs                          write the package's API pages, with its guides, to dist/docs
./build.sh picture                       take the README's picture of the demo page: web/demo/picture.webp
./build.sh screens                       take pictures of every state, at three widths, light and dark, and the stores'
                                         of the extension: target/screens
./build.sh bench                         measure what the demo's README states: sizes, bytes, memory, times
./build.sh bench index [CORPUS]          measure the index against tantivy, pagefind and its own size: dist/bench
./build.sh bench page                    measure the demo page by Lighthouse, and its Core Web Vitals in a visit
./build.sh bench models [--rounds N]     measure the models against onnxruntime-web and PyTorch: dist/bench
./build.sh models                        train the embedded pack again: hours (models/recipes says what it needs)
./build.sh help                          this

As root on Debian it installs what is missing, and says so; with INSTALL=no it only says what is missing.
TEXT
}

# --- prerequisites -------------------------------------------------------------------------------------------------

as_root_on_debian() { [ "${INSTALL:-}" != no ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# have COMMAND PACKAGE: the command is there, or Debian's package of it is installed when we may.
have() {
  command -v "$1" >/dev/null && return
  as_root_on_debian || die "$1 is missing: install it (on Debian or Ubuntu: sudo apt-get install $2) and run this again"
  say "installing $2"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2"; } >/dev/null ||
    die "$2 could not be installed: install it by hand (apt-get install $2) and run this again"
}

has_rust() { [[ $(rustc --version 2>/dev/null) == "rustc $RUST "* ]]; }

need_rust() {
  type -P cargo >/dev/null || die "cargo is missing: install Rust from https://rustup.rs and run this again"
  # The stable channel may have this very version, which rustup then need not fetch by its number.
  has_rust || { RUSTUP_TOOLCHAIN=stable has_rust && export RUSTUP_TOOLCHAIN=stable; } || {
    say "installing Rust $RUST beside the one that is here"
    rustup toolchain install "$RUST" --profile minimal --component clippy,rustfmt ||
      die "Rust $RUST is needed: rustup toolchain install $RUST"
    export RUSTUP_TOOLCHAIN=$RUST
  }
  have cc build-essential
  rustup target list --installed 2>/dev/null | grep -q wasm32-unknown-unknown ||
    { command -v rustup >/dev/null && rustup target add wasm32-unknown-unknown; } ||
    die "the target wasm32-unknown-unknown is missing: rustup target add wasm32-unknown-unknown"
}

need_node() {
  command -v node >/dev/null && command -v npm >/dev/null ||
    die "node and npm are missing: install Node $NODE_MAJOR or later from https://nodejs.org and run this again"
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge $NODE_MAJOR ] ||
    die "node $(node --version) is too old: install Node $NODE_MAJOR or later from https://nodejs.org"
}

need_chromium() {
  for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$browser" ] && CHROMIUM=$(command -v "$browser") && export CHROMIUM && return
  done
  have chromium chromium
  CHROMIUM=$(command -v chromium)
  export CHROMIUM
}

# --- steps ---------------------------------------------------------------------------------------------------------

# step NAME OUTPUT INPUT... -- COMMAND...: runs the command unless OUTPUT is there and was made from the same inputs.
step() {
  local name=$1 output=$2 inputs=() sum
  shift 2
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  sum=$(
    find "${inputs[@]}" -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -name picture.webp -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
  )
  [ -e "$output" ] && [ "$(cat "$STAMPS/$name" 2>/dev/null)" = "$sum" ] && return
  say "$name"
  "$@"
  mkdir -p "$STAMPS"
  printf '%s\n' "$sum" >"$STAMPS/$name"
}

# What every Rust build is made of, as inputs of a step.
rust_inputs=(Cargo.toml Cargo.lock rust-toolchain.toml .cargo crate/{base,index,nn,verify}/{src,Cargo.toml})
module_inputs=("${rust_inputs[@]}" crate/{corpus/{src,Cargo.toml},web/{src,cache,module,wiki,glue,Cargo.toml}})
native_inputs=("${rust_inputs[@]}" crate/{cli,corpus,eval,fetch,serve}/{src,Cargo.toml} models/packs.toml)

native() { cargo build --profile "$NATIVE" -p evident; }

# native_by COMMAND: the command line, which COMMAND builds.
native_by() { step "native-$NATIVE" "$EVIDENT" "${native_inputs[@]}" -- "$1"; }

wasm_features=(--enable-{simd,relaxed-simd,threads,bulk-memory,reference-types,mutable-globals}
  --enable-{sign-ext,nontrapping-float-to-int,multivalue})

# Where the GPU computes, no loop of ours is the time, and small is all that counts. The module for relaxed SIMD brings
# a standard library of its own.
declare -A wasm_config=([cpu]='' [relaxed]='
  -Zbuild-std=std,panic_abort
' [webgpu]='
  --config profile.wasm.package.evident-nn.opt-level="z"
  --config profile.wasm.package.evident-module.opt-level="z"
')

declare -A module_features=([cpu]=cpu [relaxed]=cpu,relaxed-simd,threads [webgpu]=webgpu)

# shared_memory: has cargo build for a memory that workers share, in a folder of its own. Its atomic instructions have
# to be in the standard library too, which cargo builds only by its unstable -Zbuild-std. RUSTC_BOOTSTRAP=1 has a stable
# Rust take that, and would have it take unstable features from any crate of this one build; all are built anew for it.
# It goes once -Zbuild-std is stable, or rustup brings a standard library with atomics for this target.
shared_memory() {
  [ -e "$(rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ] ||
    { command -v rustup >/dev/null && rustup component add rust-src; } ||
    die "the standard library's source is missing: rustup component add rust-src"
  local flags=-Ctarget-feature=+simd128,+atomics,+bulk-memory,+mutable-globals argument
  for argument in --shared-memory --import-memory --max-memory=2147483648 \
    --export=__{heap_base,wasm_init_tls,tls_size,tls_align,tls_base}; do
    flags+=" -Clink-arg=$argument"
  done
  export CARGO_TARGET_DIR=$TARGET/shared-memory RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags
}

# module NAME FOLDER [FEATURE]: one of the three browser modules, in FOLDER/NAME. The module that asks wikis is made
# with the CPU's, in FOLDER/wiki: most of its crates are the same, and cargo compiles them once if it is asked for both.
module() (
  [ "$1" != relaxed ] || shared_memory
  local wiki=() built
  [ "$1" != cpu ] || wiki=(-p evident-wiki)
  built=${CARGO_TARGET_DIR:-$TARGET}/wasm32-unknown-unknown/wasm
  rm -f "$built"/{,deps/}evident_module.wasm # all are built to this one name, and cargo would take another's for fresh
  # shellcheck disable=SC2086
  cargo build --profile wasm ${wasm_config[$1]} --target wasm32-unknown-unknown -p evident-module "${wiki[@]}" \
    --features "evident-module/${module_features[$1]//,/,evident-module/}${3:+,evident-module/$3}"
  glue "$built/evident_module.wasm" "$2/$1"
  [ "$1" != cpu ] || glue "$built/evident_wiki.wasm" "$2/wiki"
)

# glue WASM FOLDER: the module and its JavaScript.
glue() { "$TARGET/quick/evident-glue" "$1" "$2"; }

need_glue() {
  need_rust
  cargo build --profile quick --quiet -p evident-glue
}

# shrink FOLDER: makes the module there smaller.
shrink() {
  web/node_modules/.bin/wasm-opt -Os "${wasm_features[@]}" "$1/evident_bg.wasm" -o "$1/evident_bg.wasm.small"
  mv "$1/evident_bg.wasm.small" "$1/evident_bg.wasm"
}

# wasm NAME: one of the three browser modules, as it ships; and with that for the CPU the one that asks wikis.
wasm() {
  module "$1" web/package/wasm
  shrink "web/package/wasm/$1"
  [ "$1" != cpu ] || shrink web/package/wasm/wiki
}

no_wasm() { rm -rf "web/package/wasm/$1"; }

# By the command line if it is built, else by an example, which compiles in a minute where the command line takes five.
demo_index() {
  if [ -n "${native_is_current:-}" ]; then
    "$EVIDENT" index build "$CORPUS" --out "$DEMO/index"
  else
    cargo run --profile quick -p evident-corpus --example build -- "$CORPUS" "$DEMO/index"
  fi
}

install_npm_web() { step npm-web web/node_modules web/package-lock.json -- install_npm web; }

install_npm() { npm ci --silent --no-audit --no-fund --prefix "$1"; }

build_native() { need_rust; native_by native; native_is_current=1; }

# build_module NAME [COMMAND]: one of the three browser modules, as it ships, or without it what COMMAND makes of it.
build_module() {
  step "wasm-$1" "web/package/wasm/$1/evident_bg.wasm" "${module_inputs[@]}" -- \
    "${2:-wasm}" "$1"
}

# build_web MODULE...: the package and the demo with these browser modules. Any other is left if it is of today's
# source, else removed.
build_web() {
  need_node
  need_glue
  install_npm_web
  for module in cpu relaxed webgpu; do
    case " $* " in
      *" $module "*) build_module "$module" ;;
      *) [ ! -e "web/package/wasm/$module/evident_bg.wasm" ] || build_module "$module" no_wasm ;;
    esac
  done
  local built_index=() # the package names the index's hash, if there is an index
  [ ! -e "$STAMPS/index" ] || built_index=("$STAMPS/index")
  step demo "$DEMO/index.html" web/{package,demo,licences} web/{build,licences,load,published,sbom}.mjs \
    web/{package,tsconfig}.json Cargo.lock models/embedded tests/data/answers.jsonl "${built_index[@]}" \
    -- node web/build.mjs --out "$DEMO"
}

# build_model_module NAME: the browser module with a class for a model by itself, else as it ships, but not shrunk.
build_model_module() {
  need_glue
  step "model-$1" "$TARGET/model/$1/evident_bg.wasm" "${module_inputs[@]}" -- \
    module "$1" "$TARGET/model" model
}

build_index() {
  need_rust
  step index "$DEMO/index/manifest.json" "$CORPUS" crate/{base,index,corpus}/src crate/corpus/examples -- demo_index
}

is_whole() { [ -e "$1" ] && sha1sum --status --check <<<"$2  $1"; }

# Rounded up.
gigabytes() { awk -v bytes="$1" 'BEGIN { printf "%.1f GB", int((bytes + 99999999) / 1e8) / 10 }'; }

# say_costs WIKI NAME ADDRESS OUT: what an index of this dump takes, before anything is fetched; asks at a terminal. An
# estimate: an index has 5 bytes a word, and reading and building take 1 to 1.5 s of a processor for each compressed
# megabyte, measured on 50 MB of articles; and the English Wikipedia's compressed dump has 200 words a kilobyte.
say_costs() {
  local bytes here=0 free need
  bytes=$(curl --fail --silent --head --location --retry 3 "$3" | tr -d '\r' |
    awk 'tolower($1) == "content-length:" { bytes = $2 } END { print bytes + 0 }')
  [ "$bytes" -gt 0 ] || die "$3 does not say how large it is: run this again, or set DUMPS to the address of a mirror"
  for file in "$TARGET/dumps/$2" "$TARGET/dumps/$2.part"; do [ ! -e "$file" ] || here=$(wc -c <"$file"); done
  free=$(($(df -Pk "$TARGET/dumps" | awk 'END { print $4 }') * 1024))
  need=$((3 * bytes - here))
  say "$1: the index of $2"
  cat >&2 <<TEXT
  fetches  $(gigabytes $((bytes - here))) from $DUMPS
  takes    $(gigabytes "$bytes") for the dump in $TARGET/dumps, about as much for the index in $4, and
           as much again while it is built: $(gigabytes "$need") of the $(gigabytes "$free") that are free
           1 GB of memory, and 40 bytes for each redirect: 0.4 GB for the English Wikipedia's
           about $((bytes / 60000000 + 1)) min on two cores, once the dump is here
  costs    its host the room for $4, and each reader at most 0.2 MB a claim (crate/index/FORMAT.md)
TEXT
  [ "$need" -le "$free" ] || die "there is not room enough: free some, or set CARGO_TARGET_DIR to another disk"
  [ -t 0 ] || return 0
  read -rp "go on? [y/N] " answer
  [ "$answer" = y ] || die "nothing was fetched"
}

# fetch_dump WIKI OUT: the articles of a Wikipedia, as the newest dump has them; sets DUMP to the file. A
# fetch that broke off goes on.
fetch_dump() {
  local sums=$TARGET/dumps/$1-sha1sums.txt sum name date
  have curl curl
  mkdir -p "$TARGET/dumps"
  curl --fail --silent --show-error --location --retry 3 --output "$sums" "$DUMPS/$1/latest/$1-latest-sha1sums.txt" ||
    die "$DUMPS could not be reached: connect to the network, or set DUMPS to a mirror's address, and run this again"
  read -r sum name < <(grep -E " $1-[0-9]+-pages-articles\.xml\.bz2\$" "$sums") ||
    die "$DUMPS lists no articles of $1: wait for its next dump, or set DUMPS to the address of a mirror"
  date=${name#"$1-"} DUMP=$TARGET/dumps/$name
  say_costs "$1" "$name" "$DUMPS/$1/${date%%-*}/$name" "$2"
  is_whole "$DUMP" "$sum" && return
  say "fetching $name"
  is_whole "$DUMP.part" "$sum" ||
    curl --fail --location --retry 5 --continue-at - --output "$DUMP.part" "$DUMPS/$1/${date%%-*}/$name" ||
    die "the fetch of $name broke off: run this again, and it goes on where it was"
  is_whole "$DUMP.part" "$sum" ||
    { rm "$DUMP.part"; die "$name is not the file that $DUMPS lists (SHA-1 $sum): run this again to fetch it anew"; }
  mv "$DUMP.part" "$DUMP"
}

# index_wiki WIKI [OUT]: an index of a Wikipedia.
index_wiki() {
  local out=${2:-dist/$1}
  fetch_dump "$1" "$out"
  build_native
  "$EVIDENT" index build "$DUMP" --out "$out"
  say "try it: $EVIDENT index search --index $out \"Who discovered radium?\""
}

publish_index() {
  [ $# = 2 ] || die "index publish wants a wiki and the folder of the demo"
  need_node
  node web/demo/publish-index.mjs "dist/$1" "$2"
}

# The demo's list of its own files, by hash, for visits without a network; each change of a file wants it anew.
list_files() { [ ! -e "$DEMO/sw.js" ] || node web/demo/offline/list.mjs "$DEMO"; }

build_demo() { build_index; build_web "$@"; list_files; }

# The browser modules of what is built for others.
read -ra modules <<<"${MODULES:-cpu relaxed webgpu}"

build() { build_native; build_demo "${modules[@]}"; }

build_packages() {
  build
  step packages dist/packages/evident-check/package.json web/package web/{packages,published}.mjs models/embedded \
    "$STAMPS/demo" -- node web/packages.mjs
}

build_extension() {
  build
  printf '%s\n' "${GITHUB_REPOSITORY:-} ${ADAPTERS_KEY:-}" >"$STAMPS/adapters"
  step extension dist/extension/evident-firefox.zip web/{package,extension} web/load.mjs web/{package,tsconfig}.json \
    models/embedded "$STAMPS"/{index,demo,adapters} -- extension_zips
}

extension_zips() { npm run --silent --prefix web check && node web/extension/build.mjs; }

RELEASE=$PWD/dist/release
export -n MINISIGN_KEY # no program that is run here needs it

release_version() { sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml; }

# check_versions: all say the same version, and so does the tag, if this is a run for one.
check_versions() {
  local version ref=${GITHUB_REF:-} tag
  version=$(release_version)
  grep -q "^  \"version\": \"$version\",\$" web/package/package.json ||
    die "web/package/package.json has another version than Cargo.toml, $version"
  tag=${ref#refs/tags/v}
  [ "$tag" != "$ref" ] || return 0
  [ "$tag" = "$version" ] || die "the tag v$tag is not the version, $version"
  grep -q "^## \[$version\] - " CHANGELOG.md || die "CHANGELOG.md has no version $version"
}

# archive NAME FOLDER FILE...: a tar archive of files below a folder, the same bytes from the same files.
archive() {
  local name=$1 folder=$2
  shift 2
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$folder" -cf - "$@" |
    gzip -n >"$RELEASE/$name.tar.gz"
}

# with_key COMMAND...: runs it with the path of the secret key in SECRET_KEY, or does nothing if there is none.
# MINISIGN_KEY has the two lines of minisign's file, of a key without a password (minisign -G -W).
with_key() (
  [ -n "${MINISIGN_KEY:-}" ] || return 0
  have minisign minisign
  SECRET_KEY=$(mktemp)
  trap 'rm -f "$SECRET_KEY"' EXIT
  printf '%s\n' "$MINISIGN_KEY" >"$SECRET_KEY"
  "$@"
)

# sign FILE [VERSION]: makes FILE.minisig. The version is the time of the commit if none is given: it grows.
sign() {
  minisign -S -s "$SECRET_KEY" -m "$1" -x "$1.minisig" -t "version:${2:-$(git log -1 --format=%ct)}" >/dev/null
}

public_key() { minisign -f -R -s "$SECRET_KEY" -p "$1" >/dev/null; }

key_text() { public_key "$SECRET_KEY.pub" && sed -n 2p "$SECRET_KEY.pub" && rm "$SECRET_KEY.pub"; }

# adapters DIR: the extension's adapters as they are published, signed; nothing without the key. make writes them and
# their version to target/adapters, sign brings them from there to DIR.
adapters() {
  case ${1:?"adapters wants a folder"} in
    make) adapters_make ;;
    sign) adapters_sign "${2:?"adapters sign wants a folder"}" ;;
    *) adapters_make; adapters_sign "$1" ;;
  esac
}

adapters_make() {
  need_node
  install_npm_web
  mkdir -p "$TARGET/adapters"
  node web/extension/adapters.mjs "$TARGET/adapters/adapters.json" >"$TARGET/adapters/version"
}

adapters_sign() {
  [ -n "${MINISIGN_KEY:-}" ] || { say "no MINISIGN_KEY: no adapters are published"; return 0; }
  cp "$TARGET/adapters/adapters.json" "$1/"
  with_key sign "$1/adapters.json" "$(cat "$TARGET/adapters/version")"
}

# release_build: all that is built. The extension has the public key ADAPTERS_KEY, if that is set.
release_build() {
  check_versions
  build_packages
  build_extension
}

release_sign() {
  with_key sign dist/packages/evident-check-models/pack/pack.json
  with_key sign dist/packages/evident-check-demo-index/index/manifest.json
}

RELEASE_DATA=$TARGET/release-data

# release_data: pack and index as their archives have them, with sources and licences.
release_data() {
  rm -rf "$RELEASE_DATA"
  mkdir -p "$RELEASE_DATA"
  cp -R models/embedded "$RELEASE_DATA/pack"
  cp -R dist/packages/evident-check-models/{pack/.,LICENSE} "$RELEASE_DATA/pack"
  cp -R dist/packages/evident-check-demo-index/index "$RELEASE_DATA/index"
  cp dist/packages/evident-check-demo-index/{LICENSE,README.md} "$RELEASE_DATA/index"
}

# release_gather: lays out what was built and signed.
release_gather() {
  local version package
  version=$(release_version)
  rm -rf "$RELEASE"
  mkdir -p "$RELEASE"
  for package in dist/packages/*; do
    (cd "$RELEASE" && npm pack --silent "../packages/${package##*/}" >/dev/null)
  done
  for browser in chrome firefox; do
    cp "dist/extension/evident-$browser.zip" "$RELEASE/evident-$browser-$version.zip"
  done
  release_data
  archive "evident-pack-$(node -p 'require("./models/embedded/pack.json").version')" "$RELEASE_DATA/pack" .
  archive "evident-demo-index-$version" "$RELEASE_DATA/index" .
  node web/sbom.mjs "$RELEASE/evident-$version.cdx.json"
  awk -v start="## [$version]" 'index($0, start) == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md \
    >"$RELEASE/NOTES.md"
  release_sums
}

release_sums() {
  with_key public_key "$RELEASE/minisign.pub"
  (
    cd "$RELEASE"
    find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' ! -name NOTES.md -printf '%P\n' | LC_ALL=C sort |
      xargs sha256sum >SHA256SUMS
  )
  with_key sign "$RELEASE/SHA256SUMS"
}

release() {
  case ${1:-files} in
    files)
      ADAPTERS_KEY=$(with_key key_text)
      export ADAPTERS_KEY
      release_build
      release_sign
      release_gather
      ;;
    key) with_key key_text ;;
    build) release_build ;;
    sign) release_sign ;;
    gather) release_gather ;;
    sums) release_sums ;;
    *) die "release knows key, build, sign, gather and sums, not $1" ;;
  esac
}

# ceilings: fails where a browser module that was built or the widget's script is above its own.
ceilings() {
  local name file bytes above=()
  for name in "${modules[@]}" wiki widget; do
    file=web/package/wasm/$name/evident_bg.wasm
    [ "$name" != widget ] || file=web/package/dist/evident-check.js
    bytes=$(node -p "zlib.brotliCompressSync(fs.readFileSync('$file')).length")
    say "$name: $bytes bytes in brotli, of ${CEILING[$name]}"
    [ "$bytes" -le "${CEILING[$name]}" ] || above+=("$name")
  done
  [ ${#above[@]} -eq 0 ] || { say "above the ceiling: ${above[*]}"; return 1; }
}

install_e2e() { step npm-e2e tests/e2e/node_modules tests/e2e/package-lock.json -- install_npm tests/e2e; }

# --- verbs ---------------------------------------------------------------------------------------------------------

demo() {
  local out='' port=() wanted=(cpu)
  while [ $# -gt 0 ]; do
    case $1 in
      --all) wanted=("${modules[@]}"); shift ;;
      --out) out=${2:?"--out wants a folder"} wanted=("${modules[@]}"); shift 2 ;;
      --port) port=(--port "${2:?"--port wants a number"}"); shift 2 ;;
      *) die "demo does not know $1: see ./build.sh help" ;;
    esac
  done
  build_demo "${wanted[@]}"
  if [ -n "$out" ]; then
    mkdir -p "$out"
    cp -R "$DEMO/." "$out/"
    say "written to $out: serve it from any static host"
  else
    exec node web/serve.mjs "$DEMO" "${port[@]}"
  fi
}

index() {
  case ${1:-demo} in
    demo) build_index; list_files ;;
    simplewiki | enwiki) index_wiki "$@" ;;
    publish) shift; publish_index "$@" ;;
    *) die "index knows simplewiki, enwiki and publish, not $1" ;;
  esac
}

passed=0 failed=0 skipped=0
status=0 # of the last command of a test
failures=() # the test commands that failed, each with the names of its failed tests

# tally NAME COMMAND...: runs a test command, shows what it prints, and adds up the counts of its closing lines.
tally() {
  local name=$1 log=$STAMPS/$1.log ok=0 bad=0 left=0
  shift
  say "test: $name"
  mkdir -p "$STAMPS"
  status=0
  "$@" 2>&1 | tee "$log" || status=$?
  read -r ok bad left < <(sed -E 's/\x1b\[[0-9;]*m//g' "$log" | awk '
    /^test result: / { ok += $4; bad += $6; left += $8 }
    /^(#|ℹ) pass / { ok += $3 }
    /^(#|ℹ) fail / { bad += $3 }
    /^(#|ℹ) skipped / { left += $3 }
    END { print ok + 0, bad + 0, left + 0 }')
  # A command that fails without a failed test of its own (a lint, a broken build) counts as one.
  [ $status -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
  [ $status -eq 0 ] && [ $((ok + left)) -eq 0 ] && ok=1
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left))
  [ $status -eq 0 ] || failures+=("$name: $(failed_tests "$log")")
}

# failed_tests LOG: the names of the tests that failed, or the log's last line where none did.
failed_tests() {
  local names
  names=$(sed -E 's/\x1b\[[0-9;]*m//g' "$1" | sed -nE 's/^test (.*) \.\.\. FAILED$/\1/p; s/^ *not ok [0-9]+ - //p; s/^✖ //p')
  [ -n "$names" ] || names=$(tail -n 1 "$1")
  paste -sd ';' <<<"$names" | sed 's/;/; /g'
}

test_rust() {
  local all=(--profile quick --workspace --exclude evident-web --exclude evident-glue)
  need_rust
  tally format cargo fmt --all --check
  # With the features of the module that has the most of them.
  local features=evident-web/cpu,evident-web/relaxed-simd,evident-web/threads,evident-web/model
  tally clippy-wasm cargo clippy --profile quick --quiet -p evident-web -p evident-wiki --features $features \
    --target wasm32-unknown-unknown -- -D warnings
  # Clippy compiles the tests: they would take as long again to be checked apart.
  local -x RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
  tally rust cargo test "${all[@]}" --no-fail-fast
  [ $status -ne 0 ] || native_by true # to test the command line, cargo has built it
  # The tests that need data which is not in the repository have this in their names; the run above skipped them.
  [ -d ../shared/data ] || return 0
  local before=$passed
  tally shared-data cargo test "${all[@]}" --no-fail-fast --tests --bins --lib -- --ignored shared_data
  skipped=$((skipped - passed + before))
}

test_web() {
  need_chromium
  build_extension
  build_packages
  build_model_module relaxed
  install_e2e
  tally ceilings ceilings
  tally types npm run --silent --prefix web check
  tally package npm test --silent --prefix web
  tally docs docs
  tally e2e npm test --silent --prefix tests/e2e
}

# Without a graphics card each of these takes minutes.
test_webgpu() {
  need_chromium
  build
  tally ceilings ceilings
  build_model_module webgpu
  install_e2e
  tally webgpu-native cargo test --profile quick -p evident-nn --features webgpu --test parity
  EVIDENT_MODULE=webgpu tally webgpu-chromium node --test --test-concurrency=2 tests/e2e/{models,parity}.test.mjs \
    tests/e2e/webgpu/*.test.mjs
}

# The other tests replay what a real MediaWiki has answered. Here one is asked again, by the command line and by a page.
test_wiki() {
  need_chromium
  build_native
  build_demo cpu
  install_e2e
  local port=8089 log=$STAMPS/wiki.log wiki
  wiki=http://127.0.0.1:$port/api.php
  sh tests/wiki/serve.sh $port >"$log" 2>&1 &
  local server=$!
  trap 'kill $server 2>/dev/null' EXIT
  until grep -qx "$wiki" "$log"; do
    kill -0 $server 2>/dev/null || { cat "$log" >&2; die "the wiki could not be started"; }
    sleep 1
  done
  tally wiki-replies node tests/wiki/record.mjs "$wiki" "$EVIDENT" --compare
  WIKI=$wiki tally wiki-page node --test tests/e2e/live-wiki.test.mjs
}

# Without a network a copy that was fetched before is asked: an old one is better than none.
test_advisories() { tally advisories known_advisories; }

known_advisories() {
  local copy=${CARGO_HOME:-$HOME/.cargo}/advisory-dbs
  if ! command -v cargo-deny >/dev/null; then
    echo "# skipped 1: cargo-deny is missing, which ./build.sh advisories installs"
  elif cargo deny fetch db; then
    cargo deny check --disable-fetch advisories
  elif [ -n "$(ls -A "$copy" 2>/dev/null)" ]; then
    say "the advisories could not be fetched: the copy in $copy is asked"
    cargo deny check --disable-fetch advisories
  else
    echo "# skipped 1: the advisories could not be fetched, and there is no copy of them in $copy"
  fi
}

# Linking and shrinking a browser module takes minutes on one core. So they are built beside the Rust tests, those for a
# shared memory in a folder of their own. The one for WebGPU, which takes longest, is built by `test webgpu` alone.
test_all() {
  need_rust
  need_node
  mkdir -p "$STAMPS"
  install_npm_web
  need_glue
  build_module cpu >"$STAMPS/build.log" 2>&1 &
  local each builds=($!) # a process substitution sets $! too
  { build_module relaxed; build_model_module relaxed; } >"$STAMPS/build-shared.log" 2>&1 &
  builds+=($!)
  test_advisories
  test_rust
  build_native
  build_index
  install_e2e
  for each in "${builds[@]}"; do
    wait "$each" || say "a browser's module is built once more, to show why it cannot be"
  done
  test_web
}

run_tests() {
  NATIVE=quick EVIDENT=$TARGET/quick/evident
  [ "${1:-}" = webgpu ] || modules=(cpu relaxed)
  export MODULES="${modules[*]}" # some tests run this script again
  case ${1:-all} in
    all) test_all ;;
    rust) test_rust ;;
    web) test_web ;;
    advisories) test_advisories ;;
    webgpu) test_webgpu ;;
    wiki) test_wiki ;;
    *) die "test knows rust, web, advisories, webgpu and wiki, not $1" ;;
  esac
  [ $failed -eq 0 ] || printf 'failed: %s\n' "${failures[@]}"
  printf '%d passed, %d failed, %d skipped (each says why above)\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}

# A locked crate with a known vulnerability, or one that was withdrawn, fails this.
advisories() {
  need_rust
  command -v cargo-deny >/dev/null || {
    say "installing cargo-deny $DENY"
    cargo install "cargo-deny@$DENY" || die "cargo-deny could not be installed: cargo install --locked cargo-deny@$DENY"
  }
  cargo deny check advisories
}

FUZZ=$TARGET/fuzz

build_fuzz() {
  RUSTC_WORKSPACE_WRAPPER=$PWD/tests/fuzz/rustc.sh \
    cargo build --release --workspace --exclude evident-web --features evident-fuzz/libfuzzer --bin fuzz
  FUZZER=$TARGET/release/fuzz
}

# fuzz_targets: the names of the folders of inputs, one for each target.
fuzz_targets() { (cd tests/fuzz/corpus && printf '%s\n' *); }

# fuzz_for SECONDS: each target so long. What reaches new code is kept in target/fuzz/corpus, what fails in
# target/fuzz/failed.
fuzz_for() {
  local target log failed=0
  mkdir -p "$FUZZ/failed"
  for target in $(fuzz_targets); do
    log=$FUZZ/$target.log
    mkdir -p "$FUZZ/corpus/$target"
    TARGET=$target "$FUZZER" -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
      -artifact_prefix="$FUZZ/failed/$target-" "$FUZZ/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1 ||
      failed=1
    awk -v name="$target" '
      /number_of_executed_units/ { units = $2 }
      /peak_rss_mb/ { memory = $2 }
      / cov: / { cover = $4 }
      END { printf "%-12s %10d inputs, %6d places reached, %4d MB\n", name, units, cover, memory }' "$log"
    grep -E "panicked at|^==.*ERROR|Test unit written to" "$log" || true
  done
  return $failed
}

# fuzz_keep: the least that reaches as much as target/fuzz/corpus and tests/fuzz/corpus.
fuzz_keep() {
  local target each
  for target in $(fuzz_targets); do
    rm -rf "$FUZZ/least"
    mkdir -p "$FUZZ/least" "$FUZZ/corpus/$target"
    TARGET=$target "$FUZZER" -merge=1 -timeout=10 -max_len=8192 \
      "$FUZZ/least" "tests/fuzz/corpus/$target" "$FUZZ/corpus/$target" >"$FUZZ/$target.log" 2>&1 ||
      die "the inputs of $target could not be compared: $FUZZ/$target.log says why"
    # What has a name of its own once failed, and stays.
    find "tests/fuzz/corpus/$target" -type f -regex '.*/[0-9a-f]*' -delete
    # At most 80 of all sizes, and 35 kB: a repository keeps no more of each target.
    each=$(($(find "$FUZZ/least" -type f | wc -l) / 80 + 1))
    find "$FUZZ/least" -type f -printf '%s %p\n' | sort -n |
      awk -v each="$each" 'NR % each == 0 && (bytes += $1) <= 35000 { print $2 }' |
      xargs -r cp -t "tests/fuzz/corpus/$target"
  done
}

fuzz() {
  local minutes=${1:-10}
  need_rust
  case $minutes in
    keep) build_fuzz; fuzz_keep ;;
    [1-9] | [1-9][0-9] | [1-9][0-9][0-9]) build_fuzz; fuzz_for $((minutes * 60 / $(fuzz_targets | wc -l))) ;;
    *) die "fuzz knows keep and 1 to 999 minutes, not $minutes" ;;
  esac
}

bench_page() {
  local bench=$TARGET/bench out=$TARGET/bench/page
  CARGO_TARGET_DIR=$bench cargo build --manifest-path tests/bench/Cargo.toml \
    --profile wasm --target wasm32-unknown-unknown -p evident-bench-page
  glue "$bench/wasm32-unknown-unknown/wasm/evident_bench_page.wasm" "$out"
  shrink "$out"
}

bench_index() {
  need_glue
  need_node
  need_chromium
  install_npm_web
  CARGO_TARGET_DIR=$TARGET/bench cargo build --release --manifest-path tests/bench/Cargo.toml
  bench_page
  install_bench
  node tests/bench/run.mjs "$@"
}

# The models with random weights, for every engine. PyTorch is large: PYTHON may name an interpreter that has what
# requirements.txt lists.
bench_weights() {
  local models=$TARGET/bench/models
  rm -rf "$models"
  "$PYTHON" tests/bench/models.py make "$models"
  for model in flan-t5-small minilm-l6; do
    "$EVIDENT" pack convert --to f32 --out "$models/$model-f32.pack" "$models/$model"
    "$EVIDENT" pack convert --to q8 --out "$models/$model-int8.pack" "$models/$model"
  done
}

bench_python() {
  { python3 -m venv "$TARGET/bench/venv" &&
    "$TARGET/bench/venv/bin/pip" install --quiet --require-hashes -r tests/bench/requirements.txt; } ||
    die "PyTorch and onnxruntime could not be installed: set PYTHON to a Python that has tests/bench/requirements.txt"
}

bench_models() {
  build_native
  need_chromium
  need_node
  for name in cpu relaxed webgpu; do build_model_module $name; done
  cargo build --release --workspace --exclude evident-web --example forward
  install_bench
  if [ -z "${PYTHON:-}" ]; then
    step bench-python "$TARGET/bench/venv" tests/bench/requirements.txt -- bench_python
    PYTHON=$TARGET/bench/venv/bin/python
  fi
  export PYTHON
  step bench-weights "$TARGET/bench/models/models.json" tests/bench/models.py -- bench_weights
  node tests/bench/models.mjs "$@"
}

install_bench() { step npm-bench tests/bench/node_modules tests/bench/package-lock.json -- install_npm tests/bench; }

bench_lighthouse() {
  need_chromium
  build
  install_bench
  node tests/bench/page.mjs
}

bench() {
  case ${1:-} in
    page) bench_lighthouse; return ;;
    index) shift; bench_index "$@"; return ;;
    models) shift; bench_models "$@"; return ;;
  esac
  need_chromium
  build
  install_e2e
  node tests/e2e/costs.mjs
}

soak() {
  need_chromium
  build
  install_e2e
  node tests/e2e/soak.mjs
}

# By PYTHON, if it has Ray.
cluster() {
  build_native
  if [ -z "${PYTHON:-}" ]; then
    PYTHON=$TARGET/cluster/bin/python
    step cluster-python "$PYTHON" crate/index/cluster/requirements.txt -- install_ray
  fi
  EVIDENT=$EVIDENT "$PYTHON" -m unittest discover --verbose crate/index/cluster
}

install_ray() {
  { python3 -m venv "$TARGET/cluster" &&
    "$TARGET/cluster/bin/pip" install --quiet --require-hashes -r crate/index/cluster/requirements.txt; } ||
    die "Ray could not be installed: set PYTHON to a Python that has it"
}

picture() {
  need_chromium
  build
  install_e2e
  node web/demo/picture.mjs
}

screens() {
  need_chromium
  build_extension
  install_e2e
  node tests/e2e/screens.mjs "$TARGET/screens"
}

docs() {
  need_node
  install_e2e
  node tests/e2e/node_modules/typedoc/bin/typedoc --options web/package/typedoc.json
}

# The Rust test that holds these files to the Rust types writes them; Biome formats them.
types() {
  need_rust
  need_node
  install_npm_web
  TYPES=write cargo test --profile quick --workspace --exclude evident-web --test types
  (cd web && node_modules/.bin/biome check --write package/src/generated)
}

models() { exec models/recipes/train.sh "$@"; }

case ${1:-help} in
  demo) shift; demo "$@" ;;
  test) shift; run_tests "$@" ;;
  fuzz) shift; fuzz "$@" ;;
  cluster) cluster ;;
  soak) soak ;;
  build) build ;;
  index) shift; index "$@" ;;
  packages) build_packages ;;
  release) shift; release "$@" ;;
  extension) build_extension ;;
  adapters) shift; adapters "$@" ;;
  advisories) advisories ;;
  types) types ;;
  docs) docs ;;
  picture) picture ;;
  screens) screens ;;
  bench) shift; bench "$@" ;;
  models) shift; models "$@" ;;
  help | -h | --help) help ;;
  *) help >&2; die "no such verb: $1" ;;
esac
