#!/bin/bash
# make experiments: runs them, has their mechanisms drawn moving, and puts all on one page.
#
#   tools/experiments.sh BUILD_FOLDER [OPTION OR NAME OF polhode_experiments ...]
#
# Exit status: that of polhode_experiments. Pictures and the page are made either way: they show what was missed.
set -euo pipefail
build="$1"
shift
out="$build/experiments"

status=0
"$build/bin/polhode_experiments" --out="$out" "$@" || status=$?
[ "$status" -le 1 ] || exit "$status"

# Experiment, model, seconds: where the mechanism itself is worth seeing.
movies="closed_chain_device closed_chain_device 20
scissor_lift scissor_lift 10
planar_human planar_human 10
marionette marionette 10
minitaur minitaur 10
jet_crank jet_crank 10"
while read -r experiment model seconds; do
  page="$out/$experiment/view.html"
  [ -f "$out/$experiment/findings.json" ] || continue  # not run, or not there
  [ ! -f "$page" ] || [ "models/$model.pol" -nt "$page" ] || [ "$build/bin/polhode" -nt "$page" ] || continue
  if ! "$build/bin/polhode" view "models/$model.pol" --time "$seconds" --export "$page" < /dev/null; then
    rm -f "$page"
    echo "No moving picture of $model: polhode view could not write it (see above)." >&2
  fi
done <<< "$movies"

"$build/bin/polhode_experiments" --out="$out" --page-only
echo "Look at $out/index.html"
exit "$status"
