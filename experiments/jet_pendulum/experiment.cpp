#include <cmath>

#include "../all.h"
#include "../jets_common/jet_case.h"
#include "with_torque.h"

namespace polhode::experiments {
namespace {

using namespace jets;

/// It starts at rest and gravity acts in one plane, so it stays in that plane: 0.765 m from the joint to the centre of mass.
std::vector<Placed> places(Taylor angle) {
  const TaylorVector along{cos(angle), sin(angle), Taylor{0}};
  return {{0.765 * along, axes_in_plane(along)}};
}

OneDegree exact(double start) {
  return {.bodies = {{38.34, {0.147, 3.175, 3.154}}}, .places = places, .torque = 0, .start = start};
}

const JetCase the_case{
    .name = "pendulum",
    .model = "jet_pendulum.pol",
    .table = "Table 8",
    .energies_figure = "Fig. 6.4",
    .steps_figure = "Fig. 6.5",
    .accuracy = 1e-6,
    .paper = {{{164, 36, 0.97, 8, 1395, 1280, 0.84, 1.65, 2.53, 4856, 9669, not_given, 1211, 397},
               {151, 12, 1.43, 4, 1136, 1070, 0.69, 4.30, 5.05, 6124, 18372, 0, 631, 25},
               {153, 23, 0.929, 2, not_given, 795, not_given, not_given, 1.98, 4158, not_given, not_given, 0, 0},
               {152, 13, 0.987, 4, not_given, 833, not_given, not_given, 4.80, 5885, not_given, not_given, 0, 0}}},
    .paper_speedup = 2,
    .drive = {0, [](const Vec3<double>& centre) { return std::atan2(centre.y, centre.x); }},
    .exact = exact,
    .race_time = 10,
    .look = 0.1};

void run(Findings& findings) {
  const CaseResult result = run_case(findings, the_case);
  run_with_torques(findings, the_case);
  hold_race(findings, the_case, result.exact);
}

}  // namespace

const Experiment jet_pendulum{
    .name = "jet_pendulum",
    .title = "Pendulum on a ball joint",
    .source = "Tuomela, Arponen & Normi, Tables 8 and 11, Figs. 6.4 and 6.5",
    .claim =
        "A heavy rod on a ball joint falls from the horizontal and swings for 10 s. Kept as an invariant, its energy stays "
        "practically constant, and otherwise drifts off significantly. The quasi-orthogonal projection takes half the time of "
        "the orthogonal one, and is the more robust one where a torque acts.",
    .run = run};

}  // namespace polhode::experiments
