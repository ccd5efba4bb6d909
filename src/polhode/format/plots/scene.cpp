#include "polhode/format/plots/scene.h"

#include <nlohmann/json.hpp>

#include "polhode/format/plots/base64.h"
#include "polhode/format/plots/inertia_ellipsoid.h"
#include "polhode/format/plots/scene_constraint.h"
#include "polhode/format/runs/little_endian.h"
#include "polhode/study/column_names.h"

namespace polhode::format {
namespace {

using Json = nlohmann::json;

Json json(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Json json(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }
Json json(const Transform<double>& X) {
  const Quaternion<double> q = quaternion(X.R);
  return {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
}

Json json(const Body& body) {
  const auto ellipsoid = body.part_of < 0 ? inertia_ellipsoid(body.mass) : std::nullopt;  // the whole body is drawn once
  Json out{{"name", body.name}, {"parent", body.parent}, {"mass", body.mass.mass}, {"com", json(body.mass.com)}};
  out["ellipsoid"] = ellipsoid ? Json{{"semiaxes", json(ellipsoid->semiaxes)}, {"axes", json(ellipsoid->axes)}} : Json();
  out["shapes"] = Json::array();
  return out;
}

struct SolidJson {
  Json operator()(const BoxShape& s) const { return {{"size", json(s.size)}}; }
  Json operator()(const SphereShape& s) const { return {{"radius", s.radius}}; }
  Json operator()(const CylinderShape& s) const { return {{"radius", s.radius}, {"length", s.length}}; }
  Json operator()(const CapsuleShape& s) const { return {{"radius", s.radius}, {"length", s.length}}; }
  Json operator()(const MeshShape& s) const {
    std::string vertices, triangles;
    for (const auto& v : s.mesh->vertices)
      for (int i = 0; i < 3; ++i) put(vertices, float(v[i] * s.scale[i]));
    const bool mirrored = s.scale.x * s.scale.y * s.scale.z < 0;  // then what was the outside would be the inside
    for (const auto& corners : s.mesh->triangles)
      for (const int i : {0, mirrored ? 2 : 1, mirrored ? 1 : 2}) put(triangles, corners[i]);
    return {{"vertices", base64(vertices)}, {"triangles", base64(triangles)}};
  }
};

Json json(const Shape& shape) {
  Json out = std::visit(SolidJson{}, shape.solid);
  out["kind"] = name(shape.solid);
  out["pose"] = json(shape.X_BS);
  out["color"] = nullptr;
  if (const auto& c = shape.color) out["color"] = {c->red, c->green, c->blue, c->opacity};
  return out;
}

/// What joints of the tree and those that close loops share.
template <class AnyJoint>
Json joint_json(const AnyJoint& joint, int parent, int child) {
  return {{"name", joint.name},
          {"type", type_name(joint.model)},
          {"parent", parent},
          {"child", child},
          {"parentFrame", json(joint.X_PF)},
          {"childFrame", json(joint.X_BM)},
          {"coordinates", Json::array()},
          {"speeds", Json::array()}};
}

Json joints_json(const Mechanism& mechanism) {
  const study::ColumnNames names(mechanism);
  Json out = Json::array();
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[b];
    Json one = joint_json(joint, mechanism.bodies()[b].parent, b);
    for (int i = 0; i < joint.nq; ++i) one["coordinates"].push_back(names.coordinates()[std::size_t(joint.first_q + i)]);
    for (int i = 0; i < joint.nu; ++i) one["speeds"].push_back(names.speeds()[std::size_t(joint.first_u + i)]);
    one["closesLoop"] = false;
    one["implicit"] = joint.implicit;
    out.push_back(std::move(one));
  }
  for (const LoopJoint& joint : mechanism.loop_joints()) {
    Json one = joint_json(joint, joint.parent, joint.child);
    one["closesLoop"] = true;
    one["implicit"] = false;
    out.push_back(std::move(one));
  }
  return out;
}

Json frames_json(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Frame& frame : mechanism.frames())
    out.push_back({{"name", frame.name}, {"body", frame.body}, {"pose", json(frame.X_BF)}});
  return out;
}

Json constraints_json(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Constraint& constraint : mechanism.constraints()) {
    const SceneConstraint scene = scene_constraint(mechanism, constraint);
    Json one{{"name", constraint.name},
             {"kind", scene.kind},
             {"description", constraint.description},
             {"frames", scene.frames},
             {"coordinates", scene.coordinates}};
    for (const auto& [name_of_length, length] : scene.lengths) one[name_of_length] = length;
    if (scene.direction) one["direction"] = json(*scene.direction);
    out.push_back(std::move(one));
  }
  return out;
}

Json springs_json(const Forces& forces) {
  Json out = Json::array();
  forces.for_each([&]<class F>(const F& f) {
    if constexpr (LineForceType<F>) {
      Json one{{"kind", F::keyword}, {"frames", {f.frame_a.frame, f.frame_b.frame}}};
      for_each_field<F>([&](const auto& field) {
        if constexpr (std::is_same_v<value_of_field<decltype(field)>, double>) one[field.name] = f.*field.member;
      });
      out.push_back(std::move(one));
    }
  });
  return out;
}

}  // namespace

std::string scene_json(const Mechanism& mechanism) {
  Json bodies = Json::array();
  for (const Body& body : mechanism.bodies()) bodies.push_back(json(body));
  for (const Body& body : mechanism.bodies()) {
    if (body.part_of < 0) continue;
    Json& mass = bodies[body.part_of]["mass"];
    mass = mass.get<double>() + body.mass.mass;
  }
  for (const Shape& shape : mechanism.shapes()) bodies[shape.body]["shapes"].push_back(json(shape));
  const Json scene{{"name", mechanism.name()},
                   {"gravity", json(mechanism.gravity())},
                   {"bodies", std::move(bodies)},
                   {"joints", joints_json(mechanism)},
                   {"frames", frames_json(mechanism)},
                   {"constraints", constraints_json(mechanism)},
                   {"springs", springs_json(mechanism.forces())}};
  // Names from C++ may hold bytes that are no UTF-8; they are to be seen as such, not to end a program.
  return scene.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polhode::format
