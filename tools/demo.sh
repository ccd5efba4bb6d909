#!/bin/bash
# make demo: a mechanism as text, what it is made of, how it moves, how well its energy is kept, and a picture of it.
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
run "$polhode" run "$model" --time 60 --accuracy 1e-9 --interval 0.01 --track tip --out "$out/double_pendulum.csv"
run tools/picture.py "$out/double_pendulum.csv" tip "$out/double_pendulum.svg" "A minute of a double pendulum: the path of its tip"
cat <<END

A minute of chaotic motion:
  $out/double_pendulum.csv   angles, speeds, energies, and where the tip was
  $out/double_pendulum.svg   the picture: open it in a browser
More mechanisms: ls models. What else it can do: $polhode --help
END
