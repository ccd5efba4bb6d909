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

/// Two frames are one point of the x-z plane.
void join_in_plane(MechanismBuilder& builder, const std::string& a, const std::string& b) {
  builder.add_constraint({"", PointConstraintSpec{a, b, {1, 0, 0}}});
  builder.add_constraint({"", PointConstraintSpec{a, b, {0, 0, 1}}});
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
  const double I = 0.01 * o.mass * o.length * o.length;
  // Link a runs from its upper left to its lower right end, along x; link b the other way, along -x.
  for (int i = 1; i <= o.segments; ++i) {
    for (const bool is_a : {true, false}) {
      const double along = is_a ? o.length : -o.length, turn = (i == 1 ? 1 : 2) * (is_a ? o.angle : -o.angle);
      const std::string name = fmt::format("{}{}", is_a ? 'a' : 'b', i);
      // Each hangs from the end of the other kind of link above it.
      const std::string parent = i > 1 ? fmt::format("{}{}", is_a ? 'b' : 'a', i - 1) : is_a ? ground_name : "slider";
      builder.add_body({.name = name, .mass = {o.mass, {0.5 * along, 0, 0}, SymMat3<double>::diagonal({I, I, I})}});
      builder.add_joint(pin(name, parent, {i > 1 ? -along : 0, 0, 0}, name, {}));
      builder.add_frame({.name = name + ".middle", .body = name, .X_BF = at(0.5 * along, 0, 0)});
      builder.set_initial({.coordinate = name, .value = turn});
    }
    join_in_plane(builder, fmt::format("a{}.middle", i), fmt::format("b{}.middle", i));
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
