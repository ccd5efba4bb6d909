#pragma once
#include <map>
#include <string>
#include <vector>

#include "polhode/mechanism/builder.h"
#include "tests/support/changed_model.h"

namespace polhode::testing_support {

/// A mechanism while it is drawn at random. Every body has a pose in Ground, and whatever ties bodies is made to fit there, so
/// that any graph of joints and constraints is closed in the drawing, to rounding. Lengths, masses and times are of order one.
class Sketch {
 public:
  explicit Sketch(Random& source) : random(source) { builder.gravity = random.rotation() * Vec3<double>{0, 0, -9.81}; }

  Random& random;
  MechanismBuilder builder;
  double time = 0.3;  ///< how long the motion is to be [s]
  Units units{};      ///< the sizes that lengths, masses and times are of in the end

  /// A body at this pose; its name.
  std::string body(const Transform<double>& X_WB, const MassProperties& mass);
  /// A body of random shape about a place, in a random pose.
  std::string rigid(const Vec3<double>& near);
  /// A particle, a thin rod along a line.
  std::string particle(const Vec3<double>& p_W);
  std::string rod(const Vec3<double>& from, const Vec3<double>& to);
  /// A body without mass.
  std::string massless(const Vec3<double>& near) { return body({random.rotation(), near}, {}); }

  /// A joint whose frame F is here in Ground, and whose coordinates are q in the drawing (empty: zero); told from either end,
  /// reversed or not, at random. Its name.
  std::string joint(const JointModel& model, const std::string& parent, const std::string& child, const Transform<double>& X_WF,
                    const std::vector<double>& q = {});
  /// The same with random coordinates, away from the type's singular places.
  std::string turned_joint(const JointModel& model, const std::string& parent, const std::string& child,
                           const Transform<double>& X_WF);
  /// A hinge, a slider and so on about the line through a point, told in Ground or in the bodies, at random.
  std::string on_axis(const JointModel& model, const std::string& parent, const std::string& child, const Vec3<double>& p_W,
                      const Vec3<double>& axis);

  /// A frame on a body (or on Ground) that is here in Ground; its name.
  std::string frame(const std::string& body, const Transform<double>& X_WF);
  std::string frame(const std::string& body, const Vec3<double>& p_W) { return frame(body, {random.rotation(), p_W}); }
  void constrain(ConstraintSpec spec) { builder.add_constraint(std::move(spec)); }
  /// A rod between two frames, as long as it is in the drawing.
  void wire(const std::string& a, const std::string& b);

  const Transform<double>& pose(const std::string& body) const { return poses_.at(body); }
  Vec3<double> place(const std::string& frame) const { return frames_.at(frame).p; }
  const Transform<double>& frame_pose(const std::string& frame) const { return frames_.at(frame); }
  /// What a coordinate is in the drawing, by its joint.
  const std::vector<double>& coordinates(const std::string& joint) const { return coordinates_.at(joint); }
  const std::vector<std::string>& bodies() const { return names_; }
  std::string any_body() { return names_[std::size_t(random.index(int(names_.size())))]; }

  /// A name that nothing has yet.
  std::string fresh(const char* kind) { return kind + std::to_string(++count_); }
  /// Somewhere within a unit of Ground's origin; a direction.
  Vec3<double> anywhere() { return random.vec3(0.7); }
  Vec3<double> direction();

 private:
  int count_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, Transform<double>> poses_{{ground_name, {}}}, frames_;
  std::map<std::string, std::vector<double>> coordinates_;
};

/// Matter of random shape, off the body's origin: a box turned and moved.
MassProperties random_box(Random& random);
/// Random coordinates of a joint, away from its singular places.
std::vector<double> random_coordinates(const JointModel& model, Random& random);
/// The frame whose z axis has this direction, turned about it at random.
Transform<double> frame_along(Random& random, const Vec3<double>& p, const Vec3<double>& z);

}  // namespace polhode::testing_support
