// The constraint point-on-cylinder against closed forms, by every method: unrolled, a cylinder is a plane.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/study/method_registry.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double radius = 0.5, turning = 2, rising = 3;  // [m], [rad/s], [m/s]

/// A bead on an upright cylinder that stands beside the origin.
Mechanism bead_on_a_column() {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = {.mass = 0.3}, .drawn_pose = at(2 + radius, 0, 0)});
  builder.add_frame({.name = "column", .body = ground_name, .X_BF = at(2, 0, -1)});
  builder.add_constraint({"", PointOnCylinderSpec{"column", "bead", radius}});
  builder.set_velocity({"bead", {{}, {0, radius * turning, rising}}});
  return builder.build();
}

// Nothing acts round the column, and gravity alone along it: round at constant speed, up and down as a stone.
TEST(PointOnCylinder, BeadGoesRoundUniformlyAndFallsFreelyByEveryMethod) {
  constexpr double time = 1.5;
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start_of(bead_on_a_column()), {.method = method, .time = time, .dt = 1e-3});
    const Vec3<double> expected{2 + radius * std::cos(turning * time), radius * std::sin(turning * time),
                                rising * time - 0.5 * standard_gravity * time * time};
    // Second-order steps of h turn by (turning h)^2/12 too much or too little of the angle, 1e-6 m in all.
    EXPECT_LT(norm(place(outcome.end, "bead") - expected), 2e-6);
  }
}

}  // namespace
}  // namespace polhode::study
