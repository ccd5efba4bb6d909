#!/bin/bash
# Runs the fuzz targets of the sanitize preset for so many seconds altogether. Starts from the models and from what
# tests/fuzz/corpus holds; the corpus that grows lives in build-sanitize/. An input that breaks something is left there too.
#
#   tools/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="$1"

shopt -s nullglob
fuzzers=(build-sanitize/bin/*_fuzzer)
if [ "${#fuzzers[@]}" -eq 0 ]; then
  echo "no fuzz target in build-sanitize/bin: cmake --preset sanitize && cmake --build --preset sanitize" >&2
  exit 1
fi

for fuzzer in "${fuzzers[@]}"; do
  name="$(basename "$fuzzer" _fuzzer)"
  corpus="build-sanitize/corpus/$name"
  mkdir -p "$corpus"
  seeds=()
  for folder in models "tests/fuzz/corpus/$name"; do
    [ -d "$folder" ] && seeds+=("$folder")
  done
  options=()
  [ -f "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
  echo "$name: $((seconds / ${#fuzzers[@]})) s"
  # libFuzzer writes what it finds only to the first folder.
  "$fuzzer" "${options[@]}" -max_total_time=$((seconds / ${#fuzzers[@]})) -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
      -artifact_prefix="build-sanitize/$name-" -print_final_stats=1 -verbosity=1 "$corpus" "${seeds[@]}" > "build-sanitize/$name.log" 2>&1 ||
      { tail -n 60 "build-sanitize/$name.log"; exit 1; }
  grep -E '^stat::|Done' "build-sanitize/$name.log"
done
