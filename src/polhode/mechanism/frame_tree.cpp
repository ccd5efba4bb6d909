#include "polhode/mechanism/frame_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace polhode {
namespace {

using Primitive = TreeFrame::Primitive;

bool is_rotation(Primitive primitive) { return primitive >= Primitive::rx; }
int axis_index(Primitive primitive) { return int(primitive) % 3; }

/// g(x) of Johnson & Murphey, R1.
Transform<double> primitive_transform(Primitive primitive, double x) {
  switch (primitive) {
    case Primitive::tx: return at(x, 0, 0);
    case Primitive::ty: return at(0, x, 0);
    case Primitive::tz: return at(0, 0, x);
    case Primitive::rx: return {rotation_x(x), {}};
    case Primitive::ry: return {rotation_y(x), {}};
    case Primitive::rz: return {rotation_z(x), {}};
  }
  return {};
}

/// A rotation that takes z to the given axis by permuting the axes, so that it is exact.
Mat3<double> z_along(int axis) {
  const Mat3<double> one = Mat3<double>::identity();
  return {{one.col[(axis + 1) % 3], one.col[(axis + 2) % 3], one.col[axis]}};
}

class FrameTree {
 public:
  FrameTree(const std::vector<TreeFrame>& frames, MechanismBuilder& builder) : frames_(frames), builder_(builder) {
    for (const BodySpec& body : builder.bodies()) names_.insert(body.name);
    for (const FrameSpec& frame : builder.frames()) names_.insert(frame.name);
    for (const TreeFrame& frame : frames) names_.insert(frame.name);
    names_.insert(ground_name);
    ground_.name = ground_name;
  }

  void add() {
    places_.reserve(frames_.size());
    for (int i = 0; i < int(frames_.size()); ++i) add_frame(i);
    for (BodySpec& body : bodies_) builder_.add_body(std::move(body));
  }

 private:
  /// Where a frame ended up: fixed at X_BF on a body.
  struct Place {
    int body;  // in bodies_; -1 is Ground
    Transform<double> X_BF;
  };

  BodySpec& body(int index) { return index < 0 ? ground_ : bodies_[index]; }

  void add_frame(int i) {
    const TreeFrame& frame = frames_[i];
    Place place{-1, frame.base};
    if (frame.parent >= i || frame.parent < -1) {
      builder_.report(
          {fmt::format("frame \"{}\" hangs on frame number {}, which does not come before it", frame.name, frame.parent),
           frame.source,
           {},
           {}});
    } else if (frame.parent >= 0) {
      place = places_[frame.parent];
    }
    if (frame.variable.empty()) {
      if (!std::isfinite(frame.constant))
        builder_.report({fmt::format("frame \"{}\" is driven by {}, which is not a finite number", frame.name, frame.constant),
                         frame.source,
                         {},
                         {}});
      place.X_BF = place.X_BF * primitive_transform(frame.primitive, frame.constant);
      if (!frame.name.empty()) builder_.add_frame({frame.name, body(place.body).name, place.X_BF, frame.source});
    } else {
      place = {start_body(frame, place), {}};
    }
    places_.push_back(place);
    for (ShapeSpec shape : frame.shapes) {
      shape.frame = body(place.body).name;
      shape.pose = place.X_BF * shape.pose;
      builder_.add_shape(std::move(shape));
    }
    if (frame.mass) {
      BodySpec& carrier = body(place.body);
      // Whether matter can have such moments is judged of all that moves together.
      const std::vector<std::string> wrong = unusable(*frame.mass);
      for (const std::string& why : wrong)
        builder_.report({fmt::format("mass of {}: {}", label(frame), why), frame.source, {}, {}});
      if (wrong.empty()) carrier.mass = combined(carrier.mass, transformed(place.X_BF, *frame.mass));
      carrier.as_given = carrier.as_given || frame.as_given;
    }
  }

  int start_body(const TreeFrame& frame, const Place& on) {
    const auto [used, is_new] = variables_.emplace(frame.variable, frame.source);
    if (!is_new)
      builder_.report(
          {fmt::format("configuration variable \"{}\" drives two frames; each needs a variable of its own (couple them with a "
                       "constraint)",
                       frame.variable),
           frame.source, used->second, "first used"});
    const Mat3<double> R = z_along(axis_index(frame.primitive));
    const BodySpec& parent = body(on.body);
    BodySpec spec{frame.name.empty() ? unused_name(frame.variable) : frame.name, {}, parent.drawn_pose * on.X_BF, frame.source};
    JointSpec joint;
    joint.name = frame.variable;
    joint.model = is_rotation(frame.primitive) ? JointModel(Revolute{}) : JointModel(Prismatic{});
    joint.parent = parent.name;
    joint.child = spec.name;
    joint.placement = LocalPlacement{{on.X_BF.R * R, on.X_BF.p}, {R, {}}};
    joint.coordinate_names = {frame.variable};
    joint.source = frame.source;
    if (is_new) builder_.add_joint(std::move(joint));
    if (is_new && frame.signal) builder_.add_kinematic({frame.variable, *frame.signal, frame.source});
    bodies_.push_back(std::move(spec));
    return int(bodies_.size()) - 1;
  }

  std::string unused_name(const std::string& wanted) {
    std::string name = wanted;
    int& last = last_suffix_[wanted];  // remembered, as many frames may want one name
    for (last = std::max(last, 1); !names_.insert(name).second;) name = fmt::format("{}_{}", wanted, ++last);
    return name;
  }

  static std::string label(const TreeFrame& frame) {
    if (!frame.name.empty()) return fmt::format("frame \"{}\"", frame.name);
    return frame.variable.empty() ? std::string("a frame") : fmt::format("the frame of variable \"{}\"", frame.variable);
  }

  const std::vector<TreeFrame>& frames_;
  MechanismBuilder& builder_;
  BodySpec ground_;  // gathers masses that cannot move and therefore have no effect
  std::vector<BodySpec> bodies_;
  std::vector<Place> places_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, Source> variables_;
  std::unordered_map<std::string, int> last_suffix_;
};

}  // namespace

void add_frame_tree(const std::vector<TreeFrame>& frames, MechanismBuilder& builder) { FrameTree(frames, builder).add(); }

}  // namespace polhode
