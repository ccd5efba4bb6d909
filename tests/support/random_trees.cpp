#include "polhode/mechanism/frame_tree.h"
#include "tests/support/random_classes.h"
#include "tests/support/random_mechanism.h"

namespace polhode::testing_support {
namespace {

bool is_line_joint(const JointModel& model) {
  return std::holds_alternative<LineOrientation>(model) || std::holds_alternative<FreeLine>(model);
}
bool has_text(const JointModel& model) {
  return !std::holds_alternative<FunctionBased>(model) && !std::holds_alternative<Custom>(model);
}

/// Line joints carry a thin rod along M's z axis and nothing more.
std::string thin_rod(Sketch& s, const std::string& parent, const JointModel& model) {
  const Vec3<double> from = s.anywhere(), to = from + s.random.uniform(0.5, 1) * s.direction();
  const Transform<double> X_WM = frame_along(s.random, from, to - from);
  const std::string child = s.rod(from, to);
  const std::vector<double> q = random_coordinates(model, s.random);
  const Transform<double> X_FM = std::visit([&](const auto& m) { return m.template X_FM<double>(q.data()); }, model);
  JointSpec spec{.name = s.fresh("line"), .model = model, .parent = parent, .child = child};
  spec.placement = LocalPlacement{inverse(s.pose(parent)) * (X_WM * inverse(X_FM)), inverse(s.pose(child)) * X_WM};
  s.builder.add_joint(spec);
  return child;
}

void grow(Sketch& s, std::vector<std::string> carriers, int bodies) {
  std::vector<JointModel> types = every_joint_type(s.random);
  std::erase_if(types, [](const JointModel& m) { return !has_text(m); });
  for (int b = 0; b < bodies; ++b) {
    const std::string parent =
        s.random.chance(0.6) ? carriers.back() : carriers[std::size_t(s.random.index(int(carriers.size())))];
    const JointModel& model = types[std::size_t(s.random.index(int(types.size())))];
    if (is_line_joint(model)) {
      thin_rod(s, parent, model);
      continue;
    }
    const std::string child = s.rigid(s.anywhere());
    s.turned_joint(model, parent, child, s.random.transform(0.7));
    carriers.push_back(child);
  }
}

}  // namespace

std::vector<std::string> draw_branches(Sketch& s, int bodies) {
  const JointModel types[] = {Revolute{}, Ball{}, Universal{}, Revolute{}, Prismatic{}, Cylindrical{}};
  std::vector<std::string> all{ground_name};
  for (int b = 0; b < bodies; ++b) {
    const std::string child = s.rigid(s.anywhere());
    const std::string parent = all[std::size_t(s.random.index(int(all.size())))];
    s.turned_joint(types[s.random.index(6)], parent, child, s.random.transform(0.7));
    all.push_back(child);
  }
  all.erase(all.begin());
  return all;
}

void draw_tree(Sketch& s) { grow(s, {ground_name}, 2 + s.random.index(5)); }

void draw_floating_tree(Sketch& s) {
  if (s.random.chance(0.5)) s.builder.gravity = {};
  const std::string base = s.rigid(s.anywhere());
  if (s.random.chance(0.5)) s.turned_joint(Free{}, ground_name, base, s.random.transform(0.5));
  grow(s, {base}, 1 + s.random.index(4));
}

void draw_hinge_tree(Sketch& s) {
  std::vector<std::string> all{ground_name};
  const JointModel types[] = {Revolute{}, Revolute{}, Prismatic{}, Cylindrical{}, Screw{s.random.uniform(0.1, 0.3)}};
  for (int b = 2 + s.random.index(5); b > 0; --b) {
    const std::string child = s.rigid(s.anywhere()), parent = all[std::size_t(s.random.index(int(all.size())))];
    s.on_axis(types[s.random.index(5)], parent, child, s.anywhere(), s.direction());
    all.push_back(child);
  }
}

void draw_nested_frames(Sketch& s) {
  std::vector<TreeFrame> frames;
  Random& r = s.random;
  for (int variable = 2 + r.index(4); variable > 0; --variable) {
    const int parent = frames.empty() ? -1 : r.chance(0.6) ? int(frames.size()) - 1 : r.index(int(frames.size()));
    const std::string name = "x" + std::to_string(frames.size());
    frames.push_back(
        {.parent = parent, .primitive = TreeFrame::Primitive(r.index(6)), .variable = name, .name = name + " frame"});
    for (int k = 1 + r.index(2); k > 0; --k)
      frames.push_back({.parent = int(frames.size()) - 1,
                        .primitive = TreeFrame::Primitive(r.index(6)),
                        .constant = r.uniform(0.3, 0.9) * (r.chance(0.5) ? 1 : -1)});
    frames.back().mass =
        MassProperties::box(r.uniform(0.5, 2), {r.uniform(0.2, 0.8), r.uniform(0.2, 0.8), r.uniform(0.2, 0.8)});
  }
  add_frame_tree(frames, s.builder);
}

void draw_welded_clusters(Sketch& s) {
  std::vector<std::string> all{ground_name};
  for (int b = 0; b < 2 + s.random.index(3); ++b) {
    // Part of a cluster may be no more than a particle, a line or nothing.
    const Vec3<double> p = s.anywhere();
    const std::string parent = all[std::size_t(s.random.index(int(all.size())))];
    const std::string core = s.rigid(p);
    s.turned_joint(s.random.chance(0.5) ? JointModel(Revolute{}) : JointModel(Ball{}), parent, core, s.random.transform(0.7));
    std::string last = core;
    for (int k = s.random.index(3); k > 0; --k) {
      const int kind = s.random.index(4);
      const Vec3<double> at = s.anywhere();
      const std::string more = kind == 0   ? s.particle(at)
                               : kind == 1 ? s.rod(at, s.anywhere())
                               : kind == 2 ? s.massless(at)
                                           : s.rigid(at);
      s.joint(Weld{}, last, more, s.random.transform(0.7));
      last = more;
    }
    all.push_back(last);
  }
}

void draw_incomplete_matter(Sketch& s) {
  std::string last = ground_name;
  for (int b = 1 + s.random.index(3); b > 0; --b) {
    switch (s.random.index(4)) {
      case 0: {  // a particle off a hinge's axis
        const Vec3<double> p = s.anywhere(), axis = s.direction();
        const std::string bob = s.particle(p + s.random.uniform(0.4, 0.8) * normalized(cross(axis, s.direction())));
        s.on_axis(Revolute{}, last, bob, p, axis);
        last = bob;
        break;
      }
      case 1: {  // a thin rod across a hinge
        const Vec3<double> p = s.anywhere(), axis = s.direction();
        const std::string bar = s.rod(p, p + s.random.uniform(0.4, 0.8) * normalized(cross(axis, s.direction())));
        s.on_axis(Revolute{}, last, bar, p, axis);
        last = bar;
        break;
      }
      case 2: {  // a frame without mass between two hinges across each other, then a body
        const std::string cross_piece = s.massless(s.anywhere()), child = s.rigid(s.anywhere());
        const Vec3<double> p = s.anywhere(), axis = s.direction();
        s.on_axis(Revolute{}, last, cross_piece, p, axis);
        s.on_axis(Revolute{}, cross_piece, child, p, normalized(cross(axis, s.direction())));
        last = child;
        break;
      }
      default: {  // a particle that slides
        const std::string bead = s.particle(s.anywhere());
        s.on_axis(Prismatic{}, last, bead, s.anywhere(), s.direction());
        last = bead;
      }
    }
  }
}

}  // namespace polhode::testing_support
