#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/mechanism/builder.h"

namespace polhode {

/// One frame of a nested description (Johnson & Murphey, section III): a primitive transform from its parent, driven by a
/// constant or by a configuration variable, perhaps with a mass.
struct TreeFrame {
  enum class Primitive { tx, ty, tz, rx, ry, rz };

  int parent = -1;  ///< index in the list, which has parents first; -1 is the world
  Primitive primitive = Primitive::tx;
  double constant = 0;                   ///< [m] or [rad], used when there is no variable
  std::string variable{};                ///< name of the configuration variable; empty for a constant frame
  std::optional<Signal> signal{};        ///< what the variable follows, if it is kinematic
  std::string name{};                    ///< may be empty
  std::optional<MassProperties> mass{};  ///< about this frame's origin
  bool as_given = false;                 ///< as BodySpec has it
  std::vector<ShapeSpec> shapes{};       ///< on this frame, whatever frame they name themselves
  Source source{};
  Transform<double> base{};  ///< where it begins in the world, without a parent
};

/// Adds a tree of frames to a builder. Every variable frame starts a new body on a one-degree joint; constant frames fold
/// into fixed frames of the body they hang on, and so do their masses and shapes.
void add_frame_tree(const std::vector<TreeFrame>& frames, MechanismBuilder& builder);

}  // namespace polhode
