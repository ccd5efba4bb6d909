#include "polhode/format/language/placement.h"

#include <fmt/format.h>

#include "polhode/format/language/geometry.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/joint_placement.h"

namespace polhode::format {

void read_placement(Arguments& arguments, int instance, Draft& draft) {
  DraftPlacement placement;
  placement.source = arguments.where();
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("use {}", quoted(*name)));
  const auto on = arguments.name("frame");
  if (!arguments.at_end()) placement.X = take_pose(arguments).value_or(Transform<double>{});
  arguments.finish();
  if (!name || !on) return;
  placement.name = *name;
  placement.on = *on;
  draft.placements[instance] = std::move(placement);
}

Placements::Placements(const Expansion& expansion, Draft& draft, Notes& notes)
    : expansion_(expansion),
      draft_(draft),
      notes_(notes),
      drawn_(draft.as_drawn),
      plain_bodies_(drawn_.bodies().size()),
      plain_frames_(drawn_.frames().size()),
      in_work_(expansion.instances().size()) {}

int Placements::placed(int instance) const {
  const auto& instances = expansion_.instances();
  while (instance != 0 && !draft_.placements.count(instance)) instance = instances[std::size_t(instance)].parent;
  return instance;
}

const Placements::Base& Placements::base(int instance) {
  const auto known = bases_.find(instance);
  return known != bases_.end() ? known->second : bases_.emplace(instance, find_base(instance)).first->second;
}

Placements::Base Placements::find_base(int instance) {
  if (instance == 0) return {};
  const DraftPlacement& placement = draft_.placements.at(instance);
  Base on;
  if (placement.on == ground_name) {
    on = base(placed(expansion_.instances()[std::size_t(instance)].parent));
  } else if (in_work_[std::size_t(instance)]) {
    notes_.problems.push_back({fmt::format("use {}: it is placed on itself", quoted(placement.name)), placement.source});
  } else {
    in_work_[std::size_t(instance)] = true;
    const auto found = frame_named(placement.on);
    if (!found) {
      std::vector<std::string> names;
      for (const BodySpec& body : drawn_.bodies()) names.push_back(body.name);
      notes_.problems.push_back({fmt::format("use {}: there is no body or frame {} to be on{}", quoted(placement.name),
                                             quoted(placement.on), suggestion(placement.on, names, "bodies")),
                                 placement.source});
    }
    on = found.value_or(Base{});
    in_work_[std::size_t(instance)] = false;
  }
  return {on.body, on.X_BF * placement.X, on.X_WF * placement.X};
}

/// As it will be drawn.
std::optional<Placements::Base> Placements::body_named(const std::string& name) {
  const auto body = bodies_.find(name);
  if (body == bodies_.end()) return std::nullopt;
  const BodySpec& spec = drawn_.bodies()[body->second];
  const bool is_nested = body->second >= plain_bodies_;  // and drawn where it belongs
  const int mover = is_nested ? 0 : placed(expansion_.instance_at(spec.source));
  return Base{name, {}, base(mover).X_WF * spec.drawn_pose};
}

std::optional<Placements::Base> Placements::frame_named(const std::string& name) {
  if (auto body = body_named(name)) return body;
  const auto frame = frames_.find(name);
  if (frame == frames_.end()) return std::nullopt;
  const FrameSpec& spec = drawn_.frames()[frame->second];
  const bool is_nested = frame->second >= plain_frames_;
  const int mover = is_nested ? 0 : placed(expansion_.instance_at(spec.source));
  const Base carrier = spec.body == ground_name ? base(mover) : body_named(spec.body).value_or(Base{});
  return Base{carrier.body, carrier.X_BF * spec.X_BF, carrier.X_WF * spec.X_BF};
}

