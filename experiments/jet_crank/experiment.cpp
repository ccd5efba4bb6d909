#include <cmath>

#include "../all.h"
#include "../jets_common/jet_case.h"

namespace polhode::experiments {
namespace {

using namespace jets;

/// The crank turns about x, its pin 0.5 m off; the slider is on a line along x through (0, 0, -0.5), 1.8 m from the pin. The
/// slider does not turn, and the universal joint keeps the rod's y axis across the slider's z axis.
std::vector<Placed> places(Taylor crank) {
  const Taylor zero{0}, one{1}, half{0.5};
  const TaylorVector x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
  const TaylorVector out{zero, sin(crank), zero - cos(crank)}, pin = 0.5 * out;
  const Taylor along_z = pin[2] + half, reach = sqrt(Taylor{3.24} - pin[1] * pin[1] - along_z * along_z);
  const TaylorVector slider{reach, zero, zero - half};
  const TaylorVector rod = unit(slider - pin), rod_y = unit(cross(z, rod));
  // Body 1 has its x axis towards the pin and its z axis along the axis of turning.
  return {{0.25 * out, {out, cross(x, out), x}}, {0.5 * (pin + slider), {rod, rod_y, cross(rod, rod_y)}}, {slider, {x, y, z}}};
}

constexpr double torque = -50;  // [N m]

OneDegree exact(double start) {
  return {.bodies = {{19.50, {0.02, 0.41, 0.42}}, {70.29, {0.07, 18.99, 19.04}}, {7.81, {0.01, 0.01, 0.01}}},
          .places = places,
          .torque = torque,
          .start = start};
}

const JetCase the_case{
    .name = "crank mechanism",
    .model = "jet_crank.pol",
    .table = "Table 10",
    .energies_figure = "Fig. 6.8",
    .steps_figure = "Fig. 6.9",
    .accuracy = 1e-7,
    .paper = {{{2086, 352, 6.69, 215, 16859, 13358, 88.08, 757.65, 848.67, 124303, 1778438, not_given, 108843, 58003},
               {2070, 113, 2.61, 6, 15175, 17458, 78.44, 3198.90, 3292.00, 123597, 2101149, 36758, 31219, 10981},
               {1996, 87, 0.325, 2, not_given, 7133, not_given, not_given, 191.27, 45054, not_given, not_given, 0, 0},
               {2077, 129, 1.42, 5, not_given, 11147, not_given, not_given, 2099.30, 87018, not_given, not_given, 0, 0}}},
    .paper_speedup = 4,
    .drive = {torque, [](const Vec3<double>& centre) { return std::atan2(centre.y, -centre.z); }},
    .exact = exact,
    .race_time = 4,
    .look = 0.02};

void run(Findings& findings) {
  const CaseResult result = run_case(findings, the_case);
  hold_race(findings, the_case, result.exact);
}

}  // namespace

const Experiment jet_crank{.name = "jet_crank",
                           .title = "Crank mechanism across a right angle",
                           .source = "Tuomela, Arponen & Normi, Tables 10 and 11, Figs. 6.8 and 6.9",
                           .claim =
                               "A torque turns a crank, which drives a slider through a rod on a ball joint and a universal "
                               "joint, from rest for 10 s. Kept as an invariant, kinetic and potential energy less the "
                               "torque's work stay nearly constant, and otherwise drift off. With quasi-orthogonal projections "
                               "it takes about as many steps as with orthogonal ones and a quarter of the time.",
                           .run = run};

}  // namespace polhode::experiments
