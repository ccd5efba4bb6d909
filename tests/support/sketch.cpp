#include "tests/support/sketch.h"

#include "polhode/mechanism/joint_queries.h"

namespace polhode::testing_support {

MassProperties random_box(Random& random) {
  const Vec3<double> edges{random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0.2, 0.8)};
  return transformed(random.transform(0.2), MassProperties::box(random.uniform(0.5, 2), edges));
}

std::vector<double> random_coordinates(const JointModel& model, Random& random) {
  const std::vector<double> q0 = zero_coordinates(model);
  std::vector<double> q(q0), theta = random.vector(num_chart_coordinates(model), 0.8);
  // A radius or a zenith of nothing is where these joints' coordinates end.
  if (std::holds_alternative<SphericalCoordinates>(model))
    theta[1] = random.uniform(0.5, 1.5), theta[2] = random.uniform(0.4, 1);
  if (std::holds_alternative<BendStretch>(model)) theta[1] = random.uniform(0.4, 1);
  std::visit([&](const auto& m) { m.retract(q0.data(), theta.data(), q.data()); }, model);
  return q;
}

Transform<double> frame_along(Random& random, const Vec3<double>& p, const Vec3<double>& z) {
  return {rotation_with_z(normalized(z)) * rotation_z(random.uniform(-3, 3)), p};
}

Vec3<double> Sketch::direction() { return random.rotation() * Vec3<double>{0, 0, 1}; }

std::string Sketch::body(const Transform<double>& X_WB, const MassProperties& mass) {
  const std::string name = fresh("body");
  builder.add_body({.name = name, .mass = mass, .drawn_pose = X_WB});
  poses_[name] = frames_[name] = X_WB;
  names_.push_back(name);
  return name;
}
std::string Sketch::rigid(const Vec3<double>& near) {
  const Mat3<double> R = random.rotation();
  return body({R, near}, random_box(random));
}
std::string Sketch::particle(const Vec3<double>& p_W) {
  const Transform<double> X{random.rotation(), p_W + random.vec3(0.2)};
  return body(X, MassProperties::particle(random.uniform(0.5, 2), inverse(X) * p_W));
}
std::string Sketch::rod(const Vec3<double>& from, const Vec3<double>& to) {
  const Transform<double> X{random.rotation(), from};
  return body(X, MassProperties::rod(random.uniform(0.5, 2), inverse(X) * to));
}

std::string Sketch::joint(const JointModel& model, const std::string& parent, const std::string& child,
                          const Transform<double>& X_WF, const std::vector<double>& given) {
  const std::vector<double> q = given.empty() ? zero_coordinates(model) : given;
  const std::string name = fresh("joint");
  const bool reversed = random.chance(0.35), swapped = random.chance(0.3);
  // The first of the two has F, the second M.
  const std::string first = reversed ? child : parent, second = reversed ? parent : child;
  const Transform<double> X_WM = X_WF * pose_at(model, q);
  const Transform<double> X_1F = inverse(pose(first)) * X_WF, X_2M = inverse(pose(second)) * X_WM;
  JointSpec spec{.name = name, .model = model, .parent = parent, .child = child, .reversed = reversed};
  if (swapped) std::swap(spec.parent, spec.child), spec.reversed = !reversed;
  spec.placement = spec.parent == first ? LocalPlacement{X_1F, X_2M} : LocalPlacement{X_2M, X_1F};
  builder.add_joint(spec);
  coordinates_[name] = q;
  return name;
}
std::string Sketch::turned_joint(const JointModel& model, const std::string& parent, const std::string& child,
                                 const Transform<double>& X_WF) {
  return joint(model, parent, child, X_WF, random_coordinates(model, random));
}
std::string Sketch::on_axis(const JointModel& model, const std::string& parent, const std::string& child,
                            const Vec3<double>& p_W, const Vec3<double>& axis) {
  if (random.chance(0.5)) return turned_joint(model, parent, child, frame_along(random, p_W, axis));
  const std::string name = fresh("joint");
  builder.add_joint({.name = name,
                     .model = model,
                     .parent = parent,
                     .child = child,
                     .placement = DrawnPlacement{.at = p_W, .axis = random.uniform(0.5, 2) * axis}});
  coordinates_[name] = zero_coordinates(model);
  return name;
}

std::string Sketch::frame(const std::string& body, const Transform<double>& X_WF) {
  const std::string name = fresh("frame");
  builder.add_frame({.name = name, .body = body, .X_BF = inverse(pose(body)) * X_WF});
  frames_[name] = X_WF;
  return name;
}
void Sketch::wire(const std::string& a, const std::string& b) { constrain({"", WireSpec{a, b, norm(place(a) - place(b))}}); }

}  // namespace polhode::testing_support
