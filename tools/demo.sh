#!/bin/bash
# make demo: a mechanism as text, what it is made of, how it moves, how well its energy is kept, and a picture of it; then one
# with closed chains, whose points were drawn apart.
#
#   tools/demo.sh PROGRAM OUTPUT_FOLDER
set -euo pipefail
polhode="$1"
out="$2"
mkdir -p "$out"

run() {
  if [ -t 1 ]; then printf '\n\033[1m$ %s\033[0m\n' "$*"; else printf '\n$ %s\n' "$*"; fi
  "$@"
}

run cat models/double_pendulum.pol
run "$polhode" check models/double_pendulum.pol
run "$polhode" run models/double_pendulum.pol --time 60 --dt 0.002 --interval 0.01 --track tip --out "$out/double_pendulum.csv"
run tools/picture.py "$out/double_pendulum.csv" tip "$out/double_pendulum.svg" "A minute of a double pendulum: the path of its tip"

run cat models/closed_chain_device.pol
run "$polhode" run models/closed_chain_device.pol --time 120 --track J,H,O2,K,M,O,A,C,E,G2 \
  --out "$out/closed_chain_device.csv"
run tools/picture.py "$out/closed_chain_device.csv" "J>H>O2,K>M>O,A>C>E>G2" "$out/closed_chain_device.svg" \
  "Two minutes of three arms, pinned together at two points: their start, and the paths of the pins"
cat <<END

A minute of chaotic motion, and two minutes of closed chains (arms "J", "K" and "A", pinned at O and G):
  $out/double_pendulum.csv       angles, speeds, energies, and where the tip was
  $out/double_pendulum.svg       the picture: open it in a browser
  $out/closed_chain_device.csv   the same of the device, with the largest gap between its points in the column "constraint"
  $out/closed_chain_device.svg
More mechanisms: ls models. What else it can do: $polhode --help
END
