#!/bin/bash
# make demo: a mechanism as text, what it is made of, how it moves, and how well its energy is kept.
#
#   tools/demo.sh PROGRAM OUTPUT_FOLDER
set -euo pipefail
polhode="$1"
out="$2"
model=models/double_pendulum.pol
mkdir -p "$out"

run() {
  if [ -t 1 ]; then printf '\n\033[1m$ %s\033[0m\n' "$*"; else printf '\n$ %s\n' "$*"; fi
  "$@"
}

run cat "$model"
run "$polhode" check "$model"
run "$polhode" run "$model" --time 60 --interval 0.02 --track tip --out "$out/double_pendulum.csv"
printf '\nA minute of chaotic motion is in %s: angles, speeds, energies,\nand where the tip was. More mechanisms: ls models. What else it can do: %s --help\n' \
    "$out/double_pendulum.csv" "$polhode"
