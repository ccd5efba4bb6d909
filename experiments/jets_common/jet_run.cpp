#include "jet_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::experiments::jets {
namespace {

using projected::JetCoordinates;
using projected::JetCounters;
using projected::JetSystem;
using projected::MaximalProjected;

constexpr double pi = 3.14159265358979323846;

/// Of the processor, as in the paper's tables; other programs do not count [s].
double cpu_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

projected::MaximalProjectedOptions options_of(const JetPlan& plan) {
  // In space, as the paper runs its planar quadrangle too.
  return {.accuracy = plan.accuracy,
          .initial_step = 0.25,
          .tolerance = plan.tolerance,
          .projection = plan.projection,
          .energy = plan.energy,
          .planar = false};
}

/// Writes down what a run looks like at its steps.
class Recorder {
 public:
  Recorder(const State& start, const Drive& drive, JetRun& run)
      : state_(start), drive_(drive), run_(run), body_1_(std::size_t(start.mechanism().body("body1"))) {}

  void add(const MaximalProjected& stepper, double h) {
    stepper.get(state_);
    tree::realize(state_, Stage::velocity);
    run_.t.push_back(stepper.time());
    run_.h.push_back(h);
    run_.kinetic.push_back(state_.kinetic_energy());
    run_.potential.push_back(state_.potential_energy());
    if (drive_.angle) turn_to(drive_.angle(stepper.bodies()[body_1_].x));
    run_.work.push_back(drive_.torque * turned_);
    run_.own_work.push_back(stepper.work());
    run_.total.push_back(state_.energy() - run_.work.back());
    run_.bodies.push_back(stepper.bodies());
    run_.position_error = std::max(run_.position_error, stepper.position_error());
    run_.velocity_error = std::max(run_.velocity_error, stepper.velocity_error());
  }

 private:
  void turn_to(double angle) {
    if (run_.t.size() > 1) turned_ += std::remainder(angle - angle_, 2 * pi);
    angle_ = angle;
  }

  State state_;
  const Drive& drive_;
  JetRun& run_;
  std::size_t body_1_;
  double angle_ = 0, turned_ = 0;
};

void record(const State& start, const Drive& drive, JetRun& run) {
  MaximalProjected stepper(start.mechanism(), options_of(run.plan));
  stepper.set(start);
  Recorder recorder(start, drive, run);
  recorder.add(stepper, 0);
  while (stepper.time() < run.plan.time) {
    const StepReport report = stepper.step(run.plan.time);
    if (!report.ok()) {
      run.reason = stepper.explain(report);
      return;
    }
    recorder.add(stepper, report.h);
  }
  run.finished = true;
  run.steps = stepper.statistics();
  run.counters = stepper.jet_counters();
}

double time_steps(const State& start, const JetPlan& plan) {
  MaximalProjected stepper(start.mechanism(), options_of(plan));
  stepper.set(start);
  const double begin = cpu_time();
  while (stepper.time() < plan.time) stepper.step(plan.time);
  return cpu_time() - begin;
}

/// What all distributions of a run take: they are evaluated again where the steps ended, which is where they are evaluated in
/// the run, or near it.
double time_distributions(const State& start, const JetRun& run) {
  JetCoordinates coordinates(start.mechanism());
  JetSystem system(start.mechanism(), start.enabled(), coordinates);
  system.set_near(start.q());
  std::vector<double> y(std::size_t(coordinates.size())), y1(y), y2(y);
  JetCounters counters;
  constexpr std::size_t times = 20;  // one takes less than the clock can tell
  double seconds = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    coordinates.from_bodies(run.bodies[k], y.data(), y1.data());
    system.place(run.t[k], y.data(), y1.data());
    system.linearize(counters);
    const double begin = cpu_time();
    for (std::size_t i = 0; i < times; ++i) system.distribution(y.data(), y1.data(), y2.data(), counters);
    seconds += cpu_time() - begin;
  }
  return seconds / double(times * run.t.size()) * double(run.counters.distributions);
}

double largest_change(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - values.front()));
  return largest;
}

}  // namespace

double JetRun::drift() const { return largest_change(total); }

double JetRun::own_drift() const {
  std::vector<double> kept(t.size());
  for (std::size_t k = 0; k < t.size(); ++k) kept[k] = kinetic[k] + potential[k] - own_work[k];
  return largest_change(kept);
}

double JetRun::most_energy() const {
  double most = 0;
  for (std::size_t k = 0; k < t.size(); ++k) most = std::max({most, kinetic[k], std::abs(potential[k])});
  return most;
}

JetRun run_jet(const State& start, const Drive& drive, const JetPlan& plan, int rounds) {
  JetRun run{.plan = plan, .torque = drive.torque};
  record(start, drive, run);
  if (!run.finished) return run;
  constexpr double long_enough = 0.02;  // [s]; shorter runs are repeated more often
  double spent = 0;
  for (int round = 0; round < rounds || spent < long_enough; ++round) {
    const double total = time_steps(start, plan);
    run.seconds = round == 0 ? total : std::min(run.seconds, total);
    spent += total;
  }
  run.seconds_distribution = time_distributions(start, run);
  return run;
}

std::vector<std::vector<Vec3<double>>> centres_of(const State& start, const JetPlan& plan, double interval) {
  MaximalProjected stepper(start.mechanism(), options_of(plan));
  stepper.set(start);
  std::vector<std::vector<Vec3<double>>> centres;
  for (int k = 0; k <= int(std::lround(plan.time / interval)); ++k) {
    while (stepper.time() < k * interval) {
      if (const StepReport report = stepper.step(k * interval); !report.ok()) throw std::runtime_error(stepper.explain(report));
    }
    auto& sample = centres.emplace_back();
    for (std::size_t b = 1; b < stepper.bodies().size(); ++b)
      sample.push_back(stepper.bodies()[std::size_t(start.mechanism().body(fmt::format("body{}", b)))].x);
  }
  return centres;
}

State start_of(const Mechanism& mechanism) {
  State start = tree::initial_state(mechanism);
  if (!tree::assemble(start, tree::given_by_model(mechanism)).assembled)
    throw std::runtime_error("the start of \"" + mechanism.name() + "\" does not fit");
  return start;
}

}  // namespace polhode::experiments::jets
