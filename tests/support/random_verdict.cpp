#include "tests/support/random_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "polhode/format/language/writer.h"
#include "polhode/mechanism/problem.h"
#include "polhode/study/simulate.h"
#include "polhode/study/start_from.h"
#include "polhode/tree/assemble.h"
#include "tests/support/method_trial.h"
#include "tests/support/random_start.h"

namespace polhode::testing_support {
namespace {

/// Local errors of 1e-9 in accuracy, and of 1e-10 in constraints that a step of a thousandth of a second turns into speeds of
/// 1e-7, over some ten to a hundred steps.
constexpr double floor_of_errors = 1e-7;
/// A method's error is estimated from two runs. Where the coarse one is good by luck, or both are near their floor, the
/// estimate is too small by about an order of magnitude. POLHODE_RANDOM_MARGIN=2 looks closer.
double margin() {
  const char* const asked = std::getenv("POLHODE_RANDOM_MARGIN");
  return asked == nullptr ? 10 : std::atof(asked);
}
double allowed_for(double error) { return margin() * error + 0.1 * margin() * floor_of_errors; }

class Judge {
 public:
  Judge(const MechanismClass& kind, unsigned seed) : kind_(kind), random_(seed), sketch_(random_) {}

  Verdict go() {
    try {
      kind_.draw(sketch_);
      verdict_.model = format::write_model(sketch_.builder);
      const State start = drawn_start(sketch_);
      verdict_.model = format::write_model(study::start_from(start));
      compare(start);
      compare_moved(start);
      if (!verdict_.findings.empty()) excuse(start);
    } catch (const std::exception& error) {
      find("all", "failed", error.what());
    }
    return std::move(verdict_);
  }

 private:
  void find(const std::string& method, const std::string& what, const std::string& text) {
    verdict_.findings.push_back({method, what, text});
  }

  void compare(const State& start) {
    measure_ = measure_of(start);
    for (const std::string& method : study::method_names()) {
      Trial trial = try_method(start, method, sketch_.time, measure_);
      note(trial);
      trials_.push_back(std::move(trial));
    }
    for (std::size_t a = 0; a < trials_.size(); ++a)
      for (std::size_t b = a + 1; b < trials_.size(); ++b) compare(start.mechanism(), trials_[a], trials_[b]);
  }

  void note(const Trial& trial) {
    if (!trial.refused.empty()) {
      const bool expected = std::any_of(kind_.refusals.begin(), kind_.refusals.end(), [&](const auto& refusal) {
        return refusal.first == trial.method && trial.refused.find(refusal.second) != std::string::npos;
      });
      if (expected)
        verdict_.refused.push_back(trial.method);
      else
        find(trial.method, "refused", trial.refused);
      return;
    }
    if (!trial.failure.empty()) return find(trial.method, "failed", trial.failure);
    if (trial.conservative && std::abs(trial.energy_change) > allowed_for(trial.energy_error))
      find(trial.method, "energy",
           fmt::format("energy changes by {:.3g}, error {:.3g}", trial.energy_change, trial.energy_error));
    if (trial.constraint_error > 1e-9)
      find(trial.method, "constraints", fmt::format("constraint error {:.3g}", trial.constraint_error));
  }

  void compare(const Mechanism& mechanism, const Trial& a, const Trial& b) {
    if (!a.ran() || !b.ran()) return;
    const double d = distance(mechanism, a.poses, b.poses, measure_), allowed = allowed_for(a.error + b.error);
    if (d > allowed)
      find(a.method + " / " + b.method, "disagreed",
           fmt::format("{:.3g} apart, errors {:.3g} and {:.3g}", d, a.error, b.error));
  }

  void compare_moved(const State& start) {
    const double reach = sketch_.units.length;
    const Transform<double> X{random_.rotation(), reach * random_.vec3(1)};
    Renamed renamed_model = renamed(moved(sketch_.builder, X), random_);
    const Mechanism mechanism = renamed_model.model.build();
    const State other = carried_over(start, mechanism, X, renamed_model);
    for (const Trial& trial : trials_) {
      if (!trial.ran()) continue;
      Trial again = repeat(other, trial, sketch_.time, measure_);
      if (!again.refused.empty()) {
        find(trial.method, "moved: refused", again.refused);
        continue;
      }
      if (!again.failure.empty()) {
        find(trial.method, "moved: failed", again.failure);
        continue;
      }
      const double d =
          distance(start.mechanism(), trial.poses, brought_back(start, mechanism, again, X, renamed_model), measure_);
      if (d > allowed_for(2 * trial.error))
        find(trial.method, "moved: changed", fmt::format("{:.3g} apart, error {:.3g}", d, trial.error));
    }
  }

  /// A motion that makes a start's small change more than a thousand times as large tells nothing about methods: chaos, or a
  /// place where the mechanism could go on in more ways than one.
  void excuse(const State& start) {
    constexpr double change = 1e-6, most = 1e3;
    State near = start;
    std::vector<double> u(start.u().begin(), start.u().end());
    for (double& x : u) x *= 1 + change * random_.uniform(-1, 1);
    near.set_u(u);
    if (!tree::assemble(near).assembled) return;
    for (const Trial& trial : trials_) {
      if (!trial.ran()) continue;
      const Trial other = repeat(near, trial, sketch_.time, measure_);
      if (!other.ran()) continue;
      const double growth = distance(start.mechanism(), trial.poses, other.poses, measure_) / change;
      if (growth < most) return;
      verdict_.skipped = fmt::format("a change of the start grows {:.3g} times by {}", growth, trial.method);
    }
    if (!verdict_.skipped.empty()) verdict_.findings.clear();
  }

  static std::vector<Transform<double>> brought_back(const State& start, const Mechanism& other, const Trial& trial,
                                                     const Transform<double>& X, const Renamed& names) {
    const Mechanism& m = start.mechanism();
    std::vector<Transform<double>> poses(std::size_t(m.num_bodies()));
    for (int b = 1; b < m.num_bodies(); ++b) {
      const int whole = m.bodies()[std::size_t(b)].part_of < 0 ? b : m.bodies()[std::size_t(b)].part_of;
      poses[std::size_t(b)] =
          inverse(X) * trial.poses[std::size_t(other.body(names.new_name.at(m.bodies()[std::size_t(whole)].name)))];
    }
    return poses;
  }

  const MechanismClass& kind_;
  Random random_;
  Sketch sketch_;
  Measure measure_{};
  std::vector<Trial> trials_;
  Verdict verdict_;
};

}  // namespace

Verdict judge(const MechanismClass& kind, unsigned seed) { return Judge(kind, seed).go(); }

void Tally::add(const Verdict& verdict) {
  ++seeds;
  if (!verdict.skipped.empty()) ++skipped;
  for (const std::string& method : verdict.refused) ++refused[method];
  for (const Finding& finding : verdict.findings) ++findings[finding.method][finding.what];
}

std::string Tally::text() const {
  std::string out = fmt::format("{} seeds, {} skipped", seeds, skipped);
  for (const auto& [method, count] : refused) out += fmt::format("; {} refused {}", method, count);
  for (const auto& [method, counts] : findings)
    for (const auto& [what, count] : counts) out += fmt::format("; {} {} {}", method, what, count);
  return out;
}

}  // namespace polhode::testing_support
