#!/bin/bash
# make demo: a mechanism as text, what it is made of, how it moves, how well its energy is kept, and a picture of it; then one
# with closed chains, whose points were drawn apart; then a bicycle, at three speeds and in a sweep over them; and a linkage by all
# four methods.
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

run cat models/bicycle.pol
for speed in 3.7 5 8; do
  run "$polhode" run models/bicycle.pol --method tree-projected --set speed=$speed --set push=0.2 --time 12 --interval 0.05 \
    --out "$out/bicycle_$speed.csv"
done
run "$polhode" sweep models/bicycle.pol --method tree-projected --vary speed=3.4:8:47 --time 40 --measure trunk.qx:max \
  --out "$out/bicycle_sweep.csv"
run tools/curves.py "$out/bicycle.svg" "A bicycle without hands, pushed over a little; dashed: between which speeds it should right itself" \
  --panel "steer angle [rad] over time [s]" "3.7 m/s|$out/bicycle_3.7.csv|t|steer" "5 m/s|$out/bicycle_5.csv|t|steer" \
  "8 m/s|$out/bicycle_8.csv|t|steer" \
  --panel "largest qx of the frame (it leans) in 40 s, over speed [m/s]" --log "qx|$out/bicycle_sweep.csv|speed|trunk.qx:max" \
  --mark 4.29238253634111 "4.292" --mark 6.02426201538837 "6.024"
run "$polhode" compare models/bricard.pol --time 10 --report "$out/compare.html"
cat <<END

A minute of chaotic motion, two minutes of closed chains (arms "J", "K" and "A", pinned at O and G), 50 rides of a bicycle,
and ten seconds of an overconstrained linkage by four methods that share nothing but its description:
  $out/double_pendulum.csv       angles, speeds, energies, and where the tip was
  $out/double_pendulum.svg       the picture: open it in a browser
  $out/closed_chain_device.csv   the same of the device, with the largest gap between its points in the column "constraint"
  $out/closed_chain_device.svg
  $out/bicycle_sweep.csv         one row for each speed
  $out/bicycle.svg               below 4.292 m/s it weaves, above 6.024 m/s it does not come upright again (published values)
  $out/compare.html              the four methods side by side, with plots: open it in a browser
More mechanisms: ls models. What else it can do: $polhode --help
END
