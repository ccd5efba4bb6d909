#include "tests/support/random_mechanism.h"

#include <algorithm>
#include <string>

#include "polhode/mechanism/joint_queries.h"
#include "tests/support/dual_quaternion_joint.h"

namespace polhode::testing_support {
namespace {

/// A knee-like joint: two coordinates drive five of the six components; x and y follow them directly, so the rank is two.
FunctionBased knee(Random& random) {
  std::array<FunctionBased::Component, 6> f;
  const double a = random.uniform(0.2, 0.5), b = random.uniform(-0.2, 0.2);
  f[0] = {std::make_shared<Sinusoid>(a, 1.3, 0.2), {0}};
  f[1] = {std::make_shared<Polynomial>(std::vector<double>{0.1, b, 0.15}), {1}};
  f[2] = {std::make_shared<Linear>(std::vector<double>{0.6, -0.4}, 0.3), {0, 1}};
  f[3] = {std::make_shared<Linear>(std::vector<double>{0.7}), {0}};
  f[4] = {std::make_shared<Polynomial>(std::vector<double>{0, 1, 0.1}), {1}};
  return FunctionBased(2, f);
}

bool rates_are_speeds(const JointModel& model) {
  if (std::holds_alternative<Custom>(model)) return false;
  return num_coordinates(model) == num_speeds(model);
}

/// Random inertia that some matter has: a box turned and moved.
MassProperties random_rigid(Random& random) {
  const Vec3<double> edges{random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0.2, 0.8)};
  const MassProperties box = MassProperties::box(random.uniform(0.5, 2), edges);
  return transformed(random.transform(0.3), box);
}

/// A plan of one body before the builder sees it.
struct Planned {
  JointModel model;
  int parent;
  bool reversed, swapped;
  Transform<double> X_PF, X_BM;
  MassProperties mass;
};

bool one_of(const JointModel& model, std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), type_name(model)) != types.end();
}

bool is_line_joint(const JointModel& model) { return one_of(model, {"line-orientation", "free-line"}); }

/// Matter on M's z axis is a line that line joints may carry; a particle off M's origin resists hinges and sliders.
void choose_mass(Random& random, Planned& body, bool always_lines) {
  body.mass = random_rigid(random);
  if (!body.reversed && is_line_joint(body.model) && (always_lines || random.chance(0.7))) {
    const MassProperties rod = MassProperties::rod(random.uniform(0.5, 2), {0, 0, random.uniform(0.5, 1.5)});
    body.mass = transformed(body.X_BM, rod);
  } else if (one_of(body.model, {"revolute", "prismatic", "translation", "weld", "screw"}) && random.chance(0.25)) {
    const Vec3<double> off_axis{random.uniform(0.3, 0.6), random.uniform(0.3, 0.6), random.uniform(-0.5, 0.5)};
    body.mass = MassProperties::particle(random.uniform(0.5, 2), body.X_BM * off_axis);
  }
}

/// A body that holds exactly one child may be massless if the child is rigid and both joints together move it in few,
/// generically independent ways.
void take_mass_away(Random& random, std::vector<Planned>& plan) {
  for (int b = 1; b < int(plan.size()); ++b) {
    int child = -1, children = 0;
    for (int c = b + 1; c < int(plan.size()); ++c)
      if (plan[c].parent == b) child = c, ++children;
    if (children != 1 || num_speeds(plan[b].model) + num_speeds(plan[child].model) > 3) continue;
    const bool hangs_on_massless = plan[b].parent > 0 && plan[plan[b].parent].mass.mass == 0;
    if (hangs_on_massless || structure(plan[child].mass) != MassStructure::rigid || !random.chance(0.6)) continue;
    plan[b].mass = {};
  }
}

std::string body_name(int b) { return b == 0 ? ground_name : "body" + std::to_string(b); }

void add_to(MechanismBuilder& builder, const std::vector<Planned>& plan) {
  for (int b = 1; b < int(plan.size()); ++b) {
    const Planned& p = plan[b];
    builder.add_body({.name = body_name(b), .mass = p.mass});
    JointSpec joint{.name = "joint" + std::to_string(b),
                    .model = p.model,
                    .parent = body_name(p.parent),
                    .child = body_name(b),
                    .placement = LocalPlacement{p.X_PF, p.X_BM},
                    .reversed = p.reversed};
    if (p.swapped) {  // the same joint, told from its other end
      std::swap(joint.parent, joint.child);
      joint.placement = LocalPlacement{p.X_BM, p.X_PF};
      joint.reversed = !p.reversed;
    }
    builder.add_joint(joint);
  }
}

