#include "tests/support/changed_model.h"

#include <algorithm>

namespace polhode::testing_support {
namespace {

/// A builder like another, but for lists that are changed: each element passes through its function on the way.
template <class Change>
MechanismBuilder rebuilt(const MechanismBuilder& model, const Change& change) {
  MechanismBuilder out;
  out.name = model.name;
  out.gravity = model.gravity;
  out.gravity_scope = model.gravity_scope;
  const auto each = [&](auto list, const auto& add) {
    change.list(list);
    for (auto& spec : list) change(spec), add(spec);
  };
  each(model.bodies(), [&](auto& s) { out.add_body(s); });
  each(model.joints(), [&](auto& s) { out.add_joint(s); });
  each(model.frames(), [&](auto& s) { out.add_frame(s); });
  each(model.constraints(), [&](auto& s) { out.add_constraint(s); });
  each(model.forces(), [&](auto& s) { out.add_force(s); });
  each(model.kinematic(), [&](auto& s) { out.add_kinematic(s); });
  each(model.motions(), [&](auto& s) { out.add_motion(s); });
  each(model.joint_motions(), [&](auto& s) { out.add_motion(s); });
  each(model.locks(), [&](auto& s) { out.lock(s); });
  each(model.inputs(), [&](auto& s) { out.add_input(s); });
  each(model.states(), [&](auto& s) { out.add_state(s); });
  return out;
}

/// Does nothing with what no overload of a change speaks of.
struct Unchanged {
  void operator()(auto&) const {}
  void list(auto&) const {}
};

/// A frame on Ground where its own was: what names Ground as a frame means that one after a move.
const std::string old_ground = "where Ground was";

struct Move : Unchanged {
  const MechanismBuilder& drawing;
  Transform<double> X;
  Move(const MechanismBuilder& what, const Transform<double>& by) : drawing(what), X(by) {}
  using Unchanged::operator();
  void operator()(BodySpec& s) const { s.drawn_pose = X * s.drawn_pose; }
  void operator()(FrameSpec& s) const {
    if (s.body == ground_name) s.X_BF = X * s.X_BF;
  }
  void operator()(JointSpec& s) const {
    if (auto* local = std::get_if<LocalPlacement>(&s.placement)) {
      if (s.parent == ground_name) local->X_PF = X * local->X_PF;
      if (s.child == ground_name) local->X_BM = X * local->X_BM;
      return;
    }
    auto& drawn = std::get<DrawnPlacement>(s.placement);
    if (!drawn.axis && !std::holds_alternative<Ellipsoid>(s.model)) {  // its axes are those of Ground in the drawing
      const Transform<double> X_WF{Mat3<double>::identity(), drawn.at};
      s.placement = LocalPlacement{on(s.parent, X_WF), on(s.child, X_WF)};
      return;
    }
    drawn.at = X * drawn.at;
    if (drawn.axis) drawn.axis = X.R * *drawn.axis;
    if (drawn.axis2) drawn.axis2 = X.R * *drawn.axis2;
  }
  void operator()(ConstraintSpec& s) const {
    if (auto* point = std::get_if<PointConstraintSpec>(&s.model)) point->direction = X.R * point->direction;
    std::visit([](auto& model) { leave_ground(model); }, s.model);
  }
  void operator()(ForceSpec& s) const {
    std::visit([](auto& model) { leave_ground(model); }, s.model);
    if (auto* force = std::get_if<BodyForceSpec>(&s.model); force != nullptr && force->in_ground)
      force->force = X.R * force->force, force->torque = X.R * force->torque;
  }
  /// A frame of the drawing, on a body or on Ground.
  Transform<double> on(const std::string& body, const Transform<double>& X_WF) const {
    for (const BodySpec& spec : drawing.bodies())
      if (spec.name == body) return inverse(spec.drawn_pose) * X_WF;
    return X * X_WF;
  }
  static void leave_ground(auto& spec) {
    const auto leave = [](std::string& frame) {
      if (frame == ground_name) frame = old_ground;
    };
    if constexpr (requires { spec.frame_case; }) leave(spec.frame_case);
    if constexpr (requires { spec.frame_a; }) leave(spec.frame_a), leave(spec.frame_b);
  }
};

struct Rename {
  std::map<std::string, std::string>& names;
  Random& random;

  template <class Spec>
  void list(std::vector<Spec>& list) const {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[std::size_t(random.index(int(i)))]);
  }
  void name(std::string& s) const {
    if (s.empty() || s == ground_name) return;
    const std::size_t end = std::min(s.find('.'), s.find('\''));  // coordinates are called like their joint
    std::string rest = end == std::string::npos ? "" : s.substr(end);
    const std::string stem = s.substr(0, end);
    auto found = names.find(stem);
    if (found == names.end()) found = names.emplace(stem, fresh()).first;
    s = found->second + rest;
  }
  std::string fresh() const {
    static const char* const words[] = {"t",       "energy",         "left, upper", "a:b", "x/y",
                                        "kinetic", "Glied \xC3\xA4", "constraint",  "0",   "q=1"};
    return words[random.index(10)] + std::string(" no ") + std::to_string(names.size());
  }

