#include "parametric.h"

#include <fmt/format.h>

#include <cmath>

namespace polhode::cli {
namespace {

constexpr double pi = 3.14159265358979323846;

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

/// A rod that hangs down from the body's origin.
MassProperties hanging_rod(double mass, double length) {
  const double I = mass * length * length / 12;
  return {mass, {0, 0, -0.5 * length}, SymMat3<double>::diagonal({I, I, 0.12 * I})};
}

/// A pin about y at a place of the drawing.
JointSpec drawn_pin(std::string name, std::string parent, std::string child, const Vec3<double>& p) {
  return {.name = std::move(name),
          .parent = std::move(parent),
          .child = std::move(child),
          .placement = DrawnPlacement{.at = p, .axis = y_axis}};
}

}  // namespace

MechanismBuilder chain(const ChainOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("chain of {} links, {} joints", o.links, o.joint);
  const MassProperties link = hanging_rod(o.mass, o.length);
  const bool ball = o.joint != "revolute";
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

MechanismBuilder closed_chain(const ClosedChainOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("closed chain of {} links, {} joints", o.links, o.joint);
  const auto joint = [&](int i, std::string parent, std::string child, const Vec3<double>& p) {
    JointSpec spec = drawn_pin(fmt::format("joint{}", i), std::move(parent), std::move(child), p);
    if (o.joint != "revolute") {
      spec.model = Ball{};
      spec.placement = DrawnPlacement{.at = p};
    }
    builder.add_joint(std::move(spec));
  };
  Vec3<double> p{};
  for (int i = 1; i <= o.links; ++i) {
    // The way down, round and up: directions from -90 to 90 degrees, and the line between the ends at 0, before it is turned.
    const double direction = o.angle + pi * ((i - 0.5) / o.links - 0.5);
    const std::string name = fmt::format("link{}", i);
    builder.add_body(
        {.name = name, .mass = hanging_rod(o.mass, o.length), .drawn_pose = {rotation_y(-0.5 * pi - direction), p}});
    joint(i, i == 1 ? ground_name : fmt::format("link{}", i - 1), name, p);
    p += o.length * Vec3<double>{std::cos(direction), 0, std::sin(direction)};
  }
  joint(o.links + 1, fmt::format("link{}", o.links), ground_name, p);
  builder.add_frame({.name = "middle", .body = fmt::format("link{}", (o.links + 1) / 2), .X_BF = at(0, 0, -o.length)});
  return builder;
}

MechanismBuilder four_bar_chain(const FourBarChainOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("chain of {} four-bars", o.segments);
  const double half = std::asin(0.6), L = o.length;
  for (int i = 1; i <= o.segments; ++i) {
    const double top = -1.6 * L * (i - 1);
    const Vec3<double> left{-0.6 * L, 0, top - 0.8 * L}, right{0.6 * L, 0, top - 0.8 * L}, bottom{0, 0, top - 1.6 * L};
    const auto rod = [&](const char* kind, const Vec3<double>& from, double angle) {
      const std::string name = fmt::format("{}{}", kind, i);
      builder.add_body({.name = name, .mass = hanging_rod(o.mass, L), .drawn_pose = {rotation_y(angle), from}});
      return name;
    };
    const std::string a = rod("a", {0, 0, top}, half), b = rod("b", {0, 0, top}, -half);
    const std::string c = rod("c", left, -half), d = rod("d", right, half);
    const std::string above = i == 1 ? ground_name : fmt::format("c{}", i - 1);
    builder.add_joint(drawn_pin("top " + a, above, a, {0, 0, top}));
    builder.add_joint(drawn_pin("top " + b, above, b, {0, 0, top}));
    builder.add_joint(drawn_pin(fmt::format("left{}", i), a, c, left));
    builder.add_joint(drawn_pin(fmt::format("right{}", i), b, d, right));
    builder.add_joint(drawn_pin(fmt::format("bottom{}", i), c, d, bottom));
  }
  builder.add_frame({.name = "tip", .body = fmt::format("c{}", o.segments), .X_BF = at(0, 0, -L)});
  builder.set_initial({.coordinate = "top a1", .value = o.angle});
  builder.set_initial({.coordinate = "top b1", .value = o.angle});
  return builder;
}

}  // namespace polhode::cli
