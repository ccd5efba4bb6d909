#include "twins.h"

#include <algorithm>

#include "polhode/mechanism/builder.h"
#include "polhode/study/sweep.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "polhode_subject.h"
#include "problems.h"

namespace polhode::bench {
namespace {

void measure(Twin& twin, const State& state, const State& other, double time, int rounds) {
  twin.rows = tree::Constraints(state.mechanism()).num_rows();
  twin.twin_rows = tree::Constraints(other.mechanism()).num_rows();
  const ProjectedSettings settings{"merson", 1e-6, time};
  twin.finished = true;
  for (int round = 0; round < rounds; ++round) {
    const ProjectedRun a = run_from(state, settings), b = run_from(other, settings);
    twin.finished = twin.finished && a.finished && b.finished;
    const double mine = a.seconds / double(a.steps), theirs = b.seconds / double(b.steps);
    twin.seconds_per_step = round == 0 ? mine : std::min(twin.seconds_per_step, mine);
    twin.twin_seconds_per_step = round == 0 ? theirs : std::min(twin.twin_seconds_per_step, theirs);
  }
}

/// A disk of 2 kg and 0.2 m that leans by 20 degrees and rolls in a circle of 0.6 m (models/rolling_disk.pol); or the same disk
/// hung up at the point of its rim where it touched: as many rows, all of them holonomic.
State disk(bool rolls) {
  constexpr double radius = 0.2, lean = 1.2217304763960306;  // of the axle, from the vertical: 70 degrees
  MechanismBuilder builder;
  const Transform<double> drawn{rotation_y(lean), {0.5315959713348662, 0, 0.1879385241571817}};
  builder.add_body({"disk", {2, {}, SymMat3<double>::diagonal({0.02, 0.02, 0.04})}, drawn});
  if (rolls) {
    builder.add_constraint({"", RollingDiskSpec{"disk", ground_name, radius}});
    builder.set_velocity({"disk", {{-5.902422687336383, 0, -0.05456382570766438}, {0, 1.1130249943076524, 0}}});
  } else {
    const Vec3<double> rim{radius, 0, 0};  // the lowest point
    builder.add_frame({"rim", "disk", {Mat3<double>::identity(), rim}});
    builder.add_frame({"nail", ground_name, {Mat3<double>::identity(), drawn * rim}});
    builder.add_constraint({"", CoincidentPointsSpec{"rim", "nail"}});
  }
  return tree::initial_state(builder.build());
}

/// Chaplygin's sleigh (models/chaplygin_sleigh.pol); or the same body on the ice with its origin on a straight rail.
State sleigh(bool on_blade) {
  MechanismBuilder builder;
  builder.add_body({"sleigh", {1, {0.2, 0, 0}, SymMat3<double>::diagonal({0.02, 0.04, 0.05})}});
  builder.add_joint({.name = "ice", .model = Planar{}, .child = "sleigh"});
  if (on_blade) {
    builder.add_constraint({"", NoSlipSpec{"sleigh", "sleigh", ground_name, {0, 1, 0}}});
  } else {
    builder.add_constraint({"", PointInPlaneSpec{ground_name, "sleigh", {0, 1, 0}}});
  }
  builder.set_initial({"ice.angle", 0, 2});
  builder.set_initial({"ice.x", 0, -1});
  return tree::initial_state(builder.build());
}

}  // namespace

std::vector<Twin> compare_twins(int rounds) {
  using Kind = LoopClosure::Kind;
  std::vector<Twin> twins;
  const auto compare = [&](std::string name, const State& state, const State& other, double time) {
    measure(twins.emplace_back(Twin{std::move(name)}), state, other, time, rounds);
  };
  compare("four-bar: pins / two planes", start_of(crank_rocker(Kind::pin)), start_of(crank_rocker(Kind::planar)), 10);
  compare("10 four-bars: pins / two planes", start_of(four_bars(10, Kind::pin)), start_of(four_bars(10, Kind::planar)), 1);
  compare("Bricard: 5 rows / 4 rows", start_of(bricard(Kind::pin)), start_of(bricard(Kind::free_pin)), 1);
  compare("disk: rolling / hung at its rim", disk(true), disk(false), 10);
  compare("sleigh: on a blade / on a rail", sleigh(true), sleigh(false), 10);
  return twins;
}

SweepTimes time_sweep(long runs, int rounds) {
  const study::Plan plan({{"angle", 0.1, 1.5, runs}}, {}, 0, 1);
  const LoopProblem chain = projected_chain(10);
  const auto start = [&](std::span<const double> values) {
    LoopProblem problem = chain;
    problem.links[0].q[0] = values[0];
    return start_of(problem);
  };
  study::SweepOptions options;
  options.simulate = {.method = "tree-projected", .time = 5, .options = {{"integrator", "merson"}, {"accuracy", 1e-6}}};
  SweepTimes times{runs};
  for (int round = 0; round < rounds; ++round) {
    options.threads = 1;
    const study::SweepResult one = study::sweep(plan, start, options);
    options.threads = 2;
    const study::SweepResult two = study::sweep(plan, start, options);
    times.one = round == 0 ? one.wall_time : std::min(times.one, one.wall_time);
    times.two = round == 0 ? two.wall_time : std::min(times.two, two.wall_time);
    times.same = std::equal(one.runs.begin(), one.runs.end(), two.runs.begin(), two.runs.end(),
                            [](const auto& a, const auto& b) { return a.energy_end == b.energy_end && a.steps == b.steps; });
  }
  return times;
}

}  // namespace polhode::bench
