#!/bin/bash
# Puts the pictures of a run of the experiments into docs/pictures/experiments, where docs/experiments.md shows them.
#
#   tools/experiment_pictures.sh [RESULTS]      by default build/experiments
set -euo pipefail
cd "$(dirname "$0")/.."
results="${1:-build/experiments}"
folder=docs/pictures/experiments
mkdir -p "$folder"
while read -r name picture; do cp "$results/$picture.svg" "$folder/$name.svg"; done <<END
pendulum_energy pendulum_energy/energy
pendulum_links pendulum_links/runtime
device_energy closed_chain_device/energy
device_work_precision closed_chain_device/three_seconds_work_precision
lift_angle scissor_lift/angle
lift_work_precision scissor_lift/ten_seconds_work_precision
lift_cost scissor_lift_cost/cost
marionette_work_precision marionette/race_work_precision
double_pendulum double_pendulum_hour/energy
four_bar_drift four_bar_drift/drift
sparse_dense sparse_dense/newton_step
newton newton_convergence/updates
chains chain_cost/open_hinges
four_bar_chain four_bar_chain_cost/cost
minitaur_work_precision minitaur/robot_work_precision
tolerances tolerances/tolerances
jet_quadrangle_energies jet_quadrangle/energies
jet_crank_steps jet_crank/step_sizes
END
