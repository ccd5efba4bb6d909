#include "momentum.h"

#include "../../bench/step/entrants.h"
#include "../../bench/step/isolated.h"

namespace polhode::experiments {
namespace {

using bench::BodyState;
using bench::Problem;
using bench::Triple;
using bench::operator+;
using bench::operator-;
using bench::operator*;

/// An engine whose "constraint error" is how much a momentum has changed: the one number that a run keeps the largest of.
class Watched final : public bench::StepSubject {
 public:
  Watched(std::unique_ptr<bench::StepSubject> engine, Momentum kind) : engine_(std::move(engine)), kind_(kind) {
    bodies_.resize(engine_->problem().links.size());
    engine_->observe(bodies_);
    start_ = momentum_of(kind_, engine_->problem(), bodies_);
  }
  const Problem& problem() const override { return engine_->problem(); }
  void advance(int steps) override { engine_->advance(steps); }
  void observe(std::vector<BodyState>& bodies) override { engine_->observe(bodies), bodies_ = bodies; }
  double constraint_error() override { return bench::length(momentum_of(kind_, engine_->problem(), bodies_) - start_); }
  std::string trouble() const override { return engine_->trouble(); }
  bench::StepCounters counters() const override { return engine_->counters(); }

 private:
  std::unique_ptr<bench::StepSubject> engine_;
  Momentum kind_;
  std::vector<BodyState> bodies_;
  Triple start_{};
};

template <Momentum kind>
std::unique_ptr<bench::StepSubject> make_watched(const Problem& problem, const std::string& entrant) {
  const auto found = bench::entrants_named({entrant});
  return std::make_unique<Watched>(found.at(0).make(problem, found.at(0).method), kind);
}

}  // namespace

Triple momentum_of(Momentum kind, const Problem& problem, const std::vector<BodyState>& bodies) {
  double mass = 0;
  Triple centre{}, linear{}, angular{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += problem.links[i].mass;
    centre = centre + problem.links[i].mass * bodies[i].centre;
    linear = linear + problem.links[i].mass * bodies[i].velocity;
  }
  const Triple up = (-1 / bench::length(problem.gravity)) * problem.gravity;
  if (kind == Momentum::horizontal) return linear - bench::dot(up, linear) * up;
  centre = (kind == Momentum::vertical ? 0 : 1 / mass) * centre;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bench::Link& link = problem.links[i];
    Triple spin = bench::rotated_back(bodies[i].R, bodies[i].omega);
    for (std::size_t k = 0; k < 3; ++k) spin[k] *= link.inertia[k];
    angular =
        angular + bench::rotated(bodies[i].R, spin) + link.mass * bench::cross(bodies[i].centre - centre, bodies[i].velocity);
  }
  return kind == Momentum::vertical ? bench::dot(up, angular) * up : angular;
}

MomentumError momentum_error(Momentum kind, const Problem& problem, const std::string& entrant, double limit_seconds) {
  if (bench::entrants_named({entrant}).empty()) return {};
  const auto make = kind == Momentum::horizontal ? make_watched<Momentum::horizontal>
                    : kind == Momentum::vertical ? make_watched<Momentum::vertical>
                                                 : make_watched<Momentum::angular>;
  const bench::RunOutcome outcome = bench::run_isolated(make, entrant, problem, {.repetitions = 0}, limit_seconds);
  return {outcome.finished, outcome.constraint_error};
}

}  // namespace polhode::experiments
