#include "tests/support/random_constraints.h"

#include "polhode/mechanism/joint_queries.h"
#include "polhode/tree/dynamics.h"

namespace polhode::testing_support {
namespace {

constexpr Vec3<double> n{0.6, -0.48, 0.64};

/// Two bodies that a joint declared last can connect without taking the place of one of the tree's (which grows breadth first):
/// bodies at the same depth, or a body and its own parent.
std::pair<int, int> pair_for_a_loop(const Mechanism& tree, Random& random) {
  std::vector<int> depth(tree.num_bodies());
  for (int b = 1; b < tree.num_bodies(); ++b) depth[b] = depth[tree.bodies()[b].parent] + 1;
  const int child = 1 + random.index(tree.num_bodies() - 1);
  std::vector<int> partners{tree.bodies()[child].parent};
  for (int b = 1; b < tree.num_bodies(); ++b)
    if (b != child && depth[b] == depth[child]) partners.push_back(b);
  return {partners[random.index(int(partners.size()))], child};
}

void add_loop_joints(MechanismBuilder& builder, const Mechanism& tree, const RandomState& s, Random& random) {
  tree::Workspace w(tree);
  tree::positions(w, s.q);
  for (const JointModel& type : every_joint_type(random)) {
    const auto [parent, child] = pair_for_a_loop(tree, random);
    LocalPlacement placement{random.transform(0.5), random.transform(0.5)};
    const bool closed_form = !std::holds_alternative<FunctionBased>(type);
    if (!closed_form) {  // let it be closed
      const Transform<double> X_WM = tree::pose(w, parent) * placement.X_PF * pose_at(type, generic_coordinates(type, 0));
      placement.X_BM = inverse(tree::pose(w, child)) * X_WM;
    }
    builder.add_joint({.name = "loop " + std::string(type_name(type)),
                       .model = type,
                       .parent = tree.bodies()[parent].name,
                       .child = tree.bodies()[child].name,
                       .placement = placement,
                       .reversed = closed_form && random.chance(0.5)});
  }
}

void add_frame_constraints(MechanismBuilder& builder, const Mechanism& tree, Random& random) {
  int frames = 0;
  const auto frame = [&](int body) {
    const std::string name = "end" + std::to_string(frames++);
    builder.add_frame({.name = name, .body = tree.bodies()[body].name, .X_BF = random.transform(0.5)});
    return name;
  };
  for (int i = 0; i < 3; ++i) {
    const auto any = [&] { return random.index(tree.num_bodies()); };
    const std::string a = frame(any()), b = frame(any()), c = frame(any()), d = frame(any());
    builder.add_constraint({"", WireSpec{a, b, random.uniform(0.5, 2)}});
    builder.add_constraint({"", WireSpec{c, ground_name, random.uniform(0.5, 2)}});
    builder.add_constraint({"", PointConstraintSpec{b, c, random.vec3(3)}});
    builder.add_constraint({"", CoincidentPointsSpec{c, d}});
    builder.add_constraint({"", PointInPlaneSpec{a, d, random.vec3(3)}});
    builder.add_constraint({"", WireSpec{a, d, random.uniform(0.5, 2)}});  // in a row between the same frames
    builder.add_constraint({"", PointConstraintSpec{a, d, random.vec3(3)}});
    builder.add_constraint({"", PointConstraintSpec{a, d, random.vec3(3)}});
    builder.add_constraint({"", CoincidentPointsSpec{a, d}});
    builder.add_constraint({"", CoincidentPointsSpec{a, d}});
    builder.add_constraint({"", PointInPlaneSpec{a, d, random.vec3(3)}});
    builder.add_constraint({"", PointOnLineSpec{a, d, random.vec3(3)}});
    builder.add_constraint({"", ConstantOrientationSpec{a, d}});
    builder.add_constraint({"", ConstantAngleSpec{b, c, random.vec3(3), random.vec3(3), random.uniform(0.2, 3)}});
    builder.add_constraint({"", CoincidentFramesSpec{b, d}});
    builder.add_constraint({"", RollingDiskSpec{b, a, random.uniform(0.5, 2)}});
    builder.add_constraint({"", RollingBallSpec{c, ground_name, random.uniform(0.5, 2)}});
    const std::string e = frame(1), f = frame(2 + random.index(tree.num_bodies() - 2));  // two bodies that cannot be one
    builder.add_constraint({"", NoSlipSpec{i == 0 ? e : c, e, f, random.vec3(3)}});
  }
}

void add_couplers(MechanismBuilder& builder, const Mechanism& tree, Random& random) {
  std::vector<std::string> coordinates;
  for (const Joint& joint : tree.joints())
    if (joint.nq == 1 && joint.nu == 1) coordinates.push_back(tree.coordinate_names()[joint.first_q]);
  const auto take = [&] {
    const int i = random.index(int(coordinates.size()));
    const std::string name = coordinates[i];
    coordinates.erase(coordinates.begin() + i);
    return name;
  };
  const std::string a = take(), b = take(), c = take(), d = take();
  builder.add_constraint({"", ScrewSpec{a, b, random.uniform(-1, 1)}});
  builder.add_constraint({"", GearSpec{c, b, random.uniform(-3, 3)}});
  builder.add_constraint({"sum", CouplerSpec{{{d, random.uniform(1, 2)}, {a, -0.7}, {c, random.uniform(1, 2)}}, 0.4}});
  builder.add_constraint({"", SpeedCouplerSpec{{{d, random.uniform(1, 2)}, {b, -0.7}}, 0.3}});
  builder.add_constraint({"", ConstantCoordinateSpec{b, random.uniform(-1, 1)}});
  builder.add_constraint({"", ConstantSpeedSpec{c, random.uniform(-1, 1)}});
  builder.add_constraint({"", ConstantAccelerationSpec{a, random.uniform(-1, 1)}});
  builder.add_constraint({"", MotionConstraintSpec{d, Signal::sine(0.3, 2, 0.1, -0.4)}});
  const int body_a = random.index(tree.num_bodies()), body_b = (body_a + 1 + random.index(5)) % tree.num_bodies();
  const std::string ends[] = {tree.bodies()[body_a].name, tree.bodies()[body_b].name};
  builder.add_constraint({"drift", [a = ends[0], b = ends[1], d](const Mechanism& m) {
                            return std::make_shared<DriftingPair>(m.body(a), m.body(b), m.coordinate(d), m.speed(d + "'"));
                          }});
  builder.add_constraint({"steered", [a = ends[0], b = ends[1], d](const Mechanism& m) {
                            return std::make_shared<SteeredPair>(m.body(a), m.body(b), m.coordinate(d), m.speed(d + "'"));
                          }});
}

}  // namespace

void DriftingPair::errors(const ConstraintConfiguration& at, std::span<double> h) const {
  h[0] = dot(n, at.X_WB[1].p - at.X_WB[0].p) + 0.5 * at.q[q_] * at.q[q_] - std::sin(at.t);
  h[1] = dot(at.X_WB[0].R.col[2], at.X_WB[1].R.col[2]) - 0.5 * std::cos(at.t);
}
void DriftingPair::gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const {
  if (row == 0) {
    out.add_force_at(0, at.X_WB[0].p, -n);
    out.add_force_at(1, at.X_WB[1].p, n);
    out.on_speed[0] = at.q[q_];
  } else {
    const Vec3<double> turn = cross(at.X_WB[0].R.col[2], at.X_WB[1].R.col[2]);
    out.add_torque(0, turn);
    out.add_torque(1, -turn);
  }
}
void DriftingPair::rates(const ConstraintConfiguration& at, std::span<double> h_t) const {
  h_t[0] = -std::cos(at.t);
  h_t[1] = 0.5 * std::sin(at.t);
}

void SteeredPair::gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const {
  if (row == 0) {
    out.add_force_at(0, at.X_WB[0].p, -at.X_WB[0].R.col[2]);
    out.add_force_at(1, at.X_WB[1].p, at.X_WB[0].R.col[2]);
    out.on_speed[0] = at.q[q_];
  } else {
    out.on_speed[0] = 1 + at.q[q_] * at.q[q_];
  }
}
void SteeredPair::rates(const ConstraintConfiguration& at, std::span<double> rate) const {
  rate[0] = -std::cos(at.t);
  rate[1] = -std::sin(at.t);
}

ConstrainedMechanism random_constrained(unsigned seed, const TreeOptions& options) {
  MechanismBuilder builder = random_description(seed, options);
  const Mechanism tree = builder.build();
  const RandomState s = random_state(tree, seed + 100);
  Random random(seed + 200);
  add_loop_joints(builder, tree, s, random);
  add_frame_constraints(builder, tree, random);
  add_couplers(builder, tree, random);
  return {builder.build(), s};
}

}  // namespace polhode::testing_support
