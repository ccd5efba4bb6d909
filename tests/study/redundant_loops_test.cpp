// Loops whose equations say nothing new, or nothing but the last digits that somebody wrote: they must change no motion.
#include <fmt/format.h>

#include "polhode/study/events.h"
#include "polhode/study/start.h"
#include "tests/study/validation.h"
#include "tests/support/random.h"

namespace polhode::study {
namespace {

/// A door on a hinge, and what else holds it: nothing, or a joint on the hinge's own line, `miss` beside it and askew by it.
/// The line is any one; the joints hold on to Ground, or to a body that swings.
struct Door {
  Vec3<double> place{0, -0.2, -0.7}, axis{0, 0.8, 0.6};
  double distance = 0.5, miss = 0;
  bool on_ground = true;

  std::string text(const std::string& second) const {
    const Vec3<double> across = std::abs(axis.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> at = place + distance * axis + miss * across, along = axis + miss * across;
    const char* const wall = on_ground ? "ground" : "\"wall\"";
    std::string model = "(system (body \"door\" (mass 1) (inertia 0.02 0.03 0.025) (com 0.2 0 0))";
    if (!on_ground)
      model +=
          "(body \"wall\" (mass 3) (inertia 0.2 0.3 0.25) (com 0.1 0.05 -0.2))"
          "(joint revolute \"swing\" ground \"wall\" (at 0.3 0.1 0.2) (axis 1 2 0.3))";
    model += fmt::format("(joint revolute \"hinge\" {} \"door\" (at {} {} {}) (axis {} {} {}))", wall, place.x, place.y,
                         place.z, axis.x, axis.y, axis.z);
    if (!second.empty())
      model += fmt::format("(joint {} \"second\" {} \"door\" (at {} {} {}) (axis {} {} {}))", second, wall, at.x, at.y, at.z,
                           along.x, along.y, along.z);
    return model + "(initial (\"hinge\" 0.4 1)))";
  }
};

State start_of_text(const std::string& text) { return tree::initial_state(format::read_model(text, "door.pol").mechanism); }

/// Steps small enough for the methods to agree to what is asked below.
SimulateOptions by(const std::string& method) {
  if (method == "tree-variational" || method == "maximal-variational")
    return {.method = method, .time = 1, .dt = 0.002, .options = {{"order", 4}}};
  return {.method = method, .time = 1, .options = {{"accuracy", 1e-9}}};
}

std::vector<double> angles_at_end(const std::string& text, const std::string& method) {
  const Outcome out = run(start_of_text(text), by(method));
  std::vector<double> angles{coordinate(out.end, "hinge"), speed(out.end, "hinge'")};
  if (text.find("swing") != std::string::npos) angles.push_back(coordinate(out.end, "swing"));
  return angles;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance);
}

class RedundantLoops : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, RedundantLoops,
                         ::testing::Values("tree-variational", "tree-projected", "maximal-variational", "maximal-projected"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Local errors of 1e-9 in some hundred steps, magnified by the motion of a second; order four in steps of 0.002 s leaves less.
constexpr double agreement = 1e-6;

TEST_P(RedundantLoops, ChangeNothingOnALineThatIsNoAxisOfGround) {
  for (const bool on_ground : {true, false}) {
    const Door door{.on_ground = on_ground};
    const auto open = angles_at_end(door.text(""), GetParam());
    for (const char* second : {"revolute", "cylindrical", "spherical"}) {
      SCOPED_TRACE(fmt::format("{} {}", second, on_ground ? "on Ground" : "on a body that swings"));
      expect_near(angles_at_end(door.text(second), GetParam()), open, agreement);
    }
  }
}

TEST_P(RedundantLoops, ChangeNothingOnRandomLines) {
  for (int seed = 1; seed <= (sanitized ? 3 : 20); ++seed) {
    SCOPED_TRACE(seed);
    testing_support::Random random{unsigned(seed)};
    const auto numbers = random.vector(7, 1);
    const Vec3<double> axis{numbers[0], numbers[1], numbers[2]};
    const Door door{.place = {numbers[3], numbers[4], numbers[5]},
                    .axis = (1 / norm(axis)) * axis,
                    .distance = numbers[6],
                    .on_ground = seed % 2 == 0};
    expect_near(angles_at_end(door.text("revolute"), GetParam()), angles_at_end(door.text(""), GetParam()), agreement);
  }
}

// The second hinge asks for what only the drawn pose has: by the last digits, which nobody meant.
TEST_P(RedundantLoops, ChangeNothingThatCanBeSeenWhereAxesMissEachOtherALittle) {
  const auto open = angles_at_end(Door{}.text(""), GetParam());
  for (const double miss : {3e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 4e-6, 1e-5}) {
    SCOPED_TRACE(miss);
    const std::string text = Door{.miss = miss}.text("revolute");
    State start = start_of_text(text);
    assemble_start(start);
    EXPECT_NEAR(coordinate(start, "hinge"), 0.4, 10 * miss);
    // Bodies of their own share what the hinges miss among all rows, so they turn about an axis that is off by as much.
    expect_near(angles_at_end(text, GetParam()), open, agreement + 10 * miss);
  }
}

/// A four-bar in a random plane, each number with so many digits. Axes are as long as chance has it, so that their directions
/// differ by the last digit.
std::string four_bar(int seed, int digits, double speed) {
  testing_support::Random random{unsigned(seed)};
  const auto numbers = random.vector(11, 1);
  const Vec3<double> given{numbers[0], numbers[1], numbers[2]}, other{numbers[3], numbers[4], numbers[5]};
  const Vec3<double> e1 = (1 / norm(given)) * given, across = cross(e1, other), e2 = (1 / norm(across)) * across,
                     e3 = cross(e1, e2);
  const auto text = [&](const Vec3<double>& v) {
    return fmt::format("{:.{}f} {:.{}f} {:.{}f}", v.x, digits, v.y, digits, v.z, digits);
  };
  const auto in_plane = [&](double x, double y) { return x * e1 + y * e3; };
  const Vec3<double> corners[] = {in_plane(0, 0), in_plane(0.15, 0.5), in_plane(1, 0.7), in_plane(1.1, -0.1)};
  std::string model = fmt::format("(system (gravity {})", text(in_plane(0, -9.81)));
  for (int i = 0; i < 3; ++i)
    model += fmt::format("(body \"b{}\" (mass 1) (inertia 0.05 0.06 0.07) (com {}))", i + 1,
                         text(0.5 * (corners[i] + corners[i + 1])));
  for (int i = 0; i < 4; ++i)
    model += fmt::format("(joint revolute \"j{}\" {} {} (at {}) (axis {}))", i, i == 0 ? "ground" : fmt::format("\"b{}\"", i),
                         i == 3 ? "ground" : fmt::format("\"b{}\"", i + 1), text(corners[i]),
                         text((1 + 0.4 * numbers[std::size_t(7 + i)]) * e2));
  return model + fmt::format("(initial (\"j0\" 0 {})))", speed);
}

// In space three of the rows that close it say what others say, but for the last digit.
TEST_P(RedundantLoops, MayBeWrittenWithFewDigits) {
  for (const double speed : {2.0, 0.0})
    for (int seed = 1; seed <= (sanitized ? 1 : 4); ++seed) {
      const Outcome exact = run(start_of_text(four_bar(seed, 15, speed)), by(GetParam()));
      for (const int digits : {5, 6, 9}) {
        SCOPED_TRACE(fmt::format("seed {}, {} digits, {} rad/s", seed, digits, speed));
        const Outcome rounded = run(start_of_text(four_bar(seed, digits, speed)), by(GetParam()));
        // Lengths, masses' places and gravity are off by half a digit each, and a second of the motion magnifies that.
        EXPECT_NEAR(coordinate(rounded.end, "j0"), coordinate(exact.end, "j0"), agreement + 30 * std::pow(10, -digits));
        EXPECT_NEAR(rounded.summary.energy_end - rounded.summary.energy_start,
                    exact.summary.energy_end - exact.summary.energy_start, agreement + 30 * std::pow(10, -digits));
      }
    }
}

/// An arm of two links in a loop with a third; two joints are turned by a quarter, however that is written.
std::string robot(const char* quarter, double speed) {
  return fmt::format(R"((system
    (rx {0} (rz "a" (name "A") (tx 0.25 (mass 1 0.01 0.1 0.1))
      (tx 0.5 (rx -{0} (ry "b" (name "B") (tz 0.5 (mass 1 0.1 0.1 0.01)))))))
    (tz 0.8 (tx -0.3 (rx -{0} (rz "c" (name "C") (tx 0.4 (mass 1 0.01 0.1 0.1))))))
    (joint revolute "close" "B" "C" (at 0.5 0 1) (axis 0 1 0)) (initial ("a" 0 {1}))))",
                     quarter, speed);
}

TEST_P(RedundantLoops, OfRobotsMayHaveAnglesOfFiveDigits) {
  for (const double speed : {1.0, 0.0}) {
    SCOPED_TRACE(speed);
    const Outcome exact = run(start_of_text(robot("1.5707963267948966", speed)), by(GetParam()));
    for (const char* quarter : {"1.5708", "1.570796", "1.57079633"}) {
      SCOPED_TRACE(quarter);
      const Outcome rounded = run(start_of_text(robot(quarter, speed)), by(GetParam()));
      EXPECT_NEAR(coordinate(rounded.end, "a"), coordinate(exact.end, "a"), 1e-4);  // 30 times the angle's error
      EXPECT_NEAR(rounded.summary.energy_end, exact.summary.energy_end, 1e-4);
    }
  }
}

// Bricard's linkage with a controller, which reads a speed and sets a force every hundredth of a second: the methods go on from
// states that are on the constraints but for what the last step left.
TEST_P(RedundantLoops, CanBeControlled) {
  const State start = start_of(load("bricard"));
  const Event controller{"controller", EveryPeriod{0.01, 0}, [](State& state) {
                           state.set_applied_force(0, -0.5 * state.u()[0]);
                           return EventAction{};
                         }};
  const auto end = [&](SimulateOptions options) {
    options.time = options.interval.emplace(1.5);
    State last = start;
    const SimulateSummary summary = simulate(start, options, [&](const State& state) { last = state; }, {}, {controller});
    EXPECT_TRUE(summary.completed) << summary.failure;
    return coordinate(last, "p1");
  };
  EXPECT_NEAR(end(by(GetParam())), end(projected(1.5, 1e-11)), 1e-5);
}

}  // namespace
}  // namespace polhode::study
