#include <fmt/format.h>

#include "polhode/format/language/element_reader.h"
#include "polhode/format/language/geometry.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr std::string_view entry_usage =
    "(\"coordinate\" position [speed]), (\"coordinate\" (speed u)) or (\"joint\" (quat w x y z))";

void read_entry(Arguments& entry, Draft& draft) {
  const auto name = entry.name("coordinate");
  if (name) entry.set_subject(fmt::format("initial {}", quoted(*name)));
  if (at_orientation(entry) || entry.at_form("pose")) {
    DraftInitialPose pose{.joint = name.value_or(""), .has_position = entry.at_form("pose"), .source = entry.where()};
    const std::optional<Transform<double>> X =
        pose.has_position ? take_pose(entry) : [&]() -> std::optional<Transform<double>> {
      const auto R = take_orientation(entry);
      return R ? std::optional(Transform<double>{*R, {}}) : std::nullopt;
    }();
    entry.finish();
    if (!name || !X) return;
    pose.X_FM = *X;
    draft.initial_poses.push_back(std::move(pose));
    return;
  }
  InitialValue value{name.value_or(""), std::nullopt, std::nullopt, entry.where()};
  bool understood = name.has_value();
  if (entry.at_form("speed")) {
    Arguments speed(entry.tree(), entry.take(), "(speed u)", entry.notes());
    value.speed = speed.angle("speed", "rad/s, m/s");
    speed.finish();
    understood = understood && value.speed;
  } else {
    value.value = entry.angle("position", "rad, m");
    understood = understood && value.value;
    if (!entry.at_end()) {
      value.speed = entry.angle("speed", "rad/s, m/s");
      understood = understood && value.speed;
    }
  }
  entry.finish();
  if (understood) draft.builder.set_initial(std::move(value));
}

}  // namespace

void read_initial(Arguments& arguments, Draft& draft) {
  while (!arguments.at_end()) {
    const NodeId id = arguments.take();
    const Node& node = arguments.tree()[id];
    if (node.kind == Node::Kind::bad) continue;
    if (node.kind != Node::Kind::list || node.first == none) {
      arguments.problem(node.where,
                        fmt::format("{} is not expected here; write {}", describe(arguments.tree(), id), initial_usage));
      continue;
    }
    Arguments entry(arguments.tree(), id, entry_usage, arguments.notes(), Arguments::Head::nothing);
    entry.set_subject("initial");
    read_entry(entry, draft);
  }
}

void read_velocity(Arguments& arguments, MechanismBuilder& builder) {
  InitialVelocity velocity;
  velocity.source = arguments.where();
  const auto body = arguments.name("body's name");
  if (body) arguments.set_subject(fmt::format("velocity of {}", quoted(*body)));
  if (arguments.at_end()) arguments.problem(fmt::format("it gives no velocity; write {}", velocity_usage));
  arguments.options({
      {"angular", "(angular x y z)",
       [&](Arguments& a) { velocity.V_WB.angular = a.angles("x", "y", "z", "rad/s").value_or(Vec3<double>{}); }},
      {"linear", "(linear x y z)", [&](Arguments& a) { velocity.V_WB.linear = a.vector("m/s").value_or(Vec3<double>{}); }},
  });
  if (!body) return;
  velocity.body = *body;
  builder.set_velocity(std::move(velocity));
}

}  // namespace polhode::format
