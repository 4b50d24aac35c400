#!/bin/sh
# A rustc for the project's own crates, as RUSTC_WORKSPACE_WRAPPER. It adds what guides libFuzzer, which LLVM has on a
# stable Rust too, and debug assertions, which find sums that overflow. Dependencies stay as they are built for tests.
exec "$@" -Cdebug-assertions -Ccodegen-units=1 -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares
