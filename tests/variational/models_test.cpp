// Mechanisms of the literature, through time: published numbers, at second order.
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

/// Errors of some numbers at the end of runs with steps of h and h/2, from what they converge to.
struct Halved {
  double coarse, fine;
  double ratio() const { return coarse / fine; }
};
template <class Read>
Halved halved(const State& start, double t, double h, const std::vector<double>& exact, const Read& read) {
  const auto error = [&](double step) {
    const std::vector<double> found = read(end_of_run(start, t, {.step = step}));
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) worst = std::max(worst, std::abs(found[i] - exact[i]));
    return worst;
  };
  return {error(h), error(h / 2)};
}
std::vector<double> in_plane(const Vec3<double>& p) { return {p.x, p.z}; }

/// The device of Listing 1 at the start of shared/peers/README.md, section 4.
State device() {
  State state(load("closed_chain_device"));
  const std::pair<const char*, double> start[] = {
      {"J", -0.62255204},         {"K", 0.09570229},         {"A", 0.03672044},        {"H", 1.3475745936717858},
      {"M", -1.3423373429748695}, {"C", 1.2814322989550011}, {"E", 0.9280924516529816}};
  for (const auto& [name, value] : start) state.set_q(state.mechanism().coordinate(name), value);
  return state;
}

// Simbody at accuracy 1e-9, confirmed by three other programs, to the six digits given.
TEST(Models, ClosedChainDeviceConvergesToTheMotionOfOtherPrograms) {
  const State start = device();
  const int O2 = start.mechanism().frame("O2");
  const auto read = [&](const State& s) { return in_plane(s.frame_pose(O2).p); };
  const Halved after_1 = halved(start, 1, 0.004, {-0.434993, -2.790855}, read);
  EXPECT_NEAR(after_1.ratio(), 4, 0.4) << after_1.coarse << ", " << after_1.fine;
  const Halved after_3 = halved(start, 3, 0.004, {-0.940156, -2.845977}, read);
  EXPECT_NEAR(after_3.ratio(), 4, 0.4) << after_3.coarse << ", " << after_3.fine;
  EXPECT_LT(after_3.fine, 1e-3);
}

TEST(Models, ClosedChainDeviceKeepsItsEnergyAndLoopsForTwoMinutes) {
  const State start = device();
  const Mechanism& m = start.mechanism();
  TreeVariational stepper = started(start, {.step = 0.01});
  State state = reached(stepper, m);
  const double before = state.energy(), range = 11.3211;
  EXPECT_NEAR(before, -98.8634002280341, 1e-6);  // the coordinates are given to 8 digits
  tree::Workspace w(m);
  double low = 0, high = 0, last = 0, gap = 0, early = 0, early_low = 0, early_high = 0;
  int steps = 0, samples = 0;
  ASSERT_TRUE(run(stepper, 120, [&] {
    stepper.get(state);
    tree::realize(state, w, Stage::velocity);
    const double error = state.energy() - before;
    low = std::min(low, error), high = std::max(high, error);
    if (++steps > 12000 - 1200) last += error, ++samples;
    if (steps <= 2000) early += error, early_low = low, early_high = high;
    for (const auto& [a, b] : {std::pair{"G", "G2"}, {"O", "O2"}})
      gap = std::max(gap, norm(state.frame_pose(m.frame(a)).p - state.frame_pose(m.frame(b)).p));
  }));
  EXPECT_EQ(stepper.statistics().steps, 12000);
  EXPECT_LT(gap, 1e-10);
  // In the first 20 s, where the motion is the same for every tolerance: mean within 0.1 %, swing as the literal
  // algorithm's 1.1 %.
  EXPECT_LT(std::abs(early / 2000), 0.001 * range);
  EXPECT_LT(early_high - early_low, 0.015 * range);
  // At the end it is chance: with tolerances 1e-9 to 1e-13 the means of the last 12 s were 0.04, -0.005, -0.19, -0.39, 0.11 %.
  EXPECT_LT(std::abs(last / samples), 0.01 * range);
  // The motion is chaotic: this and Johnson & Murphey's literal algorithm are 1e-5 apart after 20 s and far apart after 60 s,
  // and the widest swing comes with the fastest moment of whichever motion it is. Energies at the ends of steps: the literal
  // algorithm's span is 1.8 % in these 120 s, ours 3.7 %; in the first 20 s, where the motions agree, both are 1.1 %.
  EXPECT_LT(high - low, 0.06 * range) << "from " << low << " to " << high;
}

