#include <cmath>

#include "tests/support/random_classes.h"

namespace polhode::testing_support {
namespace {

Signal signal_from(Random& random, double start) {
  const double amplitude = random.uniform(0.2, 0.6), phase = random.uniform(-2, 2);
  if (random.chance(0.3)) return Signal::polynomial({start, random.uniform(-1, 1), random.uniform(-1, 1)});
  return Signal::sine(amplitude, random.uniform(1, 5), phase, start - amplitude * std::sin(phase));
}

/// A chain or a tree of hinges and sliders; the joints.
std::vector<std::string> scalar_tree(Sketch& s, int bodies) {
  std::vector<std::string> all{ground_name}, joints;
  for (int b = 0; b < bodies; ++b) {
    const std::string child = s.rigid(s.anywhere()), parent = all[std::size_t(s.random.index(int(all.size())))];
    const JointModel model = s.random.chance(0.75) ? JointModel(Revolute{}) : JointModel(Prismatic{});
    joints.push_back(s.turned_joint(model, parent, child, s.random.transform(0.7)));
    all.push_back(child);
  }
  return joints;
}

/// A ring of four pins in a random plane on Ground; the joints. `coupler` is the second body's matter.
std::vector<std::string> four_bar(Sketch& s, bool massless_coupler) {
  const Transform<double> X = s.random.transform(0.5);
  const auto near = [&](double x, double y) {
    return X * Vec3<double>{x + s.random.uniform(-0.1, 0.1), y + s.random.uniform(-0.1, 0.1), 0};
  };
  const Vec3<double> p[] = {near(0, 0), near(0.1, 0.5), near(0.7, 0.7), near(0.8, 0)};
  const std::string coupler = massless_coupler ? s.massless(0.5 * (p[1] + p[2])) : s.rigid(0.5 * (p[1] + p[2]));
  const std::string ring[] = {ground_name, s.rigid(p[0]), coupler, s.rigid(p[3]), ground_name};
  std::vector<std::string> joints;
  for (int k = 0; k < 4; ++k)
    joints.push_back(s.turned_joint(Revolute{}, ring[k], ring[k + 1], frame_along(s.random, p[k], X.R.col[2])));
  return joints;
}

void add_coordinate_force(Sketch& s, const std::string& joint) {
  Random& r = s.random;
  const double rest = s.coordinates(joint)[0] + r.uniform(-0.5, 0.5);
  switch (r.index(6)) {
    case 0: s.builder.add_force({CoordinateSpringSpec{joint, r.uniform(1, 10), rest}}); break;
    case 1:
      s.builder.add_force({CoordinateDampingSpec{joint, r.uniform(0.1, 1), r.chance(0.5) ? r.uniform(0.1, 0.5) : 0}});
      break;
    case 2: {
      const double force = r.uniform(-3, 3);
      if (force > 0) {
        s.builder.add_force({CoordinateForceSpec{joint, force}});
      } else {
        const std::string input = joint + " input " + std::to_string(s.builder.inputs().size());
        s.builder.add_input({input, 0.5 * force, {-1.5, 1.5}});
        s.builder.add_force(
            {MotorSpec{.name = input + " drive", .coordinate = joint, .gear = 2, .range = {-2.5, 2.5}, .input = input}});
      }
      break;
    }
    case 3:
      s.builder.add_force({CoordinateInputSpec{joint, Signal::sine(r.uniform(1, 3), r.uniform(2, 9), r.uniform(-1, 1))}});
      break;
    case 4:
      s.builder.add_force(
          {NonlinearCoordinateSpringSpec{joint, rest, ForceLaw::polynomial({r.uniform(1, 5), 0, r.uniform(1, 5)})}});
      break;
    default: s.builder.add_force({CoordinateSpringSpec{joint, r.uniform(10, 100), rest}});
  }
}

void add_body_force(Sketch& s) {
  Random& r = s.random;
  const std::string body = s.any_body();
  switch (r.index(5)) {
    case 0: s.builder.add_force({BodyForceSpec{body, r.vec3(3), r.vec3(1), false}}); break;
    case 1: s.builder.add_force({BodyForceSpec{body, r.vec3(3), r.vec3(1), true}}); break;
    case 2: {
      FrameWrenchSpec wrench{
          .frame = s.frame(body, s.anywhere()), .components = WrenchComponents::body, .force = {}, .torque = {}};
      for (Signal& f : wrench.force) f = Signal::sine(r.uniform(-3, 3), r.uniform(2, 9), r.uniform(-1, 1));
      for (Signal& f : wrench.torque) f = Signal::constant(r.uniform(-1, 1));
      s.builder.add_force({wrench});
      break;
    }
    default: {
      const std::string a = s.frame(r.chance(0.5) ? ground_name : s.any_body(), s.anywhere()), b = s.frame(body, s.anywhere());
      const double length = norm(s.place(a) - s.place(b)) * r.uniform(0.6, 1.3),
                   damping = r.chance(0.5) ? r.uniform(0.1, 1) : 0;
      if (r.chance(0.5)) {
        s.builder.add_force({PointSpringSpec{a, b, r.uniform(5, 50), length, damping}});
      } else {
        s.builder.add_force({NonlinearSpringSpec{a, b, length, ForceLaw::polynomial({r.uniform(5, 20), 0, 10}), damping}});
      }
    }
  }
}

Law constant(double x) { return Law::constant(x); }
Law sine(const Law& x) { return Law::apply(Law::Code::sine, {x}); }

/// A force by law that depends on the coordinates and speeds of two joints, smoothly.
void add_law(Sketch& s, const std::string& a, const std::string& b) {
  Random& r = s.random;
  const Law q_a = Law::of(Law::Kind::coordinate, a), q_b = Law::of(Law::Kind::coordinate, b);
  const Law u_a = Law::of(Law::Kind::speed, a), u_b = Law::of(Law::Kind::speed, b);
  const double rest = s.coordinates(a)[0] + r.uniform(-0.5, 0.5), k = r.uniform(1, 100), c = r.uniform(0.1, 1);
  switch (r.index(5)) {
    case 0:
      s.builder.add_force(
          {LawForceSpec{a, constant(-k) * (q_a - constant(rest)) - constant(c) * u_a + constant(2) * sine(q_b)}});
      break;
    case 1: {
      const Law pull = constant(-0.1 * k) * (q_a + q_b - constant(rest)) - constant(c) * (u_a + u_b);
      for (const std::string& joint : {a, b}) s.builder.add_force({LawForceSpec{joint, pull}});
      break;
    }
    case 2: {
      const std::string input = a + " command " + std::to_string(s.builder.inputs().size());
      s.builder.add_input({input, r.uniform(-1, 1)});
      const Law speed = Law::apply(Law::Code::arctangent, {u_a - Law::of(Law::Kind::input, input)});
      s.builder.add_force({LawForceSpec{a, constant(-c) * speed * (constant(1.5) + sine(q_b * Law::time()))}});
      break;
    }
    case 3: {
      const Law curve = Law::lookup(sine(q_a), {-1, -0.3, 0.4, 1}, {-2, -1, 1.5, 2}, TableCurve::Joining::monotone);
      s.builder.add_force({LawForceSpec{b, constant(-c) * curve - constant(c) * u_b}});
      break;
    }
    default: {
      LawWrenchSpec wrench{.on = s.any_body()};
      wrench.force = {constant(-c) * q_a, constant(c), sine(constant(3) * q_b)};
      wrench.torque = {constant(0), constant(-0.1 * c) * u_b, constant(0.2)};
      s.builder.add_force({wrench});
    }
  }
}

}  // namespace

void draw_laws(Sketch& s) {
  const auto joints = s.random.chance(0.7) ? scalar_tree(s, 2 + s.random.index(3)) : four_bar(s, false);
  const auto any = [&] { return joints[std::size_t(s.random.index(int(joints.size())))]; };
  for (int k = 1 + s.random.index(3); k > 0; --k) {
    const std::string a = any(), b = any();
    add_law(s, a, b);
  }
}

void draw_driven(Sketch& s) {
  const auto joints = scalar_tree(s, 2 + s.random.index(4));
  for (int k = 0; k < 1 + s.random.index(2); ++k)
    s.builder.add_kinematic(
        {.coordinate = joints[std::size_t(k)], .signal = signal_from(s.random, s.coordinates(joints[std::size_t(k)])[0])});
}

void draw_driven_loop(Sketch& s) {
  const auto joints = four_bar(s, false);
  const double start = s.coordinates(joints[0])[0];
  const Signal signal = Signal::sine(0.2, s.random.uniform(1, 4), 0, start);
  if (s.random.chance(0.5)) {
    s.builder.add_kinematic({.coordinate = joints[0], .signal = signal});
  } else {
    s.constrain({"drive", MotionConstraintSpec{joints[0], signal}});
  }
  s.on_axis(Revolute{}, s.bodies()[0], s.rigid(s.anywhere()), s.anywhere(), s.direction());
}

void draw_locked(Sketch& s) {
  const auto joints = scalar_tree(s, 3 + s.random.index(3));
  for (int k = 1 + s.random.index(2); k > 0; --k) s.builder.lock({.joint = joints[std::size_t(k)]});
}

void draw_driven_speeds(Sketch& s) {
  const auto joints = scalar_tree(s, 3 + s.random.index(3));
  const auto level = [&] { return s.random.chance(0.5) ? Drive::velocity : Drive::acceleration; };
  const Signal signal = Signal::sine(s.random.uniform(0.2, 1), s.random.uniform(1, 4), s.random.uniform(0, 6));
  s.builder.add_motion({joints[0], level(), signal});
  s.builder.lock({.joint = joints[1], .level = level()});
}

void draw_oriented(Sketch& s) {
  scalar_tree(s, 2 + s.random.index(2));
  const std::string carrier = s.any_body(), turned = s.rigid(s.anywhere());
  const std::string ball = s.turned_joint(Ball{}, carrier, turned, s.random.transform(0.7));
  const std::string last = s.rigid(s.anywhere());
  s.on_axis(Revolute{}, turned, last, s.anywhere(), s.direction());
  const Quaternion<double> start = quaternion_at(s.coordinates(ball).data());
  std::vector<double> times;
  std::vector<Quaternion<double>> ways;
  for (int k = 0; k < 5; ++k) {
    times.push_back(0.4 * k);
    ways.push_back(exp_rotation(k == 0 ? Vec3<double>{} : s.random.vec3(0.3)) * start);
  }
  s.builder.add_motion(JointMotionSpec{ball, OrientationSignal::samples(std::move(times), std::move(ways))});
}

void draw_forces(Sketch& s) {
  const auto joints = scalar_tree(s, 2 + s.random.index(3));
  if (s.random.chance(0.5)) {
    const std::string carrier = s.any_body();  // before there is the other one: arguments come in no fixed order
    s.turned_joint(Ball{}, carrier, s.rigid(s.anywhere()), s.random.transform(0.7));
  }
  for (int k = s.random.index(3); k > 0; --k) add_coordinate_force(s, joints[std::size_t(s.random.index(int(joints.size())))]);
  for (int k = 1 + s.random.index(3); k > 0; --k) add_body_force(s);
}

void draw_loop_forces(Sketch& s) {
  const auto joints = four_bar(s, false);
  for (const std::string& joint : joints)
    if (s.random.chance(0.5)) add_coordinate_force(s, joint);
  add_body_force(s);
}

void draw_attraction(Sketch& s) {
  s.builder.gravity = {};
  const int bodies = 2 + s.random.index(3);
  for (int k = 0; k < bodies; ++k) {
    const Vec3<double> p =
        2.0 * Vec3<double>{std::cos(6.28 * k / bodies), std::sin(6.28 * k / bodies), s.random.uniform(-0.5, 0.5)};
    s.random.chance(0.4) ? s.particle(p) : s.rigid(p);
  }
  s.builder.add_force({AttractionSpec{s.random.uniform(1, 5)}});
}

void draw_massless_coupler(Sketch& s) {
  four_bar(s, true);
  if (s.random.chance(0.5)) s.on_axis(Revolute{}, s.bodies()[1], s.rigid(s.anywhere()), s.anywhere(), s.direction());
}

}  // namespace polhode::testing_support