  void operator()(BodySpec& s) const { name(s.name); }
  void operator()(FrameSpec& s) const { name(s.name), name(s.body); }
  void operator()(JointSpec& s) const { name(s.name), name(s.parent), name(s.child); }
  void operator()(KinematicSpec& s) const { name(s.coordinate); }
  void operator()(MotionSpec& s) const { name(s.coordinate); }
  void operator()(JointMotionSpec& s) const { name(s.joint); }
  void operator()(LockSpec& s) const { name(s.joint); }
  void operator()(InputSpec& s) const { name(s.name); }
  void operator()(StateSpec& s) const { name(s.name), within(s.rate); }
  void operator()(ConstraintSpec& s) const {
    name(s.name);
    std::visit([this](auto& model) { within(model); }, s.model);
  }
  void operator()(ForceSpec& s) const {
    std::visit([this](auto& model) { within(model); }, s.model);
  }
  void within(Law& law) const {
    std::vector<Law::Read> reads = law.reads();
    for (Law::Read& read : reads) name(read.name);
    law = law.with_reads(std::move(reads));
  }
  void within(LawForceSpec& spec) const { name(spec.coordinate), within(spec.value); }
  void within(LawWrenchSpec& spec) const {
    name(spec.on);
    for (int i = 0; i < 3; ++i) within(spec.force[std::size_t(i)]), within(spec.torque[std::size_t(i)]);
  }
  void within(LawMotorSpec& spec) const {
    name(spec.name), name(spec.coordinate), name(spec.input);
    within(spec.low), within(spec.high);
  }
  void within(auto& spec) const {
    if constexpr (requires { spec.frame_case; }) name(spec.frame_case);
    if constexpr (requires { spec.frame_a; }) name(spec.frame_a), name(spec.frame_b);
    if constexpr (requires { spec.rotation; }) name(spec.rotation), name(spec.translation);
    if constexpr (requires { spec.ratio; }) name(spec.a), name(spec.b);
    if constexpr (requires { spec.terms; })
      for (auto& term : spec.terms) name(term.coordinate);
    if constexpr (requires { spec.coordinate; }) name(spec.coordinate);
    if constexpr (requires { spec.speed; }) name(spec.speed);
    if constexpr (requires { spec.input; }) name(spec.name), name(spec.input);
    if constexpr (requires { spec.frame; }) name(spec.frame);
    if constexpr (requires { spec.body; }) name(spec.body);
    if constexpr (requires { spec.bodies; })
      for (auto& body : spec.bodies) name(body);
  }
};

MassProperties resized(MassProperties mass, const Units& unit) {
  const double inertia = unit.mass * unit.length * unit.length;
  mass.mass *= unit.mass;
  mass.com = unit.length * mass.com;
  for (double* I : {&mass.inertia.xx, &mass.inertia.yy, &mass.inertia.zz, &mass.inertia.xy, &mass.inertia.xz, &mass.inertia.yz})
    *I *= inertia;
  return mass;
}

struct Lighten : Unchanged {
  Random& random;
  double factor;
  Lighten(Random& source, double times) : random(source), factor(times) {}
  using Unchanged::operator();
  void operator()(BodySpec& s) const {
    if (random.chance(0.4)) s.mass = resized(s.mass, {.mass = factor});
  }
};

struct Resize : Unchanged {
  Units unit;
  explicit Resize(const Units& units) : unit(units) {}
  using Unchanged::operator();
  void operator()(BodySpec& s) const {
    s.drawn_pose.p = unit.length * s.drawn_pose.p;
    s.mass = resized(s.mass, unit);
  }
  void operator()(FrameSpec& s) const { s.X_BF.p = unit.length * s.X_BF.p; }
  void operator()(JointSpec& s) const {
    if (auto* local = std::get_if<LocalPlacement>(&s.placement)) {
      local->X_PF.p = unit.length * local->X_PF.p;
      local->X_BM.p = unit.length * local->X_BM.p;
    } else {
      auto& drawn = std::get<DrawnPlacement>(s.placement);
      drawn.at = unit.length * drawn.at;
    }
    if (auto* screw = std::get_if<Screw>(&s.model)) screw->lead *= unit.length;
    if (auto* ellipsoid = std::get_if<Ellipsoid>(&s.model)) ellipsoid->semi_axes = unit.length * ellipsoid->semi_axes;
  }
  void operator()(ConstraintSpec& s) const {
    std::visit([this](auto& model) { lengths_of(model); }, s.model);
  }
  void lengths_of(ConstraintFactory&) const {}
  template <class Model>
  void lengths_of(Model& model) const {
    for_each_field<Model>([&](const auto& field) {
      const std::string_view of = field.unit;
      if constexpr (std::is_same_v<value_of_field<decltype(field)>, double>)
        if (of == "m" || of == "m/rad") model.*field.member *= unit.length;
    });
  }
};

}  // namespace

MechanismBuilder moved(const MechanismBuilder& model, const Transform<double>& X) {
  MechanismBuilder out = rebuilt(model, Move(model, X));
  out.gravity = X.R * model.gravity;
  out.add_frame({.name = old_ground, .body = ground_name, .X_BF = X});
  return out;
}

Renamed renamed(const MechanismBuilder& model, Random& random) {
  Renamed out;
  out.model = rebuilt(model, Rename{out.new_name, random});
  return out;
}

MechanismBuilder resized(const MechanismBuilder& model, const Units& units) {
  MechanismBuilder out = rebuilt(model, Resize(units));
  out.gravity = (units.length / units.time / units.time) * model.gravity;
  return out;
}

MechanismBuilder lightened(const MechanismBuilder& model, Random& random, double factor) {
  return rebuilt(model, Lighten(random, factor));
}

}  // namespace polhode::testing_support
