#include "tests/support/random_frame_tree.h"

#include <string>

#include "tests/support/random.h"

namespace polhode::testing_support {
namespace {

MassProperties random_principal_mass(Random& random) {
  // Three moments of a box obey the triangle inequality.
  return MassProperties::box(random.uniform(0.5, 2),
                             {random.uniform(0.3, 0.9), random.uniform(0.3, 0.9), random.uniform(0.3, 0.9)});
}

/// A moving frame, one to three constant ones on it, and a mass on the last of them.
void add_part(std::vector<TreeFrame>& frames, Random& random, int variable, int parent, bool only_rotations) {
  const auto name = [&] { return "frame" + std::to_string(frames.size()); };
  const int moving = only_rotations ? 3 + random.index(3) : random.index(6);
  frames.push_back({.parent = parent,
                    .primitive = TreeFrame::Primitive(moving),
                    .variable = "x" + std::to_string(variable),
                    .name = name()});
  if (random.chance(0.3)) frames.back().mass = random_principal_mass(random);
  for (int k = 1 + random.index(3); k > 0; --k)
    frames.push_back({.parent = int(frames.size()) - 1,
                      .primitive = TreeFrame::Primitive(random.index(6)),
                      .constant = random.uniform(0.3, 0.9) * (random.chance(0.5) ? 1 : -1),
                      .name = name()});
  frames.back().mass = random_principal_mass(random);
}

oracle::trep::Tree told_to_oracle(const std::vector<TreeFrame>& frames, const Mechanism& mechanism) {
  oracle::trep::Tree tree;
  const Vec3<double>& gravity = mechanism.gravity();
  tree.gravity = {gravity.x, gravity.y, gravity.z};
  for (const TreeFrame& frame : frames) {
    oracle::trep::Mass mass;
    if (frame.mass) mass = {frame.mass->mass, frame.mass->inertia.xx, frame.mass->inertia.yy, frame.mass->inertia.zz};
    tree.add({.parent = frame.parent,
              .primitive = oracle::trep::Primitive(int(frame.primitive)),
              .constant = frame.constant,
              .variable = frame.variable.empty() ? -1 : mechanism.coordinate(frame.variable),
              .mass = mass,
              .name = frame.name});
  }
  return tree;
}

}  // namespace

FrameTreePair random_frame_tree(unsigned seed, const FrameTreeOptions& options) {
  Random random(seed);
  std::vector<TreeFrame> frames;
  // A constant frame first, so that Ground is not where everything starts.
  frames.push_back(
      {.primitive = TreeFrame::Primitive(random.index(6)), .constant = random.uniform(0.2, 0.8), .name = "frame0"});
  for (int variable = 0; variable < options.variables; ++variable) {
    const int last = int(frames.size()) - 1;
    add_part(frames, random, variable, random.chance(0.6) ? last : random.index(last + 1), options.only_rotations);
  }
  MechanismBuilder builder;
  builder.gravity = options.gravity ? Vec3<double>{1.1, -2.3, -9.1} : Vec3<double>{};
  add_frame_tree(frames, builder);
  const Mechanism mechanism = builder.build();
  std::vector<int> frame_of;
  for (const TreeFrame& frame : frames) frame_of.push_back(mechanism.frame(frame.name));
  return {told_to_oracle(frames, mechanism), mechanism, frame_of};
}

}  // namespace polhode::testing_support
