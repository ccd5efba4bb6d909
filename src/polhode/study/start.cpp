#include "polhode/study/start.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "polhode/study/inspect.h"
#include "polhode/tree/constraints.h"

namespace polhode::study {
namespace {

/// Whether it meets its constraints as well as numbers can tell, so that nothing need be done.
bool is_on_constraints(const State& state, const tree::Constraints& constraints) {
  tree::Workspace w(state.mechanism());
  std::vector<double> errors(std::size_t(constraints.num_rows())), rates(errors.size());
  tree::kinematics(w, state.q(), state.u());
  constraints.errors(w, state.time(), state.q(), errors);
  constraints.velocity_errors(w, state.time(), state.q(), state.u(), rates);
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!(std::abs(errors[i]) <= 1e-12 && std::abs(rates[i]) <= 1e-12)) return false;
  return true;
}

/// Assembling finds contradictions in positions and velocities; those in accelerations would be shared out in silence.
void refuse_contradictions(const State& state, const tree::Constraints& constraints) {
  if (constraints.num_rows(RowLevel::acceleration) == 0) return;
  for (const ConstraintConflict& c : inspect(state).conflicts)
    throw std::invalid_argument(
        fmt::format("{} contradicts {}: {:.3g} of it cannot be met; `polhode check` lists all contradictions", c.owner,
                    c.others.empty() ? "what can move" : fmt::format("{}", fmt::join(c.others, ", ")), std::abs(c.left)));
}

}  // namespace

tree::Assembly assemble_start(State& state) { return assemble_start(state, tree::given_by_model(state.mechanism())); }

tree::Assembly assemble_start(State& state, const tree::Given& given) {
  if (state.mechanism().num_constraint_elements() == 0) return {};
  const tree::Constraints constraints(state.mechanism(), state.enabled());
  tree::Assembly assembly;
  if (!is_on_constraints(state, constraints)) {
    assembly = tree::assemble(state, given);
    if (!assembly.assembled)
      throw std::invalid_argument(fmt::format(
          "the start cannot meet its constraints: {} is still off by {:.3g} (from {:.3g}). Give initial values nearer to a "
          "configuration that meets them; `polhode assemble` lists all that cannot be met",
          assembly.worst, assembly.error_after, assembly.error_before));
    if (!assembly.velocities.met) {
      const tree::UnmetRow& row = assembly.velocities.unmet.front();
      throw std::invalid_argument(
          fmt::format("no speeds at the start meet the constraints: {}, equation {}, would still change by {:.3g} per second. "
                      "Change what drives or holds it; `polhode assemble` lists all that cannot be met",
                      row.owner, row.row + 1, std::abs(row.error)));
    }
  }
  refuse_contradictions(state, constraints);
  return assembly;
}

std::vector<std::string> warnings(const tree::Assembly& a, const Mechanism& m) {
  constexpr double far = 0.01;         // of motions of order one, where something is given
  constexpr double out_of_all = 1000;  // a start moves by so many times the error it had
  constexpr double much_energy = 10;
  std::vector<std::string> all;
  const tree::CoordinateChange *given = nullptr, *any = nullptr;
  const auto size = [](const tree::CoordinateChange* c) { return c ? std::abs(c->after - c->before) / c->scale : 0.0; };
  for (const tree::CoordinateChange& change : a.changes) {
    if (size(&change) > size(any)) any = &change;
    if (change.given && size(&change) > size(given)) given = &change;
  }
  const auto name = [&](const tree::CoordinateChange& c) { return m.coordinate_names()[std::size_t(c.q)]; };
  if (size(given) > far) {
    all.push_back(fmt::format(
        "the start is not the one that was given: \"{}\" had to go from {:.6g} to {:.6g} to meet the constraints. Give a value "
        "that fits, or leave it out",
        name(*given), given->before, given->after));
  } else if (size(any) > 0.1 && size(any) > out_of_all * a.error_before) {
    all.push_back(
        fmt::format("the start misses its constraints by only {:.2g}, but \"{}\" had to go from {:.6g} to {:.6g} to "
                    "meet them. Do joints that should fit miss each other a little? Write their numbers with more digits",
                    a.error_before, name(*any), any->before, any->after));
  }
  if (a.assembled && a.error_after > 1e-9)
    all.push_back(
        fmt::format("the constraints cannot all be met at once: a gap of {:.2g} stays open, which is taken for rounding "
                    "in the numbers of the model. Write them with more digits",
                    a.error_after));
  if (a.kinetic_before > 0 && a.kinetic_after > much_energy * a.kinetic_before)
    all.push_back(fmt::format(
        "with the given speeds alone the kinetic energy would be {:.3g} J; with the speeds that the constraints ask for beside "
        "them it is {:.3g} J. If that was not meant, give the speed of another joint",
        a.kinetic_before, a.kinetic_after));
  return all;
}

}  // namespace polhode::study