// The exact solution of its one-degree Lagrangian. The links stand upright, where the constraints lose rank, six times in 10 s.
TEST(Models, ScissorLiftFollowsItsOneDegreeLagrangian) {
  const State start = tree::initial_state(load("scissor_lift"));
  const std::size_t slider = std::size_t(start.mechanism().coordinate("slider"));
  const auto read = [&](const State& s) { return std::vector<double>{s.q()[slider]}; };
  const Halved after_1 = halved(start, 1, 0.002, {-0.786199675842}, read);
  EXPECT_NEAR(after_1.ratio(), 4, 0.3) << after_1.coarse << ", " << after_1.fine;
  const Halved after_10 = halved(start, 10, 0.002, {0.643647153921}, read);
  EXPECT_NEAR(after_10.ratio(), 4, 0.6) << after_10.coarse << ", " << after_10.fine;
  EXPECT_LT(after_10.fine, 1e-3);
}

TEST(Models, SqueezerConvergesToThePublishedStateAtThirtyMilliseconds) {
  const State start = tree::initial_state(load("andrews"));
  const Mechanism& m = start.mechanism();
  const char* const names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  const std::vector<double> q{15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                              0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const std::vector<double> q_dot{1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                                  0.5735699284790808, -19.29337464421385, 0.3231791658026955};
  const auto by_name = [&](std::span<const double> values) {
    std::vector<double> out;
    for (const char* name : names) out.push_back(values[std::size_t(m.coordinate(name))]);
    return out;
  };
  const Halved angles = halved(start, 0.03, 1e-5, q, [&](const State& s) { return by_name(s.q()); });
  EXPECT_NEAR(angles.ratio(), 4, 0.2) << angles.coarse << ", " << angles.fine;
  EXPECT_LT(angles.fine, 1e-3);
  const Halved rates = halved(start, 0.03, 1e-5, q_dot, [&](const State& s) { return by_name(s.u()); });
  EXPECT_NEAR(rates.ratio(), 4, 0.2) << rates.coarse << ", " << rates.fine;
}

// Extrapolated from published runs: seven digits. When the bars lie flat the mechanism gains freedoms for an instant.
TEST(Models, FourBarsComeToThePublishedPlaceAfterTenSeconds) {
  const State start = tree::initial_state(load("four_bars"));
  const int B0 = start.mechanism().frame("B0");
  const auto read = [&](const State& s) {
    std::vector<double> all = in_plane(s.frame_pose(B0).p);
    for (const double v : in_plane(s.frame_velocity(B0).linear)) all.push_back(v);
    return all;
  };
  const Halved end = halved(start, 10, 0.002, {0.3284581, 0.9445185, 1.4230514, -0.4948688}, read);
  EXPECT_NEAR(end.ratio(), 4, 0.4) << end.coarse << ", " << end.fine;
  EXPECT_LT(end.fine, 1e-3);
}

// Four published digits; a quaternion and its opposite are the same orientation.
TEST(Models, HeavyTopTurnsToThePublishedOrientation) {
  const State start = tree::initial_state(load("heavy_top"));
  const State end = end_of_run(start, 0.2, {.step = 5e-5});
  const double sign = end.q()[0] < 0 ? 1 : -1;
  const double published[] = {-0.70828, 0.43878, 0.54573, 0.0894};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(sign * end.q()[std::size_t(i)], published[i], 1e-4) << i;
}

TEST(Models, BricardKeepsItsEnergyWithOneRowTooMany) {
  const State start = tree::initial_state(load("bricard"));
  TreeVariational stepper = started(start, {.step = 0.005});
  const double before = reached(stepper, start.mechanism()).energy(), range = 5 * 9.81;
  double worst = 0, gap = 0;
  ASSERT_TRUE(run(stepper, 10, [&] {
    worst = std::max(worst, std::abs(reached(stepper, start.mechanism()).energy() - before));
    gap = std::max(gap, stepper.constraint_error());
  }));
  EXPECT_LT(gap, 1e-10);
  EXPECT_LT(worst, 0.002 * range);
  EXPECT_LT(std::abs(reached(stepper, start.mechanism()).energy() - before), 0.002 * range);
}

/// A four-bar of pins about y; the pin between coupler and rocker closes the loop with five rows, or with the two that a plane
/// needs. Both have the same tree, so the same coordinates.
Mechanism four_bar(bool spatial) {
  MechanismBuilder builder;
  const Vec3<double> A{0, 0, 0}, B{0, 0, 1}, C{1.6, 0, 1.6}, D{2, 0, 0};
  const auto add = [&](const std::string& name, const std::string& parent, const Vec3<double>& from, const Vec3<double>& to) {
    builder.add_body({.name = name, .mass = MassProperties::rod(1, to - from), .drawn_pose = at(from.x, from.y, from.z)});
    builder.add_frame({.name = name + " end", .body = name, .X_BF = at(to.x - from.x, 0, to.z - from.z)});
    builder.add_joint({.name = name,
                       .parent = parent,
                       .child = name,
                       .placement = DrawnPlacement{.at = from, .axis = Vec3<double>{0, 1, 0}}});
  };
  add("crank", ground_name, A, B);
  add("coupler", "crank", B, C);
  add("rocker", ground_name, D, C);
  if (spatial) {
    builder.add_joint({.name = "knee",
                       .parent = "coupler",
                       .child = "rocker",
                       .placement = DrawnPlacement{.at = C, .axis = Vec3<double>{0, 1, 0}}});
  } else {
    builder.add_constraint({"", PointConstraintSpec{"coupler end", "rocker end", {1, 0, 0}}});
    builder.add_constraint({"", PointConstraintSpec{"coupler end", "rocker end", {0, 0, 1}}});
  }
  builder.set_initial({.coordinate = "crank", .speed = 2});
  return builder.build();
}

// Three of the five rows only say that a plane is a plane: they push nothing, and the motion is that of the other two.
TEST(Models, PlanarLoopOfSpatialPinsMovesAsWithIndependentRows) {
  std::vector<double> q[2], pull[2];
  for (const bool spatial : {false, true}) {
    State start = tree::initial_state(four_bar(spatial));
    ASSERT_TRUE(tree::assemble(start).assembled);
    TreeVariational stepper = started(start, {.step = 0.01});
    ASSERT_TRUE(run(stepper, 3));
    EXPECT_LT(stepper.constraint_error(), 1e-11);
    q[spatial].assign(stepper.q().begin(), stepper.q().end());
    pull[spatial].assign(stepper.multipliers().begin(), stepper.multipliers().end());
  }
  EXPECT_TRUE(testing_support::near(q[1], q[0], 1e-9));
  ASSERT_EQ(pull[1].size(), 5u);
  // Along what axes the pin's rows are is its own business: the force is the same, and nothing else is there.
  const auto length = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double a : x) sum += a * a;
    return std::sqrt(sum);
  };
  EXPECT_GT(length(pull[0]), 1);
  EXPECT_NEAR(length(pull[1]), length(pull[0]), 1e-6 * length(pull[0]));
}