void Placements::move(std::vector<TreeFrame>& frames) {
  for (TreeFrame& frame : frames) {
    if (frame.parent >= 0) continue;
    int instance = placed(expansion_.instance_at(frame.source));
    Transform<double> X;
    for (; instance != 0; instance = placed(expansion_.instances()[std::size_t(instance)].parent)) {
      const DraftPlacement& placement = draft_.placements.at(instance);
      X = placement.X * X;
      if (placement.on == ground_name) continue;
      notes_.problems.push_back(
          {fmt::format("use {}: a submodel with nested frames is placed on {} by writing (use ...) inside that frame",
                       quoted(placement.name), quoted(placement.on)),
           placement.source, frame.source, "the frames begin here"});
      break;
    }
    frame.base = X;
  }
}

void Placements::move_joint(DraftJoint& joint, const Base& on) {
  JointSpec& spec = joint.spec;
  if (auto* const local = std::get_if<LocalPlacement>(&spec.placement)) {
    if (spec.parent == ground_name) local->X_PF = on.X_BF * local->X_PF;
    if (spec.child == ground_name) local->X_BM = on.X_BF * local->X_BM;
  }
  if (spec.parent == ground_name) spec.parent = on.body;
  if (spec.child == ground_name) spec.child = on.body;
  auto* const drawn = std::get_if<DrawnPlacement>(&spec.placement);
  if (!drawn) return;
  if (joint.has_place) drawn->at = on.X_WF * drawn->at;
  const bool has_axis = drawn->axis || drawn->axis2;
  if (drawn->axis) drawn->axis = on.X_WF.R * *drawn->axis;
  if (drawn->axis2) drawn->axis2 = on.X_WF.R * *drawn->axis2;
  if (has_axis || needs_axis(type_name(spec.model)) || on.X_WF.R == Mat3<double>::identity()) return;
  // Without an axis a joint's frames are along Ground's axes, which here are those of the base.
  const auto child = body_named(spec.child), parent = body_named(spec.parent);
  const Transform<double> X_WC = child.value_or(Base{}).X_WF, X_WP = parent.value_or(Base{}).X_WF;
  const Vec3<double> at = joint.has_place ? drawn->at : child ? X_WC.p : X_WP.p;
  const Transform<double> X_WF{on.X_WF.R, at};
  spec.placement = LocalPlacement{inverse(X_WP) * X_WF, inverse(X_WC) * X_WF};
  joint.has_place = true;
}

void Placements::move_elements(const std::vector<TreeFrame>& nested) {
  add_frame_tree(nested, drawn_);
  for (std::size_t i = 0; i < drawn_.bodies().size(); ++i) bodies_.emplace(drawn_.bodies()[i].name, i);
  for (std::size_t i = 0; i < drawn_.frames().size(); ++i) frames_.emplace(drawn_.frames()[i].name, i);
  const auto base_of = [&](const Source& source) -> const Base* {
    const int instance = placed(expansion_.instance_at(source));
    return instance == 0 ? nullptr : &base(instance);
  };
  MechanismBuilder& builder = draft_.builder;
  for (BodySpec body : draft_.as_drawn.bodies()) {
    if (const Base* const on = base_of(body.source)) body.drawn_pose = on->X_WF * body.drawn_pose;
    builder.add_body(std::move(body));
  }
  for (FrameSpec frame : draft_.as_drawn.frames()) {
    const Base* const on = frame.body == ground_name ? base_of(frame.source) : nullptr;
    if (on) {
      frame.X_BF = on->X_BF * frame.X_BF;
      frame.body = on->body;
    }
    builder.add_frame(std::move(frame));
  }
  for (const ShapeSpec& shape : draft_.as_drawn.shapes()) builder.add_shape(shape);
  for (DraftJoint& joint : draft_.joints)
    if (const Base* const on = base_of(joint.spec.source)) move_joint(joint, *on);
  for (const auto& [instance, placement] : draft_.placements) {
    const Base& here = base(instance);
    builder.add_frame({placement.name, here.body, here.X_BF, placement.source});
  }
}

}  // namespace polhode::format
