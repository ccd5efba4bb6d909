#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/sketch.h"

/// Random mechanisms of many classes, small (two to eight bodies) and gentle (moderate speeds, short motions), so that every
/// method that takes one has to find the same motion.
namespace polhode::testing_support {

struct MechanismClass {
  std::string name;
  void (*draw)(Sketch&);
  /// Methods that may refuse some of the class, each by naming what it cannot do: a word of what they say.
  std::vector<std::pair<std::string, std::string>> refusals{};
};
const std::vector<MechanismClass>& mechanism_classes();
/// For names of tests.
inline std::ostream& operator<<(std::ostream& out, const MechanismClass& kind) { return out << kind.name; }

// By file: trees (random_trees.cpp).
void draw_tree(Sketch&);
void draw_floating_tree(Sketch&);
void draw_hinge_tree(Sketch&);
void draw_nested_frames(Sketch&);
void draw_welded_clusters(Sketch&);
void draw_incomplete_matter(Sketch&);  ///< particles, lines, bodies without mass
// Loops of joints (random_loops.cpp).
void draw_planar_loop(Sketch&);
void draw_planar_linkage(Sketch&);  ///< several loops, sliders
void draw_spatial_loop(Sketch&);
void draw_rare_joint_loop(Sketch&);
void draw_rigid_loop(Sketch&);
void draw_rigid_slider_and_pin(Sketch&);
// Loops whose equations follow from each other, yet move (random_redundant.cpp).
void draw_door(Sketch&);  ///< hinges, or a hinge and a cylinder or a ball, on one axis
void draw_parallelogram(Sketch&);
void draw_bennett(Sketch&);
void draw_bricard(Sketch&);
void draw_sarrus(Sketch&);
// Constraints (random_ties.cpp).
void draw_rods(Sketch&);
void draw_points(Sketch&);
void draw_points_on_surfaces(Sketch&);
void draw_angles(Sketch&);
void draw_couplers(Sketch&);
void draw_screws(Sketch&);
void draw_rolling(Sketch&);
void draw_no_slip(Sketch&);
// What moves or holds (random_forces.cpp).
void draw_driven(Sketch&);
void draw_driven_loop(Sketch&);
void draw_locked(Sketch&);
void draw_driven_speeds(Sketch&);
void draw_oriented(Sketch&);
void draw_forces(Sketch&);
void draw_loop_forces(Sketch&);  ///< springs and dampers on the coordinates of a loop's joints
void draw_laws(Sketch&);         ///< forces that depend on several coordinates and speeds
void draw_attraction(Sketch&);
void draw_massless_coupler(Sketch&);

// Others of these, changed (random_classes.cpp).
void draw_light_bodies(Sketch&);  ///< masses down to 1e-6 of the others'
void draw_scales(Sketch&);        ///< 1e-3 to 1e3 m

/// Trees onto which other things are tied: a few bodies that hang on Ground or each other; the last bodies' names.
std::vector<std::string> draw_branches(Sketch& s, int bodies);

}  // namespace polhode::testing_support