// Of all tensions that do the same, the least squares ones: two equal wires share the load, and so do three.
TEST(Models, RedundantWiresShareTheLoad) {
  const auto tensions = [](int wires) {
    MechanismBuilder builder;
    builder.add_body({.name = "bob", .mass = MassProperties::box(1, {0.2, 0.3, 0.4})});
    builder.add_joint({.name = "float", .model = Free{}, .child = "bob"});
    builder.add_frame({.name = "nail", .body = ground_name, .X_BF = at(0, 0, 1)});
    for (int i = 0; i < wires; ++i) builder.add_constraint({"wire" + std::to_string(i), WireSpec{"nail", "bob", 1}});
    builder.set_initial({.coordinate = "float.x", .speed = 1});
    State start = tree::initial_state(builder.build());
    start.set_u(3, 1);
    TreeVariational stepper = started(start, {.step = 0.01});
    run(stepper, 0.5);
    return std::vector<double>(stepper.multipliers().begin(), stepper.multipliers().end());
  };
  const double one = tensions(1)[0];
  EXPECT_GT(std::abs(one), 1);
  for (const int wires : {2, 3})
    for (const double tension : tensions(wires)) EXPECT_NEAR(tension, one / wires, 1e-8 * std::abs(one));
}

}  // namespace
}  // namespace polhode::variational