void add_forces(MechanismBuilder& builder, const std::vector<Planned>& plan, Random& random, bool conservative) {
  const int n = int(plan.size());
  for (int k = 0; k < 3; ++k) {
    const std::string a = "grip" + std::to_string(2 * k), b = "grip" + std::to_string(2 * k + 1);
    builder.add_frame({.name = a, .body = body_name(random.index(n)), .X_BF = random.transform(0.5)});
    builder.add_frame({.name = b, .body = body_name(1 + random.index(n - 1)), .X_BF = random.transform(0.5)});
    builder.add_force({PointSpringSpec{a, b, random.uniform(5, 20), random.uniform(0.1, 1), conservative ? 0.0 : 0.7}});
  }
  for (int b = 1; b < n; ++b) {
    if (!one_of(plan[b].model, {"revolute", "prismatic", "screw"})) continue;
    const std::string coordinate = "joint" + std::to_string(b);
    builder.add_force({CoordinateSpringSpec{coordinate, random.uniform(1, 5), random.uniform(-0.5, 0.5)}});
    if (conservative) continue;
    builder.add_force({CoordinateDampingSpec{coordinate, random.uniform(0.1, 1)}});
    builder.add_force({CoordinateForceSpec{coordinate, random.uniform(-2, 2)}});
  }
  if (conservative) return;
  for (const bool in_ground : {false, true})
    builder.add_force({BodyForceSpec{body_name(1 + random.index(n - 1)), random.vec3(3), random.vec3(3), in_ground}});
}

}  // namespace

std::vector<JointModel> every_joint_type(Random& random) {
  const Vec3<double> semi_axes{random.uniform(0.3, 0.6), random.uniform(0.3, 0.6), random.uniform(0.3, 0.6)};
  return {Weld{},
          Revolute{},
          Prismatic{},
          Screw{random.uniform(0.1, 0.3)},
          Planar{},
          Cylindrical{},
          Universal{},
          BendStretch{},
          Gimbal{},
          SphericalCoordinates{},
          Ball{},
          Ellipsoid{semi_axes},
          Free{},
          LineOrientation{},
          Translation{},
          Bushing{},
          FreeLine{},
          knee(random),
          Custom{std::make_shared<DualQuaternionJoint>()}};
}

MechanismBuilder random_description(unsigned seed, const TreeOptions& options) {
  Random random(seed);
  std::vector<JointModel> types = every_joint_type(random);
  types.push_back(Revolute{});  // the two kinds with code of their own in the kernels come twice
  types.push_back(Prismatic{});
  if (options.only_rates_as_speeds) std::erase_if(types, [](const JointModel& m) { return !rates_are_speeds(m); });
  if (options.joints) std::erase_if(types, [&](const JointModel& m) { return !options.joints(m); });
  for (std::size_t i = types.size(); i > 1; --i) std::swap(types[i - 1], types[random.index(int(i))]);

  std::vector<Planned> plan(1);
  for (int b = 1; b <= options.bodies; ++b) {
    Planned body{types[b % types.size()], 0, random.chance(0.35), random.chance(0.3), random.transform(0.5),
                 random.transform(0.4),   {}};
    // Half of the bodies continue a chain, the others branch off anywhere.
    body.parent = b == 1 ? 0 : random.chance(0.5) ? b - 1 : random.index(b);
    if (options.floating) {
      if (b == 1) body.model = Free{};
      if (b > 1) body.parent = std::max(body.parent, 1);
    }
    if (options.lines_are_lines) {
      while (body.parent > 0 && is_line_joint(plan[body.parent].model)) --body.parent;
      if (is_line_joint(body.model)) body.reversed = false;
    }
    choose_mass(random, body, options.lines_are_lines);
    plan.push_back(body);
  }
  take_mass_away(random, plan);

  MechanismBuilder builder;
  builder.gravity = options.gravity ? Vec3<double>{1.1, -2.3, -9.1} : Vec3<double>{};
  add_to(builder, plan);
  if (options.forces) add_forces(builder, plan, random, options.conservative);
  return builder;
}

Mechanism random_mechanism(unsigned seed, const TreeOptions& options) { return random_description(seed, options).build(); }

Mechanism random_chain(unsigned seed, int n) {
  Random random(seed);
  MechanismBuilder builder;
  std::vector<Planned> plan(1);
  for (int b = 1; b <= n; ++b)
    plan.push_back({Revolute{}, b - 1, false, false, random.transform(0.5), random.transform(0.4), random_rigid(random)});
  add_to(builder, plan);
  return builder.build();
}

RandomState random_state(const Mechanism& mechanism, unsigned seed) {
  Random random(seed);
  RandomState s;
  s.q.resize(mechanism.num_q());
  for (const Joint& joint : mechanism.joints()) {
    // One radian keeps the middle angle of gimbals and bushings half a radian away from the right angle.
    const double reach = one_of(joint.model, {"gimbal", "bushing", "function-based"}) ? 1.0 : 2.5;
    const std::vector<double> q0 = zero_coordinates(joint.model), theta = random.vector(joint.nchart, reach);
    std::visit([&](const auto& model) { model.retract(q0.data(), theta.data(), s.q.data() + joint.first_q); }, joint.model);
  }
  s.u = random.vector(mechanism.num_u(), 1.5);
  s.u_dot = random.vector(mechanism.num_u(), 2);
  s.tau = random.vector(mechanism.num_u(), 3);
  return s;
}

}  // namespace polhode::testing_support
