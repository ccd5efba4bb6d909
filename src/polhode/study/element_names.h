#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"

/// What the elements of a mechanism are called where each needs a name, as in columns: its own name, or its keyword and its
/// number among all of that keyword in the model: `spring 1` is the first spring, named ones counted.
namespace polhode::study {

/// A force, in the order of read_element_forces() (mechanism/applied_forces.h).
struct ForceName {
  enum class Shape {
    on_coordinate,  ///< one number: the force
    along_line,     ///< one number: the tension
    on_bodies,      ///< six numbers for each body
    users           ///< the same, and one for each speed
  };
  std::string name;
  Shape shape;
  int u = -1;                      ///< on a coordinate: its speed
  std::vector<int> bodies{};       ///< on bodies: which
  int frame_a = -1, frame_b = -1;  ///< along a line
};
std::vector<ForceName> force_names(const Mechanism& mechanism);

/// By element: joints that close loops, then constraints.
std::vector<std::string> constraint_names(const Mechanism& mechanism);

}  // namespace polhode::study
