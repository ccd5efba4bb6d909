#!/bin/bash
# make demo: what a mechanism is made of, how it moves, and how well its energy is kept.
#
#   tools/demo.sh PROGRAM OUTPUT_FOLDER
set -euo pipefail
polhode="$1"
out="$2"
model=models/double_pendulum.pol
mkdir -p "$out"

run() {
  printf '\n\033[1m$ %s\033[0m\n' "$*"
  "$@"
}

run cat "$model"
run "$polhode" check "$model"
run "$polhode" run "$model" --time 20 --track tip --out "$out/double_pendulum.csv"
run "$polhode" run "$model" --time 20
printf '\nThe motion is in %s: time, coordinates, speeds, energies, and where the tip was.\n' "$out/double_pendulum.csv"
