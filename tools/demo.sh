#!/bin/bash
# make demo: a mechanism as text, what it is made of, how it moves, how well its energy is kept, and a picture of it; a bicycle, at
# three speeds and in a sweep over them; then a device with closed chains, whose points were drawn apart: a run of it with its report,
# all four methods side by side, and a page that shows it moving.
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

device=models/closed_chain_device.pol
run cat "$device"
run "$polhode" run "$device" --time 120 --track O,G --out "$out/device.h5" --report "$out/device_run.html"
run "$polhode" plot "$out/device.h5" energy:change --title "Closed-chain device: change of its energy in two minutes" \
  --out "$out/device_energy.svg" --out "$out/device_energy.png"
run "$polhode" compare "$device" --time 10 --report "$out/device_compare.html"
run "$polhode" view "$device" --time 10 \
  --method tree-variational,tree-projected,maximal-variational,maximal-projected --export "$out/device_view.html"
cat <<END

A minute of chaotic motion, 50 rides of a bicycle, two minutes of three arms pinned together at two points, and ten seconds of them by
four methods, which share the description but no equations of motion. Open these in a browser:
  $out/device_view.html       the device moving, by all four methods: press space; ? lists the keys
  $out/device_compare.html    the four methods side by side, with plots
  $out/device_run.html        the report of the run of two minutes, with all that is needed to repeat it
  $out/device_energy.svg      how well its energy was kept (.png: the same)
  $out/double_pendulum.svg    the path of the tip of a double pendulum
  $out/bicycle.svg            below 4.292 m/s it weaves, above 6.024 m/s it does not come upright again (published values)
The numbers behind them:
  $out/device.h5              every state of the run of two minutes, and the model it came from (docs/files.md)
  $out/double_pendulum.csv    angles, speeds, energies, and where the tip was
  $out/bicycle_sweep.csv      one row for each speed
More mechanisms: ls models. To watch one as it is computed: $polhode view models/bricard.pol. What else there is: $polhode --help
END
