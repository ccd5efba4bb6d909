#include "parametric.h"

#include <fmt/format.h>

#include <cmath>

namespace polhode::cli {
namespace {

// Axes of a joint's frames on a body: the joint's z axis lies along the body's y, or along its x.
constexpr Mat3<double> pin_about_y{{Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
constexpr Mat3<double> slide_along_x{{Vec3<double>{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};

/// A pin about y, its frames at the given places on the two bodies.
JointSpec pin(std::string name, std::string parent, const Vec3<double>& on_parent, std::string child,
              const Vec3<double>& on_child) {
  return {.name = std::move(name),
          .parent = std::move(parent),
          .child = std::move(child),
          .placement = LocalPlacement{{pin_about_y, on_parent}, {pin_about_y, on_child}}};
}

/// Two frames are one point of the x-z plane. In the axes of the first, so that only the joints between the two matter.
void join_in_plane(MechanismBuilder& builder, const std::string& a, const std::string& b) {
  builder.add_constraint({"", PointInPlaneSpec{a, b, {1, 0, 0}}});
  builder.add_constraint({"", PointInPlaneSpec{a, b, {0, 0, 1}}});
}

}  // namespace

MechanismBuilder chain(const ChainOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("chain of {} links, {} joints", o.links, o.joint);
  const double I = o.mass * o.length * o.length / 12;
  const MassProperties link{o.mass, {0, 0, -0.5 * o.length}, SymMat3<double>::diagonal({I, I, 0.12 * I})};
  const bool ball = o.joint == "spherical";
  const Mat3<double> axes = ball ? Mat3<double>::identity() : pin_about_y;
  for (int i = 0; i < o.links; ++i) {
    const std::string name = fmt::format("link{}", i + 1);
    builder.add_body({.name = name, .mass = link});
    JointSpec joint{.name = fmt::format("joint{}", i + 1),
                    .parent = i == 0 ? ground_name : fmt::format("link{}", i),
                    .child = name,
                    .placement = LocalPlacement{{axes, {0, 0, i == 0 ? 0 : -o.length}}, {axes, {}}}};
    if (ball) joint.model = Ball{};
    builder.add_joint(std::move(joint));
  }
  builder.add_frame({.name = "tip", .body = fmt::format("link{}", o.links), .X_BF = at(0, 0, -o.length)});
  if (ball) {
    builder.set_initial({.coordinate = "joint1.qw", .value = std::cos(0.5 * o.angle)});
    builder.set_initial({.coordinate = "joint1.qy", .value = std::sin(0.5 * o.angle)});
  } else {
    builder.set_initial({.coordinate = "joint1", .value = o.angle});
  }
  return builder;
}

MechanismBuilder scissor_lift(const ScissorLiftOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("scissor lift of {} segments", o.segments);
  builder.add_body({.name = "slider", .mass = MassProperties::particle(o.mass, {})});
  builder.add_joint({.name = "slider",
                     .model = Prismatic{},
                     .child = "slider",
                     .placement = LocalPlacement{{slide_along_x, {}}, {slide_along_x, {}}}});
  builder.set_initial({.coordinate = "slider", .value = o.length * std::cos(o.angle)});
  const double I = 0.01 * o.mass * o.length * o.length, half = 0.5 * o.length;
  const SymMat3<double> inertia = SymMat3<double>::diagonal({I, I, I});
  // Link a runs from its upper left end, along x, and link b from its upper right end, along -x. Link b hangs on the middle of
  // its a, and the next a on the lower end of b, so that the loops between neighbours are short.
  for (int i = 1; i <= o.segments; ++i) {
    const std::string a = fmt::format("a{}", i), b = fmt::format("b{}", i), above_a = fmt::format("b{}", i - 1);
    builder.add_body({.name = a, .mass = {o.mass, {half, 0, 0}, inertia}});
    builder.add_body({.name = b, .mass = {o.mass, {-half, 0, 0}, inertia}});
    builder.add_joint(i == 1 ? pin(a, ground_name, {}, a, {}) : pin(a, above_a, {-o.length, 0, 0}, a, {}));
    builder.add_joint(pin(b, a, {half, 0, 0}, b, {-half, 0, 0}));
    builder.add_frame({.name = a + ".end", .body = a, .X_BF = at(o.length, 0, 0)});
    join_in_plane(builder, i == 1 ? "slider" : fmt::format("a{}.end", i - 1), b);
    builder.set_initial({.coordinate = a, .value = (i == 1 ? 1 : 2) * o.angle});
    builder.set_initial({.coordinate = b, .value = -2 * o.angle});
  }
  return builder;
}

MechanismBuilder four_bars(const FourBarsOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("{} four-bars", o.segments);
  const double L = o.length, rate = o.speed / L;
  const auto body = [](const char* kind, int i) { return fmt::format("{}{}", kind, i); };
  const auto drawn_pin = [](std::string name, std::string parent, std::string child, const Vec3<double>& p) {
    return JointSpec{.name = std::move(name),
                     .parent = std::move(parent),
                     .child = std::move(child),
                     .placement = DrawnPlacement{.at = p, .axis = y_axis}};
  };
  for (int i = 0; i <= o.segments; ++i) {
    const MassProperties arm = MassProperties::rod(o.mass, {0, 0, L});
    builder.add_body({.name = body("arm", i), .mass = arm, .drawn_pose = at(i * L, 0, 0)});
    builder.add_joint(drawn_pin(body("foot", i), ground_name, body("arm", i), {i * L, 0, 0}));
    builder.set_initial({.coordinate = body("foot", i), .speed = rate});
  }
  for (int i = 1; i <= o.segments; ++i) {
    const MassProperties bar = MassProperties::rod(o.mass, {L, 0, 0});
    builder.add_body({.name = body("bar", i), .mass = bar, .drawn_pose = at((i - 1) * L, 0, L)});
    builder.add_joint(drawn_pin(body("left", i), body("arm", i - 1), body("bar", i), {(i - 1) * L, 0, L}));
    builder.set_initial({.coordinate = body("left", i), .speed = -rate});
    if (o.loops == "pins") {
      builder.add_joint(drawn_pin(body("right", i), body("bar", i), body("arm", i), {i * L, 0, L}));
    } else {
      builder.add_frame({.name = body("C", i), .body = body("bar", i), .X_BF = at(L, 0, 0)});
      builder.add_frame({.name = body("B", i), .body = body("arm", i), .X_BF = at(0, 0, L)});
      join_in_plane(builder, body("C", i), body("B", i));
    }
  }
  builder.add_frame({.name = "B0", .body = "arm0", .X_BF = at(0, 0, L)});
  return builder;
}

}  // namespace polhode::cli
